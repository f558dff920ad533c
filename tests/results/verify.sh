#!/bin/bash
# SPDX-License-Identifier: MIT
# `voxphys results make` and `verify`: the output conforms to docs/results.schema.json and stands. Every alteration by hand is found and has
# its own message. Python's statistics module computes the expected figures, independently of voxphys.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
# shellcheck source-path=SCRIPTDIR
. "$VOXPHYS_SOURCE/tests/results/folder.bash"

told 0 ": stands" verify "$folder"
run results verify --json "$results"
expect_status 0
expect_json "nothing is wrong" '.files[0].stands and (.files[0].problems | length == 0)'

# ---- the schema ----
if "$python" -c 'import jsonschema' 2>/dev/null; then
    "$python" - "$VOXPHYS_SOURCE/docs/results.schema.json" "$results" <<'END' || fail "the output does not conform to the schema"
import json, sys
import jsonschema
schema, instance = (json.load(open(path)) for path in sys.argv[1:])
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(instance, schema)
END
    shown="a member of another type"
    jq '.rows[1].median_ns = "fast"' "$results" >"$scratch/bad.json"
    told 1 '"median_ns" of row 1, "dilate_world/scalar-autovec/terrain-l2", is not a number or null' verify "$scratch/bad.json"
    jq '.rows[1].extra = 1' "$results" >"$scratch/bad.json"
    told 1 'has "extra", which is unknown' verify "$scratch/bad.json"
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
assert abs(results["noise"]["score"] - (max(results["noise"]["same_twice"][0]["ratio"], 1 / results["noise"]["same_twice"][0]["ratio"]) - 1)) < 1e-12
kernels = results["verified"].pop("kernels")
assert {k: (v["checks_of"], v["sets"]) for k, v in kernels.items()} == {
    "dilate_world": ({v: 1 for v in ("scalar", "scalar-autovec", "avx2", "neon-simde", "simd128-simde")}, 1), "kd_ray": ({"scalar": 2, "avx2": 2}, 2)}
assert results["verified"] == {"checks": 9, "answers": 9 * 512, "disagreements": 0,
                               "checks_of": {"scalar": 3, "scalar-autovec": 1, "avx2": 3, "neon-simde": 1, "simd128-simde": 1}}
assert results["official"] is True and results["contradictions"] == [] and results["declared_unofficial"] is None
refused = rows["bench.json", "hull3/peer-qhull/cylinder/10000"]
assert (refused["n"], refused["refused"], refused["samples_ns"]) == (0, 1, [])
assert results["warnings"] == ["row hull3/peer-qhull/cylinder/10000: 1 of 1 repetitions were refused: qhull takes more than 10 s"]
END
status=$?
shown="figures by another program"
out=''
err=$(cat "$scratch/err")
expect_status 0

