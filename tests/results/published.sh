#!/bin/bash
# SPDX-License-Identifier: MIT
# The published results stand. The script that checks this finds folders without results.json, altered results, and names with blanks.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
# shellcheck source-path=SCRIPTDIR
. "$VOXPHYS_SOURCE/tests/results/folder.bash"
script=$VOXPHYS_SOURCE/tests/results/published

published() # STATUS WORDS [RESULTS]: exit status and output
{
    run_as "tests/results/published ${*:3}" "$script" voxphys "${@:3}"
    expect_status "$1"
    expect_in "what is told" "$out$err" "$2"
}

published 0 ", 0 failures"
expect_equal "folders" "$(find "$VOXPHYS_SOURCE/results" -mindepth 1 -maxdepth 1 -type d -not -name '.*' -not -name experiments | wc -l)" "$(sed -n 's/^\([0-9]*\) folders judged.*/\1/p' <<<"$out")"
# The results of a machine take less than 2 MB.
while read -r bytes name; do
    checks=$((checks + 1))
    [[ $bytes -lt 2000000 ]] || fail "$name takes $bytes bytes"
done < <(du --bytes --separate-dirs "$VOXPHYS_SOURCE"/results/*/)

tree="$scratch/some results"
mkdir "$tree"
published 0 "0 folders judged, 0 failures" "$tree"
cp -r "$folder" "$tree/"
touch "$tree/README.md"
mkdir "$tree/.partial-x"
published 0 "1 folders judged, 0 failures" "$tree"

cp -r "$folder" "$tree/made-up-2cpu-2"
rm "$tree/made-up-2cpu-2/results.json"
published 1 "FAIL: $tree/made-up-2cpu-2 has no results.json" "$tree"
rm -rf "$tree/made-up-2cpu-2"
cp -r "$folder" "$tree/a name with blanks"
published 1 "FAIL: $tree/a name with blanks does not stand" "$tree"
expect_in "the reason" "$out" 'wrong: the folder is named "a name with blanks", the machine in it "made-up-2cpu"'
rm -rf "$tree/a name with blanks"
cp -r "$folder" "$tree/made-up-2cpu-3"
rm "$tree/made-up-2cpu-3/bench.json"
published 1 "bench.json is named, and not in the folder" "$tree"
expect_in "the other" "$out" "$tree/made-up-2cpu: stands"
rm -rf "$tree/made-up-2cpu-3"
# Links, which may lead out of the folder or nowhere, and other files that are not regular.
mkfifo "$tree/made-up-2cpu/more.json"
published 1 "FAIL: not a regular file: $tree/made-up-2cpu/more.json" "$tree"
rm "$tree/made-up-2cpu/more.json"
for name in made-up-2cpu-5 .hidden made-up-2cpu/notes.md; do
    ln -s nowhere "$tree/$name"
    published 1 "FAIL: not a regular file: $tree/$name" "$tree"
    rm "$tree/$name"
done
published 2 nowhere "$tree/nowhere"
# The continuous integration runs this script.
expect_in "ci.yml" "$(cat "$VOXPHYS_SOURCE/.github/workflows/ci.yml")" "- run: tests/results/published build/release/bin/voxphys"

finish
