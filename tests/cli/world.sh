#!/bin/bash
# SPDX-License-Identifier: MIT
# world.sh threads|-: `voxphys world`. Figures, edits and hits computed by hand, and the answers of `voxphys raycast`. Every kernel, form,
# budget and number of threads gives the same answers. Also refusals.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
has_threads=$1

# ---- ground at y = 8, by hand ----

# 16 x 16 columns of eight full voxels. There are 256 quads on top, 128 on each of the two high faces and none on the low ones.
printf '%.0s\10\0' {1..256} >flat.raw
succeeds dataset import flat.raw --format raw --raw-size 16,16 --materials 7,7,7 -o flat.vpw
tells "what it is" '.world == "flat.vpw" and .hash_checked == null and .size[0] == 16 and .size[2] == 16' world info flat.vpw
expect_json "its voxels" '.voxels.solid == 2048 and .voxels.water == 0'
expect_json "its surfaces" '[.surfaces[] | [.surface, .triangles]] == [["solid", 1024], ["water", 0]]'
expect_json "no trees, no bytes a triangle" '[.surfaces[1].forms[] | .bytes == 0 and .bytes_per_triangle == null] | all'
expect_json "bytes a triangle" '.surfaces[0] | all(.forms[]; (.bytes / 1024 - .bytes_per_triangle | fabs) < 0.001 and .bytes_per_triangle > 5)'
expect_json "chunks have tags" '(.tags | add) == .chunks[0] * .chunks[1] * .chunks[2]'
run world info flat.vpw
expect_in stdout "$out" "0 water, 2048 solid" "1024 triangles"

# The quad under (8.25, 8.25) belongs to the edge up from voxel (8, 7, 8), which chunk (1, 0, 1), number 3, owns.
succeeds world raycast flat.vpw --from 8.25,20,8.25 --dir 0,-2,0 --json
expect_equal "the hit" "$(jq -c '.answers[0].hits[0] | [.t, .chunk, .point, .normal, .material]' <<<"$out")" \
    "[5.99902344,3,[8.25,8.00195312,8.25],[0,1,0],7]"
expect_json "the ray is near the corner of four chunks" '.cache.built == 4 and .cache.kept == 4'
run world raycast flat.vpw --from 12.25,20,3.75 --dir 0,-1,0 --json
expect_json "only one chunk was made" '.answers[0].hits[0].chunk == 1 and .cache.built == 1'
prints "ray 0    t 11.9980469: chunk 3, triangle " world raycast flat.vpw --from 8.25,20,8.25 --dir 0,-1,0
prints "ray 0    nothing" world raycast flat.vpw --from 8.25,20,8.25 --dir 0,-1,0 --t-max 11.5
run world raycast flat.vpw --from 8.25,20,8.25 --dir 0,-1,0 --radius 1 --json
expect_equal "t of a sphere" "$(jq -c '.answers[0].hits[0].t' <<<"$out")" 10.9980469
expect_json "where it touches, and its centre a radius above" '.answers[0].hits[0] | .point == [8.25,8.00195312,8.25] and .normal == [0,1,0] and .centre == [8.25,9.00195312,8.25] and .started_inside == false'
run world raycast flat.vpw --from 8.25,20,8.25 --dir 0,-1,0 --radius 1
expect_in stdout "$out" "point (8.25, 8.00195312, 8.25), normal (0, 1, 0)" ", centre (8.25, 9.00195312, 8.25)"
prints ", started inside, depth 0.501953125" world raycast flat.vpw --from 8.25,8.5,8.25 --dir 0,-1,0 --radius 1
run world raycast flat.vpw --from 8.25,20,8.25 --dir 0,-1,0 --t-max inf --json
expect_json "without an end, and no sphere" '.answers[0].hits[0] | .point == [8.25,8.00195312,8.25] and (has("centre") | not)'
refused "--t-max '1e39' is not a finite number that 32 bits hold" world raycast flat.vpw --from 8,20,8 --dir 0,-1,0 --t-max 1e39
run world raycast flat.vpw --from 20,6,8.25 --dir -1,0.25,0 --all --json
expect_json "the wall, then the ground from below" '[.answers[0].hits[].normal] == [[1,0,0],[0,1,0]]'
prints "ray 0    a hit" world raycast flat.vpw --from 8.25,20,8.25 --dir 0,-1,0 --any
prints "ray 0    nothing" world raycast flat.vpw --from 8.25,20,8.25 --dir 0,-1,0 --surface water

