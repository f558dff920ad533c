#!/bin/bash
# SPDX-License-Identifier: MIT
# links.sh: the local links of every document lead to existing files, their anchors to headings, and file names written as `folder/file.ext`
# in documents exist.
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
. "$VOXPHYS_SOURCE/tests/files.bash"

# The anchor of a heading has lower case, no punctuation, and dashes for spaces.
anchors() # DOCUMENT
{
    awk '/^ *```/ { open = !open; next } !open && /^#+ / { sub(/^#+ +/, ""); print }' "$1" |
        tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

prose() # DOCUMENT: without its fenced blocks
{
    awk '/^ *```/ { open = !open; next } !open' "$1"
}

folders='\.ci|bench|cases|cmake|conformance|datasets|docs|examples|host|include|optimized|reference|src|tests|tools'
quoted_name=$'\140('$folders$')/[A-Za-z0-9_./-]+\140' # \140 is the backquote
checked=0
while read -r document; do
    folder=$(dirname "$document")
    while read -r link; do
        checked=$((checked + 1))
        path=${link%%#*}
        target=$document
        [[ -z $path ]] || target=$folder/$path
        if [[ ! -e $target ]]; then
            fail "$document links to $link, which does not exist"
        elif [[ $link == *\#* && $target == *.md ]]; then
            anchors "$target" | grep -xF -- "${link#*#}" >/dev/null || fail "$document links to $link, but there is no such heading"
        fi
    done < <(prose "$document" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' | grep -vE '^[a-z]+:')
    # `src/core/cpu.c`, `docs/FORMATS.md`: names in the top-level folders of the source, without placeholders.
    while read -r name; do
        checked=$((checked + 1))
        [[ -e $name ]] || fail "$document names $name, which does not exist"
    done < <(prose "$document" | grep -oE "$quoted_name" | tr -d '\140')
done < <(source_files | grep '\.md$')

[[ ! -e README.md || $checked -ge 5 ]] || fail "only $checked links and names were found"
echo "$checked links and names, $failures failures"
[[ $failures -eq 0 ]]
