#!/bin/bash
# SPDX-License-Identifier: MIT
# decompose.sh threads|- assimp|-: `voxphys decompose`. Written hulls are judged as right in every format, and are the same for any number
# of threads and any order of points and triangles. Wrong hulls and faults of the mesh are reported. Usage errors have clear messages and
# leave no file.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
. "$VOXPHYS_SOURCE/tests/cli/meshes.bash"
cd "$scratch" || exit 1
has_threads=$1
assimp=$2
subject=(decompose)

# ---- hulls, and their files ----

succeeds decompose solid-torn --check --json -o torn.json
expect_json "an L is two boxes" '.hulls == 2 and .vertices == 16 and .flat == 0 and .error == 0 and .source == "solid-torn" and .file == "torn.json"'
expect_json "the mesh" '.extent == 1000 and .input.triangles == 60 and .input.nodes == 60 and .input.manifold_edges == 90 and .input.open_edges == 0 and .input.shells == 1 and .input.first_open == null'
expect_json "the published lengths" '(.lengths.quantization - 0.1 | fabs) < 1e-6 and .lengths.concavity == 10 and .lengths.spacing == 10'
expect_json "steps" '.counts.collapses == 58 and .counts.predictions > 60 and .counts.samples > 10000'
expect_json "each hull" '(.each | length) == 2 and ([.each[].of] | add) == 60 and all(.each[]; .dimension == 3 and .triangles == 12 and .by == "nothing" and .step != null)'
expect_json "the verdict" '.right and .verdict.closed and .verdict.covered_surface == [1, 1] and .verdict.covered_solid == [1, 1] and .verdict.lost == 0 and .verdict.owned == 60'
right=$(member digest)
succeeds decompose solid-torn --check
expect_in stdout "$out" "hulls     2 of 16 vertices, 0 flat" "every hull is one, no surface is lost"

for file in torn.obj torn.glb torn.json; do
    prints "written   $file" decompose solid-torn -o $file
    [[ $file != torn.glb || $assimp == assimp ]] || continue
    succeeds decompose --check $file solid-torn --json
    expect_json "$file is judged" ".judged == \"$file\" and .right and .verdict.hulls == 2 and .verdict.vertices == 16 and .verdict.invalid == 0 and .verdict.covered_solid == [1, 1]"
done
expect_equal "objects of the OBJ" "$(grep -c '^o hull-' torn.obj) $(grep -c '^f ' torn.obj) $(grep -c '^newmtl ' torn.mtl)" "2 24 2"
expect_equal "the JSON" "$(jq -c '[(.hulls | length), ([.hulls[].points | length] | add), ([.hulls[].of] | add | sort == [range(60)])]' torn.json)" "[2,16,true]"
expect_equal "the head of the glTF" "$(head -c 4 torn.glb)" glTF

# Segments and points can be read back. They are written as a triangle without area, and as one in a single place.
echo '{"hulls": [{"points": [[0, 0, 0], [1, 1, 1]], "triangles": [[0, 1, 1]]}, {"points": [[5, 5, 5]]}]}' >thin.json
run decompose --check thin.json solid-torn --json
expect_status 1
expect_json "flat hulls" '.verdict.flat == 2 and .verdict.invalid == 0 and [.verdict.each[].dimension] == [1, 0] and (.right | not)'

# ---- the same for threads, orders, scales ----

same_with "$right" --threads "2 16" decompose solid-torn
for option in "--concavity 1e-6" "--min-hulls 9" "--rows 3 --concavity 600" "--quantization 300 --concavity 900" "--spacing 200 --concavity 600"; do
    read -r -a words <<<"$option"
    run decompose solid-l "${words[@]}" --json
    expect_status 0
done
tells "no fewer than are wanted" '.hulls == 9' decompose solid-torn --min-hulls 9
tells "everything is allowed" '.hulls == 1 and .error > 10 and .by == "ray"' decompose solid-torn --concavity 2000
has_digest "the digest in the mesh's unit" "$right" decompose solid-torn --unit world --quantization 0.1 --concavity 10 --spacing 10
has_digest "the digest in a cube of 100" "$right" decompose solid-torn --scale 100 --quantization 0.01 --concavity 1 --spacing 1

# ---- hulls from other programs ----

