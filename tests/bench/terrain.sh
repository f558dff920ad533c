#!/bin/bash
# SPDX-License-Identifier: MIT
# terrain.sh LIBRARIES PROGRAM...: the benchmarks of whole terrains and of their edits, by voxphys and by LIBRARIES ("embree bullet", one
# of them, or "none"). Those that bench.publish ran agree with the reference, and their rows have the required figures.
# shellcheck disable=SC2016 # jq's variables begin with a dollar too
set -uo pipefail
read -ra libraries <<<"${1/#none/}"
bench=("${@:2}")
. "$VOXPHYS_SOURCE/tests/bench/check.bash"

# ---- names ----

filter='^(terrain_ray.*/(.*-(object|pinned|budget)|peer-)|terrain_gather/peer|terrain_prepare|edit_to_ray)'
"${bench[@]}" --benchmark_list_tests --benchmark_filter="$filter" >"$folder/names" 2>"$folder/err" </dev/null
listed terrain_ray/scalar-object/world-230k/coherent terrain_prepare/scalar/world-luanti/threads-1 edit_to_ray/scalar/{voxel,brush8,chunk} edit_to_ray/scalar-parts/voxel
for isa in $(voxphys info --json | jq -r '.isas[] | select(.usable and .via == "native" and .name != "scalar") | .name'); do
    listed "terrain_ray/$isa-pinned/world-230k/incoherent" "terrain_ray/$isa-budget-"{1,16,256}MiB{,-many}/terrain-dram/wander "edit_to_ray/$isa/chunk"
done
for library in "${libraries[@]}"; do
    listed "terrain_ray/peer-$library.*/world-luanti/mixed" "edit_to_ray/peer-$library.*/voxel"
done

# ---- rows ----

published "$filter"
kinds=1 # of edits
[[ -z $VOXPHYS_DEEP ]] || kinds=3
holds "every name has a row" "length == $(wc -l <"$folder/names")"
holds "no row has an error" '[.[] | select(.error_occurred)] == []'
holds "rays are all of the set, cold ones one in 16, and wandering ones 65536" 'of("^terrain_ray") | all(.[]; . as $row
    | (if $row.name | test("/wander") then 65536 elif $row.name | test("/cold$") then 256 else 4096 end) as $rays
    | ($row.items_per_second * (if $row.name | test("/threads-") then $row.real_time else $row.cpu_time end) / 1e9 / $rays)
    | if $row.name | test("/threads-") then . > 0.99 else . > 0.999999 and . < 1.000001 end)'
holds "ours have the digest of the same rays by everybody" 'of("^terrain_ray/[^p]") | of("-(object|pinned|budget)") | group_by([part(2), part(3), part(4) == "cold"])
    | all(.[]; map(.label[-23:]) | unique | length == 1 and (.[0] | test("^digest=[0-9a-f]{16}$")))'
holds "cold ones make chunks" 'of("^terrain_ray/[^p].*/cold$") | length >= 2 and all(.[]; .chunks_built > 0 and .kept_bytes > 0)'
holds "labels say what is in it" 'of("^terrain_ray.*/cold$|^terrain_prepare|^edit_to_ray") | of("^[^/]*/[^/]*-parts/") as $parts | . - $parts
    | length >= 6 and all(.[]; .label | test("[;(] ?in it: "))'
holds "peers tell whom the comparison favours" 'of("/peer-") | all(.[]; .label | test("For it: .*against it: "))'
holds "chunks prepared are as many by all, and take the same bytes" 'of("^terrain_prepare") | group_by(part(2))
    | all(.[]; (map(.kept_bytes) | unique | length == 1) and (map(.chunks_built) | unique | length == 1) and .[0].kept_bytes > 100000)'
holds "nothing is kept above a budget, and what is not kept is made anew" 'of("-budget-[^/]*/[^/]*/[^/]*$") | all(.[];
    (.name | capture("-budget-(?<n>[0-9]+)MiB").n | tonumber * 1048576) as $budget
    | .kept_bytes <= .most_bytes and .most_bytes <= $budget and .most_bytes <= .peak_bytes and .misses_per_run == .built_per_run
      and .hits_per_run > (if .name | test("-many/") then 10000 else 30000 end) and .built_per_run >= .evictions_per_run)
    and (of("-budget-1MiB") | all(.[]; .evictions_per_run > 0)) and (of("-budget-256MiB") | all(.[]; .built_per_run < 10 and .evictions_per_run == 0))'
holds "edits are 4096 a round" 'of("^edit_to_ray") | all(.[]; .items_per_second * .cpu_time / 1e9 / 4096 | . > 0.999999 and . < 1.000001)'
holds "edits of one kind have one digest by all of ours" 'of("^edit_to_ray/[^p][^/]*/") - of("-parts/") | group_by(part(2))
    | length == '"$kinds"' and all(.[]; map(.label[-23:]) | unique | length == 1 and (.[0] | test("^digest=[0-9a-f]{16}$")))'
holds "an edit drops chunks, and as many are made again" 'of("^edit_to_ray/[^p]") | all(.[]; .dropped_per_edit > 1 and .dropped_per_edit < 8
    and (.built_per_edit / .dropped_per_edit | . > 0.95 and . < 1.3))'
holds "parts are told" 'of("-parts/") | all(.[]; .edit_ns > 0 and .voxels_ns > 0 and .top_ns > 0 and .mesh_ns > 0 and .tree_ns > 0
    and .ray_ns > 0)'
holds "what libraries are asked after an edit hits something, and what they lose is counted" 'of("^edit_to_ray/peer-") | all(.[];
    .hits > 3500 and .hits_lost + .hits_gained + .hits_moved + .hits_neighbour < 20 and .triangles_per_mesh > 20)
    and (group_by(part(2)) | all(.[]; map(.hits) | unique | length == 1))'

finish
