#!/bin/bash
# SPDX-License-Identifier: MIT
# limits.sh openmp|-: where the system allows less than is asked for: a file that may not grow is a message and not the end of the process, and
# threads that cannot be had are not reported. And what has a limit of its own.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

# ---- a limit of a file's size ----

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

# ---- the most edits of a run ----

if [[ -n $VOXPHYS_DEEP ]]; then # 16 million lines
    edits=$scratch/edits.txt
    run dataset make terrain-l2 -o "$scratch/small.vpw"
    (set +o pipefail; yes "voxel 0 0 0 0" | head -n 16777215) >"$edits"
    succeeds world edit "$scratch/small.vpw" -o "$scratch/edited.vpw" --edit "voxel 0 0 0 0" --edits "$edits" --json
    expect_json "as many as there may be" '.edits == 16777216'
    printf '# one more\nvoxel 0 0 0 0\n' >>"$edits"
    refused "edits.txt: line 16777217: more than 16777216 edits, which is the most in one run" \
        world edit "$scratch/small.vpw" -o "$scratch/edited.vpw" --edit "voxel 0 0 0 0" --edits "$edits"
    run world edit --help
    expect_in "the help" "$out" "up to 16777216 edits"
    rm "$edits"
fi

# ---- a limit of the number of threads ----

if [[ $1 == openmp ]]; then
    for limit in 1 3; do
        for threads in 2 200; do
            wanted=$((threads < limit ? threads : limit))
            OMP_THREAD_LIMIT=$limit run broadphase terrain-l2 --queries 10 --threads "$threads" --json
            shown="OMP_THREAD_LIMIT=$limit $shown"
            expect_status 0
            expect_equal "the number of threads" "$(jq .threads <<<"$out")" "$wanted"
        done
    done
    OMP_THREAD_LIMIT=1 run broadphase terrain-l2 --queries 10 --threads 4
    expect_in stdout "$out" "on 1 thread,"
fi
finish