cube() # X: a box from X to X + 500, across the L's foot
{
    local at=("$1 0 0" "$(($1 + 500)) 0 0" "$(($1 + 500)) 500 0" "$1 500 0" "$1 0 500" "$(($1 + 500)) 0 500" "$(($1 + 500)) 500 500" "$1 500 500") corner quad
    for corner in "${at[@]}"; do echo "v $corner"; done
    for quad in "${cube_quads[@]}"; do
        # shellcheck disable=SC2086 # words
        set -- $quad
        echo "f $(($1 - 8))/7 $(($2 - 8))//7 $(($3 - 8)) $(($4 - 8)) # a corner"
    done
}
{ echo "# objects, whatever their groups"; for x in 0 500; do echo "o cube"; echo "g a"; cube $x; echo "g b"; done; } >objects.obj
{ for x in 0 500; do echo "g cube"; cube $x; done; } >groups.obj
{ cube 0; } >one.obj
{ echo "v 9 9 9"; cube 0; } >unused.obj
grep -v '^f' objects.obj >points.obj
sed 's/^f \(.*\)/f \\\n\1/' objects.obj >continued.obj
printf '{"hulls": [%s, %s]}' '{"points": [[0,0,0],[500,0,0],[500,500,0],[0,500,0],[0,0,500],[500,0,500],[500,500,500],[0,500,500]]}' \
    '{"points": [[500,0,0],[1000,0,0],[1000,500,0],[500,500,0],[500,0,500],[1000,0,500],[1000,500,500],[500,500,500]], "name": "foot"}' >points.json
box_mesh() # a box of 1000 x 500 x 500 as an OBJ, the mesh for the checks
{
    printf 'v %s\n' "0 0 0" "1000 0 0" "1000 500 0" "0 500 0" "0 0 500" "1000 0 500" "1000 500 500" "0 500 500"
    local quad
    for quad in "${cube_quads[@]}"; do
        # shellcheck disable=SC2086 # words
        set -- $quad
        echo "f $(($1 + 1)) $(($2 + 1)) $(($3 + 1)) $(($4 + 1))"
    done
}
if [[ $assimp == assimp ]]; then
    box_mesh >box.obj
    for file in objects.obj groups.obj points.obj continued.obj points.json; do
        succeeds decompose --check $file box.obj --json
        expect_json "two cubes of $file" '.verdict.hulls == 2 and .verdict.vertices == 16 and .verdict.covered_solid == [1, 1] and .verdict.overlap == [0, 0] and .right'
    done
    for file in one.obj unused.obj; do
        run decompose --check $file box.obj --json
        expect_status 1
        expect_json "half of it in $file" '.verdict.hulls == 1 and .verdict.vertices == 8 and .verdict.invalid == 0 and .verdict.covered_solid == [0.5, 0.5] and (.right | not)'
    done
    run decompose --check one.obj box.obj
    expect_status 1
    expect_in stdout "$out" ": surface is lost"
    tells "all of it is near" '.within == 600 and .right' decompose --check one.obj box.obj --within 600
    # A hull with a dent, one inside out, and one with a hole.
    sed 's/^v 500 500 500/v 400 400 400/' one.obj >dent.obj
    sed 's/^f \(-[0-9]*\)[^ ]* \(-[0-9]*\)[^ ]* \(-[0-9]*\) \(-[0-9]*\).*/f \4 \3 \2 \1/' one.obj >inward.obj
    sed '$d' one.obj >hole.obj
    for file in dent.obj inward.obj hole.obj; do
        run decompose --check $file box.obj --within 2000 --json
        expect_status 1
        expect_json "$file is no hull" '.verdict.invalid == 1 and (.verdict.each[0].reason | length > 0) and (.right | not)'
    done
    # Any order of points and triangles, any first corner, and separate points for each triangle.
    awk '/^v/ { at[++points] = $0 } /^f/ { face[++faces] = $2 " " $3 " " $4 }
        END { for (i = points; i > 0; i--) print at[i]
            for (i = faces; i > 0; i--) { split(face[i], c, " "); k = i % 3
                print "f", points + 1 - c[k + 1], points + 1 - c[(k + 1) % 3 + 1], points + 1 - c[(k + 2) % 3 + 1] } }' torn.obj >turned.obj
    awk '/^v/ { at[++points] = $0 } /^f/ { for (k = 2; k < 5; k++) print at[$k]; print "f -3 -2 -1" }' torn.obj >soup.obj
    digests=
    for file in torn.obj turned.obj soup.obj; do
        run decompose $file --json
        expect_status 0
        digests+="$(member digest) "
    done
    expect_equal "different digests of one shape" "$(tr ' ' '\n' <<<"$digests" | sort -u | grep -c .)" 1
    # A file with several nodes, and one that the mesh reader joins.
    cube_file cube.glb glb
    tells "a node is a hull" '.verdict.hulls == 1 and .verdict.vertices == 8' decompose --check cube.glb cube.glb
else
    refused "reading a mesh needs assimp, and this build has none" one.obj
