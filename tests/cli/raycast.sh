#!/bin/bash
# SPDX-License-Identifier: MIT
# raycast.sh threads|- large|-: `voxphys raycast` on worlds and on meshes of data sets. Hits computed by hand, the same answers from every
# kernel, form and number of threads, files of rays, and refusals. "large" also checks digests in datasets/digests.json. mesh_load.sh
# covers mesh files.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
has_threads=$1

# ---- ground at y = 8, by hand ----

# 16 x 16 columns of eight full voxels. The surface crosses a cell's edge halfway, at 8. A vertex lies in the middle of a 1/256 of its
# cell, at 7.5 + 128.5/256 = 8.001953125. The world is closed at its high faces, at 16 + 1/512.
printf '%.0s\10\0' {1..256} >flat.raw
succeeds dataset import flat.raw --format raw --raw-size 16,16 --materials 7,7,7 -o flat.vpw
down=8.25,20,8.25,0,-1,0
succeeds raycast flat.vpw --ray $down --ray 8.25,20,8.25,0,-2,0 --ray $down,11.5 --ray $down,12 --ray 20,4.25,8.25,-1,0,0 \
    --ray 8.25,4,8.25,0,1,0 --ray 8,30,8,1,0,0 --json
expect_json "the mesh" '.mesh | .source == "flat.vpw" and .surface == "solid" and .hash_checked == null'
expect_equal "t of each ray" "$(jq -c '[.answers[] | .hits[0].t]' <<<"$out")" \
    "[11.9980469,5.99902344,null,11.9980469,3.99804688,4.00195312,null]"
expect_equal "points" "$(jq -c '[.answers[0,1,5].hits[0].point]' <<<"$out")" \
    "[[8.25,8.00195312,8.25],[8.25,8.00195312,8.25],[8.25,8.00195312,8.25]]"
expect_json "normals are the surface's, from above and from below" '[.answers[0,5].hits[0].normal] == [[0,1,0],[0,1,0]]'
expect_json "the normal of the wall" '.answers[4].hits[0].normal == [1,0,0]'
expect_json "materials" 'all(.answers[].hits[]; .material == 7)'
expect_json "the summary" '.rays | .count == 7 and .rays_that_hit == 5 and .hits == 5 and .cast == "closest" and .set == null'
run raycast flat.vpw --ray $down --ray 8,30,8,1,0,0
expect_in stdout "$out" "ray 0    t 11.9980469: triangle " "ray 1    nothing" "answers  1 ray hit, 1 hit; digest "
# Through the wall at x = 16 and out of the ground, with all hits in order. A sphere of radius 1 touches 1 earlier.
tells "all hits" '[.answers[0].hits[].t] | length == 2 and . == sort' raycast flat.vpw --ray 20,6,8.25,-1,0.25,0 --all
expect_json "the wall, then the ground from below" '[.answers[0].hits[].normal] == [[1,0,0],[0,1,0]]'
run raycast flat.vpw --ray $down --ray 8.25,8.5,8.25,0,-1,0 --ray $down,10.5 --radius 1 --json
expect_equal "t of a sphere" "$(jq -c '[.answers[] | .hits[0].t]' <<<"$out")" "[10.9980469,0,null]"
expect_json "what it touches" '.answers[0].hits[0] | .point == [8.25, 8.00195312, 8.25] and .normal == [0, 1, 0] and .centre == [8.25, 9.00195312, 8.25]'
expect_json "which of them started inside" '[.answers[].hits[0].started_inside] == [false, true, null]'
expect_json "how deep they started" '[.answers[].hits[0].depth] == [0, 0.501953125, null]'
expect_json "the radius" '.rays | .cast == "sweep" and .radius == 1'
run raycast flat.vpw --ray $down --ray 8,30,8,1,0,0 --any --json
expect_json "whether there is a hit" '[.answers[] | [.hit, has("hits")]] == [[true, false], [false, false]]'
prints "ray 0    a hit" raycast flat.vpw --ray $down --any

# ---- the same from everything ----

# 600 rays through the world. Some of them end in it.
awk 'function next_one() { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) / 32768 }
    BEGIN { state = 1; for (i = 0; i < 600; i++) {
        printf "%g %g %g", next_one() * 64, next_one() * 80, next_one() * 64
        printf " %g %g %g %s\n", next_one() - 0.5, next_one() - 0.7, next_one() - 0.5, i % 3 ? "inf" : next_one() * 60 } }' >many.txt
