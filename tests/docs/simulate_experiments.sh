#!/bin/bash
# SPDX-License-Identifier: MIT
# simulate_experiments.sh [PROGRAM...]: docs/kernels/bodies.md is the output of bench/simulate-experiments for the committed file, and an
# altered figure in either is found. PROGRAM, voxphys-simulate-experiments, must reproduce the file's counts for the smallest scene.
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