fi

# ---- a recording ----

succeeds decompose solid-l
plain=$(grep digest <<<"$out")
succeeds decompose solid-l --record l.vpr
expect_in stdout "$out" "recorded  l.vpr: 240 frames, $(stat -c %s l.vpr) bytes" "$plain"
tells "what is recorded" '.record.file == "l.vpr" and .record.frames == 240' decompose solid-l --record l.vpr
succeeds view l.vpr --json
expect_json "its layers" '.type == "decompose" and .frames == 240 and (.cut | not) and ([.layers[].name] == ["hull", "surface", "hull of both", "deciding ray", "decisions", "queue", "figures", "input"])'
refused "--record 'l.html' does not end with .vpr" solid-l --record l.html
refused "cannot create a file for none/l.vpr" solid-l --record none/l.vpr
refused "--rows and --spacing exclude each other" solid-l --rows 5 --spacing 1
cp l.vpr kept.vpr
refused "more than 134217728 samples" solid-l --spacing 1e-6 --record l.vpr
expect_equal "the recording that was there" "$(cmp l.vpr kept.vpr)" ""
cp torn.json read.json
ln -s read.json link.vpr
refused "--record 'link.vpr' and what -o writes are one file" solid-l -o read.json --record link.vpr
cp torn.obj read.obj
ln -sf read.obj link.vpr
refused "--record 'link.vpr' is the file that is read" read.obj --record link.vpr
refused "option '--record' is for decomposing" torn.json solid-torn --check --record l.vpr

# ---- faults of a mesh ----

told() # SET PART FILTER
{
    run decompose "$1" --json
    expect_status 0
    expect_in stderr "$err" "voxphys decompose: $1: $2"
    expect_json "facts of $1" "$3"
}
told solid-lidless "8 edges are open, the first between points 12 (0 1000 0) and 11 (0 1000 500) of triangle 12; " \
    '.input.open_edges == 8 and .input.first_open.triangles == [12, 12] and .input.first_open.points == [12, 11] and .input.first_open.places[0] == [0, 1000, 0]'
told solid-flipped "3 edges are of two triangles that face opposite sides, the first between points 15 " '.input.twisted_edges == 3 and .input.first_twisted.triangles == [31, 30]'
told solid-glued "4 edges are of more than two triangles, the first between points 2 (0 250 0) and 1 (0 250 250) of triangles 0 and 37" '.input.crowded_edges == 4'
told solid-twice "60 triangles are there before, the first is number 61" '.input.duplicates == 60 and .input.nodes == 60 and .hulls == 2 and .input.first_duplicate == 61'
told solid-degenerate "10 edges are open" '.input.degenerate == 15 and .hulls == 2'
expect_in stderr "$err" "15 triangles have no area, the first is number 60"

# A world, and a part of it.
run decompose terrain-l2 --box 8,0,8,14,64,14 --unit world --concavity 4 --spacing 1 --json --check
expect_status 0
expect_json "a piece of terrain" '.hash_checked and .extent > 5 and .input.open_edges > 10 and .hulls >= 1 and .right and all(.verdict.each[]; .valid)'
refused "--box: x from 60 to 65 is not in the world, 0 to 64" terrain-l2 --box 60,0,0,65,9,9
refused "--box: y from 9 to 9 is not in the world" terrain-l2 --box 0,9,0,5,9,9
refused "terrain-l2 has no surface in that box" terrain-l2 --box 0,0,0,1,1,1
refused "--box is for worlds; solid-l is a mesh" solid-l --box 0,0,0,1,1,1

# ---- pictures ----

succeeds decompose solid-torn --explode 1 -o apart.json
expect_equal "hulls that are moved apart" "$(jq -c '[[.hulls[].points[]] | (map(.[0]) | max) - (map(.[0]) | min) > 1000]' apart.json)" "[true]"
run decompose --check apart.json solid-torn
expect_status 1

# ---- limits ----

timeout -s INT 0.2 voxphys decompose solid-beast --spacing 1 -o late.obj >"$scratch/out" 2>"$scratch/err" </dev/null
shown="voxphys decompose (SIGINT)"
[[ ! -e late.obj && ! -e late.mtl ]] || fail "hulls were written although it was ended"
if grep -q signal "$scratch/err"; then
    expect_equal "what is said" "$(cat "$scratch/err")" "voxphys decompose: ended by signal 2: nothing is written"
fi

# ---- usage errors ----

for option in --quantization --concavity --spacing --scale; do
    refused "$option '-1' is not above 0" solid-l $option -1
