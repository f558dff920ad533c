#!/bin/bash
# SPDX-License-Identifier: MIT
# mesh.sh threads|- [READER...]: `voxphys mesh`. Any kernel, any number of threads, a name and a file give the same mesh. Another library
# reads the counted faces from the files (READER, read_mesh.c, if built). Also refusals, which leave no file.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
has_threads=$1
shift
reader=("$@")

same() { jq -cS '[.size, (.surfaces[] | del(.seconds))]' <<<"$out"; }
succeeds mesh terrain-l2 --isa scalar --json
expect_json defaults '.world == "terrain-l2" and .hash_checked and .threads == 1 and .file == null and .kernel == "scalar"'
expect_json "both surfaces" '[.surfaces[].surface] == ["solid", "water"] and all(.surfaces[]; .quads > 1000 and .seconds > 0)'
expect_json "two triangles a quad" 'all(.surfaces[]; .triangles == 2 * .quads)'
expect_json "materials are those of the quads" 'all(.surfaces[]; ([.materials[].quads] | add) == .quads)'
expect_json "water is of water" '.surfaces[1].materials | length == 1 and .[0].material == 1 and .[0].name == "water"'
expect_json "solid is of no water, and is named" '.surfaces[0].materials | all(.material >= 2) and any(.name == "grass")'
wanted=$(same)
counts=$(jq -c '[.surfaces[] | .materials[] | {(.name): .quads}] | add' <<<"$out")

# ---- the same from everything ----

while read -r isa; do
    succeeds mesh terrain-l2 --isa "$isa" --json
    expect_equal "the mesh by $isa" "$(same)" "$wanted"
    expect_equal "the kernel of --isa $isa" "$(jq -r .kernel <<<"$out")" "$isa"
done < <(usable_isas)
for threads in 2 5; do
    run mesh terrain-l2 --threads $threads --json
    if [[ $has_threads != threads && $status -eq 2 && $err == *"no threads"* ]]; then
        continue
    fi
    expect_status 0
    expect_equal "the mesh on $threads threads" "$(same)" "$wanted"
done
run dataset make terrain-l2 -o "$scratch/a.vpw"
succeeds mesh "$scratch/a.vpw" --json
expect_equal "the mesh from a file" "$(same)" "$wanted"
expect_json "nothing vouches for a file" '.hash_checked == null'
tells "one surface" '[.surfaces[].surface] == ["water"]' mesh terrain-l2 --surface water
prints "quads" mesh terrain-l2 --surface solid
[[ $out != *"water "* ]] || fail "water is told of"
tells "names of an imported world" '.surfaces[0].materials | any(.material == 13 and .name == "default:stone")' mesh luanti

# ---- files ----

