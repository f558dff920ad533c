#!/bin/bash
# SPDX-License-Identifier: MIT
# hull.sh assimp|- PROGRAM...: `voxphys hull`. Any kernel and any kind of file gives the same hull. Measures and output files of every
# dimension, also of polygons in the plane and their drawing, equal literals. Also refusals. PROGRAM, with its emulator if any, makes
# wrong hulls on purpose (broken.c). These are reported, and nothing is written.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
. "$VOXPHYS_SOURCE/tests/cli/meshes.bash"
assimp=$1
program=("${@:2}")
cd "$scratch" || exit 1

# ---- a box with points on its faces, by hand ----

for x in 0 1 2; do for y in 0 1 2; do for z in 0 2 4; do echo "$x $y $z"; done; done; done >box.points
same() { jq -cS 'del(.input, .hash_checked, .kernel, .seconds, .file)' <<<"$out"; }
succeeds hull box.points --isa scalar --json
expect_json "what it is" '.input == "box.points" and .hash_checked == null and .points == 27 and .kernel == "scalar" and .dimension == 3'
expect_json "counts" '.vertices == 8 and .triangles == 12 and .faces == 6 and .corners == 24'
expect_json "measures" '.volume == 16 and .area == 40 and .centroid == [1, 1, 2] and .tolerance > 9e-7 and .tolerance < 1e-6'
expect_json "all vertices" '.error == 0 and .moved == 0 and .planes == null and .file == null and (.digest | length == 16)'
expect_json "it is valid" '.validity | .valid and .reason == null and .closed and .euler == 2 and .outside == 0 and .outside_of_extent == 0
    and .valley == 0 and .aside == null and .allowed < 1e-12'
wanted=$(same)
while read -r isa; do
    succeeds hull box.points --isa "$isa" --json
    expect_equal "the hull by $isa" "$(same)" "$wanted"
    expect_equal "the kernel of --isa $isa" "$(jq -r .kernel <<<"$out")" "$isa"
done < <(usable_isas)
succeeds hull box.points
expect_in stdout "$out" "points    27 of box.points" "of dimension 3: 8 vertices, 12 triangles, 6 faces with 24 corners" "volume    16" "area      40" \
    "centroid  1, 1, 2" "valid     yes" "closed, vertices - edges + triangles = 2" "worst excess of a point is 0, 0 of the extent" \
    "deepest valley is 0, 0 of the extent"

# ---- files ----

prints "written   box.obj" hull box.points -o box.obj
expect_equal "the OBJ" "$(cat box.obj)" "# voxphys hull: convex, of dimension 3; faces counterclockwise seen from outside
o hull
v 0 0 0
v 0 0 4
v 0 2 0
v 0 2 4
v 2 0 0
v 2 0 4
v 2 2 0
v 2 2 4
f 1 2 4 3
f 1 3 7 5
f 1 5 6 2
f 2 6 8 4
f 3 4 8 7
f 5 7 8 6"
run hull box.points -o corners.points --json
expect_equal "vertices" "$(tail -n +2 corners.points | head -n 2)" "0x0p+0 0x0p+0 0x0p+0
0x0p+0 0x0p+0 0x1p+2"
# A written file has the same hull, except that its points are renumbered. Every reader in this build reads it.
measures='[.dimension, .vertices, .triangles, .faces, .corners, .volume, .area, .centroid]'
box=$(jq -c "$measures" <<<"$out")
run hull box.points -o box.ply
run hull box.points -o box.gltf
for file in box.obj box.ply corners.points; do
    run hull "$file" --json
    expect_equal "the hull of $file" "$(jq -c "$measures" <<<"$out")" "$box"
    expect_equal "points of $file" "$(jq .points <<<"$out")" 8
done
expect_equal "glTF" "$(jq -c '[.asset.version, .meshes[0].primitives[0].mode, .accessors[0].count, .accessors[1].count]' box.gltf)" '["2.0",4,8,36]'
expect_equal "its least and its most" "$(jq -c '[.accessors[0].min, .accessors[0].max]' box.gltf)" '[[0,0,0],[2,2,4]]'
if [[ $assimp == assimp ]]; then
    for file in box.obj box.ply box.gltf; do
        succeeds raycast "$file" --ray 0.5,0.75,9,0,0,-1 --ray 9,0.5,1.25,-1,0,0 --json
        expect_json "triangles of $file, outwards" '.mesh.triangles == 12 and [.answers[].hits[0] | .t, .normal] == [5, [0, 0, 1], 7, [1, 0, 0]]'
    done
