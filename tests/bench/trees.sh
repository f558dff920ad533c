#!/bin/bash
# SPDX-License-Identifier: MIT
# trees.sh LIBRARIES PROGRAM...: the benchmarks of other libraries' trees, of which LIBRARIES ("embree bullet", or less, or "none") are built
# in. Each is run once on small data: it agrees with the reference, and its row says what it must.
set -uo pipefail
read -ra libraries <<<"${1/#none/}"
bench=("${@:2}")
. "$VOXPHYS_SOURCE/tests/bench/check.bash"
. "$VOXPHYS_SOURCE/tests/bench/small.bash"

# holds WHAT FILTER: of all rows; part(i) is what a row has in place i of its name
holds()
{
    check "$1" jq -e "def part(i): .name / \"/\" | .[i]; .benchmarks | $2" "$folder/rows.json"
}

# ---- names ----

"${bench[@]}" --benchmark_list_tests --benchmark_filter='^kd_.*/peer-' >"$folder/names" 2>"$folder/err" </dev/null
if [[ ${#libraries[@]} -eq 0 ]]; then
    check "no library is built in, none is listed" grep -q 'no benchmark matches' "$folder/err"
    echo "no tree of another library is built in; $failures failures"
    [[ $failures -eq 0 ]]
    exit
fi
for library in "${libraries[@]}"; do
    if [[ $library == embree ]]; then
        peers=(embree-low embree-medium embree-high embree-low-quads embree-medium-quads)
        for question in kd_build/X/chunks kd_ray/X/world-230k/coherent; do
            check "a compact one is listed" grep -qx "${question/X/peer-embree-medium-quads-compact}" "$folder/names"
        done
        questions=(kd_build/X/chunks kd_build/X/chunks-luanti kd_build/X/world-230k kd_build/X/world-luanti
            kd_ray/X/chunks/coherent kd_ray/X/chunks/cold kd_ray/X/world-230k/coherent kd_ray/X/world-230k/incoherent
            kd_ray/X/world-luanti/mixed kd_ray_any/X/world-230k/incoherent kd_ray8/X/chunks/coherent
            kd_ray16/X/chunks/coherent kd_ray16/X/world-230k/incoherent)
    else
        peers=(bullet bullet-quantized)
        questions=(kd_build/X/chunks kd_build/X/world-luanti kd_ray/X/chunks/coherent kd_ray/X/chunks/cold
            kd_ray/X/world-230k/mixed kd_ray_any/X/chunks/cold kd_gather/X/chunks/box-1.5 kd_gather/X/chunks/box-6
            kd_gather/X/world-230k/box-6 kd_gather_leaves/X/chunks/box-1.5)
    fi
    for peer in "${peers[@]}"; do
        for question in "${questions[@]}"; do
            check "${question/X/peer-$peer} is listed" grep -qx "${question/X/peer-$peer}" "$folder/names"
        done
    done
done

# ---- rows ----

small_sets "$folder/data" || exit 1
VOXPHYS_DATA=$folder/data "${bench[@]}" --benchmark_filter='^kd_.*/peer-' --benchmark_min_time=0.000001 \
    --benchmark_out="$folder/rows.json" --benchmark_out_format=json >"$folder/out" 2>&1 </dev/null
code=$?
check "exit code $code, not 0: $(tail -n 5 "$folder/out")" test "$code" -eq 0
holds "every name has a row" "length == $(wc -l <"$folder/names")"
holds "no row has an error" '[.[] | select(.error_occurred)] == []'
holds "labels name the unit, the agreement, the library and whom it favours" 'all(.[]; .label
    | test("^(rays|triangles) hits(=equal|( differ: [0-9]+ of [0-9]+ .*)); .*For it: .*against it: ")
      or test("^queries sets=(equal|larger); .*For it: .*against it: "))'
holds "items are all rays and boxes of the set" 'map(select(part(0) != "kd_build"))
    | all(.[]; .items_per_second * .cpu_time / 1e9 / 4096 | . > 0.999999 and . < 1.000001)'
holds "builds of the same meshes have the same triangles, two a quad" 'map(select(part(0) == "kd_build"))
    | group_by(part(2)) | all(.[]; map(.items_per_second * .cpu_time / 2e9 | round) | unique | length == 1)'
# shellcheck disable=SC2016 # variables are jq's, here and below
holds "rays and builds count their differences, and each kind of them is in the label if there are any" '
    map(select(part(0) | test("^kd_(ray|build)"))) | all(.[]; .hits > 0 and .hits_moved + .hits_gained < 20
        and (.label as $text | [[.hits_lost, "lost"], [.hits_gained, "gained"], [.hits_moved, "moved"],
             [.hits_neighbour, "of a neighbour"], [.hits_at_origin, "at their origin left out"]]
            | all(.[]; . as $pair | ($text | contains("\($pair[0]) of 4096 \($pair[1])") or contains(", \($pair[0]) \($pair[1])"))
                                    == ($pair[0] != 0))))'
holds "what the reference hits is the same for all" 'map(select(part(0) | test("^kd_ray")))
    | group_by([part(2), part(3)]) | all(.[]; map(.hits) | unique | length == 1)'
# shellcheck disable=SC2016
holds "boxes have the same triangles by all, and leaves no fewer" 'map(select(part(0) | test("^kd_gather")))
    | group_by([part(2), part(3)]) | all(.[]; (map(select(part(0) == "kd_gather").triangles_per_query) | unique) as $exact
        | ($exact | length) == 1 and all(.[]; .triangles_per_query >= $exact[0] and .triangles_per_query < 2 * $exact[0]))'
# Bullet has one triangle a leaf, so nearly two nodes a triangle, of 64 or 16 bytes. Of Embree's trees it is known which is larger:
# builds of low quality waste, quads have half as many leaves, compact leaves have no vertices.
# shellcheck disable=SC2016
holds "trees take the bytes that are known of them" 'map(select(part(0) == "kd_build")) | all(.[]; .bytes_per_triangle as $bytes
    | part(1) | if . == "peer-bullet" then $bytes > 124 and $bytes < 136
                elif . == "peer-bullet-quantized" then $bytes > 31 and $bytes < 40 else $bytes > 15 and $bytes < 200 end)'
if [[ " ${libraries[*]} " == *" embree "* ]]; then
    # shellcheck disable=SC2016
    holds "each of Embree's trees is the one that its name says" '[.[] | select(part(0) == "kd_build")] | group_by(part(2)) | all(.[];
        (map({key: (part(1) | ltrimstr("peer-embree-")), value: .bytes_per_triangle}) | from_entries) as $of
        | $of["low-quads"] < $of.low and $of["medium-quads"] < $of.medium and $of["medium-quads-compact"] < $of["medium-quads"]
          and $of.medium < $of.low and $of.high != $of.medium)'
fi

echo "$(wc -l <"$folder/names") benchmarks, $failures failures"
[[ $failures -eq 0 ]]
