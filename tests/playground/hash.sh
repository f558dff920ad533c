#!/bin/bash
# SPDX-License-Identifier: MIT
# hash.sh MODULE: a script of all commands leads to the same state in WebAssembly and natively.
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
expect_equal "the hashes" "$out" "$hash"$'\n'"$hash"
finish
