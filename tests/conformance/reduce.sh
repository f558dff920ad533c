#!/bin/bash
# SPDX-License-Identifier: MIT
# `voxphys reduce --adapter` makes a question that a program answers wrong small and round, and the answer stays wrong. Added to the
# questions of the corpus, it becomes a vector, whose expected answer comes from the corpus' own oracles.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

program="python3 '$VOXPHYS_SOURCE/tests/conformance/adapters.py'"
against=(--against "voxphys adapter --isa scalar")

# reduced WAY IN OUT [OPTION...]
reduced()
{
    run reduce "$2" -o "$scratch/$3" --adapter "$program fail $1" "${against[@]}" --json "${@:4}"
    expect_status 0
}
# Wrong answers stay wrong through the reduction, even if correct answers could be worded differently. Each kind of failure is listed with
# the part of the question that must remain.
eval "$program failures" >"$scratch/failures" || fail "adapters.py cannot list them"
while read -r _ k way vector _ options; do
    read -ra options <<<"$options"
    reduced "$way" "$vector" "$way-${vector#*/}.json" "${options[@]}" </dev/null
    cp "$scratch/out" "$scratch/result"
    checks=$((checks + 1))
    eval "$program left $k" '"$scratch/result" "$scratch/$way-${vector#*/}.json"' || fail "what is left of $vector by $way"
done <"$scratch/failures"

# A correct program that words its answers differently from the reference wherever possible has no failure, by the corpus or by the
# reference.
eval "$program alikes" >"$scratch/alikes" || fail "adapters.py cannot list them"
while read -r vector; do
    refused "nothing to reduce: alike answers right" reduce "$vector" -o "$scratch/no.json" --adapter "$program alike" "${against[@]}" </dev/null
done <"$scratch/alikes"
refused "answers right, compared with the corpus, and the other wrong" reduce hull2/circle -o "$scratch/no.json" --adapter "voxphys adapter" --against "$program fail drop"
refused "which the other is held against, answers wrong itself: " reduce hull2/circle -o "$scratch/no.json" --adapter "$program fail drop" --against "$program fail drop"

# Only the corpus' own checker knows the largest accepted t of this ray. Another program cannot be asked for it.
refused "answers wrong by the corpus and right by voxphys-scalar. Smaller questions need a trusted program that agrees with the corpus" reduce grid-walk/corner-all -o "$scratch/no.json" --adapter "$program fail late25" "${against[@]}"
reduced late1000 grid-walk/corner-all late.json

# The written question is asked again, as a file and as a line of the protocol.
reduced far "$scratch/far-sphere.json" again.json
expect_equal "nothing is left to do" "$(jq -c .input "$scratch/again.json")" "$(jq -c .input "$scratch/far-sphere.json")"
echo "dilation 8 1 2 ......##........" >"$scratch/line"
reduced column "$scratch/line" line.json
expect_empty stderr "$err"
expect_equal "a line" "$(jq -c '[.input.extents, .input.cells]' "$scratch/line.json")" '[[8,1,1],".......#"]'

{ echo "> 12 dilation 8 1 2 ......##........" && echo "> 13 and more"; } >"$scratch/line"
reduced column "$scratch/line" line.json
expect_equal stderr "$err" "voxphys reduce: $scratch/line has 2 lines: only the first is taken"
expect_equal "a line as it is sent" "$(jq -c '[.input.extents, .input.cells]' "$scratch/line.json")" '[[8,1,1],".......#"]'
jq '.vectors[] | select(.id == "dilation/random-0")' "$VOXPHYS_SOURCE/conformance/corpus/dilation.json" >"$scratch/vector.json"
reduced column "$scratch/vector.json" line.json
expect_equal "a vector in a file" "$(jq -c '[.input.extents, .input.cells]' "$scratch/line.json")" '[[8,1,1],".......#"]'
jq '.expected.solid = "0"' "$scratch/vector.json" >"$scratch/unsound.json"
refused "unsound.json: dilation/random-0: \"expected\": \"solid\" is invalid: it is \"0\"" reduce "$scratch/unsound.json" -o "$scratch/no.json" --adapter "voxphys adapter" "${against[@]}"

# The output must not overwrite an input.
cp "$scratch/far-sphere.json" "$scratch/same.json"
refused "is the file that is read" reduce "$scratch/same.json" -o "$scratch/same.json" --adapter "$program fail far" "${against[@]}"
expect_equal "what is read" "$(cat "$scratch/same.json")" "$(cat "$scratch/far-sphere.json")"

# After a signal while a program starts, the results so far are kept.
cat >"$scratch/signal.sh" <<'END'
starts=$(($(cat "$1/starts") + 1))
echo "$starts" >"$1/starts"
if [[ $starts -eq 5 ]]; then
    kill -TERM "$(cat "$1/pid")"
    sleep 60
