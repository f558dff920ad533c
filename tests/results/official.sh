#!/bin/bash
# SPDX-License-Identifier: MIT
# `voxphys results make` and `verify`: every reason for which results are not official, and every contradiction between raw files. Results
# made from such files do not stand, and `make` reports it.
# shellcheck source-path=SCRIPTDIR/../cli
# shellcheck disable=SC2016 # what jq knows begins with a dollar too
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
# shellcheck source-path=SCRIPTDIR
. "$VOXPHYS_SOURCE/tests/results/folder.bash"

official "the same again" machine.json .
verified 0 ": stands"

# ---- the mark ----
unofficial "marked by the run" "a quick run" machine.json '.unofficial = "a quick run"'
verified 0 "note: these results are not official"
unofficial "made again" "a quick run"
expect_equal "the mark" "$(jq -c '[.declared_unofficial, .unofficial_because]' "$other/results.json")" '["a quick run",["a quick run"]]'
marked() # REASON WANTED [FILE JQ_FILTER]: with a mark by the person who makes the results
{
    options=(--unofficial "$1")
    unofficial "marked: $1" "${@:2}"
    options=()
}
marked "a laptop on battery" "a laptop on battery" machine.json .
unofficial "nobody says whether it is marked" "it is unknown whether the run was marked as not official" machine.json 'del(.unofficial)'

# ---- other reasons ----
unofficial "no commit" 'the commit "lol": must be 40 hexadecimal digits' machine.json '.voxphys.commit = "lol"' bench.json '.context.voxphys_commit = "lol"' \
    bench-clang.json '.context.voxphys_commit = "lol"'
unofficial "changed" "the checkout had changes that are in no commit" machine.json '.voxphys.dirty = true'
unofficial "flags" "it is unknown how the reference was compiled" machine.json '.compile_flags = null'
unofficial "flushed results" "denormals were flushed to zero" machine.json '.float_mode.flushes_results = true'
unofficial "a disagreement" "not every version of every kernel agreed" verify.json '.checks[0].mismatches = 1'
unofficial "ours refused" "1 benchmarks of voxphys were refused" bench.json '(.benchmarks |= map(select((.name == "dilate_world/avx2/terrain-l2" and (.round != 1 or .repetition_index != 0)) | not)))
    | (all("dilate_world/avx2/terrain-l2")) |= (.error_occurred = true | .error_message = "answers differ" | .repetitions = 1)'
unofficial "few rounds" "11 benchmarks were measured in fewer than three rounds" bench.json '.benchmarks |= map(select(.round < 3))'
official "large hulls in one round" \
    bench.json '.benchmarks |= map(if .name == "stream_read/limit/terrain-l2" then (.name, .run_name) = "hull3/limit/ball/100000" else . end | select(.round == 1 or (.name | startswith("hull") | not)))'

# ---- warnings ----
warned() # WHAT JQ_FILTER FILE JQ_FILTER: with the altered file it stands, is official, and its warnings pass the filter
{
    official "$1" "${@:3}"
    checks=$((checks + 1))
    [[ $(jq "$2" "$other/results.json") == true ]] || fail "not true of the results: $2; warnings: $(jq -c .warnings "$other/results.json")"
}
warned "clock, load, governor" '.warnings[:3] == ["the clock was 2600 MHz before and 3000 MHz after", "other programs were running before: a load of 1.90",
    "the clock'"'"'s governor was \"powersave\", not \"performance\""]' \
    machine.json '.cpu.clock_mhz_now = 3000 | .load.before[0] = 1.9 | .cpu.governor = "powersave"'
warned "a library that was refused once" '(.warnings | any(. == "row dilate_world/peer-leptonica/terrain-l2: 1 of 18 repetitions were refused: no memory"))
    and any(.rows[]; .variant == "leptonica" and .n == 0 and .median_ns == null and (.samples_ns | length) == 17 and .refused == 1)' \
    bench.json '(all("dilate_world/peer-leptonica/terrain-l2") | select(.round == 2 and .repetition_index == 3)) |= . + {error_occurred: true, error_message: "no memory"}'
