#!/bin/bash
# SPDX-License-Identifier: MIT
# figures.sh: results/README.md is the output of `voxphys report` for the committed measurements. docs.kernel_figures compares the figures
# that README.md and docs/kernels quote from it, in links with a title.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
count=$(grep -ohE '\]\([./]*results/README\.md#[a-z0-9_-]+ "' README.md docs/kernels/*.md | wc -l)
if [[ $count -lt 16 ]]; then
    echo "FAIL: README.md and docs/kernels have only $count figures with a link" >&2
    exit 1
fi
if grep -nE '\[[0-9][^]]*\]\([./]*results/README\.md#[a-z0-9_-]+\)' README.md docs/kernels/*.md; then
    echo "FAIL: these figures have a link without a title, so bench/figures does not compare them" >&2
    exit 1
fi
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
