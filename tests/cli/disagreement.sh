#!/bin/bash
# SPDX-License-Identifier: MIT
# disagreement.sh PROGRAM...: `voxphys verify` sees a single wrong bit. PROGRAM (behind its emulator if it has one) is the
# command with one version of one kernel broken on purpose (broken.c): exit code 1, the kernel and the version named, and nothing else
# said to be wrong. That every kernel's records have each bit of its answers is the harness's matter (unit.cases_*).
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
program=("$@")

broken() # ARGUMENT...: of verify, with a broken overlap_boxes of BROKEN_BOXES
{
    run_as "verify with a broken $BROKEN_BOXES, $*" "${program[@]}" verify "$@"
}

mapfile -t contenders < <(usable_isas)
# "scalar" is compared with the reference itself, which is not broken.
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
# A broken one that was not asked for, and none broken: all agrees.
broken --kernel overlap_box --dataset fuzz-1
expect_status 0
BROKEN_BOXES=none broken --kernel overlap_boxes --dataset fuzz-0
expect_status 0
expect_in stdout "$out" "checks, 0 disagree;"
finish
