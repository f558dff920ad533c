#!/bin/bash
# SPDX-License-Identifier: MIT
# corpus.sh: the corpus is byte for byte the output of its generators, is valid by its schema, and cites the public reports that it covers.
# Files of make/found are validated before anything is written.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$VOXPHYS_SOURCE" || exit 1
checks=1 # failures print their own message

# docs.commands.CONFORMANCE generates the whole corpus and compares it. This test does so before a release only, and otherwise generates one
# family.
made=(hull2)
[[ -z $VOXPHYS_DEEP ]] || made=()
python3 conformance/corpus/make/write.py "$scratch" "${made[@]}" || fail "the corpus cannot be made"
for file in "$scratch"/*.json; do
    cmp "$file" "conformance/corpus/$(basename "$file")" || fail "conformance/corpus/$(basename "$file") is not what conformance/corpus/make writes"
done
diff <(python3 conformance/corpus/make/write.py 2>&1 | sed 's/.*, of //; s/, /\n/g' | sort) <(basename -s .json conformance/corpus/*.json | grep -vx schema | sort) ||
    fail "conformance/corpus has a file that is not made (>), or lacks one (<)"

python3 conformance/corpus/make/write.py "$scratch/not/there/yet" dilation || fail "a folder that is not there is not made"
cmp "$scratch/not/there/yet/dilation.json" conformance/corpus/dilation.json || fail "what is written to a new folder is something else"
: >"$scratch/file"
said=$(python3 conformance/corpus/make/write.py "$scratch/file" dilation 2>&1) && fail "a file is written into as if it were a folder"
[[ $said == "write.py: $scratch/file: File exists" ]] || fail "said of a file that is not a folder: $said"

python3 - conformance/corpus <<'END' || fail "the corpus does not keep to its schema"
import glob, json, sys
import jsonschema
folder = sys.argv[1]
schema = json.load(open(f"{folder}/schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
wrong, vectors = 0, 0
for path in sorted(set(glob.glob(f"{folder}/*.json")) - {f"{folder}/schema.json"}):
    family = json.load(open(path))
    for error in validator.iter_errors(family):
        print(path, "/".join(map(str, error.absolute_path)), error.message[:200])
        wrong += 1
    vectors += len(family["vectors"])
print(vectors, "vectors,", wrong, "failures")
sys.exit(wrong != 0)
END

cp -r conformance/corpus/make "$scratch/make"
mkdir -p "$scratch/make/found" "$scratch/twice"
jq -c '.vectors[3] | {family: "dilation", name: "again", about: "the same once more", flags: [], cites: [], input: .input}' conformance/corpus/dilation.json >"$scratch/make/found/again.json"
said=$(python3 "$scratch/make/write.py" "$scratch/twice" dilation 2>&1) && fail "a question is taken a second time"
[[ $said == *"dilation/again asks what dilation/"* ]] || fail "said of a question that is there twice: $said"

# An invalid file of make/found is reported in one sentence with the file, the member and its value. Nothing is written.
rm "$scratch/make/found/again.json"
mended='{family: "dilation", name: "mended", about: "one voxel", flags: [], cites: [], input: {extents: [8, 1, 1], cells: "....#..."}}'
asked=0
# refused CHANGE SENTENCE [FAMILY]: applies CHANGE to the question and expects SENTENCE
refused()
{
    [[ -n $VOXPHYS_DEEP || $((++asked % 3)) -eq 0 ]] || return 0 # similar changes, so otherwise one in three
    jq -nc "$mended | $1" >"$scratch/make/found/mended.json"
    refused_file "$2" "${3-dilation}"
}
refused_file() # SENTENCE [FAMILY]
{
    rm -rf "$scratch/bad"
    said=$(python3 "$scratch/make/write.py" "$scratch/bad" "${2-dilation}" 2>&1)
    local status=$?
    [[ $status -eq 1 && $said == "write.py: $scratch/make/found/mended.json: $1" ]] || fail "exit code $status; expected the sentence \"$1\", said: $said"
    [[ ! -e $scratch/bad ]] || fail "something is written in spite of: $1"
}
refused '.family = "hull4"' 'family is "hull4", and should be the name of a family'
refused '.family = "hull4"' 'family is "hull4", and should be the name of a family' hull2
refused '.family = ["hull2"]' 'family is ["hull2"], and should be the name of a family'
refused 'del(.name)' 'name is missing'
for name in '' One a_b 'a b' ä 'a\n'; do
    refused ".name = \"$name\"" "name is $(jq -nac "\"$name\""), and should be one or more of the letters a-z, digits and -"
done
refused '.name = "empty"' 'the name dilation/empty is there twice'
refused '.about = ""' 'about is "", and should be words, in one line'
refused '.about = 7' 'about is 7, and should be words, in one line'
refused '.flags = ["border", "border"]' 'flags is ["border", "border"], and should be a list of texts, none of them twice'
refused '.flags = null' 'flags is null, and should be a list of texts, none of them twice'
refused '.flags = ["edgy"]' "the flag edgy of dilation/mended is not explained in the family's head"
for cite in owner/name 'owner#1' 'owner/name#' 'https://github.com/owner/name#1' 'owner/name#1 '; do
    refused ".cites = [\"$cite\"]" "cites is [\"$cite\"], and should be a list of reports, \"owner/repository#12\" each, none of them twice"
done
refused '.cites = ["a/b#1", "a/b#1"]' 'cites is ["a/b#1", "a/b#1"], and should be a list of reports, "owner/repository#12" each, none of them twice'
refused '.expected = {}' 'expected is {}, and there is no such member'
refused '[.]' 'the file is [{"family": "dilation", "name": "mended", "about": "one v..., and should be an object'
refused '.input = []' 'input is [], and should be an object'
refused 'del(.input.cells)' 'input.cells is missing'
refused '.input.cells = "...x...."' 'input.cells is "...x....", and should be a letter a cell, of . # ~'
refused '.input.cells = "..."' 'input.cells is "...", which is not as many cells as extents [8, 1, 1] are'
refused '.input.extents = [8, -1, 1]' 'input.extents is [8, -1, 1], and should be three whole numbers'
refused '.input.full = "00"' 'input.full is "00", and there is no such member'
refused '.family = "hull2" | .input = {points: [["3f800000"]]}' 'input.points is [["3f800000"]], and should be a list of points, two numbers of eight hexadecimal digits each'
mesh='.family = "aabb-gather" | .input = (["00000000", "00000000", "00000000"] | {vertices: [., ., .], triangles: [[0, 1, 2]], min: ., max: .})'
refused "$mesh | .input.triangles[0][2] = 3" 'input.triangles has [0, 1, 3], and there are 3 vertices'
refused "$mesh | .input.vertices[1][0] = \"7fc00000\"" 'input.vertices has ["7fc00000", "00000000", "00000000"], which is not finite: no box of a triangle is promised then'
refused "$mesh | .input.min[1] = \"0\"" 'input.min is ["00000000", "0", "00000000"], and should be three numbers of eight hexadecimal digits'
ray='.family = "ray-triangle" | .input = {triangle: [["00000000", "00000000", "7f000000"], ["7f000000", "00000000", "7f000000"], ["00000000", "7f000000", "7f000000"]],
    origin: ["7d000000", "7d000000", "00000000"], direction: ["00000000", "00000000", "35800000"], t_max: "7f800000"}'
refused "$ray" 'input is {"triangle": [["00000000", "00000000", "7f000000"], ["7f0..., and no oracle can answer it (OverflowError)' ray-triangle
echo '{"family": ' >"$scratch/make/found/mended.json"
refused_file 'this is no JSON: Expecting value: line 2 column 1 (char 12)'
rm "$scratch/make/found/mended.json"
mkdir "$scratch/make/found/mended.json"
refused_file 'Is a directory'
rmdir "$scratch/make/found/mended.json"
# and the unchanged question becomes a vector
jq -nc "$mended" >"$scratch/make/found/mended.json"
python3 "$scratch/make/write.py" "$scratch/good" dilation || fail "a question as it should be is not taken"
said=$(jq -c '.vectors[-1] | [.id, has("flags"), has("cites"), .expected.solid]' "$scratch/good/dilation.json")
[[ $said == '["dilation/mended",false,false,"00011100"]' ]] || fail "the vector of a question is $said"

for report in CGAL/cgal#3199 DanielChappuis/reactphysics3d#347 DesignEngrLab/MIConvexHull#32 Forceflow/cpu_voxel_raycaster#3 \
    MADEAPPS/newton-dynamics#79 NVIDIA/gvdb-voxels#115 NVIDIAGameWorks/PhysX#501 NVIDIAGameWorks/PhysX#597 NVIDIAGameWorks/PhysX#600 \
    NVIDIAGameWorks/PhysX#610 NVIDIAGameWorks/PhysX#690 OneLoneCoder/Javidx9#82 OpenRAL/openral#215 OskarSigvardsson/unity-quickhull#1 \
    OskarSigvardsson/unity-quickhull#7 PointCloudLibrary/pcl#6161 RenderKit/embree#181 RenderKit/embree#387 akuukka/quickhull#23 \
    babbaj/nether-pathfinder#23 bepu/bepuphysics2#101 bepu/bepuphysics2#325 coal-library/coal#37 coal-library/coal#750 \
    dimforge/ncollide#214 dimforge/parry#405 dimforge/parry#429 dimforge/parry#49 dimforge/rapier.js#258 erincatto/box2d#735 \
    erincatto/box3d#32 felipeek/raw-physics#6 flexible-collision-library/fcl#127 flexible-collision-library/fcl#2 \
    flexible-collision-library/fcl#275 flexible-collision-library/fcl#293 flexible-collision-library/fcl#493 \
    flexible-collision-library/fcl#508 francisengelmann/fast_voxel_traversal#5 francisengelmann/fast_voxel_traversal#7 \
    godotengine/godot#55384 google-deepmind/mujoco_warp#1526 hyperion-mc/hyperion#909 jrouwe/JoltPhysics#2103 karimnaaji/3d-quickhull#2 \
    leomccormack/convhull_3d#1 mauriciopoppe/quickhull3d#30 mauriciopoppe/quickhull3d#5 max-mapper/voxel-highlight#3 \
    mitsuba-renderer/drjit#311 pfirsich/Ray-casting-test#2 tomilov/quickhull#14; do
    grep -qF "\"$report\"" conformance/corpus/*.json || fail "no vector derives from $report"
done
finish
