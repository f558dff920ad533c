#!/bin/bash
# SPDX-License-Identifier: MIT
# flushed.sh MODULE COMMAND [BENCH]: if denormals are flushed to zero, `voxphys verify` and voxphys-bench refuse to start and name the
# register, and `voxphys info` shows it. docs/CONTRACT.md: ALL-3
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
module=$1

flushed() # PROGRAM ARGUMENT...
{
    LD_PRELOAD=$module run_as "flushed: $*" "$@"
}
flushed "$2" verify --dataset fuzz-0
expect_status 2
expect_empty stdout "$out"
expect_in stderr "$err" "denormal results become 0; (MXCSR is 0x0000"
flushed "$2" info --json
expect_status 0
expect_json "what is set" '.float_mode | .register == "MXCSR" and .nearest and .flushes_results and (.flushes_operands | not)'
if [[ -n ${3-} ]]; then
    flushed "$3" --benchmark_filter=^nop/
    expect_status 1
    expect_in stderr "$err" "denormal results become 0;"
fi
finish
