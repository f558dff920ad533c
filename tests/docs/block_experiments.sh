#!/bin/bash
# SPDX-License-Identifier: MIT
# block_experiments.sh [PROGRAM...]: docs/kernels/blocks.md is what bench/block-experiments makes of the committed file, and a figure that was
# altered in either is found; the file's counts of the smallest planet are what PROGRAM, voxphys-block-experiments, counts here.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
fail()
{
    echo "FAIL: $*" >&2
    exit 1
}
bench/block-experiments --check

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/bench" "$copy/docs/kernels" "$copy/results"
cp bench/block-experiments bench/experiments.py "$copy/bench/"
found() # WHAT: the check of the copy fails
{
    local status=0
    "$copy/bench/block-experiments" --check >"$copy/log" 2>&1 || status=$?
    [[ $status -eq 1 ]] || fail "$1: the check ends with $status, not 1: $(cat "$copy/log")"
    echo "found: $1"
}
cp docs/kernels/blocks.md "$copy/docs/kernels/"
cp -r results/experiments "$copy/results/"
sed -i '/^| across chunks |/s/193,716/193,717/' "$copy/docs/kernels/blocks.md"
found "another figure in a table"
cp docs/kernels/blocks.md "$copy/docs/kernels/"
jq '.views[0].share = 0.9' results/experiments/blocks.json >"$copy/results/experiments/blocks.json"
found "another share in the file"

[[ $# -gt 0 ]] || exit 0
"$@" --counts 5 >"$copy/counts.json"
counts='{planets: [.planets[] | select(.edge == 5)], views: [.views[] | select(.edge == 5)], edits: [.edits[] | {what, edits, changed, faces, lit}]}
    | walk(if type == "number" then . * 1000 | round else . end)'
diff <(jq "$counts" "$copy/counts.json") <(jq "$counts" results/experiments/blocks.json) || fail "the committed counts (>) are not those of here (<)"
echo "$(jq "$counts | [.[][]] | length" "$copy/counts.json") rows are counted again"
