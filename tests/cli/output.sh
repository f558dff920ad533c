#!/bin/bash
# SPDX-License-Identifier: MIT
# Output errors. If standard output cannot be written, every command reports it and fails. A file name that is not UTF-8 still
# gives valid JSON.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

# lost REASON: the last command could not print.
lost()
{
    expect_status 1
    expect_in stderr "$err" "voxphys: cannot write to standard output: $1"
    expect_equal "the number of messages" "$(wc -l <"$scratch/err")" 1
}

: >"$scratch/out"
run grow terrain-l2 --steps 2 --record "$scratch/some.vpr"
for arguments in "--help" "--version" "info" "info --json" "info --help" "dataset --help" "dataset list" \
    "dataset list --json" "dataset info terrain-l2" "dataset info terrain-l2 --json" "verify --help" \
    "verify --dataset fuzz-0 --kernel dilate_chunk" "verify --dataset fuzz-0 --kernel dilate_chunk --json" "broadphase terrain-l2 --queries 10" \
    "broadphase terrain-l2 --queries 10 --json" "mesh terrain-l2" "mesh terrain-l2 --json" \
    "grow terrain-l2 --steps 9" "grow terrain-l2 --steps 9 --each --json" "view $scratch/some.vpr" "view $scratch/some.vpr --json" "simulate $VOXPHYS_SOURCE/datasets/scenes/stack.json --steps 2" "simulate $VOXPHYS_SOURCE/datasets/scenes/stack.json --steps 2 --json" \
    "hull terrain-l2" "hull terrain-l2 --dimension 2 --json" "raycast terrain-l2 --ray 0,0,0,1,0,0" "raycast terrain-l2 --ray 0,0,0,1,0,0 --json" \
    "dataset make terrain-l2/boxes-small -o -"; do
    if [[ -w /dev/full ]]; then
        shown="voxphys $arguments >/dev/full"
        # shellcheck disable=SC2086 # words
        voxphys $arguments >/dev/full 2>"$scratch/err" </dev/null
        status=$? err=$(cat "$scratch/err")
        lost "No space left on device"
    fi
    shown="voxphys $arguments >&-"
    # shellcheck disable=SC2086 # words
    voxphys $arguments 2>"$scratch/err" </dev/null >&-
    status=$? err=$(cat "$scratch/err")
    lost "Bad file descriptor"
done

# With standard output closed, the next file that is opened must not get its descriptor.
run dataset make terrain-l2 -o "$scratch/whole.vpw"
shown="voxphys dataset make terrain-l2 >&-"
voxphys dataset make terrain-l2 -o "$scratch/closed.vpw" 2>"$scratch/err" </dev/null >&-
status=$? err=$(cat "$scratch/err")
lost "Bad file descriptor"
cmp -s "$scratch/whole.vpw" "$scratch/closed.vpw" || fail "the file is not the one that is made with an open output"

# ---- names with an invalid byte, a cut character, a surrogate, and a valid name ----
for name in $'a\xff.vpw:a\ufffd.vpw' $'\xc3.vpw:\ufffd.vpw' $'\xed\xa0\x80.vpw:\ufffd\ufffd\ufffd.vpw' \
    $'\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80.vpw:\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80.vpw'; do
    file=$scratch/${name%%:*}
    succeeds dataset make terrain-l2 -o "$file" --json
    expect_equal "the file in JSON" "$(jq -r .file <<<"$out")" "$scratch/${name#*:}"
    run dataset make terrain-l2 -o "$scratch/from.vpw"
    succeeds dataset import "$scratch/from.vpw" -o "$file" --json
    expect_equal "the file in JSON" "$(jq -r .file <<<"$out")" "$scratch/${name#*:}"
    succeeds broadphase "$file" --queries 1 --json
    expect_equal "the world in JSON" "$(jq -r .world <<<"$out")" "$scratch/${name#*:}"
    echo '{"min": [0, 0, 0], "max": [1, 1, 1]}' >"$file.jsonl"
    succeeds broadphase terrain-l2 --boxes "$file.jsonl" --queries 1 --json
    expect_equal "the boxes in JSON" "$(jq -r .queries.boxes.set <<<"$out")" "$scratch/${name#*:}.jsonl"
done

# A report's pages are UTF-8 and contain the folder names.
mkdir -p "$scratch/results/"$'m\xff'
echo '{}' >"$scratch/results/"$'m\xff/results.json'
refused $'m\ufffd: the folder\'s name is not UTF-8' report "$scratch/results" --out "$scratch/pages"
[[ ! -e $scratch/pages/report.html ]] || fail "a page was written"
finish
