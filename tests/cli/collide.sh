#!/bin/bash
# SPDX-License-Identifier: MIT
# collide.sh assimp|-: `voxphys collide`. Contact points computed by hand, on voxels, blocks and a mesh. A hull of a box's corners has the
# box's contacts. The figures of batches add up and their digests are fixed. Also a picture, and refusals.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
assimp=$1
cd "$scratch" || exit 1

# ---- ground at y = 8, by hand ----

# 16 x 16 columns of eight full voxels in 2 x 2 chunks. A vertex lies 1/512 above the middle of its cell, so the surface
# is at 8.001953125.
printf '%.0s\10\0' {1..256} >flat.raw
succeeds dataset import flat.raw --format raw --raw-size 16,16 --materials 7,7,7 -o flat.vpw
up='all(.bodies[].manifolds[].points[]; .normal == [0, 1, 0] and .material == 7 and .name == "snow" and (.feature | test("^[0-9a-f]{16}$")))'

# The depth of a box's lowest corners is the half height minus the height of its middle above the surface.
succeeds collide flat.vpw --shape box:1,1,2 --pose 4.25,8.25,4.25 --json
expect_json "the ground" '.ground == {source: "flat.vpw", kind: "world", hash_checked: null}'
expect_json "the shape" '.shape | .kind == "box" and .text == "box:1,1,2" and .radius > 1.2247 and .radius < 1.2248'
expect_json "members" 'keys == ["batch", "bodies", "digest", "file", "ground", "margin", "shape", "whole"] and .batch == null and .file == null
    and .margin == 0 and .whole == false and (.digest | test("^[0-9a-f]{16}$"))'
expect_json "the body" '.bodies | length == 1 and (.[0] | .position == [4.25, 8.25, 4.25] and .rotation == [0, 0, 0, 1] and .near > 8
    and .push_out == {end: "free"} and [.manifolds[].chunk] == [0])'
expect_json "normals and materials" "$up"
expect_json "depths" 'all(.bodies[0].manifolds[0].points[]; .depth == 0.251953125 and .chunk == 0)'
rounded='def near(at): map(. * 1024 | round / 1024); '
expect_json "points on the ground" "$rounded"'[.bodies[0].manifolds[0].points[].on_triangle | near(.) | [.[0], .[2]]] | sort ==
    [[3.75, 3.25], [3.75, 5.25], [4.75, 3.25], [4.75, 5.25]]'
expect_json "points on the shape" "$rounded"'all(.bodies[0].manifolds[0].points[]; (.on_shape | near(.)[1]) == 7.75)'

# Upside down it is the same. A quarter turn about z makes the height 2.
succeeds collide flat.vpw --shape box:2,1,1 --pose 4.25,8.75,4.25,0,0,3,3 --json
expect_json "a box that is turned" 'all(.bodies[0].manifolds[0].points[]; .depth > 0.25195 and .depth < 0.25196 and .normal == [0, 1, 0])'
# Options give a cylinder's whole length, and the length of a capsule's segment. Radii are horizontal.
succeeds collide flat.vpw --shape cylinder:0.5,1 --pose 4.25,8.25,4.25 --json
expect_json "a cylinder" "$up and"' ([.bodies[0].manifolds[0].points[].depth] == [0.251953125, 0.251953125, 0.251953125, 0.251953125])'
succeeds collide flat.vpw --shape capsule:0.5,1 --pose 4.25,8.25,4.25 --json
expect_json "a capsule" "$up and"' ([.bodies[0].manifolds[0].points[].depth] == [0.751953125])'
succeeds collide flat.vpw --shape sphere:1 --pose 4.25,8.25,4.25 --pose 4.25,9.25,4.25 --pose 4.25,900,4.25 --margin 0.5 --json
expect_json "a sphere that overlaps, one that is apart, one far away" "$up and"' ([.bodies[].manifolds | map(.points[].depth)] == [[0.751953125], [-0.248046875], []])
    and .margin == 0.5'
