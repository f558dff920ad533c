#!/bin/bash
# SPDX-License-Identifier: MIT
# corpus.sh: the corpus is byte for byte the output of its generators and is valid by its schema.
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

# A bad file of make/found is named, and nothing is written. The test of `voxphys reduce` makes vectors of good files.
cp -r conformance/corpus "$scratch/questions"
found=$scratch/questions/make/found/again.json
refused_file() # FILTER, of a question in jq, TEXT
{
    jq -c ".vectors[3] | {family: \"dilation\", name: \"again\", about: \"once more\", flags: [], cites: [], input} | $1" conformance/corpus/dilation.json >"$found"
    said=$(python3 "$scratch/questions/make/write.py" "$scratch/bad" dilation 2>&1) && fail "a bad question is accepted: $1"
    [[ $said == "write.py: $found: $2"* ]] || fail "message about $1: $said"
    [[ ! -e $scratch/bad ]] || fail "something is written in spite of $1"
}
refused_file . 'ValueError: dilation/again asks what dilation/'
refused_file '.family = "hull4"' "KeyError: 'hull4'"
refused_file '.name = "empty" | .input.extents = [8, 8, 1]' 'ValueError: the name dilation/empty is there twice'
refused_file '.flags = ["edgy"]' 'ValueError: the flag edgy of dilation/again'
refused_file 'del(.input.cells)' "KeyError: 'cells'"
finish
