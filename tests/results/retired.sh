#!/bin/bash
# SPDX-License-Identifier: MIT
# Results that were published when kernels or versions had other names still stand, with files and seal unchanged. They compare with new
# ones and are shown under the new names. sed makes them from the made-up results, in a data folder where the old names are the known ones.
# shellcheck source-path=SCRIPTDIR/../cli
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
# shellcheck source-path=SCRIPTDIR
. "$VOXPHYS_SOURCE/tests/results/folder.bash"
data=$VOXPHYS_SOURCE/datasets

# ---- the map itself ----
run info --json
expect_status 0
wrong=$(jq --raw-output --slurpfile retired "$data/retired-names.json" --slurpfile golden "$data/digests.json" '[.kernels[].name] as $kernels
    | ($retired[0] | to_entries[] | select(.key | contains("-") | not) | select((.key | IN($kernels[])) or (.value | IN($kernels[]) | not)) | "\(.key): \(.value)"),
      ($retired[0] | to_entries[] | select(.key | contains("-")) | select(.value | test("^[a-z0-9-]+/[a-z0-9-]+$") | not) | "\(.key): \(.value)"),
      ($golden[0] | .verify, .bench | keys[] | select(split("/")[0] | IN($retired[0] | keys[]))),
      ($golden[0].bench | keys[] | select(split("/")[1] as $who | $retired[0] | keys | any(contains("-") and endswith($who | ltrimstr("any-"))) and ($who != "any")))' <<<"$out")
expect_equal "names that are not retired, or not today's, and keys of digests that are retired" "$wrong" ""
expect_equal "how many names there are" "$(jq 'length >= 11' "$data/retired-names.json")" true

# ---- old and new, where one of the old names is a prefix of the other ----
data_of() # FOLDER EXPRESSION MAP: a data folder, digests.json altered by sed
{
    mkdir "$1"
    cp "$data/manifest.json" "$1/"
    sed "$2" "$data/digests.json" >"$1/digests.json"
    printf '%s\n' "$3" >"$1/retired-names.json"
}
old='s/\bdilate_world\b/old/g; s/\bkd_ray\b/old_ray/g'
data_of "$scratch/then" "$old" '{}'
data_of "$scratch/today" "" '{"old": "dilate_world", "old_ray": "kd_ray"}'
data_of "$scratch/forgotten" "" '{"old": "dilate_world"}'
data_of "$scratch/damaged" "" '{"old": 1}'
published=$scratch/made-up-2cpu-3
"$python" "$VOXPHYS_SOURCE/tests/results/folder.py" "$VOXPHYS_SOURCE" "$published" 1 3 || exit 1 # no speed-up that is reported for this kernel alone
sed -i "$old" "$published"/*.json
VOXPHYS_DATA=$scratch/then told 0 "14 rows, official" make "$published"
expect_equal "rows of then" "$(jq -r '.rows[].name' "$published/results.json" | grep -c '^old/\|^old_ray/')" 10
cp -r "$published" "$scratch/kept"

export VOXPHYS_DATA=$scratch/today
told 0 ": stands" verify "$published"
expect_equal "what is not known" "$(grep -c "not known\|no digest" <<<"$out")" "$(run results verify "$folder"; grep -c "not known\|no digest" <<<"$out")"
diff -r "$scratch/kept" "$published" || fail "the published files were altered"
run results compare "$published" "$folder" --json
expect_status 0
expect_json "all rows are of both" '(.rows | length) == 14 and .only_in_a == 0 and .only_in_b == 0'
expect_json "under today's names" '[.rows[].name | split("/")[0]] | unique == ["dilate_world", "hull3", "kd_ray", "noise", "stream_read"]'
told 0 "1 rows of both" compare "$folder" "$published" --rows kd_ray/avx2/

# ---- faults ----
folder=$published
copy
sed -i 's/\bold\b/dilate_world/g' "$other/results.json"
told 1 "wrong: the seal is" verify "$other"
copy
jq '(.rows[] | select(.name == "old/avx2/terrain-l2")).samples_ns[0] = 1' "$published/results.json" >"$other/results.json"
told 1 "wrong: row dilate_world/avx2/terrain-l2: sample 0 is 1 ns" verify "$other"
VOXPHYS_DATA=$scratch/forgotten told 1 "verify.json: old_ray/chunks/coherent by scalar: no such check is known here" verify "$published"
VOXPHYS_DATA=$scratch/damaged told 2 'retired-names.json: "old" has no name' verify "$published"
rm "$scratch/damaged/retired-names.json"
VOXPHYS_DATA=$scratch/damaged told 2 "retired-names.json: No such file" verify "$published"

# Results made again from old raw files have the new names.
alter
told 0 "14 rows" make "$other"
expect_equal "the rows" "$(jq -c '[.rows[].name]' "$other/results.json")" "$(jq -c '[.rows[].name]' "$results")"
told 0 ": stands" verify "$other"

finish
