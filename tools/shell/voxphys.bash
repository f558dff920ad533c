# SPDX-License-Identifier: MIT
# Completion of voxphys for bash. The command itself prints its commands and options.
_voxphys()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} path=() word words
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word != [a-z]* || ${#path[@]} -eq 2 ]] && break
        [[ $word == help ]] || path+=("$word")
    done
    words=$("${COMP_WORDS[0]}" "${path[@]}" --help=words 2>/dev/null)
    if [[ $before != -* || $'\n'$words != *$'\n'"$before"$'\t'[^$'\t']* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(cut -f 1 <<<"$words")" -- "$current")
    fi
    if [[ $current != -* && ${#path[@]} -gt 0 ]]; then # files, and data sets by name
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -W "$("${COMP_WORDS[0]}" dataset list 2>/dev/null | cut -d ' ' -f 1)" -- "$current")
    fi
}
complete -o filenames -F _voxphys voxphys
