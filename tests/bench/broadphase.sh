#!/bin/bash
# SPDX-License-Identifier: MIT
# voxphys broadphase gives the same answers by every kernel, form, thread count and way to name its input, answers that are
# known beforehand where they are, and refuses bad input with exit code 2 and a message that names it.
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail()
{
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

# value JQ_PATH ARGUMENT...
value()
{
    local path=$1
    shift
    voxphys broadphase "$@" --json 2>"$folder/err" | jq -r "$path"
}

# same WHAT EXPECTED GOT
same()
{
    if [[ $2 != "$3" ]]; then
        fail "$1: $3, not $2 $(cat "$folder/err")"
    fi
}

# ---- one answer ----

want=$(value .queries.digest terrain-l2 --boxes boxes-medium --queries 10000 --isa scalar)
[[ $want =~ ^[0-9a-f]{16}$ ]] || fail "no digest: $want"
same "best kernels" "$want" "$(value .queries.digest terrain-l2 --boxes boxes-medium --queries 10000 --isa best)"
same "VOXPHYS_ISA" "$want" "$(VOXPHYS_ISA=scalar value .queries.digest terrain-l2 --boxes=boxes-medium --queries 10000)"
same "single queries" "$want" "$(value .queries.digest --single terrain-l2 --boxes boxes-medium --queries 10000)"
if voxphys broadphase terrain-l2 --threads 2 --queries 1 >/dev/null 2>&1; then
    same "2 threads" "$want" "$(value .queries.digest terrain-l2 --boxes boxes-medium --queries 10000 --threads 2)"
fi
voxphys dataset make terrain-l2 -o "$folder/terrain-l2.vpw" >/dev/null || fail "no world file"
voxphys dataset make terrain-l2/boxes-medium -o "$folder/boxes.jsonl" >/dev/null || fail "no box file"
same "a world's file" "$want" "$(value .queries.digest "$folder/terrain-l2.vpw" --boxes boxes-medium --queries 10000)"
same "a box file" "$want" "$(value .queries.digest "$folder/terrain-l2.vpw" --boxes "$folder/boxes.jsonl" --queries 10000)"
other=$(value .queries.digest terrain-l2 --extent 3,6 --queries 10000)
same "random boxes, again" "$other" "$(value .queries.digest terrain-l2 --extent 3,6 --queries 10000 --seed 1)"
[[ $(value .queries.digest terrain-l2 --extent 3,6 --queries 10000 --seed 2) != "$other" ]] || fail "another seed, the same answers"

# ---- known answers ----

# The world is 64^3, with hills and lakes: a box over all of it touches both, boxes far outside touch nothing; infinite ones
# are boxes too.
cat >"$folder/known.jsonl" <<'END'
{"min": ["0", "0", "0"], "max": ["64", "64", "64"]}
{"min": ["-100", "0", "0"], "max": ["-3", "64", "64"]}
{"min": ["0", "66", "0"], "max": ["64", "0x1p+20", "64"]}
{"min": ["-inf", "-inf", "-inf"], "max": ["inf", "inf", "inf"]}
END
same "known answers" "5 5 5" "$(value '.queries | "\(.touch_solid) \(.touch_water) \(.touch_any)"' terrain-l2 --boxes "$folder/known.jsonl" --queries 9)"
same "no queries" "0 0" "$(value '.queries | "\(.count) \(.touch_any)"' terrain-l2 --queries 0)"
same "tags are of all chunks" 512 "$(value '[.tags[]] | add' terrain-l2 --queries 0)"
same "masks are 128 bytes a mixed chunk" true "$(value '.memory.mask_bytes == .tags.mixed * 128' terrain-l2 --queries 0)"
text=$(voxphys broadphase terrain-l2 --boxes boxes-medium --queries 10000)
[[ $text == *"digest $want"* ]] || fail "the text tells another digest: $text"

# ---- mistakes ----

# refused MESSAGE ARGUMENT...
refused()
{
    local message=$1 code=0
    shift
    voxphys broadphase "$@" >"$folder/out" 2>"$folder/err" || code=$?
    [[ $code -eq 2 ]] || fail "broadphase $*: exit code $code, not 2"
    [[ ! -s $folder/out ]] || fail "broadphase $*: something on the standard output"
    grep -qF -- "$message" "$folder/err" || fail "broadphase $*: no '$message' in: $(cat "$folder/err")"
}

refused 'usage' # no world
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
printf 'VPW? no' >"$folder/bad.vpw"
refused 'bad.vpw' "$folder/bad.vpw"
echo '{"min": ["0", "0", "0"], "max": ["1", "1", 0.1]}' >"$folder/bad.jsonl"
refused 'line 1' terrain-l2 --boxes "$folder/bad.jsonl"
{ cat "$folder/known.jsonl"; echo '{"min": ["0", "0", "nan"], "max": ["1", "1", "1"]}'; } >"$folder/bad.jsonl"
refused 'bad.jsonl: line 5: min.z is NaN' terrain-l2 --boxes "$folder/bad.jsonl" --queries 5
: >"$folder/bad.jsonl"
refused 'no box' terrain-l2 --boxes "$folder/bad.jsonl"
cp "$folder/terrain-l2.vpw" "$folder/terrain-l3.vpw"
refused 'hash' "$folder/terrain-l3.vpw" --boxes boxes-small

echo "$failures failures"
[[ $failures -eq 0 ]]
