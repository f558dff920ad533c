#!/bin/bash
# SPDX-License-Identifier: MIT
# voxphys results make and verify: what is made has the form that docs/results.schema.json tells, and stands; whatever is altered by hand
# in it is found, each with a message of its own. Expected figures are worked out by Python's statistics, not by voxphys.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
here=$VOXPHYS_SOURCE/tests/results
python=/usr/bin/python3 # Debian's own, which has jsonschema
[[ -x $python ]] || python=python3

folder=$scratch/made-up
"$python" "$here/folder.py" "$VOXPHYS_SOURCE" "$folder" || exit 1
results=$folder/results.json

run results make "$folder"
expect_status 0
expect_in "what is said" "$out" "14 rows, official"
run results verify "$folder"
expect_status 0
expect_in "the judgement" "$out" ": stands"
run results verify --json "$results"
expect_status 0
expect_json "nothing is wrong" '.files[0].stands and (.files[0].problems | length == 0)'

# ---- the form ----
valid() # FILE: whether the schema allows it
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

# ---- figures, by another program ----
"$python" - "$results" "$folder" <<'END' >"$scratch/out" 2>"$scratch/err"
import json, math, statistics, sys
results, folder = json.load(open(sys.argv[1])), sys.argv[2]
rows = {(r["file"], r["name"]): r for r in results["rows"]}
def close(a, b): return math.isclose(a, b, rel_tol=1e-12)
raw = {}
for file in ("bench.json", "bench-clang.json"):
    for e in json.load(open(f"{folder}/{file}"))["benchmarks"]:
        raw.setdefault((file, e["name"]), []).append(None if e.get("error_occurred") else 1e9 / e["items_per_second"])
assert set(raw) == set(rows), "the rows are others"
for key, r in rows.items():
    want = [x for x in raw[key] if x is not None]
    assert r["samples_ns"] == want and r["n"] == len(want), key
    if not want:
        assert r["median_ns"] is None and r["p95_ns"] is None and r["error"], key
        continue
    median = statistics.median(want)
    assert close(r["median_ns"], median) and close(r["min_ns"], min(want)), key
    assert close(r["mad_ns"], statistics.median(abs(x - median) for x in want)), key
    ordered = sorted(want)
    assert r["p95_ns"] == ordered[math.ceil(0.95 * len(want)) - 1], key
    assert r["median_95_ns"] == [ordered[4], ordered[13]], key  # of 18, the 5th from both ends
avx2 = rows["bench.json", "dilate_world/avx2/terrain-l2"]
base = {k: rows[f, n]["median_ns"] for k, f, n in (("scalar_ns", "bench.json", "dilate_world/scalar/terrain-l2"),
        ("scalar_autovec_ns", "bench.json", "dilate_world/scalar-autovec/terrain-l2"), ("clang_scalar_ns", "bench-clang.json", "dilate_world/scalar/terrain-l2"))}
