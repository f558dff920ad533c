#!/bin/bash
# SPDX-License-Identifier: MIT
# porting_figures.sh: the tables of the pages in docs/porting are what bench/porting-figures makes of the committed files; and that
# check finds a figure that was altered by hand, in a page or in a file, and a page without its place, each by the page's name.
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
mkdir -p "$copy/bench" "$copy/docs" "$copy/results"
cp bench/porting-figures "$copy/bench/"
cp results/*.json "$copy/results/"
for machine in results/*/; do
    ln -s "$PWD/${machine%/}" "$copy/results/"
done
afresh()
{
    rm -rf "$copy/docs/porting"
    cp -r docs/porting "$copy/docs/"
    cp results/*.json "$copy/results/"
}
# found PAGE WHAT: the check of the copy fails, and names this page and no other
found()
{
    local said status=0
    said=$("$copy/bench/porting-figures" --check 2>&1) || status=$?
    [[ $status -eq 1 ]] || fail "$2: the check ends with $status, not 1: $said"
    [[ $(grep -o 'docs/porting/[a-z0-9-]*\.md' <<<"$said" | sort -u) == "docs/porting/$1.md" ]] || fail "$2: the check says $said"
    echo "found: $2"
}
# alter FILE EXPRESSION: sed's, which changes something
alter()
{
    cp "$1" "$copy/before"
    sed -i "$2" "$1"
    ! cmp -s "$1" "$copy/before" || fail "$1 has nothing that $2 alters"
}

afresh
"$copy/bench/porting-figures" --check >"$copy/log" || fail "the copy is not what the source is"
alter "$copy/docs/porting/overlap.md" '0,/^\(| x86-64 | avx2 |\) \([0-9]*\)/s//\1 1\2/'
found overlap "a count of instructions"
afresh
alter "$copy/docs/porting/kd-ray.md" '0,/^\(| avx2 | znver3 | [0-9.]* |\) \([0-9]\)/s//\1 9\2/'
found kd-ray "a cycle of a model"
afresh
alter "$copy/docs/porting/mesher.md" '0,/^\(| amd-epyc-[^|]*| avx512 |\) \([0-9]\)/s//\1 7\2/'
found mesher "a time"
afresh
alter "$copy/docs/porting/hull2.md" '0,/^\(| x86-64 | neon-simde \/ avx2 |\) [0-9.]*/s//\1 1.00/'
found hull2 "what SIMDe costs"
afresh
alter "$copy/docs/porting/edges.md" '/^| aarch64 | neon |/d'
found edges "a row that was taken out"
afresh
alter "$copy/docs/porting/world.md" '/^<!-- \/figures -->$/d'
found world "a page without its place"
afresh
jq '(.counted[].rows[] | select(.name == "hull_bounds/avx2/ball/1000") | .per_item) *= 1.01' results/instructions.json \
    >"$copy/results/instructions.json"
found hull-bounds "a count that has changed in the file"
afresh

"$copy/bench/porting-figures" --check >"$copy/log" || fail "the copy is not what the source is, in the end"
alter "$copy/docs/porting/edges.md" '/^| aarch64 | neon |/d'
"$copy/bench/porting-figures" >"$copy/log"
cmp docs/porting/edges.md "$copy/docs/porting/edges.md" || fail "what is written anew is not what it was"
status=0
"$copy/bench/porting-figures" --chek 2>"$copy/log" || status=$?
[[ $status -eq 2 ]] || fail "an argument that is unknown ends with $status, not 2"
