#!/bin/bash
# SPDX-License-Identifier: MIT
# mesh_load.sh assimp|-: `voxphys raycast` on mesh files. Every format gives the same triangles, at the places of its nodes. The output of
# `voxphys mesh` reads back. An invalid file is refused with a message that names the file and the fault. No file content ends the command
# in any other way.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
. "$VOXPHYS_SOURCE/tests/cli/meshes.bash"
cd "$scratch" || exit 1

refused "cannot open none.obj: No such file" raycast none.obj
mkdir folder.ply
refused "folder.ply is not a regular file" raycast folder.ply
mkfifo pipe.stl
refused "pipe.stl is not a regular file" raycast pipe.stl
cube_file cube.obj obj
if [[ $1 != assimp ]]; then
    refused "cube.obj: reading a mesh needs assimp, and this build has none" raycast cube.obj
    refused "needs assimp" render cube.obj -o cube.png
    finish
fi

# ---- every format, the same triangles ----

rays=(--ray "0.25,0.5,-1,0,0,1" --ray "0.25,0.75,5,0,0,-2" --ray "3,0.5,0.25,-1,0,0" --ray "0.5,9,0.25,0,-1,0,8.5")
succeeds raycast cube.obj "${rays[@]}" --json
expect_json "the mesh" '.mesh | .triangles == 12 and .points_left_out == 0 and .lines_left_out == 0 and .hash_checked == null'
hits=$(jq -c '[.answers[].hits]' <<<"$out")
# By hand: quad z = 0 is 3 2 1 0, and x = 0.25, y = 0.5 is in its second triangle, 3 1 0. That gives 3 + (1 - 3)/4 + (0 - 3)/4.
expect_equal "what is hit" "$(jq -c '[.answers[].hits[] | [.triangle, .t, .u, .v]]' <<<"$out")" \
    "[[1,1,0.25,0.25],[3,2,0.25,0.5],[6,2,0.25,0.25],[8,8,0.25,0.25]]"
expect_json "normals point outwards" '[.answers[].hits[].normal] == [[0,0,-1],[0,0,1],[1,0,0],[0,1,0]]'
digest=$(member digest)
for format in ply-text ply off stl-text stl gltf glb; do
    file=$format-cube.${format%-text}
    cube_file "$file" $format
    tells "$format has as many triangles" '.mesh.triangles == 12' raycast "$file" "${rays[@]}"
    expect_equal "the digest of $format" "$(member digest)" "$digest"
    expect_equal "points of $format" "$(jq -c '[.answers[].hits[] | [.point, .normal]]' <<<"$out")" \
        "$(jq -c '[.[][] | [.point, .normal]]' <<<"$hits")"
done
cp stl-cube.stl CUBE.STL
has_digest "the digest of a name in capital letters" "$digest" raycast CUBE.STL "${rays[@]}"
cp cube.obj ./-cube.obj
succeeds raycast -- -cube.obj
cp cube.obj $'a\xff.obj'
run raycast $'a\xff.obj' --json
expect_equal "the name in JSON" "$(jq -r .mesh.source <<<"$out")" $'a\ufffd.obj'

# Twice as large and moved by ten. A mirrored mesh reverses the order of corners, so that normals still point outwards. Nested nodes move
# with their parent.
cube_file moved.gltf gltf '{"mesh":0,"translation":[10,0,0],"scale":[2,2,2]}'
run raycast moved.gltf --ray 10.5,1,-1,0,0,1 --json
expect_json "a node's transform" '.answers[0].hits[0] | .t == 1 and .point == [10.5, 1, 0] and .normal == [0, 0, -1]'
cube_file mirrored.gltf gltf '{"mesh":0,"translation":[10,0,0],"scale":[-2,2,2]}'
run raycast mirrored.gltf --ray 9.5,1,-1,0,0,1 --json
expect_json "a node that mirrors" '.answers[0].hits[0] | .t == 1 and .point == [9.5, 1, 0] and .normal == [0, 0, -1]'
cube_file nested.gltf gltf '{"children":[1],"translation":[0,0,5]},{"mesh":0,"translation":[0,3,0]}'
tells "a node in a node" '.answers[0].hits[0] | .t == 5 and .point == [0.25, 3.25, 5]' raycast nested.gltf --ray 0.25,3.25,0,0,0,1
cube_file twice.gltf gltf '{"children":[1,2]},{"mesh":0},{"mesh":0,"translation":[0,0,5]}'
tells "a mesh twice" '.mesh.triangles == 24 and ([.answers[0].hits[].t] == [1, 2, 6, 7])' raycast twice.gltf --ray 0.25,0.5,-1,0,0,1 --all

