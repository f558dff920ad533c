#!/bin/bash
# SPDX-License-Identifier: MIT
# command.sh: the differences of a WASI program. File names are relative to the folder in which it is started. Exit codes and the
# environment work. Its output equals other builds' output. Commands that are left out say so.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

run --version
expect_status 0
expect_in stdout "$out" "voxphys "
run frobnicate
expect_status 2
expect_in stderr "$err" "'frobnicate'"
for command in check reduce report results; do
    run "$command"
    expect_status 2
    expect_in stderr "$err" "voxphys $command: not in this build: "
done
VOXPHYS_ISA=avx2 run info
expect_status 2
expect_in stderr "$err" 'instruction set "avx2" is not in this build'
VOXPHYS_ISA=simd128-simde run info
expect_status 2
expect_in stderr "$err" '"simd128" is'

mkdir "$scratch/here"
cd "$scratch/here" || exit 1
run dataset make sparse -o made.vpw
expect_status 0
expect_equal "files here" "$(ls -A)" "made.vpw"
run dataset make sparse -o "$scratch/here/again.vpw"
expect_status 0
expect_equal "the second file" "$(cmp made.vpw again.vpw && echo same)" same
run mesh made.vpw --json
expect_status 0
expect_json "the surfaces of a file here" '[.surfaces[].surface] == ["solid", "water"]'
run mesh nothing.vpw
expect_status 2
expect_in stderr "$err" "nothing.vpw"
ln -s made.vpw link.vpw
run dataset make sparse -o link.vpw
expect_status 2
expect_equal "what the link leads to" "$(readlink link.vpw)" made.vpw

echo "hello 1" | voxphys adapter --isa simd128 >"$scratch/out"
expect_in "the greeting" "$(cat "$scratch/out")" "hello 1 voxphys-simd128 "
finish
