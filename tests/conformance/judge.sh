#!/bin/bash
# SPDX-License-Identifier: MIT
# judge.sh: right answers that are spoiled, in every way that a family's answers can be, are found wrong, each of them. (A polygon of
# points that are nearly on a line may lack a corner and be right: those vectors are left out.)
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
unset VOXPHYS_ISA
timeout=2
[[ -z $VOXPHYS_SLOW ]] || timeout=30

spoiled() # WAY FAMILY LEAST
{
    rm -f log
    run check --timeout "$timeout" --json --family "$2" --adapter "python3 '$VOXPHYS_SOURCE/tests/conformance/spoiled.py' $1 '$scratch/log'"
    local count missed
    count=$(wc -l <log)
    missed=$(jq -r --rawfile log log '($log | split("\n") | map(select(. != "") | tonumber)) as $spoiled
        | .vectors as $v | [$spoiled[] | $v[. - 1] | select(.results[0].result == "pass" and (.promise == "property" and (.id | startswith("hull2/")) | not)) | .id] | join(" ")' <<<"$out")
    expect_status 1
    checks=$((checks + 1))
    [[ $count -ge $3 ]] || fail "only $count answers of $2 were spoiled by '$1'"
    expect_equal "answers of $2 that were spoiled by '$1' and passed" "$missed" ""
    checks=$((checks + 1))
    [[ $(jq "[.vectors[].results[0] | select(.result != \"pass\")] | length <= $count and all(.reason != null and .answer != null)" <<<"$out") == true ]] ||
        fail "answers of $2 by '$1': others than those $count are wrong, or have no reason"
}

spoiled bit dilation 30
spoiled classes dilation 15
spoiled word overlap 60
spoiled nan grid-walk 40
spoiled far grid-walk 40
spoiled cell grid-walk 40
spoiled nan ray-triangle 40
spoiled far ray-triangle 40
spoiled nan ray-mesh 60
spoiled other ray-mesh 60
spoiled less aabb-gather 30
spoiled twice aabb-gather 30
spoiled less hull2 35
spoiled back hull2 35
spoiled less hull3 50
spoiled back hull3 50
spoiled twice hull3 50
spoiled flat hull3 50
spoiled inner hull3 40
spoiled less mesher 30
spoiled back mesher 30
spoiled twice mesher 30
spoiled moved mesher 30
finish