# Points and lines are skipped and counted. A concave face of five corners is filled correctly.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\np 1 2 3\n' >mixed.obj
tells "points and lines" '.mesh | .triangles == 1 and .vertices == 3 and .points_left_out == 3 and .lines_left_out == 1' raycast mixed.obj
run raycast mixed.obj
expect_in stdout "$out" "left out: 3 points, 1 line" ": 1 triangle, 3 vertices"
printf 'v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nv 0 2 0\nf 1 2 3 4 5\n' >hollow.obj
run raycast hollow.obj --ray 1,1.5,1,0,0,-1 --ray 0.125,1,1,0,0,-1 --ray 1.875,1,1,0,0,-1 --ray 1,0.25,1,0,0,-1 --json
expect_equal "where a hollow face is" "$(jq -c '[.mesh.triangles, .answers[].hit]' <<<"$out")" "[3,false,true,true,true]"

# Colours and names of materials, also of an OBJ's material file.
printf 'newmtl red\nKd 1 0 0\nnewmtl green thing\nKd 0 1 0\n' >two.mtl
printf 'mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nusemtl red\nf 1 2 3\nusemtl green thing\nf 2 4 3\n' >two.obj
run raycast two.obj --ray 0.25,0.25,1,0,0,-1 --ray 0.75,0.75,1,0,0,-1 --json
expect_equal "names of materials" "$(jq -c '[.answers[].hits[].name]' <<<"$out")" '["red","green_thing"]'
expect_equal "numbers of materials" "$(jq -c '[.answers[].hits[].material]' <<<"$out")" '[0,1]'
expect_empty stderr "$err"
# Materials are numbered in the order of the triangles. Vertices of an OBJ in the same place are joined.
cube_gltf '{"mesh":0}' ",\"uri\":\"data:application/octet-stream;base64,$(cube_numbers 2 | base64 -w 0)\"" |
    sed 's/"indices":1/&,"material":2/; s/"meshes":/"materials":[{"name":"a"},{"name":"b"},{"name":"c"}],&/' >third.gltf
run raycast third.gltf --ray 0.25,0.5,-1,0,0,1 --json
expect_equal "the third of a glTF" "$(jq -c '.answers[0].hits[0] | [.material, .name]' <<<"$out")" '[0,"c"]'
tells "a cube has eight corners" '.mesh.vertices == 8' raycast cube.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv -0.0 1e-30 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\nf 4 5 6\n' >near.obj
tells "four places, one of them near another" '.mesh.vertices == 4' raycast near.obj
# A message never quotes a file that is not a material file. A missing file is reported.
echo "newmtl red
Kd do-not-tell 0 0" >secret
sed 's/two.mtl/secret/' two.obj >tells.obj
refused "tells.obj: no mesh: it, or a file that it names for its materials, is not understood" raycast tells.obj
[[ $err != *do-not-tell* ]] || fail "a file's text is told"
sed 's/two.mtl/none.mtl/' two.obj >lacks.obj
run raycast lacks.obj --json
expect_status 0
expect_equal "of materials that are not there" "$err" "voxphys: lacks.obj: cannot open none.mtl, which it names for its materials: No such file or directory"

# ---- files of `voxphys mesh` ----

