#!/bin/bash
# SPDX-License-Identifier: MIT
# `voxphys broadphase` with --isa, --threads, --single and --batch. It reports every kernel's requested version, and the answers and the
# broadphase stay the same. `voxphys info` lists the expected versions.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

world=(terrain-l2 --boxes boxes-small --queries 4000 --json)
info=$(voxphys info --json)
same() { jq -cS '[.size, .tags, .memory, (.queries | .count, .boxes, .touch_solid, .touch_water, .touch_any, .digest)]' <<<"$out"; }
# These kernels have only the reference. In a build without SIMD that is true for all, and none is left out.
alone=$(jq -c '[.kernels[] | select(.versions | length == 1) | .name] as $alone | if ($alone | length) == (.kernels | length) then [] else $alone end' <<<"$info")
sets() { jq -cS --argjson alone "$alone" '[.kernels | to_entries[] | select(.key | IN($alone[]) | not) | .value] | unique' <<<"$out"; }

succeeds broadphase "${world[@]}" --isa scalar
expect_json defaults '.threads == 1 and .queries.form == "batch" and .queries.count == 4000'
expect_json "answers are of both kinds" '.queries | .touch_solid > 0 and .touch_any > .touch_solid and .touch_any < .count'
expect_equal "the kernels of --isa scalar" "$(sets)" '["scalar"]'
expect_equal "the kernels told of" "$(jq -c '.kernels | keys' <<<"$out")" "$(jq -c '[.kernels[].name] | sort' <<<"$info")"
wanted=$(same)

# ---- --isa ----

# The best native set is the last usable one in the list.
best=$(jq -r '[.isas[] | select(.usable and .via == "native") | .name] | last' <<<"$info")
while read -r name reported; do
    succeeds broadphase "${world[@]}" --isa "$name"
    expect_equal "the kernels of --isa $name" "$(sets)" "[\"$reported\"]"
    expect_equal "the answers of --isa $name" "$(same)" "$wanted"
    VOXPHYS_ISA=$name run broadphase "${world[@]}"
    expect_equal "the kernels of VOXPHYS_ISA=$name" "$(sets)" "[\"$reported\"]"
    VOXPHYS_ISA=scalar run broadphase "${world[@]}" --isa "$name"
    expect_equal "the kernels of --isa $name with VOXPHYS_ISA=scalar" "$(sets)" "[\"$reported\"]"
done < <(jq -r '.isas[] | select(.usable) | if .via == "simde" then "\(.name)-simde \(.name)-simde" else "\(.name) \(.name)" end' <<<"$info"
         echo "best $best")
run broadphase "${world[@]}"
expect_equal "the kernels without --isa" "$(sets)" "[\"$best\"]"

# ---- --single and --batch ----

for form in single batch; do
    succeeds broadphase "${world[@]}" "--$form"
    expect_equal "the form of --$form" "$(jq -r .queries.form <<<"$out")" "$form"
    expect_equal "the answers of --$form" "$(same)" "$wanted"
done

# ---- --threads ----

several=no
for threads in 1 2 3 16; do
    run broadphase "${world[@]}" --threads "$threads"
    if [[ $threads -gt 1 && $status -eq 2 && $err == *"no threads"* ]]; then
        continue # a build without threads refuses, and does not fall back to one thread
    fi
    expect_status 0
    expect_equal "the threads of --threads $threads" "$(jq .threads <<<"$out")" "$threads"
    expect_equal "the answers of --threads $threads" "$(same)" "$wanted"
    [[ $threads -eq 1 ]] || several=yes
done
if [[ ${1-} == threads ]]; then
    expect_equal "whether several threads were tried" "$several" yes
fi

# ---- all options ----

run broadphase "${world[@]}" --single --isa scalar --threads 1
expect_json "all three" '.queries.form == "single" and .threads == 1 and ([.kernels[]] | unique == ["scalar"])'
expect_equal "the answers of all three" "$(same)" "$wanted"
finish
