#!/bin/bash
# SPDX-License-Identifier: MIT
# old_cpus.sh EMULATOR COMMAND: the voxphys command on processors without some of this machine's instruction sets. It must start, choose
# among the complete sets, refuse the others by name, and agree with its reference. Before a release every choice is tested, otherwise the
# oldest and the newest.
set -uo pipefail
emulator=$1
command=$2

failures=0
fail()
{
    echo "FAIL: on $cpu: $*" >&2
    failures=$((failures + 1))
}

voxphys() { "$emulator" -cpu "$cpu" "$command" "$@"; }

expect_usable() # SET true|false
{
    local got
    got=$(jq -r --arg set "$1" '.isas[] | select(.name == $set) | .usable' <<<"$info")
    [[ $got == "$2" ]] || fail "$1 usable: $got, expected $2"
}

expect_chosen() # SET
{
    local other
    other=$(jq -r --arg set "$1" '.kernels[] | select(.resolved != $set and (.versions | length) > 1) | "\(.name) -> \(.resolved)"' <<<"$info")
    [[ -z $other ]] || fail "expected every kernel to be $1, but $other"
}

expect_refused() # SET
{
    local output status=0
    [[ -n $checks ]] || return 0
    output=$(VOXPHYS_ISA=$1 voxphys info 2>&1 >/dev/null) || status=$?
    [[ $status -eq 2 ]] || fail "VOXPHYS_ISA=$1: exit code $status, expected 2"
    [[ $output == *"$1"* ]] || fail "VOXPHYS_ISA=$1: the message does not name it: $output"
    status=0
    output=$(voxphys verify --isa "$1" --dataset fuzz-0 2>&1 >/dev/null) || status=$?
    [[ $status -eq 2 && $output == *"$1"* ]] || fail "verify --isa $1: exit code $status, message: $output"
}

while read -r cpu chosen; do
    info=$(voxphys info --json 2>/dev/null) || { fail "info does not run"; continue; }
    # Use a set that is compared only, in memory without forbidden pages, because qemu 7.2 reads masked-out lanes of a masked load.
    checks=
    set=sparse/boxes-small # api.baseline looks for wrong instructions in all functions
    [[ -z $VOXPHYS_DEEP ]] || set=chunks-degenerate/grazing
    if [[ -n $VOXPHYS_DEEP || $cpu == qemu64 || $cpu == max ]]; then
        checks=$(voxphys verify --isa native --dataset "$set" --json 2>/dev/null) || fail "verify does not pass"
    fi
    [[ $(jq -r '.kernels | length' <<<"$info") -gt 0 ]] || fail "info lists no kernel"
    expect_chosen "$chosen"
    expect_usable scalar true
    for set in avx2 avx512; do
        native=$(jq -r --arg set $set '[.checks[] | select(.isa == $set and .via == "native")] | length' <<<"$checks")
        missing=$(jq -r --arg set $set '[.not_run[] | select(.isa == $set)] | length' <<<"$checks")
        if [[ $set == "$chosen" ]]; then
            expect_usable $set true
            [[ -z $checks || ($native -gt 0 && $missing -eq 0) ]] || fail "$set: $native checks, $missing not run; it is here"
        else
            expect_usable $set false
            expect_refused $set
            [[ -z $checks || ($native -eq 0 && $missing -gt 0) ]] || fail "$set: $native checks, $missing not run; it is not here"
        fi
    done
done <<END
qemu64 scalar
Nehalem scalar
max,-avx2 scalar
max,-bmi1,-bmi2 scalar
max,-bmi2 scalar
max,-abm scalar
max,-popcnt scalar
max,-xsave scalar
max avx2
END

echo "$failures failures"
[[ $failures -eq 0 ]]
