#!/bin/bash
# SPDX-License-Identifier: MIT
# disagreement.sh PROGRAM...: `voxphys verify` detects a single wrong bit. PROGRAM, with its emulator if any, is the command with one
# broken version of one kernel (broken.c). It ends with exit code 1 and reports only that kernel and version. unit.cases_* check that
# every kernel's records contain every bit of its answers.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
program=("$@")

broken() # ARGUMENT...: verify, with BROKEN_BOXES naming the broken overlap_boxes
{
    run_as "verify with a broken $BROKEN_BOXES, $*" "${program[@]}" verify "$@"
}

mapfile -t contenders < <(usable_isas)
# "scalar" is compared with the reference, which is not broken.
for BROKEN_BOXES in scalar "${contenders[-1]}"; do
    export BROKEN_BOXES
    broken --kernel overlap_boxes --dataset fuzz-1 --json
    expect_status 1
    expect_in stderr "$err" "overlap_boxes of $BROKEN_BOXES differs from the reference in 1 of "
    expect_equal "lines on stderr" "$(wc -l <<<"$err")" 1
    isa=${BROKEN_BOXES%-simde}
    expect_json "one answer of one check differs, and its digest is another" "[.checks[] | select(.mismatches != 0)] == [.checks[] | select(.isa == \"$isa\")]
        and [.checks[].mismatches | select(. != 0)] == [1] and ([.checks[] | select(.isa == \"$isa\").digest] - [.checks[] | select(.isa != \"$isa\").digest] | length == 1)"
done
broken --kernel overlap_boxes --dataset fuzz-0
expect_status 1
expect_equal "lines that disagree" "$(grep ' DISAGREES$' <<<"$out" | awk '{print $1, $2}')" "overlap_boxes $BROKEN_BOXES"
expect_in stdout "$out" "checks, 1 disagree;"
"${program[@]}" verify --kernel overlap_boxes --dataset fuzz-0 >"$scratch/both" 2>&1
expect_equal "the line above the message, in one file" "$(grep -B 1 '^voxphys verify: on fuzz-0, ' "$scratch/both" | sed -n '1s/.* //p')" DISAGREES
# A broken version that is not checked, and no broken version. Everything agrees.
broken --kernel overlap_box --dataset fuzz-1
expect_status 0
BROKEN_BOXES=none broken --kernel overlap_boxes --dataset fuzz-0
expect_status 0
expect_in stdout "$out" "checks, 0 disagree;"
finish