# ---- edits ----

cp flat.vpw old.vpw
succeeds world edit flat.vpw -o pit.vpw --edit "box 4 6 4 12 8 12 0" --edit "voxel 8,6,8 9 255" --json
expect_json "what is told" '.edits == 2 and .in_place == false and .file == "pit.vpw" and .chunks_stale == 4'
tells "a box of 8 x 2 x 8 is gone, and one voxel is there" '.voxels.solid == 2048 - 128 + 1' world info pit.vpw
run world raycast pit.vpw --from 8.5,20,8.5 --dir 0,-1,0 --json
# The top of a lone voxel. Each vertex is the mean of one crossing at 7 and two at 6.5, in the middle of a 1/256.
expect_json "the voxel in the pit" '.answers[0].hits[0] | .material == 9 and (.t - 13.3333 | fabs) < 0.005'
run world raycast pit.vpw --from 5.75,20,5.75 --dir 0,-1,0 --json
expect_json "the floor of the pit" '.answers[0].hits[0] | .material == 7 and .point[1] == 6.00195312'
printf '%s\n' "# back" "" "box 4 6 4 12 8 12 7 255 # all of it" >back.txt
prints "in the old one's place" world edit pit.vpw -o pit.vpw --edits back.txt
cmp -s pit.vpw flat.vpw || fail "the world is not what it was"
ln pit.vpw twin.vpw
tells "another name of the file that is read goes on as it was" '.in_place == false' world edit pit.vpw -o twin.vpw --edit "voxel 1 1 1 0"
cmp -s pit.vpw flat.vpw || fail "the file under its old name changed"
if cmp -s twin.vpw flat.vpw; then fail "the file under its other name is as it was"; fi
prints "its name does not end with .vpw, so commands read it as ./NAME" world edit flat.vpw -o plain --edit "voxel 1 1 1 0"
tells "which they do" '.voxels.solid == 2047' world info ./plain
succeeds world edit flat.vpw -o round.vpw --edit "sphere 8 4 8 0.9 5 10"
tells "a sphere of another material, less full: still solid" '.voxels.solid == 2048 and .surfaces[0].triangles > 1024' world info round.vpw
# ---- parts that are cut off ----

run world edit flat.vpw -o arch.vpw --edit "box 0 1 0 16 8 16 0" --edit "box 1 1 7 3 6 9 9" --edit "box 13 1 7 15 6 9 9" --edit "box 1 6 7 15 8 9 9 127"
prints "loose    0 regions taken out" world edit arch.vpw -o half.vpw --edit "box 1 3 7 3 4 9 0" --loose
succeeds world edit half.vpw -o fallen.vpw --edit "box 13 3 7 15 4 9 0" --edit "voxel 5 7 2 3 99" --loose --json
expect_json "the beam with the ends of its posts, and what was put in the air" '.loose.voxels == 16 + 56 + 1 and
    [.loose.regions[].voxels] == [72, 1] and .loose.regions[0].mass == 16 + 28 and .loose.regions[0].low == [1, 4, 7] and
    .loose.regions[0].high == [15, 8, 9] and .loose.regions[0].centre[0] == 8 and .loose.regions[0].hull_vertices > 0 and
    .loose.regions[1].hull_vertices == 0 and .loose.vanished.voxels == 0'
