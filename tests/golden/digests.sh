#!/bin/bash
# SPDX-License-Identifier: MIT
# digests.sh all|most|WORLD...: every version of every kernel gives the digests of digests.json, which is one file for all compilers,
# optimisation levels and architectures. "all" runs every data set of a full verification with the native versions, and the file must
# contain exactly these digests. "most" runs the data sets of the manifest that do not take long. Named worlds, with "most" or alone, run
# with all versions. Rays have the same digests by brute force and in wide trees, and in trees of all other forms, also in packets.
# docs/CONTRACT.md: ALL-1, RAY-1, TRE-1, MSH-2, FIL-1, SPH-8
set -euo pipefail
golden=$VOXPHYS_SOURCE/datasets/digests.json
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
large='chunks-degenerate terrain-l3 forest dense random-90 luanti terrain-huge terrain-dram terrain-230k world-230k world-luanti world-forest chunks-luanti solid-blob-111k all-mixed sphere uv-sphere'

for world in "$@"; do
    if [[ $world == all ]]; then
        voxphys verify --isa native --json >"$scratch/all.json"
    elif [[ $world == most ]]; then
        most=$(jq -r --arg large "$large" '.sets[] | select(.kind | IN("world", "meshes", "points", "solids")).name | select(IN($large | splits(" ")) | not)' \
            "$VOXPHYS_SOURCE/datasets/manifest.json")
        for each in $most; do
            voxphys verify --isa native --dataset "$each" --json >"$scratch/native-$each.json"
        done
    else
        voxphys verify --dataset "$world" --json >"$scratch/$world.json"
    fi
done

# shellcheck disable=SC2016 # variables of jq
jq --null-input --raw-output --slurpfile golden "$golden" --arg what "$*" '
    $golden[0].verify as $golden
    | [inputs.checks[] | {key: "\(.kernel)/\(.dataset)\(if .form == null or .form == "wide" then "" else "/" + .form end)", isa: "\(.isa)/\(.via)", world: (.dataset | split("/")[0]), digest}] as $checks
    | ([$checks[].world] | unique) as $worlds
    | ($checks | map(select($golden[.key] != .digest) |
        "FAIL: \(.key) by \(.isa): \(.digest), digests.json has \($golden[.key] // "none")")) as $wrong
    | ($golden | keys | map(select(($what | split(" ") | any(. == "all")) or (split("/")[1] | IN($worlds[])))) - [$checks[].key]
        | map("FAIL: \(.) is in digests.json but was not verified")) as $absent
    | ($golden | to_entries | map(select(.key | test("^(brute_ray|kd_ray(8|16)?)/")))
        | group_by(.key | sub("^[^/]*"; "") | sub("/(packed|implied|published|slab|triangles)$"; "/form"))
        | map(select(map(.value) | unique | length > 1) | "FAIL: \(.[0].key) and \(.[-1].key) have several digests in digests.json")) as $unlike
    | ($what | split(" ") | map(select(. != "all" and . != "most" and (IN($worlds[]) | not))) | map("FAIL: nothing was verified on \(.)")) as $missed
    | ($wrong + $absent + $missed + $unlike)[0:20][],
      "\($checks | length) digests by \([$checks[].isa] | unique | join(", ")); \($wrong + $absent + $missed + $unlike | length) failures"
' "$scratch"/*.json | tee "$scratch/result"
grep -qE '^[1-9][0-9]* digests by .*; 0 failures$' "$scratch/result"
