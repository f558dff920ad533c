#!/bin/bash
# SPDX-License-Identifier: MIT
# figures.sh: each figure that the README or a page of docs/kernels links to a section of results/README.md is in that section, and
# results/README.md is the output of `voxphys report` for the committed measurements.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
count=0
while IFS='|' read -r page figure section; do
    count=$((count + 1))
    text=$(awk -v wanted="$section" '/^#+ / {
        name = tolower($0); sub(/^#+ +/, "", name); gsub(/[^a-z0-9 _-]/, "", name); gsub(/ /, "-", name)
        inside = name == wanted && !found[name]++ } inside' results/README.md)
    if ! grep -qE "(^|[^0-9.])${figure//./\\.}" <<<"$text"; then
        echo "FAIL: $page links $figure to results/README.md#$section, where it does not stand" >&2
        exit 1
    fi
done < <(grep -oHE '\[[0-9][^]]*\]\([./]*results/README\.md#[a-z0-9_-]+\)' README.md docs/kernels/*.md |
    sed -E 's/^([^:]*):\[([0-9][^] ]*( checks)?).*#([a-z0-9_-]+)\)$/\1|\2|\4/')
if [[ $count -lt 16 ]]; then
    echo "FAIL: README.md and docs/kernels have only $count figures with a link" >&2
    exit 1
fi
echo "$count figures of README.md and docs/kernels stand in results/README.md"

again=$VOXPHYS_BUILD/tests/docs/results
rm -rf "$again"
mkdir -p "$again"
cp -r results/. "$again/"
rm -f "$again"/{README.md,speed.svg}
"$VOXPHYS_BUILD/bin/voxphys" report --results "$again" >"$again.log"
for page in README.md speed.svg; do
    if ! cmp "results/$page" "$again/$page"; then
        echo "FAIL: results/$page is not what voxphys report makes from the measurements beside it" >&2
        exit 1
    fi
done
