#!/bin/bash
# SPDX-License-Identifier: MIT
# real_meshes.sh: meshes of this system's packages, where there are any (Debian's glmark2-data and assimp-testmodels bring
# some), and those of the folder VOXPHYS_MESHES: trees of every form by every instruction set answer alike. Exit code 77 where there is no mesh.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
unset VOXPHYS_ISA
export LC_ALL=C

mapfile -t meshes < <(find /usr/share/glmark2/models /usr/share/assimp/models ${VOXPHYS_MESHES:+"$VOXPHYS_MESHES"} -type f -size -8M \
    \( -name '*.obj' -o -name '*.ply' -o -name '*.off' -o -name '*.stl' -o -name '*.gltf' -o -name '*.glb' \) 2>/dev/null | sort | head -n 40)
if [[ ${#meshes[@]} -eq 0 ]]; then
    echo "no meshes here"
    exit 77
fi
isas=$(voxphys info --json | jq -r '.isas[] | select(.usable) | if .via == "simde" then .name + "-simde" else .name end')
read=0
hits=0
for mesh in "${meshes[@]}"; do
    # Some of these are there to be refused: that must be a message and no more.
    voxphys raycast "$mesh" --hits 0 --isa scalar --form published --json >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    if [[ $status -ne 0 ]]; then
        shown="raycast $mesh"
        expect_status 2
        expect_in stderr "$(cat "$scratch/err")" "voxphys raycast: "
        continue
    fi
    read=$((read + 1))
    want=$(jq -c '[.digest, .rays.hits]' "$scratch/out")
    hits=$((hits + $(jq '.rays.hits' "$scratch/out")))
    for isa in $isas; do
        for form in wide slab published; do
            run raycast "$mesh" --hits 0 --isa "$isa" --form "$form" --json
            expect_status 0
            expect_equal "the hits by $isa in the $form form" "$(jq -c '[.digest, .rays.hits]' <<<"$out")" "$want"
        done
    done
done
checks=$((checks + 2))
[[ $read -gt 0 ]] || fail "none of ${#meshes[@]} meshes could be read"
[[ $hits -gt 0 ]] || fail "no ray hits any mesh"
echo "$read of ${#meshes[@]} meshes"
finish