expect_json "what is near each" '[.bodies[].near > 0] == [true, true, false]'

# Touching points are the same with a margin, and come first.
pose=56.8732567,22.5539769,23.2678719,0.0161748957,-0.133773923,-0.728762686,-0.671377599
touching='[.bodies[0].manifolds[].points[] | select(.depth >= 0)]'
succeeds collide terrain-l2 --shape box:1,1,1 --whole --pose "$pose" --json
expect_json "a crate on two slopes" '[.bodies[0].manifolds[] | .points | length] == [2, 2]'
without=$(jq -c "$touching" <<<"$out")
succeeds collide terrain-l2 --shape box:1,1,1 --whole --pose "$pose" --margin 0.1 --json
expect_equal "the same points with a margin" "$(jq -c "$touching" <<<"$out")" "$without"
expect_json "and others" '[.bodies[0].manifolds[].points[]] | length > 4'

# Across the corner of four chunks each chunk has a manifold, and there is one of all.
succeeds collide flat.vpw --shape box:1,1,1 --pose 8,8.25,8 --json
# shellcheck disable=SC2016 # $c is jq's
expect_json "four chunks" "$up and"' ([.bodies[0].manifolds[] | .chunk] == [0, 1, 2, 3]) and all(.bodies[0].manifolds[]; .chunk as $c | all(.points[]; .chunk == $c))'
succeeds collide flat.vpw --shape box:1,1,1 --pose 8,8.25,8 --whole --json
expect_json "one of all" "$up and"' .whole and (.bodies[0].manifolds | length == 1 and .[0].chunk == null and (.[0].points | length == 4 and ([.[].chunk] | sort) == [0, 1, 2, 3]))'
run collide flat.vpw --shape box:1,1,1 --pose 8,8.25,8 --whole
expect_in stdout "$out" "ground    flat.vpw, its solid surface" "shape     box:1,1,1, radius 0.866025627; margin 0" \
    "body 0    at (8, 8.25, 8): 8 triangles near it, 1 manifold of 4 points" "          depth 0.251953125 at (8.5, 8.00195312, " \
    ", normal (0, 1, 0), triangle " " of chunk 3, 7 snow, feature " "digest    "

# Below the surface the contact points the way out.
succeeds collide flat.vpw --shape sphere:1 --pose 8.25,6.5,8.25 --json
expect_json "the way out" '.bodies[0].push_out == {end: "out", voxel: [8, 8, 8], by: [0, 1.50292969, 0], direction: [0, 1, 0], distance: 1.50195312}'
prints "its centre is behind the surface, 1.50195312 deep: (0, 1.50292969, 0) moves it in front" collide flat.vpw --shape sphere:1 --pose 8.25,6.5,8.25

# At a triangle's edge the kernel's raw normal leans. The corrected one is the ground's.
succeeds collide flat.vpw --shape sphere:1 --pose 4.25,8.75,4.25 --triangles --json
expect_json "answers of triangles" '.bodies[0].triangles | length == 6 and
    all(.[]; .chunk == 0 and (.raw | keys == ["depth", "normal", "of_shape", "of_triangle", "on_shape", "on_triangle"]) and .raw.of_shape == "face 0")
    and any(.[]; .raw.of_triangle | test("^edge [012]$")) and any(.[]; (.raw.of_triangle | test("^corner [012]$")) and .raw.normal[1] < 0.95)'
expect_json "corrected ones" 'all(.bodies[0].triangles[].corrected; . == null or .normal == [0, 1, 0])'
run collide flat.vpw --shape sphere:1 --pose 4.25,8.75,4.25 --triangles
expect_in stdout "$out" ": depth 0.251953125, normal (0, 1, 0), face 0 on edge 2; corrected depth 0.251953125, normal (0, 1, 0), face 0 on edge 2"

# ---- hulls ----

