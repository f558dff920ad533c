#!/bin/bash
# SPDX-License-Identifier: MIT
# figures.sh: every row of the README's tables of results stands, word for word, in results/README.md, and that page and the
# report are what `voxphys report` makes from the committed measurements.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
rows=$(awk '/^## / { inside = $0 == "## Headline results" } inside && /^\|/' README.md)
count=0
while IFS= read -r row; do
    count=$((count + 1))
    if ! grep -qxF -- "$row" results/README.md; then
        echo "FAIL: this row of README.md is not in results/README.md: $row" >&2
        exit 1
    fi
done <<<"$rows"
if [[ $count -lt 5 ]]; then
    echo "FAIL: README.md's headline results have only $count rows" >&2
    exit 1
fi
echo "$count rows of README.md are in results/README.md"

again=$VOXPHYS_BUILD/tests/docs/results
rm -rf "$again"
mkdir -p "$again"
cp -r results/. "$again/"
rm -f "$again/README.md" "$again/report.html"
"$VOXPHYS_BUILD/bin/voxphys" report --results "$again" --out "$again" >"$again.log"
for page in README.md report.html; do
    if ! cmp "results/$page" "$again/$page"; then
        echo "FAIL: results/$page is not what voxphys report makes from the measurements beside it" >&2
        exit 1
    fi
done
# A drawing has room for so many lines, and the limits come last.
for line in "limit: read" "limit: read and write"; do
    if ! grep -qF ">$line<" results/report.html; then
        echo "FAIL: results/report.html does not draw \"$line\"" >&2
        exit 1
    fi
done