run raycast terrain-l2 --json
world=$(jq -c '[.mesh.triangles, .rays.rays_that_hit, .digest]' <<<"$out")
vertices=$(jq .mesh.vertices <<<"$out")
some=(--ray "30,90,30,0,-1,0" --ray "10,90,50,0.125,-1,-0.25" --ray "90,30,20,-1,0,0.125")
run raycast terrain-l2 "${some[@]}" --all --json
wanted=$(jq -c '[.answers[].hits[] | [.t, .point, .normal, .name]]' <<<"$out")
[[ $(jq length <<<"$wanted") -ge 4 ]] || fail "too few hits to compare"
for format in obj ply gltf; do
    run mesh terrain-l2 --surface solid -o back.$format
    run raycast back.$format --json
    expect_equal "triangles and hits of $format" "$(jq -c '[.mesh.triangles, .rays.rays_that_hit]' <<<"$out")" \
        "$(jq -c '.[0:2]' <<<"$world")"
    [[ $format == gltf ]] || expect_equal "vertices of $format" "$(jq .mesh.vertices <<<"$out")" "$vertices"
    # A PLY keeps the world's order. The other formats sort by material.
    [[ $format != ply ]] || expect_equal "the digest of a PLY" "$(member digest)" "$(jq -r '.[2]' <<<"$world")"
    run raycast back.$format "${some[@]}" --all --json
    if [[ $format == ply ]]; then # assimp reads no material names from a PLY
        expect_equal "hits of a PLY" "$(jq -c '[.answers[].hits[] | [.t, .point, .normal]]' <<<"$out")" "$(jq -c '[.[] | .[0:3]]' <<<"$wanted")"
    else
        expect_equal "hits of $format" "$(jq -c '[.answers[].hits[] | [.t, .point, .normal, .name]]' <<<"$out")" "$wanted"
    fi
done

# ---- refusals ----

: >empty.obj
refused "empty.obj: no mesh: it is empty" raycast empty.obj
echo "this is a text, and no mesh at all" >text.obj
refused "text.obj: it has no triangles" raycast text.obj
for format in stl ply off gltf glb; do
    cp text.obj text.$format
    refused "text.$format: no mesh" raycast text.$format
done
printf 'v 0 0 0\nv 1 0 0\nl 1 2\np 1\n' >lines.obj
refused "lines.obj: it has no triangles: of points it has 1, of lines 1" raycast lines.obj
printf 'ply\nformat ascii 1.0\nelement vertex 3\n' >cut.ply
refused "cut.ply: no mesh: its header has no end" raycast cut.ply
# A cut file is not read as a smaller mesh. (The first half of the cube's vertices makes no face. Without the last face the rest would
# be a mesh.)
cut_refused() # FORMAT PART: the cube without its last line
{
    cube_file whole "$1"
    head -n -1 whole >"cut.${1%-text}"
    refused "cut.${1%-text}: no mesh: $2" raycast "cut.${1%-text}"
}
cut_refused ply-text 'it is cut: its header has 6 of element "face", and it ends in number 5'
cut_refused off 'it is cut: it has 5 of its 6 faces'
cut_refused stl-text 'it is cut: no "endsolid" follows its 12 facets'
head -n 12 whole >cut.stl
refused "cut.stl: no mesh: it is cut: 2 facets begin and 1 end" raycast cut.stl
head -c -3 ply-cube.ply >cut.ply
refused 'cut.ply: no mesh: it is cut: its header has 6 of element "face", and it ends in number 5' raycast cut.ply
head -n 14 ply-text-cube.ply >cut.ply
refused 'cut.ply: no mesh: it is cut: its header has 8 of element "vertex", and it ends in number 5' raycast cut.ply
sed 's/^element face/elephant face/' ply-text-cube.ply >odd.ply
refused 'odd.ply: no mesh: its header has the line "elephant face 6", which is not understood' raycast odd.ply
sed 's/^4 0 1 5 4/4 0 1 8 4/' off-cube.off >index.off
refused "index.off: no mesh: face 2 has vertex 8 of 8" raycast index.off
sed 's/^4 0 1 5 4/4 0 1 -1 4/' off-cube.off >index.off
refused "index.off: no mesh: face 2 has vertex -1 of 8" raycast index.off
sed 's/^4 0 1 5 4/5 0 1 5 4/' off-cube.off >index.off
refused "index.off: no mesh: face 2 has 4 of its 5 corners" raycast index.off
sed 's/^4 0 1 5 4/0/' off-cube.off >index.off
refused "index.off: no mesh: face 2 has 0 corners" raycast index.off
sed '0,/^1 1 1/s//1 1 x/' off-cube.off >index.off
refused 'coordinate "x" is not a number that a 32-bit float holds' raycast index.off
for number in nan -nan inf -inf; do
    sed "0,/^1 1 1/s//1 $number 1/" off-cube.off >finite.off
    refused "finite.off: no mesh: vertex 6: coordinate \"$number\" must be finite" raycast finite.off
