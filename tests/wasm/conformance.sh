#!/bin/bash
# SPDX-License-Identifier: MIT
# conformance.sh: a native voxphys asks this build's adapters the whole conformance corpus, and each answer equals the native one, bit for
# bit. The native program is that of the preset release, or is built here with the reference alone.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
build=$VOXPHYS_SOURCE/build/release
if [[ -e $build/CMakeCache.txt ]] && cmake --build "$build" --target voxphys_command >"$scratch/build.log" 2>&1; then
    echo "asked by the preset release"
elif build=$VOXPHYS_BUILD/native
    ! env -u CC -u CXX cmake -G Ninja -S "$VOXPHYS_SOURCE" -B "$build" -DCMAKE_BUILD_TYPE=Release -DVOXPHYS_SIMD=OFF \
    -DVOXPHYS_TESTS=OFF -DVOXPHYS_BENCH=OFF -DVOXPHYS_OPENMP=OFF >"$scratch/build.log" 2>&1 ||
    ! cmake --build "$build" --target voxphys_command >>"$scratch/build.log" 2>&1; then
    cat "$scratch/build.log"
    echo "FAIL: the native build that asks cannot be made"
    exit 1
fi
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
