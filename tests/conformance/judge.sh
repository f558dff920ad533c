#!/bin/bash
# SPDX-License-Identifier: MIT
# judge.sh: answers in judged.tsv, a line each, are judged right or wrong for the reason that stands there. They take many branches of
# the judges: VECTOR, "right" or REASON, ANSWER. Numbers in reasons are not compared, because their last digits depend on the compiler.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
unset VOXPHYS_ISA
timeout=2
[[ -z $VOXPHYS_SLOW ]] || timeout=30

without_numbers()
{
    sed -E 's/-?(nan|inf|[0-9][-+.0-9e]*)/#/g' <<<"$1"
}

while IFS=$'\t' read -r vector reason answer; do
    family=${vector%/*}
    mkdir -p "$family" && cp "$VOXPHYS_SOURCE/conformance/corpus/$family.json" "$family"
    printf '%s\n' "read -r _; echo 'hello 1 test 1'; echo can $family; read -r _; echo '1 $answer'; read -r _" >adapter.sh
    run check --corpus "$family" --timeout "$timeout" --json --vector "$vector" --adapter "sh adapter.sh" </dev/null
    [[ $reason == right ]]
    expect_status $?
    found=$(jq -r '.vectors[0].results[0] | if .result == "pass" then "right" else .reason end' <<<"$out")
    expect_equal "what is found of $vector, answered $answer" "$(without_numbers "$found")" "$(without_numbers "$reason")"
done <"$VOXPHYS_SOURCE/tests/conformance/judged.tsv"
finish
