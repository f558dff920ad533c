#!/bin/bash
# SPDX-License-Identifier: MIT
# blocks.sh threads|- zlib|-: `voxphys blocks`. The article's figures, worlds saved, loaded and edited in place, files of meshes and boxes
# with the counted content, and sweeps computed by hand. A bad value, also in a file that is cut or changed, ends with exit code 2 and a
# sentence that names the value.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
has_threads=$1 zlib=$2
cd "$scratch" || exit 1
subject=(blocks)

value() { jq -c "$1" <<<"$out"; }

# ---- a planet ----

succeeds blocks planet -o planet -o planet.vpw --json
expect_json "the article's figures" '.triangles_alone == 754608 and .triangles == 193716 and .boxes == 6831 and .merged_triangles < 60000'
expect_json "the world" '.world | .chunks == 125 and .uniform == 0 and .blocks == 1266361 and .digest == "37845fafb522c001"'
expect_json "faces and boxes, T-edges too" '.digest == "d8005c82b3da2e18"'
expect_json "the files" '.files == ["planet", "planet.vpw"] and .seed == 42 and .platforms and (.caves | not)'
digest=$(value .world.digest) derived=$(value .digest)
if [[ -z $VOXPHYS_SLOW ]]; then # the same, with other options
    succeeds blocks planet --seed 42 --chunks 5
    expect_in stdout "$out" "125 chunks, 0 of one type" "754608 if chunks ignore each other, 193716 across chunks" "boxes      6831, 54.6 a chunk"
    if [[ $has_threads == threads ]]; then
        run blocks planet --threads 3 --json
        expect_equal "on three threads" "$(value '[.world.digest, .digest]')" "[$digest,$derived]"
    fi
fi
run blocks planet --seed 43 --chunks 3 --caves --no-platforms --json
expect_json "another planet" '.world.chunks == 27 and .caves and (.platforms | not) and .triangles > 0'
succeeds dataset make planet -o planet.json

# ---- saving and loading ----

tells "what was loaded" '.regions == 8 and .codec == "raw" and .bytes_per_chunk > 30000 and .world.chunks == 125' blocks load planet
expect_equal "the digest of what was loaded" "$(value .world.digest)" "$digest"
succeeds blocks save planet again --json
expect_equal "the digest of what was saved" "$(value .world.digest)" "$digest"
for file in planet/*; do cmp -s "$file" "again/${file#*/}" || fail "$file: another file was saved"; done
if [[ $zlib == zlib ]]; then
    tells "smaller files" '.codec == "zlib" and .bytes_per_chunk < 3000' blocks save planet small --codec zlib
    run blocks load small --json
    expect_equal "the digest of compressed ones" "$(value .world.digest)" "$digest"
    refused "this codec is \"raw\"" save again small --codec raw
else
    refused "--codec 'zlib' is none that this program has" save planet small --codec zlib
fi
# A smaller world replaces a larger one in its folder, and no file of the larger one stays.
run blocks planet --chunks 3 -o again --json
digest3=$(value .world.digest)
run blocks load again --json
expect_equal "a folder that had another world" "$(value .world.digest)" "$digest3"

# The world of voxels has other types and the same shape.
tells "the planet as voxels" '.triangles == 193716' blocks mesh planet.vpw
tells "boxes of the planet as voxels" '.boxes == 6831 and .t_edges == 55386' blocks colliders planet.vpw

# Three voxels in an L and a lone one, as a MagicaVoxel file, have 3*6 - 4 + 6 faces.
printf '\x56\x4f\x58\x20\x96\x00\x00\x00\x4d\x41\x49\x4e\x00\x00\x00\x00\x38\x00\x00\x00\x53\x49\x5a\x45\x0c\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x03\x00' >l.vox
printf '\x00\x00\x03\x00\x00\x00\x58\x59\x5a\x49\x14\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x01\x01\x00\x00\x01\x01\x01\x00\x02\x02\x02\x02\x03' >>l.vox
run blocks mesh l.vox --json
expect_json "MagicaVoxel's file" '.world.blocks == 4 and .quads == 20'
head -c 60 l.vox >cut.vox
refused "should have 76 bytes and has 60" mesh cut.vox

