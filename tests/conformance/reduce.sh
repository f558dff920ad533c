#!/bin/bash
# SPDX-License-Identifier: MIT
# voxphys reduce --adapter: a question that a program answers wrong becomes small and round, and is still answered wrong; put among the
# questions that the corpus is made of it is a vector, whose expected answer comes from the corpus' own oracles.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

# A program that is wrong in one way; otherwise it says what the reference says.
cat >"$scratch/wrong.py" <<'END'
import struct, subprocess, sys, time
way = sys.argv[1]
honest = subprocess.Popen(["voxphys", "adapter", "--isa", "scalar"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def ask(line):
    honest.stdin.write(line)
    honest.stdin.flush()
    return honest.stdout.readline()
def number(word):
    return struct.unpack(">f", bytes.fromhex(word))[0]
for line in sys.stdin:
    word, said = line.split(), ask(line)
    if word[0] == "hello":
        said += honest.stdout.readline()
    elif way == "far" and word[1] == "hull3" and any(number(w) > 5 for w in word[3::3]) and " hull " in said:
        said = word[0] + " flat\n"
    elif way == "column" and word[1] == "dilation":
        n, cells = int(word[2]), word[5]
        if any(cells[i] == "#" for i in range(7, len(cells), n)):
            a, b = said.split()[1:]
            said = f"{word[0]} {'1' if a[0] == '0' else '0'}{a[1:]} {b}\n"
    elif way == "long" and word[1] == "ray-mesh" and " hit " in said and number(said.split()[-1]) > 0.25:
        said = " ".join(said.split()[:-1]) + " " + struct.pack(">f", 1 + number(said.split()[-1])).hex() + "\n"
    elif way == "hang" and word[1] == "hull2" and int(word[2]) > 4:
        time.sleep(3600)
    elif way == "crash" and word[1] == "aabb-gather" and int(word[3]) > 2:
        sys.exit(3)
    elif way == "drop" and word[1] == "hull2" and int(said.split()[2]) >= 5:
        corners = said.split()[3:]
        said = f"{word[0]} hull {len(corners) - 1} {' '.join(corners[1:])}\n"
    elif way == "less" and word[1] == "aabb-gather" and int(said.split()[2]) >= 3:
        said = f"{word[0]} set {len(said.split()) - 4} {' '.join(said.split()[4:])}\n"
    elif way == "open" and word[1] == "hull3" and " hull " in said and int(said.split()[2]) >= 6:
        said = f"{word[0]} hull {int(said.split()[2]) - 1} {' '.join(said.split()[6:])}\n"
    elif way == "hole" and word[1] == "mesher" and word[5].count("ff") >= 2:
        mesh = said.split()
        said = " ".join(mesh[:3] + [str(int(mesh[3]) - 1)] + mesh[4:-3]) + "\n"
    elif way == "zero" and word[1] == "ray-triangle" and number(word[14]) == 0 and " hit " in said:
        said = word[0] + " none\n"
    elif way == "cell" and word[1] == "grid-walk" and " hit " in said and int(said.split()[2]) > 3:
        said = " ".join(said.split()[:2] + [str(int(said.split()[2]) - 1)] + said.split()[3:]) + "\n"
    elif way.startswith("late") and word[1] == "grid-walk" and " hit " in said:
        said = " ".join(said.split()[:-1]) + f" {int(said.split()[-1], 16) + int(way[4:]):08x}\n"
    elif way == "unseen" and word[1] == "scene-query" and int(said.split()[2]) > 2:
        said = f"{word[0]} set {len(said.split()) - 4} {' '.join(said.split()[4:])}\n"
    elif way == "apart" and word[1] == "scene-query" and int(said.split()[2]) > 1:
        said = word[0] + " pairs 0\n"
    elif way == "beyond" and word[1] == "scene-query" and " hit " in said and number(said.split()[-1]) > 1:
        said = word[0] + " none\n"
    elif way == "alive" and word[1] == "automaton-step" and said.count("83") > 1:
        said = said.replace("83", "03")
    elif way == "dark" and word[1] == "faces" and int(said.split()[2]) > 12:
        said = " ".join(said.split()[:-1]) + f" {int(said.split()[-1]) ^ 1}\n"
    elif way == "covered" and word[1] == "boxes" and int(said.split()[2]) > 2:
        said = " ".join(said.split()[:9] + [str(int(said.split()[9]) ^ 3)] + said.split()[10:]) + "\n"
    elif way == "filled" and word[1] == "decompose" and int(said.split()[2]) > 1:
        said = f"{word[0]} hulls 1 {word[2]} {' '.join(map(str, range(int(word[2]))))}\n"
    elif way == "hung" and word[1] == "regions" and said.split()[1].strip("0") != "":
        said = word[0] + " " + "0" * len(said.split()[1]) + "\n"
    elif way == "dry" and word[1] == "buoyancy" and number(said.split()[2]) > 0.25:
        said = word[0] + " submerged" + " 00000000" * 4 + "\n"
    elif way == "behind" and word[1] == "manifold" and " manifold " in said and int(said.split()[2]) > 0 and number(said.split()[3]) < 0:
        said = " ".join(said.split()[:4] + [f"{int(w, 16) ^ 0x80000000:08x}" for w in said.split()[4:7]] + said.split()[7:]) + "\n"
    elif way == "full" and word[1] == "mesher" and word[5].count("00") < len(word[5]) // 2:
        said = word[0] + " refused for once\n" if len(word[5]) % 4 == 0 else said
    sys.stdout.write(said)
    sys.stdout.flush()
END
against=(--against "voxphys adapter --isa scalar")

# reduced WAY IN OUT [OPTION...]
reduced()
{
    run reduce "$2" -o "$scratch/$3" --adapter "python3 '$scratch/wrong.py' $1" "${against[@]}" --json "${@:4}"
    expect_status 0
}
reduced far hull3/sphere far.json
expect_json "four points are left of the sphere's" '.parts == 4 and .parts_before > 20 and .complete and .family == "hull3" and (.failure | test("answers flat, .* hull"))'
expect_equal "the largest coordinate" "$(jq -c '[.input.points[][0] | select(. < "8")] | max | . > "40a00000" and . <= "41000000"' "$scratch/far.json")" true
reduced column dilation/random-0 column.json
expect_json "one voxel is left" '.parts == 1 and .parts_before > 100'
expect_equal "in a grid of one row" "$(jq -c '[.input.extents, .input.cells]' "$scratch/column.json")" '[[8,1,1],".......#"]'
reduced long ray-mesh/hills-3 long.json
expect_json "one triangle is left" '.parts == 1 and .parts_before == 128'
expect_equal "and its vertices" "$(jq '.input.vertices | length' "$scratch/long.json")" 3
reduced hang hull2/edges hang.json --limit 0.5
expect_json "five points are left" '.parts == 5 and .parts_before == 8 and (.failure | test("nothing in time"))'
reduced crash aabb-gather/hills-0 crash.json
expect_json "three triangles are left" '.parts == 3 and (.failure | test("nothing, and ends"))'
reduced full mesher/full full.json
expect_json "a small grid is left" '.parts <= 3 and .parts_before == 64'


# Wrong answers stay wrong to the end, where right ones could be told in other words.
reduced drop hull2/circle drop.json
expect_json "five corners are left" '.parts == 5 and .parts_before == 20'
reduced less aabb-gather/all less.json
expect_json "three triangles are left" '.parts == 3'
reduced open hull3/sphere open.json
expect_json "five points are left" '.parts == 5'
reduced hole mesher/ball hole.json
expect_json "two cells are left" '.parts == 2'
reduced zero ray-triangle/front zero.json
reduced cell grid-walk/axis-x cell.json
expect_json "one cell is left" '.parts == 1'

reduced unseen scene-query/random-sphere unseen.json
expect_json "three objects are left, of spheres and triangles" '.parts == 3 and .parts_before == 40 and (.family == "scene-query")'
expect_equal "the query" "$(jq -c '.input.query | [.[0], length]' "$scratch/unseen.json")" '["sphere",5]'
reduced apart scene-query/random-pairs apart.json
expect_json "three objects are left, or two pairs" '.parts == 3 or .parts == 4'
reduced beyond scene-query/random-ray beyond.json
expect_json "one object is left" '.parts == 1'
reduced alive automaton-step/act-random-3 alive.json
expect_json "a few cells are left" '.parts <= 4 and .parts_before > 40'
expect_equal "its rule" "$(jq -c '.input | [.rule, .steps, (.outputs | length > 4), has("seed")]' "$scratch/alive.json")" '["act",7,true,false]'

reduced dark faces/random-2 dark.json
expect_json "three blocks are left" '.parts == 3 and .parts_before > 10'
expect_equal "of their chunk" "$(jq -c '.input | [.edge, (.types | length <= 24)]' "$scratch/dark.json")" '[4,true]'
reduced covered boxes/random-2 covered.json
expect_json "three blocks are left" '.parts == 3'
reduced covered boxes/any-hills any.json
expect_json "three blocks are left" '.parts == 3'
expect_equal "its merging" "$(jq -c .input.merging "$scratch/any.json")" '"any"'

reduced filled decompose/l filled.json
expect_json "a few triangles are left" '.parts <= 6 and .parts_before == 44'

reduced hung regions/caves-0-bottom hung.json
expect_json "one voxel is left" '.parts == 1 and .parts_before > 200'
expect_equal "its anchors" "$(jq -c .input.anchors "$scratch/hung.json")" '"bottom"'

reduced dry buoyancy/sphere-pools dry.json
expect_json "one voxel is left" '.parts == 1 and .parts_before > 200'
expect_equal "its shape" "$(jq -c '.input | [.shape[0], (.shape | length), .points]' "$scratch/dry.json")" '["sphere",2,[]]'

reduced behind manifold/box-rest behind.json
expect_json "one triangle is left" '.parts == 1 and .parts_before == 32'

# A program that is right, in other words than the reference wherever there are some, has no failure: neither as the corpus has it, nor by the reference.
for vector in overlap/nan-min-x grid-walk/corner-all grid-walk/invalid-zero ray-triangle/edge-bc ray-mesh/corner-3 ray-mesh/ball-edge-4 ray-mesh/same aabb-gather/hills-0 mesher/checkerboard \
    hull2/circle hull2/none hull3/cube-turned hull3/flat-tilted scene-query/hills-sphere scene-query/hills-pairs scene-query/same-ray scene-query/touch-at-ray scene-query/invalid-ray \
    automaton-step/meet-many automaton-step/invalid-type faces/hills faces/invalid-bits boxes/hills boxes/any-hills boxes/any-crossing boxes/invalid-any decompose/u decompose/invalid-nan regions/caves-0-border buoyancy/hull-pools buoyancy/box-axes-1 buoyancy/invalid-nan manifold/hull-groove manifold/box-rest manifold/invalid-nan; do
    run reduce "$vector" -o "$scratch/no.json" --adapter "python3 '$VOXPHYS_SOURCE/tests/conformance/alike.py'" "${against[@]}"
    expect_status 2
    expect_in "the message of $vector" "$err" "there is nothing to reduce: alike answers right"
done
run reduce hull2/circle -o "$scratch/no.json" --adapter "voxphys adapter" --against "python3 '$scratch/wrong.py' drop"
expect_status 2
expect_in "the message" "$err" "answers right, as far as the corpus tells, and the other wrong"
run reduce hull2/circle -o "$scratch/no.json" --adapter "python3 '$scratch/wrong.py' drop" --against "python3 '$scratch/wrong.py' drop"
expect_status 2
expect_in "the message" "$err" "which the other is held against, answers wrong itself: "

# The corpus knows of this ray what no other program can be asked for: how late t may be.
run reduce grid-walk/corner-all -o "$scratch/no.json" --adapter "python3 '$scratch/wrong.py' late25" "${against[@]}"
expect_status 2
expect_in "the message" "$err" "answers wrong by what the corpus expects of this vector, and right as far as voxphys-scalar tells, which is all that there is to tell smaller ones by"
reduced late1000 grid-walk/corner-all late.json

# What is written is asked once more, as a file and as a line of the protocol.
reduced far "$scratch/far.json" again.json
expect_equal "nothing is left to do" "$(jq -c .input "$scratch/again.json")" "$(jq -c .input "$scratch/far.json")"
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
run reduce "$scratch/unsound.json" -o "$scratch/no.json" --adapter "voxphys adapter" "${against[@]}"
expect_status 2
expect_in "the message" "$err" "unsound.json: dilation/random-0: \"expected\": \"solid\" is not as it should be: it is \"0\""

# Not over what is read.
cp "$scratch/far.json" "$scratch/same.json"
run reduce "$scratch/same.json" -o "$scratch/same.json" --adapter "python3 '$scratch/wrong.py' far" "${against[@]}"
expect_status 2
expect_in "the message" "$err" "is the file that is read"
expect_equal "what is read" "$(cat "$scratch/same.json")" "$(cat "$scratch/far.json")"

# A signal while a program begins: what was found until then is kept.
cat >"$scratch/signal.sh" <<'END'
starts=$(($(cat "$1/starts") + 1))
echo "$starts" >"$1/starts"
if [[ $starts -eq 5 ]]; then
    kill -TERM "$(cat "$1/pid")"
    sleep 60
fi
exec python3 "$1/wrong.py" crash
END
echo 0 >"$scratch/starts"
voxphys reduce aabb-gather/hills-0 -o "$scratch/stopped.json" --adapter "bash '$scratch/signal.sh' '$scratch'" "${against[@]}" >"$scratch/out" 2>"$scratch/err" &
echo $! >"$scratch/pid"
wait $!
status=$?
shown="reduce, ended by a signal"
expect_status 1
expect_in "the message" "$(cat "$scratch/err")" "ended by signal 15; what is written still fails"
expect_equal "fewer triangles" "$(jq '.input.triangles | length | . > 2 and . < 72' "$scratch/stopped.json")" true

# More corners than its checker can go through.
python3 - >"$scratch/line" <<'END'
import random, struct
random.seed(1)
def on_sphere():
    p = [random.gauss(0, 1) for _ in range(3)]
    return [v / sum(w * w for w in p) ** 0.5 for v in p]
print("hull3 500", " ".join(struct.pack(">f", v).hex() for _ in range(500) for v in on_sphere()))
END
run reduce "$scratch/line" -o "$scratch/no.json" --adapter "voxphys adapter" "${against[@]}"
expect_status 2
expect_in "the message" "$err" "it cannot be told what is right: a hull with 500 vertices is not judged, only one of up to 400"

# As vectors.
cp -r "$VOXPHYS_SOURCE/conformance/corpus/make" "$scratch/make"
mkdir -p "$scratch/make/found" "$scratch/corpus"
for what in far column long hang crash full drop open hole cell dark covered any filled hung dry behind; do
    jq --arg name "found-$what" '.name = $name | .about = "found by a test" | .flags = []' "$scratch/$what.json" >"$scratch/make/found/$what.json"
done
made=()
if [[ -z $VOXPHYS_DEEP ]]; then # what the oracles of hull3 and ray-mesh take as long for as all others do
    cp "$VOXPHYS_SOURCE"/conformance/corpus/{hull3,ray-mesh}.json "$scratch/corpus/"
    made=(dilation grid-walk aabb-gather mesher hull2 faces boxes decompose regions buoyancy manifold) # those with questions that were found
fi
python3 "$scratch/make/write.py" "$scratch/corpus" "${made[@]}" || fail "the corpus cannot be made with them"
for vector in hull3/found-far dilation/found-column ray-mesh/found-long hull2/found-hang aabb-gather/found-crash mesher/found-full hull2/found-drop hull3/found-open grid-walk/found-cell faces/found-dark boxes/found-any decompose/found-filled regions/found-hung buoyancy/found-dry manifold/found-behind; do
    [[ -n $VOXPHYS_DEEP || $vector != @(hull3|ray-mesh)/* ]] || continue
    run check --corpus "$scratch/corpus" --vector "$vector" --adapter "voxphys adapter --isa scalar"
    expect_status 0
done
for way in "far hull3/found-far" "column dilation/found-column" "long ray-mesh/found-long" "crash aabb-gather/found-crash" "drop hull2/found-drop" \
    "open hull3/found-open" "hole mesher/found-hole" "cell grid-walk/found-cell" \
    "dark faces/found-dark" "filled decompose/found-filled" "covered boxes/found-covered" "covered boxes/found-any" "hung regions/found-hung" "dry buoyancy/found-dry" "behind manifold/found-behind"; do
    [[ -n $VOXPHYS_DEEP || $way != *@(hull3|ray-mesh)/* ]] || continue
    run check --corpus "$scratch/corpus" --vector "${way#* }" --adapter "python3 '$scratch/wrong.py' ${way% *}"
    expect_status 1
done

# ---- mistakes ----
run reduce hull3/cube -o "$scratch/no.json" --adapter "voxphys adapter --isa scalar" "${against[@]}"
expect_status 2
expect_in "the message" "$err" "there is nothing to reduce: voxphys-scalar answers right, as far as the corpus tells"
run reduce hull3/nothing-of-that-name -o "$scratch/no.json" --adapter "voxphys adapter" "${against[@]}"
expect_status 2
expect_in "the message" "$err" 'the corpus has no vector "hull3/nothing-of-that-name"'
echo "hull9 1" >"$scratch/bad"
run reduce "$scratch/bad" -o "$scratch/no.json" --adapter "voxphys adapter" "${against[@]}"
expect_status 2
expect_in "the message" "$err" "nor with the name of a family"
run reduce hull3/cube -o "$scratch/no.points" --adapter "voxphys adapter"
expect_status 2
expect_in "the message" "$err" "does not end with .json"
run reduce hull3/cube -o "$scratch/no.points" --against "voxphys adapter"
expect_status 2
expect_in "the message" "$err" "option '--adapter' is missing: "
run reduce hull3/cube -o "$scratch/no.json" --against "voxphys adapter"
expect_status 2
expect_in "the message" "$err" "option '--adapter' is missing: "
run reduce hull3/cube --adapter "voxphys adapter"
expect_status 2
expect_in "the message" "$err" "option '-o' is missing: where to write the vector"
rm -f "$scratch/begun"
run reduce hull3/cube -o "$scratch/nowhere/no.json" --adapter "touch '$scratch/begun'"
expect_status 2
expect_in "the message" "$err" "/nowhere/no.json: No such file or directory"
run reduce hull3/cube -o "$scratch/made.json" --adapter "touch '$scratch/begun'"
expect_equal "what was started" "$(basename "$scratch"/begun)" begun
rm -f "$scratch/begun"
mkdir "$scratch/folder.json"
run reduce hull3/cube -o "$scratch/folder.json" --adapter "touch '$scratch/begun'"
expect_status 2
expect_in "the message" "$err" "folder.json: Is a directory"
expect_equal "what was started before it was told" "$(ls "$scratch"/begun 2>/dev/null)" ""
run reduce hull3/cube -o "$scratch/no.json" --adapter false "${against[@]}"
expect_status 2
[[ -e $scratch/no.json ]] && fail "something was written"
finish
