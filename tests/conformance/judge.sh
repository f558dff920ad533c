#!/bin/bash
# SPDX-License-Identifier: MIT
# judge.sh: right answers that are spoiled, in every way that a family's answers can be, are found wrong, each of them. (A polygon of
# points that are nearly on a line may lack one corner and be right: those vectors are left out of that.) What is said in another way, and is
# right, is found right. Of the corpus one vector in three stands for all but before a release, of families that have few of a kind all do. A family's
# ways are asked side by side.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
unset VOXPHYS_ISA
timeout=2
[[ -z $VOXPHYS_SLOW ]] || timeout=30

# The corpus that is asked: of some families a part.
every=3
[[ -z $VOXPHYS_DEEP ]] || every=1
mkdir corpus
for file in "$VOXPHYS_SOURCE"/conformance/corpus/*.json; do
    part=$every
    [[ $file == */hull2.json || $file == */boxes.json || $file == */decompose.json || $file == */schema.json ]] && part=1
    jq --argjson part "$part" 'if .vectors then .vectors |= [to_entries[] | select(.key % $part == 0 or (.value.id | test("/flat|/line|/plane|/collinear"))).value] else . end' "$file" >"corpus/${file##*/}" || exit 1
done

# Each family's answers, spoiled in each way side by side.
python3 "$VOXPHYS_SOURCE/tests/conformance/family.py" ways >"$scratch/ways" || fail "the families cannot be read"
while read -r family ways; do
    adapters=()
    for way in $ways; do
        adapters+=(--adapter "python3 '$VOXPHYS_SOURCE/tests/conformance/family.py' spoil $way '$scratch/log.$way'")
    done
    run check --corpus "$scratch/corpus" --timeout "$timeout" --json --family "$family" "${adapters[@]}"
    expect_status 1
    checks=$((checks + 1))
    python3 "$VOXPHYS_SOURCE/tests/conformance/family.py" judged "$scratch/out" "$family" "$every" || fail "answers of $family"
done <"$scratch/ways"
finish
