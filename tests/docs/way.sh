#!/bin/bash
# SPDX-License-Identifier: MIT
# way.sh VALGRIND COMMAND LIBRARY: docs/ARCHITECTURE.md, "The way of a manifold", names the .c files that vp_manifold_terrain enters, and no others.
# Callgrind counts the functions that run, and the library's symbols name their files. A name that two files define counts for none.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
VOXPHYS_ISA=avx2 "$1" --tool=callgrind --callgrind-out-file="$scratch/out" --toggle-collect=vp_manifold_terrain \
    "$2" collide terrain-l2 --shape box:1,1,1 --random 20 --whole >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
callgrind_annotate --threshold=100 "$scratch/out" | sed -nE "s/.*\?\?\?:([A-Za-z_0-9.]+).*/\1/p" | sort -u >"$scratch/functions"
nm -A "$3" 2>/dev/null | sed -nE 's/^[^:]*:([^:]*)\.o:.* [tT] (.*)/\2 \1/p' |
    awk 'NR == FNR { files[$1]++; file[$1] = $2; next } files[$1] == 1 { print file[$1] }' - "$scratch/functions" | sort -u >"$scratch/entered"
awk '/^## / { inside = $0 == "## The way of a manifold" } inside && /^```/ { drawn = !drawn } inside && drawn' \
    "$VOXPHYS_SOURCE/docs/ARCHITECTURE.md" | grep -oE '[a-z0-9_]+\.c\>' | sort -u >"$scratch/drawn"
diff "$scratch/drawn" "$scratch/entered" || { echo "FAIL: docs/ARCHITECTURE.md draws (<) files that a manifold does not enter, or lacks (>) some" >&2; exit 1; }
echo "a manifold enters the $(wc -l <"$scratch/drawn") files that docs/ARCHITECTURE.md draws"
