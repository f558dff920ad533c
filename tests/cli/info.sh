#!/bin/bash
# SPDX-License-Identifier: MIT
# info.sh ARCHITECTURE EMULATED SIMD: `voxphys info` describes this build and this machine, as the system describes the processor.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
architecture=$1
emulated=$2
simd=${*:3}

succeeds info --json
expect_json version '.version | test("^[0-9]+\\.[0-9]+\\.[0-9]+$")'
expect_json cpu '.cpu | type == "string" and length > 0'
expect_json isas '[.isas[].name] == ["scalar", "plain", "avx2", "avx512", "neon", "simd128"]'
expect_json isas '[.isas[] | (.via | IN("native", "simde", "absent")) and (.usable | type == "boolean")] | all'
expect_json scalar '.isas[0] == {"name": "scalar", "via": "native", "usable": true}'
expect_json kernels '[.kernels[].name] | length >= 7 and (. == unique or length == (unique | length))'
expect_json kernels '[.kernels[] | .versions[0] == {"isa": "scalar", "via": "native"}] | all'
# shellcheck disable=SC2016 # jq's variables
expect_json kernels '[.kernels[] | .resolved as $r | any(.versions[]; .isa == $r and .via == "native")] | all'
expect_json "how floats are computed" '.float_mode | .nearest and (.flushes_results or .flushes_operands | not)'
expect_json "what the registry says of kernels" '[(.kernels + .operations)[] | .name, .component, .group, .unit, .sentence | type == "string" and length > 1] | all'
expect_json sentences '[.kernels[].sentence | test("^[A-Z].*[.]$")] | all'
kernels=$(jq -r '.kernels[].name' <<<"$out")
info=$out

via() { jq -r --arg set "$1" '.isas[] | select(.name == $set) | "\(.via) \(.usable)"' <<<"$info"; }

cpu_has() # FLAG...
{
    local flag
    for flag in "$@"; do
        grep -m 1 '^flags' /proc/cpuinfo | grep -qw "$flag" || return 1
    done
}

best=scalar
if [[ $simd == *avx2* && $architecture == x86-64 ]]; then
    cpu_has avx2 bmi1 bmi2 abm popcnt && best=avx2
    expect_equal "avx2" "$(via avx2)" "native $([[ $best == avx2 ]] && echo true || echo false)"
    expect_equal "avx512" "$(via avx512)" "absent false"
elif [[ $simd == ON && $architecture == x86-64 ]]; then
    avx2=false avx512=false
    cpu_has avx2 bmi1 bmi2 abm popcnt && avx2=true best=avx2
    [[ $avx2 == true ]] && cpu_has avx512f avx512cd avx512bw avx512dq avx512vl && avx512=true best=avx512
    expect_equal "avx2" "$(via avx2)" "native $avx2"
    expect_equal "avx512" "$(via avx512)" "native $avx512"
elif [[ $simd =~ ^(ON|neon)$ && $architecture == aarch64 ]]; then
    best=neon
    expect_equal "neon" "$(via neon)" "native true"
    expect_equal "avx512" "$(via avx512)" "absent false"
elif [[ $simd =~ ^(ON|simd128)$ && $architecture == wasm32 ]]; then
    best=simd128
    expect_equal "simd128" "$(via simd128)" "native true"
    expect_equal "avx2" "$(via avx2)" "absent false"
fi
# Every kernel with more than the reference has a version for the best set of this machine. It is used unless another was measured as faster.
written='.kernels | map(select(.versions | length > 1))'
[[ $best == scalar ]] && written=.kernels
expect_json "the best set, $best" "[($written)[] | .versions[] | select(.isa == \"$best\") | .via] | unique == [\"native\"]"
by_default="[($written)[] | select(.reason == \"default order\").resolved] | unique == [\"$best\"]"
expect_json "the default order" "$by_default"
# shellcheck disable=SC2016 # jq's variables
expect_json "measured exceptions" '. as $info | [.kernels[] | select(.reason != "default order") | . as $k | any($info.preferences[];
    .kernel == $k.name and .isa == $k.resolved and .microarchitecture == $info.microarchitecture and (.results as $r | $k.reason | contains($r)))] | all'

VOXPHYS_ISA=scalar run info --json
expect_json "VOXPHYS_ISA=scalar" '[.kernels[] | .resolved, .reason] | unique == ["VOXPHYS_ISA=scalar", "scalar"]'
VOXPHYS_ISA='' run info --json
expect_json "an empty VOXPHYS_ISA" "$by_default"
for isa in neon simd128; do
    [[ $(via $isa) == "simde true" ]] || continue
    VOXPHYS_ISA=$isa-simde run info --json
    expect_json "VOXPHYS_ISA=$isa-simde" "[($written)[].resolved] | unique == [\"$isa-simde\"]"
    VOXPHYS_ISA=$isa-simde run info
    expect_equal "lines of kernels by $isa-simde" "$(grep -cF " -> $isa-simde (VOXPHYS_ISA=$isa-simde)" <<<"$out")" "$(jq "$written | length" <<<"$info")"
    expect_in stdout "$out" "usable here as $isa-simde"
    VOXPHYS_ISA=$isa refused "instruction set \"$isa\" is not in this build; \"$isa-simde\" is" info
done
if [[ $(via avx2) == native* ]]; then
    VOXPHYS_ISA=avx2-simde refused 'instruction set "avx2-simde" is not in this build; "avx2" is' info
fi

succeeds info
for word in scalar plain avx2 avx512 neon simd128 $kernels; do
    expect_in stdout "$out" "$word"
done
expect_equal "columns where versions begin" "$(sed '1,/^Kernels/d' <<<"$out" | awk '{ print match($0, / scalar/) }' | sort -u | wc -l)" 1
[[ $emulated == yes || $architecture != x86-64 ]] || expect_in stdout "$out" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
finish
