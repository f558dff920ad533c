#!/bin/bash
# SPDX-License-Identifier: MIT
# scene_experiments.sh [PROGRAM...]: docs/kernels/scene.md is what bench/scene-experiments makes of the committed file, and a figure that was
# altered in either is found; the file's counts are what PROGRAM, voxphys-scene-experiments (behind its emulator), counts here.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
fail()
{
    echo "FAIL: $*" >&2
    exit 1
}
bench/scene-experiments --check

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/bench" "$copy/docs/kernels" "$copy/results"
cp bench/scene-experiments bench/experiments.py "$copy/bench/"
found() # WHAT: the check of the copy fails
{
    local status=0
    "$copy/bench/scene-experiments" --check >"$copy/log" 2>&1 || status=$?
    [[ $status -eq 1 ]] || fail "$1: the check ends with $status, not 1: $(cat "$copy/log")"
    echo "found: $1"
}
again() # what is committed
{
    cp docs/kernels/scene.md "$copy/docs/kernels/"
    cp -r results/experiments "$copy/results/"
}
again
sed -i 's/^It is \([0-9]\)/It is 1\1/' "$copy/docs/kernels/scene.md"
found "another figure in a sentence"
again
jq '(.rules[] | select(.scene == "hills" and .objects == 10000 and .rule == "least") | .nodes) *= 2' results/experiments/scene.json >"$copy/results/experiments/scene.json"
found "another count in the file"
"$copy/bench/scene-experiments" --page
cmp -s "$copy/docs/kernels/scene.md" docs/kernels/scene.md && fail "--page does not write the page"
again
sed -i '/^<!-- .experiments -->$/d' "$copy/docs/kernels/scene.md"
found "a page without its place"
status=0
bench/scene-experiments --chek 2>"$copy/log" || status=$?
[[ $status -eq 2 ]] || fail "an argument that is unknown ends with $status, not 2"

[[ $# -gt 0 ]] || exit 0
"$@" --counts 1000 >"$copy/counts.json"
counts='{rules: [.rules[] | select(.objects == 1000) | del(.build_ms, .excess)], looseness: [.looseness[] | select(.objects == 1000) | del(.excess)]}
    | walk(if type == "number" then . * 1000 | round else . end)'
diff <(jq "$counts" "$copy/counts.json") <(jq "$counts" results/experiments/scene.json) || fail "the committed counts (>) are not those of here (<)"
echo "$(jq "$counts | [.[][]] | length" "$copy/counts.json") rows are counted again"
