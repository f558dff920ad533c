#!/bin/bash
# SPDX-License-Identifier: MIT
# limits.sh [threads]: limits of the system, and of the library. A file that may not grow ends with a message and not with a signal.
# Threads that cannot start are not reported, and waiting threads take no processor time.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

# ---- file size ----

mkdir "$scratch/folder"
target=$scratch/folder/world.vpw
run dataset make terrain-l3 -o "$scratch/whole.vpw"
[[ $(wc -c <"$scratch/whole.vpw") -gt 8192 ]] || fail "the world is too small for this test"
for old in "" "an old file"; do
    [[ -z $old ]] || echo "$old" >"$target"
    run_small dataset make terrain-l3 -o "$target"
    expect_status 2
    expect_in stderr "$err" "$target: File too large while writing byte 8192"
    expect_equal "what is in the folder" "$(ls -A "$scratch/folder")" "${old:+world.vpw}"
done
expect_equal "the old file" "$(cat "$target")" "an old file"
run_small dataset make terrain-l2/boxes-small -o -
expect_status 1
expect_in stderr "$err" "voxphys: cannot write to standard output: File too large"

# ---- the maximum number of edits in a run ----

if [[ -n $VOXPHYS_DEEP ]]; then # 16 million lines
    edits=$scratch/edits.txt
    run dataset make terrain-l2 -o "$scratch/small.vpw"
    (set +o pipefail; yes "voxel 0 0 0 0" | head -n 16777215) >"$edits"
    succeeds world edit "$scratch/small.vpw" -o "$scratch/edited.vpw" --edit "voxel 0 0 0 0" --edits "$edits" --json
    expect_json "as many as there may be" '.edits == 16777216'
    printf '# one more\nvoxel 0 0 0 0\n' >>"$edits"
    refused "edits.txt: line 16777217: more than 16777216 edits, the maximum of one run" \
        world edit "$scratch/small.vpw" -o "$scratch/edited.vpw" --edit "voxel 0 0 0 0" --edits "$edits"
    run world edit --help
    expect_in "the help" "$out" "up to 16777216 edits"
    rm "$edits"
fi

# ---- the number of threads ----

if [[ " $* " == *" threads "* ]]; then
    run broadphase terrain-l2 --queries 10 --json
    tags=$(jq -c .tags <<<"$out")
    run broadphase terrain-l2 --queries 10 --threads 200 --json
    expect_equal "the number of threads" "$(jq .threads <<<"$out")" 200
    # Each thread has a stack of some megabytes, so that 200 threads do not fit in 400 MB.
    run_as "broadphase in 400 MB" bash -c "ulimit -v 400000; ulimit -s 8192; exec voxphys broadphase terrain-l2 --queries 10 --threads 200 --json"
    expect_status 0
    expect_json "threads that can't be had are not reported" '.threads >= 1 and .threads < 60'
    expect_equal "the tags" "$(jq -c .tags <<<"$out")" "$tags"

    # Threads sleep while they wait. Next to a busy process two threads take little more processor time than one, not ten times as much.
    mapfile -t cpus < <(taskset -pc $$ 2>/dev/null | sed 's/.*: //' | tr ',' '\n' | awk -F- '{ for (i = $1; i <= (NF > 1 ? $2 : $1); i++) print i }')
    if [[ ${#cpus[@]} -ge 2 ]]; then
        user_time() # THREADS: milliseconds of processor time
        {
            local TIMEFORMAT=%U
            { time taskset -c "${cpus[0]},${cpus[1]}" voxphys decompose solid-gear --threads "$1" --json >"$scratch/$1.json" 2>/dev/null; } 2>&1 | tr -d .
        }
        taskset -c "${cpus[1]}" yes >/dev/null &
        neighbour=$!
        one=$(user_time 1) two=$(user_time 2)
        kill "$neighbour"
        ((10#$two <= 10#$one * 3 + 100)) || fail "two threads take $two ms of the processor, one takes $one"
        expect_equal "the digest of two threads" "$(jq .digest "$scratch/2.json")" "$(jq .digest "$scratch/1.json")"
    fi
fi
finish