assert avx2["baselines"] == base | {"clang_scalar_autovec_ns": None}
assert close(avx2["speed_up"], base["scalar_autovec_ns"] / avx2["median_ns"]) and avx2["warnings"] == []
assert (avx2["kernel"], avx2["isa"], avx2["via"], avx2["dataset"], avx2["item"]) == ("dilate_world", "avx2", "native", "terrain-l2", "chunks")
autovec = rows["bench.json", "dilate_world/scalar-autovec/terrain-l2"]
assert (autovec["isa"], autovec["via"]) == ("avx512", "autovec")
assert rows["bench.json", "dilate_world/neon-simde/terrain-l2"]["isa"] == "neon"
simd128 = rows["bench.json", "dilate_world/simd128-simde/terrain-l2"]
assert (simd128["isa"], simd128["via"]) == ("simd128", "simde")
peer = rows["bench.json", "dilate_world/peer-leptonica/terrain-l2"]
assert (peer["isa"], peer["via"], peer["variant"], peer["output_hash"], peer["compiler"], peer["note"]) == (None, "peer", "leptonica", None, None, "masks=equal; Leptonica")
two = rows["bench.json", "kd_ray/scalar/chunks/coherent"]
assert len(two["modes_ns"]) == 2 and abs(two["modes_ns"][0] - 201) < 2 and abs(two["modes_ns"][1] - 301) < 2 and "two kinds" in two["warnings"][0]
drift = rows["bench.json", "kd_ray/avx2/chunks/coherent"]
assert 1.25 < drift["drift"] < 1.35 and "last samples" in drift["warnings"][0]
fast = rows["bench.json", "kd_ray/avx2-packed/chunks/coherent"]
assert fast["variant"] == "packed" and any("lanes" in w for w in fast["warnings"]), "more than the lanes can do"
assert results["noise"]["same_twice"][0]["what"] == "terrain-l2" and 0.005 < results["noise"]["score"] < 0.015
assert results["verified"] == {"checks": 2, "answers": 1024, "disagreements": 0, "checks_of": {"scalar": 1, "avx2": 1}}
assert results["official"] is True and results["warnings"] == []
END
status=$?
shown="figures by another program"
out=''
err=$(cat "$scratch/err")
expect_status 0

# ---- altered by hand ----
# altered WHAT JQ_FILTER MESSAGE [alone]: the file with the filter applied, in a folder with the raw files or alone, does not stand, and why
altered()
{
    rm -rf "$scratch/altered"
    if [[ ${4-} == alone ]]; then mkdir "$scratch/altered"; else cp -r "$folder" "$scratch/altered"; fi
    jq "$2" "$results" >"$scratch/altered/results.json" || exit 1
    cmp -s <(jq -S . "$results") <(jq -S . "$scratch/altered/results.json") && { shown=$1; fail "nothing was altered"; }
    run results verify "$scratch/altered"
    shown="altered: $1"
    expect_status 1
    expect_in "what is found" "$out" "$3"
    expect_in "the seal" "$out" "wrong: the seal is"
}
row='.rows[] | select(.name == "dilate_world/avx2/terrain-l2")'
altered "a sample" "($row).samples_ns[3] += 1" "row dilate_world/avx2/terrain-l2: sample 3 is 2"
altered "a sample, without the raw files" "($row).samples_ns[3] = 1" 'row dilate_world/avx2/terrain-l2 of bench.json: "min_ns" is 20.' alone
altered "a sample left out" "($row) |= (.samples_ns |= .[1:] | .rounds |= .[1:])" 'row dilate_world/avx2/terrain-l2 of bench.json: "n" is 18, and by its samples and the other rows 17'
altered "a median" "($row).median_ns *= 0.9" 'row dilate_world/avx2/terrain-l2 of bench.json: "median_ns" is 18' alone
altered "a speed-up" "($row).speed_up *= 2" '"speed_up" is 8' alone
altered "a baseline" "($row).baselines.scalar_ns = 5000" '"baselines.scalar_ns" is 5000' alone
altered "a warning taken out" '(.rows[] | select(.name == "kd_ray/scalar/chunks/coherent")).warnings = []' 'row kd_ray/scalar/chunks/coherent of bench.json: "warnings" is []' alone
altered "a digest" "($row).output_hash = \"0123456789abcdef\"" "its answers have the digest 0123456789abcdef, every machine's have" alone
altered "a digest taken out" "($row).output_hash = null" "its answers have the digest null, every machine's have" alone
altered "the hash of data" "($row).dataset_hash = \"0123456789abcdef\"" "its data has the hash 0123456789abcdef, the data set has" alone
altered "a compiler's flag" '.machine.compile_flags.scalar += " -ffast-math"' '"machine.compile_flags.scalar" is "-O3 -ffp-contract=off -fno-tree-vectorize -ffast-math", and by machine.json'
altered "official, though changed" '.machine.voxphys.dirty = true' '"official" is true, and by the rest of it false' alone
altered "no longer dirty" '.machine.voxphys.dirty = true | .official = false' '"machine.voxphys.dirty" is true, and by machine.json false'
altered "another commit" '.machine.voxphys.commit = "f"' '"machine.voxphys.commit" is "f", and by machine.json'
altered "the processor" '.machine.cpu.model = "better"' '"machine.cpu.model" is "better", and by machine.json "made up"'
altered "the noise" '.noise.score = 0' '"noise.score" is 0' alone
altered "a disagreement hidden" '.verified.checks += 1' '"verified.checks" is 3, and by verify.json 2'
altered "a row left out" "del($row)" "there are 13 rows, and 14 in the raw files"
altered "a row twice" '.rows += [.rows[0]]' 'row "dilate_world/scalar/terrain-l2" of bench.json is there twice' alone
altered "a row of nobody" '.rows[0] |= (.name = "dilate_world/avx512/terrain-l2" | .isa = "avx512")' "row dilate_world/avx512/terrain-l2 is not in bench.json"
altered "a file's hash" '.files[0].xxh3 = "0123456789abcdef"' "machine.json is not the file that the results were made from"
altered "a file not named" 'del(.files[0])' "machine.json is in the folder, and not named"
altered "a round" "($row).rounds[0] = 3" '"rounds" is [3,1,1'
altered "a counter" '.rows[0].counters.bits_per_voxel = 1' '"counters.bits_per_voxel" is 1, and by bench.json 1.1015625'
altered "a note" "(.rows[] | select(.via == \"peer\" and .note != null)).note = \"exact\"" '"note" is "exact"'
altered "the seal alone" '.seal = "0123456789abcdef"' "the seal is 0123456789abcdef"

