#!/bin/bash
# SPDX-License-Identifier: MIT
# decompose_experiments.sh [PROGRAM...]: docs/kernels/decompose.md is the output of bench/decompose-experiments for the committed file, and
# an altered figure in either is found. PROGRAM, voxphys-decompose-experiments, must reproduce the file's counts for a small solid.
set -euo pipefail
. "$VOXPHYS_SOURCE/tests/docs/experiments.bash"
begin decompose decompose
sed -i '/^| cross | /s/ 6 / 5 /' "$copy/$page"
found "another figure in a table"
jq '(.meshes[] | select(.mesh == "solid-torus" and .who == "hacd") | .reach_high) += 100' "$file" >"$copy/$file"
found "another reach in the file"

[[ $# -gt 0 ]] || exit 0
"$@" --only solid-stairs >"$copy/counts.json" 2>/dev/null
counts='[.meshes[] | select(.mesh == "solid-stairs" and .who == "voxphys") | del(.seconds)] | walk(if type == "number" then . * 1000 | round else . end)'
diff <(jq -S "$counts" "$copy/counts.json") <(jq -S "$counts" "$file") || fail "the committed counts (>) are not those of here (<)"
jq -e 'length == 1' <(jq "$counts" "$file") >/dev/null || fail "solid-stairs is not in the file"
echo "a solid is counted again"
