#!/bin/bash
# SPDX-License-Identifier: MIT
# `voxphys results compare`: equal runs compare as equal. A slower kernel is found, or listed if there are too few samples to be sure.
# Drifting rounds are no change, and different work is reported.
# shellcheck source-path=SCRIPTDIR/../cli
# shellcheck disable=SC2016 # variables of jq
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
python=/usr/bin/python3
[[ -x $python ]] || python=python3

made() # NAME SEED [FACTOR [DRIFT]]
{
    "$python" "$VOXPHYS_SOURCE/tests/results/folder.py" "$VOXPHYS_SOURCE" "$1" "${@:2}" && voxphys results make "$1" >/dev/null || exit 1
}
says() # WHAT WORDS ARGUMENT...: a successful comparison prints WORDS
{
    run results compare "${@:3}"
    expect_status 0
    expect_in "$1" "$out" "$2"
}
json() # WHAT JQ_FILTER ARGUMENT...: the filter is true of the comparison
{
    run results compare "${@:3}" --json
    expect_status 0
    expect_json "$1" "$2"
}
cd "$scratch" || exit 1
made a 1
made b 2
made slow 3 1.2

# altered FROM TO JQ_FILTER: writes TO, a filtered results.json. In the filter, "row" is the optimized kernel's.
altered()
{
    jq "def row: .rows[] | select(.name == \"dilate_world/avx2/terrain-l2\"); $3" "$1" >"$2" || exit 1
}
a=a/results.json

# ---- equal, faster, slower ----
says "what drifts is not alike even with itself" "14 rows of both: 0 faster in B, 0 slower, 12 alike, 1 undecided (0 of them wholly apart), 0 not the same work, 1 without samples" a a
expect_in "what is said" "$out" "B takes 1 times as long as A"
json "the same twice is alike" '[.rows[].verdict] | unique == ["alike", "no samples", "undecided"]' a b
expect_json "no row is left out" '.rows | length == 14'
says "what is said" "0 faster in B, 1 slower, 11 alike" a slow/results.json
expect_in "the row" "$(grep '^dilate_world/avx2/terrain-l2' <<<"$out")" "slower"
json "and the other way round faster" '[.rows[] | select(.verdict == "faster" or .verdict == "slower")] | length == 1 and .[0].verdict == "faster"
    and .[0].ratio > 0.82 and .[0].ratio < 0.85 and .[0].delta == -1 and .[0].q < 0.001 and .[0].rounds == [3, 3] and .[0].rounds_apart' slow a
expect_json "intervals hold the ratio" 'all(.rows[] | select(.ratio != null); .ratio_95[0] <= .ratio and .ratio <= .ratio_95[1])
    and (.rows[] | select(.verdict == "faster").ratio_95 | .[0] > 0.82 and .[1] < 0.85)'
says "a change that does not count" "0 slower, 13 alike" a slow --least 0.3 --all
json "a change that may be the least" '.rows[] | select(.name == "dilate_world/avx2/terrain-l2") | .verdict != "alike"' a slow --least 0.2
# With four of nine samples a tenth less, the medians are equal, but the interval reaches 0.9, or 1.1 the other way round.
altered "$a" steady.json '(row).samples_ns |= [range(18) | 100 * (1 + . / 100000)]'
altered "$a" split.json '(row).samples_ns |= [range(18) | (if . % 9 < 4 then 90 else 100 end) * (1 + . / 100000)]'
for sides in "steady split" "split steady"; do
    json "an interval with one end near 1" '.rows[] | select(.name == "dilate_world/avx2/terrain-l2") | .verdict == "undecided"
        and .because == "wide scatter" and ([.ratio, .ratio_95[]] | map(. > 0.99 and . < 1.01) | sort == [false, true, true])' "${sides% *}.json" "${sides#* }.json"
done
says "chosen rows" "3 rows of both: 0 faster in B, 0 slower, 2 alike, 1 undecided" a slow --rows kd_ray --all

# ---- few samples ----
# 113 rows of three rounds of two samples, as for terrain, so p is at least 0.002, and q 0.2.
altered "$a" few.json '.rows = [.rows[] | select(.n > 0)] + [range(100) as $i | .rows[] | select(.name == "kd_ray/avx2-packed/chunks/coherent")
    | .name = "kd_ray/avx2-v\($i)/chunks/coherent" | .variant = "v\($i)"]
    | .rows |= map(.samples_ns |= [.[0, 1, 6, 7, 12, 13]] | .rounds = [1, 1, 2, 2, 3, 3] | .n = 6)'