done
refused "--concavity '0' is not above 0" solid-l --concavity 0
refused "--concavity '1e-60' is too small: in 32 bits it is 0" solid-l --concavity 1e-60
refused "--concavity '1e99' is not a finite number" solid-l --concavity 1e99
refused "more than 134217728 samples with a spacing of 0.0001" solid-l --spacing 0.0001
refused "--min-hulls '0' is not a whole number from 1 to 16777216" solid-l --min-hulls 0
refused "option '--scale' is for --unit cube" solid-l --scale 10 --unit world
refused "option '--within' is for --check" solid-l --within 3
refused "--within '0' is not above 0" solid-l --check --within 0
refused "option '--explode' is for -o" solid-l --explode 1
refused "--explode '101' is not from 0 to 100" solid-l --explode 101 -o a.obj
refused "-o 'a.ply': must end with one of .obj, .glb, .json" solid-l -o a.ply
refused "cannot create a file for none/a.obj" solid-l -o none/a.obj
refused "two arguments are hulls and the mesh to judge them by: --check" torn.obj solid-torn
refused "option '-o' is for decomposing, not for judging HULLS" --check torn.obj solid-torn -o b.obj
refused "option '--concavity' is for decomposing" --check torn.obj solid-torn --concavity 3
refused "HULLS 'solid-torn': must end with one of .obj, .json" --check solid-torn solid-torn
refused "cannot open no.obj: No such file" --check no.obj solid-torn
refused 'no data set "atlantis"' --check torn.obj atlantis
refused "after the slash comes a place: small, large, far" solid-l/nowhere
refused '"chunks" is 1525 meshes; one is needed' chunks
refused "hull 0 is of triangle 1, and the mesh has 1: these hulls are of another mesh" --check torn.json solid-triangle
if [[ $assimp == assimp ]]; then
    refused "FILE 'one.obj' is the file that is read" one.obj -o one.obj
    printf 'mtllib kept.mtl\n' | cat - one.obj >names.obj
    echo "newmtl a" >kept.mtl
    refused "names.obj: it is the file to write, or refers to it" names.obj -o kept.obj
    cp torn.mtl colours.obj
    refused "colours.obj: it has no triangles" colours.obj
    head -c 300 cube.glb >cut.glb
    refused "cut.glb" cut.glb
    refused "cut.glb" --check cut.glb box.obj
fi
bad() # NAME TEXT PART: a file of hulls that is refused
{
    printf '%s' "$2" >"$1"
    refused "$1: $3" --check "$1" solid-torn
}
bad a.obj "" "it has no hull: no face and no point"
bad a.obj $'v 0 0\nf 1 1 1' "line 1: z is not a finite number"
bad a.obj $'v 0 0 inf\n' "line 1: z is not a finite number"
bad a.obj $'v 0 0 0\n\nf 1 2 3' "line 3: a face has point 2, and there are 1 so far"
bad a.obj $'v 0 0 0\nf 1 0 1' "line 2: \"0 1\" is not a corner of a face"
bad a.obj $'v 0 0 0\nf 1 -2 1' "line 2: a face has point -2, and there are 1 so far"
bad a.obj $'v 0 0 0\nf 1 1' "line 2: a face of 2 corners"
bad a.obj $'v 0 0 0\nf 1 x 1' "line 2: \"x 1\" is not a corner of a face"
bad a.json "" "line "
bad a.json '{"hulls": [' "line 1: "
bad a.json '[]' 'it has no list of "hulls"'
bad a.json '{"hulls": []}' 'its list of "hulls" is empty'
bad a.json '{"hulls": [{}]}' 'hull 0 has no list of "points"'
bad a.json '{"hulls": [{"points": []}]}' 'hull 0: its list of "points" is empty'
bad a.json '{"hulls": [{"points": [[1, 2]]}]}' "hull 0: point 0 is not three finite numbers"
bad a.json '{"hulls": [{"points": [[1, 2, 1e39]]}]}' "hull 0: point 0 is not three finite numbers"
bad a.json '{"hulls": [{"points": [[1, 2, 3]], "triangles": [[0, 0, 1]]}]}' "hull 0: triangle 0 is not three of its 1 points, numbered from 0"
bad a.json '{"hulls": [{"points": [[1, 2, 3]], "triangles": 7}]}' 'hull 0: its "triangles" must be a list'
bad a.json '{"hulls": [{"points": [[1, 2, 3]], "of": [-1]}]}' 'hull 0: number 0 of its "of" is not a triangle'
truncate -s 5G huge.json
refused "huge.json" --check huge.json solid-torn
[[ ! -e b.obj && ! -e kept.obj ]] || fail "hulls were written although they were refused"
finish