fi
# A polygon with more corners than a byte can count.
awk 'BEGIN { for (i = -200; i <= 200; i++) for (z = 0; z < 2; z++) print i, i * i / 128, z }' >many.points
tells "two large faces" '.vertices == 802 and .faces == 403' hull many.points -o many.ply
expect_in "the header" "$(head -c 300 many.ply | tr -d '\0')" "property list uint uint vertex_indices"
large=$(jq -c "$measures" <<<"$out")
run hull many.ply --json
expect_equal "the hull of many.ply" "$(jq -c "$measures" <<<"$out")" "$large"

# ---- flat, straight, in one place ----

printf '%s\n' "0 0 5" "1 0 5" "1 1 5" "0 1 5" ".5,.5,5 # in the middle" >flat.points
run hull flat.points -o flat.obj --json
expect_json "a polygon" '.dimension == 2 and .vertices == 4 and .triangles == 4 and .faces == 2 and .volume == 0 and .area == 2
    and (.validity | .valid and .closed and .aside == 0)'
expect_equal "both sides" "$(grep '^f' flat.obj)" "f 1 2 3 4
f 2 1 4 3"
printf '3 3 3\n1 1 1\n2 2 2\n' >line.points
run hull line.points -o line.obj --json
expect_json "a segment" '.dimension == 1 and .vertices == 2 and .faces == 0 and (.validity | .valid and .closed == null and .euler == null)'
expect_equal "a line" "$(tail -n 3 line.obj)" "v 3 3 3
v 1 1 1
l 1 2"
printf '3 3 3\n3 3 3\n' >place.points
run hull place.points -o place.obj --json
expect_json "a point" '.dimension == 0 and .vertices == 1 and .centroid == [3, 3, 3] and (.validity | .valid and .outside == null)'
expect_equal "a point" "$(tail -n 2 place.obj)" "v 3 3 3
p 1"
for name in flat line place; do
    succeeds hull $name.points -o $name.ply
    run hull $name.ply --json
    expect_json "the PLY of $name" ".validity.valid and .points == .vertices and .dimension == ([\"place\", \"line\", \"flat\"] | index(\"$name\"))"
    succeeds hull $name.points -o $name.gltf
    expect_equal "the mode of $name.gltf" "$(jq '.meshes[0].primitives[0].mode' $name.gltf)" "$(case $name in flat) echo 4 ;; line) echo 1 ;; *) echo 0 ;; esac)"
done
printf '0 0 0\n2 0 0\n1 0 0\n' >axis.points
prints "worst excess of a point is 0, 0 of the extent: point 0" hull axis.points
tells "all within the tolerance" '.dimension == 0 and .tolerance == 3 and .validity.valid' hull flat.points --tolerance 3

# ---- fewer vertices, separate faces, planes around all points ----

run hull many.points --max-vertices 20 --json
expect_json "fewer" '.vertices == 20 and .error > 0 and .planes == null and (.validity | .valid and .outside > 0 and .outside <= .allowed)'
error=$(jq .error <<<"$out")
run hull many.points --max-error 0.5 --contain --json
expect_json "by distance" '.vertices < 802 and .error <= 0.5 and .moved > 0 and .moved <= 0.5 and (.planes | length) == .faces
    and all(.planes[]; length == 4 and all(.[]; test("^-?0x"))) and (.validity | .valid and .above_planes <= 0)'
run hull box.points --tolerance 0 --max-error 0 --json
expect_equal "no tolerance, no error: as without them" "$(same)" "$wanted"
printf '0 0 0\n1 0 0\n0 1 0\n0 0 1\n' >corner.points
prints "no valley: neighbours' far corners are 0.577 or more below, 0.577 of the extent" hull corner.points --contain
expect_in stdout "$out" "no point is above a plane of a face; the highest is"
run hull many.points --max-vertices 20 --contain
expect_in stdout "$out" "error     $(printf %.6g "$error" | cut -c 1-4)" "planes of faces are moved outwards"
expect_in stdout "$out" "what the moved planes enclose, volume"
points_of() { grep -v '^#' "$1"; }
for format in points obj ply; do
    succeeds hull many.points --max-vertices 20 --contain -o "around.$format" --json
    expect_json "the enclosure" '.file != null and .enclosure.volume > .volume and (.enclosure | .vertices <= 84 and .faces > 4 and .triangles == 2 * .vertices - 4)'
    vertices=$(jq .enclosure.vertices <<<"$out")
    tells "what is written is the enclosure" ".points == $vertices and .vertices == $vertices and .validity.valid" hull "around.$format"
