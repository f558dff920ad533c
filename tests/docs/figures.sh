#!/bin/bash
# SPDX-License-Identifier: MIT
# figures.sh: each figure that the README links to a section of results/README.md is in that section, and that page is the output of
# `voxphys report` for the committed measurements.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
count=0
while IFS='|' read -r figure section; do
    count=$((count + 1))
    text=$(awk -v wanted="$section" '/^#+ / {
        name = tolower($0); sub(/^#+ +/, "", name); gsub(/[^a-z0-9 _-]/, "", name); gsub(/ /, "-", name)
        inside = name == wanted && !found[name]++ } inside' results/README.md)
    if ! grep -qE "(^|[^0-9.])${figure//./\\.}" <<<"$text"; then
        echo "FAIL: README.md links $figure to results/README.md#$section, where it does not stand" >&2
        exit 1
    fi
done < <(grep -oE '\[[0-9][^]]*\]\(results/README\.md#[a-z0-9_-]+\)' README.md | sed -E 's/^\[([0-9][^ ]*( checks)?).*#([a-z0-9_-]+)\)$/\1|\3/')
if [[ $count -lt 4 ]]; then
    echo "FAIL: README.md has only $count figures with a link" >&2
    exit 1
fi
echo "$count figures of README.md stand in results/README.md"

again=$VOXPHYS_BUILD/tests/docs/results
rm -rf "$again"
mkdir -p "$again"
cp -r results/. "$again/"
rm -f "$again/README.md"
"$VOXPHYS_BUILD/bin/voxphys" report --results "$again" >"$again.log"
if ! cmp results/README.md "$again/README.md"; then
    echo "FAIL: results/README.md is not what voxphys report makes from the measurements beside it" >&2
    exit 1
fi