# ---- edits ----

succeeds blocks edit again --edit "voxel 32 16 16 0" --edit "sphere 20 20 60 4.5 7" -o again --json
expect_json "what an edit did" '.edits == 2 and (.changes | length) >= 2 and .derived >= (.changes | length) and .before != .after'
edited=$(value .world.digest)
run blocks load again --json
expect_equal "the digest of an edited world" "$(value .world.digest)" "$edited"
[[ $edited != "$digest3" ]] || fail "an edit alters nothing"
# A block at a corner of its chunk changes the light of 7 other chunks, and the faces of 3.
run blocks edit again --edit "voxel 32 32 32 9" --json
expect_json "a corner over faces" '.changes == [{chunk: [1, 1, 1], faces: 13328, all: 13851}] and .derived == 4'
tells "a corner with light" '.derived == 8' blocks edit again --edit "voxel 32 32 32 9" --occlusion
printf 'voxel 1 2 3 4 # stone\n\n{"shape": "box", "low": [0, 0, 0], "high": [2, 2, 2], "material": 0, "occupancy": 0}\n' >edits
prints "edits      2, as one tick" blocks edit blocks-full --edits edits
prints "(1, 1, 1): seen by itself and 7 around it, 3 of them over faces" blocks edit again --edit "voxel 32 32 32 9" --occlusion

# ---- meshes and boxes ----

run blocks mesh blocks-full -o full.obj --json
expect_json "one chunk" '.chunks == 1 and .quads == 6144 and .sides == {"-x": 1024, "+x": 1024, "-y": 1024, "+y": 1024, "-z": 1024, "+z": 1024}'
expect_equal "faces of an OBJ" "$(grep -c '^f ' full.obj)" 6144
tells "six rectangles" '.quads == 6 and .triangles == 12 and .most_quads == 6' blocks mesh blocks-full --form quads -o full.ply
# Rounded by 8, a corner at (16, 16, 16) from the middle moves to 8 (1 + 1 / sqrt 3) on each axis.
run blocks mesh blocks-full --form quads --deform 8 -o round.obj
expect_equal "rounded corners" "$(awk '/^v /{for (i = 2; i < 5; i++) print int($i * 100)}' round.obj | sort -nu | xargs)" "338 2861"
# The outermost of five chunks along an axis moves by 64 times 0.5.
for factor in 0 0.5; do
    run blocks mesh planet --part 2,0,0,3,1,1 --explode $factor -o moved-$factor.obj
    awk '/^v /{print $2, $3, $4}' moved-$factor.obj >moved-$factor
done
expect_equal "a chunk moved outwards" "$(paste -d ' ' moved-0.5 moved-0 | awk '{print $1 - $4, $2 - $5, $3 - $6}' | sort -u)" "32 0 0"
# Grass is darker near the dirt on it, because its corners get less light. Water is transparent. Other blocks are opaque.
run blocks edit blocks-full --edit "voxel 5 32 5 2" --edit "voxel 20 32 20 3" -o looks
run blocks mesh looks --occlusion -o looks.obj
expect_equal "materials" "$(awk '/^newmtl/{name = $2} /^Kd/{kd = $2 "," $3 "," $4} /^d /{print name, kd, $2}' looks.mtl | LC_ALL=C sort | xargs)" \
    "dirt 0.4784,0.3373,0.2118 1 dirt-8 0.3686,0.2588,0.1647 1 grass 0.3647,0.6078,0.2471 1 grass-10 0.3216,0.5373,0.2196 1 grass-11 0.3412,0.5725,0.2314 1 water 0.2471,0.4627,0.8941 0.7 water-8 0.1922,0.3569,0.6941 0.7"