printf '%s\n' "-0.5 -0.5 -0.5" "0.5 -0.5 -0.5" "-0.5 0.5 -0.5" "0.5 0.5 -0.5" "-0.5 -0.5 0.5" "0.5 -0.5 0.5" "-0.5 0.5 0.5" "0.5 0.5 0.5" "0 0 0" >box.points
points='[.bodies[0].manifolds[].points[] | [.depth, .on_triangle[0], .on_triangle[2]] | map(. * 1024 | round)] | sort'
succeeds collide flat.vpw --shape hull:box.points --pose 4.25,8.25,4.25 --json
expect_json "the hull" '.shape | .kind == "hull" and .text == "hull:box.points" and .vertices == 8'
of_hull=$(jq -c "$points" <<<"$out")
succeeds collide flat.vpw --shape box:1,1,1 --pose 4.25,8.25,4.25 --json
expect_equal "a box as a hull" "$of_hull" "$(jq -c "$points" <<<"$out")"
printf '%s\n' "0 0 0" "1 0 0" "0 0 1" >three.points
succeeds collide flat.vpw --shape hull:three.points --pose 4.25,8.01,4.25 --margin 0.0625 --json
expect_json "a triangle as a hull" '.bodies[0].manifolds[0].points | length > 0 and all(.[]; .depth < -0.008 and .depth > -0.0081)'
head -n 2 three.points >two.points
head -n 1 three.points >one.points
: >none.points
refused "two.points: " collide flat.vpw --shape hull:two.points --pose 1,9,1
refused "one.points: " collide flat.vpw --shape hull:one.points --pose 1,9,1
refused "none.points: " collide flat.vpw --shape hull:none.points --pose 1,9,1
refused "absent.points" collide flat.vpw --shape hull:absent.points --pose 1,9,1
printf '%s\n' "0 0 0" "nan 0 0" "0 0 1" >nan.points
refused "nan.points" collide flat.vpw --shape hull:nan.points --pose 1,9,1
refused 'data set "planet" is of kind blocks, which has no points' collide flat.vpw --shape hull:planet --pose 1,9,1

# ---- blocks, and meshes ----

succeeds collide flat.vpw --blocks --shape box:1,1,1 --pose 8,8.25,8 --json
expect_json "blocks" '.ground.kind == "blocks" and .ground.masks and .bodies[0].push_out == null and (.bodies[0].manifolds[0].points | length == 4 and all(.[]; .depth == 0.25 and .normal == [0, 1, 0]))'
tells "no block is pushed into" '.batch.inwards == 0 and .batch.points > 100' collide flat.vpw --blocks --shape box:1,0.5,1 --random 300
succeeds collide flat.vpw --blocks --no-masks --shape box:1,0.5,1 --random 300 --json
expect_json "without masks some are" '.batch.inwards > 0 and .ground.masks == false'
run collide planet-caves --shape sphere:0.5 --random 100
expect_in stdout "$out" "ground    planet-caves, its blocks" $'\n'"inwards   0 points"
tells "a solid" '.ground | .kind == "mesh" and .hash_checked and .triangles == 1056' collide solid-gear --shape capsule:0.1,0.2 --random 100

