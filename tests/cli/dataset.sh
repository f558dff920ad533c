#!/bin/bash
# SPDX-License-Identifier: MIT
# `voxphys dataset` and `voxphys broadphase` end to end. Every listed set can be described, made, written, read back and queried, and an
# imported heightmap is solid below its samples. The expected answers are computed by hand.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

# ---- list and info ----
tells sets '.sets | length >= 10 and ([.[].name] | length == (unique | length))' dataset list
expect_json fields '[.sets[] | (.name, .kind, .description, .licence | type == "string" and length > 0)] | all'
expect_equal kinds "$(jq -c '[.sets[].kind] | unique' "$scratch/out")" "$(jq -c '[.sets[].kind] | unique' "$VOXPHYS_SOURCE/datasets/manifest.json")"
expect_json "the sets that others rely on" '["terrain-l2", "terrain-l3", "terrain-dram", "sparse", "dense", "checker", "luanti",
    "boxes-small", "boxes-medium", "boxes-large", "terrain-230k", "chunks", "chunks-luanti", "chunks-degenerate", "world-230k",
    "world-luanti", "coherent", "incoherent", "mixed", "cold", "grazing", "box-1.5", "box-6"] - [.sets[].name] == []'
names=$(jq -r '.sets[].name' <<<"$out")
run dataset list
for name in $names; do
    expect_in stdout "$out" "$name"
done
for name in $names; do
    succeeds dataset info "$name" --json
    expect_equal "the name" "$(member name)" "$name"
    cat "$scratch/out" >>"$scratch/infos"
done
expect_equal "sets without a hash" "$(jq -c 'select([if .hash then .hash else .hashes[] end | test("^[0-9a-f]{16}$")] | length > 0 and all | not) | .name' "$scratch/infos")" ""

# ---- make and read back ----
tells checked '.checked == true and .name == "terrain-l2"' dataset make terrain-l2 -o "$scratch/a.vpw"
hash=$(member hash)
run dataset make terrain-l2 -o "$scratch/b.vpw"
tells "the hash of what was read back" ".hash == \"$hash\"" dataset import "$scratch/a.vpw" -o "$scratch/c.vpw"
for copy in b c; do
    cmp -s "$scratch/a.vpw" "$scratch/$copy.vpw" || fail "a.vpw and $copy.vpw differ"
done
run dataset make terrain-l2/boxes-small -o -
expect_status 0
expect_equal "lines" "$(wc -l <"$scratch/out")" "$(voxphys dataset info terrain-l2/boxes-small --json | jq .count)"
cp "$scratch/out" "$scratch/boxes.jsonl"

# ---- meshes, rays and their boxes are counted, made and written ----
tells counts '.contents | .meshes == 1525 and .chunks == true and .triangles == 227302 and .vertices > 113651' dataset info chunks --count
expect_json bytes '.contents | .bytes == .vertices * 12 + .triangles / 2 * (4 * 4 + 1)'
succeeds dataset info chunks-degenerate/cold --count --json
expect_json counts '.kind == "rays" and (.contents | .rays == 262144 and .meshes == 245 and .bytes == 262144 * 32)'
tells counts '.contents == {boxes: 65536, meshes: 1, bytes: (65536 * 28)}' dataset info world-230k/box-1.5 --count
tells checked '.checked == true and .name == "chunks-degenerate"' dataset make chunks-degenerate -o "$scratch/meshes.jsonl"
expect_equal "of meshes: number, triangles, indices in range, a material each" "$(jq -sc '[length, (map(.triangles | length) | add),
    all(.vertices as $v | .triangles | flatten | max < ($v | length)), all((.triangles | length) == (.materials | length))]' \
    "$scratch/meshes.jsonl")" "$(voxphys dataset info chunks-degenerate --count --json |
    jq -c '[.count, .contents.triangles, true, true]')"
