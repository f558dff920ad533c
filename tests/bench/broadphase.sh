#!/bin/bash
# SPDX-License-Identifier: MIT
# `voxphys broadphase` gives the same answers for every way to name its input, and the known answers of hand-made boxes. Bad input ends
# with exit code 2 and a message that names it. tests/cli/broadphase.sh covers kernels, forms and threads.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR/../cli
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
subject=(broadphase)

answers() # WHAT JQ_FILTER WANTED ARGUMENT...
{
    run broadphase "${@:4}" --json
    expect_equal "$1" "$(jq -r "$2" <<<"$out")" "$3"
}

# ---- one answer ----

run broadphase terrain-l2 --boxes boxes-medium --queries 10000
want=$(sed -n 's/.*digest \([0-9a-f]\{16\}\).*/\1/p' <<<"$out")
voxphys dataset make terrain-l2 -o "$scratch/terrain-l2.vpw" >/dev/null || fail "no world file"
voxphys dataset make terrain-l2/boxes-medium -o "$scratch/boxes.jsonl" >/dev/null || fail "no box file"
answers "of a set" .queries.digest "$want" terrain-l2 --boxes=boxes-medium --queries 10000
answers "of a world's file" .queries.digest "$want" "$scratch/terrain-l2.vpw" --boxes boxes-medium --queries 10000
answers "of a box file" .queries.digest "$want" "$scratch/terrain-l2.vpw" --boxes "$scratch/boxes.jsonl" --queries 10000
answers "of random boxes" '.queries.digest | length' 16 terrain-l2 --extent 3,6 --queries 10000
other=$(jq -r .queries.digest <<<"$out")
answers "of the same seed" .queries.digest "$other" terrain-l2 --extent 3,6 --queries 10000 --seed 1
answers "of another seed" ".queries.digest == \"$other\"" false terrain-l2 --extent 3,6 --queries 10000 --seed 2

# ---- known answers ----

# A 64^3 world with hills and lakes. A box over all of it touches both surfaces. Boxes far outside touch nothing. Infinite
# boxes are valid.
cat >"$scratch/known.jsonl" <<'END'
{"min": ["0", "0", "0"], "max": ["64", "64", "64"]}
{"min": ["-100", "0", "0"], "max": ["-3", "64", "64"]}
{"min": ["0", "66", "0"], "max": ["64", "0x1p+20", "64"]}
{"min": ["-inf", "-inf", "-inf"], "max": ["inf", "inf", "inf"]}
END
answers "known" '.queries | "\(.touch_solid) \(.touch_water) \(.touch_any)"' "5 5 5" terrain-l2 --boxes "$scratch/known.jsonl" --queries 9
answers "without queries: tags are of all chunks, masks are 128 bytes a mixed one" '"\(.queries.count) \(.queries.touch_any) \([.tags[]] | add) \(.memory.mask_bytes == .tags.mixed * 128)"' \
    "0 0 512 true" terrain-l2 --queries 0

# ---- mistakes ----

refused 'usage' # without a world
refused 'no-such-world' no-such-world
refused './no-such-file.vpw' ./no-such-file.vpw
refused 'boxes-none' terrain-l2 --boxes boxes-none
refused 'boxes-none.jsonl' terrain-l2 --boxes boxes-none.jsonl
refused '3,1' terrain-l2 --extent 3,1
refused '-1,1' terrain-l2 --extent=-1,1
refused 'nan' terrain-l2 --extent nan,1
refused "'7'" terrain-l2 --extent 7
refused 'sse9' terrain-l2 --isa sse9
refused '12monkeys' terrain-l2 --queries 12monkeys
refused '99999999999' terrain-l2 --queries 99999999999
refused "'0'" terrain-l2 --threads 0
refused 'exclude' terrain-l2 --boxes boxes-small --extent 1,2
refused 'exclude' terrain-l2 --batch --single
refused '--seed' terrain-l2 --boxes boxes-small --seed 3
refused '--nonsense' terrain-l2 --nonsense
printf 'VPW? no' >"$scratch/bad.vpw"
refused 'bad.vpw' "$scratch/bad.vpw"
echo '{"min": ["0", "0", "0"], "max": ["1", "1", 0.1]}' >"$scratch/bad.jsonl"
refused 'line 1' terrain-l2 --boxes "$scratch/bad.jsonl"
{ cat "$scratch/known.jsonl"; echo '{"min": ["0", "0", "nan"], "max": ["1", "1", "1"]}'; } >"$scratch/bad.jsonl"
refused 'bad.jsonl: line 5: min.z is NaN' terrain-l2 --boxes "$scratch/bad.jsonl" --queries 5
: >"$scratch/bad.jsonl"
refused 'no box' terrain-l2 --boxes "$scratch/bad.jsonl"
cp "$scratch/terrain-l2.vpw" "$scratch/terrain-l3.vpw"
refused 'hash' "$scratch/terrain-l3.vpw" --boxes boxes-small

finish