# ---- altered by hand ----
# altered WHAT JQ_FILTER MESSAGE [alone]: filters the file, in a folder with the raw files or alone, and expects that it does not stand,
# with MESSAGE
altered()
{
    copy
    [[ ${4-} != alone ]] || rm "$other"/*
    jq "$2" "$results" >"$other/results.json" || exit 1
    cmp -s <(jq -S . "$results") <(jq -S . "$other/results.json") && { shown=$1; fail "nothing was altered"; }
    run results verify "$other/results.json"
    shown="altered: $1"
    expect_status 1
    expect_in "what is found" "$out" "$3"
    expect_in "the seal" "$out" "wrong: the seal is"
}
row='.rows[] | select(.name == "dilate_world/avx2/terrain-l2")'
altered "a sample" "($row).samples_ns[3] += 1" "row dilate_world/avx2/terrain-l2: sample 3 is 2"
altered "a median" "($row).median_ns *= 0.9" 'row dilate_world/avx2/terrain-l2 of bench.json: "median_ns" is 18' alone
altered "a warning taken out" '(.rows[] | select(.name == "kd_ray/scalar/chunks/coherent")).warnings = []' 'row kd_ray/scalar/chunks/coherent of bench.json: "warnings" is []' alone
altered "a digest" "($row).output_hash = \"0123456789abcdef\"" "its answers have the digest 0123456789abcdef, every machine's have" alone
altered "the hash of data" "($row).dataset_hash = \"0123456789abcdef\"" "its data has the hash 0123456789abcdef, the data set has" alone
altered "a compiler's flag" '.machine.compile_flags.scalar += " -ffast-math"' '"machine.compile_flags.scalar" is "-O3 -ffp-contract=off -fno-tree-vectorize -ffast-math", and by machine.json'
altered "official, though changed" '.machine.voxphys.dirty = true' '"official" is true, and by the rest of it false' alone
altered "the noise" '.noise.score = 0' '"noise.score" is 0' alone
altered "a row left out" "del($row)" "there are 13 rows, and 14 in the raw files"
# Written again by another program, with the same numbers. Only the seal differs.
copy
sed 's/"speed_up":1\.0,/"speed_up":1,/g' "$results" >"$other/results.json"
cmp -s "$results" "$other/results.json" && fail "nothing was written otherwise"
run results verify "$other"
expect_status 1
expect_equal "what is wrong" "$(grep -o 'wrong: the seal is\|wrong:' <<<"$out")" "wrong: the seal is"
altered "a row twice" '.rows += [.rows[0]]' 'row "dilate_world/scalar/terrain-l2" of bench.json is there twice' alone
altered "a row of nobody" '.rows[0] |= (.name = "dilate_world/avx512/terrain-l2" | .isa = "avx512")' "row dilate_world/avx512/terrain-l2 is not in bench.json"
altered "a file's hash" '.files[0].xxh3 = "0123456789abcdef"' "machine.json is not the file that the results were made from"
altered "a contradiction" '.contradictions = ["made up"]' '"contradictions" is ["made up"], and by the raw files []'
altered "a file that is not there" '.files += [{name: "limits.json", bytes: 1, xxh3: "0123456789abcdef"}]' "limits.json is named, and not in the folder"
altered "the seal alone" '.seal = "0123456789abcdef"' "the seal is 0123456789abcdef"

# A raw file altered, with unchanged results.
cp -r "$folder" "$folder-3"
sed -i '0,/"items_per_second": [0-9.]*/s//"items_per_second": 1e6/' "$folder-3/bench.json"
told 1 "bench.json is not the file that the results were made from" verify "$folder-3"
expect_in "what is found" "$out" "row dilate_world/scalar/terrain-l2: sample 0 is"
cp "$folder/bench.json" "$folder-3/bench.json"
jq '.checks[0].digest = "0123456789abcdef"' "$folder/verify.json" >"$folder-3/verify.json"
told 1 "verify.json: dilate_world/terrain-l2 by scalar: digest 0123456789abcdef, every machine has" verify "$folder-3"

# ---- missing files ----
without() # FILE: a folder without it does not stand, with a message
{
    copy
    rm "$other/$1"
    told 1 "wrong: $1 is named, and not in the folder" verify "$other"
    expect_equal "how much is wrong" "$(grep -c 'wrong:' <<<"$out")" 1
}
without bench-clang.json
# A file that is not listed must exist too.
without machine.json
jq 'del(.files[] | select(.name == "machine.json"))' "$results" >"$other/results.json"
told 1 "machine.json is not in the folder, and results are made of it" verify "$other"

# ---- the stored part of verify.json, and compressed files ----
copy
rm "$other/verify.json"
kept() # WHAT JQ_FILTER WORDS: without verify.json, altered results with a valid seal do not stand
{
    jq "$2" "$results" >"$other/results.json" || exit 1
    told 1 "wrong: $3" verify "$other"
}
made_again() # results made again are the same
{
    told 0 " rows, official" make "$other"
    checks=$((checks + 1))
    cmp -s "$results" "$other/results.json" || fail "made again they are others"
}
cp "$results" "$other/results.json"
told 0 "note: kd_ray was verified on 2 data sets, and digests of " verify "$other"
made_again
kept "a version" 'del(.verified.kernels.dilate_world.checks_of.avx2)' '"checks_of" of "verified" is not the sum of its kernels'
kept "a version of a kernel" 'del(.verified.kernels.dilate_world.checks_of.avx2) | .verified.checks_of.avx2 -= 1 | .verified.checks -= 1' \
    "row dilate_world/avx2/terrain-l2: there is no check of dilate_world by avx2"
cp "$results" "$other/results.json"
zstd --quiet --rm "$other"/*.json
for path in "$other" "$other/results.json" "$other/results.json.zst"; do
    told 0 ": stands" verify "$path"
done
made_again
expect_equal "what is there of the results" "$(cd "$other" && echo results.json*)" results.json
cp "$folder/bench.json" "$other/"
told 2 "bench.json is there twice, compressed and not" verify "$other"
rm "$other/bench.json"
zstd --quiet --decompress --stdout "$other/bench.json.zst" | sed 's/dilate_world\/avx2/dilate_world\/avx4/' | zstd --quiet --force -o "$other/bench.json.zst"
told 1 "wrong: bench.json is not the file that the results were made from" verify "$other"
rm -rf "$other"

# A file by itself stands, with a note. In a folder with only some of the raw files it does not.
mkdir "$scratch/lone"
cp "$results" "$scratch/lone/"
told 0 "note: the raw files are not in its folder, so they were not compared" verify "$scratch/lone/results.json"

# ---- files outside the folder ----
# Verifying a received folder reads no files outside it. A link is refused by name, wherever it leads. Pipes do not block.
secret=$scratch/secret
cp -r "$folder" "$secret"
no_file() # FILE MESSAGE: with FILE of $other as it is
{
    for command in verify make compare; do
        local arguments=("$command" "$other")
        [[ $command != compare ]] || arguments+=("$folder")
        run_as "voxphys results ${arguments[*]}: $1" timeout 60 voxphys results "${arguments[@]}"
        [[ $command == compare ]] || expect_status 2 # compare gives its own reason for not comparing
        expect_in "the message" "$out$err" "$other/$1$2"
    done
    expect_equal "what the link leads to" "$(cat "$secret"/* | cksum)" "$(cat "$folder"/* | cksum)"
}
for file in bench.json results.json; do
    for to in "$secret/$file" "$scratch/nowhere"; do
        copy
        ln -sf -T "$to" "$other/$file"
        no_file "$file" " is a symbolic link: results are regular files"
    done
    rm "$other/$file"
    mkfifo "$other/$file"
    no_file "$file" " is not a regular file"
done
# ---- the folder's name ----
mkdir "$scratch/names"
for name in made-up-2cpu-17 .made-up; do
    cp -r "$folder" "$scratch/names/$name"
    told 0 ": stands" verify "$scratch/names/$name"
done
for name in better-2cpu made-up-2cpu-x made-up-2cpu-1 made-up; do
    cp -r "$folder" "$scratch/names/$name"
    told 1 "wrong: the folder is named \"$name\", the machine in it \"made-up-2cpu\"" verify "$scratch/names/$name/"
done
# ---- many names, and unusual ones ----
printf '[1' >"$scratch/no.json"
run results verify "$folder" "$scratch/nowhere" '' "$scratch/no.json" "$scratch/names/better-2cpu" "$results"
expect_status 2
expect_equal "what becomes of each" "$(grep -c ': stands$\|: does not stand$' <<<"$out")" 3
expect_in "the message" "$err" "nowhere: No such file"
expect_in "the message" "$err" "voxphys results verify: the path is empty"
expect_in "the message" "$err" "no.json: line 1: not JSON"
run results verify --json "$scratch/names/better-2cpu"
expect_status 1
told 2 "the path is empty" make ''
# Control characters are shown to the terminal in escaped form.
strange=$'kd_ray/scalar-\x1b[2J\nforged: stands\x7f\u009b/chunks/coherent'
jq --arg name "$strange" '(.benchmarks[] | select(.name == "kd_ray/scalar/chunks/coherent")) |= (.name = $name | .run_name = $name)' "$folder/bench.json" >"$scratch/strange.json"
copy
cp "$scratch/strange.json" "$other/bench.json"
told 0 " rows, official" make "$other"
told 0 'note: row kd_ray/scalar-\x1b[2J\x0aforged: stands\x7f\xc2\x9b/chunks/coherent: no digest of its answers is known here' verify "$other"
expect_equal "lines" "$(wc -l <<<"$out")" 5
# ---- unreadable and unwritable files ----
told 2 "has no machine.json" make "$scratch/nowhere"
alter machine.json .
rm "$other/bench.json"
told 2 "has no bench.json" make "$other"
told 2 "gives no reason" make "$folder" --unofficial ''
jq 'del(.benchmarks[0].items_per_second)' "$folder/bench.json" >"$folder-3/bench.json"
told 2 "has no items_per_second above 0" make "$folder-3"
jq '.benchmarks[0] |= (.name = "odd" | .run_name = "odd")' "$folder/bench.json" >"$folder-3/bench.json"
told 2 '"odd", has no name of the form kernel/who/dataset' make "$folder-3"

run results make "$VOXPHYS_SOURCE/README.md"
expect_status 2
expect_in "what is said of a file" "$err" "README.md/machine.json: Not a directory"

finish
