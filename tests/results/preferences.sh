#!/bin/bash
# SPDX-License-Identifier: MIT
# preferences.sh: the published results confirm each measured exception from the default order of versions. The ratio is the geometric
# mean of the medians' ratios over at least two data sets, and above 1 by more than the same thing measured twice. No set is slower by
# more than that.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$VOXPHYS_SOURCE" || exit 1

succeeds info --json
expect_json preferences '.preferences | length >= 1'
while read -r uarch kernel isa instead_of ratio results; do
    file=$results/results.json.zst
    # shellcheck disable=SC2016 # jq's variables
    measured=$(zstd -dcq "$file" | jq -r --arg k "$kernel" --arg a "$instead_of" --arg b "$isa" '
        .noise.score as $noise | .rows | map(select(.kernel == $k and (.compiler // "" | startswith("gcc")))) as $rows
        | [$rows[] | select(.isa == $a and .via == "native") | .name as $name | .median_ns as $ns
           | ($name | sub("/" + $a; "/" + $b)) as $other | $rows[] | select(.name == $other) | $ns / .median_ns]
        | select(length >= 2 and min > 1 - $noise) | (map(log) | add / length | exp) | select(. > 1 + $noise) * 1000 | round')
    expect_equal "$kernel on $uarch in $file, ratio x 1000" "$measured" "$(jq -n "$ratio * 1000 | round")"
    expect_equal "processor of $results" "$(jq -r '.cpu | "\(.vendor) \(.family)"' "$results/machine.json")" "AuthenticAMD 25" # zen4
    expect_equal "microarchitecture" "$uarch" zen4
done < <(jq -r '.preferences[] | "\(.microarchitecture) \(.kernel) \(.isa) \(.instead_of) \(.ratio) \(.results)"' <<<"$out")
finish
