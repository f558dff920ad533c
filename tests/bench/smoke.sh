#!/bin/bash
# SPDX-License-Identifier: MIT
# smoke.sh PROGRAM...: names, units, digests and exit codes of voxphys-bench. PROGRAM is voxphys-bench, with its emulator if any.
# shellcheck disable=SC2016 # jq's variables begin with a dollar too
set -uo pipefail
bench=("$@")
. "$VOXPHYS_SOURCE/tests/bench/check.bash"

# ---- names ----

exit_code 0 --benchmark_list_tests
cp "$folder/out" "$folder/names"
check "names are KERNEL/WHO/DATASET[/PARAMETER]; others: $(grep -vE '^([a-z0-9_]+(/[a-zA-Z0-9.-]+){2,4}|nop/floor)$' "$folder/names")" \
    test -z "$(grep -vE '^([a-z0-9_]+(/[a-zA-Z0-9.-]+){2,4}|nop/floor)$' "$folder/names")"
check "no name occurs twice" test -z "$(sort "$folder/names" | uniq -d)"
listed dilate_{chunk,world}{,_rows}/scalar/{terrain-l2,terrain-l3,terrain-dram,all-mixed,luanti} overlap_{box,boxes,chunks}/scalar/terrain-l3/boxes-{small,medium,large} \
    stream_read/limit/terrain-{l2,l3,dram} build_world/scalar/terrain-l3/threads-1

# ---- figures ----

measure '/sparse$|overlap_.*/terrain-l2/boxes-small$|dilate_chunk.*/terrain-l2$|stream_.*-l2$|nop'
holds "there are rows, without an error" 'length > 10 and all(.[]; (.error_occurred | not) and .items_per_second > 0)'
holds "labels name the unit and the digest" 'all(.[]; .label | test("^(chunks|queries) digest=[0-9a-f]{16}$|^chunks masks=equal; |^calls$"))'
holds "contenders of one kernel on one data set have one digest" '[.[] | select(.label | test("digest=")) | (.name / "/") as $n | {key: ([$n[0]] + $n[2:]), label: .label}]
    | group_by(.key) | all(.[]; map(.label) | unique | length == 1)'
holds "constructions tell their memory, at most 2 bits a voxel for masks" '[.[] | select((.name | startswith("dilate_")) and (.name | contains("/peer-") | not))]
    | length > 2 and all(.[]; .bits_per_voxel > 0 and .bits_per_voxel <= 2 and .bits_per_voxel_total > .bits_per_voxel)'
check "the context tells version, compiler, build and instruction sets" jq -e '.context
    | .voxphys_version and .voxphys_compiler and .voxphys_build_type and (.voxphys_isas | startswith("scalar")) and .cpu_model' "$folder/rows.json"

# Items per second times the seconds of an iteration are the items of an iteration. Their number is known. Both worlds have 8 x 8 x 8
# chunks, and a box set has 65536 boxes.
holds "items are all chunks of the world and all boxes of the set" '[.[] | select((.name | test("^build_world")) | not)]
    | length > 10 and all(.[]; (if .name == "nop/floor" then 1 elif (.name | startswith("overlap_")) then 65536 else 512 end) as $items
        | .time_unit == "ns" and ((.items_per_second * .cpu_time / 1e9 / $items - 1) | fabs) < 1e-6)'
digest=$(jq -r '[.benchmarks[] | select(.name == "dilate_world/scalar/sparse")][0].label[-16:]' "$folder/rows.json")
verified=$(voxphys verify --kernel dilate_world --dataset sparse --isa scalar --json | jq -r '.checks[0].digest')
check "the digest is that of voxphys verify: $digest, $verified" test "$digest" = "$verified"

# build_world measures its time by the wall clock. The time is part of the iteration's, and other load changes the ratio. luanti has 32 x
# 16 x 32 chunks.
measure '^build_world/scalar/luanti/'
holds "a build's items are all chunks of the world" 'length >= 2 and all(.[]; .time_unit == "ns" and (.items_per_second * .real_time / 1e9 / 16384 | . > 0.99 and . < 3))'

# The rows count ghost contacts. The library's bodies on a terrain have none. A library without edge data has many.
measure '^manifold_(sphere|anchor)/'
holds "ours has no ghosts" '[.[] | select(.name | test("/scalar/")) | .ghosts] == [0, 0]'
holds "libraries miss no body, and have fewer ghosts with edges" 'of("/peer-") | . == [] or (group_by(part(0)) | length == 2 and all(.[]; all(.[]; .missed == 0) and .[0].ghosts > 20 and .[1].ghosts < 10))'

# The rows count wrong answers. The library has none. Bullet casts spheres rightly and has wrong normals for some boxes.
measure '^cast_sphere/|^collide_shapes/(scalar|peer-bullet)/poses-hard/box-box$'
holds "ours has no wrong pair and no wrong cast" 'of("/scalar/") | length == 2 and all(.[]; .missed + .invented + .wrong_sign + .off + .wrong_normal + .no_number + .wrong_points == 0)'
holds "a library's wrong answers are counted" 'of("/peer-") | . == [] or ([.[] | select(.wrong_normal > 10).faulty] == [1] and (of("cast_sphere")[0] | .missed + .invented <= 2))'

# A tree of the world's boxes stops as many paths as the kernel. Bullet's casts leave blocks in which they begin.
measure '^block_(sweep|ray)/(scalar|peer-.*)/planet/by-1$'
holds "a tree of boxes has the kernel's hits" 'group_by(part(0)) | all(.[]; [of("/(scalar|peer-bullet-dbvt)/")[].hits] | unique | length == 1)'
holds "a library's wrong paths are counted" 'of("/peer-") | . == [] or ([.[] | .faulty == (.missed + .invented + .off | if . > 100 then 1 else 0 end)] | all) and ([.[].faulty] | add) == 2'

VOXPHYS_COMMIT=0123abc "${bench[@]}" --benchmark_filter=nop --benchmark_min_time=0.0001 --benchmark_format=json \
    >"$folder/commit.json" 2>/dev/null
check "VOXPHYS_COMMIT goes into the context" jq -e '.context.voxphys_commit == "0123abc"' "$folder/commit.json"

# ---- mistakes ----

exit_code 2 --benchmark_filter=no-such-benchmark
check "a filter that matches nothing is told" grep -q 'no benchmark matches' "$folder/err"
exit_code 2 --benchmark_filter='('
exit_code 2 --no-such-option
check "the unknown option is named" grep -q -- '--no-such-option' "$folder/err"
exit_code 2 stray
exit_code 0 --help
check "the help names Google Benchmark's options" grep -q -- '--benchmark_filter' "$folder/out"

VOXPHYS_DATA=$folder exit_code 1 --benchmark_filter='dilate_world/scalar/sparse'
check "without data sets the reason is told" grep -q manifest.json "$folder/out" "$folder/err"

finish
