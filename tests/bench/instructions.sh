#!/bin/bash
# SPDX-License-Identifier: MIT
# instructions.sh ARCHITECTURE PROGRAM [EMULATOR...]: every version of every kernel takes as many instructions for an item as
# results/instructions.json says, within 2 %, no version is missing there and none is there that is no more. Another compiler than the
# one that the file names is no fault: then only answers are compared. bench/instructions --update writes the file anew: say in the
# commit why it changed. What SIMDe makes of other sets for x86-64, which nobody is given, is counted before a release.
set -uo pipefail
committed=$VOXPHYS_SOURCE/results/instructions.json
without=()
[[ -n $VOXPHYS_DEEP || $1 != x86-64 ]] || without=(-simde)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! "$VOXPHYS_SOURCE/bench/instructions" "$@" "${without[@]}" >"$scratch/now.json"; then
    echo "FAIL: nothing could be counted" >&2
    exit 1
fi
if [[ ${#without[@]} -gt 0 ]]; then
    jq --arg without "${without[0]}" '.counted[].rows |= map(select(.name | contains($without) | not))' "$committed" >"$scratch/part.json" || exit 1
    committed=$scratch/part.json
fi

# compare NOW COMMITTED: prints what differs, and how many rows were compared
compare()
{
    # shellcheck disable=SC2016 # variables of jq
    jq --null-input --raw-output --slurpfile now "$1" --slurpfile file "$2" '
        $now[0] as $now | ($file[0].counted[] | select(.architecture == $now.architecture)) as $before
        | ($now.compiler == $before.compiler and $now.by == $before.by) as $same
        | ($before.rows | map({key: .name, value: .}) | from_entries) as $of
        | ($now.rows | map(select($of[.name] == null) | "FAIL: \(.name) is not in the file")) as $new
        | (($before.rows | map(.name)) - ($now.rows | map(.name)) | map("FAIL: \(.) is in the file, and was not counted")) as $gone
        | ($now.rows | map(. as $row | $of[.name] | select(. != null and .output_hash != $row.output_hash)
            | "FAIL: \(.name) gives other answers: \($row.output_hash), the file has \(.output_hash)")) as $other
        | ($now.rows | map(. as $row | $of[.name] | select(. != null) | ($row.per_item / .per_item - 1) as $more
            | select($same and ($more > 0.02 or $more < -0.02))
            | "FAIL: \(.name) takes \($row.per_item) instructions for one of \(.item), the file has \(.per_item)")) as $changed
        | (if $same then empty else "counted by \($now.by) of \($now.compiler), the file by \($before.by) of \($before.compiler): answers alone are compared" end),
          ($new + $gone + $other + $changed)[],
          "\($now.rows | length) rows, \($new + $gone + $other + $changed | length) failures"'
}

compare "$scratch/now.json" "$committed" | tee "$scratch/result"
grep -qE '^[1-9][0-9]* rows, 0 failures$' "$scratch/result" || exit 1

# The comparison finds what it is there for.
finds() # WHAT JQ_FILTER MESSAGE
{
    jq "(.counted[] | select(.architecture == \"$architecture\")) |= ($2)" "$committed" >"$scratch/other.json"
    compare "$scratch/now.json" "$scratch/other.json" >"$scratch/result"
    grep -q "$3" "$scratch/result" || { echo "FAIL: $1 is not found" >&2; exit 1; }
}
architecture=$1
jq --slurpfile now "$scratch/now.json" '(.counted[] | select(.architecture == $now[0].architecture)) |= (.compiler = $now[0].compiler | .by = $now[0].by)' \
    "$committed" >"$scratch/same.json"
committed=$scratch/same.json
finds "3 % more" '.rows[0].per_item /= 1.03' '^FAIL: .* takes .* instructions'
finds "3 % less" '.rows[0].per_item *= 1.03' '^FAIL: .* takes .* instructions'
finds "a row that is gone" '.rows += [.rows[0] | .name = "none/scalar/of"]' '^FAIL: none/scalar/of is in the file, and was not counted$'
finds "a new row" 'del(.rows[0])' '^FAIL: .* is not in the file$'
finds "other answers" '.rows[0].output_hash = "0123456789abcdef"' '^FAIL: .* gives other answers'
echo "what must be found is found"