# A raw file altered, and the results as they were.
cp -r "$folder" "$scratch/raw"
sed -i '0,/"items_per_second": [0-9.]*/s//"items_per_second": 1e6/' "$scratch/raw/bench.json"
run results verify "$scratch/raw"
expect_status 1
expect_in "what is found" "$out" "bench.json is not the file that the results were made from"
expect_in "what is found" "$out" "row dilate_world/scalar/terrain-l2: sample 0 is"
cp "$folder/bench.json" "$scratch/raw/bench.json"
jq '.checks[0].digest = "0123456789abcdef"' "$folder/verify.json" >"$scratch/raw/verify.json"
run results verify "$scratch/raw"
expect_status 1
expect_in "what is found" "$out" "verify.json: dilate_world/terrain-l2 by scalar: digest 0123456789abcdef, every machine has"

# ---- another form ----
# shapeless WHAT JQ_FILTER MESSAGE: of what no schema can say
shapeless()
{
    jq "$2" "$results" >"$scratch/bad.json" || exit 1
    run results verify "$scratch/bad.json"
    shown="shapeless: $1"
    expect_status 1
    expect_in "what is found" "$out" "$3"
}
# misshapen WHAT JQ_FILTER MESSAGE: the schema does not allow it either
misshapen()
{
    shapeless "$@"
    if [[ $has_schema == yes ]]; then
        checks=$((checks + 1))
        valid "$scratch/bad.json" && fail "the schema allows it"
    fi
}
misshapen "another format" '.format = "other"' '"format" is not "voxphys-results"'
misshapen "a later version" '.version = "2.0.0"' "version 2.0.0 of the format is not known here"
misshapen "no rows" '.rows = []' '"rows" is empty'
misshapen "a member too many" '.rows[1].extra = 1' 'has "extra", which is unknown'
misshapen "a member too few" 'del(.rows[1].mad_ns)' 'lacks "mad_ns"'
misshapen "a text for a number" '.rows[1].median_ns = "fast"' '"median_ns" of row 1, "dilate_world/scalar-autovec/terrain-l2", is not a number or null'
misshapen "0 for unknown" '.rows[1].samples_ns[0] = 0' "sample 0 is not a number above 0"
misshapen "no hash" '.rows[1].output_hash = "XYZ"' '"output_hash"'
shapeless "another set than its name says" '.rows[0].isa = "avx512"' 'do not fit each other'
misshapen "no way" '.rows[1].via = "magic"' 'do not fit each other'
misshapen "two medians' ends" '.rows[1].median_95_ns = [1]' '"median_95_ns" or "modes_ns" is not two numbers'
misshapen "a file without a hash" 'del(.files[0].xxh3)' 'lacks "xxh3"'
misshapen "a list for the machine" '.machine = []' '"machine" of the file is not an object'
misshapen "a warning that is none" '.warnings = [1]' 'entry 0 of "warnings"'

