#!/bin/bash
# SPDX-License-Identifier: MIT
# simulate_experiments.sh [PROGRAM...]: docs/kernels/bodies.md is what bench/simulate-experiments makes of the committed file, and a figure that was
# altered in either is found; the file's counts of the smallest scene are what PROGRAM, voxphys-simulate-experiments, counts here.
set -euo pipefail
. "$VOXPHYS_SOURCE/tests/docs/experiments.bash"
begin simulate bodies
sed -i '/^| 1,000 | Bullet | /s/Bullet | /Bullet | 1/' "$copy/$page"
found "another figure in a table"
jq '(.steps[] | select(.bodies == 1000 and .who == "bullet") | .solve) += 100' "$file" >"$copy/$file"
found "another time in the file"

[[ $# -gt 0 ]] || exit 0
"$@" --counts terrain-l2/100 >"$copy/counts.json" 2>/dev/null
counts='[.steps[] | select(.bodies == 100 and .who == "voxphys") | del(.broadphase, .pairs, .ground, .solve, .rest)]'
diff <(jq -S "$counts" "$copy/counts.json") <(jq -S "$counts" "$file") || fail "the committed counts (>) are not those of here (<)"
jq -e 'length == 1' <(jq "$counts" "$file") >/dev/null || fail "the scene of 100 bodies is not in the file"
echo "a scene is counted again"