of_avx2='.rows[] | select(.name == "dilate_world/avx2/terrain-l2")'
warned "of bytes: 138 times as fast is not" "$of_avx2"' | .speed_up > 135 and (.warnings | length == 1 and (.[0] | test("more than avx2 has lanes times 4")))' \
    bench.json '(all("dilate_world/avx2/terrain-l2")) |= slower(6.5 / 20)'

# ---- repetitions that contradict each other ----
row=dilate_world/avx2/terrain-l2
contradicted "items of a repetition" "bench.json: dilate_world/scalar/terrain-l2 has 512 items a call in one repetition, 1024 in another" bench.json '.benchmarks[3].items_per_second *= 2'
expect_equal "what is written" "$(jq .official "$other/results.json")" false
verified 1 "  wrong: bench.json: dilate_world/scalar/terrain-l2 has 512 items a call in one repetition, 1024 in another"
contradicted "items of a version" "bench.json: dilate_world/scalar-autovec/terrain-l2 has 512 items a call, $row 1024" \
    bench.json '.benchmarks |= map(if .name == "'$row'" then .items_per_second *= 2 else . end)'
added='.benchmarks += [.benchmarks[] | select(.name == "kd_ray/scalar/chunks/coherent") |'
official "another question has other items" bench.json "$added"' .items_per_second /= 4 | (.name, .run_name) = "kd_ray/scalar/chunks/coherent/some"]'
run results verify "$other"
expect_in "answers that are not known" "$out" "note: row kd_ray/scalar/chunks/coherent/some: no digest of its answers is known here"
official "threads by the clock on the wall, which is read before and behind" \
    bench.json "$added"' .cpu_time = 1 | .real_time *= (1 + .repetition_index / 2) | (.name, .run_name) = "kd_ray/scalar/chunks/coherent/threads-2"]'
contradicted "a repetition taken out" "bench.json: dilate_world/scalar/terrain-l2, round 1: 5 repetitions, not 0 to 5 each once" bench.json 'del(.benchmarks[3])'
# ---- files that contradict each other ----
contradicted "the commit" 'bench.json: the commit is "0123456789abcdef0123456789abcdef01234567", in machine.json "89abcdef0123456789abcdef0123456789abcdef"' \
    machine.json '.voxphys.commit = "89abcdef0123456789abcdef0123456789abcdef"'
contradicted "the processor" 'bench.json: the processor is "made up", in machine.json "better"' machine.json '.cpu.model = "better"'
arm='.cpu.flags = ["asimd"] | .cpu.model = "Neoverse-N1" | .cpu.architecture = "aarch64"'
only_scalar='.context.voxphys_isas = "scalar" | .context.cpu_model = "aarch64" | del(.context.voxphys_autovec)
    | .benchmarks |= map(select(.name | test("/(scalar|limit|first|second|scalar-packed)/")))'
official "a core whose name the program does not know" machine.json "$arm" bench.json "$only_scalar" bench-clang.json "$only_scalar"
contradicted "the date" 'bench.json: more than a day apart: the date is "2026-11-21T02:29:59+00:00", in machine.json "2026-11-23T02:30:00Z"' bench.json '.context.date = "2026-11-21T02:29:59+00:00"'
contradicted "clang's file by gcc" 'bench-clang.json: is by the compiler "gcc 12.2.0", not by clang' bench-clang.json '.context.voxphys_compiler = "gcc 12.2.0"'
contradicted "the compiler" 'bench.json: the compiler is "gcc 14.1.0", in machine.json "gcc (made up) 12.2.0"' bench.json '.context.voxphys_compiler = "gcc 14.1.0"'
contradicted "the build's flags" "bench.json: the build's flags are \"-O2\", in machine.json \"-O3 -ffp-contract=off -fno-tree-vectorize\"" bench.json '.context.voxphys_flags = "-O2"'
contradicted "the build's flag -ffast-math" "bench-clang.json has -ffast-math, with which nothing is measured" bench-clang.json ".context.voxphys_flags += \" -ffast-math\""
contradicted "the compiler's flag -ffast-math" "machine.json: \"compile_flags.scalar-autovec for avx2\" has -ffast-math, with which nothing is measured" \
    machine.json ".compile_flags.\"scalar-autovec for avx2\" = \"-O3 -ffast-math\""
