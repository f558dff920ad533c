#!/bin/bash
# SPDX-License-Identifier: MIT
# The help of the command and of each subcommand is on stdout, with exit code 0. It comes from the table that the option parser uses.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

# Tries --help of a command and of its subcommands.
try_help() # WORD...
{
    prints "Usage: voxphys" "$@" --help
    [[ $# -eq 0 ]] || expect_in stdout "$out" "voxphys $*"
    local long=$out
    succeeds "$@" -h
    expect_equal "what -h prints" "$out" "$long"
    out=$long
    [[ $out == *" COMMAND --help' shows a command's options"* ]] || return 0
    local subcommands
    mapfile -t subcommands < <(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$scratch/out")
    local subcommand
    for subcommand in "${subcommands[@]}"; do
        try_help "$@" "$subcommand"
    done
}

run --help
expect_in stdout "$out" "Exit codes" VOXPHYS_ISA "best, scalar, avx2, avx512, neon, simd128, avx2-simde, neon-simde, simd128-simde;"
commands=$(sed -n '/^Commands:/,/^$/ s/^  \([a-z]*\) .*/\1/p' "$scratch/out")
for command in info verify blocks collide dataset broadphase decompose grow hull mesh raycast reduce render scene simulate world; do
    expect_in "the list of commands" $'\n'"$commands"$'\n' $'\n'"$command"$'\n'
done
try_help

succeeds --version
version=$(sed -n 's/^project(voxphys VERSION \([0-9.]*\) .*/\1/p' "$VOXPHYS_SOURCE/CMakeLists.txt")
expect_equal stdout "$out" "voxphys $version"
finish
