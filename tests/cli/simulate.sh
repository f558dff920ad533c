#!/bin/bash
# SPDX-License-Identifier: MIT
# simulate.sh threads|- zlib|-: `voxphys simulate`. Each scene gives the same result every time. Also its text and JSON
# output, and refusals.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
has_threads=$1
subject=(simulate)
scenes=$VOXPHYS_SOURCE/datasets/scenes

# ---- some steps of each scene ----

few=30
[[ -z ${VOXPHYS_DEEP-} ]] || few=600
for scene in arch boats hills rim stack; do
    tells "$scene" ".steps == $few and .lost == 0 and .truncated == 0 and (.each | length) == $few" simulate "$scenes/$scene.json" --steps "$few"
done
tells "1,000 bodies" '(.bodies | length) == 1000 and .ground == "terrain" and .hash_checked == true and .each[1].awake == 1000' \
    simulate "$scenes/thousand.json" --steps 2
tells "the stack" '(.bodies | length) == 10 and .substeps == 4 and .lowest > 3.99 and ([.bodies[] | .position[0]] | max) < 16.35' \
    simulate "$scenes/stack.json" --steps 120
whole=$(member digest)
expect_json "each step" '(.each | map(.step)) == [range(1; 121)] and ([.each[].digest] | unique | length) > 30 and .each[119].touching == 40'
expect_json "seconds" '.seconds >= (.parts | add) * 0.9 and ([.each[].parts.solve_seconds] | add) <= .parts.solve_seconds * 1.01'
expect_json "energy" '.energy.last == .each[119].energy and .energy.most == ([.each[].energy] | max) and .energy.first == .each[0].energy'

# An edit at its step. The separated part becomes a body, and a body that lay on it falls.
cat >slab.json <<'END'
{"steps": 120, "ground": {"size": [32, 24, 32], "fill": [
  {"low": [0, 0, 0], "high": [32, 4, 32], "material": 2},
  {"low": [14, 4, 14], "high": [17, 6, 17], "material": 3},
  {"low": [12, 6, 12], "high": [19, 9, 19], "material": 3}]},
 "bodies": [{"shape": "box", "size": [1, 1, 1], "at": [15.5, 0.5, 15.5], "above_ground": true}],
 "edits": [{"step": 61, "centre": [15.5, 5, 15.5], "radius": 2.3}]}
END
tells "the slab" '.edits == [{"step": 61, "chunks": .edits[0].chunks, "regions": 1, "voxels": .edits[0].voxels, "crumbled": 0, "woken": 1}] and
    .edits[0].voxels > 130 and (.bodies | length) == 2 and .each[59].bodies == 1 and .each[60].bodies == 2 and .each[59].lowest > 8.9 and
    .bodies[0].position[1] < 8 and .bodies[1].mass > 130 and .bodies[1].shapes >= 1' simulate slab.json
cut=$(member digest)

# Any number of threads and any kernels give the same states.
same_with "$whole" --threads "1 2 16" simulate "$scenes/stack.json" --steps 120
same_with "$cut" --threads "2 16" simulate slab.json
for isa in scalar $(voxphys info --json | jq -r '.isas[] | select(.usable and .via == "native") | .name'); do
    VOXPHYS_ISA=$isa run simulate slab.json --json
    expect_status 0
    expect_equal "the digest by $isa" "$(member digest)" "$cut"
done

# ---- text ----

prints "digest   $whole" simulate "$scenes/stack.json" --steps 120 --each
expect_equal "lines that are steps" "$(grep -c '^step [0-9]* *[0-9]* awake, [0-9]* contacts, energy [0-9.e+-]*, lowest [0-9.-]*, [0-9.]* ms, digest [0-9a-f]*$' <<<"$out")" 120
expect_in "text" "$out" "10 bodies on terrain" "in 4 small steps" "parts    edits " "contacts 40 points" "lowest   3.99"
prints "edit     before step 61: " simulate slab.json
echo '{"bodies": [{"shape": "sphere", "radius": 0.5, "at": [0, -63, 0]}]}' >lone.json
prints "1 body on nothing" simulate lone.json --steps 60
expect_in "text" "$out" "1 lost below y -64"

