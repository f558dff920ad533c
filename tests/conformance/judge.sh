#!/bin/bash
# SPDX-License-Identifier: MIT
# judge.sh: correct answers spoiled in every way that a family's answers can be are judged wrong, and correct answers in other words are
# judged right. A polygon of nearly collinear points may lack a corner and still be right, so those vectors are left out. Only before a
# release are all vectors used. Otherwise a family uses one in three, or all if it has few of a kind.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
cd "$scratch" || exit 1
unset VOXPHYS_ISA
timeout=2
[[ -z $VOXPHYS_SLOW ]] || timeout=30

# The corpus for this test, with part of the vectors for some families.
every=3
[[ -z $VOXPHYS_DEEP ]] || every=1
mkdir corpus
for file in "$VOXPHYS_SOURCE"/conformance/corpus/*.json; do
    part=$every
    [[ $file == */hull2.json || $file == */boxes.json || $file == */decompose.json || $file == */schema.json ]] && part=1
    jq --argjson part "$part" 'if .vectors then .vectors |= [to_entries[] | select(.key % $part == 0 or (.value.id | test("/flat|/line|/plane|/collinear"))).value] else . end' "$file" >"corpus/${file##*/}" || exit 1
done

# Families are tested in parallel, each with its answers spoiled in every way.
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
