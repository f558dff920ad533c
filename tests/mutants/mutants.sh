#!/bin/bash
# SPDX-License-Identifier: MIT
# mutants.sh FOLDER: a bug in a kernel is found twice, by `voxphys verify` against the reference, and by `voxphys check` against the corpus.
# Differences that a correct program may have are found by `voxphys check --same`: another one of several equally near triangles, or another
# last bit. golden.digests and conformance.answers pass the command without a bug.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
folder=$1
unset VOXPHYS_ISA
if [[ $(voxphys info --json | jq '.isas[] | select(.name == "avx2").usable') != true ]]; then
    echo "this machine has no AVX2"
    exit 77
fi
cd "$VOXPHYS_SOURCE" || exit 1

verify() # BUG KERNEL DATASET: sets status, out, err
{
    shown="verify of the copy with the bug '$1'"
    "$folder/mutant_$1" verify --isa avx2 --kernel "$2" --dataset "$3" --json >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    out=$(cat "$scratch/out")
    err=$(cat "$scratch/err")
}

found() # BUG KERNEL DATASET RESULT FAMILY...: found by both, and by check in exactly these families
{
    local bug=$1 kernel=$2 dataset=$3 result=$4
    verify "$bug" "$kernel" "$dataset"
    expect_status 1
    expect_in stderr "$err" "$kernel of avx2 differs from the reference"
    expect_json "mismatches" '[.checks[].mismatches] | add > 0'
    run check --json --same --adapter "voxphys adapter --isa scalar" --adapter "'$folder/mutant_$bug' adapter --isa avx2"
    expect_status 1
    expect_json "the reference is right" '[.vectors[].results[0].result] | unique == ["pass"]'
    expect_equal "families in which the bug '$bug' is found" "$(jq -r '[.vectors[] | select(.results[1].result != "pass").id | split("/")[0]] | unique | join(" ")' <<<"$out")" "${*:5}"
    expect_in "what becomes of the bug '$bug'" "$(jq -r '[.vectors[].results[1].result] | unique | join(" ")' <<<"$out")" "$result"
    echo "$bug: $(jq -r '[.vectors[].results[1].result | select(. != "pass")] | length' <<<"$out") vectors"
}

found border dilate_world terrain-l2 fail dilation
found tie kd_ray fuzz-0 differs grid-walk ray-mesh
found fused kd_ray fuzz-0 differs grid-walk ray-mesh ray-triangle
found lanes kd_ray fuzz-0 fail grid-walk ray-mesh ray-triangle
found nan overlap_box fuzz-0 fail overlap
finish