tells "is gone from the world" '.voxels.solid == 256 + 2 * 8' world info fallen.vpw
run world edit half.vpw -o fallen.vpw --edit "box 13 3 7 15 4 9 0" --edit "voxel 5 7 2 3 99" --loose --least 2
expect_in stdout "$out" "loose    1 region taken out, 72 voxels together; 1 small one of 1 voxel vanished"
expect_in stdout "$out" "72 voxels from (1, 4, 7) to (15, 8, 9): mass 44, centre (8, "
refused "--least is for --loose" world edit flat.vpw -o kept.vpw --least 2
refused "--least '0'" world edit flat.vpw -o kept.vpw --loose --least 0

succeeds world edit luanti -o note.vpw
run world info note.vpw --json
noted=$(jq -r .note <<<"$out")
run world info luanti --json
expect_equal "the note" "$noted" "$(jq -r .note <<<"$out")"
expect_in "the note" "$noted" "material, nodes, name:"

# As `dataset make` writes them, and the same as text.
printf '%s\n' '{"shape": "sphere", "centre": ["0x1p+3", 4, 8.5], "radius": "0x1.8p+1", "material": 3, "occupancy": 99}' \
    '{"shape": "box", "low": [1, 2, 3], "high": [4, 5, 6], "material": 0, "occupancy": 0}' \
    '{"shape": "voxel", "at": [2, 3, 4], "material": 1, "occupancy": 7}' >edits.jsonl
printf '%s\n' "sphere 8 4 8.5 3 3 99" "box 1 2 3 4 5 6 0" "voxel 2 3 4 1 7" >edits.txt
tells "three edits" '.edits == 3' world edit flat.vpw -o one.vpw --edits edits.jsonl
run world edit flat.vpw -o two.vpw --edits edits.txt
cmp -s one.vpw two.vpw || fail "edits in words and as objects give other worlds"
cmp -s one.vpw flat.vpw && fail "edits of a file change nothing"
# With a byte order mark, line numbers are the same.
for kind in jsonl txt; do
    { printf '\357\273\277'; cat edits.$kind; } >marked.$kind
    succeeds world edit flat.vpw -o two.vpw --edits marked.$kind
    cmp -s one.vpw two.vpw || fail "a byte order mark changes the edits of a .$kind"
done
printf '\357\273\277' >marked.txt
prints "0 made" world edit flat.vpw -o two.vpw --edits marked.txt
printf '\357\273voxel 1 1 1 0\n' >marked.txt
refused "marked.txt: line 1: " world edit flat.vpw -o two.vpw --edits marked.txt
printf 'voxel 1 1 1 0\n\357\273\277voxel 1 1 1 0\n' >marked.txt
refused "marked.txt: line 2: " world edit flat.vpw -o two.vpw --edits marked.txt
run dataset make terrain-l2/edits-mixed -o many.jsonl
succeeds world edit terrain-l2 -o edited.vpw --edits many.jsonl --json
expect_equal "the edits of a set" "$(jq .edits <<<"$out")" "$(wc -l <many.jsonl)"