# Over a rim, at a corner and against a bank a body has only shallow contacts, never as deep as the body is wide. The depths are computed
# by hand. columns prints the height of each of 16 x 16 columns.
columns() {
    local x z
    for ((z = 0; z < 16; z++)); do
        for ((x = 0; x < 16; x++)); do
            printf '%b' "\\$(printf %o $(($1)))\\0"
        done
    done >columns.raw
    succeeds dataset import columns.raw --format raw --raw-size 16,16 --materials 7,7,7 -o "$2"
}
# shallow N DEPTH: N points, all with this depth except for roundings, along the normal NX,NY,NZ.
shallow() {
    expect_json "$* alone" "[.bodies[].manifolds[].points[]] | length == $1 and all(.[]; .depth > $2 - 1e-6 and .depth < $2 + 1e-6 and .normal == [$3])"
}
columns 'x >= 4 && x < 12 && z >= 4 && z < 12 ? 8 : 0' platform.vpw
succeeds collide platform.vpw --blocks --shape box:1,1,1 --pose 11.7,8.495,4.2 --whole --json
shallow 4 0.005 0,1,0
succeeds collide platform.vpw --blocks --shape box:1,1,1 --pose 11.5,8.5,4.5 --whole --json
shallow 4 0 0,1,0
columns 'x == 3 && z == 3' one.vpw
succeeds collide one.vpw --blocks --whole --shape capsule:0.3,1.2 --pose 4.29,0.9,3.95 --json
shallow 2 0.01 1,0,0
columns 'x < 8 ? 2 : 1' bank.vpw
succeeds collide bank.vpw --blocks --whole --shape box:0.6,1.8,0.6 --pose 8.2995,2.1,7.9 --json
shallow 4 0.0005 1,0,0
succeeds collide bank.vpw --blocks --whole --shape box:1,1,1 --pose 8.2,2.499,7.9 --json
shallow 4 0.001 0,1,0
if [[ $assimp == assimp ]]; then
    sides=("f 1 5 7" "f 1 7 3" "f 2 4 8" "f 2 8 6" "f 3 7 8" "f 3 8 4" "f 1 3 4" "f 1 4 2" "f 5 6 8" "f 5 8 7")
    printf '%s\n' v\ {-1,1}\ {-1,1}\ {-1,1} >corners # x changes slowest
    awk '{print $1, $4, $3, $2}' corners | cat - <(printf '%s\n' "${sides[@]}" "f 1 2 6" "f 1 6 5") >cube.obj
    awk '{print $1, $4 / 20, ($3 + 1) / 2, $2}' corners | cat - <(printf '%s\n' "${sides[@]}") >thin.obj # open at the bottom
    succeeds collide cube.obj --shape capsule:0.3,1.2 --pose 1.28,0.9,0.9 --json
    shallow 2 0.02 1,0,0
    succeeds collide cube.obj --shape sphere:0.5 --pose 1.49,0.99,0.95 --json
    shallow 1 0.01 1,0,0
    succeeds collide cube.obj --shape box:1,1,1 --pose 0.51,1.49,0 --json
    shallow 4 0.01 0,1,0
    succeeds collide thin.obj --shape capsule:0.3,1.2 --pose 0.305,0.9,0.1 --json
    shallow 2 0.045 1,0,0
    succeeds collide thin.obj --shape box:0.6,1.8,0.6 --pose 0.3,0.9,0.1 --json
    shallow 4 0.05 1,0,0
    # On a roof both sides have contacts with their own normals. At the ridge no normal leans further than these.
    printf '%s\n' "v -4 0 -4" "v 0 4 -4" "v 0 4 4" "v -4 0 4" "v 4 0 -4" "v 4 0 4" "f 1 4 3" "f 1 3 2" "f 2 3 6" "f 2 6 5" >roof.obj
    succeeds collide roof.obj --shape box:2,1,1 --pose 0,4.25,0 --json
    expect_json "a roof" '.ground.triangles == 4 and .ground.kind == "mesh" and (.bodies[0].manifolds | length == 1 and .[0].chunk == null and
        (.[0].points | length >= 1 and all(.[]; .normal[1] > 0.7 and .depth >= 0.17 and .chunk == null)))'
    printf '%s\n' "v -4 4 -4" "v 0 0 -4" "v 0 0 4" "v -4 4 4" "v 4 4 -4" "v 4 4 4" "f 1 4 3" "f 1 3 2" "f 2 3 6" "f 2 6 5" >groove.obj
    succeeds collide groove.obj --shape sphere:1 --pose 0,1.375,0 --json
    expect_json "a groove keeps both walls" '[.bodies[0].manifolds[] | .direction[0] * 100 | round] | sort == [-71, 71]'