# ---- step records have a frame before the first step and one after each ----

zlib=$2
if [[ $zlib == zlib ]]; then
    tells "a recording" ".digest == \"$cut\" and .record == \"slab.vpr\"" simulate slab.json --record slab.vpr
    tells "what is recorded" '.frames == 121 and .type == "simulate" and ([.layers[].name] == ["ground", "bodies", "contacts", "normals", "figures"])' view slab.vpr
    tells "boats" '.steps == 5' simulate "$scenes/boats.json" --steps 5 --record boats.vpr
    tells "water is recorded" '.frames == 6 and ([.layers[].name] | index("water") != null)' view boats.vpr
    tells "blocks" '.steps == 2' simulate "$scenes/rim.json" --steps 2 --record rim.vpr
    cp slab.json kept.json
    ln -s slab.json link.vpr
    refused "--record link.vpr is a file that is read" slab.json --record link.vpr
    expect_equal "the scene that is read" "$(cmp slab.json kept.json)" ""
    refused "none/a.vpr" slab.json --record none/a.vpr
fi
refused "--record 'a.txt' does not end with .vpr" slab.json --record a.txt

# ---- refusals ----

refused "" # without a scene
refused "--steps" "$scenes/stack.json" --steps 0
refused "none.json" none.json
while IFS='|' read -r text part; do
    printf '%s' "$text" >wrong.json
    refused "wrong.json: $part" wrong.json
