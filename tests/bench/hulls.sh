#!/bin/bash
# SPDX-License-Identifier: MIT
# hulls.sh PROGRAM...: verdicts of voxphys-bench on hulls, the sets each contender is measured on, and the real mesh. PROGRAM is
# voxphys-bench, with its emulator if any. No time is checked.
# shellcheck disable=SC2016 # jq's variables begin with a dollar too
set -uo pipefail
bench=("$@")
. "$VOXPHYS_SOURCE/tests/bench/check.bash"

# ---- verdicts ----

unset VOXPHYS_BENCH_MESHES
exit_code 0 --hulls=64
families=$(jq '[.. | objects | select(.kind? == "points")] | length' "$VOXPHYS_SOURCE/datasets/manifest.json")
check "16 and 64 points of each family, at three scales in two places" jq -e --argjson sets "$((families * 12))" \
    '.about.sets == $sets and ([.trials[] | select(.who == "voxphys")] | length) == $sets' "$folder/out"
check "as many trials of everybody" jq -e '.about as $about | [.trials | group_by(.who)[] | length] == [$about.who[] | $about.sets]' "$folder/out"
check "ours are all right" jq -e 'all(.trials[] | select(.who == "voxphys"); .outcome == "valid")' "$folder/out"
check "flat sets are there, and solids" jq -e '[.trials[].dimension] | unique == [0, 1, 2, 3]' "$folder/out"
check "what is right is not outside" jq -e \
    '.about.allowed_of_extent as $most | all(.trials[] | select(.outcome == "valid"); .outside_of_extent <= $most and (has("faults") | not))' "$folder/out"
check "what is faulty has faults" jq -e 'all(.trials[] | select(.outcome == "faulty"); .faults | length > 0)' "$folder/out"
for wrong in --hulls=0 --hulls= --hulls=10001 --hulls=-4 --hulls=16x --hullss; do
    exit_code 2 "$wrong"
done
exit_code 2 --hulls --benchmark_list_tests

# ---- contenders and sets ----

exit_code 0 --benchmark_list_tests
cp "$folder/out" "$folder/names"
check "the limit is there" grep -qx "hull3/limit/ball/1000000" "$folder/names"
check "no mesh is there" test -z "$(grep armadillo "$folder/names")"

# A library makes polygons on the sets of hull2's own rows.
peers=()
for peer in qhull cgal; do
    if grep -q "^hull2/peer-$peer/" "$folder/names"; then
        peers+=("$peer")
        check "polygons by $peer on the same sets as by the reference" test \
            "$(sed -n "s,^hull2/peer-$peer/,,p" "$folder/names" | sort)" = "$(sed -n 's,^hull2/scalar/,,p' "$folder/names" | sort)"
    fi
done

# Every row of hulls is in exactly one of the groups that the full run measures.
hulls=
large=
eval "$(grep -E '^(hulls|large)\+?=' "$VOXPHYS_SOURCE/bench/run")"
check "the run has both groups" test -n "$hulls" -a -n "$large"
check "each row of hulls is in one group" test -z "$(grep '^hull' "$folder/names" | grep -vE "$hulls|$large")"
check "no row of hulls is in two groups" test -z "$(grep -E "$hulls" "$folder/names" | grep -E "$large")"
check "rows of other kernels are in none" test -z "$(grep -v '^hull' "$folder/names" | grep -E "$hulls|$large")"

# ---- figures ----

measure '^hull3/(scalar|scalar-autovec|avx2|avx512|neon)/(ball/16|cube-grid-turned/10000|coplanar/100|one-point/100)$|^hull3/limit/ball/10000'
holds "no row has an error" '[.[] | select(.error_occurred)] == [] and length > 5'
holds "the turned grid has six faces and eight corners" '[of("/cube-grid-turned/")[] | [.faces, .corners]] | unique == [[6, 8]]'
holds "what a hull looks at is counted" 'all(.[] | select(.name | test("/limit/") | not);
    has("comparisons_per_point") and has("looks_per_point") and has("moves_per_point") and has("triangles_made"))'

# A library's polygons equal the reference's. On points in a plane Qhull refuses the two shadows that are segments.
if [[ ${#peers[@]} -ne 0 ]]; then
    measure '^hull2/peer-[^/]*/(ball/(16|1000)|coplanar/100)$'
    holds "each library has three rows without an error" '[.[] | select(.error_occurred)] == [] and length == $count' --argjson count "$((3 * ${#peers[@]}))"
    holds "balls have the reference's corners by all" 'of("/ball/") | length > 0 and all(.[];
        .corners >= 9 and .missing + .extra + .turned + .refused == 0 and (.label | startswith("polygons corners=equal; ")))'
    holds "they are the same for all libraries" 'of("/ball/") | group_by(part(3)) | all(.[]; map(.corners) | unique | length == 1)'
    holds "so are a plane's by CGAL, two of them segments" 'all(.[] | select(.name == "hull2/peer-cgal/coplanar/100");
        .corners >= 7 and .missing + .extra + .turned + .refused == 0)'
    holds "which Qhull refuses, as its row tells" 'all(.[] | select(.name == "hull2/peer-qhull/coplanar/100");
        .refused == 2 and (.label | startswith("polygons corners differ: 2 of 3 refused; ")))'
fi

# ---- the real mesh, replaced by as many copies of a cube's corners ----

{
    echo "OFF"
    echo "26002 1 0"
    awk 'BEGIN { for (i = 0; i < 26002; i++) print i % 2, int(i / 2) % 2, int(i / 4) % 2 }'
    echo "3 0 1 2"
} >"$folder/armadillo.off"
export VOXPHYS_BENCH_MESHES=$folder
measure '^hull3/scalar/armadillo/26002$'
holds "the mesh is that cube" '.[0] | .vertices == 8 and .faces == 6'
for damage in 's/^26002/26003/' 's/^OFF/PLY/' '17s/.*/1 x 1/' "20000,\$d"; do
    sed "$damage" "$folder/armadillo.off" >"$folder/damaged"
    check "$damage changes the mesh" test "$(cmp -s "$folder/damaged" "$folder/armadillo.off"; echo $?)" -eq 1
    mkdir -p "$folder/damaged-meshes"
    mv "$folder/damaged" "$folder/damaged-meshes/armadillo.off"
    export VOXPHYS_BENCH_MESHES=$folder/damaged-meshes
    exit_code 1 --benchmark_filter='^hull3/scalar/armadillo/26002$'
    check "the message names the file: $(cat "$folder/err" "$folder/out")" grep -q "armadillo.off" "$folder/err" "$folder/out"
done

finish
