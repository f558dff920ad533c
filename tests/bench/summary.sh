#!/bin/bash
# SPDX-License-Identifier: MIT
# bench/summary prints ten figures of a small results.json. Its numbers are round, so that the expected lines are
# written by hand.
# shellcheck source-path=SCRIPTDIR/../cli
# shellcheck disable=SC2016 # jq's variables begin with a dollar too
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

summary() # STATUS FILE...: checks the exit status, sets out, err
{
    run_as "bench/summary ${*:2}" "$VOXPHYS_SOURCE/bench/summary" "${@:2}"
    expect_status "$1"
}
expect_line() # WHAT REST: the line that begins with WHAT, blanks squeezed
{
    expect_equal "the line of $1" "$(grep "^$1 " "$scratch/out" | sed "s/^$1 *//" | tr -s ' ')" "$2"
}

# NAME VIA ISA MEDIAN SPEED_UP COUNTERS of each row. A row from a separate file has the file's name in front.
jq --null-input --raw-input '{format: "voxphys-results", official: true, unofficial_because: [], declared_unofficial: null,
    machine: {name: "made-up", cpu: {model: "Made Up"}}, noise: {score: 0.0123},
    rows: [inputs | select(. != "") | split(" ") | map(. as $word | try fromjson catch $word) | (if .[0] | endswith(".json") then . else ["bench.json"] + . end)
        | {file: .[0], name: .[1], kernel: (.[1] | split("/")[0]), via: .[2], isa: .[3], median_ns: .[4], speed_up: .[5],
           counters: (.[6] // {}), error: (if .[4] == null then "made up" else null end)}]}' >"$scratch/results.json" <<'ROWS'
dilate_world/scalar/terrain-dram native scalar 2000 1
dilate_world/avx2/terrain-dram native avx2 50 40
dilate_world/avx512/terrain-dram native avx512 40 50
dilate_world/neon-simde/terrain-dram simde neon 1 2000
stream_read/limit/terrain-dram limit null 30 null
limits.json dilate_world/avx512/terrain-dram native avx512 60 null
limits.json stream_read/limit/terrain-dram limit null 30 null
bench-clang.json dilate_world/scalar/terrain-dram native scalar 1 null
overlap_boxes/avx2/terrain-l3/boxes-small native avx2 15.5 3.456
overlap_boxes/avx2/terrain-l3/boxes-medium native avx2 99 9
mesh_chunk/avx512/terrain-l3 native avx512 1600 123.4
kd_build/avx512/chunks native avx512 1 99
kd_build/avx512-create/chunks native avx512 12.5 2
kd_build/peer-embree-low/chunks peer null 100 null {"bytes_per_triangle":100,"mesh_bytes_per_triangle":20}
kd_build/peer-embree-low-quads/chunks peer null 75 null {"bytes_per_triangle":30,"mesh_bytes_per_triangle":18}
kd_build/peer-bullet/chunks peer null 200 null {"bytes_per_triangle":40,"mesh_bytes_per_triangle":20}
kd_build/avx512-create-packed/chunks native avx512 20 1.5 {"bytes_per_triangle":12}
terrain_ray/avx512/world-230k/coherent native avx512 200 8
terrain_ray/avx512-object/world-230k/coherent/cold native avx512 1 8
terrain_ray/peer-embree-medium/world-230k/coherent peer null 100 null
terrain_ray/peer-embree-medium/world-230k/coherent/cold peer null 1 null
terrain_ray16/avx512/world-230k/coherent native avx512 40 30
kd_gather/avx512/chunks/box-1.5 native avx512 1000000 3
kd_gather/peer-bullet/chunks/box-1.5 peer null null null
edit_to_ray/avx512/voxel native avx512 999.6 4
edit_to_ray/peer-embree-low/voxel peer null 1999.2 null
hull3/avx512/ball/10000 native avx512 250000 7
hull3/peer-qhull/ball/10000 peer null 2500000 null {"faults":0}
hull3/peer-bullet/ball/10000 peer null 10 null {"faults":3}
hull3/peer-cgal/ball/10000 peer null 5 null {"faulty":1}
ROWS

summary 0 "$scratch/results.json"
expect_empty "stderr" "$err"
expect_equal "lines" "$(wc -l <"$scratch/out")" 12
expect_equal "the first line" "$(head -n 1 "$scratch/out")" "Made Up, one thread, medians; noise 1.23 %"
expect_line "world build in DRAM" "40.0 ns/chunk avx512 50.0× plain C; 0.50 of the memory's read stream"
expect_line "overlap, batch of boxes" "15.5 ns/box avx2 3.46× plain C"
expect_line "mesher" "1.60 µs/chunk avx512 123× plain C"
expect_line "tree build" "12.5 ns/triangle avx512 6.00× Embree low-quads"
expect_line "terrain ray" "200 ns/ray avx512 0.50× Embree medium"
expect_line "terrain ray, packet of 16" "40.0 ns/ray avx512 30.0× plain C; Embree not measured"
expect_line "box gather" "1.00 ms/box avx512 3.00× plain C; Bullet not measured"
expect_line "edit of a voxel to ray" "1.00 µs/edit avx512 2.00× Embree low; Bullet not measured"
expect_line "mesh and tree, packed" "12.0 bytes/triangle avx512 0.25 of the bytes of Embree low-quads"
expect_line "hull of a ball of 10,000" "250 µs/hull avx512 10.0× Qhull"
# Results published under a kernel's retired name give the same lines.
told=$out
jq -r 'to_entries[] | if .key | contains("-") then (.value / "/") as [$who, $parameter] | "s,/\($who)/\\([^\"]*\\)/\($parameter)\",/\(.key)/\\1\","
    else "s/\\b\(.value)\\b/\(.key)/g" end' "$VOXPHYS_SOURCE/datasets/retired-names.json" >"$scratch/names.sed"
sed -f "$scratch/names.sed" "$scratch/results.json" >"$scratch/other.json"
expect_equal "names that are retired" "$(grep -c . "$scratch/names.sed")" "$(jq length "$VOXPHYS_SOURCE/datasets/retired-names.json")"
cmp -s "$scratch/results.json" "$scratch/other.json" && fail "no row has an old name"
summary 0 "$scratch/other.json"
expect_equal "figures of old results" "$out" "$told"
summary 0 "$scratch"
expect_line "hull of a ball of 10,000" "250 µs/hull avx512 10.0× Qhull"

# The run's own memory streams count if none was measured separately. An unofficial run is marked.
jq '.rows |= map(select(.file == "bench.json")) | .official = false | .declared_unofficial = "a quick run" | .noise.score = null' \
    "$scratch/results.json" >"$scratch/quick.json"
summary 0 "$scratch/quick.json"
expect_line "world build in DRAM" "40.0 ns/chunk avx512 50.0× plain C; 0.75 of the memory's read stream"
expect_equal "the first line" "$(head -n 1 "$scratch/out")" "Made Up, one thread, medians; unofficial: a quick run"

# Only the library's own rows, without limits, by the reference and avx512.
jq '.rows |= map(select(.isa == "scalar" or (.isa == "avx512" and .kernel != "dilate_world")))' "$scratch/quick.json" >"$scratch/alone.json"
summary 0 "$scratch/alone.json"
expect_line "world build in DRAM" "2.00 µs/chunk scalar 1.00× plain C; read stream not measured"
expect_line "tree build" "12.5 ns/triangle avx512 2.00× plain C; Embree, Bullet not measured"
expect_line "mesh and tree, packed" "12.0 bytes/triangle avx512 Embree, Bullet not measured"
expect_line "hull of a ball of 10,000" "250 µs/hull avx512 7.00× plain C; Qhull not measured"

jq '.rows = []' "$scratch/results.json" >"$scratch/none.json"
summary 0 "$scratch/none.json"
expect_equal "lines of nothing" "$(grep -c 'not measured$' "$scratch/out")" 10
# A refused benchmark, one without its counters, and unknown figures.
jq '(.rows[] | select(.kernel == "mesh_chunk")) |= (.median_ns = null | .error = "answers differ")
    | (.rows[] | select(.name | test("-packed/"))).counters = {} | (.rows[] | select(.kernel == "overlap_boxes")).speed_up = null' \
    "$scratch/results.json" >"$scratch/less.json"
summary 0 "$scratch/less.json"
expect_line "mesher" "refused: answers differ"
expect_line "mesh and tree, packed" "not measured"
expect_line "overlap, batch of boxes" "15.5 ns/box avx2 plain C not measured"

# ---- mistakes ----
echo '{}' >"$scratch/other.json"
for file in "$scratch/absent.json" "$scratch/other.json" /dev/null ""; do
    summary 2 "$file"
    expect_in "the message" "$err" "bench/summary: $file is no results.json that can be read"
done
# Values of a wrong type, and files that are not regular. Only the message is printed.
for filter in '.rows = [1]' '.rows[0].name = 5' '.rows[0] = {}' '.rows[].median_ns |= "1"' '.rows[].median_ns |= 0' '.rows[].counters = "x"' \
    '.machine.cpu = "x"' '.noise = "x"' '.official = false | .unofficial_because = "x"' '., .'; do
    jq "$filter" "$scratch/results.json" >"$scratch/other.json"
    summary 2 "$scratch/other.json"
    expect_empty "stdout" "$out"
    expect_equal "the message" "$err" "bench/summary: $scratch/other.json is no results.json that can be read"
done
mkfifo "$scratch/pipe"
run_as "bench/summary of a pipe" timeout 10 "$VOXPHYS_SOURCE/bench/summary" "$scratch/pipe"
expect_status 2
# Control characters of the file do not reach the terminal.
jq '.machine.cpu.model = "a\u001b[2Jb\nc" | .rows[].error = "d\u001be" | .rows[].median_ns = null' "$scratch/results.json" >"$scratch/other.json"
summary 0 "$scratch/other.json"
expect_equal "lines" "$(wc -l <"$scratch/out")" 12
expect_equal "control characters" "$(tr -d '\n' <"$scratch/out" | grep -c '[[:cntrl:]]')" 0
expect_in "the error" "$out" "refused: d?e"
summary 2
expect_in "the usage" "$err" "usage: bench/summary FILE"

finish
