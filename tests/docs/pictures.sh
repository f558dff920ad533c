#!/bin/bash
# SPDX-License-Identifier: MIT
# pictures.sh READER...: the pictures in docs/images are those that the commands in the documents take, pixel by pixel; READER is
# tests/cli/read_png.c. And every picture there is shown in the README or on a kernel's page, and none is large.
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
reader=("$@")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail()
{
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

# All that are taken, in order, with what is made for them.
mkdir "$scratch/build"
ln -s "$VOXPHYS_BUILD" "$scratch/build/release"
grep -hE "^(echo '.*' >build/[a-z]*\.json|build/release/bin/voxphys (blocks|decompose|grow|render) .* -o build/.*)$" README.md docs/*.md >"$scratch/commands"
(cd "$scratch" && bash -euo pipefail commands) >"$scratch/out" 2>&1 || { fail "a command fails:"; cat "$scratch/out" >&2; }

count=0
for picture in docs/images/*.png; do
    count=$((count + 1))
    name=$(basename "$picture")
    [[ $(wc -c <"$picture") -le 250000 ]] || fail "$picture is larger than 250000 bytes"
    grep -qE "\]\((docs|\.\.)/images/$name\)" README.md docs/kernels/*.md || fail "$picture is neither in the README nor on a kernel's page"
    if [[ ! -e $scratch/build/$name ]]; then
        fail "no document has a command that takes $picture"
        continue
    fi
    cmp <("${reader[@]}" "$picture" all) <("${reader[@]}" "$scratch/build/$name" all) || fail "$picture is not what its command takes"
done
[[ $count -ge 5 ]] || fail "only $count pictures were found"
echo "$count pictures, $failures failures"
[[ $failures -eq 0 ]]
