#!/bin/bash
# SPDX-License-Identifier: MIT
# counts.sh PRESET...: how many tests each preset ran, and which failed. Fails where a preset has no report of its tests,
# ran none, or ran a single one only.
set -euo pipefail

failures=0
printf '%-10s %6s %7s %8s\n' preset tests failed skipped
for preset in "$@"; do
    report=build/$preset/tests.xml
    if [[ ! -e $report ]]; then
        printf '%-10s did not come to its tests\n' "$preset"
        failures=$((failures + 1))
        continue
    fi
    number() { sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$report" | head -n 1; }
    printf '%-10s %6s %7s %8s\n' "$preset" "$(number tests)" "$(number failures)" "$(number skipped)"
    if [[ $(number tests) -lt 2 ]]; then
        echo "FAIL: preset $preset ran too few tests"
        failures=$((failures + 1))
    fi
    sed -n 's/.*<testcase name="\([^"]*\)".*status="fail".*/           failed: \1/p' "$report"
done
[[ $failures -eq 0 ]]
