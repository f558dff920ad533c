#!/bin/bash
# SPDX-License-Identifier: MIT
# scene.sh assimp|-: `voxphys scene`. Answers computed by hand, and by jq from a scene's numbers. Every tree gives the same digests,
# scenes can be written and read back, and meshes work as triangles and in two levels. A bad value, also in a file that is cut or changed,
# ends with exit code 2 and a sentence that names the value.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
. "$VOXPHYS_SOURCE/tests/cli/meshes.bash"
assimp=$1
cd "$scratch" || exit 1

# ---- by hand ----

# Three unit spheres on the x axis, the first two touching. A square of two triangles at z = 4, above the first. A sphere that masks hide.
cat >hand.json <<'END'
{"objects": [
{"centre": [0, 0, 0], "radius": 1, "data": 7},
{"centre": [2, 0, 0], "radius": "0x1p+0"},
{"centre": [5.5, 0, 0], "radius": 1, "data": 4503599627370497},
{"vertices": [[-1, -1, 4], [1, -1, 4], [1, 1, 4], [-1, 1, 4]], "triangles": [[0, 1, 2], [0, 2, 3]], "data": 8},
{"centre": [0, 0, 0.25], "radius": 0.5, "mask": 2}
]}
END
succeeds scene hand.json --mask 1 --query "sphere 2 0 0 2.5" --query "box 3 -1 -1, 4.5 1 1" --query "triangle 0 0 3.5 0 0.5 4.5 0.25 0 4.5" \
    --query "ray -5 0 0 1 0 0" --query "ray-any 0 5 0 1 0 0" --query "ray-all 0.5 0.25 9 0 0 -1" --query "ray 0 0 0 0 0 1 0.5" --query pairs --json
expect_json "the scene" '.scene == {source: "hand.json", hash_checked: null, objects: 5, spheres: 4, meshes: 1, triangles: 2} and .file == null'
expect_json "the tree" '.tree | .rule == "smaller" and .two_level == false and .leaves == 5 and .nodes == 9 and .depth >= 4 and .depth <= 5
    and .bytes > 300 and .bytes_per_object == .bytes / 5 and .excess >= 0 and .seconds > 0'
expect_json "the members of a query" 'all(.queries[]; keys == ["answer", "count", "digest", "found", "kind", "nodes", "seconds", "tests"]
    and .count == 1 and .seconds > 0 and .tests <= .nodes * 4 and (.digest | test("^[0-9a-f]{16}$")))'
answer() { jq -c "[.queries[$1] | .kind, (.answer | map($2))]" <<<"$out"; }
expect_equal "a sphere" "$(answer 0 '[.object, .data]')" '["sphere",[[0,7],[1,0],[2,4503599627370497]]]'
expect_equal "a box that touches one by its side" "$(answer 1 .object)" '["box",[1,2]]'
expect_equal "a triangle" "$(answer 2 '[.object, .triangle]')" '["triangle",[[3,0],[3,1]]]'
expect_equal "a ray" "$(answer 3 '[.object, .t]')" '["ray",[[0,4]]]'
expect_json "whether a ray meets anything" '.queries[4].found == 0 and .queries[4].answer == []'
expect_equal "all that a ray meets" "$(jq -c '[.queries[5].answer[] | [.object, .triangle, (.t * 100 | floor)]]' <<<"$out")" '[[3,0,500],[0,null,817]]'
expect_equal "a ray from within" "$(answer 6 '[.object, .t]')" '["ray",[[0,0]]]'
expect_equal "pairs" "$(answer 7 'map(.object)')" '["pairs",[[0,1]]]'
succeeds scene hand.json --query pairs
expect_in stdout "$out" "scene     hand.json: 5 objects, 4 spheres and 1 mesh of 2 triangles" "tree      smaller: 5 leaves, 9 nodes, depth " \
    "pairs     2 found; " "          object 0 (data 7) and object 1" "          object 0 (data 7) and object 4"
run scene hand.json --query "sphere 0 0 0 100" --hits 2
expect_in stdout "$out" "sphere    6 found" "and 4 more; --hits prints more"
prints "          t 5: object 3, triangle 0 (data 8)" scene hand.json --query "ray 0 0 9 0 0 -1"

# ---- every tree, also from a file ----