tells "halved twice" '.edge == 8 and .quads == 384' blocks mesh blocks-full --lod 2
tells "a part" '.chunks == 1 and .quads > 1000' blocks mesh planet --part 0,2,0,1,3,1 --occlusion --deform 40 --explode 0.5 -o part.gltf
tells "a chunk alone" '.quads >= 6144' blocks mesh planet --part 0,0,0,1,1,1 --alone
tells "one box" '.boxes == 1 and .sides == {covered: 0, exposed: 6, mixed: 0} and .t_edges == 0' blocks colliders blocks-full -o full.json
expect_equal "the box" "$(jq -c .boxes full.json)" '[{"low":[0,0,0],"size":[32,32,32],"beyond":["exposed","exposed","exposed","exposed","exposed","exposed"],"t_edges":[]}]'
run blocks colliders blocks-full -o full-box.obj
expect_equal "the box's corners" "$(awk '/^v /{print $2, $3, $4}' full-box.obj | sort -u | wc -l)" 8
expect_equal "the box's extents" "$(awk '/^v /{print $2; print $3; print $4}' full-box.obj | sort -nu | xargs)" "0 32"
# A block on one end of two others. Its edge over the seam, along z at higher x and lower y, is inside the others' side.
run blocks edit blocks-full --edit "box 0 0 0 32 32 32 0" --edit "box 0 0 0 2 1 1 2" --edit "voxel 0 1 0 2" -o two
tells "their T-edges" '.boxes == 2 and .t_edges == 1' blocks colliders two -o two.json
expect_equal "which" "$(jq -c '[.boxes[] | [.low, .size, .beyond[2:4], .t_edges]]' two.json)" \
    '[[[0,0,0],[2,1,1],["exposed","mixed"],[]],[[0,1,0],[1,1,1],["covered","exposed"],[9]]]'
tells "boxes" '.boxes == 6831 and .sides.covered + .sides.exposed + .sides.mixed == 6 * 6831' blocks colliders planet -o planet.json
expect_equal "blocks of the boxes" "$(jq '[.boxes[].size | .[0] * .[1] * .[2]] | add' planet.json)" "$(value .world.blocks)"
succeeds blocks colliders blocks-luanti --explode 1 -o boxes.obj
expect_equal "six sides a box" "$(grep -c '^f ' boxes.obj)" "$(($(sed -n 's/^boxes *\([0-9]*\),.*/\1/p' "$scratch/out") * 6))"

# ---- sweeps: blocks-full is one cube from 0 to 32 ----

succeeds blocks sweep blocks-full --path 4,34,4,5,36,5,0,-4,0 --path 4,34,4,5,36,5,0,1,0 --path 1,1,1,2,2,2,0,1,0 --path 4,34,4,5,36,5,0,-2,0 --json
expect_equal "sweeps" "$(value '[.answers[] | [.end, .t, .block, .side]]')" '[["meets",0.5,[4,31,4],"+y"],["passes",1,null,"none"],["inside",0,[1,1,1],"none"],["passes",1,null,"none"]]'
expect_json "their sums" '.count == 4 and .passes == 2 and .meets == 1 and .inside == 1'
run blocks sweep blocks-full --path 4,34,4,5,36,5,3,-4,0 --slide --json
expect_equal "a player" "$(value '[.answers[] | .centre, .sides, .inside]')" '[[7.5,33,4.5],["+y"],false]'
# A step of one block at x = 16. A body that may step takes it and stands. With another up axis no body stands, except by the side
# of the step.
run blocks edit blocks-full --edit "box 0 31 0 16 32 32 0" -o step
walk() # OPTION...
{
    run blocks sweep step --path 10,31,4,11,33,5,10,-0.5,0 --slide "$@" --json
    value '[.answers[] | .centre[0:2], .stepped, .ground]'
}
expect_equal "no step" "$(walk)" '[[15.5,32],false,"grass"]'
expect_equal "up a step" "$(walk --step 1.01)" '[[20.5,33],true,"grass"]'
expect_equal "nothing below" "$(walk --step 1.01 --up +x)" '[[15.5,32],false,"nothing"]'
expect_equal "the side is below" "$(walk --up -x)" '[[15.5,32],false,"grass"]'
tells "a batch" '.passes + .meets + .inside == 2000 and .meets > 0 and .inside > 0' blocks sweep planet --random 2000 --seed 3

