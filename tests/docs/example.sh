#!/bin/bash
# SPDX-License-Identifier: MIT
# example.sh: the README's C code stands, indented, in examples/terrain.c, which tests/package builds and runs.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
block=$(awk '/^```c$/ { open = 1; next } /^```$/ { open = 0 } open { print ($0 == "" ? "" : "    ") $0 }' README.md)
[[ $(grep -c . <<<"$block") -ge 10 ]] || { echo "FAIL: README.md has no C code" >&2; exit 1; }
if [[ $(<examples/terrain.c) != *$'\n'"$block"$'\n'* ]]; then
    echo "FAIL: README.md's C code does not stand, indented, in examples/terrain.c:" >&2
    diff <(echo "$block") examples/terrain.c | grep '^<' >&2
    exit 1
fi