done <<'END'
|line 1: not JSON
[1]|[1] is not an object
{"step": 1}|"step" is unknown
{"steps": 0}|"steps" is 0; it is from 1 to 1000000
{"steps": 1.5}|"steps" is 1.5, not a whole number
{"rate": 7}|"rate" is 7; it is from 8 to 1024
{"rate": "fast"}|"rate" is "fast", not a number
{"substeps": 65}|"substeps" is 65; it is from 1 to 64
{"gravity": -1}|"gravity" is -1; it is from 0 to 1000
{"sleep": 1}|"sleep" is 1, not true or false
{"description": 1}|"description" is 1, not a text
{"ground": 1}|"ground" is 1, not an object
{"ground": {}}|"ground" has none of "world", "blocks" and "size"
{"ground": {"world": "luanti", "size": [8, 8, 8]}}|"ground" has several of
{"ground": {"world": 1}}|"world" is 1, not a name
{"ground": {"world": "luanti", "fill": [1]}}|"fill" is for a ground with a "size"
{"ground": {"world": "luanti", "as_blocks": true}}|"as_blocks" is for a ground with a "size"
{"ground": {"size": [8, 8]}}|"size" is [8,8], not a list of 3 numbers
{"ground": {"size": [8, 12, 8]}}|"size" is [8,12,8]: not a multiple of 8
{"ground": {"size": [8, 264, 8]}}|"size" is 264; it is from 8 to 256
{"ground": {"size": [8, 8, 8], "fill": {}}}|"fill" is {}, not a list
{"ground": {"size": [8, 8, 8], "fill": [7]}}|fill 1: 7 is not an object
{"ground": {"size": [8, 8, 8], "fill": [{"material": 2}]}}|fill 1: it has neither of "low" and "centre"
{"ground": {"size": [8, 8, 8], "fill": [{"low": [0, 0, 0], "centre": [1, 1, 1]}]}}|fill 1: it has both
{"ground": {"size": [8, 8, 8], "fill": [{"low": [0, 0, 0]}]}}|fill 1: "high" is missing
{"ground": {"size": [8, 8, 8], "fill": [{"low": [0, 5, 0], "high": [1, 1, 1]}]}}|fill 1: "low" is [0,5,0], above "high"
{"ground": {"size": [8, 8, 8], "fill": [{"centre": [1, 1, 1]}]}}|fill 1: "radius" is missing
{"ground": {"size": [8, 8, 8], "fill": [{"low": [0, 0, 0], "high": [1, 1, 1], "radius": 1}]}}|fill 1: "radius" is for a sphere
{"ground": {"size": [8, 8, 8], "fill": [{"low": [0, 0, 0], "high": [1, 1, 1], "material": 256}]}}|fill 1: "material" is 256; it is from 0 to 255
{"ground": {"size": [8, 8, 8], "fill": [{"low": [0, 0, 0], "high": [1, 1, 1], "step": 1}]}}|fill 1: "step" is unknown
{"ground": {"size": [8, 8, 8], "restitution": 2}}|"restitution" is 2; it is from 0 to 1
{"bodies": {}}|"bodies" is {}, not a list
{"bodies": [1]}|body 1: 1 is not an object
{"bodies": [{}]}|body 1: "shape" is missing, not sphere
{"bodies": [{"shape": "cone"}]}|body 1: "shape" is "cone", not sphere, capsule, box or cylinder
{"bodies": [{"shape": "box", "at": [0, 0, 0]}]}|body 1: "size" is missing
{"bodies": [{"shape": "box", "size": [1, 0, 1], "at": [0, 0, 0]}]}|body 1: "size" is 0; it is from 0.015625 to 128
{"bodies": [{"shape": "box", "size": [1, 1, 1], "radius": 1, "at": [0, 0, 0]}]}|body 1: "radius" is not for a box
{"bodies": [{"shape": "sphere", "at": [0, 0, 0]}]}|body 1: "radius" is missing
{"bodies": [{"shape": "capsule", "radius": 1, "at": [0, 0, 0]}]}|body 1: "height" is missing
{"bodies": [{"shape": "sphere", "radius": 1}]}|body 1: "at" is missing
{"bodies": [{"shape": "sphere", "radius": 1, "at": [0, 0]}]}|body 1: "at" is [0,0], not a list of 3 numbers
{"bodies": [{"shape": "sphere", "radius": 1, "at": [0, 0, 1e9]}]}|body 1: "at" is 1000000000; it is from -16384 to 16384
{"bodies": [{"shape": "sphere", "radius": 1, "at": [0, 0, 0], "density": 0}]}|body 1: "density" is 0
{"bodies": [{"shape": "sphere", "radius": 1, "at": [0, 0, 0], "rotation": [0, 0, 0, 0]}]}|body 1: "rotation" is [0,0,0,0]: its length is 0
{"bodies": [{"shape": "sphere", "radius": 1, "at": [0, 0, 0], "repeat": [1, 1.5, 1]}]}|body 1: "repeat" is [1,1.5,1], not 3 whole numbers
{"bodies": [{"shape": "sphere", "radius": 1, "at": [0, 0, 0], "repeat": [4096, 4096, 1]}]}|16777216 bodies; must be at most 65536
{"bodies": [{"shape": "sphere", "radius": 1, "at": [0, 0, 0], "mass": 1}]}|body 1: "mass" is unknown
{"edits": [{"step": 1, "centre": [0, 0, 0], "radius": 1}]}|"edits" are for a terrain, and the ground is missing
{"ground": {"size": [8, 8, 8], "as_blocks": true}, "edits": [{"step": 1, "centre": [0, 0, 0], "radius": 1}]}|"edits" are for a terrain, and the ground is blocks
{"ground": {"size": [8, 8, 8]}, "edits": [{"centre": [0, 0, 0], "radius": 1}]}|edit 1: "step" is missing
{"ground": {"size": [8, 8, 8]}, "edits": [{"step": 0, "centre": [0, 0, 0], "radius": 1}]}|edit 1: "step" is 0; it is from 1
END
echo '{"ground": {"size": [8, 8, 8]}, "bodies": [{"shape": "sphere", "radius": 1, "at": [4, 1, 4], "above_ground": true}]}' >wrong.json
refused 'body 1: wrong.json: "above_ground": no ground at x 4, z 4' wrong.json
echo '{"ground": {"world": "no-such-set"}}' >wrong.json
refused "no-such-set" wrong.json
finish