succeeds dataset make world-230k -o "$scratch/mesh.jsonl"
expect_equal "a line, its quads, the corners of one" "$(jq -sc '[length, (.[0].quads | length), (.[0].quads[0] | length)]' \
    "$scratch/mesh.jsonl")" "[1,113651,4]"
run dataset make chunks-degenerate/grazing -o -
expect_status 0
expect_equal "rays" "$(jq -sc '[length, all(.origin + .direction | length == 6), any(.t_max == "inf"), (map(.mesh) | max < 245)]' \
    "$scratch/out")" "[6144,true,true,true]"
run dataset make chunks-degenerate/box-6 -o -
expect_status 0
expect_equal "boxes" "$(jq -sc '[length, (map(.mesh) | max < 245)]' "$scratch/out")" "[65536,true]"

for command in info make; do
    refused 'the manifest has no meshes "terrain-l2"' dataset $command terrain-l2/coherent
    refused 'the manifest has no world "chunks"' dataset $command chunks/boxes-small
    refused "chunks" dataset $command terrain-l2/chunks
    refused 'chunks/none' dataset $command chunks/none
done
refused "MESHES/coherent" dataset make coherent
refused "MESHES/coherent" dataset info coherent --count
refused "coherent/x" dataset info chunks/coherent/x
refused "another chunk" dataset make world-230k/cold -o -

# ---- solids ----
run dataset info solid-hollow --count --json
expect_json counts '.contents == {solids: 1, triangles: 624, vertices: 316, shells: 2, closed: 1, open: 0, tangled: 0, optimum: 6}'
tells checked '.checked == true' dataset make solid-hollow -o "$scratch/solid.jsonl"
expect_equal "a line a solid" "$(jq -sc '[length, (.[0] | (.vertices | length), (.triangles | length), .surface, .shells, .optimum)]' \
    "$scratch/solid.jsonl")" '[1,316,624,"closed",2,6]'
succeeds dataset make solid-csg/small-far -o "$scratch/solids.obj"
run dataset make solid-csg/small-far -o "$scratch/solids.jsonl"
expect_equal "the same as an OBJ: objects, corners, triangles" "$(for line in o v f; do grep -c "^$line " "$scratch/solids.obj"; done | jq -sc .)" \
    "$(jq -sc '[length, (map(.vertices | length) | add), (map(.triangles | length) | add)]' "$scratch/solids.jsonl")"
run dataset make solid-triangle/small -o -
expect_equal "a thousandth" "$(jq -c .vertices "$scratch/out")" '[["0x0p+0","0x0p+0","0x0p+0"],["0x1p+0","0x0p+0","0x0p+0"],["0x0p+0","0x1p-1","0x0p+0"]]'
refused "after the slash comes a place: small, large, far, small-far or large-far" dataset make solid-gear/tiny -o -

# ---- points ----

tells counts '.kind == "points" and .contents == {sets: 36, points: 92016, bytes: (92016 * 12)}' dataset info ball --count
run dataset make ball/16 -o -
expect_equal "one set, of as many points" "$(jq -sc '[length, (.[0].points | length)]' "$scratch/out")" "[1,16]"
tells made '.checked == true and .name == "cube-grid/1000"' dataset make cube-grid/1000 -o "$scratch/points.jsonl"
expect_equal "a grid on a cube's faces" "$(jq -c '[(.points | length), (.points | unique | length)]' "$scratch/points.jsonl")" "[1016,1016]"
tells checked '.checked == true' dataset make one-point -o "$scratch/points.jsonl"
expect_equal "all in one place" "$(jq -c '.points | unique | length' "$scratch/points.jsonl" | sort -u)" "1"
succeeds dataset make ball/16 -o "$scratch/ball.points"
expect_equal "as a file of points" "$(grep -v '^#' "$scratch/ball.points" | sed 's/ /","/g; s/^/["/; s/$/"]/' | jq -sc .)" \
    "$(voxphys dataset make ball/16 -o - 2>/dev/null | jq -c .points)"
