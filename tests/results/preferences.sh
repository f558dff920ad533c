#!/bin/bash
# SPDX-License-Identifier: MIT
# preferences.sh: the measured exceptions from the default order of versions are those of the published results. A kernel is one if AVX2
# is faster than AVX-512 there: the geometric mean of the medians' ratios over at least two data sets is above 1 by more than the same
# thing measured twice differs, and no set is slower by more than that.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$VOXPHYS_SOURCE" || exit 1

succeeds info --json
kernels=$(jq -c '[.kernels[].name]' <<<"$out") # operations use kernels and have no versions of their own
measured=
compared=0
for file in results/*/results.json.zst; do
    # shellcheck disable=SC2016 # jq's variables
    found=$(zstd -dcq "$file" | jq -r --argjson kernels "$kernels" '
        .noise.score as $noise | .rows | map(select(.via == "native" and (.compiler // "" | startswith("gcc")))) | INDEX(.name) as $row
        | [.[] | select(.isa == "avx512") | $row[.name | sub("/avx512"; "/avx2")] as $other | select($other != null)
           | {kernel, ratio: (.median_ns / $other.median_ns)}]
        | "pairs \(length)", (group_by(.kernel)[] | select(IN(.[0].kernel; $kernels[])) | map(.ratio) as $ratio | ($ratio | map(log) | add / length | exp) as $mean
           | select(($ratio | length) >= 2 and ($ratio | min) > 1 - $noise and $mean > 1 + $noise)
           | "zen4 \(.[0].kernel) avx2 avx512 \($mean * 1000 | round)")')
    pairs=${found%%$'\n'*}
    compared=$((compared + ${pairs#pairs }))
    [[ $pairs == "pairs 0" ]] || expect_equal "processor of ${file%/*}" "$(jq -r '.cpu | "\(.vendor) \(.family)"' "${file%/*}/machine.json")" "AuthenticAMD 25" # zen4
    measured+=$(sed "1d; s|\$| ${file%/*}|" <<<"$found")$'\n'
done
expect_equal "rows with both sets" "$((compared > 100))" 1
expect_equal "measured exceptions" \
    "$(jq -r '.preferences[] | "\(.microarchitecture) \(.kernel) \(.isa) \(.instead_of) \(.ratio * 1000 | round) \(.results)"' <<<"$out")" "$(sed '/^$/d' <<<"$measured")"
finish
