#!/bin/bash
# SPDX-License-Identifier: MIT
# example.sh: the README's C code stands, indented, in examples/terrain.c, and each piece of docs/SOLVER.md in examples/solver.h or
# examples/solver.c. The pieces of docs/TUTORIAL.md are, in order and without empty lines, examples/walk.c after its first comment. Its
# output is tests/package/walk.txt. tests/package builds and runs these programs.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
block=$(awk '/^```c$/ { open = 1; next } /^```$/ { open = 0 } open { print ($0 == "" ? "" : "    ") $0 }' README.md)
[[ $(grep -c . <<<"$block") -ge 10 ]] || { echo "FAIL: README.md has no C code" >&2; exit 1; }
if [[ $(<examples/terrain.c) != *$'\n'"$block"$'\n'* ]]; then
    echo "FAIL: README.md's C code does not stand, indented, in examples/terrain.c:" >&2
    diff <(echo "$block") examples/terrain.c | grep '^<' >&2
    exit 1
fi

pieces=0
while IFS= read -r -d '' piece; do
    pieces=$((pieces + 1))
    if [[ $(<examples/solver.h) != *$'\n'"$piece"* && $(<examples/solver.c) != *$'\n'"$piece"* ]]; then
        echo "FAIL: docs/SOLVER.md has C code that is neither in examples/solver.h nor in examples/solver.c:" >&2
        echo "$piece" >&2
        exit 1
    fi
done < <(awk '/^```c$/ { open = 1; next } /^```$/ { if (open) printf "%c", 0; open = 0 } open { print }' docs/SOLVER.md)
[[ $pieces -ge 5 ]] || { echo "FAIL: only $pieces pieces of C code were found in docs/SOLVER.md" >&2; exit 1; }

page=$(awk '/^```c$/ { open = 1; next } /^```$/ { open = 0 } open && NF' docs/TUTORIAL.md)
if ! diff <(echo "$page") <(sed '1,/^ \* .*\*\/$/d' examples/walk.c | grep .) >&2; then
    echo "FAIL: the C code of docs/TUTORIAL.md (<) is not examples/walk.c (>)" >&2
    exit 1
fi
if ! diff <(awk '/^```text$/ { open = 1; next } /^```$/ { open = 0 } open' docs/TUTORIAL.md) tests/package/walk.txt >&2; then
    echo "FAIL: the output in docs/TUTORIAL.md (<) is not tests/package/walk.txt (>)" >&2
    exit 1
fi