digests='[.queries[] | [.kind, .count, .found, .digest]]'
for set in uniform mixed-radii hill-triangles/2000 concentric one-place/100; do
    succeeds scene "$set" --json -o copy.json
    expect_json "the kinds of $set" '[.queries[] | [.kind, .count]] == [["sphere", 256], ["box", 256], ["triangle", 256], ["ray", 256], ["pairs", 1]]'
    expect_json "something is found in $set" 'all(.queries[]; .found > 0 and .nodes >= 1 and (has("answer") | not))'
    expect_json "$set is checked" '.scene.hash_checked != null and .file == "copy.json"'
    wanted=$(jq -c "$digests" <<<"$out")
    for tree in least offline; do
        [[ $set != hill* || $tree == least ]] || continue
        run scene "$set" --tree "$tree" --json
        expect_equal "$set by $tree" "$(jq -c "$digests" <<<"$out")" "$wanted"
        expect_json "the rule" ".tree.rule == \"$tree\""
    done
    run scene copy.json -o again.json --json
    expect_equal "$set from its file" "$(jq -c "$digests" <<<"$out")" "$wanted"
    cmp -s copy.json again.json || fail "the file of a file of $set is another one"
done
tells "how many" '.scene.objects == 40' scene uniform --count 40
wanted=$(jq -c "$digests" <<<"$out")
run scene uniform/40 --json
expect_equal "the same" "$(jq -c "$digests" <<<"$out")" "$wanted"

# ---- by jq, from a file's numbers ----

