#!/bin/bash
# SPDX-License-Identifier: MIT
# render.sh threads|- assimp|- READER...: `voxphys render`. READER (read_png.c) reads the pictures, and checks places, colours and
# shadows. Every kernel, form and number of threads gives the same picture. Also refusals, which leave no file. Without a READER the build
# makes no pictures, and reports it.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
. "$VOXPHYS_SOURCE/tests/cli/meshes.bash"
cd "$scratch" || exit 1
has_threads=$1
assimp=$2
shift 2
reader=("$@")

if [[ ${#reader[@]} -eq 0 ]]; then
    refused "writing a PNG needs libpng, and this build has none" render terrain-l2 -o a.png
    finish
fi

picture() # ARGUMENT...: `render`, into a.png
{
    succeeds render "$@" -o a.png --json
}
look() # X,Y...: reads a.png, and sets width, height, colours, black and the pixels, one per line
{
    shown="read_png a.png $*"
    "${reader[@]}" a.png "$@" >"$scratch/pixels" 2>"$scratch/err" </dev/null
    status=$? err=$(cat "$scratch/err")
    expect_status 0
    read -r width height colours black <"$scratch/pixels"
    mapfile -t pixel < <(tail -n +2 "$scratch/pixels")
}
expect_pixel() # WHAT NUMBER TEST: tests $r, $g and $b
{
    local r g b
    read -r r g b <<<"${pixel[$2]}"
    (($3)) || fail "$1: pixel $2 is $r $g $b, not $3"
}

# ---- a world ----

picture terrain-l2 --size 160x90
expect_json "what is told" '.source == "terrain-l2" and .sources == [.source] and .file == "a.png" and .size == [160, 90] and .rays.count > 57600 and .rays.threads == 1'
digest=$(member digest)
expect_equal "the digest that every machine gives" "$digest" 21d25627539decb4
cp a.png first.png
look 0,0 159,0 80,89
expect_equal "the size" "$width $height" "160 90"
[[ $colours -gt 1000 ]] || fail "it has $colours colours"
expect_pixel "the sky is blue" 0 'b > r && b > 100'
expect_pixel "the sky is blue" 1 'b > r && b > 100'
while read -r isa; do
    picture terrain-l2 --size 160x90 --isa "$isa"
    expect_equal "the kernel" "$(jq -r .rays.kernel <<<"$out")" "$isa"
    expect_equal "the digest of --isa $isa" "$(member digest)" "$digest"
    cmp -s a.png first.png || fail "other bytes by $isa"
done < <(usable_isas)
same_with "$digest" --form "slab published" render terrain-l2 --size 160x90 -o a.png
same_with "$digest" --threads 3 render terrain-l2 --size 160x90 -o a.png
run dataset make terrain-l2 -o world.vpw
picture world.vpw --size 160x90
expect_equal "the digest of a file" "$(member digest)" "$digest"
for option in "--samples 1" "--ambient 0" "--shadows off" "--shading flat" "--surface solid" "--yaw 125" "--pitch 60" "--fov 20" \
    "--distance 60" "--sun 90,20" "--target 0,0,0" "--eye 90,60,90"; do
    read -r -a words <<<"$option"
    picture terrain-l2 --size 160x90 "${words[@]}"
    [[ $(member digest) != "$digest" ]] || fail "$option changes nothing"
done
run render terrain-l2 --size 16x9 -o a.png
expect_in stdout "$out" "16 x 9 pixels, digest" "written  a.png"

# --distance counts from the middle of the scene, also if a part of it is outside the view. A world's surface ends at most a voxel from
# its blocks. This world is 64 wide.
for distance in 20 60 2000; do
    picture terrain-l2 --size 16x9 --distance $distance
    expect_json "the camera at $distance" ".camera | (.eye[0] + $distance * .forward[0] - 32 | fabs) < 2 and (.eye[2] + $distance * .forward[2] - 32 | fabs) < 2"
done

# From every side the world is closed, so no pixel is dark.
for yaw in 35 125 215 305; do
    picture terrain-l2 --size 96x54 --yaw $yaw --pitch 5 --shadows off --ambient 0
    look
    expect_equal "black pixels from $yaw degrees" "$black" 0
done

# Ground of brown soil (material 3) with a pool of water in its middle, from straight above.
for ((z = 0; z < 32; z++)); do
    for ((x = 0; x < 32; x++)); do
        if ((x > 9 && x < 22 && z > 9 && z < 22)); then printf '\2\0'; else printf '\10\0'; fi
    done
done >pool.raw
succeeds dataset import pool.raw --format raw --raw-size 32,32 --water-level 8 --soil-depth 0 --materials 3,3,3 -o pool.vpw
picture pool.vpw --size 64x64 --pitch 90 --yaw 0 --fov 40
look 32,32 5,32 32,5 58,32 32,58
expect_pixel "the water is blue" 0 'b > r + 20'
for i in 1 2 3 4; do
    expect_pixel "the ground is brown" $i 'r > b + 20'
done
picture pool.vpw --size 64x64 --pitch 90 --fov 40 --surface solid
look 32,32
expect_pixel "without water its ground is brown, in the shadow" 0 'r > b'
picture pool.vpw --size 64x64 --pitch 90 --fov 40 --surface water
look 32,32 5,32
expect_pixel "water alone" 0 'b > r + 20'
run dataset import pool.raw --format raw --raw-size 32,32 -o dry.vpw
refused "dry.vpw has no such surface" render dry.vpw --surface water -o none.png

# Blocks show a face for each visible side. A slab of 32 x 32 x 2 has a voxel above it. Water shows only its top.
echo '{"size": [32, 24, 32], "ground": 2, "plant": [{"species": "firefly", "at": [16, 12, 16]}]}' >slab.json
run grow slab.json --steps 0 -o slab.vpw
picture slab.vpw --size 64x64 --shading blocks --pitch 90 --yaw 0 --target 16.5,0,16.5 --distance 60 --fov 40
expect_json "the faces of blocks" '.mesh.triangles == 2 * (2 * 32 * 32 + 4 * 32 * 2 + 6)'
look 32,32 20,32 32,44 2,2
expect_pixel "the voxel is yellow" 0 'r > 150 && g > 150 && b < 120'
expect_pixel "the ground is grass" 1 'g > r && g > b'
expect_pixel "the ground is grass" 2 'g > r && g > b'
expect_pixel "beside it is the depth" 3 'b > g && b > r'
picture pool.vpw --size 16x16 --shading blocks --surface water
expect_json "the faces of water" '.mesh.triangles == 2 * 12 * 12'
picture terrain-l2 --size 160x90 --shading blocks
expect_equal "the digest that every machine gives of blocks" "$(member digest)" f95637a1a4b4177a

# ---- meshes ----

if [[ $assimp == assimp ]]; then
    # A red cube on the right, a green one on the left and a blue one above them, seen from +z. A unit is six pixels wide.
    printf 'newmtl red\nKd 1 0 0\nnewmtl green\nKd 0 1 0\nnewmtl blue\nKd 0 0 1\nnewmtl grey\nKd 0.7 0.7 0.7\n' >three.mtl
    cube_at() # X Y Z SIZE MATERIAL: a cube with separate corners
    {
        local corner quad
        for corner in "${cube_corners[@]}"; do
            # shellcheck disable=SC2086 # words
            set -- "$1" "$2" "$3" "$4" "$5" $corner
            echo "v $(($1 + $4 * $6)) $(($2 + $4 * $7)) $(($3 + $4 * $8))"
        done
        echo "usemtl $5"
        for quad in "${cube_quads[@]}"; do
            # shellcheck disable=SC2086 # words
            set -- "$1" "$2" "$3" "$4" "$5" $quad
            echo "f $(($6 - 8)) $(($7 - 8)) $(($8 - 8)) $(($9 - 8))"
        done
    }
    { echo "mtllib three.mtl"; cube_at 2 0 0 2 red; cube_at -4 0 0 2 green; cube_at -1 4 0 2 blue; } >three.obj
    picture three.obj --size 100x60 --eye 0,3,30 --target 0,3,0 --fov 20
    look 68,42 31,42 50,18 50,42
    expect_pixel "red is to the right" 0 'r > 100 && r > 2 * g && r > 2 * b'
    expect_pixel "green is to the left" 1 'g > 100 && g > 2 * r && g > 2 * b'
    expect_pixel "blue is above" 2 'b > 100 && b > 2 * r && b > 2 * g'
    expect_pixel "nothing is between them" 3 'b > r && r > 60 && g > 60'
    picture three.obj --size 100x60 --yaw 180 --pitch 0 --fov 20
    look 22,44
    expect_pixel "from behind, red is to the left" 0 'r > 100 && r > 2 * g && r > 2 * b'

    # Side by side from one camera, each half equals its single picture, and both scenes are whole.
    picture three.obj three.obj --size 200x60 --eye 0,3,30 --target 0,3,0 --fov 20
    expect_json "what is told of two" '.source == "three.obj" and .sources == ["three.obj", "three.obj"] and .mesh.triangles == 72'
    look 68,42 31,42 50,18 50,42 168,42 131,42 150,18 150,42
    expect_equal "both halves" "${pixel[*]:0:4}" "${pixel[*]:4:4}"
    expect_pixel "red is to the right of the right one too" 4 'r > 100 && r > 2 * g && r > 2 * b'
    refused "--size '1x9': 1 pixels are too few for 2 side by side" render three.obj three.obj -o none.png --size 1x9
    picture solid-torn three.obj --size 32x16
    expect_json "a solid" '.mesh.triangles == 60 + 36'

    # In an OBJ the faces share the corners.
    cube_file one.obj obj
    picture one.obj --size 33x33
    digest=$(member digest)
    refused "--shading blocks is for worlds; one.obj is a mesh" render one.obj --shading blocks -o none.png
    picture one.obj --size 33x33 --shading smooth
    [[ $(member digest) != "$digest" ]] || fail "smooth is flat for an OBJ"

    # A cube one unit above a floor. Under a vertical sun its shadow is below it, seen from the side.
    { echo "mtllib three.mtl"; cube_at -10 -21 -10 20 grey; cube_at -2 0 -2 4 grey; } >floor.obj
    for shadows in on off; do
        picture floor.obj --size 100x60 --eye 0,8,40 --target 0,0,0 --fov 40 --sun 0,89 --ambient 0 --shadows $shadows
        look 50,31 38,31
        expect_pixel "the floor in the sun" 1 'r > 180'
        [[ $shadows == off ]] && expect_pixel "the floor under it, in the sun too" 0 'r > 180'
        [[ $shadows == on ]] && expect_pixel "the floor under it, in its shadow" 0 'r < 140'
    done
    # The sky's light is also weaker there.
    picture floor.obj --size 100x60 --eye 0,8,40 --target 0,0,0 --fov 40 --sun 0,-60 --ambient 64
    look 50,31 38,31
    expect_pixel "the sky is hidden under it" 0 "r + 10 < $(cut -d ' ' -f 1 <<<"${pixel[1]}")"
    cube_file cube.glb glb
    picture cube.glb --size 32x32
    look 16,16
    expect_equal "the size" "$width $height" "32 32"
    picture cube.glb --size 33x33 --pitch 90 --sun 0,-90 --ambient 0
    digest=$(member digest)
    picture cube.glb --size 33x33 --pitch 90 --sun 0,-90 --ambient 0 --shading smooth
    [[ $(member digest) != "$digest" ]] || fail "smooth is flat"
fi

# ---- refusals ----

# An input is never overwritten.
ln -s world.vpw world.png
cp world.vpw kept.vpw
refused "FILE 'world.png' is the file that is read" render world.vpw -o world.png --size 8x8
cmp -s world.vpw kept.vpw || fail "the world was written over"
if [[ $assimp == assimp ]]; then
    cp three.obj kept.obj
    cp three.mtl kept.mtl
    ln -s three.obj mesh.png
    refused "three.obj: it is the file to write, or refers to it" render three.obj -o mesh.png --size 8x8
    ln -s three.mtl materials.png
    refused "three.obj: it is the file to write, or refers to it" render three.obj -o materials.png --size 8x8
    cmp -s three.obj kept.obj || fail "the mesh was written over"
    cmp -s three.mtl kept.mtl || fail "its materials were written over"
fi

refused "where to: -o FILE.png" render terrain-l2
refused "-o 'a.jpg' does not end with .png" render terrain-l2 -o a.jpg
refused "-o '.png' does not end with .png" render terrain-l2 -o .png
for size in 0x10 10x0 10 10x x10 10x10x10 10,10 -5x10 1e3x10 "" " 10x10"; do
    refused "--size '$size' is not a width and a height" render terrain-l2 -o none.png --size "$size"
done
refused "--size '16385x1': at most 16384 pixels on a side and 67108864 in all" render terrain-l2 -o none.png --size 16385x1
refused "--size '16384x16384': at most" render terrain-l2 -o none.png --size 16384x16384
refused "--size '99999999999999999999x1': at most" render terrain-l2 -o none.png --size 99999999999999999999x1
refused "--eye '1,nan,2' is not X,Y,Z: 3 finite numbers" render terrain-l2 -o none.png --eye 1,nan,2
refused "the eye has x = 2e+12; the absolute value must be at most 1.09951e+12" render world.vpw -o none.png --eye 2e12,0,0
refused "the target has y = 2e+12" render world.vpw -o none.png --target 0,2e12,0
refused "the eye is at its target, (1, 2, 3)" render world.vpw -o none.png --eye 1,2,3 --target 1,2,3
refused "--eye says where the camera is" render terrain-l2 -o none.png --eye 1,2,3 --yaw 10
refused "--distance '-1' is not above 0 and at most 1.09951e+12" render terrain-l2 -o none.png --distance -1
refused "--distance '0' is not above 0" render terrain-l2 -o none.png --distance 0
refused "--sun '30' is not YAW,PITCH: 2 finite numbers" render terrain-l2 -o none.png --sun 30
refused "--sun '0,91': yaw is not from -3600 to 3600, or pitch not from -90 to 90" render terrain-l2 -o none.png --sun 0,91
refused "--sun '0,-90.5': yaw" render terrain-l2 -o none.png --sun 0,-90.5
refused "--sun '3601,0': yaw" render terrain-l2 -o none.png --sun 3601,0
refused "--shading 'round': must be one of flat, smooth, blocks" render terrain-l2 -o none.png --shading round
refused "atlantis" render atlantis -o none.png
refused '"chunks" is 1525 meshes' render chunks -o none.png
refused "cannot create a file for none/a.png" render world.vpw -o none/a.png --size 8x8
mkdir folder.png
refused "folder.png exists and is not a regular file" render world.vpw -o folder.png --size 8x8
[[ ! -e none.png ]] || fail "a picture was written although it was refused"
mkdir folder
run_small render world.vpw --size 200x200 -o folder/large.png
expect_status 2
expect_in stderr "$err" "File too large while writing byte 8192"
expect_equal "what is left in the folder" "$(ls -A folder)" ""

# A camera straight above, straight below or in the ground sees something.
for option in "--pitch 90" "--pitch -90" "--eye 32,4,32" "--eye 32,200,32 --target 32,0,32" "--eye 32,-20,32 --target 32,0,32"; do
    read -r -a words <<<"$option"
    picture world.vpw --size 24x24 "${words[@]}"
    look 12,12
done
finish
