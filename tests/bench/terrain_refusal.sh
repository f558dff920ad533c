#!/bin/bash
# SPDX-License-Identifier: MIT
# terrain_refusal.sh LIBRARIES PROGRAM...: voxphys-bench with terrain broken on purpose (broken_terrain.c) refuses it, before the
# time is taken and after, and says so by its exit code. LIBRARIES are those whose trees are built in, or "none".
set -uo pipefail
read -ra libraries <<<"${1/#none/}"
bench=("${@:2}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
. "$VOXPHYS_SOURCE/tests/bench/small.bash"
small_sets "$folder/data" || exit 1
export VOXPHYS_DATA=$folder/data

fail()
{
    echo "FAIL: $1" >&2
    failures=$((failures + 1))
}

# run NAME EXIT_CODE
run()
{
    rm -f "$folder/rows.json"
    "${bench[@]}" --benchmark_filter="^$1\$" --benchmark_min_time=0.000001 --benchmark_out="$folder/rows.json" \
        --benchmark_out_format=json >"$folder/out" 2>&1
    local code=$?
    if [[ $code -ne $2 ]]; then
        fail "$1: exit code $code, not $2: $(tail -n 5 "$folder/out")"
    fi
}

# refused WHAT MESSAGE
refused()
{
    if ! jq -e ".benchmarks | length >= 1 and all(.[]; .error_occurred and (.error_message | test(\"$2\"))
        and (has(\"items_per_second\") | not))" "$folder/rows.json" >/dev/null; then
        fail "$1: $(jq -c '.benchmarks[]' "$folder/rows.json" | head -n 2)"
    fi
}

# The reference is asked 4096 rays, then who is measured to be compared, once more, and then while the time is taken.
wrong='is wrong as the reference: ray 0 meets something else than by the kernels alone'
timed='gave other answers while it was timed'
name=terrain_ray/scalar-object/world-230k/coherent
run "$name" 0
BROKEN_TERRAIN=0 run "$name" 1
refused "$name, wrong from the first ray on" "the reference of terrain_cast $wrong"
for asked in 4096 8191; do
    BROKEN_TERRAIN=$asked run "$name" 1
    refused "$name, wrong from ray $asked on" "terrain_cast of scalar differs from the reference in [1-9][0-9]* of 4096 answers; the first is number $((asked % 4096))\$"
done
for asked in 12288 16383; do
    BROKEN_TERRAIN=$asked run "$name" 1
    refused "$name, wrong from ray $asked on" "terrain_cast of scalar $timed"
done
BROKEN_IDLE=1 BROKEN_TERRAIN=12288 run "$name" 1
refused "$name, idle while it is timed" "terrain_cast of scalar $timed"
# Of each 1024 rays 64.
cold=terrain_ray/scalar-cold/world-230k/incoherent
run "$cold" 0
BROKEN_TERRAIN=511 run "$cold" 1
refused "$cold, with one wrong answer" 'scalar differs from the reference in 1 of 256 answers; the first is number 255'
BROKEN_IDLE=1 BROKEN_TERRAIN=768 run "$cold" 1
refused "$cold, idle while it is timed" "scalar $timed"

prepare=terrain_prepare/scalar/world-230k/threads-1
run "$prepare" 0
for times in 0 1 2; do # the reference, who is measured to be compared, and once more
    BROKEN_PREPARE=$times run "$prepare" 1
    refused "$prepare, done $times times and no more" '(^|: )0 triangles were prepared, not [1-9][0-9]*'
done
# Of the reference rays are asked by the judge and for its records.
BROKEN_TERRAIN=0 run "$prepare" 1
refused "$prepare, with a wrong tree the first time" 'the reference of terrain_prepare is wrong as the reference: ray 2048 meets'
BROKEN_TERRAIN=2 run "$prepare" 1
refused "$prepare, with a wrong tree when it is compared" 'scalar differs from the reference in 1 of 4096 answers; the first is number 2048'
BROKEN_TERRAIN=3 run "$prepare" 1
refused "$prepare, with a wrong tree when it is timed" "scalar $timed"

# What only the best instruction sets have: the first of them, if there is one.
"${bench[@]}" --benchmark_list_tests --benchmark_filter='^terrain_ray/.*(-budget-1MiB/|-pinned/world-230k/coherent|/threads-1)' \
    >"$folder/names" 2>/dev/null
budget=$(grep -m 1 budget "$folder/names")
pinned=$(grep -m 1 pinned "$folder/names")
many=$(grep -m 1 -- '-object/world-230k/coherent/threads-1' "$folder/names")
if [[ -n $budget ]]; then
    run "$budget" 0
    BROKEN_STATS=1 run "$budget" 1
    refused "$budget, above its budget" '1048577 bytes were kept, and the budget is 1048576'
    # The reference and who is compared have four rounds before the one that counts.
    BROKEN_TERRAIN=$((10 * 65536)) run "$budget" 1
    refused "$budget, wrong while it is timed" "$timed"
    BROKEN_TERRAIN=12288 run "$pinned" 1
    refused "$pinned, wrong while it is timed" "$timed"
    BROKEN_TERRAIN=0 run "$many" 1
    refused "$many, wrong in the first call" 'is wrong as the reference: ray 2048 meets'
    BROKEN_TERRAIN=1 run "$many" 1
    refused "$many, wrong in the second call" 'differs from the reference in 1 of 4096 answers; the first is number 2048'
    BROKEN_TERRAIN=2 run "$many" 1
    refused "$many, wrong in the third call" "$timed"
    BROKEN_IDLE=1 BROKEN_TERRAIN=3 run "$many" 1
    refused "$many, idle while it is timed" "$timed"
fi

# Two rounds of 4096 edits for the reference, and for who is compared; and one before the time is taken.
for edit in voxel brush8 chunk; do
    BROKEN_EDITS=20480 run edit_to_ray/scalar/$edit 1
    refused "$edit, without edits while they are timed" "edit_to_ray of scalar $timed"
done
name=edit_to_ray/scalar/voxel
run "$name" 0
BROKEN_EDITS=4096 run "$name" 1
refused "$name, without the edits of the second round" 'is wrong as the reference: the ray of edit [0-9]+ meets something else than by brute force'
BROKEN_EDITS=12288 run "$name" 1
refused "$name, without the edits when it is compared" 'scalar differs from the reference in [1-9][0-9]* of 4096 answers'
BROKEN_TERRAIN=20480 run "$name" 1
refused "$name, wrong while it is timed" "$timed"
BROKEN_IDLE=1 BROKEN_TERRAIN=20480 run "$name" 1
refused "$name, asking nothing while it is timed" "$timed"
BROKEN_TERRAIN=20480 run edit_to_ray/scalar-parts/voxel 1
refused "parts, wrong while they are timed" "$timed"

for library in "${libraries[@]}"; do
    peer=bullet
    if [[ $library == embree ]]; then
        peer=embree-medium-quads
    fi
    name=edit_to_ray/peer-$peer/brush8
    run "$name" 0
    BROKEN_TREE=lost run "$name" 1
    refused "$name, losing many rays" 'too many rays behind edits .brush8. differ by .*: hits differ: [0-9]+ of 4096 lost'
    BROKEN_TREE=moved run "$name" 1
    refused "$name, with hits too far away" 'hits differ: .*[0-9]+ (of 4096 )?moved'
    BROKEN_TREE=next run "$name" 1
    refused "$name, with the numbers of other triangles" 'hits differ: .*[0-9]+ (of 4096 )?of a neighbour'
    for rays in 0 4096; do
        BROKEN_RUNS=$rays run "$name" 1
        refused "$name, idle from edit $rays on" 'hits differ: '
    done
    peer=bullet
    if [[ $library == embree ]]; then
        peer=embree-medium
    fi
    name=terrain_ray/peer-$peer-cold/world-230k/coherent
    run "$name" 0
    BROKEN_TREE=moved run "$name" 1
    refused "$name, with hits too far away" 'hits differ: [0-9]+ of 256 moved'
    for runs in 0 1; do
        BROKEN_RUNS=$runs run "$name" 1
        refused "$name, asking $runs times and no more" 'hits differ: '
    done
    BROKEN_TREE=moved run "terrain_ray/peer-$peer/world-230k/coherent" 1
    refused "terrain_ray by $peer, with hits too far away" 'hits differ: .*[0-9]+ (of 4096 )?moved'
done

echo "libraries: ${libraries[*]-none}; $failures failures"
[[ $failures -eq 0 ]]