succeeds scene uniform/120 -o numbers.json --query "sphere 9 9 9 4" --query "box 3 3 3 9 9 12" --query pairs --hits 100000 --json
jq 'def digit: if . >= 97 then . - 87 else . - 48 end; # C hexadecimal
    def hex: capture("^(?<s>-?)0x(?<a>[0-9a-f])(\\.(?<b>[0-9a-f]+))?p(?<e>[-+][0-9]+)$")
        | (.s | if . == "-" then -1 else 1 end) * ((.a | explode[0] | digit)
        + ((.b // "") | explode | reverse | reduce .[] as $d (0; (. + ($d | digit)) / 16))) * pow(2; .e | ltrimstr("+") | tonumber);
    [.objects[] | {c: (.centre | map(hex)), r: (.radius | hex)}]' numbers.json >numbers
brute=$(jq -c 'def square: . * .; def near($a; $b): ([0, 1, 2 | $a.c[.] - $b.c[.] | square] | add) <= ($a.r + $b.r | square);
    def away($x; $low; $high): if $x < $low then $low - $x elif $x > $high then $x - $high else 0 end;
    . as $all | [range(length)] as $n
    | [[$n[] | select(near($all[.]; {c: [9, 9, 9], r: 4}))],
       [$n[] | select($all[.] as $s | ([away($s.c[0]; 3; 9), away($s.c[1]; 3; 9), away($s.c[2]; 3; 12) | square] | add) <= ($s.r | square))],
       [$n[] as $i | $n[] | select(. > $i and near($all[.]; $all[$i])) | [$i, .]]]' numbers)
expect_equal "what all tests say" "$(jq -c '[(.queries[0, 1].answer | map(.object)), (.queries[2].answer | map(map(.object)))]' <<<"$out")" "$brute"
expect_json "that is something" 'all(.queries[]; .found >= 5)'

# ---- two levels, mesh files ----

succeeds scene hand.json --two-level --tree offline --mask 1 --query "sphere 0 0 3 1" --query "sphere 1.25 0 2.75 1.125" --query "ray 0.5 0.25 9 0 0 -1" \
    --query "ray 1.25 0 9 0 0 -1" --json
expect_json "a leaf a mesh" '.tree.two_level and .tree.leaves == 5 and .tree.rule == "offline"'
expect_equal "of a mesh the object" "$(jq -c '[.queries[].answer | map([.object, has("triangle")])]' <<<"$out")" '[[[3,false]],[],[[3,false]],[[1,false]]]'
expect_json "where its triangle is" '.queries[2].answer[0].t == 5'
cube_file cube.obj obj
mkdir -p below
mv cube.obj below/
echo '{"objects": [{"mesh": "cube.obj", "mask": 4}, {"centre": [0.5, 0.5, 2], "radius": 1}]}' >below/cube.json
if [[ $assimp == assimp ]]; then
    succeeds scene below/cube.json --query pairs --query "ray 0.25 0.5 -1 0 0 1" -o cubes.json --json
    expect_json "a cube from a file" '.scene.meshes == 1 and .scene.triangles == 12 and .queries[0].found == 2 and .queries[1].answer[0].t == 1'
    wanted=$(jq -c '[.queries[].digest]' <<<"$out")
    run scene cubes.json --query pairs --query "ray 0.25 0.5 -1 0 0 1" --json
    expect_equal "the cube inside the file" "$(jq -c '[.queries[].digest]' <<<"$out")" "$wanted"
    refused "below/cube.json: object 0: below/cube.obj: it is the file to write, or refers to it" scene below/cube.json -o below/cube.obj
    echo '{"objects": [{"mesh": "absent.obj"}]}' >absent.json
    refused "absent.json: object 0: " scene absent.json
fi

# ---- usage ----

refused "--query 'cube 1': must begin with one of sphere, box, triangle, ray, ray-any, ray-all, pairs" scene uniform --query "cube 1"
refused "--query '': must begin with one of" scene uniform --query ""
refused "--query 'sphere 1 2 3' has 3 numbers; sphere takes 4" scene uniform --query "sphere 1 2 3"
refused "has 8 numbers; ray takes 6 or 7" scene uniform --query "ray 1 2 3 4 5 6 7 8"
refused "--query 'pairs 1' has 1 number; pairs takes 0" scene uniform --query "pairs 1"
refused "'1x' is not a finite number" scene uniform --query "sphere 1x 2 3 4"
refused "radius is -1" scene uniform --query "sphere 1 2 3 -1"
refused "nan" scene uniform --query "sphere 1 nan 3 1"
refused "the box goes from 5 to 1 along x" scene uniform --query "box 5 0 0 1 1 1"
refused "inf" scene uniform --query "triangle 0 0 0 inf 0 0 1 1 1"
refused "direction" scene uniform --query "ray 1 2 3 0 0 0"
refused "--count '0'" scene uniform --count 0
refused '--count 5: "uniform/7" says how many' scene uniform/7 --count 5
refused "--count 5 is for data sets; hand.json is a file" scene hand.json --count 5
refused "uniform/0" scene uniform/0
refused "--questions '0'" scene uniform --questions 0
refused '"atlantis" is not a scene' scene atlantis
refused 'it is of kind world' scene sparse
refused "3401 objects" scene growing/3401
refused "--tree offline is for spheres, and object 3 is a mesh" scene hand.json --tree offline
refused "20000 objects to build: must be at most 16384" scene uniform --count 20000 --tree offline
refused "FILE 'hand.json' is the file that is read" scene hand.json -o hand.json
refused "nowhere/scene.json" scene uniform -o nowhere/scene.json
refused "absent.json" scene absent/absent.json
mkfifo pipe.json
refused "pipe.json" scene pipe.json

# ---- invalid files ----

wrong() # PART TEXT: the message also names the file
{
    printf '%s' "$2" >wrong.json
    refused "voxphys scene: wrong.json: $1" scene wrong.json
}
sphere='{"objects": [{"centre": [0, 0, 0], "radius": 1}, {"centre": [1, 2, 3], "radius": %s}]}'
for value in -1 '"nan"' '"inf"' 2e18 '"1x"' true null '[1]' '"-0x1p-149"'; do
    # shellcheck disable=SC2059 # the format is above
    wrong "object 1: radius is $value, not a number from 0 to 1.15292e+18" "$(printf "$sphere" "$value")"
done
for value in NaN Infinity -Infinity 1e999 "'1'" ""; do
    # shellcheck disable=SC2059
    wrong "line 1: not JSON: " "$(printf "$sphere" "$value")"
done
centre='{"objects": [{"centre": %s, "radius": 1}]}'
for value in '["nan",0,0]' '[0,"-inf",0]' '[0,0]' '[0,0,0,0]' '[0,0,"1e19"]' '"0,0,0"' 5 '{}'; do
    # shellcheck disable=SC2059
    wrong "object 0: centre is $value, not three numbers from -1.15292e+18 to 1.15292e+18" "$(printf "$centre" "$value")"
done
wrong 'object 0: "radius" is missing' '{"objects": [{"centre": [0, 0, 0]}]}'
wrong 'object 0: "centre" is missing' '{"objects": [{"radius": 1}]}'
wrong 'object 0: it has none of "centre" and "radius"' '{"objects": [{"mask": 1}]}'
wrong 'object 0: it has more than one of' '{"objects": [{"centre": [0, 0, 0], "radius": 1, "mesh": "a.obj"}]}'
wrong 'object 0: "radus" is not a member of an object' '{"objects": [{"centre": [0, 0, 0], "radus": 1}]}'
wrong 'object 0: it is 7, not an object' '{"objects": [7]}'
for value in -1 4294967296 1.5 '"1"'; do
    wrong "object 0: mask is $value, not a whole number from 0 to 4294967295" "{\"objects\": [{\"centre\": [0, 0, 0], \"radius\": 1, \"mask\": $value}]}"
done
wrong 'object 0: data is -5, not a whole number from 0 to 9223372036854775807' '{"objects": [{"centre": [0, 0, 0], "radius": 1, "data": -5}]}'
wrong 'line 1: not JSON: ' '{"objects": [{"centre": [0, 0, 0], "radius": 1, "data": 99999999999999999999}]}'
mesh='{"objects": [{"vertices": [[0, 0, 0], [1, 0, 0], %s], "triangles": [%s]}]}'
# shellcheck disable=SC2059
{
    wrong 'object 0: vertex 2 is ["nan",0,0], not three numbers from -1.09951e+12 to 1.09951e+12' "$(printf "$mesh" '["nan", 0, 0]' '[0, 1, 2]')"
    wrong 'object 0: vertex 2 is [2e12,0,0], not' "$(printf "$mesh" '[2e12, 0, 0]' '[0, 1, 2]')"
    wrong 'object 0: triangle 1 is [0,1,3], not three numbers of vertices' "$(printf "$mesh" '[0, 1, 0]' '[0, 1, 2], [0, 1, 3]')"
    wrong 'object 0: triangle 0 is [0,1,-1], not' "$(printf "$mesh" '[0, 1, 0]' '[0, 1, -1]')"
    wrong 'object 0: triangle 0 is [0,1,4294967298], not' "$(printf "$mesh" '[0, 1, 0]' '[0, 1, 4294967298]')"
    wrong 'object 0: triangles is [], not a list of triangles' "$(printf "$mesh" '[0, 1, 0]' '')"
}
wrong 'object 0: "triangles" is missing' '{"objects": [{"vertices": [[0, 0, 0]]}]}'
wrong 'object 0: mesh is "a.txt", not the name of an .obj' '{"objects": [{"mesh": "a.txt"}]}'
wrong 'no scene: {"objects": [...]}' '{"objects": []}'
wrong 'no scene: {"objects": [...]}' '{"objects": [{"centre": [0, 0, 0], "radius": 1}], "more": 1}'
wrong 'no scene: {"objects": [...]}' '[]'
wrong "line 1: not JSON: '[' or '{' expected near '7'" '7'
wrong 'line 1: not JSON: ' ''
wrong 'line 2: not JSON: ' $'{"objects":\n [}'
wrong 'line 1: not JSON: ' '{"objects": [], "objects": []}'
printf '{"objects": [\0]}' >wrong.json
refused "wrong.json: line 1: not JSON" scene wrong.json
(echo '{"objects": ['; yes '7,' 2>/dev/null | head -n 1048577; echo '7]}') >wrong.json
refused "wrong.json: 1048578 objects: must be at most 1048576" scene wrong.json
# Brackets that never close.
yes '[' | head -n 100000 | tr -d '\n' >wrong.json
refused "wrong.json: line 1: not JSON: maximum parsing depth reached" scene wrong.json
refused "--questions is for a batch" scene uniform/100 --query pairs --questions 7
refused "--hits is for a single --query" scene uniform/100 --query sphere --hits 5
refused "has a comma without a word before or after it" scene uniform/100 --query "sphere 1,,1,1,1"

# A cut file is refused, unless it is cut after the last bracket.
size=$(stat -c %s hand.json)
for ((at = 0; at < size - 1; at += 17)); do
    head -c "$at" hand.json >cut.json
    refused "cut.json: line " scene cut.json
done
# Replaces each number by another value.
numbers=$(grep -oE '[-0-9.]+|"0x1p\+0"' hand.json | wc -l)
for value in NaN '"nan"' '"x"' 1e999 -Infinity '{}'; do
    for ((k = 1 + RANDOM % 9; k <= numbers; k += 9)); do
        awk -v wanted="$k" -v value="$value" '{
            line = $0; done = ""
            while (match(line, /"0x1p\+0"|[-0-9.]+/)) {
                n++
                done = done substr(line, 1, RSTART - 1) (n == wanted ? value : substr(line, RSTART, RLENGTH))
                line = substr(line, RSTART + RLENGTH)
            }
            print done line }' hand.json >other.json
        refused "other.json: " scene other.json
        expect_equal "lines of the message" "$(wc -l <"$scratch/err")" 1
    done
done
finish