refused 'a .points file holds one set, and "ball" is many' dataset make ball -o "$scratch/ball.points"
refused '"ball/3": after the slash comes the number of points, a whole number from 4 to 16777216' dataset make ball/3 -o -
refused "16777216" dataset make ball/16777217 -o -
refused "the number of points" dataset make ball/coherent -o -
refused "the number of points" verify --dataset ball/x
refused "reads nothing of data set 'ball', of kind points; it reads rays of meshes" verify --dataset ball --kernel kd_ray

# ---- the sets of verify have as many chunks and boxes as it checks, and a seed makes others ----
cases() { voxphys verify --dataset fuzz-3 --seed 5 --isa scalar --kernel "$1" --json | jq '.checks[0].cases'; }
tells fuzz '.name == "fuzz-3" and .checked == false' dataset make fuzz-3 --seed 5 -o "$scratch/fuzz.vpw"
hash=$(member hash)
tells "the hash of what was read back" ".hash == \"$hash\"" dataset import "$scratch/fuzz.vpw" -o "$scratch/fuzz-copy.vpw"
run broadphase "$scratch/fuzz.vpw" --queries 0 --json
expect_equal "chunks" "$(jq '.size[0] * .size[1] * .size[2] / 512' <<<"$out")" "$(cases dilate_chunk)"
tells "another seed" ".hash != \"$hash\"" dataset make fuzz-3 -o "$scratch/fuzz.vpw"
run dataset make fuzz-3/boxes --seed 5 -o -
expect_status 0
expect_equal "boxes" "$(grep -c '^{"min": ' <<<"$out")" "$(cases overlap_chunks)"
refused "'ball/0': 'ball' has no such set" dataset info ball/0
refused "'solid-gear/nosuch': 'solid-gear' has no such set" dataset info solid-gear/nosuch
refused "--json and -o - exclude each other" dataset make ball/100 -o - --json
refused "option '--seed' is for fuzz-<n>" verify --dataset ball/100 --seed 5
refused "standard output" dataset make fuzz-3 --seed 5 -o -

# ---- broadphase gives the same answers for a name, a file, single boxes, two threads and any kernels ----
tells size '.size == [64, 64, 64]' broadphase terrain-l2 --boxes boxes-small --queries 5000
expect_json tags '[.tags[]] | add == 512'
expect_json memory '.memory.mask_bytes == .tags.mixed * 128 and .memory.total_bytes >= .memory.mask_bytes'
expect_json "bits a voxel" '.memory.mask_bits_per_voxel <= 2'
expect_json counts '.queries | .count == 5000 and .touch_any <= .touch_solid + .touch_water and .touch_any >= .touch_solid and .touch_any <= 5000'
answers='[.tags, .memory.mask_bytes, .queries.touch_solid, .queries.touch_water, .queries.touch_any, .queries.digest]'
wanted=$(jq -c "$answers" <<<"$out")
for other in "terrain-l2 --boxes boxes-small --single" "terrain-l2 --boxes terrain-l2/boxes-small" "terrain-l2 --boxes boxes-small --threads 2" \
    "terrain-l2 --boxes boxes-small --isa scalar" "$scratch/a.vpw --boxes $scratch/boxes.jsonl"; do
    # shellcheck disable=SC2086 # words
    succeeds broadphase $other --queries 5000 --json
    expect_equal "the answers" "$(jq -c "$answers" <<<"$out")" "$wanted"
done

# ---- a heightmap of 32 x 32 samples of 10 is solid below y = 10 ----
for ((i = 0; i < 1024; i++)); do
    printf '\012\000'
