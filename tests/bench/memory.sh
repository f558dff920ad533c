#!/bin/bash
# SPDX-License-Identifier: MIT
# memory.sh PROGRAM MODULE: voxphys-bench where memory runs out. MODULE (tests/cli/no_memory.c) refuses one request for memory,
# at places spread over the run. Then the program says so and ends with exit code 1, or does what it does otherwise. (Google
# Benchmark, which looks at the caches when it begins, does not know why it cannot read a file.)
set -uo pipefail
program=$1
module=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
places=8

# attempt VARIABLE=VALUE OPTION...: sets status
attempt()
{
    declare -x "$1"
    rm -f "$folder/rows.json"
    LD_PRELOAD=$module "$program" "${@:2}" >"$folder/out" 2>"$folder/err" </dev/null
    status=$?
}

fail()
{
    echo "FAIL: $1: $(head -c 300 "$folder/err")" >&2
    failures=$((failures + 1))
}

# What does not change from run to run: names, or the rows' names and labels.
outcome()
{
    if [[ -e $folder/rows.json ]]; then
        grep -E '"(name|label|error_message)"' "$folder/rows.json"
    else
        cat "$folder/out"
    fi
}

survives() # OPTION...
{
    local before requests n told=0
    attempt VOXPHYS_TEST_COUNT="$folder/count" --version
    before=$(<"$folder/count") # what is asked for before main
    attempt VOXPHYS_TEST_COUNT="$folder/count" "$@"
    requests=$(<"$folder/count")
    [[ $status -eq 0 && $requests -gt $((before + places)) ]] || fail "$*: exit code $status, $requests requests"
    outcome >"$folder/wanted"
    for ((n = before + 1; n <= requests; n += 1 + requests / places)); do
        attempt VOXPHYS_TEST_FAIL_AT=$n "$@"
        if [[ $status -eq 0 ]]; then
            outcome | cmp -s - "$folder/wanted" || fail "$*: request $n of $requests refused: another outcome"
        elif [[ $status -ne 1 ]]; then
            fail "$*: request $n of $requests refused: exit code $status"
        elif ! grep -qiE 'memory|^Failed to read from file /sys/' "$folder/out" "$folder/err"; then
            fail "$*: request $n of $requests refused: the message does not tell of memory"
        else
            told=$((told + 1))
        fi
    done
    echo "voxphys-bench $*: $requests requests, want of memory told $told times"
    [[ $told -gt 0 ]] || fail "$*: never told"
}

survives --benchmark_list_tests
survives --benchmark_filter='^dilate_chunk/scalar/terrain-l2$' --benchmark_min_time=0.0001 \
    --benchmark_out="$folder/rows.json" --benchmark_out_format=json
# Trees of other libraries, of those that are built in, and a terrain.
places=4
. "$VOXPHYS_SOURCE/tests/bench/small.bash"
small_sets "$folder/data" || exit 1
export VOXPHYS_DATA=$folder/data
"$program" --benchmark_list_tests >"$folder/names"
for name in kd_gather/peer-bullet-quantized/chunks/box-6 kd_build/peer-bullet/chunks kd_ray/peer-embree-medium/chunks/cold \
    terrain_ray/scalar-cold/world-230k/coherent; do
    if grep -qx "$name" "$folder/names"; then
        survives --benchmark_filter="^$name\$" --benchmark_min_time=0.000001 --benchmark_out="$folder/rows.json" \
            --benchmark_out_format=json
    fi
done
echo "$failures failures"
[[ $failures -eq 0 ]]