done
sed '1s/.*/4OFF/; 3,10s/$/ 2/; 0,/^1 1 1 2/s//0 1 1 0/' off-cube.off >finite.off
refused "finite.off: no mesh: vertex 6: x = 0 / 0 must be finite" raycast finite.off
sed '1s/.*/4OFF/; 3,10s/$/ 2/; 0,/^1 1 1 2/s//1 -1e30 1 1e-30/' off-cube.off >finite.off
refused "finite.off: no mesh: vertex 6: y = -1e+30 / 1e-30 must be finite" raycast finite.off
printf 'OFF\n0 0 0\n' >faces.off
refused "faces.off: no mesh: it has no faces" raycast faces.off
sed '2s/6/0/' off-cube.off >faces.off
refused "faces.off: no mesh: it has no faces" raycast faces.off
sed '2s/.*/8 6 x/' off-cube.off >counts.off
refused "counts.off: no mesh: it does not begin as an OFF does, with its numbers of vertices and faces" raycast counts.off
printf 'OFF BINARY\n\0\0\0\10' >binary.off
refused "binary.off: no mesh: it is a binary OFF; only text is read" raycast binary.off
printf 'nOFF 4\n1 0 0\n0 0 0 0\n' >four.off
refused 'four.off: no mesh: an OFF of "4" dimensions; only three are read' raycast four.off
# The forms of OFF have comments and empty lines anywhere, counts on the first line, Windows line ends, and further values of
# vertices and faces.
same_off() # WHAT: form.off is the same cube
{
    has_digest "the digest of an OFF $1" "$digest" raycast form.off "${rays[@]}"
}
sed '1d; s/^8 6 0$/OFF # first\n# second\n\n8 6 0 # third/; s/^0 0 0$/# vertices\n&   # corner/; s/^4 0 1 5 4/\n# a face\n& # front/' off-cube.off >form.off
grep -c '#' form.off | grep -qx 7 || fail "form.off has not 7 comments"
same_off "with comments"
sed 's/$/\r/' form.off >crlf && mv crlf form.off
same_off "with line ends of Windows"
sed -z 's/^OFF\n/OFF /' off-cube.off >form.off
same_off "with counts on the first line"
sed 1d off-cube.off >form.off
same_off "without a first line"
sed '2s/.*/8 6/' off-cube.off >form.off
same_off "without a number of edges"
sed '2s/.*/8 6 # no edges\n\n# vertices/' off-cube.off >form.off
same_off "without a number of edges, with comments"
sed '2s/.*/8\n6\n# edges\n12 # of a cube/' off-cube.off >form.off
same_off "with each count on a line"
sed '1s/.*/\xef\xbb\xbfSTCNOFF/; 3,10s/$/ 0 0 1 0.5 0.5 0.5 1 0 0/; 11,16s/$/ 255 0 0/' off-cube.off >form.off
same_off "with colours and normals"
sed '1s/.*/4OFF/; 3,10{s/1/3/g; s/$/ 3/}' off-cube.off >form.off
same_off "with a fourth coordinate"
sed '1s/.*/nOFF 3/' off-cube.off >form.off
same_off "with a number of dimensions"
sed '2s/6/8/; $s/$/\n2 0 1\n1 7/' off-cube.off >form.off
same_off "with a point and a line"
expect_json "points and lines of an OFF" '.mesh | .points_left_out == 1 and .lines_left_out == 1'
# Faces with many corners. The edge of a comb of 12 corners goes from (0,0) to (5,0). Its teeth are x in [0,1], [2,3] and [4,5], with y
# up to 3.
printf 'OFF\n12 1 0\n0 0 0\n5 0 0\n5 3 0\n4 3 0\n4 1 0\n3 1 0\n3 3 0\n2 3 0\n2 1 0\n1 1 0\n1 3 0\n0 3 0\n12 0 1 2 3 4 5 6 7 8 9 10 11\n' >comb.off
run raycast comb.off --ray 0.5,2.5,1,0,0,-1 --ray 1.5,2.5,1,0,0,-1 --ray 2.5,2.5,1,0,0,-1 --ray 3.5,2.5,1,0,0,-1 --ray 4.5,2.5,1,0,0,-1 --ray 1.5,0.5,1,0,0,-1 --json
expect_equal "a face of 12 corners" "$(jq -c '[.mesh.triangles, .answers[].hit]' <<<"$out")" "[10,true,false,true,false,true,true]"
disc_file() # FILE CORNERS: a triangle, and a face on the unit circle
{
    printf 'OFF\n%d 2 0\n' "$2"
    awk -v corners="$2" 'BEGIN { for (i = 0; i < corners; i++) printf "%.9g %.9g 0\n", cos(2 * i * atan2(0, -1) / corners), sin(2 * i * atan2(0, -1) / corners) }'
    echo 3 0 1 2
    seq -s ' ' 0 $(($2 - 1)) | sed "s/^/$2 /"
} >"$1"
disc_files() # CORNERS: disc.off, also as PLY, as OBJ, and as an OBJ with its face on two lines
{
    disc_file disc.off "$1"
    {
        printf 'ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n' "$1"
        printf 'element face 2\nproperty list uint int vertex_indices\nend_header\n'
        tail -n +3 disc.off
    } >disc.ply
    awk 'NR > 2 && NF == 3 { print "v", $0 } NF > 3 { printf "f"; for (i = 2; i <= NF; i++) printf " %d", $i + 1; print "" }' disc.off >disc.obj
    sed 's/ 900 901 / 900 \\\n901 /' disc.obj >lines.obj
}
for corners in 1000 4096; do
    disc_files $corners
    for file in disc.off disc.ply disc.obj lines.obj; do
        run raycast $file --ray 0.1,0.2,1,0,0,-1 --ray 0.7,0.7,1,0,0,-1 --ray 0.72,0.72,1,0,0,-1 --json
        expect_equal "a face of $corners corners" "$(jq -c '[.mesh.triangles, .mesh.vertices, .answers[].hit]' <<<"$out")" \
            "[$((corners - 1)),$corners,true,true,false]"
    done