# A refused edit changes nothing.
cp flat.vpw kept.vpw
refused "edit 2: voxel (16, 0, 0) is outside a world of 16 x " world edit flat.vpw -o kept.vpw --edit "voxel 1 1 1 0" --edit "voxel 16 0 0 0"
refused "edit 1: box from (3, 0, 0) to (2, 1, 1): low is above high" world edit flat.vpw -o kept.vpw --edit "box 3 0 0 2 1 1 4"
refused "edit 1: sphere radius -1 is negative" world edit flat.vpw -o kept.vpw --edit "sphere 1 1 1 -1 4"
refused "edit 1: a comma without a word before or after it: voxel 1,,1,5,7" world edit flat.vpw -o kept.vpw --edit "voxel 1,,1,5,7"
refused "--budget '0KiB': must be a number of bytes above 0" world raycast flat.vpw --from 8,20,8 --dir 0,-1,0 --budget 0KiB
refused "\"blob\" is not an edit" world edit flat.vpw -o kept.vpw --edit "blob 1 1 1 4"
refused "edit 1: 3 numbers: must be 4 or 5 after \"voxel\": voxel X Y Z MATERIAL" world edit flat.vpw -o kept.vpw --edit "voxel 1 1 1"
refused "\"1.5\" is not a whole number" world edit flat.vpw -o kept.vpw --edit "voxel 1.5 1 1 4"
refused "\"256\" is not a material" world edit flat.vpw -o kept.vpw --edit "voxel 1 1 1 256"
refused "\"-1\" is not an occupancy" world edit flat.vpw -o kept.vpw --edit "voxel 1 1 1 3 -1"
refused "\"wide\" is not a finite number" world edit flat.vpw -o kept.vpw --edit "sphere 1 1 1 wide 3"
refused "\"4294967296\" is not a whole number" world edit flat.vpw -o kept.vpw --edit "voxel 4294967296 1 1 3"
refused "says nothing" world edit flat.vpw -o kept.vpw --edit "# nothing"
refused "edit 2: \"blob\" is not an edit" world edit flat.vpw -o kept.vpw --edit "voxel 1 1 1 0" --edit "blob 1 1 1 4"
refused "a word too many" world edit flat.vpw -o kept.vpw --edit "box 1 2 3 4 5 6 7 8 9"
printf '%s\n' "voxel 1 1 1 0" "voxel 1 1" >bad.txt
refused "bad.txt: line 2: 2 numbers: must be 4 or 5 after" world edit flat.vpw -o kept.vpw --edits bad.txt
printf 'voxel 1 1 1 0\0\n' >bad.txt
refused "bad.txt: line 1: byte 14 is 0, which is not text" world edit flat.vpw -o kept.vpw --edits bad.txt
refused_object() # PART LINE: LINE is the second line
{
    printf '%s\n' "voxel 1 1 1 0" "$2" >bad.txt
    refused "bad.txt: line 2: $1" world edit flat.vpw -o kept.vpw --edits bad.txt
}
printf '%s\n' "# places" "" "voxel 1 1 1 0" "voxel 1 16 1 0" >far.txt
refused "far.txt: line 4: voxel (1, 16, 1) is outside" world edit flat.vpw -o kept.vpw --edit "voxel 1 1 1 0" --edits far.txt
refused "edit 2: voxel (1, 1, 16) is outside" world edit flat.vpw -o kept.vpw --edit "voxel 1 1 1 0" --edit "voxel 1 1 16 0" --edits far.txt
refused_object '"shape" is missing' '{"material": 1, "occupancy": 1}'
refused_object '"at" is missing' '{"shape": "voxel", "material": 1, "occupancy": 1}'
refused_object '"high" is missing' '{"shape": "box", "low": [1, 2, 3], "material": 1, "occupancy": 1}'
refused_object '"material" is missing' '{"shape": "voxel", "at": [1, 2, 3], "occupancy": 1}'
refused_object '"shape": must be one of' '{"shape": "blob"}'
refused_object '"at" is not a list of three' '{"shape": "voxel", "at": [1, 2], "material": 1, "occupancy": 1}'
refused_object '"at" is not a whole number' '{"shape": "voxel", "at": [1, 2, 0.5], "material": 1, "occupancy": 1}'
refused_object '"material" is not a whole number from 0 to 255' '{"shape": "voxel", "at": [1, 2, 3], "material": 300, "occupancy": 1}'
refused_object '"occupancy" is missing' '{"shape": "voxel", "at": [1, 2, 3], "material": 3}'
refused_object '"occupancy" is not a whole number' '{"shape": "voxel", "at": [1, 2, 3], "material": 3, "occupancy": null}'
refused_object 'a voxel has 4 members, not 5' '{"shape": "voxel", "at": [1, 2, 3], "material": 3, "occupancy": 1, "low": 1}'
refused_object '"radius" is missing' '{"shape": "sphere", "centre": [1, 2, 3], "material": 3, "occupancy": 1}'
refused_object '"centre" is missing' '{"shape": "sphere", "radius": 1, "material": 3, "occupancy": 1}'
refused_object 'radius is "big"' '{"shape": "sphere", "centre": [1, 2, 3], "radius": "big", "material": 3, "occupancy": 1}'
refused_object 'not JSON' '{"shape": '
refused "cannot open none.txt" world edit flat.vpw -o kept.vpw --edits none.txt
refused "is the file that edits are read from" world edit flat.vpw -o back.txt --edits back.txt
refused "-o is missing" world edit flat.vpw --edit "voxel 1 1 1 0"
refused "standard output" world edit flat.vpw -o -
refused "the name of the file is empty" world edit flat.vpw -o ""
head -c 200 flat.vpw >torn.vpw
cp torn.vpw torn-before.vpw
refused "torn.vpw" world edit torn.vpw -o torn.vpw --edit "voxel 1 1 1 0"
refused "torn.vpw" world info torn.vpw
cmp -s torn.vpw torn-before.vpw || fail "a torn file was written to"
for pair in "kept.vpw flat.vpw" "flat.vpw old.vpw"; do
    read -r a b <<<"$pair"
    cmp -s "$a" "$b" || fail "$a is not what it was"
