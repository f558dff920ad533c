#!/bin/bash
# SPDX-License-Identifier: MIT
# porting_figures.sh: the tables of the pages in docs/kernels are the output of bench/porting-figures for the committed files. That check
# finds a figure altered by hand, in a page or in a file, and a page without its place, each by the page's name.
set -euo pipefail
cd "$VOXPHYS_SOURCE"
fail()
{
    echo "FAIL: $*" >&2
    exit 1
}

bench/porting-figures --check || fail "bench/porting-figures writes the pages anew"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/bench" "$copy/datasets" "$copy/docs" "$copy/include/voxphys" "$copy/results"
cp -r include/voxphys/kernel "$copy/include/voxphys/"
cp datasets/retired-names.json "$copy/datasets/"
cp bench/porting-figures "$copy/bench/"
cp docs/PORTING.md "$copy/docs/"
cp results/*.json "$copy/results/"
for machine in results/*/; do
    ln -s "$PWD/${machine%/}" "$copy/results/"
done
# found PAGES WHAT: the check of the copy fails, and names exactly these pages
found()
{
    local said status=0
    said=$("$copy/bench/porting-figures" --check 2>&1) || status=$?
    [[ $status -eq 1 ]] || fail "$2: the check ends with $status, not 1: $said"
    [[ $(grep -o 'docs/kernels/[a-z0-9-]*\.md' <<<"$said" | sed 's|.*/||; s|\.md$||' | sort -u | xargs) == "$1" ]] || fail "$2: the check says $said"
    echo "found: $2"
}
# alter PAGE EXPRESSION: a sed expression that must change the page
alter()
{
    sed -i "$2" "$copy/docs/kernels/$1.md"
    ! cmp -s "docs/kernels/$1.md" "$copy/docs/kernels/$1.md" || fail "docs/kernels/$1.md has nothing that $2 alters"
}

# Made together, because a check reads large files: a count, a cycle of a model, a time, the cost of SIMDe, a missing row, and a count that
# was changed in the file.
cp -r docs/kernels "$copy/docs/"
alter overlap '0,/^\(| x86-64 | avx2 |\) \([0-9]*\)/s//\1 1\2/'
alter kd-ray '0,/^\(| avx2 | znver3 | [0-9.]* |\) \([0-9]\)/s//\1 9\2/'
alter mesher '0,/^\(| amd-epyc-[^|]*| avx512 |\) \([0-9]\)/s//\1 7\2/'
alter hull2 '0,/^\(| x86-64 | neon-simde \/ avx2 |\) [0-9.]*/s//\1 1.00/'
alter edges '/^| aarch64 | neon |/d'
jq '(.counted[].rows[] | select(.name == "hull_bounds/avx2/ball/1000") | .per_item) *= 1.01' results/instructions.json \
    >"$copy/results/instructions.json"
found "edges hull-bounds hull2 kd-ray mesher overlap" "figures that were altered, in pages and in a file"

cp results/instructions.json "$copy/results/"
"$copy/bench/porting-figures" >"$copy/log"
diff -r docs/kernels "$copy/docs/kernels" || fail "what is written anew is not what it was"

alter terrain '/^<!-- \/figures -->$/d'
found terrain "a page without its place"
status=0
"$copy/bench/porting-figures" --chek 2>"$copy/log" || status=$?
[[ $status -eq 2 ]] || fail "an argument that is unknown ends with $status, not 2"
