#!/bin/bash
# SPDX-License-Identifier: MIT
# pages.sh: every kernel of the registry, include/voxphys/kernel/*.h, has its page in docs/kernels, by the table in docs/PORTING.md, and is
# in the other documents' tables of kernels. Every page has its drawing and no commands, because docs/PORTING.md has those. A drawing is
# small, has a title and a description, and loads no script, font or picture from elsewhere.
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
shopt -s nullglob

. "$VOXPHYS_SOURCE/tests/files.bash"

kernels=0
while IFS='|' read -r kernel group; do
    kernels=$((kernels + 1))
    page=$(grep -E "^\| \[[a-z0-9-]+\]\(kernels/[a-z0-9-]+\.md\) .*"$'\140'"$kernel"$'\140' docs/PORTING.md | sed 's/^[^(]*(//; s/).*//')
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
done < <(sed -n 's/^ *K(\([a-z0-9_]*\), [a-z0-9_]*, [A-Z0-9_]*, "\([^"]*\)".*/\1|\2/p' include/voxphys/kernel/*.h)
[[ $kernels -ge 10 ]] || fail "only $kernels kernels were found"

pages=0
for page in docs/kernels/*.md; do
    pages=$((pages + 1))
    name=$(basename "$page" .md)
    drawing=docs/kernels/$name.svg
    grep -qF "](kernels/$name.md)" docs/PORTING.md || fail "docs/PORTING.md does not lead to $page"
    grep -qF "]($name.svg)" "$page" || fail "$page does not show $drawing"
    ! grep -qE '^ *```(sh|console)' "$page" || fail "$page has commands: put them into docs/PORTING.md, whose commands are run"
    [[ -e $drawing ]] || { fail "there is no $drawing"; continue; }
    [[ $(wc -c <"$drawing") -le 12288 ]] || fail "$drawing is larger than 12288 bytes"
    for tag in title desc; do
        grep -q "<${tag}[ >]" "$drawing" || fail "$drawing has no <$tag>"
    done
    ! grep -qE '<(script|image|foreignObject)|@import|url\((https?:|data:)|href=' "$drawing" || fail "$drawing brings something from elsewhere"
done

echo "$kernels kernels, $pages pages, $failures failures"
[[ $failures -eq 0 ]]