done

# ---- the same answers from every configuration ----

awk 'function next_one() { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) / 32768 }
    BEGIN { state = 1; for (i = 0; i < 200; i++) {
        printf "%g %g %g", next_one() * 64, next_one() * 80, next_one() * 64
        printf " %g %g %g %s\n", next_one() - 0.5, next_one() - 0.7, next_one() - 0.5, i % 3 ? "inf" : next_one() * 60 } }' >many.txt
points() { jq -cS '[.answers[] | .hit, [(.hits // [])[] | [.t, .u, .v, .point, .normal, .material, .centre, .started_inside]]]' <<<"$out" | sha256sum; }
cast_many() { run world raycast terrain-l2 --rays many.txt --json "${words[@]}" "$@"; }
for cast in "" --any --all "--radius 0.5"; do
    read -r -a words <<<"$cast"
    run raycast terrain-l2 --rays many.txt --hits 200 --json "${words[@]}"
    tree=$(points)
    cast_many --hits 200 --isa scalar
    expect_status 0
    # Here chunks order the equal hits of a ray, in one mesh its triangle numbers do. The order is the same.
    expect_equal "the answers of one tree over all" "$(points)" "$tree"
    wanted=$(member digest)
    cast_many --budget 20KiB --form slab
    expect_equal "the digest of a small budget, another form and the best kernels" "$(member digest)" "$wanted"
    expect_json "what was asked for" '.form == "slab" and (.cache | .budget == 20480 and .most_bytes <= .budget)'
done
words=()
cast_many
wanted=$(member digest)
for values in "--threads 2" "--isa $(usable_isas)" "--budget no-cache 2 no-limit 1GiB 1" "--form wide published packed implied"; do
    same_with "$wanted" "${values%% *}" "${values#* }" world raycast terrain-l2 --rays many.txt
done
expect_equal "the form" "$(member form)" implied
prints "and 190 more rays" world raycast terrain-l2 --rays many.txt

# ---- measurements ----

