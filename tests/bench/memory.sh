#!/bin/bash
# SPDX-License-Identifier: MIT
# memory.sh PROGRAM MODULE: voxphys-bench out of memory. MODULE (tests/cli/no_memory.c) refuses one allocation, at places spread over the
# run. The program then reports it and ends with exit code 1, or its outcome is unchanged. (Google Benchmark reads the cache sizes at its
# start. It does not say that memory is why a file cannot be read.)
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
program=$1
module=$2
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
places=8

attempt() # VARIABLE=VALUE OPTION...: sets status
{
    rm -f "$scratch/rows.json"
    run_as "${*:2}" env "$1" LD_PRELOAD="$module" "$program" "${@:2}"
}

# The outcome that is equal in every run: names, or the rows' names and labels.
outcome()
{
    if [[ -e $scratch/rows.json ]]; then
        grep -E '"(name|label|error_message)"' "$scratch/rows.json"
    else
        cat "$scratch/out"
    fi
}

survives() # OPTION...
{
    local before requests n told=0
    attempt VOXPHYS_TEST_COUNT="$scratch/count" --version
    before=$(<"$scratch/count") # allocations before main
    attempt VOXPHYS_TEST_COUNT="$scratch/count" "$@"
    requests=$(<"$scratch/count")
    expect_status 0
    [[ $requests -gt $((before + places)) ]] || fail "$requests requests"
    outcome >"$scratch/wanted"
    for ((n = before + 1; n <= requests; n += 1 + requests / places)); do
        attempt VOXPHYS_TEST_FAIL_AT=$n "$@"
        if [[ $status -eq 0 ]]; then
            outcome | cmp -s - "$scratch/wanted" || fail "request $n of $requests refused: another outcome"
        elif [[ $status -ne 1 ]]; then
            fail "request $n of $requests refused"
        elif ! grep -qiE 'memory|^Failed to read from file /sys/' "$scratch/out" "$scratch/err"; then
            fail "request $n of $requests refused: the message does not tell of memory"
        else
            told=$((told + 1))
        fi
    done
    echo "voxphys-bench $*: $requests requests, want of memory told $told times"
    [[ $told -gt 0 ]] || fail "never told"
}

survives --benchmark_list_tests
survives --benchmark_filter='^dilate_chunk/scalar/terrain-l2$' --benchmark_min_time=0.0001 \
    --benchmark_out="$scratch/rows.json" --benchmark_out_format=json
# Trees of the libraries that are built in, and a terrain.
places=4
. "$VOXPHYS_SOURCE/tests/bench/small.bash"
small_sets "$scratch/data" || exit 1
export VOXPHYS_DATA=$scratch/data
"$program" --benchmark_list_tests >"$scratch/names"
for name in kd_gather/peer-bullet-quantized/chunks/box-6 kd_build/peer-bullet/chunks kd_ray/peer-embree-medium/chunks/cold \
    terrain_ray/scalar-object/world-230k/coherent/cold; do
    if grep -qx "$name" "$scratch/names"; then
        survives --benchmark_filter="^$name\$" --benchmark_min_time=0.000001 --benchmark_out="$scratch/rows.json" \
            --benchmark_out_format=json
    fi
done
finish