altered few.json tenfold.json '(row).samples_ns |= map(. * 10)'
says "it is not called slower" "0 slower" few.json tenfold.json
expect_in "and not alike" "$out" "(1 of them wholly apart)"
expect_in "it is listed" "$out" "  dilate_world/avx2/terrain-l2                                         10 times as long, every sample slower"
expect_in "with why" "$out" "too few to be sure among 113 rows"
expect_in "and what helps" "$out" "More rounds in both runs help, or --rows with rows that were chosen before looking"
json "it is apart, by how much" '.rows[] | select(.apart) | .verdict == "undecided" and .ratio_95[0] > 9 and .ratio_95[0] < 10
    and .ratio_95[1] > 10 and .ratio_95[1] < 11 and .p < 0.003 and .q > 0.2 and .q < 0.3' few.json tenfold.json
expect_json "counts" '.undecided_apart == 1 and .tests == 113 and .undecided == ([.rows[] | select(.verdict == "undecided")] | length)'
says "a larger share of chance" "1 slower" few.json tenfold.json --alpha 0.3
says "chosen before looking" "1 rows of both: 0 faster in B, 1 slower" few.json tenfold.json --rows dilate_world/avx2
altered few.json many.json 'reduce range(25) as $i (.; (.rows[] | select(.name == "kd_ray/avx2-v\($i)/chunks/coherent").samples_ns) |= map(. * (2 + $i)))'
run results compare few.json many.json --alpha 0.001
expect_equal "rows listed" "$(grep -c 'every sample slower' <<<"$out")" 20
expect_in "and the rest" "$out" "  and 5 more (--all, --json)"
expect_in "the largest change is the first" "$(grep -m 1 'every sample slower' <<<"$out")" "kd_ray/avx2-v24/"
altered few.json low.json '(row).samples_ns = [100, 100.1, 100.2, 100.3, 100.4, 100.45]'
altered few.json high.json '(row).samples_ns = [100.5, 100.6, 100.7, 100.8, 103, 103.1]'
json "apart by less than counts" '.undecided_apart == 0 and (.rows[] | select(.name == "dilate_world/avx2/terrain-l2") | .delta == 1
    and .verdict == "undecided" and (.apart | not))' low.json high.json
altered few.json three.json '.rows |= map(.samples_ns |= [.[0, 2, 4]] | .rounds = [1, 2, 3] | .n = 3)'
json "three samples say nothing" 'all(.rows[]; .verdict == "undecided" and .because == "few samples" and .ratio_95 == null)' three.json three.json

# ---- rounds ----
# Distant samples in rounds that overlap, or do not. Round k of A takes 100, 110 or 120, and B takes LOW times as long.
overlap() # FILE LOW
{
    altered "$a" "$1" "(row).samples_ns |= [range(18) | (. / 6 | floor) as \$round | (100 + 10 * \$round) * $2 * (1 + . / 10000)]"
}
overlap base.json 1
overlap near.json 1.15
overlap far.json 1.25
for sides in "base near" "near base"; do
    json "rounds that overlap are no change" '.rows[] | select(.name == "dilate_world/avx2/terrain-l2") | .q < 0.05 and (.rounds_apart | not)
        and .verdict == "undecided" and .because == "rounds overlap"' "${sides% *}.json" "${sides#* }.json"
done
says "rounds apart are" "1 slower" base.json far.json
says "rounds apart are" "1 faster" far.json base.json
altered slow/results.json one.json '.rows[].rounds |= map(1)'
for sides in "a one.json" "one.json a"; do
    says "one round says nothing" "0 faster in B, 0 slower, 0 alike, 13 undecided" "${sides% *}" "${sides#* }" --all
    expect_in "and why" "$out" "13 rows have samples of one round in A or B: drift of the machine cannot be distinguished from a change there"
done
says "it is listed" "every sample slower; one round" a one.json

# Comparing the rounds of a drifting machine with each other shows no change, although most samples differ. Neither do halves of the same
# rounds.
made drifts 4 1 0.3
part() # NAME JQ_FILTER: results with only some of the repetitions
{
    cp -r drifts "$1"
    for file in bench.json bench-clang.json; do
        jq "$2" "drifts/$file" >"$1/$file" || exit 1
    done
    voxphys results make "$1" >/dev/null || exit 1
}
for n in 1 2; do part "round-$n" ".benchmarks |= map(select(.round == $n))"; done
for n in 0 1; do
    part "half-$n" ".benchmarks |= map(select(.repetition_index % 2 == $n) | .repetition_index = (.repetition_index - $n) / 2 | .repetitions = if .error_occurred then 1 else 3 end)"
done
json "no round is faster than another" '.undecided_apart > 40 and all(.rows[]; .verdict == "undecided" or .verdict == "no samples")' round-1 round-2
json "no half is faster than the other, but for a twentieth" '([.rows[] | select(.verdict == "faster" or .verdict == "slower")] | length) * 20 <= .tests
    and .tests == 73 and all(.rows[] | select(.verdict != "no samples"); .rounds == [3, 3])' half-0 half-1

