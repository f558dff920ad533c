#!/bin/bash
# SPDX-License-Identifier: MIT
# hash.sh MODULE: a script of all commands leads to the same state in WebAssembly and natively. Wrong commands are reported.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
. "$VOXPHYS_SOURCE/tests/wasm/native.bash"
build_native voxphys_playground
script=$VOXPHYS_SOURCE/tests/playground/script.txt
run_as "native playground" "$build/bin/playground" "$script"
expect_status 0
hash=$out
expect_equal "digits of the hash" "${#hash}" 16
run_as "playground in node" node "$VOXPHYS_SOURCE/tests/playground/replay.mjs" "$1" "$script"
expect_status 0
expect_equal "the hash" "$out" "$hash"
while IFS='|' read -r message command; do
    printf 'world 1\n%s\n' "$command" >"$scratch/script"
    run_as "$command" "$build/bin/playground" "$scratch/script"
    expect_status 2
    expect_in stderr "$err" "line 2: $message"
done <<'END'
command jump is unknown|jump
step: 0 words follow; must be 1|step
shape cone: must be|throw cone 1 1 1 1 1 1 1 1
material 9: must be|fill 9 1 1 1 1
species elm: must be|plant elm 1 1 1
no hull is solid|drop 1 1 1
END
finish
