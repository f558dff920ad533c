#!/bin/bash
# SPDX-License-Identifier: MIT
# counts.sh LEVEL PRESET...: prints the number of tests of each preset, their time, and the failed and skipped ones. Fails if a preset has
# no report of its tests or ran fewer than two. Fails if a test was skipped, because tests/run installs everything they need. A skipped test
# is allowed only for instruction sets that the machine lacks: AVX2 for the mutants, and for documents the sets that this build does not
# have through SIMDe. Then prints the processor time of each component's tests in all presets, and fails if a component exceeds its limit.
set -euo pipefail
shopt -s nullglob

level=$1
presets=("${@:2}")
failures=0

seconds() # FILE...: the sum of the times that tests/timed.sh wrote
{
    awk 'FNR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); sum += 60 * t[1] + t[2] } } END { printf "%.0f", sum }' "$@" /dev/null
}

printf '%-10s %6s %7s %8s %8s %8s\n' preset tests failed skipped build/s tests/s
for preset in "${presets[@]}"; do
    report=build/$preset/tests.xml
    if [[ ! -e $report ]]; then
        printf '%-10s did not come to its tests\n' "$preset"
        failures=$((failures + 1))
        continue
    fi
    number() { sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$report" | head -n 1; }
    printf '%-10s %6s %7s %8s %8s %8s\n' "$preset" "$(number tests)" "$(number failures)" "$(number skipped)" \
        "$(seconds "build/$preset"/cpu/buil[d])" "$(seconds "build/$preset"/cpu/*/*)"
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

most=250 # limits, because every change pays for every component's tests
case $level in
quick) most=30 ;;
deep) most=100000 ;;
esac
files=()
for preset in "${presets[@]}"; do
    files+=("build/$preset"/cpu/*/*)
done
printf '\n%-12s %8s\n' component tests/s
awk -v most="$most" '
    FNR == 2 { n = split(FILENAME, part, "/"); for (i = 1; i <= 2; i++) { split($i, t, "m"); sum[part[n - 1]] += 60 * t[1] + t[2] } }
    END { for (c in sum) { printf "%-12s %8.0f%s\n", c, sum[c], (sum[c] > most ? "  FAIL: more than " most : ""); bad += (sum[c] > most) } exit bad != 0 }
    ' "${files[@]}" /dev/null | sort || failures=$((failures + 1))
[[ $failures -eq 0 ]]