done
for corners in 4097 100001; do
    disc_files $corners
    for file in disc.off disc.ply disc.obj lines.obj; do
        refused "$file: no mesh: face 1 has $corners corners; 4096 is the maximum" raycast $file
    done
done
sed 's/vertex_indices/vertex_index/' disc.ply >index.ply
refused "index.ply: no mesh: face 1 has 100001 corners; 4096 is the maximum" raycast index.ply
sed -z 's/\nendfacet/ endfacet/g; s/solid cube/solid facet/g' stl-text-cube.stl >lines.stl
has_digest "the digest of an STL in other lines" "$digest" raycast lines.stl "${rays[@]}"
# The name's end chooses the format, not the content.
cp ply-cube.ply other.gltf
refused "other.gltf: no mesh: it does not begin with '{', as a glTF does" raycast other.gltf
cp gltf-cube.gltf other.glb
refused 'other.glb: no mesh: it does not begin with "glTF", as a GLB does' raycast other.glb
printf ' \n\t' | cat - gltf-cube.gltf >blanks.gltf
has_digest "the digest of a glTF behind blanks" "$digest" raycast blanks.gltf "${rays[@]}"
run_as "voxphys-mesh-reader --help" "$VOXPHYS_BUILD/bin/voxphys-mesh-reader" --help
expect_status 2
expect_empty stdout "$out"
expect_in stderr "$err" "reads a mesh for voxphys, which runs it"
printf 'v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n' >nan.obj
refused 'nan.obj: vertex 2 of face 0 of mesh "defaultobject" has y = nan' raycast nan.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2e12\nf 1 2 3\nf 1 2 4\n' >far.obj
refused 'far.obj: vertex 2 of face 1 of mesh "defaultobject" has z = 2e+12; the absolute value must be at most 1.09951e+12' raycast far.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' >index.obj
refused "index.obj: no mesh: " raycast index.obj
cp cube.obj cube.dxf
refused "cube.dxf is not a data set, and file names end with .vpw, .obj, .ply, .stl, .off, .gltf or .glb; to read another name as a world file, write ./NAME" raycast cube.dxf
cp cube.obj none
refused "none is not a data set, and file names" render none -o cube.png
refused "- is not a data set, and file names" raycast -
refused 'the manifest has no data set "nowhere"' raycast nowhere
refused "cube.dxf is not a data set, and file names end with .vpw; " mesh cube.dxf
refused "cube.dxf is not a data set, and file names end with .vpw; " broadphase cube.dxf
refused "cube.dxf is not a data set, and file names end with .vpw; " world info cube.dxf
refused "--surface is for worlds; cube.obj is a mesh" raycast cube.obj --surface solid
refused "--surface is for worlds; cube.obj is a mesh" render cube.obj -o cube.png --surface both
# The reader is next to the program.
cp "$VOXPHYS_BUILD/bin/voxphys" alone
run_as "a program without its reader" ./alone raycast cube.obj
expect_status 2
expect_in stderr "$err" "cannot run $(pwd -P)/voxphys-mesh-reader: No such file"
# Files that a mesh names are opened only if they are regular, because a pipe would block.
mkfifo pipe.mtl
sed '1i mtllib pipe.mtl' cube.obj >names.obj
run_as "voxphys raycast names.obj" timeout 60 voxphys raycast names.obj --json
expect_status 0
expect_json "a mesh that names a pipe" '.mesh.triangles == 12'

