#!/bin/bash
# SPDX-License-Identifier: MIT
# publish.sh BUILD PROGRAM...: one repetition of every row that `bench/run --publish` measures makes valid results, and a page with figures
# for every kernel. Trees and terrains use small data. Rows on the data sets of `large` are left out, because
# every version and library answers their questions on a smaller set. Rows of `alike` are left out, because only a setting distinguishes
# them from others. The checks in verify.json are made up.
# shellcheck disable=SC2016 # jq's variables begin with a dollar too
set -uo pipefail
build=$1
bench=("${@:2}")
. "$VOXPHYS_SOURCE/tests/bench/check.bash"
. "$VOXPHYS_SOURCE/tests/bench/small.bash"
large='luanti|-of-[0-9]+/|^[^b].*/terrain-l3(/|$)|/(terrain-dram|garden|garden-300|thicket-300)(/[^w]|$)|^hull[^/]*/[^l].*/(10000|26002)$|^hull.*/(100000|1000000)$|/(growing|clustered|mixed-radii|sorted)/|^scene_.*/100000?$'
large+='|^edit_to_ray/.*/(brush8|chunk)$|^decompose/.*/solid-(open-box|gear|rotor|torus(-[0-9]+)?)$|^kd_build/peer-.*/world-230k$|^simulate_step/.*/1000$'
large+='|^collide_.*/poses-hard(/|$)|^collide_(gjk|hull|shapes)/.*64$|^(edge_flags|mesh_chunk)/.*/random-50$|^(greedy_quads|faces)/.*/planet/'
alike='^submerged_.*/one-level$|^edit_to_ray/([^/]*-(published|packed|implied)|plain-(parts|slab)|peer-bullet|peer-embree-(high|low|medium|low-quads|medium-quads|medium-quads-compact|medium-quads-dynamic))/|^decompose/peer-hacd/solid-frame$|^terrain_ray/plain-budget-'
[[ -z $VOXPHYS_DEEP ]] || large='^$' alike='^$'

# ---- every row, once ----
small_sets "$folder/data" || exit 1
# Small data has other digests.
jq '.bench |= with_entries(select(.key | test("^(kd_|brute_|terrain_|edit_)|terrain-(dram|230k)") | not))' \
    "$VOXPHYS_SOURCE/datasets/digests.json" >"$folder/data/digests.json"
cp "$VOXPHYS_SOURCE/datasets/retired-names.json" "$folder/data/"
ln -s "$VOXPHYS_SOURCE/datasets/luanti" "$folder/data/luanti"
export VOXPHYS_DATA=$folder/data
"${bench[@]}" --benchmark_list_tests >"$folder/listed" 2>/dev/null </dev/null
grep -vE '^(#|$)|^.kd_build/peer' "$VOXPHYS_SOURCE/bench/thorough" >"$folder/left-out" # bench.trees compares the sizes of all of Embree's trees
[[ -z $VOXPHYS_DEEP ]] || : >"$folder/left-out"
grep -vEf "$folder/left-out" "$folder/listed" >"$folder/all"
# A question and contender that only rows left out have keeps its first row, so that nothing is left untested.
grep -vE "$alike" "$folder/all" >"$folder/asked"
sed -E 's,^([^/]*/[^/]*)/[^/]*,\1,; s,^(scene_.*|hull.*|simulate_.*)/[0-9]+$,\1,; /^collide_/s/64/16/g' "$folder/asked" |
    paste -d ' ' - "$folder/asked" | awk -v large="$large" '{ left = $2 ~ large; if (!left) seen[$1] = 1; name[NR] = $2; key[NR] = $1; out[NR] = left }
    END { for (i = 1; i <= NR; i++) if (!out[i] || !seen[key[i]]++) print name[i] }' >"$folder/names"
