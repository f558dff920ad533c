#!/bin/bash
# SPDX-License-Identifier: MIT
# instructions.sh ARCHITECTURE PROGRAM [EMULATOR...]: every version of every kernel takes as many instructions per item as
# results/instructions.json says, within 2 %. Both lists have the same versions. With another compiler than the file's, only answers are
# compared. `bench/instructions --update` rewrites the file. The commit then says why the counts changed. Before a release also counted on
# x86-64, plain C, which takes as long as the others together, SIMDe builds and the autovectorised reference, which are not shipped,
# and rows of scalar kernels that another row counts on smaller data.
set -uo pipefail
committed=$VOXPHYS_SOURCE/results/instructions.json
without=()
[[ -n $VOXPHYS_DEEP || $1 != x86-64 ]] || without=(-simde -autovec /plain {edge_flags,mesh_chunk}/scalar/random-50 'kd_build/scalar-' collide_hull/scalar/poses-terrain/64)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! "$VOXPHYS_SOURCE/bench/instructions" "$@" "${without[@]}" >"$scratch/now.json"; then
    echo "FAIL: nothing could be counted" >&2
    exit 1
fi
if [[ ${#without[@]} -gt 0 ]]; then
    jq --arg without "$(IFS='|'; echo "${without[*]}")" '.counted[].rows |= map(select(.name | test($without) | not))' "$committed" >"$scratch/part.json" || exit 1
    committed=$scratch/part.json
fi

# shellcheck disable=SC2016 # jq's variables begin with a dollar too
jq --null-input --raw-output --slurpfile now "$scratch/now.json" --slurpfile file "$committed" '
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
      "\($now.rows | length) rows, \($new + $gone + $other + $changed | length) failures"' | tee "$scratch/result"
grep -qE '^[1-9][0-9]* rows, 0 failures$' "$scratch/result"