contradicted "a set that was not there" "row dilate_world/avx2/terrain-l2: avx2 is not among the instruction sets of bench.json" \
    bench.json '.context.voxphys_isas = "scalar avx512 neon-simde simd128-simde"'
contradicted "a set that the processor has not" "row dilate_world/avx2/terrain-l2: avx2 needs avx2, which the processor in machine.json lacks" machine.json '.cpu.flags -= ["avx2"]'
# ---- the verification ----
contradicted "a kernel that is none" "verify.json: dilate_moon/terrain-l2 by scalar: no such check is known here" verify.json '.checks[0].kernel = "dilate_moon"'
digest=$(jq -r '.verify["mesh_chunk/fuzz-16"]' "$VOXPHYS_SOURCE/datasets/digests.json")
official "a world without a surface has no answers" verify.json ".checks += [.checks[0] | .kernel = \"mesh_chunk\" | .dataset = \"fuzz-16\" | .cases = 0 | .digest = \"$digest\"]"
contradicted "other answers" "verify.json: dilate_world/terrain-l2 by scalar: digest 0123456789abcdef, every machine has" verify.json '.checks[0].digest = "0123456789abcdef"'
contradicted "a set that was not verified" "row dilate_world/avx2/terrain-l2: there is no check of dilate_world by avx2" verify.json 'del(.checks[] | select(.isa == "avx2"))'
# ---- answers ----
contradicted "a part of ours refused" "row $row: 1 of 18 repetitions were refused: answers differ" \
    bench.json "(all(\"$row\") | select(.round == 3 and .repetition_index == 5)) |= . + {error_occurred: true, error_message: \"answers differ\"}"
contradicted "other answers" "row $row: its answers have the digest 0123456789abcdef, every machine's have" bench.json "(all(\"$row\") | .label) |= \"chunks digest=0123456789abcdef\""

# ---- files without rows ----
contradicted "a hull of ours that is not right" "hulls.json: the hull of trial 0, of ball, by voxphys is crashed" hulls.json '.trials[0].outcome = "crashed"'
official "a library's hull is its own" hulls.json '.trials[1].outcome = "crashed"'
contradicted "a question that ours did not answer" "conformance.json: hull2/made1 by voxphys-scalar: hang" \
    conformance.json '.vectors[1].results[0].result = "hang" | .adapters[0].families.hull2 |= (.pass = 1 | .hang = 1)'
official "a library's answers are its own" conformance.json '.vectors[1].results[1].result = "crash" | .adapters[1].families.hull2 |= (.absent = 0 | .crash = 1)'
contradicted "a count" 'conformance.json: peer-bullet has 5 times "fail" in hull2, and of its questions 1' conformance.json '.adapters[1].families.hull2.fail = 5'
contradicted "a median" 'pipeline.json: "median" of scalar is 0.0025 s, and by its times 0.25' pipeline.json '.results[0].median = 0.0025'
contradicted "an exit code" "pipeline.json: scalar did not end with exit code 0" pipeline.json '.results[0].exit_codes[2] = 1'
contradicted "no times" "pipeline.json: scalar has no times, more than 10000, or one that is not above 0" pipeline.json 'del(.results[0].times)'
contradicted "a negative time" "pipeline.json: scalar has no times, more than 10000, or one that is not above 0" pipeline.json '.results[0].times[1] = -0.3'
for file in hulls conformance; do
    alter
    rm "$other/$file.json"
    unofficial "no $file.json" "there is no $file.json, which every whole run writes"
done

# ---- rounds ----
copied='(.benchmarks | map(select(.round == 1))) as $first | [.benchmarks[] | select(.round != 2)] + [$first[] | select(.error_occurred | not) | .round = 2]'
contradicted "a round written twice" "of 13 rows that were measured in several rounds, 12 have the same samples in two of them" bench.json ".benchmarks |= (. as \$all | {benchmarks: \$all} | $copied)"
finish
