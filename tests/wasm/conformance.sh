#!/bin/bash
# SPDX-License-Identifier: MIT
# conformance.sh: a native voxphys asks this build's adapters the whole conformance corpus, and each answer equals the native one, bit for
# bit. The native program is that of the preset release, or is built here with the reference alone.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
. "$VOXPHYS_SOURCE/tests/wasm/native.bash"
build_native voxphys_command
native=$build/bin/voxphys
unset VOXPHYS_ISA
cd "$VOXPHYS_SOURCE" || exit 1

shown="check --same"
"$native" check --same --timeout 30 --json --adapter "$native adapter --isa scalar" --adapter "voxphys adapter --isa scalar" \
    --adapter "voxphys adapter --isa simd128" >"$scratch/out" 2>"$scratch/err" </dev/null
status=$?
out=$(cat "$scratch/out")
expect_status 0
expect_json "programs" '[.adapters[].name] | length == 3 and .[1] == "voxphys-scalar" and .[2] == "voxphys-simd128"'
expect_json "every family is asked" "[.adapters[].families | keys] | unique == [$(jq -cs 'map(select(.vectors).family) | sort' conformance/corpus/*.json)]"
expect_json "every answer is right, and the same" '[.vectors[].results[].result] | unique == ["pass"]'
expect_json "nothing was started twice" '[.adapters[].starts] | unique == [1]'
expect_json "the whole corpus" '(.vectors | length) > 500'
finish
