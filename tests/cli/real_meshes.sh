#!/bin/bash
# SPDX-License-Identifier: MIT
# real_meshes.sh: meshes of this system's packages, where there are any (Debian's glmark2-data and assimp-testmodels bring
# some), and those of the folder VOXPHYS_MESHES: trees of every form by every instruction set answer alike. Exit code 77 where there is no mesh.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
export LC_ALL=C

mapfile -t meshes < <(find /usr/share/glmark2/models /usr/share/assimp/models ${VOXPHYS_MESHES:+"$VOXPHYS_MESHES"} -type f -size -8M \
    \( -name '*.obj' -o -name '*.ply' -o -name '*.off' -o -name '*.stl' -o -name '*.gltf' -o -name '*.glb' \) 2>/dev/null | sort | head -n 40)
if [[ ${#meshes[@]} -eq 0 ]]; then
    echo "no meshes here"
    exit 77
fi
mapfile -t isas < <(usable_isas)
forms=(wide slab published)
read=0
hits=0
for mesh in "${meshes[@]}"; do
    # Some of these are there to be refused: that must be a message and no more.
    run raycast "$mesh" --hits 0 --isa scalar --form published --json
    if [[ $status -ne 0 ]]; then
        expect_status 2
        expect_in stderr "$err" "voxphys raycast: "
        continue
    fi
    read=$((read + 1))
    want=$(member digest)
    hits=$((hits + $(jq .rays.hits <<<"$out")))
    # Each mesh by two versions and in two forms, in turn: cases.* compare all of them.
    for ((k = 0; k < 2; k++)); do
        same_with "$want" --isa "${isas[(read + k) % ${#isas[@]}]}" raycast "$mesh" --hits 0 --form "${forms[(read + k) % 3]}"
    done
done
[[ $read -gt 0 ]] || fail "none of ${#meshes[@]} meshes could be read"
[[ $hits -gt 0 ]] || fail "no ray hits any mesh"
echo "$read of ${#meshes[@]} meshes"
finish
