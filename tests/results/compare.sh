#!/bin/bash
# SPDX-License-Identifier: MIT
# voxphys results compare: two runs of the same thing are alike, a slower kernel is found, and p values are those that Google Benchmark's
# own compare.py works out, with SciPy, from the same samples.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
here=$VOXPHYS_SOURCE/tests/results
python=/usr/bin/python3 # Debian's own, which has SciPy
[[ -x $python ]] || python=python3

made() # NAME SEED [FACTOR]
{
    "$python" "$here/folder.py" "$VOXPHYS_SOURCE" "$scratch/$1" "${@:2}" && voxphys results make "$scratch/$1" >/dev/null || exit 1
}
made a 1
made b 2
made slow 3 1.2

run results compare "$scratch/a" "$scratch/a"
expect_status 0
expect_in "what is said" "$out" "0 faster in B, 0 slower, 13 alike"
expect_in "what is said" "$out" "B takes 1 times as long as A"
run results compare "$scratch/a" "$scratch/b" --json
expect_status 0
expect_json "the same twice is alike" 'all(.rows[]; .verdict == "alike")'
run results compare "$scratch/a" "$scratch/slow/results.json"
expect_status 0
expect_in "what is said" "$out" "0 faster in B, 1 slower, 12 alike"
expect_in "the row" "$(grep '^dilate_world/avx2/terrain-l2' <<<"$out")" "slower"
run results compare "$scratch/slow" "$scratch/a" --json
expect_json "and the other way round faster" '[.rows[] | select(.verdict != "alike")] | length == 1 and .[0].verdict == "faster"
    and .[0].ratio > 0.82 and .[0].ratio < 0.85 and .[0].delta == -1 and .[0].q < 0.001'
run results compare "$scratch/a" "$scratch/slow" --least 0.3
expect_in "a change that does not count" "$out" "0 slower"
run results compare "$scratch/a" "$scratch/slow" --rows kd_ray --all
expect_in "chosen rows" "$out" "3 rows of both: 0 faster in B, 0 slower, 3 alike"

# Few samples, other answers, other machines, rows of one alone.
few() # JQ_FILTER: results of the folder a with another bench.json
{
    rm -rf "$scratch/few"
    cp -r "$scratch/a" "$scratch/few"
    jq "$1" "$scratch/a/bench.json" >"$scratch/few/bench.json"
    voxphys results make "$scratch/few" >/dev/null || exit 1
}
few '.benchmarks |= map(select(.repetition_index == 0))'
run results compare "$scratch/few" "$scratch/few" --json
expect_json "three samples say nothing" '[.rows[] | select(.file == "bench.json")] | all(.[]; .verdict == "few")'
few '.benchmarks |= map(.label |= (. // "" | sub("digest=[0-9a-f]{4}"; "digest=0000")))'
run results compare "$scratch/a" "$scratch/few"
expect_in "other answers" "$out" "not the same work: other answers"
few '.benchmarks |= map(select(.name | startswith("kd_ray/avx2/") | not))'
run results compare "$scratch/a" "$scratch/few"
expect_in "rows of one" "$out" "1 only in A, 0 only in B"
jq '.name = "another"' "$scratch/a/machine.json" >"$scratch/few/machine.json"
voxphys results make "$scratch/few" >/dev/null
run results compare "$scratch/a" "$scratch/few"
expect_in "two machines" "$out" "are two machines"

# ---- p values, by another program ----
tool=$(dpkg -L libbenchmark-tools 2>/dev/null | grep '/compare\.py$')
if [[ -n $tool ]] && "$python" -c 'import scipy' 2>/dev/null; then
    for repetitions in 3 2 1; do # 18 samples a side; 12; 6, where p is counted out
        for side in a slow; do
            mkdir -p "$scratch/$side-$repetitions"
            cp "$scratch/$side/machine.json" "$scratch/$side/verify.json" "$scratch/$side-$repetitions/"
            jq "del(.context.caches) | .benchmarks |= map(select(.round <= $repetitions and (.error_occurred | not)))" "$scratch/$side/bench.json" \
                >"$scratch/$side-$repetitions/bench.json"
            voxphys results make "$scratch/$side-$repetitions" >/dev/null || exit 1
        done
        "$python" "$tool" --no-color --dump_to_json "$scratch/dump.json" benchmarks "$scratch/a-$repetitions/bench.json" \
            "$scratch/slow-$repetitions/bench.json" >"$scratch/out" 2>"$scratch/err" || fail "compare.py"
        run results compare "$scratch/a-$repetitions" "$scratch/slow-$repetitions" --json
        expect_json "p is counted out of six" "all(.rows[]; .exact == ($repetitions == 1))"
        shown="p values of $((repetitions * 6)) samples by $tool"
        checks=$((checks + 1))
        jq --exit-status --slurpfile ours <(echo "$out") '[.[] | select(.utest | length > 0)] | length == 12 and all(.[];
            .name as $name | .utest.cpu_pvalue as $p | $ours[0].rows[] | select(.name == $name) | (.p - $p | fabs) <= 1e-6 * $p)' \
            "$scratch/dump.json" >/dev/null || fail "they are others: $(jq -c '[.[] | [.name, .utest.cpu_pvalue]]' "$scratch/dump.json")"
    done
else
    echo "no compare.py with SciPy here: p values are not compared with its"
fi

# ---- mistakes ----
run results compare "$scratch/a"
expect_status 2
run results compare "$scratch/a" "$scratch/nowhere"
expect_status 2
expect_in "the message" "$err" "nowhere"
run results compare "$scratch/a" "$scratch/b" --alpha 1
expect_status 2
expect_in "the message" "$err" "--alpha '1' is not between 0 and 1"
jq 'del(.rows[0].n)' "$scratch/a/results.json" >"$scratch/bad.json"
run results compare "$scratch/a" "$scratch/bad.json"
expect_status 2
expect_in "the message" "$err" 'lacks "n"'

finish