stats_rays=5000
stats() { run world stats terrain-l2 --rays $stats_rays --json "$@"; expect_status 0; }
stats
digest=$(member digest)
expect_json "rays hit and miss" '.rays | .count == '$stats_rays' and .rays_that_hit > 1000 and .rays_that_hit < .count'
expect_json "the default budget" '.cache | .budget == 134217728 and .hits > 0 and .evictions == 0 and .transient == 0'
stats --budget no-limit
expect_equal "the digest without a limit" "$(member digest)" "$digest"
expect_json "without a limit" '.cache | .budget == null and .hits == null and .evictions == 0 and .transient == 0 and .kept + .empty == .built'
stats --budget 100KiB --form slab
expect_equal "the digest with a budget" "$(member digest)" "$digest"
expect_json "the budget is kept" '.cache | .budget == 102400 and .most_bytes <= 102400 and .evictions > 0 and .hits > 0 and .built == .misses'
stats --budget no-cache --isa scalar
expect_equal "the digest with none" "$(member digest)" "$digest"
expect_json "nothing is kept" '.cache | .bytes == 0 and .kept == 0 and .most_bytes == 0 and .transient > 0'
stats --seed 2
expect_json "other rays" ".digest != \"$digest\""
stats --edits 200
edited=$(member digest)
expect_json "edits change answers" ".digest != \"$digest\" and .edits.count == 200 and .edits.slowest_seconds > 0"
stats --edits 200 --budget 50KiB --form implied
expect_equal "the digest with edits and a budget" "$(member digest)" "$edited"
same_with "$edited" --threads 2 world stats terrain-l2 --rays $stats_rays --edits 200
# Edits between the rays. Each edit of a chunk with a tree evicts the tree, and the next rays rebuild it. The digest covers each edit's
# time and place. On a small world, one edit that comes a ray late changes it.
while read -r world rays edits golden; do
    run world stats "$world" --rays "$rays" --json
    before=$(jq -c '[.digest, .cache.built]' <<<"$out")
    has_digest "the digest that every machine gives of $rays rays with edits" "$golden" world stats "$world" --rays "$rays" --edits "$edits"
    expect_json "all edits are made, and between them" \
        "$before as [\$digest, \$built] | .digest != \$digest and .cache.built > \$built and .cache.invalidations > 0 and .edits.count == $edits"
done <<'END'
terrain-l2 100 3000 745e06ac2982f984
terrain-l2 16385 3000 5f9aeefcd9aa6fee
flat.vpw 319 300 d1271be93d67421b
flat.vpw 323 300 d887c1f49d4d2819
END
prints "budget 1.0 MiB" world stats flat.vpw --rays 1000 --edits 10 --budget 1MiB
cmp -s flat.vpw old.vpw || fail "the measured world's file was changed"

# ---- usage errors ----

refused "--budget '1kb'" world stats flat.vpw --budget 1kb
refused "--budget 'none': must be a number of bytes above 0, e.g. 4096, 16KiB or 256MiB, or no-cache or no-limit" world stats flat.vpw --budget none
refused "--budget '99999999999999999GiB'" world raycast flat.vpw --budget 99999999999999999GiB
refused "--rays '0' is not a whole number from 1" world stats flat.vpw --rays 0
refused "--from is missing" world raycast flat.vpw
refused "--dir is missing" world raycast flat.vpw --from 1,2,3
refused "--rays and --from" world raycast flat.vpw --from 1,2,3 --dir 1,0,0 --rays many.txt
refused "exclude each other" world raycast flat.vpw --rays many.txt --any --all
refused "the ray's direction is (0, 0, 0)" world raycast flat.vpw --from 1,2,3 --dir 0,0,0
refused "the ray's t_max is -1" world raycast flat.vpw --from 1,2,3 --dir 0,1,0 --t-max -1
refused "the radius is -1" world raycast flat.vpw --from 1,2,3 --dir 0,1,0 --radius -1
printf '%s\n' "1 2 3 0 1 0" "1 2 3 0 0 0" >bad.txt
for how in "" --any --all "--radius 1"; do
    read -r -a words <<<"$how"
    refused "bad.txt: line 2: the ray's direction is (0, 0, 0)" world raycast flat.vpw --rays bad.txt "${words[@]}"
done
finish