cast_many() # ARGUMENT...
{
    succeeds raycast terrain-l2 --rays many.txt --hits 600 --json "${words[@]}" "$@"
}
for cast in "--radius 0.5" --any --all ""; do
    read -r -a words <<<"$cast"
    cast_many --isa scalar
    case "$cast" in
    "") closest=$out ;;
    --any) any=$out ;;
    --all) all=$out ;;
    esac
    wanted=$(member digest)
    cast_many --form published
    expect_equal "the digest by the best kernels" "$(member digest)" "$wanted"
done
same_with "$wanted" --isa "$(usable_isas)" raycast terrain-l2 --rays many.txt
same_with "$wanted" --threads 3 raycast terrain-l2 --rays many.txt
same_with "$wanted" --form "wide published slab" raycast terrain-l2 --rays many.txt
expect_json "the form" '.tree.form == "slab"'
out=$closest
expect_json "rays hit and miss" '.rays | .kernel == "scalar" and .rays_that_hit > 100 and .rays_that_hit < 500'
expect_equal "rays that meet anything" "$(jq -c '[.answers[].hit]' <<<"$any")" "$(jq -c '[.answers[].hit]' <<<"$closest")"
# Hits are sorted, and the first one is the closest hit.
out=$all
expect_json "all hits are sorted, some rays have several, all are counted" 'all(.answers[].hits; [.[] | [.t, .triangle]] | . == sort)
    and ([.answers[].hits | length] | max > 3) and .rays.hits == ([.answers[].hits | length] | add)'
expect_equal "the closest of all" "$(jq -c '[.answers[].hits[0]]' <<<"$all" | sha256sum)" \
    "$(jq -c '[.answers[].hits[0]]' <<<"$closest" | sha256sum)"
run raycast terrain-l2 --json
expect_json "a camera's rays" '.rays | .count == 262144 and .set == null and .rays_that_hit > 50000 and .rays_that_hit < 250000'
expect_json "ten of them are told" '.answers | length == 10'
camera=$(member digest)
prints "and 262144 more rays" raycast terrain-l2 --hits 0
run raycast terrain-l2 --surface water --json
expect_json "the water's surface" '.mesh.surface == "water" and .rays.rays_that_hit > 0'
run dataset make terrain-l2 -o a.vpw
has_digest "the digest from a file" "$camera" raycast a.vpw

# ---- files of rays ----

printf '%s\n' "# down, twice" "" "8.25 20 8.25 0 -1 0 # no end" $'  8.25,20,8.25,\t0,-1,0,1e1\r' "0x1p+3 20 8 0 -1 0 inf" \
    '{"origin": ["0x1.08p+3", 20, 8.25], "direction": [0, -2, 0]}' \
    '{"mesh": 0, "origin": [8.25, 20, 8.25], "direction": [0, -1, 0], "t_max": "0x1.8p+3"}' >rays.txt
succeeds raycast flat.vpw --rays rays.txt --json
expect_equal "t of the rays of a file" "$(jq -c '[.answers[] | .hits[0].t]' <<<"$out")" "[11.9980469,null,11.9980469,5.99902344,11.9980469]"
{ printf '\357\273\277'; cat rays.txt; } >marked.txt
digest=$(member digest)
has_digest "the digest behind a byte order mark" "$digest" raycast flat.vpw --rays marked.txt
tells "the file told of" '.rays.set == "rays.txt" and .rays.hash_checked == null' raycast flat.vpw --rays rays.txt