# ---- the smallest change that counts ----
altered "$a" noisy.json '.noise.score = 0.5'
altered slow/results.json slow-noisy.json '.noise.score = 0.5'
for sides in "noisy.json slow" "a slow-noisy.json"; do
    json "less than the noise of either" '.least_change == 0.5 and (.rows | all(.verdict != "slower"))' "${sides% *}" "${sides#* }"
done
# ---- the same work ----
peer='(.rows[] | select(.name == "dilate_world/peer-leptonica/terrain-l2"))'
other_work() # WHAT JQ_FILTER
{
    altered "$a" other.json "$2"
    says "$1" "not the same work: $1" a other.json
    expect_in "$1" "$out" "1 not the same work"
    json "$1" "[.rows[] | select(.verdict == \"other work\")] | length == 1 and (.[0] | .because == \"$1\" and .same_work == false
        and .ratio == null and .a_ns > 0 and .b_ns > 0)" other.json a
}
other_work "other answers" '(row).output_hash = "0123456789abcdef"'
other_work "other data" '(row).dataset_hash = "0123456789abcdef"'
other_work "other data" "$peer.dataset_hash = \"0123456789abcdef\"" # a row whose answers have no hash
other_work "other items" '(row).item = "voxels"'
json "the mean" '([.rows[] | select(.ratio != null).ratio | log] | add / length | exp) as $mean | (.geometric_mean / $mean - 1 | fabs) < 1e-8' a slow
altered "$a" other.json '(row).output_hash = null'
says "a hash in one file" "1 rows say in one file alone what items, data or answers they are of" a other.json
json "a hash in one file" '[.rows[] | select(.same_work == null)] | length == 1' a other.json

# ---- rows with one sample, rows without samples ----
altered "$a" less.json 'del(.rows[] | select(.name | startswith("kd_ray/avx2")))'
says "rows of A" "2 only in A, 0 only in B" a less.json
run results compare less.json a --rows kd_rey
expect_status 2
expect_in "the message" "$err" 'no row of A or B has a name that begins with "kd_rey"'
altered "$a" none.json '(row) |= (.error = "refused" | .n = 0)'
json "refused in one" '.without_samples == 2 and (.rows[] | select(.name == "dilate_world/avx2/terrain-l2")
    | .verdict == "no samples" and .because == "no samples in A" and .a_ns == null and .b_ns > 0)' none.json a
# ---- validity of the files ----
jq '.name = "another" | .voxphys.commit = "fedcba9876543210fedcba9876543210fedcba98"' a/machine.json >b/machine.json
for file in bench.json bench-clang.json; do
    jq '.context.voxphys_commit = "fedcba9876543210fedcba9876543210fedcba98"' "b/$file" >moved && mv moved "b/$file"
done
voxphys results make b --unofficial "a laptop on battery" >/dev/null || exit 1
says "two machines" "A and B are of two machines" a b
expect_in "A" "$(head -n 1 <<<"$out")" "machine made-up-2cpu, commit 0123456789abcdef0123456789abcdef01234567"
expect_in "B" "$(sed -n 2p <<<"$out")" "machine another, commit fedcba9876543210fedcba9876543210fedcba98"
expect_in "B" "$(sed -n 3p <<<"$out")" "B says of itself that it is not official: a laptop on battery"
json "machines and commits" '.two_machines and .a.machine == "made-up-2cpu" and .b.machine == "another"
    and .a.commit == "0123456789abcdef0123456789abcdef01234567" and .b.commit == "fedcba9876543210fedcba9876543210fedcba98"' a b
expect_json "both stand, one is official" '.a.stands and .b.stands and .a.says_official and (.b.says_official | not)
    and .a.unofficial_because == [] and .b.unofficial_because == ["a laptop on battery"]'
json "one machine" '.two_machines == false' a a
altered "$a" absurd.json '.rows[0].median_ns = 1e300'
run results compare absurd.json a
expect_in "what does not stand" "$(sed -n '1,4p' <<<"$out")" "A does not stand: "
json "what does not stand" '.a.stands and .b.stands == false and (.b.problems | length > 0)' a absurd.json
VOXPHYS_DATA=$scratch/nowhere run results compare a b
expect_status 0
expect_in "without data sets" "$out" "A could not be judged: "

# ---- mistakes ----
subject=(results compare)
refused "too few arguments" a
refused "nowhere" a nowhere
refused "--alpha '1' is not between 0 and 1" a b --alpha 1
altered "$a" bad.json 'del(.rows[0].median_ns)'
refused 'lacks "median_ns"' a bad.json

altered "$a" bad.json '(row).samples_ns[3] = 0'
refused '"dilate_world/avx2/terrain-l2", sample 3 is not a number above 0' a bad.json
altered "$a" bad.json '.rows += [row]'
refused "row dilate_world/avx2/terrain-l2 of bench.json: it is there twice" a bad.json

finish