done >"$scratch/flat.raw"
tells size '.size == [32, 16, 32]' dataset import "$scratch/flat.raw" --format raw --raw-size 32,32 -o "$scratch/flat.vpw"
# The highest solid voxel is 9, and its bit reaches up to 10. A box also covers the voxel below its lower face. With the lower face at
# 11.9 it touches, at 12 it does not.
touches() # Y ANSWER
{
    printf '{"min": ["8", "%s", "8"], "max": ["9", "15", "9"]}\n' "$1" >"$scratch/box.jsonl"
    succeeds broadphase "$scratch/flat.vpw" --boxes "$scratch/box.jsonl" --queries 1 --json
    expect_json "a box at $1" ".queries.touch_solid == $2 and .queries.touch_water == 0"
}
touches 0 1
touches 11.9 1
touches 12 0

# ---- a user's manifest, with a note for each set without a hash ----
mkdir "$scratch/data"
# A world and a set without hashes, a world with one, and a text longer than an old limit of notes.
jq '(.sets[] | select(.name == "terrain-l2")) as $world | (.sets[] | select(.name == "boxes-small")) as $boxes
    | ("long " * 1000) as $long | .sets = [($world | del(.hash) | .name = "mine" | .description = $long), $world,
        ($boxes | .name = "crates" | .count = 100 | del(.hashes)), ($boxes | .hashes |= {"terrain-l2"})]' \
    "$VOXPHYS_SOURCE/datasets/manifest.json" >"$scratch/data/manifest.json"
export VOXPHYS_DATA=$scratch/data
told() # NAME...: only these are reported as without a hash
{
    local name wanted=
    for name; do
        wanted+="voxphys ${arguments%% *}: data set \"$name\": the manifest has no hash of it, so its content is not checked"$'\n'
    done
    expect_equal stderr "$err" "${wanted%$'\n'}"
}
# checked_as ARGUMENTS HASHES NAME...: HASHES is the JSON's value for worlds and, after a space, for boxes.
checked_as()
{
    arguments=$1
    local said=$2
    # shellcheck disable=SC2086 # words
    run $arguments --json
    expect_status 0
    told "${@:3}"
    if [[ $arguments == verify* ]]; then
        expect_equal "hash_checked" "$(jq -r '[.checks[].hash_checked] | unique | map(tostring) | join(" ")' <<<"$out")" "$said"
    else
        expect_equal "hash_checked" "$(jq -r '"\(.hash_checked) \(.queries.boxes.hash_checked)"' <<<"$out")" "$said"
    fi
    # shellcheck disable=SC2086 # words
    run $arguments
    expect_status 0
    told "${@:3}"
}
checked_as "broadphase terrain-l2 --queries 10 --boxes boxes-small" "true true"
checked_as "broadphase terrain-l2 --queries 10 --boxes crates" "true false" terrain-l2/crates
checked_as "broadphase mine --queries 10 --boxes crates" "false false" mine mine/crates
checked_as "broadphase mine --queries 10" "false null" mine
checked_as "broadphase $scratch/b.vpw --queries 10 --boxes $scratch/box.jsonl" "null null"
checked_as "verify --dataset terrain-l2 --isa scalar --kernel dilate_chunk" true
checked_as "verify --dataset mine --isa scalar --kernel dilate_chunk" false mine
checked_as "verify --dataset terrain-l2/crates --isa scalar" false terrain-l2/crates
checked_as "verify --dataset mine/crates --isa scalar" false mine mine/crates
checked_as "verify --dataset fuzz-1 --isa scalar --kernel dilate_chunk" null
succeeds dataset make mine -o "$scratch/mine.vpw"
grep -aq "^licence: CC0-1.0 (generated)" "$scratch/mine.vpw" || fail "the note was cut"
unset VOXPHYS_DATA

# ---- a damaged file ----
printf '\377' | dd of="$scratch/a.vpw" bs=1 seek=200 conv=notrunc 2>/dev/null
refused "CRC-32" broadphase "$scratch/a.vpw"
head -c 1000 "$scratch/b.vpw" >"$scratch/short.vpw"
refused "$scratch/short.vpw" broadphase "$scratch/short.vpw"
finish
