#!/bin/bash
# SPDX-License-Identifier: MIT
# trees.sh LIBRARIES PROGRAM...: the benchmarks of the trees of LIBRARIES ("embree bullet", one of them, or "none"). Those that
# bench.publish ran agree with the reference, and their rows have the required figures.
# shellcheck disable=SC2016 # jq's variables begin with a dollar too
set -uo pipefail
read -ra libraries <<<"${1/#none/}"
bench=("${@:2}")
. "$VOXPHYS_SOURCE/tests/bench/check.bash"

# ---- names ----

"${bench[@]}" --benchmark_list_tests --benchmark_filter='^kd_.*/peer-' >"$folder/names" 2>"$folder/err" </dev/null
if [[ ${#libraries[@]} -eq 0 ]]; then
    check "no library is built in, none is listed" grep -q 'no benchmark matches' "$folder/err"
    echo "no tree of another library is built in; $failures failures"
    [[ $failures -eq 0 ]]
    exit
fi
for library in "${libraries[@]}"; do
    listed "kd_build/peer-$library.*/chunks" "kd_ray/peer-$library.*/world-230k/mixed" "kd_ray_any/peer-$library.*/chunks/cold"
done

# ---- rows ----

published '^kd_.*/peer-'
holds "every name has a row" "length == $(wc -l <"$folder/names")"
holds "no row has an error" '[.[] | select(.error_occurred)] == []'
holds "labels name the unit, the agreement, the library and whom it favours" 'all(.[]; .label
    | test("^(rays|triangles) hits(=equal|( differ: [0-9]+ of [0-9]+ .*)); .*For it: .*against it: ")
      or test("^queries sets=(equal|larger); .*For it: .*against it: "))'
holds "items are all rays and boxes of the set" 'map(select(part(0) != "kd_build"))
    | all(.[]; .items_per_second * .cpu_time / 1e9 / 4096 | . > 0.999999 and . < 1.000001)'
holds "builds of the same meshes have the same triangles, two a quad" 'map(select(part(0) == "kd_build"))
    | group_by(part(2)) | all(.[]; map(.items_per_second * .cpu_time / 2e9 | round) | unique | length == 1)'
holds "rays and builds count their differences, and each kind of them is in the label if there are any" '
    map(select(part(0) | test("^kd_(ray|build)"))) | all(.[]; .hits > 0 and .hits_moved + .hits_gained < 20
        and (.label as $text | [[.hits_lost, "lost"], [.hits_gained, "gained"], [.hits_moved, "moved"],
             [.hits_neighbour, "of a neighbour"], [.hits_at_origin, "at their origin left out"]]
            | all(.[]; . as $pair | ($text | contains("\($pair[0]) of 4096 \($pair[1])") or contains(", \($pair[0]) \($pair[1])"))
                                    == ($pair[0] != 0))))'
holds "what the reference hits is the same for all" 'map(select(part(0) | test("^kd_ray")))
    | group_by([part(2), part(3)]) | all(.[]; map(.hits) | unique | length == 1)'
holds "boxes have the same triangles by all, and leaves no fewer" 'map(select(part(0) | test("^kd_gather")))
    | group_by([part(2), part(3)]) | all(.[]; (map(select(part(0) == "kd_gather").triangles_per_query) | unique) as $exact
        | ($exact | length) == 1 and all(.[]; .triangles_per_query >= $exact[0] and .triangles_per_query < 2 * $exact[0]))'
# Bullet has one triangle per leaf, so nearly two nodes per triangle, of 64 or 16 bytes. The order of Embree's sizes is known. Builds of
# low quality waste memory, quads have half as many leaves, and compact leaves have no vertices.
holds "trees take the bytes that are known of them" 'map(select(part(0) == "kd_build")) | all(.[]; .bytes_per_triangle as $bytes
    | part(1) | if . == "peer-bullet" then $bytes > 124 and $bytes < 136
                elif . == "peer-bullet-quantized" then $bytes > 31 and $bytes < 40 else $bytes > 15 and $bytes < 200 end)'
if [[ " ${libraries[*]} " == *" embree "* ]]; then
    holds "each of Embree's trees is the one that its name says" '[.[] | select(part(0) == "kd_build")] | group_by(part(2)) | all(.[];
        (map({key: (part(1) | ltrimstr("peer-embree-")), value: .bytes_per_triangle}) | from_entries) as $of
        | $of["low-quads"] < $of.low and $of["medium-quads"] < $of.medium and $of["medium-quads-compact"] < $of["medium-quads"]
          and $of.medium < $of.low and $of.high != $of.medium)'
fi

finish
