#!/bin/bash
# SPDX-License-Identifier: MIT
# The format of results.json: `make` writes files that docs/results.schema.json accepts. voxphys refuses what the schema refuses. The schema
# refuses what voxphys refuses, except for rules that no schema can express.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
# shellcheck source-path=SCRIPTDIR
. "$VOXPHYS_SOURCE/tests/results/folder.bash"

valid() # FILE: whether it conforms to the schema
{
    "$python" - "$VOXPHYS_SOURCE/docs/results.schema.json" "$1" <<'END'
import json, sys
import jsonschema
schema, instance = (json.load(open(path)) for path in sys.argv[1:])
jsonschema.Draft7Validator.check_schema(schema)
sys.exit(0 if jsonschema.Draft7Validator(schema).is_valid(instance) else 1)
END
}
shown="the schema"
has_schema=yes
"$python" -c 'import jsonschema' 2>/dev/null || { has_schema=no; echo "no jsonschema here: the schema itself is not tried"; }
if [[ $has_schema == yes ]]; then
    checks=$((checks + 1))
    valid "$results" || fail "what was made is not of its form"
fi

# shapeless WHAT JQ_FILTER MESSAGE: expects MESSAGE, also for errors that no schema can detect
shapeless()
{
    jq "$2" "$results" >"$scratch/bad.json" || exit 1
    told 1 "$3" verify "$scratch/bad.json"
}
shapeless "another format" '.format = "other"' '"format" is not "voxphys-results"'
for version in 1.1.1 1.1; do
    shapeless "version $version" ".version = \"$version\"" "version $version of the format is not known here, which is version 1.1.0"
done
shapeless "a member too many" '.rows[1].extra = 1' 'has "extra", which is unknown'
shapeless "0 for unknown" '.rows[1].samples_ns[0] = 0' "sample 0 is not a number above 0"
shapeless "another set than its name says" '.rows[0].isa = "avx512"' 'do not fit each other'
shapeless "a row of a file that is none" '.rows[0].file = "bench2.json"' '"file" is "bench2.json", not bench.json, limits.json or bench-clang.json'
shapeless "a file twice" '.files += [.files[0]]' '"files" names "machine.json" twice'
shapeless "checks below 0" '.verified.checks_of.avx2 = -3' '"avx2" of "checks_of" of "verified" is not a whole number'
shapeless "another sum of checks" '.verified.checks = 10' '"checks" of "verified" is 10, and those of "checks_of" are 9'
shapeless "fewer rounds than samples" '.rows[0].rounds |= .[1:]' 'has 18 samples, but rounds of 17'
shapeless "n" '.rows[0].n = 17' '"n" is 17, and by its samples 18'
shapeless "refused without an error" '.rows[0].refused = 1' '"refused" is 1, and it has no error'
shapeless "a baseline that is none" '.rows[0].baselines.scalar_ns = "1"' '"scalar_ns" of row 0, "dilate_world/scalar/terrain-l2", "baselines" is not a number or null'

# ---- every member, wrong in every way ----
if [[ $has_schema == yes ]]; then
    mkdir "$scratch/all"
    "$python" - "$VOXPHYS_SOURCE/docs/results.schema.json" "$results" "$scratch/all" <<'END' >"$scratch/refused"
# Every member of the file is removed, gets another type, and gets an unknown neighbour. Every list is emptied. Three rows are tested: a
# typical one, one with two kinds of samples, and one that was refused. Prints which files the schema refuses.
import copy, json, sys
import jsonschema
schema, whole = (json.load(open(path)) for path in sys.argv[1:3])
check = jsonschema.Draft7Validator(schema)
rows = whole["rows"]
whole["rows"] = [rows[0], next(r for r in rows if r["modes_ns"] is not None), next(r for r in rows if r["error"] is not None)]
assert check.is_valid(whole)
def paths(at, path):
    yield path
    if isinstance(at, dict):
        for key in at:
            yield from paths(at[key], path + [key])
    elif isinstance(at, list):
        for i in ([0] if path != ["rows"] else range(len(at))):
            if i < len(at):
                yield from paths(at[i], path + [i])
def put(path, change):
    made = copy.deepcopy(whole)
    at = made
    for key in path[:-1]:
        at = at[key]
    change(at, path[-1])
    return made
count = 0
for path in list(paths(whole, [])):
    if not path or path[0] == "machine" and len(path) > 1:
        continue
    made = []
    for value in (None, True, -1, 1.5, "x", [], {}):
        made.append(put(path, lambda at, key: at.__setitem__(key, value)))
    if isinstance(path[-1], str):
        made.append(put(path, lambda at, key: at.__delitem__(key)))
    made.append(put(path, lambda at, key: at.__setitem__("unknown", 1) if isinstance(at, dict) else at.append(1.5)))
    for one in made:
        json.dump(one, open(f"{sys.argv[3]}/{count:05d}.json", "w"))
        print(f"{count:05d} {'valid' if check.is_valid(one) else 'refused'} {'/'.join(map(str, path))}")
        count += 1
END
    # A file of valid format is judged further. Then the seal is wrong, and nothing else.
    find "$scratch/all" -name '*.json' | sort | xargs -n 500 voxphys results verify --json >"$scratch/verified" 2>"$scratch/err"
    jq -r '.files[] | (.file | split("/") | last | rtrimstr(".json")) + (if .error != null then " unread" elif (.problems | any(startswith("the seal is"))) then " valid"
        elif .stands then " stands" else " refused " + .problems[0] end)' "$scratch/verified" >"$scratch/judged"
    shown="every member in every wrong way"
    expect_equal "how many were judged" "$(wc -l <"$scratch/judged")" "$(wc -l <"$scratch/refused")"
    checks=$((checks + $(wc -l <"$scratch/judged")))
    [[ $(grep -c ' refused ' "$scratch/refused") -ge 600 ]] || fail "the schema refuses only $(grep -c ' refused ' "$scratch/refused")"
    other_way=$(join "$scratch/refused" "$scratch/judged" | awk '$2 == "refused" && $4 != "refused"')
    [[ -z $other_way ]] || fail "the schema refuses what voxphys does not: $(head -n 10 <<<"$other_way")"
    # Rules that no schema can express: sums, names that match each other or occur twice, and counts of another list.
    other_way=$(join "$scratch/refused" "$scratch/judged" | awk '$2 == "valid" && $4 != "valid"' |
        grep -vE 'do not fit each other|those of "checks_of"|and by its samples|but rounds of|, and it has no error|is not the sum of its kernels')
    [[ -z $other_way ]] || fail "voxphys refuses what the schema does not: $(head -n 10 <<<"$other_way")"
fi

finish
