#!/bin/bash
# SPDX-License-Identifier: MIT
# meshes.sh PROGRAM: hulls of the meshes of this system's packages, where there are any (Debian's glmark2-data, assimp-testmodels and
# libcgal-demo bring some), and of those of the folder VOXPHYS_MESHES. Exit code 77 where there is no mesh.
set -uo pipefail
program=$1
unset VOXPHYS_ISA
export LC_ALL=C

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for archive in /usr/share/doc/libcgal*/data.tar.gz ${VOXPHYS_MESHES:+"$VOXPHYS_MESHES"/data.tar.gz}; do
    if [[ -e $archive ]]; then
        tar -xzf "$archive" -C "$scratch" || exit 1
    fi
done
mapfile -t meshes < <(find /usr/share/glmark2/models /usr/share/assimp/models ${VOXPHYS_MESHES:+"$VOXPHYS_MESHES"} "$scratch" -type f -size -8M \
    \( -name '*.obj' -o -name '*.off' -o -name '*.xyz' -o -name '*.ply' \) 2>/dev/null | sort)
if [[ ${#meshes[@]} -eq 0 ]]; then
    echo "no meshes here"
    exit 77
fi
"$program" "${meshes[@]}"