done
(points_of around.points && points_of many.points) >both.points
tells "all points are inside" ".vertices == $vertices" hull both.points --separate
for name in flat line place; do
    succeeds hull $name.points --contain -o around.obj --json
    expect_json "a solid around the flat set" '.dimension < 3 and .enclosure.vertices == 8 and .enclosure.faces == 6 and .enclosure.volume > 0'
    tells "the solid around $name.points" '.dimension == 3 and .vertices == 8' hull around.obj --tolerance 1e-30
done
for k in -1 1; do for x in -8 8; do for y in -8 8; do echo "$x $y $((8 * k))"; done; done; echo "0 0 $((k * 8))"; done >blisters.points
sed 's/0 0 8$/0 0 0x1.000002p+3/' blisters.points >blister.points
tells "a blister of a bit is no face" '.vertices == 9 and .faces == 6' hull blister.points
tells "unless they are to be apart" '.vertices == 9 and .faces == 9' hull blister.points --separate

# ---- input ----

succeeds hull sphere/1000 --json
expect_json "a data set" '.input == "sphere/1000" and .points == 1000 and .hash_checked == true and .vertices > 900 and .validity.valid'
tells "a world" '.hash_checked == true and .dimension == 3 and .volume > 10000 and .validity.valid' hull terrain-l2
cube_file cube.obj obj
(cat cube.obj && echo "v 0.5 3 0.5 # of no face" && echo "f $(yes 1 | head -n 2000 | tr '\n' ' ')") >more.obj
tells "a vertex that no face has counts" '.points == 9 and .vertices == 9' hull more.obj
formats=(obj)
[[ $assimp == assimp ]] && formats+=(ply stl off gltf glb)
for format in "${formats[@]}"; do
    cube_file "cube.$format" "$format"
    succeeds hull "cube.$format" --json
    expect_json "the cube of $format" '.dimension == 3 and .vertices == 8 and .faces == 6 and .volume == 1 and .centroid == [0.5, 0.5, 0.5]'
done
header=("element vertex 4" "property uchar red" "property double z" "property float x" "property short y" "end_header")
(printf '%s\n' ply "format ascii 1.0" "${header[@]}" "9 0 0 0" "9 0x1p+1 0 0" "9 0 2 0" "9 0 0 2") >text.ply
(printf '%s\n' ply "format binary_little_endian 1.0" "${header[@]}"
    printf '\t\0\0\0\0\0\0\0\0\0\0\0\0\0\0\t\0\0\0\0\0\0\0\100\0\0\0\0\0\0\t\0\0\0\0\0\0\0\0\0\0\0\100\0\0\t\0\0\0\0\0\0\0\0\0\0\0\0\2\0') >little.ply
(printf '%s\n' ply "format binary_big_endian 1.0" "${header[@]}"
    printf '\t\0\0\0\0\0\0\0\0\0\0\0\0\0\0\t\100\0\0\0\0\0\0\0\0\0\0\0\0\0\t\0\0\0\0\0\0\0\0\100\0\0\0\0\0\t\0\0\0\0\0\0\0\0\0\0\0\0\0\2') >big.ply
for file in text.ply little.ply big.ply; do
    succeeds hull $file -o read.points
    expect_equal "the points of $file" "$(tail -n +2 read.points)" "0x0p+0 0x0p+0 0x0p+0
0x0p+0 0x0p+0 0x1p+1
0x1p+1 0x0p+0 0x0p+0
0x0p+0 0x1p+1 0x0p+0"
done
printf '\xef\xbb\xbf0 0 0\r\n\r\n  1,0,0\r\n0 1 0 # y\r\n0 0 0x1p-149' >odd.points
tells "blanks, commas, other ends of lines" '.points == 4' hull odd.points

# ---- in the plane ----

printf '%s\n' "0 0" "4 0" "4 3" "0 3" "2 3" "1 1" "4 0" >plane.points
run hull plane.points --dimension 2 --json
expect_json "a rectangle" '.dimension == 2 and .axis == "z" and .points == 7 and .corners == 4 and .area == 12 and .perimeter == 14
    and .centroid == [2, 1.5] and .drawn_points == null and (.validity | .valid and .outside == 0)'
