#!/bin/bash
# SPDX-License-Identifier: MIT
# pages.sh: every kernel of the registry, include/voxphys/kernel/*.h, has its page in docs/kernels, by the table in docs/PORTING.md, and is
# in the other documents' tables of kernels. README.md, docs/PORTING.md and the pages name SIMD files for those kernels that have versions in
# the registry, and for no others. Every page has its drawing and no commands, because docs/PORTING.md has those. The first C code of a
# page, except those listed as fragments, compiles as the body of main. A drawing is small, has a title and a description, and loads no script, font or picture from elsewhere.
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
shopt -s nullglob

. "$VOXPHYS_SOURCE/tests/files.bash"

kernels=0
simd= # components with versions
while IFS='|' read -r component kernel versions group; do
    kernels=$((kernels + 1))
    row=$(grep -E "^\| \[[a-z0-9-]+\]\(kernels/[a-z0-9-]+\.md\) .*"$'\140'"$kernel"$'\140' docs/PORTING.md)
    page=$(sed 's/^[^(]*(//; s/).*//' <<<"$row")
    if [[ $versions == NONE ]]; then
        [[ $row == *'| the reference alone'* ]] || fail "docs/PORTING.md: $kernel has the reference alone"
        [[ -z $page ]] || ! grep -q 'optimized/' "docs/$page" || grep -qE "^\| \[.*\($page\).*optimized/" docs/PORTING.md || # of another kernel
            fail "docs/$page names files of optimized/, and $kernel has the reference alone"
    else
        [[ $simd == *" $component,"* ]] || simd+=" $component,"
        [[ $row == *'optimized/'* || $row == *'| the same |'* ]] || fail "docs/PORTING.md names no file of optimized/ for $kernel"
        [[ -z $page ]] || grep -q 'optimized/' "docs/$page" || fail "docs/$page names no file of optimized/ for $kernel"
    fi
    if [[ -z $page ]]; then
        fail "docs/PORTING.md names no page for $kernel"
    elif ! grep -qF $'\140'"$kernel"$'\140' "docs/$page"; then
        fail "docs/$page does not name $kernel"
    fi
    for table in "PORTING.md:### Records" "BENCHMARKING.md:## Measured rows" "CONTRACT.md:## At a glance"; do
        named=false
        [[ $table != BENCHMARKING* ]] || ! grep -q "^| $group |" docs/BENCHMARKING.md || named=true
        for word in $(sed -n "/^${table#*:}\$/,/^##/s/^| \([^|]*\) |.*/\1/p" "docs/${table%%:*}" | tr -d ',\140' | tr '*' '%'); do
            # shellcheck disable=SC2053 # "kd_ray%" names them all
            [[ $kernel == ${word//%/*} ]] && named=true
        done
        [[ $named == true ]] || fail "docs/${table%%:*}, ${table#*:}: the table does not name $kernel"
    done
done < <(sed -n 's/^ *C(\([a-z0-9]*\), [A-Z]*, X).*/\1/p' include/voxphys/kernels.h | while read -r component; do
    sed -n "s/^ *K(\([a-z0-9_]*\), *[a-z0-9_]*, *\([A-Z0-9_]*\), *\"\([^\"]*\)\".*/$component|\1|\2|\3/p" "include/voxphys/kernel/$component.h"
done)
grep -qF "SIMD versions exist for${simd%,}." README.md || fail "README.md: SIMD versions exist for${simd%,}"
[[ $kernels -ge 10 ]] || fail "only $kernels kernels were found"

mkdir -p "$VOXPHYS_BUILD/tests/docs"
fragments=" buoyancy contacts decompose narrowphase scene " # use names that their page explains
pages=0
for page in docs/kernels/*.md; do
    pages=$((pages + 1))
    name=$(basename "$page" .md)
    drawing=docs/kernels/$name.svg
    grep -qF "](kernels/$name.md)" docs/PORTING.md || fail "docs/PORTING.md does not lead to $page"
    grep -qF "]($name.svg)" "$page" || fail "$page does not show $drawing"
    ! grep -qE '^ *```(sh|console)' "$page" || fail "$page has commands: put them into docs/PORTING.md, whose commands are run"
    if [[ $fragments != *" $name "* ]] && command -v cc >/dev/null; then
        { printf '#include <%s>\n' stdio.h voxphys/voxphys.h
          echo 'int main(void) {'
          awk '/^```c$/ { open = !done; next } /^```$/ { done = done || open; open = 0 } open' "$page"
          echo '}'; } >"$VOXPHYS_BUILD/tests/docs/$name.c"
        cc -std=c17 -Wall -Wextra -Werror -fsyntax-only -Iinclude -I"$VOXPHYS_BUILD/include" "$VOXPHYS_BUILD/tests/docs/$name.c" ||
            fail "$page: its first example does not compile"
    fi
    [[ -e $drawing ]] || { fail "there is no $drawing"; continue; }
    [[ $(wc -c <"$drawing") -le 12288 ]] || fail "$drawing is larger than 12288 bytes"
    for tag in title desc; do
        grep -q "<${tag}[ >]" "$drawing" || fail "$drawing has no <$tag>"
    done
    ! grep -qE '<(script|image|foreignObject)|@import|url\((https?:|data:)|href=' "$drawing" || fail "$drawing brings something from elsewhere"
done

echo "$kernels kernels, $pages pages, $failures failures"
[[ $failures -eq 0 ]]