fi
exec python3 "$VOXPHYS_SOURCE/tests/conformance/adapters.py" fail crash
END
echo 0 >"$scratch/starts"
voxphys reduce aabb-gather/hills-0 -o "$scratch/stopped.json" --adapter "bash '$scratch/signal.sh' '$scratch'" "${against[@]}" >"$scratch/out" 2>"$scratch/err" &
echo $! >"$scratch/pid"
wait $!
status=$?
shown="reduce, ended by a signal"
expect_status 1
expect_in "the message" "$(cat "$scratch/err")" "ended by signal 15; the written input still fails"
expect_equal "fewer triangles" "$(jq '.input.triangles | length | . > 2 and . < 72' "$scratch/stopped.json")" true

# More corners than the checker can search.
python3 - >"$scratch/line" <<'END'
import random, struct
random.seed(1)
def on_sphere():
    p = [random.gauss(0, 1) for _ in range(3)]
    return [v / sum(w * w for w in p) ** 0.5 for v in p]
print("hull3 500", " ".join(struct.pack(">f", v).hex() for _ in range(500) for v in on_sphere()))
END
refused "does not determine the right answer: a hull with 500 vertices is not judged, only one of up to 400" reduce "$scratch/line" -o "$scratch/no.json" --adapter "voxphys adapter" "${against[@]}"

# As vectors.
cp -r "$VOXPHYS_SOURCE/conformance/corpus" "$scratch/questions"
mkdir "$scratch/corpus"
while read -r _ _ way vector oracle _; do
    name=$way-${vector#*/}
    [[ $oracle == none ]] || jq --arg name "found-$name" '.name = $name | .about = "found by a test" | .flags = []' "$scratch/$name.json" >"$scratch/questions/make/found/$name.json"
done <"$scratch/failures"
slow=slow # their oracles take as long as all others together
made=()
if [[ -z $VOXPHYS_DEEP ]]; then
    mapfile -t made < <(awk '$5 == "fast" { print $1 }' "$scratch/failures" | uniq)
    cp "$VOXPHYS_SOURCE"/conformance/corpus/{hull3,ray-mesh}.json "$scratch/corpus/"
else
    slow=
fi
python3 "$scratch/questions/make/write.py" "$scratch/corpus" "${made[@]}" || fail "the corpus cannot be made with them"
while read -r of _ way vector oracle _; do
    [[ $oracle != none && $oracle != "$slow" ]] || continue
    run check --corpus "$scratch/corpus" --vector "$of/found-$way-${vector#*/}" --adapter "voxphys adapter --isa scalar" </dev/null
    expect_status 0
    [[ $way == @(hang|full) ]] && continue # no answer at all
    run check --corpus "$scratch/corpus" --vector "$of/found-$way-${vector#*/}" --adapter "$program fail $way" </dev/null
    expect_status 1
done <"$scratch/failures"

# ---- mistakes ----
refused "nothing to reduce: voxphys-scalar answers right, compared with the corpus" reduce hull3/cube -o "$scratch/no.json" --adapter "voxphys adapter --isa scalar" "${against[@]}"
refused 'the corpus has no vector "hull3/nothing-of-that-name"' reduce hull3/nothing-of-that-name -o "$scratch/no.json" --adapter "voxphys adapter" "${against[@]}"
echo "hull9 1" >"$scratch/bad"
refused "nor with the name of a family" reduce "$scratch/bad" -o "$scratch/no.json" --adapter "voxphys adapter" "${against[@]}"
refused "does not end with .json" reduce hull3/cube -o "$scratch/no.points" --adapter "voxphys adapter"
refused "option '--adapter' is missing: " reduce hull3/cube -o "$scratch/no.points" --against "voxphys adapter"
refused "option '--adapter' is missing: " reduce hull3/cube -o "$scratch/no.json" --against "voxphys adapter"
refused "option '-o' is missing: where to write the vector" reduce hull3/cube --adapter "voxphys adapter"
rm -f "$scratch/begun"
refused "/nowhere/no.json: No such file or directory" reduce hull3/cube -o "$scratch/nowhere/no.json" --adapter "touch '$scratch/begun'"
run reduce hull3/cube -o "$scratch/made.json" --adapter "touch '$scratch/begun'"
expect_equal "what was started" "$(basename "$scratch"/begun)" begun
rm -f "$scratch/begun"
mkdir "$scratch/folder.json"
refused "folder.json: Is a directory" reduce hull3/cube -o "$scratch/folder.json" --adapter "touch '$scratch/begun'"
expect_equal "what was started before it was told" "$(ls "$scratch"/begun 2>/dev/null)" ""
run reduce hull3/cube -o "$scratch/no.json" --adapter false "${against[@]}"
expect_status 2
[[ -e $scratch/no.json ]] && fail "something was written"
finish
