#!/bin/bash
# SPDX-License-Identifier: MIT
# help.sh [large]: large to run the examples too.
# The help of the command and of each subcommand is on stdout, with exit code 0. It comes from the table that the option parser uses.
# Each help of options has an example, which succeeds.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

runs=${1-}
mkdir "$scratch/examples"
cp -r "$VOXPHYS_SOURCE/results" "$scratch/examples"
ln -s "$VOXPHYS_SOURCE/datasets" "$scratch/examples/datasets"

# Runs the example of a help. Examples may read what examples of earlier commands wrote.
try_example() # WORD...
{
    local example
    example=$(sed -n 's/^Example: //p' <<<"$out")
    expect_in "the example" "$example" voxphys "$1"
    [[ $runs == large && $1 != results ]] || return 0 # tests/results runs those commands, which take long
    run_as "$example" bash -c "cd '$scratch/examples' && $example"
    [[ $err == *Jinja2* || $err == *"this build has no"* || $err == *"this build has none"* ]] || expect_status 0
}

# Tries --help of a command and of its subcommands.
try_help() # WORD...
{
    prints "Usage: voxphys" "$@" --help
    [[ $# -eq 0 ]] || expect_in stdout "$out" "voxphys $*"
    local long=$out
    succeeds "$@" -h
    expect_equal "what -h prints" "$out" "$long"
    out=$long
    if [[ $out != *" shows a command's options"* ]]; then
        try_example "$@"
        return
    fi
    local subcommands
    mapfile -t subcommands < <(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$scratch/out")
    local subcommand
    for subcommand in "${subcommands[@]}"; do
        try_help "$@" "$subcommand"
    done
}

run --help
expect_in stdout "$out" "Exit codes" VOXPHYS_ISA "best, scalar, plain, avx2, avx512, neon, simd128, avx2-simde, neon-simde, simd128-simde;"
commands=$(sed -n 's/^  \([a-z]*\) .*/\1/p' "$scratch/out")
for command in info verify blocks collide dataset broadphase decompose grow hull mesh raycast reduce render scene simulate world; do
    expect_in "the list of commands" $'\n'"$commands"$'\n' $'\n'"$command"$'\n'
done
try_help

# ---- help COMMAND, names that resemble the word, manual pages, completion ----
run help dataset list
expect_equal "help of a command" "$out" "$(voxphys dataset list --help)"
while IFS='|' read -r words name; do
    # shellcheck disable=SC2086 # words
    run $words
    expect_status 2
    expect_in stderr "$err" "did you mean '$name'?"
done <<'END'
verfy|verify
sim|simulate
dataset lst|list
verify --kernl kd_ray|--kernel
verify --kernel kd_raay|kd_ray
END
run frobnicate
expect_equal stderr "$err" "voxphys: unknown command 'frobnicate'"$'\n'"Try 'voxphys --help'."
"$VOXPHYS_SOURCE/tools/shell/man.sh" "$(command -v voxphys)" "$scratch/man" || fail "man.sh"
expect_equal "manual pages of commands" "$(cd "$scratch/man" && echo voxphys*.1 | tr ' ' '\n' | grep -c '^voxphys-[a-z]*\.1$')" "$(wc -l <<<"$commands")"
expect_in "a manual page" "$(cat "$scratch/man/voxphys-dataset-list.1")" '.SH NAME'$'\n''voxphys\-dataset\-list \- List the data sets' '.B \-\-json'
if command -v groff >/dev/null; then
    expect_equal "what groff complains of" "$(for page in "$scratch"/man/*; do groff -man -Tutf8 -ww -z "$page"; done 2>&1)" ""
fi
completions() # WORD...: what bash offers for the last word
{
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _voxphys; printf "%s\n" "${COMPREPLY[@]}"' "$VOXPHYS_SOURCE/tools/shell/voxphys.bash" voxphys "$@" | paste -sd ' '
}
expect_equal "completed commands" "$(completions re)" "render reduce results report"
expect_equal "completed options" "$(completions dataset make --h)" "--help"
expect_equal "completed data sets" "$(completions mesh terrain-l)" "terrain-l2 terrain-l3"
expect_equal "completed kernels" "$(completions verify --kernel kd_ray1)" "kd_ray16"
expect_equal "completed instruction sets" "$(completions verify --isa sc)" "scalar"

succeeds --version
version=$(sed -n 's/^project(voxphys VERSION \([0-9.]*\) .*/\1/p' "$VOXPHYS_SOURCE/CMakeLists.txt")
expect_equal stdout "$out" "voxphys $version"
finish