# ---- not official ----
unofficial() # WHAT REASON [OPTION...]: makes results of the folder $scratch/other
{
    run results make "$scratch/other" "${@:3}"
    shown="not official: $1"
    expect_status 0
    expect_in "what is said" "$out" "not official:"
    expect_in "what is said" "$out" "$2"
    run results verify "$scratch/other"
    shown="not official: $1"
    expect_status 0
    expect_in "the judgement" "$out" "note: these results are not official"
}
other() # FILE JQ_FILTER: a copy of the folder with one file altered
{
    rm -rf "$scratch/other"
    cp -r "$folder" "$scratch/other"
    rm "$scratch/other/results.json"
    jq "$2" "$folder/$1" >"$scratch/other/$1"
}
other machine.json .
unofficial "declared" "a laptop on battery" --unofficial "a laptop on battery"
other machine.json '.voxphys.dirty = true'
unofficial "changed" "the checkout had changes that are in no commit"
other machine.json '.voxphys.commit = null'
unofficial "no commit" "the commit is unknown"
other machine.json '.float_mode.flushes_results = true'
unofficial "flushed" "denormals were flushed to zero"
other verify.json '.checks[0].mismatches = 1'
unofficial "a disagreement" "not every version of every kernel agreed"
other bench.json '.benchmarks |= map(select(.round == 1 and .repetition_index < 2))'
unofficial "few samples" "benchmarks have fewer than three samples"
other machine.json '.cpu.clock_mhz_now = 3000 | .load.before[0] = 1.9 | .cpu.governor = "powersave"'
run results make "$scratch/other"
expect_status 0
expect_equal "warnings" "$(jq -c .warnings "$scratch/other/results.json")" \
    '["the clock was 2600 MHz before and 3000 MHz after","other programs were running before: a load of 1.90","the clock'"'"'s governor was \"powersave\", not \"performance\""]'

# ---- what cannot be made or read ----
run results make "$scratch/nowhere"
expect_status 2
expect_in "the message" "$err" "has no machine.json"
rm "$scratch/other/bench.json"
run results make "$scratch/other"
expect_status 2
expect_in "the message" "$err" "has no bench.json"
run results verify "$scratch/nowhere.json"
expect_status 2
expect_in "the message" "$err" "nowhere.json"
echo "[1" >"$scratch/no.json"
run results verify "$scratch/no.json"
expect_status 2
expect_in "the message" "$err" "not JSON"
run results make "$folder" --unofficial ''
expect_status 2
expect_in "the message" "$err" "gives no reason"
jq 'del(.benchmarks[0].items_per_second)' "$folder/bench.json" >"$scratch/raw/bench.json"
run results make "$scratch/raw"
expect_status 2
expect_in "the message" "$err" "has no items_per_second above 0"
jq '.benchmarks[0] |= (.name = "odd" | .run_name = "odd")' "$folder/bench.json" >"$scratch/raw/bench.json"
run results make "$scratch/raw"
expect_status 2
expect_in "the message" "$err" '"odd", has no name of the form kernel/who/dataset'

finish
