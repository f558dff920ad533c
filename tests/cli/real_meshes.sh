#!/bin/bash
# SPDX-License-Identifier: MIT
# real_meshes.sh: trees of every form and instruction set give the same answers on real meshes. These are meshes of installed packages
# (such as Debian's glmark2-data and assimp-testmodels) and of the folder VOXPHYS_MESHES. Exit code 77 without any mesh.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"
export LC_ALL=C

mapfile -t meshes < <(find /usr/share/glmark2/models /usr/share/assimp/models ${VOXPHYS_MESHES:+"$VOXPHYS_MESHES"} -type f -size -8M \
    \( -name '*.obj' -o -name '*.ply' -o -name '*.off' -o -name '*.stl' -o -name '*.gltf' -o -name '*.glb' \) 2>/dev/null | sort | head -n 40)
if [[ ${#meshes[@]} -eq 0 ]]; then
    echo "no meshes here"
    exit 77
fi
mapfile -t isas < <(list_isas)
forms=(wide slab published)
read=0
hits=0
for mesh in "${meshes[@]}"; do
    # Some meshes are invalid on purpose. Such a mesh must end with a message only.
    run raycast "$mesh" --hits 0 --isa scalar --form published --json
    if [[ $status -ne 0 ]]; then
        expect_status 2
        expect_in stderr "$err" "voxphys raycast: "
        continue
    fi
    read=$((read + 1))
    want=$(member digest)
    hits=$((hits + $(jq .rays.hits <<<"$out")))
    # Each mesh by two versions and two forms, in turn. cases.* compare all of them.
    for ((k = 0; k < 2; k++)); do
        run raycast "$mesh" --hits 0 --isa "${isas[(read + k) % ${#isas[@]}]}" --form "${forms[(read + k) % 3]}" --json
        expect_status 0
        expect_equal "the digest" "$(member digest)" "$want"
    done
done
[[ $read -gt 0 ]] || fail "none of ${#meshes[@]} meshes could be read"
[[ $hits -gt 0 ]] || fail "no ray hits any mesh"
echo "$read of ${#meshes[@]} meshes"
finish
