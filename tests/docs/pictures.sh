#!/bin/bash
# SPDX-License-Identifier: MIT
# pictures.sh READER...: the pictures in docs/images are those that the commands in the README take, pixel by pixel; READER is
# tests/cli/read_png.c. And every picture there is shown in the README, and none is large.
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

count=0
for picture in docs/images/*.png; do
    count=$((count + 1))
    name=$(basename "$picture")
    [[ $(wc -c <"$picture") -le 250000 ]] || fail "$picture is larger than 250000 bytes"
    grep -qF "]($picture)" README.md || fail "$picture is not in the README"
    command=$(grep -E "^build/release/bin/voxphys render .* -o build/$name " README.md)
    if [[ -z $command ]]; then
        fail "the README has no command that takes $picture"
        continue
    fi
    read -r -a words <<<"${command#build/release/bin/}"
    for i in "${!words[@]}"; do
        [[ ${words[i]} != "build/$name" ]] || words[i]=$scratch/$name
    done
    "${words[@]}" >"$scratch/out" || fail "$command"
    cmp <("${reader[@]}" "$picture" all) <("${reader[@]}" "$scratch/$name" all) || fail "$picture is not what its command takes"
done
[[ $count -ge 1 ]] || fail "only $count pictures were found"
echo "$count pictures, $failures failures"
[[ $failures -eq 0 ]]