# ---- hostile files are read or refused, within seconds ----

harmless()
{
    case "$status:$err" in
    0:) ;;
    2:*"$file"*) ;;
    *) fail "it is neither read nor refused" ;;
    esac
}
try_file() # FILE
{
    file=$1
    run raycast "$file" --ray 0.25,0.5,-1,0,0,1
    harmless
}
parts=(5 40 85) places=3
[[ -z $VOXPHYS_SLOW ]] || parts=(40) places=1
[[ -z $VOXPHYS_DEEP ]] || parts=(1 5 20 40 60 85 97) places=7
for format in obj ply-text ply off stl-text stl gltf glb; do
    end=${format%-text}
    cube_file "whole.$end" "$format"
    size=$(wc -c <"whole.$end")
    for part in "${parts[@]}"; do
        head -c $((size * part / 100)) "whole.$end" >"cut.$end"
        try_file "cut.$end"
    done
    # Sets a byte at some fixed places to 0, to all ones and to a digit.
    for ((at = 3; at < size; at += size / places + 1)); do
        for byte in '\0' '\377' 9; do
            cp "whole.$end" "changed.$end"
            # shellcheck disable=SC2059 # the format is the byte
            printf "$byte" | dd of="changed.$end" bs=1 seek=$at conv=notrunc status=none
            try_file "changed.$end"
        done
    done
