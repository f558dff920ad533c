#!/bin/bash
# SPDX-License-Identifier: MIT
# block_experiments.sh [PROGRAM...]: docs/kernels/blocks.md is the output of bench/block-experiments for the committed file, and an altered
# figure in either is found. PROGRAM, voxphys-block-experiments, must reproduce the file's counts for the smallest planet.
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
