#!/bin/bash
# SPDX-License-Identifier: MIT
# decompose.sh PEERS PROGRAM...: verdicts of voxphys-bench on decompositions, before any timing, and the files with hulls of other
# libraries. PROGRAM is voxphys-bench, with its emulator if any. PEERS is the number of libraries. No time is checked.
# shellcheck disable=SC2016 # jq's variables begin with a dollar too
set -uo pipefail
peers=$1
bench=("${@:2}")
. "$VOXPHYS_SOURCE/tests/bench/check.bash"

exit_code 0 --benchmark_list_tests
cp "$folder/out" "$folder/names"
check "libraries are measured on the same solids as ours, except those of growing size" test \
    "$(grep -c '^decompose/peer-' "$folder/names")" -eq $((peers * $(grep -c '^decompose/scalar/.*[a-z]$' "$folder/names")))

measure '^decompose/(scalar|peer-[^/]*)/solid-frame$|^decompose/(scalar|peer-acd)/solid-l$'
holds "no row has an error" '[.[] | select(.error_occurred)] == [] and length == 2 + (if $peers == 0 then 0 else $peers + 1 end)' --argjson peers "$peers"
holds "everybody is judged" 'all(.[]; has("hulls") and has("flat_hulls") and has("invalid_hulls") and has("vertices") and has("ray_error")
    and .reach_low <= .reach_high and .covered_surface <= 1 and .covered_volume <= 1 and .overlap >= 0)'
holds "ours are as few as can be, and reach nowhere" '[of("/scalar/")[] | [.hulls, .invalid_hulls, .lost_triangles, .reach_low, .covered_surface]]
    == [[2, 0, 0, 0, 1], [4, 0, 0, 0, 1]]'
holds "a library's label tells the verdict" 'all(of("/peer-")[]; .label | test("^triangles hulls=[0-9]+ invalid=[0-9]+ lost=[0-9]+ reach="))'

# ---- hulls in files ----

if [[ $peers -ne 0 ]]; then
    "$VOXPHYS_BUILD/bin/voxphys-peer" hacd solid-frame -o "$folder/hulls.obj" >"$folder/told" 2>"$folder/err" </dev/null
    check "its hulls are written: $(cat "$folder/err")" grep -q '^hacd: 4 hulls of ' "$folder/told"
    check "an object each" test "$(grep -c '^o ' "$folder/hulls.obj")" -eq 4
    check "in colours" test -s "$folder/hulls.mtl"
    voxphys decompose --check "$folder/hulls.obj" solid-frame --json >"$folder/verdict.json"
    check "the command says of them what the benchmark does" test \
        "$(jq -c '[.benchmarks[] | select(.name == "decompose/peer-hacd/solid-frame") | .hulls, .invalid_hulls, .flat_hulls]' "$folder/rows.json")" = \
        "$(jq -c '[.. | objects | select(has("reach_ratio")) | .hulls, .invalid, .flat]' "$folder/verdict.json")"
    for wrong in "solid-frame" "solid-frame -o" "solid-frame -o $folder/x.xyz" "no-such-solid -o $folder/x.obj" "solid-csg -o $folder/x.obj"; do
        # shellcheck disable=SC2086 # several arguments
        "$VOXPHYS_BUILD/bin/voxphys-peer" hacd $wrong >"$folder/told" 2>"$folder/err" </dev/null
        code=$?
        check "voxphys-peer hacd $wrong: exit code $code, not 2; and nothing is told" test "$code" -eq 2 -a -s "$folder/err"
    done
fi

finish
