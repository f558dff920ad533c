#!/bin/bash
# SPDX-License-Identifier: MIT
# corpus.sh: the corpus is what its makers write, byte for byte; it keeps to its schema; every flag is explained and used; and the
# public reports that it was made to cover are cited.
set -uo pipefail
cd "$VOXPHYS_SOURCE" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail()
{
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

python3 datasets/conformance/make/write.py "$scratch" || fail "the corpus cannot be made"
for file in "$scratch"/*.json; do
    cmp "$file" "datasets/conformance/$(basename "$file")" || fail "datasets/conformance/$(basename "$file") is not what datasets/conformance/make writes"
done
[[ $(find datasets/conformance -maxdepth 1 -name '*.json' | wc -l) -eq $(($(find "$scratch" -name '*.json' | wc -l) + 1)) ]] || fail "datasets/conformance has a file that is not made"

python3 datasets/conformance/make/write.py "$scratch/not/there/yet" dilation || fail "a folder that is not there is not made"
cmp "$scratch/not/there/yet/dilation.json" datasets/conformance/dilation.json || fail "what is written to a new folder is something else"
: >"$scratch/file"
said=$(python3 datasets/conformance/make/write.py "$scratch/file" dilation 2>&1) && fail "a file is written into as if it were a folder"
[[ $said == "write.py: $scratch/file: File exists" ]] || fail "said of a file that is no folder: $said"

python3 - datasets/conformance <<'END' || fail "the corpus does not keep to its schema"
import glob, json, sys
import jsonschema
folder = sys.argv[1]
schema = json.load(open(f"{folder}/schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
wrong, vectors, versions = 0, 0, set()
for path in sorted(glob.glob(f"{folder}/*.json")):
    if path.endswith("/schema.json"):
        continue
    family = json.load(open(path))
    for error in validator.iter_errors(family):
        print(path, "/".join(map(str, error.absolute_path)), error.message[:200])
        wrong += 1
    ids = [v["id"] for v in family["vectors"]]
    used = {flag for v in family["vectors"] for flag in v.get("flags", ())}
    for what, bad in (("ids that are there twice", len(ids) - len(set(ids))), ("ids of another family", sum(not i.startswith(family["family"] + "/") for i in ids)),
                      ("flags that are not explained", used - set(family["flags"])), ("flags that are not used", set(family["flags"]) - used),
                      ("flags that the schema has otherwise", set(schema["definitions"]["flag-" + family["family"]]["enum"]) ^ set(family["flags"]))):
        if bad:
            print(path, what, bad)
            wrong += 1
    inputs = [json.dumps(v["input"], sort_keys=True) for v in family["vectors"]]
    if len(inputs) != len(set(inputs)):
        print(path, "questions that are there twice", [i for i, asked in zip(ids, inputs) if inputs.count(asked) > 1])
        wrong += 1
    vectors += len(ids)
    versions.add(family["version"])
# the schema itself refuses what is wrong
for change in (lambda v: v.pop("about"), lambda v: v.update(promise="maybe"), lambda v: v.update(id="Hull/1"), lambda v: v.update(expected=[]),
               lambda v: v.update(more=1), lambda v: v["input"].update(t_max="7f80000"), lambda v: (v.update(promise="bound"), v.pop("reason", None))):
    family = json.load(open(f"{folder}/ray-triangle.json"))
    change(family["vectors"][0])
    if validator.is_valid(family):
        print("the schema takes what is wrong")
        wrong += 1
if len(versions) != 1 or vectors != 615:
    print("versions", versions, "vectors", vectors)
    wrong += 1
print(vectors, "vectors,", wrong, "failures")
sys.exit(wrong != 0)
END

cp -r datasets/conformance/make "$scratch/make"
mkdir -p "$scratch/make/found" "$scratch/twice"
jq -c '.vectors[3] | {family: "dilation", name: "again", about: "the same once more", flags: [], cites: [], input: .input}' datasets/conformance/dilation.json >"$scratch/make/found/again.json"
said=$(python3 "$scratch/make/write.py" "$scratch/twice" dilation 2>&1) && fail "a question is taken a second time"
[[ $said == *"dilation/again asks what dilation/"* ]] || fail "said of a question that is there twice: $said"

while read -r report; do
    grep -qF "\"$report\"" datasets/conformance/*.json || fail "no vector derives from $report"
done <<'END'
CGAL/cgal#3199
DesignEngrLab/MIConvexHull#32
Forceflow/cpu_voxel_raycaster#3
NVIDIA/gvdb-voxels#115
OneLoneCoder/Javidx9#82
OskarSigvardsson/unity-quickhull#1
OskarSigvardsson/unity-quickhull#7
PointCloudLibrary/pcl#6161
RenderKit/embree#181
RenderKit/embree#387
akuukka/quickhull#23
babbaj/nether-pathfinder#23
bepu/bepuphysics2#325
coal-library/coal#750
dimforge/parry#49
erincatto/box2d#735
francisengelmann/fast_voxel_traversal#5
francisengelmann/fast_voxel_traversal#7
hyperion-mc/hyperion#909
karimnaaji/3d-quickhull#2
leomccormack/convhull_3d#1
mauriciopoppe/quickhull3d#30
mauriciopoppe/quickhull3d#5
max-mapper/voxel-highlight#3
mitsuba-renderer/drjit#311
pfirsich/Ray-casting-test#2
tomilov/quickhull#14
END
echo "$failures failures"
[[ $failures -eq 0 ]]