for format in obj ply gltf; do
    file=$scratch/mesh.$format
    succeeds mesh terrain-l2 -o "$file" --json
    expect_equal "the mesh" "$(same)" "$wanted"
    expect_equal "the file told of" "$(jq -r .file <<<"$out")" "$file"
    [[ -s $file ]] || fail "$file is empty"
    cp "$file" "$scratch/first"
    succeeds mesh terrain-l2 -o "$file" --isa scalar
    cmp -s "$file" "$scratch/first" || fail "another $format from another kernel"
    [[ ${#reader[@]} -ne 0 ]] || continue
    shown="read_mesh mesh.$format"
    "${reader[@]}" "$file" >"$scratch/read-$format" 2>"$scratch/err" </dev/null
    status=$? err=$(cat "$scratch/err")
    expect_status 0
done
expect_equal "glTF is JSON of version 2.0" "$(jq -r .asset.version "$scratch/mesh.gltf")" 2.0
expect_equal "the material of an OBJ" "$(grep -c '^newmtl grass$' "$scratch/mesh.mtl")" 1
if [[ ${#reader[@]} -ne 0 ]]; then
    # Faces by material in OBJ (quads) and glTF (triangles). Volumes and corners in all three formats.
    expect_equal "quads of the OBJ" "$(jq -cRn '[inputs | split(" ") | {(.[0]): (.[1] | tonumber)}] | add' "$scratch/read-obj" | jq -cS .)" \
        "$(jq -cS . <<<"$counts")"
    expect_equal "triangles of the glTF" \
        "$(jq -cRn '[inputs | split(" ") | {(.[0]): ((.[2] | tonumber) / 2)}] | add' "$scratch/read-gltf" | jq -cS .)" \
        "$(jq -cS . <<<"$counts")"
    sums() { awk '{ quads += $2 + $3 / 2; volume += $4; corners += $5 } END { printf "%d %.0f %.0f\n", quads, volume, corners }' "$scratch/read-$1"; }
    expect_equal "all of the PLY and of the OBJ" "$(sums ply)" "$(sums obj)"
    expect_equal "all of the glTF and of the OBJ" "$(sums gltf)" "$(sums obj)"
    [[ $(sums obj | cut -d ' ' -f 2) -gt 0 ]] || fail "the quads are wound inwards"
fi

# ---- refusals ----

refused "'x.stl': must end with one of .obj, .ply, .gltf" mesh terrain-l2 -o x.stl
refused "'.obj': must end with one of" mesh terrain-l2 -o .obj
refused "'0' is not a whole number from 1 to 256" mesh terrain-l2 --threads 0
echo "no world" >"$scratch/bad.vpw"
refused "$scratch/bad.vpw: " mesh "$scratch/bad.vpw"
mkdir "$scratch/folder" "$scratch/folder/is.ply"
refused "is not a regular file" mesh terrain-l2 -o "$scratch/folder/is.ply"
refused "cannot create a file for $scratch/none/a.gltf" mesh terrain-l2 -o "$scratch/none/a.gltf"
for seed in 1 2 3 4 5 6 7 8; do # a world without water has nothing to write
    run dataset make "fuzz-$seed" -o "$scratch/dry.vpw"
    run mesh "$scratch/dry.vpw" --surface water --json
    [[ $(jq '.surfaces[0].quads' <<<"$out") -eq 0 ]] && break
done
expect_json "a world without water" '.surfaces[0] | .quads == 0 and .vertices == 0 and .materials == []'
refused "has no such surface" mesh "$scratch/dry.vpw" --surface water -o "$scratch/folder/dry.obj"
# An input is never overwritten, not through a link either, nor as the material file of an OBJ.
cp "$scratch/a.vpw" "$scratch/kept.vpw"
ln -s a.vpw "$scratch/link.ply"
refused "link.ply' is the file that is read" mesh "$scratch/a.vpw" -o "$scratch/link.ply"
ln -s a.vpw "$scratch/link.mtl"
refused "link.mtl' is the file that is read" mesh "$scratch/a.vpw" -o "$scratch/link.obj"
ln -s both.obj "$scratch/both.mtl"
: >"$scratch/both.obj"
refused "both.mtl', for the materials, and FILE are one file" mesh "$scratch/a.vpw" -o "$scratch/both.obj"
cmp -s "$scratch/a.vpw" "$scratch/kept.vpw" || fail "the world was written over"
[[ ! -e $scratch/link.obj ]] || fail "an OBJ was written without its materials"
run_small mesh terrain-l2 -o "$scratch/folder/large.gltf"
expect_status 2
expect_in stderr "$err" "File too large while writing byte 8192"
expect_equal "what is left in the folder" "$(ls -A "$scratch/folder")" is.ply
# A failed OBJ writes no materials and keeps those of an older file.
for old in "" old; do
    [[ -z $old ]] || echo old >"$scratch/folder/large.mtl"
    run_small mesh terrain-l2 -o "$scratch/folder/large.obj"
    expect_status 2
    expect_in stderr "$err" "large.obj: File too large while writing byte 8192"
    expect_equal "what is left in the folder" "$(ls -A "$scratch/folder")" "is.ply${old:+$'\n'large.mtl}"
    expect_equal "the materials" "$(cat "$scratch/folder/large.mtl" 2>/dev/null)" "$old"
done
finish
