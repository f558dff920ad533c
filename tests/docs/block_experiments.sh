#!/bin/bash
# SPDX-License-Identifier: MIT
# block_experiments.sh [PROGRAM...]: docs/kernels/blocks.md is what bench/block-experiments makes of the committed file, and a figure that was
# altered in either is found; the file's counts of the smallest planet are what PROGRAM, voxphys-block-experiments, counts here.
set -euo pipefail
. "$VOXPHYS_SOURCE/tests/docs/experiments.bash"
begin block blocks
sed -i '/^| across chunks |/s/193,716/193,717/' "$copy/$page"
found "another figure in a table"
jq '.views[0].share = 0.9' "$file" >"$copy/$file"
found "another share in the file"

[[ $# -gt 0 ]] || exit 0
"$@" --counts 5 >"$copy/counts.json"
counts='{planets: [.planets[] | select(.edge == 5)], views: [.views[] | select(.edge == 5)], edits: [.edits[] | {what, edits, changed, faces, lit}]}
    | walk(if type == "number" then . * 1000 | round else . end)'
diff <(jq "$counts" "$copy/counts.json") <(jq "$counts" "$file") || fail "the committed counts (>) are not those of here (<)"
echo "$(jq "$counts | [.[][]] | length" "$copy/counts.json") rows are counted again"