made=$folder/$("$VOXPHYS_SOURCE/bench/machine" --slug)
mkdir "$made"
if VOXPHYS_COMMIT=$(git -C "$VOXPHYS_SOURCE" rev-parse HEAD 2>/dev/null); then
    export VOXPHYS_COMMIT
else
    unset VOXPHYS_COMMIT # as bench/run does without a checkout
fi
measure . 0 --benchmark_repetitions=1 --rows="$folder/names"
holds "every name has a row" "length == $(wc -l <"$folder/names")"
mkdir -p "$build/tests/bench" && cp "$folder/names" "$folder/rows.json" "$build/tests/bench/" || exit 1 # for bench.trees and bench.terrain
jq '.benchmarks |= map(select(.run_type == "iteration") + {round: 1}) | del(.context.host_name)' "$folder/rows.json" >"$made/bench.json"

# ---- results ----
"$VOXPHYS_SOURCE/bench/machine" --build "$build" --unofficial "a test" >"$made/machine.json"
voxphys info --json >"$folder/info.json"
jq --slurpfile info "$folder/info.json" --rawfile names "$folder/names" '.verify as $known | {version: "0", seed: 1, not_run: [], checks: [$info[0].kernels[]
    | .name as $kernel | ([$known | to_entries[] | select(.key | startswith("\($kernel)/"))][0]) as $of
    | (.versions[], ("scalar-autovec" | select("\($kernel)/\(.)/" as $begin | $names | contains($begin)) | {isa: ., via: "native"})) as $version
    | {kernel: $kernel, dataset: ($of.key | ltrimstr("\($kernel)/")), form: null, cases: 1, mismatches: 0, digest: $of.value} + $version]}' \
    "$VOXPHYS_SOURCE/datasets/digests.json" >"$made/verify.json"
voxphys results make "$made" >"$folder/said" 2>&1
code=$?
check "the results stand: $(grep -v ' note: ' "$folder/said" | head -n 30)" test $code -eq 0
voxphys results verify "$made" >"$folder/said" 2>&1
code=$?
check "they are as the files say: $(grep -v ' note: ' "$folder/said" | head -n 30)" test $code -eq 0
of() # WHAT JQ_FILTER: the filter is true for the rows
{
    check "$1" jq -e "[.rows[]] | $2" "$made/results.json"
}
of "every name is a row" "length == $(wc -l <"$folder/names")"
of "rows of one question count the same items" 'group_by([.kernel, .dataset, .parameter]) | all(.[]; map(.item) | unique | length == 1)'
# The judges' counters of wrong answers, and the one that stands for all of them.
of "libraries with wrong answers are marked" '[.[] | select(.via == "peer" and .error == null) | .counters]
    | all(.[]; (.faulty == 1) == ([.faults, .refused, .missing, .extra, .turned, .missed, .invented, .wrong_sign, .off, .wrong_normal, .no_number, .ghosts, .invalid_hulls, .lost_triangles, .below_ground, .gained_energy] | map(values) | add // 0 | . > 0))'

# ---- the page ----
if /usr/bin/python3 -c 'import jinja2' 2>/dev/null; then
    check "there is a page" voxphys report "$folder" --out "$folder/page"
    matrix() # KERNEL PATTERN: its row in the matrix
    {
        local line
        line=$(grep "<tr class=\"kernel\" id=\"$1\">" "$folder/page/report.html" | sed 's/ *<small>[^<]*<.small>//g; s/<[^>]*>/|/g; s/||*/|/g')
        check "$1 in the matrix: $line" grep -qE "^\|$1\|$2" <<<"$line"
    }
    matrix collide_gjk "([0-9.]+×|-)\|(reference only\|)+"
    # Operations on the collide kernels have their versions, if they gain from lanes.
    matrix collide_shapes '(-\|)+[0-9.]+×'
    for operation in regions cast_box; do
        matrix $operation '(-\|)?[0-9.]+×\|[0-9.]+×'
    done
    matrix weld "[0-9.]+×\|(reference only\|)+"
fi

finish