done
# Small files with counts beyond all memory. The message names the count, and no signal or limit ends the reader. It is the same if only
# points are read.
small_ply() # FORMAT VERTICES BODY HEADER_LINE...: a PLY of vertices and the elements of the header lines
{
    printf 'ply\nformat %s 1.0\nelement vertex %s\nproperty float x\nproperty float y\nproperty float z\n' "$1" "$2"
    printf '%s\n' "${@:4}" end_header
    # shellcheck disable=SC2059 # the format is the body
    printf "$3"
}
no_small_ply() # MESSAGE FORMAT VERTICES BODY HEADER_LINE...
{
    small_ply "${@:2}" >small.ply
    refused "small.ply: no mesh: $1" raycast small.ply
    refused "small.ply: no mesh: $1" hull small.ply
}
place='\0\0\0\0\0\0\0\0\0\0\0\0' faces="element face 1" little=binary_little_endian big=binary_big_endian
no_small_ply 'its header has 4000000000 of element "edge", without a property' $big 0 '' 'element edge 4000000000'
no_small_ply 'its header has 4294967295 of element "face", without a property' $big 0 '' 'element face 4294967295'
no_small_ply 'its header has element "face" twice' $big 0 '' "element face 0" "property list uchar int vertex_indices" "element face 1" "property list uchar int vertex_indices"
no_small_ply 'its header has the line "property list float int vertex_indices", which is not understood' $big 0 '' "$faces" "property list float int vertex_indices"
sed 's/vertex 8/vertex 4000000000/; /^property float/d' ply-text-cube.ply >small.ply
refused 'small.ply: no mesh: its header has 4000000000 of element "vertex", without a property' raycast small.ply
refused 'small.ply: no mesh: its header has 4000000000 of element "vertex", without a property' hull small.ply
no_small_ply 'number 0 of element "face" has a list of "-1" values' ascii 1 '0 0 0\n-1\n' "$faces" "property list int int vertex_indices"
no_small_ply 'number 0 of element "face" has a list of "1e9" values' ascii 1 '0 0 0\n1e9 0\n' "$faces" "property list int int vertex_indices"
no_small_ply 'number 0 of element "face" has a list of -1 values' $little 1 "$place\377" "$faces" "property list char int vertex_indices"
no_small_ply 'number 0 of element "face" has a list of -32768 values' $big 1 "$place\200\0" "$faces" "property list short int vertex_indices"
no_small_ply 'number 0 of element "face" has a list of -2147483648 values' $little 1 "$place\0\0\0\200" "$faces" "property list int int vertex_indices"
no_small_ply 'it is cut: its header has 1 of element "face", and it ends in number 0' $little 1 "$place\377\377\377\377" "$faces" "property list uint int vertex_indices"
no_small_ply 'it is cut: its header has 1 of element "face", and it ends in number 0' ascii 1 '0 0 0\n4294967295 0' "$faces" "property list uint int vertex_indices"
no_small_ply 'it is cut: its header has 1 of element "material", and it ends in number 0' ascii 1 '0 0 0\n4000000000' "element material 1" "property list int short foo"
# Counts that assimp reads and this reader does not. In a text each vertex and face must be on one line.
mkdir lines
small_ply ascii 3 '0 0 0\n1 0\n0\n0 1 0\n3 0 1 2\n' "$faces" "property list uchar int vertex_indices" >lines/vertex.ply
refused 'lines/vertex.ply: no mesh: the line of number 1 of element "vertex" ends before its values do' raycast lines/vertex.ply
small_ply ascii 3 '0 0 0\n1 0 0\n0 1 0\n3 0\n1 2\n' "$faces" "property list uchar int vertex_indices" >lines/face.ply
refused 'lines/face.ply: no mesh: the line of number 0 of element "face" ends before its values do' raycast lines/face.ply
small_ply ascii 3 '0 0 0 1 0 0\n0 1 0\n3 0 1 2\n4000000000 1\n' "$faces" "property list uint int vertex_indices" >lines/two.ply
refused 'lines/two.ply: no mesh: the line of number 0 of element "face" ends before its values do' raycast lines/two.ply
small_ply ascii 3 '0 0 0\n\n1 0 0\n0 1 0\n3 0 1 2\n' "$faces" "property list uchar int vertex_indices" >lines/empty.ply
refused 'lines/empty.ply: no mesh: the line of number 1 of element "vertex" ends before its values do' raycast lines/empty.ply
for end in '\n' '\r\n' '\n\n\n' ''; do
    small_ply ascii 3 "0 0 0\r\n1 0 0 \n0 1 0\r\n3 0 1 2$end" "$faces" "property list uchar int vertex_indices" >lines/right.ply
    tells "a line for each" '.mesh.triangles == 1 and .answers[0].hits[0].t == 1' raycast lines/right.ply --ray 0.25,0.25,-1,0,0,1
done
sed 's/vertex 8/vertex 4000000000/; s/face 6/face 4000000000/' ply-text-cube.ply >huge.ply
try_file huge.ply
printf 'v 0 0 0\nf \0 1\134' >zero.obj
try_file zero.obj
sed 's/^8 6 0/2000000000 2000000000 0/' off-cube.off >huge.off
try_file huge.off
sed 's/"count":36/"count":4000000000/' gltf-cube.gltf >huge.gltf
try_file huge.gltf
cp stl-cube.stl huge.stl
printf '\377\377\377\377' | dd of=huge.stl bs=1 seek=80 conv=notrunc status=none
try_file huge.stl
# Nested nodes, in a deep chain, and twice in each parent, which makes 2^40 cubes.
deep='{"children":[1]}' twins='{"children":[1,1]}'
for ((i = 2; i < 400; i++)); do deep+=",{\"children\":[$i]}"; done
for ((i = 2; i < 40; i++)); do twins+=",{\"children\":[$i,$i]}"; done
cube_file deep.gltf gltf "$deep,{\"mesh\":0}"
try_file deep.gltf
cube_file twins.gltf gltf "$twins,{\"mesh\":0}"
try_file twins.gltf
# 2^20 cubes are not too many triangles, but they exceed the memory limit of so small a file.
if [[ -z $VOXPHYS_SLOW ]]; then # the sanitizers have no limit
    twins='{"children":[1,1]}'
    for ((i = 2; i < 21; i++)); do twins+=",{\"children\":[$i,$i]}"; done
    cube_file twins.gltf gltf "$twins,{\"mesh\":0}"
    refused "twins.gltf: reading it takes more memory than a mesh of its size needs" raycast twins.gltf
fi
cube_file ring.gltf gltf '{"children":[0],"mesh":0}'
try_file ring.gltf
finish
