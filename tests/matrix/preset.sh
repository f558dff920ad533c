#!/bin/bash
# SPDX-License-Identifier: MIT
# preset.sh PRESET: configures, builds and tests one preset. The compiler's output is shown only where it fails.
set -euo pipefail
preset=$1
folder=build/$preset
mkdir -p "$folder"
rm -f "$folder/tests.xml"

quietly() # STEP COMMAND...
{
    if ! "${@:2}" >"$folder/$1.log" 2>&1; then
        cat "$folder/$1.log"
        echo "FAIL: preset $preset: $1 fails"
        exit 1
    fi
    if grep -E 'warning:|CMake Warning' "$folder/$1.log"; then
        echo "FAIL: preset $preset: $1 has warnings"
        exit 1
    fi
}

if [[ $preset == aarch64 ]]; then
    quietly packages cmake/aarch64-sysroot
elif [[ $preset == wasm ]]; then
    quietly packages cmake/wasm-sysroot
fi
quietly configure cmake --preset "$preset"
quietly build cmake --build --preset "$preset"

# The thread and the memory sanitizer of clang 14 need the program where they expect it, which a system that places
# programs very randomly does not promise.
place=()
if [[ $preset == [tm]san ]] && setarch -R true 2>/dev/null; then
    place=(setarch -R)
fi
"${place[@]}" ctest --preset "$preset" --parallel "$(nproc)" --output-junit tests.xml
