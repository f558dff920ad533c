#!/bin/bash
# SPDX-License-Identifier: MIT
# pictures.sh READER...: the pictures in docs/images are pixel by pixel those of the commands in the documents, which docs.commands.* have
# run before. Pictures of pages in a browser are not compared. READER is tests/cli/read_png.c. Every picture is shown in the README, on a
# kernel's page or in docs/PLAYGROUND.md, and none is large.
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
reader=("$@")
. "$VOXPHYS_SOURCE/tests/files.bash"

count=0
for picture in docs/images/*.png; do
    count=$((count + 1))
    name=$(basename "$picture")
    [[ $(wc -c <"$picture") -le 250000 ]] || fail "$picture is larger than 250000 bytes"
    grep -qE "\]\(((docs|\.\.)/)?images/$name\)" README.md docs/PLAYGROUND.md docs/kernels/*.md || fail "$picture is on no page"
    if [[ $name == debugger-* || $name == view-* || $name == playground.png ]]; then # from a browser, so pixels differ between machines
        grep -q "keep(\"${name%.png}\"" tests/{view,playground}/look.py || fail "no look.py takes $picture"
        continue
    fi
    taken=("$VOXPHYS_BUILD"/tests/docs/*/tree/build/"$name")
    if [[ ! -e ${taken[0]} ]]; then
        block=$(grep -lF -- "-o build/$name" "$VOXPHYS_BUILD"/tests/docs/*/blocks/*.sh | head -n 1)
        if [[ -n $block && ! -e $block.log ]]; then
            echo "$picture is not compared: its commands were left out"
            continue
        fi
        fail "no document has a command that takes $picture"
        continue
    fi
    cmp <("${reader[@]}" "$picture" all) <("${reader[@]}" "${taken[0]}" all) || fail "$picture is not what its command takes"
done
[[ $count -ge 5 ]] || fail "only $count pictures were found"
echo "$count pictures, $failures failures"
[[ $failures -eq 0 ]]
