#!/bin/bash
# SPDX-License-Identifier: MIT
# narrow_experiments.sh [PROGRAM...]: docs/kernels/narrowphase.md and docs/kernels/contacts.md are the output of bench/narrow-experiments
# for the committed file, and an altered figure in any is found. PROGRAM, voxphys-narrow-experiments, must reproduce the file's counts for
# this library.
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
jq -e 'length == 12' <(jq "$counts" "$file") >/dev/null || fail "the file has not twelve rows of ours of that family"
echo "a family is counted again"
"$@" ghosts --counts "groove 90" >"$copy/counts.json"
counts='[.ghosts[] | select(.ground == "groove 90" and (.who | startswith("bullet") | not)) | del(.worst)]'
diff <(jq -S "$counts" "$copy/counts.json") <(jq -S "$counts" "$file") || fail "the committed ghosts (>) are not those of here (<)"
jq -e 'length == 30' <(jq "$counts" "$file") >/dev/null || fail "the file has not thirty rows of ours of that ground"
echo "ghosts are counted again"
"$@" bits --counts terrain-l2/cave-floor >"$copy/counts.json"
counts='[.bits, .bits_shapes | .[] | select(.world == "terrain-l2" and .place == "cave-floor") | with_entries(select(.key | test("^(find|collide)_") | not))]'
diff <(jq -S "$counts" "$copy/counts.json") <(jq -S "$counts" "$file") || fail "the committed contacts (>) are not those of here (<)"
jq -e 'length == 11' <(jq "$counts" "$file") >/dev/null || fail "the file has not eleven rows of that place"
jq -e 'all(.bits[]; .lost_bits == 0 and .lost_half == 0)' "$file" >/dev/null || fail "contacts are lost by bits"
echo "contacts are counted again"