fi

# ---- batches ----

for shape in sphere:0.5 capsule:0.3,1 box:0.8,0.6,1 cylinder:0.4,0.8 hull:ball/16; do
    succeeds collide terrain-l2 --shape $shape --random 100 --json
    expect_json "figures of $shape" '.bodies == [] and (.batch | .bodies == 100 and .seed == 1 and .touching > 50 and .touching <= 100
        and .triangles > 500 and (.manifolds_by_points | length == 4) and (.manifolds_by_points | add) == .manifolds
        and .points == (.manifolds_by_points | .[0] + 2 * .[1] + 3 * .[2] + 4 * .[3]) and .points_per_body == .points / 100
        and .deepest > 0 and .seconds > 0 and .ns_per_body > 0)'
    digest=$(member digest)
done
run collide terrain-l2 --shape hull:ball/16 --random 100 --seed 1
expect_in stdout "$out" "digest    $digest" "batch     100 bodies near "
succeeds collide terrain-l2 --shape hull:ball/16 --random 100 --seed 2 --json
expect_json "another seed, other bodies" ".digest != \"$digest\" and .batch.seed == 2"
VOXPHYS_ISA=scalar succeeds collide terrain-l2 --shape hull:ball/16 --random 100 --seed 1 --json
expect_equal "the digest by scalar kernels" "$(member digest)" "$digest"

# ---- a picture ----

if run collide flat.vpw --shape sphere:1 --pose 8,90,8 -o picture.png --yaw 10 --pitch 80 && [[ $status -eq 0 ]]; then
    expect_in stdout "$out" "written   picture.png"
    expect_equal "its first bytes" "$(head -c 4 picture.png | od -An -tx1 | tr -d ' ')" 89504e47
    # In a pit the walls hide the body, so the camera moves above it.
    if [[ -z $VOXPHYS_SLOW ]]; then # draws many pictures
        succeeds world edit flat.vpw -o pit.vpw --edit "box 0 0 0 16 8 16 7" --edit "box 7 1 7 9 8 9 0"
        run collide pit.vpw --shape sphere:1 --pose 8,3,8 -o found.png
        run collide pit.vpw --shape sphere:1 --pose 8,3,8 -o asked.png --yaw 35
        if cmp -s found.png asked.png; then fail "a picture of a wall"; fi
    fi
else
    expect_in stderr "$err" "this build has none"
fi

# ---- refusals ----

body=(--pose "1,9,1")
refused "--shape SHAPE is missing" collide flat.vpw "${body[@]}"
refused "--pose X,Y,Z or --random N is missing" collide flat.vpw --shape sphere:1
refused "--random and --pose exclude each other" collide flat.vpw --shape sphere:1 --random 5 "${body[@]}"
refused "--seed is for --random" collide flat.vpw --shape sphere:1 --seed 5 "${body[@]}"
refused "--triangles is for --pose" collide flat.vpw --shape sphere:1 --triangles --random 5
refused "-o is for --pose" collide flat.vpw --shape sphere:1 --random 5 -o a.png
refused "--yaw is for a picture" collide flat.vpw --shape sphere:1 "${body[@]}" --yaw 5
refused "-o 'a.bmp' does not end with .png" collide flat.vpw --shape sphere:1 "${body[@]}" -o a.bmp
refused "nowhere/a.png" collide flat.vpw --shape sphere:1 "${body[@]}" -o nowhere/a.png
refused "--random '0'" collide flat.vpw --shape sphere:1 --random 0
refused "--random '99999999'" collide flat.vpw --shape sphere:1 --random 99999999
refused "--margin '-1': must be >= 0" collide flat.vpw --shape sphere:1 "${body[@]}" --margin -1
refused "--margin 'inf'" collide flat.vpw --shape sphere:1 "${body[@]}" --margin inf
while IFS='|' read -r shape part; do
    refused "$part" collide flat.vpw --shape "$shape" "${body[@]}"
