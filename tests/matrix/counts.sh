#!/bin/bash
# SPDX-License-Identifier: MIT
# counts.sh PRESET...: how many tests each preset ran, and which failed or were skipped. Fails where a preset has no report of its
# tests, ran none, or ran a single one only; and where a test was skipped, for tests/run installs what they need. Only instruction sets
# that a machine lacks excuse: AVX2 of the mutants, and of documents those that are not in this build through SIMDe.
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
    while read -r name; do
        echo "           skipped: $name"
        if [[ $name != mutants && $name != docs.commands.* ]]; then
            echo "FAIL: preset $preset skipped $name, which tests/run has installed everything for"
            failures=$((failures + 1))
        fi
    done < <(sed -n 's/.*<testcase name="\([^"]*\)".*status="notrun".*/\1/p' "$report")
done
[[ $failures -eq 0 ]]