refused_line() # PART LINE: LINE is the second line
{
    printf '%s\n' "0 0 0 1 0 0" "$2" >bad.txt
    refused "bad.txt: line 2: $1" raycast flat.vpw --rays bad.txt
}
refused_line '5 numbers; a ray has six or seven' "1 2 3 4 5"
refused_line '1 number; a ray' "1"
refused_line 'more than 7 numbers: "8"' "1 2 3 4 5 6 7 8"
refused_line '"1.2.3" is not a number' "1.2.3 0 0 0 0 1"
refused_line '"1e39" is not a number that a 32-bit float holds' "1e39 0 0 0 0 1"
refused_line '"ray" is not a number' "ray 1 2 3 4 5"
refused_line "the ray's direction is (0, 0, 0)" "1 2 3 0 -0 0"
refused_line "the ray's direction has y = nan" "1 2 3 0 nan 0"
refused_line "the ray's direction has z = inf" "1 2 3 0 0 inf"
refused_line "the ray's origin has x = nan" "nan 2 3 0 0 1"
refused_line "the ray's origin has z = 2e+12" "1 2 2e12 0 0 1"
refused_line "the ray's t_max is -1; it must be 0 or more" "1 2 3 0 0 1 -1"
refused_line "the ray's t_max is nan" "1 2 3 0 0 1 nan"
refused_line 'no ray: {"origin"' '{"origin": [1, 2, 3]}'
refused_line 'no ray: {"origin"' '{"origin": [1, 2, 3], "direction": [1, 2, 3], "end": 1}'
refused_line '"origin" is not a list of three numbers' '{"origin": [1, 2], "direction": [1, 2, 3]}'
refused_line 'direction.y is 0.1,' '{"origin": [1, 2, 3], "direction": [1, 0.1, 3]}'
refused_line 't_max is "long",' '{"origin": [1, 2, 3], "direction": [1, 2, 3], "t_max": "long"}'
refused_line '"mesh" is not 0' '{"mesh": 1, "origin": [1, 2, 3], "direction": [1, 2, 3]}'
refused_line 'not JSON' '{"origin": [1, 2, 3], "direction": [1, 2, 3]'
refused_line 'longer than a ray, over 1023 bytes' "$(printf '%1024s' 1)"
printf '0 0 0 1\0 0 0\n' >zero.txt
refused "zero.txt: line 1: byte 8 is 0" raycast flat.vpw --rays zero.txt
printf '# nothing\n\n' >none.txt
refused "none.txt: it has no ray" raycast flat.vpw --rays none.txt
: >empty.txt
refused "empty.txt: it has no ray" raycast flat.vpw --rays empty.txt
mkfifo pipe.txt
refused "pipe.txt is not a regular file" raycast flat.vpw --rays pipe.txt
refused "--rays absent.txt: no file and no set of rays has this name" raycast flat.vpw --rays absent.txt
refused "--rays coherent: no file and no set" raycast flat.vpw --rays coherent

# ---- refusals ----

refused "--ray '1,2,3' is not six or seven numbers" raycast flat.vpw --ray 1,2,3
refused "--ray '1,2,3,4,5,x' is not six" raycast flat.vpw --ray 1,2,3,4,5,x
refused "--ray '1,2,3,4,5,6,7,8' is not six" raycast flat.vpw --ray 1,2,3,4,5,6,7,8
refused "--ray '' is not six" raycast flat.vpw --ray ""
refused "--ray '1,2,3,4,5,' is not six" raycast flat.vpw --ray 1,2,3,4,5,
refused "ray 1: the ray's direction is (0, 0, 0)" raycast flat.vpw --ray 1,2,3,4,5,6 --ray 1,2,3,0,0,0
refused "ray 0: the ray's origin has x = nan" raycast flat.vpw --ray nan,2,3,0,0,1
many=()
for ((i = 0; i < 64; i++)); do many+=(--ray "$down"); done
tells "64 rays" '.answers | length == 64' raycast flat.vpw "${many[@]}"
refused "option '--ray' is given more than 64 times" raycast flat.vpw "${many[@]}" --ray $down
refused "--ray and --rays exclude each other" raycast flat.vpw --ray $down --rays rays.txt
refused "--any, --all and --radius exclude each other" raycast flat.vpw --any --all
refused "exclude each other" raycast flat.vpw --all --radius 1
refused "--radius '-1' is not from 0 to 1.09951e+12" raycast flat.vpw --radius -1
refused "--radius '2e12' is not from 0" raycast flat.vpw --radius 2e12
refused "flat.vpw has no water surface" raycast flat.vpw --surface water
refused '"chunks" is 1525 meshes; one is needed' raycast chunks

# ---- sets of the manifest ----

if [[ $2 == large ]]; then
    golden() { jq -r ".verify.\"$1/world-230k/grazing\"" "$VOXPHYS_SOURCE/datasets/digests.json"; }
    succeeds raycast world-230k --rays grazing --json
    expect_equal "the digest of closest hits" "$(member digest)" "$(golden kd_ray)"
    expect_json "its set is checked" '.mesh.hash_checked and .rays.hash_checked and .rays.set == "grazing" and (.answers | length == 10)'
    run dataset make world-230k/grazing -o grazing.jsonl
    run raycast world-230k --rays grazing.jsonl --all --json
    expect_equal "the digest of all hits" "$(member digest)" "$(golden kd_ray_all)"
    refused "--rays chunks/coherent: these rays are for 1525 meshes, and here is one" raycast world-230k --rays chunks/coherent
    refused "world-230k/cold" raycast world-230k --rays cold
    refused "--rays nothing: no file and no set" raycast world-230k --rays nothing
    refused "--surface is for worlds; world-230k is a mesh" raycast world-230k --surface solid
fi
finish
