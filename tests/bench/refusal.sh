#!/bin/bash
# SPDX-License-Identifier: MIT
# refusal.sh PEERS PROGRAM...: voxphys-bench with broken kernels and PEERS broken peers (broken.c, broken_peers.c). A broken one gets an
# error, no figure, and a failing exit code. The right ones are measured in the same run.
# shellcheck disable=SC2016 # jq's variables begin with a dollar too
set -uo pipefail
peers_built=$1
bench=("${@:2}")
. "$VOXPHYS_SOURCE/tests/bench/check.bash"

refused() # NAME MESSAGE: all rows are errors with this message
{
    measure "^$1\$" 1 --benchmark_repetitions=2
    holds "$1 is refused: $2" 'length >= 1 and all(.[]; .error_occurred and (.error_message | test($message)) and (has("items_per_second") | not))' \
        --arg message "$2"
}
measured() # NAME
{
    measure "^$1\$" 0 --benchmark_repetitions=2
    holds "$1 is measured" 'length >= 2 and all(.[]; .items_per_second > 0)'
}
later="gave other answers while it was timed"

measure '^dilate_world/scalar(-autovec)?/terrain-l2$' 1 --benchmark_repetitions=2
holds "the wrong construction is refused, with the number of wrong answers, every time" 'of("scalar-autovec") | length >= 1 and all(.[];
    .error_occurred and (.error_message | test("differs from the reference in 1 of 512 answers")) and (has("items_per_second") | not))'
holds "the right one beside it is measured" 'of("^dilate_world/scalar/") | length >= 2 and all(.[]; .items_per_second > 0)'
refused overlap_boxes/scalar-autovec/terrain-l2/boxes-small "$later"
measured dilate_world_rows/scalar-autovec/terrain-l2

# ---- answers that an earlier process compared ----

right=dilate_world/scalar/terrain-l2
measure "^$right\$" 0 --answers="$folder/answers"
sed -i 'p; s,/scalar/,/scalar-autovec/,' "$folder/answers"
measure '^dilate_world/scalar(-autovec)?/terrain-l2$' 1 --answers="$folder/answers"
holds "other answers than the kept ones are compared, and refused" 'of("scalar-autovec") | all(.[]; .error_message | test("differs from the reference in 1 of 512 answers"))'
holds "kept answers are right" 'of("^dilate_world/scalar/") | length == 1 and all(.[]; .items_per_second > 0 and (.label | endswith($kept)))' \
    --arg kept "digest=$(head -c 16 "$folder/answers")"
sed -i 's/^\([0-9a-f]*\) [0-9a-f]*/\1 0/' "$folder/answers"
measure "^$right\$" 0 --answers="$folder/answers"
holds "right answers whose kept digest differs are compared, and measured" 'all(.[]; .items_per_second > 0)'
kept=$(tail -n 1 "$folder/answers")
echo "01234567$kept" >"$folder/answers" # the beginning of a line that another process cut off
measure "^$right\$" 0 --answers="$folder/answers"
holds "a damaged line's digest is not shown" 'all(.[]; .items_per_second > 0 and (.label | endswith($kept)))' --arg kept "digest=${kept:0:16}"

# ---- a kernel that does nothing while it is timed ----

export BROKEN_IDLE=1
refused dilate_world/scalar-autovec/terrain-l2 "$later"
measured dilate_world_rows/scalar-autovec/terrain-l2
refused count_rule/scalar-autovec/thicket/steps "$later"
unset BROKEN_IDLE

# ---- whole broadphases, whole trees ----

measured build_world/scalar/luanti/threads-1
BROKEN_BUILD=0 refused build_world/scalar/luanti/threads-1 "build_world of scalar differs from the reference in 1 of [0-9]+ answers"
BROKEN_BUILD=1 refused build_world/scalar/luanti/threads-1 "build_world of scalar $later"

. "$VOXPHYS_SOURCE/tests/bench/small.bash"
small_sets "$folder/data" || exit 1
export VOXPHYS_DATA=$folder/data
name=kd_build/scalar-create/world-230k # a set of one tree
measured "$name"
# The scalar version is the reference, so only the measured runs are compared.
BROKEN_CREATE=0 refused kd_build/scalar-create/chunks "kd_create of scalar $later"
BROKEN_CREATE=1 refused "$name" "kd_create of scalar $later"
BROKEN_CREATE=1 BROKEN_IDLE=1 refused "$name" "kd_create of scalar $later"
unset VOXPHYS_DATA

# ---- peers ----

shortest=0.000001 # shorter than one iteration, so that no run searches for their number
export BROKEN_COUNTS=$folder/counts
mapfile -t peers < <("${bench[@]}" --benchmark_list_tests --benchmark_filter='^dilate_world/peer-.*/sparse$')
check "${#peers[@]} peers are listed, $peers_built are built in" test ${#peers[@]} -eq "$peers_built"
for name in "${peers[@]}"; do
    measured "$name"
    # One run is compared. The others are the iterations that the time is divided by.
    wanted=$(jq '1 + ([.benchmarks[] | select(.run_type == "iteration") | .iterations] | add)' "$folder/rows.json")
    check "$name: prepared and run $(cut -d" " -f-2 "$BROKEN_COUNTS") times, not $wanted and $wanted" \
        test "$(cut -d" " -f-2 "$BROKEN_COUNTS")" = "$wanted $wanted"
    for runs in 0 1; do # and then nothing
        BROKEN_RUNS=$runs refused "$name" "masks of [0-9]+ chunks of sparse by"
    done
done
# A long run that was right in an earlier process is judged after the measurement.
name=${peers[0]}
rm -f "$folder/answers"
measure "^$name\$" 0 --answers="$folder/answers"
sed -i -E 's/^([^ ]* [^ ]*) [^ ]*/\1 1/' "$folder/answers"
measure "^$name\$" 0 --answers="$folder/answers"
wanted=$(jq '[.benchmarks[] | select(.run_type == "iteration") | .iterations] | add' "$folder/rows.json")
check "$name: run $(cut -d" " -f1 "$BROKEN_COUNTS") times, not $wanted" test "$(cut -d" " -f1 "$BROKEN_COUNTS")" -eq "$wanted"
BROKEN_RUNS=0 measure "^$name\$" 1 --answers="$folder/answers"
holds "$name is refused after the measurement" 'all(.[]; .error_message | test("masks of [0-9]+ chunks of sparse by"))'

# Peers join two components, or move one cell into another. Their order of labels is free.
for name in components/peer-{itk,vigra}/blocks-random; do
    [[ -n $("${bench[@]}" --benchmark_list_tests --benchmark_filter="^$name\$" 2>/dev/null) ]] || continue
    BROKEN_LABELS=one refused "$name" "finds 4677 components in blocks-random, which has 4677; labels of [1-9][0-9]* cells differ"
    BROKEN_LABELS=merged refused "$name" "labels of [1-9][0-9]* cells differ"
    BROKEN_LABELS=swapped measured "$name"
done

# Trees of peers lose hits of rays.
export VOXPHYS_DATA=$folder/data
for name in kd_ray/peer-embree-medium/chunks/cold kd_build/peer-bullet/chunks edit_to_ray/peer-bullet/voxel; do
    [[ -n $("${bench[@]}" --benchmark_list_tests --benchmark_filter="^$name\$" 2>/dev/null) ]] || continue
    BROKEN_TREE=1 refused "$name" "too many rays .* differ by .*: hits differ: [0-9]+ of 4096 lost"
done
finish
