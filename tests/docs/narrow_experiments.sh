#!/bin/bash
# SPDX-License-Identifier: MIT
# narrow_experiments.sh [PROGRAM...]: docs/kernels/narrowphase.md and docs/kernels/contacts.md are what bench/narrow-experiments makes of the
# committed file, and a figure that was altered in any is found; the file's counts of ours are what PROGRAM, voxphys-narrow-experiments, counts here.
set -euo pipefail
. "$VOXPHYS_SOURCE/tests/docs/experiments.bash"
begin narrow narrowphase contacts
sed -i '/^| needles | 0 /s/ 0 / 1 /' "$copy/$page"
found "another figure in a table"
jq '(.hard[] | select(.family == "deep" and .shape == "box" and .who == "bullet") | .wrong_normal) += 100' "$file" >"$copy/$file"
found "another count in the file"
sed -i '/^| luanti | cave, in the air |/s/| 1,/| 2,/' "$copy/docs/kernels/contacts.md"
found "another figure in a table of contacts"
status=0
bench/narrow-experiments hard easy 2>"$copy/log" || status=$?
[[ $status -eq 2 ]] || fail "a part that is unknown ends with $status, not 2"

[[ $# -gt 0 ]] || exit 0
"$@" hard --counts tiny >"$copy/counts.json"
counts='[.hard[] | select(.family == "tiny" and (.who | startswith("voxphys"))) | del(.ns) | .worst *= 1e9] | map(.worst |= round)'
diff <(jq -S "$counts" "$copy/counts.json") <(jq -S "$counts" "$file") || fail "the committed counts (>) are not those of here (<)"
jq -e 'length == 10' <(jq "$counts" "$file") >/dev/null || fail "the file has not ten rows of ours of that family"
echo "a family is counted again"
"$@" bits --counts terrain-l2/cave-floor >"$copy/counts.json"
counts='[.bits, .bits_shapes | .[] | select(.world == "terrain-l2" and .place == "cave-floor") | with_entries(select(.key | test("^(find|collide)_") | not))]'
diff <(jq -S "$counts" "$copy/counts.json") <(jq -S "$counts" "$file") || fail "the committed contacts (>) are not those of here (<)"
jq -e 'length == 11' <(jq "$counts" "$file") >/dev/null || fail "the file has not eleven rows of that place"
jq -e 'all(.bits[]; .lost_bits == 0 and .lost_half == 0)' "$file" >/dev/null || fail "contacts are lost by bits"
echo "contacts are counted again"
