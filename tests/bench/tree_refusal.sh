#!/bin/bash
# SPDX-License-Identifier: MIT
# tree_refusal.sh LIBRARIES PROGRAM...: voxphys-bench with other libraries' trees broken on purpose (broken_peers.c) refuses them,
# and says so by its exit code; where few rays differ it counts them. LIBRARIES are those built in: "embree bullet", or less, or "none".
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
    "${bench[@]}" --benchmark_filter="^$1\$" --benchmark_min_time=0.000001 --benchmark_repetitions=2 \
        --benchmark_out="$folder/rows.json" --benchmark_out_format=json >"$folder/out" 2>&1
    local code=$?
    if [[ $code -ne $2 ]]; then
        fail "$1: exit code $code, not $2: $(tail -n 5 "$folder/out")"
    fi
}

# holds WHAT FILTER: of the rows of the last run
holds()
{
    if ! jq -e ".benchmarks | $2" "$folder/rows.json" >/dev/null; then
        fail "$1: $(jq -c '.benchmarks[]' "$folder/rows.json" | head -n 2)"
    fi
}

# refused WHAT MESSAGE
refused()
{
    holds "$1" "length >= 1 and all(.[]; .error_occurred and (.error_message | test(\"$2\")) and (has(\"items_per_second\") | not))"
}

for library in "${libraries[@]}"; do
    if [[ $library == embree ]]; then
        peer=embree-medium
        rays=(kd_ray/peer-embree-low/chunks/cold kd_ray/peer-embree-medium-quads/chunks/cold kd_ray8/peer-embree-medium/chunks/coherent
            kd_ray16/peer-embree-high/chunks/coherent)
        boxes=()
        any=kd_ray_any/peer-embree-medium/chunks/cold
    else
        peer=bullet-quantized
        rays=(kd_ray/peer-bullet/chunks/cold kd_ray/peer-bullet-quantized/chunks/cold)
        boxes=(kd_gather/peer-bullet/chunks/box-6 kd_gather_leaves/peer-bullet-quantized/chunks/box-6)
        any=kd_ray_any/peer-bullet/chunks/cold
    fi
    for name in "${rays[@]}"; do
        BROKEN_TREE=few run "$name" 0
        # shellcheck disable=SC2016 # $lost is jq's
        holds "$name, losing few rays, is measured and says so" 'map(select(.run_type == "iteration"))
            | length >= 2 and all(.[]; .items_per_second > 0 and (.hits_lost as $lost
                | $lost > 0 and (.label | test("^rays hits differ: \($lost) of 4096 lost"))))'
        BROKEN_TREE=lost run "$name" 1
        refused "$name, losing many rays" 'too many rays of chunks/.* differ by .*: hits differ: [0-9]+ of 4096 lost'
        BROKEN_TREE=moved run "$name" 1
        refused "$name, with hits too far away" 'hits differ: .*[0-9]+ (of 4096 )?moved'
        BROKEN_TREE=next run "$name" 1
        refused "$name, with the numbers of other triangles" 'hits differ: .*[0-9]+ (of 4096 )?of a neighbour'
        BROKEN_TREE=number run "$name" 1
        refused "$name, with numbers of no triangle" 'hits differ: .*[0-9]+ (of 4096 )?moved'
    done
    BROKEN_TREE=lost run "$any" 1
    refused "$any, losing many rays" 'hits differ: [0-9]+ of 4096 lost'
    for name in "${boxes[@]}"; do
        for how in other twice short; do
            BROKEN_TREE=$how run "$name" 1
            refused "$name, with a list that is wrong ($how)" 'found other triangles than the reference for 1 of 4096 boxes of chunks/box-6'
        done
    done
    # What does nothing while it is timed leaves no answers of an earlier run.
    for name in "${rays[@]}" "$any" "${boxes[@]}"; do
        for runs in 0 1; do
            BROKEN_RUNS=$runs run "$name" 1
            refused "$name, doing its work $runs times and no more" 'hits differ: |found other triangles'
        done
    done
    for builds in 0 1; do
        BROKEN_RUNS=$builds run "kd_build/peer-$peer/chunks" 1
        refused "$peer, building $builds times and no more" 'trees of .* over [1-9][0-9]* meshes of chunks are not over all triangles'
    done
    BROKEN_TREE=lost run "kd_build/peer-$peer/chunks" 1
    refused "$peer, built but losing rays" 'too many rays of chunks/cold differ'

    # Built once to be compared, and once for each of the iterations that the time is divided by; asked after each round.
    export BROKEN_COUNTS=$folder/counts
    run "kd_build/peer-$peer/chunks" 0
    wanted=$(jq '[.benchmarks[] | select(.run_type == "iteration") | .iterations] | "\(1 + add) \(1 + length)"' -r "$folder/rows.json")
    if [[ $(cut -d' ' -f2- "$BROKEN_COUNTS") != "$wanted" ]]; then
        fail "$peer: built and asked $(cut -d' ' -f2- "$BROKEN_COUNTS") times, not $wanted"
    fi
    # Asked once a round that is not timed, and once for each iteration.
    run "${rays[0]}" 0
    wanted=$(jq '[.benchmarks[] | select(.run_type == "iteration") | .iterations] | length + add' -r "$folder/rows.json")
    if [[ $(cut -d' ' -f2 "$BROKEN_COUNTS") != "$wanted" ]]; then
        fail "${rays[0]}: asked $(cut -d' ' -f2 "$BROKEN_COUNTS") times, not $wanted"
    fi
    unset BROKEN_COUNTS
done

echo "libraries: ${libraries[*]-none}; $failures failures"
[[ $failures -eq 0 ]]