done <<'END'
cone:1|--shape 'cone:1': must be one of sphere:R, capsule:R,L, box:X,Y,Z, cylinder:R,H, hull:FILE
|--shape '': must be one of
sphere|--shape 'sphere': must be one of
hull:|the file's name is missing
sphere:|--shape sphere: '' is not a finite number
sphere:x|--shape sphere: 'x' is not a finite number
sphere:nan|--shape sphere: 'nan' is not a finite number
sphere:1,2|--shape sphere: '1,2' is not a finite number
sphere:1e39|--shape sphere: '1e39' is not a finite number
sphere:0|--shape 'sphere:0': a shape's radius about its origin is 0
sphere:-1|--shape 'sphere:-1': a shape's radius is -1
sphere:1e30|--shape 'sphere:1e30': a shape's radius is 1e+30
capsule:1|--shape capsule: '1' is not R,L: 2 finite numbers
capsule:1,-2|a shape's half_height is -1
capsule:1,inf|--shape capsule: '1,inf' is not R,L
cylinder:0,0|a shape's radius about its origin is 0
cylinder:1,2,3|--shape cylinder: '1,2,3' is not R,H
box:1,2|--shape box: '1,2' is not X,Y,Z: 3 finite numbers
box:1,-2,3|a shape's half.y is -1
END
while IFS='|' read -r pose part; do
    refused "$part" collide flat.vpw --shape sphere:1 --pose "$pose"
done <<'END'
|--pose '' is not X,Y,Z: 3 finite numbers
1,2|--pose '1,2' is not X,Y,Z: 3 finite numbers
1,nan,3|--pose '1,nan,3' is not X,Y,Z
1,2,3,4|--pose '1,2,3,4' is not X,Y,Z,QX,QY,QZ,QW: 7 finite numbers
1e30,0,0|--pose '1e30,0,0': position.x is 1e+30
1,2,3,0,0,0,0|the quaternion 0, 0, 0, 0 has the squared length 0
1,2,3,1e30,0,0,0|has the squared length
END
refused "absent.obj" collide absent.obj --shape sphere:1 "${body[@]}"
refused "ball" collide ball --shape sphere:1 "${body[@]}"
refused "chunks" collide chunks --shape sphere:1 "${body[@]}"
refused "--no-masks is for blocks, and flat.vpw has none" collide flat.vpw --no-masks --shape sphere:1 "${body[@]}"
refused "nowhere/.png" collide flat.vpw --shape sphere:1 "${body[@]}" -o nowhere/.png
printf 'VPW?' >cut.vpw
refused "cut.vpw" collide cut.vpw --shape sphere:1 "${body[@]}"
# Far away, very large and very small bodies. Each call ends, and reports nothing or every contact.
tells "far away" 'all(.bodies[]; .manifolds == [])' collide flat.vpw --shape sphere:1e6 --pose 0,1e12,0 --pose -1e12,-1e12,1e12
succeeds collide flat.vpw --shape box:1e6,1,1e6 --pose 8,8.25,8 --json
expect_json "a large plate" '.bodies[0].manifolds | (map(.chunk) | unique == [0, 1, 2, 3]) and all(.[]; .points[0].depth < 0.3) and any(.[]; .direction == [0, 1, 0])'
succeeds collide terrain-l2 --shape sphere:1000 --pose 30,31,32 --whole --json
expect_json "a ball that touches too many triangles" '.bodies[0] | .near == 52690 and .truncated and (.manifolds | length == 4 and all(.[]; .points[0].depth > 900))'
prints "          it touches too many triangles: only contacts of the deepest are here" collide terrain-l2 --shape sphere:1000 --pose 30,31,32 --whole
tells "a small ball" "$up and"' (.bodies[0].manifolds | length == 1)' collide flat.vpw --shape sphere:1e-6 --pose 8.3,8.001953,8.3
finish
