#!/bin/bash
# SPDX-License-Identifier: MIT
# memory.sh PROGRAM MODULE: the voxphys command out of memory. MODULE (no_memory.c) refuses one allocation, or one and all later ones, at
# many places of each run. The command reports it and ends with exit code 1 without leaving a partial file, or its output is unchanged.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
shopt -s nullglob
program=$1
module=$2
folder=$scratch/folder
export TMPDIR=$scratch/temporary
mkdir "$folder" "$TMPDIR"
first=5 # tries each of the first allocations
most=8  # and about this many of the rest
[[ -z $VOXPHYS_DEEP ]] || first=20 most=50

run_with() # VARIABLE=VALUE: the command, with its files in an empty folder
{
    local files=("$folder"/* "$folder"/.[!.]* "$TMPDIR"/*)
    [[ ${#files[@]} -eq 0 ]] || rm -rf "${files[@]}"
    declare -x "$1"
    LD_PRELOAD=$module "$program" "${arguments[@]}" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
}

print_outcome() # the output without times, and the written files
{
    local file
    grep -vE '"(([a-z]+_)?seconds|[a-z]+_per_second)"' "$scratch/out"
    for file in "$folder"/*; do
        echo "${file##*/}"
        cat "$file"
    done
}

check_outcome() # WHAT
{
    local left=("$folder"/.[!.]* "$TMPDIR"/*)
    IFS= read -r -d '' err <"$scratch/err"
    if [[ ${#left[@]} -ne 0 ]]; then
        fail "$1: a file is left over"
    elif [[ $status -eq 0 ]]; then
        print_outcome | cmp -s - "$scratch/wanted" || fail "$1: exit code 0 and another outcome"
    elif [[ $status -ne 1 ]]; then
        fail "$1: exit code $status"
    elif [[ $err != *[Mm]emory* ]]; then
        fail "$1: the message does not mention memory"
    fi
}

refuse_memory() # ARGUMENT...
{
    local n requests step tries=0 before=$failures
    arguments=("$@")
    shown="voxphys $*"
    run_with VOXPHYS_TEST_COUNT="$scratch/count"
    expect_status 0
    print_outcome >"$scratch/wanted"
    requests=$(<"$scratch/count")
    [[ $requests -gt 0 ]] || fail "it asks for no memory, or the module does not see it"
    step=$((1 + requests / most))
    for ((n = 1; n <= requests; n += n < first ? 1 : step)); do
        run_with VOXPHYS_TEST_FAIL_AT=$n
        check_outcome "request $n of $requests refused"
        if ((++tries % 4 == 0)); then
            run_with VOXPHYS_TEST_FAIL_FROM=$n
            check_outcome "requests $n to $requests refused"
        fi
        [[ $failures -lt $((before + 5)) ]] || return
    done
    echo "$shown: $tries of $requests requests refused in turn"
}

printf '{"min": ["0x1.8p+1", 3, 2.5], "max": ["0x1p+4", 40, "inf"]}\n%.0s' 1 2 3 >"$scratch/boxes.jsonl"
voxphys dataset make fuzz-1 -o "$scratch/world.vpw" >/dev/null || fail "no world"

# With the project's manifest, whose folder is searched for.
refuse_memory info --json

# With a small manifest, so that reading it takes fewer of the allocations.
mkdir "$scratch/data"
jq '.sets |= map(select(.name == "terrain-l2" or .name == "boxes-small" or .name == "ball"))
    | .sets[1].hashes |= {"terrain-l2"}' "$VOXPHYS_SOURCE/datasets/manifest.json" >"$scratch/data/manifest.json"
export VOXPHYS_DATA=$scratch/data
refuse_memory dataset info terrain-l2 --count --json
refuse_memory dataset make fuzz-1 -o "$folder/world.vpw" --json
refuse_memory dataset make ball/4000 -o "$folder/ball.points" --json
refuse_memory dataset import "$VOXPHYS_SOURCE/tests/fuzz/corpus/vox/scene" -o "$folder/world.vpw" --json
if [[ " ${*:3} " == *" png "* ]]; then
    refuse_memory dataset import "$VOXPHYS_SOURCE/tests/fuzz/corpus/png/grey-16" -o "$folder/world.vpw"
fi
refuse_memory broadphase "$scratch/world.vpw" --boxes "$scratch/boxes.jsonl" --queries 64 --json
refuse_memory mesh "$scratch/world.vpw" -o "$folder/mesh.obj" --json
printf '%s\n' '0 0 0' '4 0 0' '0 4 0' '0 0 4' '1 1 1' '1 4 4' >"$scratch/set.points"
refuse_memory hull "$scratch/set.points" -o "$folder/hull.ply" --json
echo '{"size": [16, 24, 16], "species": [{"name": "shrub", "like": "cherry"}], "plant": [{"species": "shrub", "at": [8, 8]}]}' >"$scratch/shrub.json"
refuse_memory grow "$scratch/shrub.json" --steps 40 --record "$scratch/shrub.vpr" -o "$folder/shrub.vpa" -o "$folder/shrub.vpw" --terrain --each --json
refuse_memory view "$scratch/shrub.vpr" --json
printf '%s' '{"steps": 3, "ground": {"size": [16, 16, 16], "fill": [{"low": [0, 0, 0], "high": [16, 4, 16], "material": 2},' \
    '{"low": [6, 4, 6], "high": [8, 9, 8], "material": 3}, {"low": [1, 2, 1], "high": [4, 4, 4], "material": 1}]},' \
    '"bodies": [{"shape": "box", "size": [1, 1, 1], "at": [2, 4, 2], "repeat": [2, 2, 1], "apart": [0.4, 1, 0]}],' \
    '"edits": [{"step": 2, "centre": [7, 5, 7], "radius": 1.5}]}' >"$scratch/scene.json"
refuse_memory simulate "$scratch/scene.json" --record "$scratch/scene.vpr" --json
refuse_memory hull "$scratch/set.points" --dimension 2 -o "$folder/hull.svg" --json
refuse_memory reduce "$scratch/set.points" -o "$folder/small.points" --json -- false {}
printf '%s\n' '32 90 32 0 -1 0' '{"origin": [1, 2, 3], "direction": [1, 0, 0]}' >"$scratch/rays.txt"
refuse_memory raycast "$scratch/world.vpw" --ray 0,5,5,1,0.125,0 --ray 5,5,0,0,0,1 --all --json
refuse_memory collide "$scratch/world.vpw" --shape hull:ball/16 --pose 9,9,9 --triangles --json
refuse_memory world edit "$scratch/world.vpw" -o "$folder/edited.vpw" --edit "sphere 9 9 9 5 0" --edit "voxel 1 2 3 5" --loose
refuse_memory world raycast "$scratch/world.vpw" --rays "$scratch/rays.txt" --budget no-cache --json # else memory decides what is cached
if [[ " ${*:3} " == *" assimp "* ]]; then # the mesh reader is a separate process, with memory
    . "$VOXPHYS_SOURCE/tests/cli/meshes.bash"
    write_cube "$scratch/cube.glb" glb
    refuse_memory raycast "$scratch/cube.glb" --ray 0.25,0.5,-1,0,0,1 --json
    refuse_memory decompose "$scratch/cube.glb" --spacing 200 -o "$folder/hulls.glb" --check --json
    refuse_memory decompose "$scratch/cube.glb" --spacing 200 --record "$scratch/cube.vpr" --json
    printf '# a corner\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n' >"$scratch/corner.obj"
    refuse_memory decompose --check "$scratch/corner.obj" "$scratch/cube.glb" --unit world --within 3 --json
fi
if [[ " ${*:3} " == *" png "* ]]; then
    refuse_memory render "$scratch/world.vpw" --size 20x12 --samples 1 -o "$folder/picture.png" --json
fi
refuse_memory verify --dataset fuzz-1 --isa scalar --kernel overlap_chunks --json
finish
