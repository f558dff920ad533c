#!/bin/bash
# SPDX-License-Identifier: MIT
# example.sh: the README shows, as blocks fenced as c, the very programs that tests/package builds and runs, without their
# licence lines, and behind each, fenced as text, what it prints.
set -euo pipefail
cd "$VOXPHYS_SOURCE"

block() # FENCE NUMBER: that block of the README
{
    awk -v fence="\`\`\`$1" -v wanted="$2" '/^```/ { open = !open && $0 == fence ? ++count == wanted : 0; if (!open) inside = 0; else inside = 1; next }
        inside' README.md
}

number=0
for example in consumer hull; do
    number=$((number + 1))
    for part in c text; do
        there=$(if [[ $part == c ]]; then sed 1d "tests/package/$example.c"; else cat "tests/package/$example.txt"; fi)
        if ! diff <(echo "$there") <(block "$part" "$number"); then
            echo "FAIL: README.md's block $number of $part (>) is not that of tests/package/$example (<)" >&2
            exit 1
        fi
    done
done