same_with "$(member digest)" --isa "$(usable_isas)" hull plane.points --dimension 2
for axis in "x 8 12" "y 8 12" "z 4 8"; do
    read -r name area perimeter <<<"$axis"
    run hull box.points --dimension 2 --axis "$name" --json
    expect_json "the box along $name" ".axis == \"$name\" and .corners == 4 and .area == $area and .perimeter == $perimeter"
done
printf '1 2\n3 4\n2 3\n' >segment.points
tells "a segment" '.dimension == 1 and .corners == 2 and .area == 0 and .centroid == [2, 3]' hull segment.points --dimension 2
prints "written   plane.svg: 7 of 7 points are drawn" hull plane.points --dimension 2 -o plane.svg
expect_in "the drawing" "$(cat plane.svg)" ">x to the right, y upwards<"
prints "written   corners.points" hull plane.points --dimension 2 -o corners.points
expect_equal "the corners" "$(cat corners.points)" "# voxphys hull: the corners, counterclockwise
0x0p+0 0x0p+0
0x1p+2 0x0p+0
0x1p+2 0x1.8p+1
0x0p+0 0x1.8p+1"
tells "nothing is drawn" '.file == "corners.points" and .drawn_points == null' hull box.points --dimension 2 --axis y -o corners.points
expect_equal "the corners along y: z, x" "$(tail -n +2 corners.points | tr '\n' ' ')" "0x0p+0 0x0p+0 0x1p+2 0x0p+0 0x1p+2 0x1p+1 0x0p+0 0x1p+1 "
expect_equal "the drawing's points, polygon and corners" "$(grep -o 'class="\(point\|hull\|corner\)" d="[^"]*"' plane.svg | tr -cd 'Mph"\n' | sed 's/[^M]//g' | tr -d '\n' | wc -c)" 12
expect_in "the drawing" "$(cat plane.svg)" "Convex hull of 7 points: 4 corners"
tells "points are thinned" '.drawn_points > 1000 and .drawn_points < 6500' hull cube/100000 --dimension 2 -o large.svg
expect_in "the drawing says so" "$(cat large.svg)" "$(jq .drawn_points <<<"$out") points are drawn, of each square of 10 x 10 the first"
[[ $(wc -c <large.svg) -lt 150000 ]] || fail "the drawing is large"
for file in segment place; do
    succeeds hull $file.points --dimension 2 -o $file.svg
    ! grep -q 'nan\|inf' $file.svg || fail "$file.svg has numbers that are none"
done

# ---- wrong hulls ----

wrong() # PART ARGUMENT...: the program, with points that make its hull wrong
{
    run_as "hull, wrong on purpose, ${*:2}" "${program[@]}" hull "${@:2}"
    expect_status 1
    expect_in stderr "$err" "$1"
    expect_equal "what is written" "$(ls wrong.* 2>/dev/null)" ""
}
printf '150 3 4\n2 333 4\n1 2 101\n0 0 0\n9 9 9\n' >to-break.points
export BROKEN_HULL=open
wrong "the hull of to-break.points is not valid: it is not closed: 3 edges lack one other triangle; nothing is written" to-break.points -o wrong.obj
expect_in stdout "$out" "valid     no: it is not closed"
wrong "is not valid" to-break.points -o wrong.obj --json
expect_json "it is told" '.file == null and (.validity | (.valid | not) and (.closed | not) and (.reason | startswith("it is not closed")))'
export BROKEN_HULL=none BROKEN_HULL2=turned
wrong "is not valid: point" to-break.points --dimension 2 --isa scalar -o wrong.svg
unset BROKEN_HULL BROKEN_HULL2

# ---- refusals ----
subject=(hull)

text() # NAME PART TEXT: a file, and a part of its message
{
    printf '%b' "$3" >"$1"
    refused "$1: $2" "$1"
}
text a.points "it has no point" ''
text a.points "it has no point" '# nothing\n\n'
text a.points 'line 2: y is "nan", which is not finite' '1 2 3\n1 nan 3\n'
text a.points 'line 1: z is "-inf", which is not finite' '1 2 -inf\n'
text a.points 'line 2: x is "1e39", not a number that a 32-bit float holds' '# one\n1e39 0 0\n'
text a.points 'line 1: y is "2x", not a number' '1 2x 3\n'
text a.points 'line 1: 1 number, the first "5"; a point has three, or two' '5\n'
text a.points 'line 1: 4 numbers' '1 2 3 4\n'
text a.points 'line 2: 3 numbers; the points before have 2' '1 2\n3 4 5\n'
text a.points 'line 1: byte 4 is 0, which is not text' '1 2\0000 3\n'
text a.points 'line 1: longer than a point, over 1023 bytes' "$(yes 1 | head -n 900 | tr '\n' ' ')"
text a.obj 'it has no vertex: no line begins with "v"' 'o nothing\nvn 0 0 1\nvt 1 1\n'
text a.obj 'line 2: 2 numbers; a vertex has three or more' 'o one\nv 1 2\n'
text a.obj 'line 1: z is "1e39", not a number' 'v 1 2 1e39\n'
text a.obj 'line 1: longer than a vertex' "v $(yes 1 | head -n 900 | tr '\n' ' ')"
text a.ply 'no mesh: it does not begin as a PLY does' 'plain text\n'
ply='ply\nformat ascii 1.0\n' xyz='property float x\nproperty float y\nproperty float z\n' end='end_header\n'
text a.ply 'no mesh: it is cut: its header has 4000000000 of element "vertex", and it ends in number 1' "${ply}element vertex 4000000000\n$xyz${end}0 0 0\n"
text a.ply 'it has no vertex' "${ply}element vertex 0\n$xyz$end"
text a.ply 'its vertices have no property "z"' "${ply}element vertex 1\nproperty float x\nproperty float y\n${end}1 2\n"
text a.ply 'vertex 1: y is nan, which is not finite' "${ply}element vertex 2\n$xyz${end}1 2 3\n1 nan 3\n"
text a.ply 'element "thing" is before its vertices' "${ply}element thing 1\nproperty int a\nelement vertex 1\n$xyz${end}1\n1 2 3\n"
text a.ply 'property "list" of its vertices is a list' "${ply}element vertex 1\n${xyz}property list uchar int list\n${end}1 2 3 0\n"
head -c 5000 /dev/urandom >junk
for end in points obj ply stl off gltf glb vpw; do
    cp junk junk.$end
    refused "junk.$end" junk.$end
done
mkdir folder.points folder.obj folder.ply
mkfifo pipe.points pipe.obj pipe.ply
for end in points obj ply; do
    refused "folder.$end is not a regular file" folder.$end
    refused "pipe.$end is not a regular file" pipe.$end
    refused "none.$end: No such file or directory" none.$end
done
refused "x.xyz is not a data set, and file names end with .points, .obj" x.xyz
refused 'no data set "atlantis"' atlantis
refused 'data set "ball" is many sets of points; one is named with its count: ball/1000' ball
refused 'whole number from 4 to' ball/3
refused "-o 'x.stl': must end with one of .obj, .ply, .gltf, .points" box.points -o x.stl
refused "-o 'x.obj' ends with neither .svg nor .points" box.points --dimension 2 -o x.obj
refused "-o '.points' ends with neither" box.points --dimension 2 -o .points
refused 'data set "coherent" is of kind rays, which has no points' coherent
refused "-o 'x.svg': must end with one of" box.points -o x.svg
refused "FILE 'box.points' is the file that is read" box.points -o box.points
ln -s more.obj link.obj
refused "FILE 'link.obj' is the file that is read" more.obj -o link.obj
refused "cannot create a file for none/a.obj" box.points -o none/a.obj
refused "plane.points has two numbers a line, which is for --dimension 2" plane.points
refused "--axis x: plane.points has two numbers a line" plane.points --dimension 2 --axis x
refused "option '--axis' is for --dimension 2" box.points --axis x
for option in --tolerance=1 --separate --max-vertices=9 --max-error=1 --contain; do
    refused "option '${option%=*}' is for --dimension 3" box.points --dimension 2 $option
done
refused "--dimension '1' is not a whole number from 2 to 3" box.points --dimension 1
refused "--max-error '-1': must be >= 0" box.points --max-error -1
refused "--tolerance '1e-50' is too small: in 32 bits it is 0" box.points --tolerance 1e-50
refused "--max-error '0x1p-200' is too small" box.points --max-error 0x1p-200
refused "--max-error 'inf' is not a finite number" box.points --max-error inf
refused "--max-vertices '3' is not a whole number from 4" box.points --max-vertices 3
finish
