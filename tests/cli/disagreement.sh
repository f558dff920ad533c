#!/bin/bash
# SPDX-License-Identifier: MIT
# disagreement.sh PROGRAM...: `voxphys verify` sees a single wrong bit. PROGRAM (behind its emulator if it has one) is the
# command with one version of one kernel broken on purpose (broken.c): exit code 1, the kernel and the version named, and nothing else
# said to be wrong. That every kernel's records have each bit of its answers is the harness's matter (unit.cases_*).
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
program=("$@")

broken() # KERNEL CONTENDER ARGUMENT...: sets status, out, err
{
    shown="verify with a broken $1 of $2, ${*:3}"
    "${program[@]}" "$1" "$2" verify "${@:3}" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    out=$(cat "$scratch/out")
    err=$(cat "$scratch/err")
}

run info --json
# "scalar" is compared with the reference itself, which is not broken.
contenders=$(jq -r '(.isas[] | select(.usable) | if .via == "simde" then .name + "-simde" else .name end),
    if .scalar_autovec then "scalar-autovec" else empty end' <<<"$out")
last=$(tail -n 1 <<<"$contenders")
shown="voxphys info --json"
expect_in "the list of versions" "$contenders" scalar

disagrees() # KERNEL CONTENDER
{
    broken "$1" "$2" --kernel "$1" --dataset fuzz-1 --json
    expect_status 1
    expect_in stderr "$err" "$1 of $2 differs from the reference in 1 of "
    expect_equal "lines on stderr" "$(wc -l <<<"$err")" 1
    local isa=${2%-simde}
    expect_json "one answer differs" "[.checks[] | select(.kernel == \"$1\" and .isa == \"$isa\") | .mismatches] | add == 1"
    expect_json "all others agree" "[.checks[] | select(.mismatches != 0)] | length == 1"
    expect_json "its digest is another" "[.checks[] | select(.kernel == \"$1\" and (.form == null or .form == \"wide\"))]
        | ([.[] | select(.isa == \"$isa\").digest] - [.[] | select(.isa != \"$isa\").digest]) | length == 1"
}

for kernel in overlap_boxes overlap_chunks; do
    disagrees "$kernel" "$last"
done
for contender in $contenders; do
    disagrees dilate_world "$contender"
done

broken overlap_boxes "$last" --dataset fuzz-0
expect_status 1
expect_equal "lines that disagree" "$(grep ' DISAGREES$' <<<"$out" | awk '{print $1, $2}')" "overlap_boxes $last"
expect_in stdout "$out" "checks, 1 disagree;"
# On several data sets the version is wrong on the first one alone: still 1.
broken overlap_chunks "$last" --kernel overlap_chunks --dataset terrain-l2
expect_status 1
expect_in stderr "$err" "overlap_chunks of $last differs"
# A broken one that was not asked for, and none broken: all agrees.
broken overlap_chunks "$last" --kernel overlap_box --dataset fuzz-1
expect_status 0
broken none "$last" --kernel kd_ray --dataset fuzz-0
expect_status 0
expect_in stdout "$out" "checks, 0 disagree;"
finish
