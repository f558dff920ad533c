# SPDX-License-Identifier: MIT
# Completion of voxphys for bash. The command itself prints its commands, options, kernels, instruction sets and data sets.
_voxphys()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[0]} path=() word words
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word != [a-z]* || ${#path[@]} -eq 2 ]] && break
        [[ $word == help ]] || path+=("$word")
    done
    words=$("$command" "${path[@]}" --help=words 2>/dev/null)
    case $before in
        --kernel) words=$("$command" info 2>/dev/null | awk '/ -> /{ print $1 }') ;;
        --isa) words=$("$command" info 2>/dev/null | awk '/ usable here$/{ print $1 }') ;;
        -*) [[ $'\n'$words == *$'\n'"$before"$'\t'[^$'\t']* ]] && words= ;; # a value of another kind
    esac
    mapfile -t COMPREPLY < <(compgen -W "$(cut -f 1 <<<"$words")" -- "$current")
    if [[ $current != -* && ${#path[@]} -gt 0 && ! $before =~ ^--(kernel|isa)$ ]]; then # files, and data sets by name
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -W "$("$command" dataset list 2>/dev/null | cut -d ' ' -f 1)" -- "$current")
    fi
}
complete -o filenames -F _voxphys voxphys
