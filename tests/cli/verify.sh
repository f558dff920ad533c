#!/bin/bash
# SPDX-License-Identifier: MIT
# `voxphys verify` on small random workloads. It checks the JSON, the selection of kernels and versions, and that a seed always makes
# the same data.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

info=$(voxphys info --json)
digests() { jq -c '[.checks[] | [.kernel, .isa, .dataset, .digest]] | sort' <<<"$out"; }

tells checks '.checks | length > 0' verify --dataset fuzz-9
expect_json fields '[.checks[] | (.kernel, .isa, .dataset, .digest | type == "string") and (.via | IN("native", "simde")) and
    (.cases | type == "number" and . > 0) and .mismatches == 0 and (.digest | test("^[0-9a-f]{16}$"))] | all'
expect_json dataset '[.checks[].dataset] | all(startswith("fuzz-9"))'
expect_json "one digest a kernel and data set" '.checks | group_by([.kernel, .dataset, .form]) | all([.[].digest] | unique | length == 1)'
expect_json "not run" '.not_run | type == "array" and all(.[]; (.kernel, .isa, .via, .reason | type == "string"))'
expect_json "run and not run" '[.checks[] | [.kernel, .isa, .via]] - ([.checks[] | [.kernel, .isa, .via]] - [.not_run[] | [.kernel, .isa, .via]]) == []'
# Every kernel runs with every usable version, and every operation with every native set, or with the reference if its component has only
# that. Versions that cannot run here are not counted.
wanted=$(jq -c '[.isas[] | select(.usable) | .name] as $u | [.isas[] | select(.usable and .via == "native") | .name] as $native
    | [.kernels[] | .name as $k | .versions[] | select(.isa | IN($u[])) | [$k, .isa, .via]]
        + [([.kernels[] | select(any(.versions[]; .isa != "scalar")) | .component] | unique) as $faster
            | .operations[] | .name as $o | .component as $c | $native[] | select(. == "scalar" or ($c | IN($faster[]))) | [$o, ., "native"]] | sort' <<<"$info")
got=$(jq -c '[.checks[] | select(.isa | startswith("scalar-") | not) | [.kernel, .isa, .via]] | unique | sort' <<<"$out")
expect_equal "versions run" "$got" "$wanted"
# Random worlds with parts without a surface. A terrain asks again for chunks without triangles, and an edit may be far from any triangle.
for row in "terrain_prepare 12" "edit_to_ray 20"; do
    read -r kernel seed <<<"$row"
    succeeds verify --kernel "$kernel" --dataset fuzz-0 --seed "$seed" --isa scalar --json
    expect_json "$row" '.checks | length > 0 and all(.[]; .mismatches == 0 and .cases > 0)'
done
# The remaining checks do not depend on kernels.
few=(--kernel dilate_chunk)
run verify --dataset fuzz-0 --seed 7 --json "${few[@]}"
first=$(digests)
checked=$(jq '.checks | length' <<<"$out")

run verify --dataset=fuzz-0 --seed=7 --json "${few[@]}"
expect_equal "the digests of a second run" "$(digests)" "$first"
succeeds verify --dataset fuzz-0 --seed 8 --json "${few[@]}"
[[ $(digests) != "$first" ]] || fail "seed 8 gives the digests of seed 7"
tells "another workload" '.checks | length > 0' verify --dataset fuzz-1 --seed 7 "${few[@]}"

prints "$checked checks, 0 disagree" verify --dataset fuzz-0 --seed 7 "${few[@]}"
expect_equal "lines that agree" "$(grep -c ' agrees$' <<<"$out")" "$checked"

# The last line and the JSON list the versions that exist and do not run natively here. The headers name the versions of a kernel.
sets_of() # KERNEL: a JSON array of its instruction sets that are not native here, empty for an operation
{
    local row
    row=$(sed -nE "s/^ *K\\($1, *[a-z0-9_]+, *([A-Z]+),.*/\\1/p" "$VOXPHYS_SOURCE"/include/voxphys/kernel/*.h)
    sed -nE "s/^#define VP_ON_${row:-NONE}\\(V, k\\)//p" "$VOXPHYS_SOURCE/include/voxphys/kernel/versions.h" | grep -o 'k, [a-z0-9]*' |
        jq -Rnc --argjson info "$info" '[inputs | ltrimstr("k, ")] | map(select(. as $i
            | any($info.isas[]; .name == $i and .via == "native" and .usable) | not))'
}
expect_not_run() # SETS FILTER HOW: the last line names the sets for which the filter is true
{
    local sets
    mapfile -t sets < <(jq -r --argjson sets "$1" ".isas[] | select($2) | .name | select(IN(\$sets[]))" <<<"$info")
    if [[ ${#sets[@]} -eq 0 ]]; then
        [[ $last != *"not run $3"* ]] || fail "the last line mentions versions not run $3"
        return
    fi
    local plural=s names
    [[ ${#sets[@]} -gt 1 ]] || plural=
    printf -v names '%s, ' "${sets[@]}"
    expect_in "the last line" "$last" "; ${#sets[@]} version$plural not run $3 (${names%, }; see --json)"
}
for kernel in dilate_chunk scene_build collide_box push_out grow_step weld; do
    missing=$(sets_of "$kernel")
    tells "not run, of $kernel" "[.not_run[] | [.kernel, .isa]] == ($missing | map([\"$kernel\", .]))" verify --dataset fuzz-0 --kernel "$kernel"
    succeeds verify --dataset fuzz-0 --kernel "$kernel"
    last=${out##*$'\n'}
    expect_not_run "$missing" '.via == "simde"' natively
    expect_not_run "$missing" '.usable | not' "on this machine"
done

kernel=dilate_chunk
succeeds verify --dataset fuzz-0 --kernel "$kernel" --isa native --json
expect_json "all that runs natively" '[.checks[].via] | unique == ["native"] and length > 0'
expect_json "the reference and what it is compiled to by itself" '[.checks[].isa] | index("scalar") != null'
expect_equal "sets that run natively" "$(jq -c '[.checks[].isa | select(startswith("scalar") | not)] | unique' <<<"$out")" \
    "$(jq -c --arg k "$kernel" '[.isas[] | select(.usable) | .name] as $u | [.kernels[] | select(.name == $k) | .versions[] | select(.via == "native" and (.isa | IN($u[])) and .isa != "scalar").isa] | unique' <<<"$info")"
expect_json "nothing is said to run through SIMDe" '[.not_run[].reason | contains("SIMDe")] | any | not'
run verify --dataset fuzz-0 --isa scalar "${few[@]}"
expect_equal "what is told of versions that were not asked for" "$(grep -o "not run.*" <<<"$out")" ""
tells "none was asked for that is not run" '.not_run == []' verify --dataset fuzz-0 --kernel "$kernel" --isa scalar
expect_json "--kernel and --isa" "[.checks[] | [.kernel, .isa]] | unique == [[\"$kernel\", \"scalar\"]]"

# Columns are as wide as their longest name. A count of 1 is singular.
succeeds verify --dataset fuzz-9 --isa scalar
columns=$(sed '$d' <<<"$out" | awk '{ print match($0, / scalar/), match($0, / fuzz-9/), match($0, / [0-9a-f]+  agrees$/) }' | sort -u)
expect_equal "columns of the rows" "$(wc -l <<<"$columns")" 1
expect_in stdout "$out" "terrain_sphere_sweep scalar " " 1 case "
expect_equal "rows with 1 cases" "$(grep -cE ' 1 (cases|checks)' <<<"$out")" 0
prints "1 check, 0 disagree" verify --dataset fuzz-0 --kernel push_out --isa scalar

# On a terminal each row has its own line above the progress bar. The lines that remain are those written to a file.
if command -v script >/dev/null; then
    screen() # the lines that remain on a terminal
    {
        awk '{ sub(/\r$/, ""); n = split($0, part, "\r"); line = part[1]
               for (i = 2; i <= n; i++) line = sub(/^\033\[K/, "", part[i]) ? part[i] : part[i] substr(line, length(part[i]) + 1)
               print line }'
    }
    run verify --dataset terrain-l2 --isa scalar --kernel overlap_boxes
    script -qec "voxphys verify --dataset terrain-l2 --isa scalar --kernel overlap_boxes" /dev/null >"$scratch/terminal" </dev/null
    # The bar counts only the sets that are checked.
    mapfile -t sets < <(awk '/ agrees$/ { print $3 }' <<<"$out" | uniq)
    percents=$(for i in "${!sets[@]}"; do echo "$((100 * i / ${#sets[@]})) ${sets[i]}"; done)
    expect_equal "percents of the progress bar" \
        "$(tr '\r' '\n' <"$scratch/terminal" | sed -nE 's/^.*[^0-9]([0-9]+) % \[[# ]*\] (.*)$/\1 \2/p' | uniq)" "$percents"
    [[ ${#sets[@]} -gt 1 ]] || fail "too few sets for a progress bar"
    expect_equal "the screen" "$(screen <"$scratch/terminal")" "$out"
fi
finish
