#!/bin/bash
# SPDX-License-Identifier: MIT
# refusal.sh PEERS PROGRAM...: voxphys-bench, built with PEERS peers, with broken kernels and peers (broken.c, broken_peers.c) gives them an error and no figure, and says
# so by its exit code; the right ones beside them are measured.
set -uo pipefail
peers_built=$1
bench=("${@:2}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# run FILTER EXIT_CODE
shortest=0.0001 # seconds
run()
{
    rm -f "$folder/rows.json"
    "${bench[@]}" --benchmark_filter="$1" --benchmark_min_time="$shortest" --benchmark_repetitions=2 \
        --benchmark_out="$folder/rows.json" --benchmark_out_format=json >"$folder/out" 2>&1
    local code=$?
    if [[ $code -ne $2 ]]; then
        echo "FAIL: $1: exit code $code, not $2" >&2
        cat "$folder/out" >&2
        failures=$((failures + 1))
    fi
}

# holds WHAT FILTER: of the rows of the last run
holds()
{
    if ! jq -e "$2" "$folder/rows.json" >/dev/null; then
        echo "FAIL: $1" >&2
        jq -c '.benchmarks[]' "$folder/rows.json" >&2
        failures=$((failures + 1))
    fi
}

run '^dilate_world/scalar(-autovec)?/terrain-l2$' 1
holds "the wrong construction is refused, with the number of wrong answers, every time" '
    [.benchmarks[] | select(.name | contains("scalar-autovec"))]
    | length >= 1 and all(.[]; .error_occurred and (.error_message | test("differs from the reference in 1 of 512 answers"))
                               and (has("items_per_second") | not))'
holds "the right one beside it is measured" '
    [.benchmarks[] | select(.name | startswith("dilate_world/scalar/"))] | length >= 2 and all(.[]; .items_per_second > 0)'

run '^overlap_boxes/scalar-autovec/terrain-l2/boxes-small$' 1
holds "answers that change while they are timed are refused" '
    .benchmarks | length >= 1 and all(.[]; .error_occurred and (.error_message | test("gave other answers while it was timed"))
                                          and (has("items_per_second") | not))'

run '^dilate_world_rows/scalar-autovec/terrain-l2$' 0
holds "a right kernel is measured" '.benchmarks | length >= 2 and all(.[]; .items_per_second > 0)'

# ---- kernels that do nothing while they are timed ----

export BROKEN_IDLE=1
for name in dilate_chunk/scalar-autovec/terrain-l2 dilate_world/scalar-autovec/terrain-l2 \
    overlap_boxes/scalar-autovec/terrain-l2/boxes-small kd_gather/scalar-autovec/chunks/box-1.5 \
    kd_ray_all/scalar-autovec/chunks/coherent kd_build/scalar-autovec/chunks; do
    run "^$name\$" 1
    holds "$name: answers that were there before the time was taken are refused" '
        .benchmarks | length >= 1 and all(.[]; .error_occurred and (.error_message | test("gave other answers while it was timed"))
                                              and (has("items_per_second") | not))'
done
run '^dilate_world_rows/scalar-autovec/terrain-l2$' 0
holds "a right kernel beside them is measured" '.benchmarks | length >= 2 and all(.[]; .items_per_second > 0)'

# ---- whole broadphases ----

unset BROKEN_IDLE
run '^build_world/scalar/luanti/threads-1$' 0
holds "a right build is measured" '.benchmarks | length >= 2 and all(.[]; .items_per_second > 0)'
BROKEN_BUILD=0 run '^build_world/scalar/luanti/threads-1$' 1
holds "a wrong build is refused" '
    .benchmarks | length >= 1 and all(.[]; .error_occurred and (.error_message | test("build_world of scalar differs from the reference in 1 of [0-9]+ answers"))
                                          and (has("items_per_second") | not))'
BROKEN_BUILD=1 run '^build_world/scalar/luanti/threads-1$' 1
holds "a build that is wrong when it is timed is refused" '
    .benchmarks | length >= 1 and all(.[]; .error_occurred and (.error_message | test("build_world of scalar gave other answers while it was timed"))
                                          and (has("items_per_second") | not))'

# ---- whole trees ----

. "$VOXPHYS_SOURCE/tests/bench/small.bash"
small_sets "$folder/data" || exit 1
name=kd_build/scalar-create/world-230k # a set of one tree

# refuses_trees WHAT MESSAGE: the last run has only errors that say so
refuses_trees()
{
    holds "$1" ".benchmarks | length >= 1 and all(.[]; .error_occurred and (has(\"items_per_second\") | not)
        and (.error_message | test(\"kd_create of scalar $2\")))"
}
export VOXPHYS_DATA=$folder/data
run "^$name\$" 0
holds "right trees are measured" '.benchmarks | length >= 2 and all(.[]; .items_per_second > 0)'
BROKEN_CREATE=0 run "^$name\$" 1
refuses_trees "a wrong tree" "differs from the reference in 1 of 1 answers"
BROKEN_CREATE=0 run '^kd_build/scalar-create/chunks$' 1
refuses_trees "wrong trees" "differs from the reference in [0-9]+ of [0-9]+ answers"
BROKEN_CREATE=1 run "^$name\$" 1
refuses_trees "a tree that is wrong when it is timed" "gave other answers while it was timed"
BROKEN_CREATE=1 BROKEN_IDLE=1 run "^$name\$" 1
refuses_trees "a tree that was there before the time was taken" "gave other answers while it was timed"
unset VOXPHYS_DATA

# ---- peers ----

shortest=0.000001 # one iteration is longer: there are none to find out how many there should be
export BROKEN_COUNTS=$folder/counts
mapfile -t peers < <("${bench[@]}" --benchmark_list_tests --benchmark_filter='^dilate_world/peer-.*/sparse$')
if [[ ${#peers[@]} -ne $peers_built ]]; then
    echo "FAIL: ${#peers[@]} peers are listed, $peers_built are built in" >&2
    failures=$((failures + 1))
fi
for name in "${peers[@]}"; do
    run "^$name\$" 0
    holds "$name is measured" '.benchmarks | length >= 2 and all(.[]; .items_per_second > 0)'
    # Run once to be compared, and once for each of the iterations that its time is divided by.
    wanted=$(jq '1 + ([.benchmarks[] | select(.run_type == "iteration") | .iterations] | add)' "$folder/rows.json")
    if [[ $(cut -d" " -f-2 "$BROKEN_COUNTS") != "$wanted $wanted" ]]; then
        echo "FAIL: $name: prepared and run $(cut -d" " -f-2 "$BROKEN_COUNTS") times, not $wanted and $wanted" >&2
        failures=$((failures + 1))
    fi
    for runs in 0 1; do
        BROKEN_RUNS=$runs run "^$name\$" 1
        holds "$name, doing its work $runs times and no more, is refused" '
            .benchmarks | length >= 1 and all(.[]; .error_occurred and (.error_message | test("masks of [0-9]+ chunks of sparse by"))
                                                  and (has("items_per_second") | not))'
    done
done

# ---- trees of peers: rows of rays, of which some lose hits ----

export VOXPHYS_DATA=$folder/data
for name in kd_ray/peer-embree-medium/chunks/cold kd_build/peer-bullet/chunks edit_to_ray/peer-bullet/voxel; do
    [[ -n $("${bench[@]}" --benchmark_list_tests --benchmark_filter="^$name\$" 2>/dev/null) ]] || continue
    BROKEN_TREE=1 run "^$name\$" 1
    holds "$name, losing many rays, is refused" '
        .benchmarks | length >= 1 and all(.[]; .error_occurred and (.error_message | test("too many rays .* differ by .*: hits differ: [0-9]+ of 4096 lost"))
                                              and (has("items_per_second") | not))'
done

echo "$failures failures"
[[ $failures -eq 0 ]]