# ---- refusals ----

refused "has 256 voxels along y at most, and a planet of 9 chunks 288" planet --chunks 9 -o large.vpw
refused "--codec 'lzma'" planet --codec lzma -o x
refused "--codec raw is for -o FOLDER" planet --codec raw -o raw.vpw
refused "--lod '3'" mesh planet --lod 3
refused "--deform '0'" mesh planet --deform 0
refused "is in (9, 9, 9) to (10, 10, 10), exclusive" mesh blocks-full --part 9,9,9,10,10,10
refused "-o 'x.stl'" mesh planet -o x.stl
refused "--explode '-1'" colliders planet --explode -1
refused "--deform is for -o FILE" mesh planet --deform 8
refused "--explode is for -o FILE" mesh planet --explode 1
refused "--explode is for a mesh" colliders planet --explode 1 -o x.json
refused "--length '-8' is not from 0 to 1099511627776" sweep planet --random 5 --length -8
refused "--length is for --random" sweep planet --path 0,0,0,1,1,1,1,1,1 --length 3
refused "-o 'x.txt'" colliders planet -o x.txt
refused "--path 'nan,0,0,1,1,1,0,0,0'" sweep planet --path nan,0,0,1,1,1,0,0,0
refused "no extent along x: 5 to 1" sweep blocks-full --path 5,0,0,1,1,1,1,1,1
refused "--path X,Y,Z,X,Y,Z,X,Y,Z or --random N is missing" sweep planet
refused "--random and --path" sweep planet --random 5 --path 0,0,0,1,1,1,1,1,1
refused "--step is for --slide" sweep planet --step 1 --random 5
refused "\"99999999999\" is not a whole number" edit blocks-full --edit "voxel 1 1 99999999999 1"
refused "blocks 2000000000 to 2000000000 along y" edit blocks-full --edit "voxel 1 2000000000 1 1"
refused "type 77" edit blocks-full --edit "voxel 1 1 1 77"
refused "an occupancy of 9" edit blocks-full --edit "voxel 1 1 1 4 9"
refused "--edit EDIT or --edits FILE is missing" edit planet
refused "nowhere" load nowhere
refused "is not a folder" load planet.vpw
refused "no_such_world" mesh no_such_world
refused "neither blocks nor a world" mesh ball
mkdir empty
refused "a folder without region files" load empty
refused "there is a file of that name" save blocks-full planet.vpw

# A region file that is cut (fuzz.block_region has more), a region file of another place, and an invalid table.
cp -r again damaged
head -c 5000 again/0.0.0.vpb >damaged/0.0.0.vpb
refused "0.0.0.vpb" load damaged
refused "0.0.0.vpb" save blocks-full damaged
cp again/0.0.0.vpb damaged/
cp again/0.0.0.vpb damaged/5.0.0.vpb
refused "5.0.0.vpb" load damaged
rm damaged/5.0.0.vpb
touch damaged/99999999.0.0.vpb
refused "99999999.0.0.vpb is a region beyond" load damaged
rm damaged/99999999.0.0.vpb
for table in 'nothing' '{"types": []}' '{"types": [{"colour": "#0000"}]}' '{"types": [{"colour": "#000000", "is": ["hard"]}]}'; do
    echo "$table" >damaged/types.json
    refused "types.json" load damaged
done
echo '{"types": [{"colour": "#000000", "is": []}]}' >damaged/types.json
refused "type" load damaged
finish
