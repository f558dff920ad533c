#!/bin/bash
# SPDX-License-Identifier: MIT
# references.sh LIBRARY SIMD: checks the symbols that the objects of optimized/ in a static library refer to. A version that called the
# scalar reference would always agree with it, and its benchmark would measure the reference. So none may refer to a symbol vp_*_scalar or
# to any library function except kernels of its own instruction set. The exact predicates of src/core/exact.c are allowed, because all
# versions share them. collide_<isa>.c may call the references of its kernels, for triangles without area and pairs that need a retry.
# scene_<isa>.c may call those of its kernels for trees of the published form, and the exact tests at leaves of src/spheretree/leaf.c.
# sweep_<isa>.c may call its reference for views of 2^31 blocks in a row.
set -euo pipefail
library=$1 simd=$2

. "$VOXPHYS_SOURCE/tests/files.bash"

objects=0
scalar=0
member=
set=
while read -r first name; do
    if [[ -z $name ]]; then
        member=${first%:}
        set=
        if [[ $member =~ _(plain|avx2|avx512|neon|simd128)\.c\.o$ ]]; then
            set=${BASH_REMATCH[1]}
            objects=$((objects + 1))
        fi
    elif [[ -n $set && $name == vp_* && $name != vp_*_"$set" && $name != vp_orient[23]d_exact && $name != vp_normal3_exact && ! ($member =~ ^collide_ && $name =~ ^vp_collide_(sphere|capsule|box|cylinder|hull)_scalar$) && ! ($member =~ ^sweep_ && $name == vp_block_sweep_scalar) && ! ($member =~ ^scene_ && $name =~ ^vp_(scene_(sphere|box|triangle|ray|ray_any|ray_all|pairs)_scalar|touch_(leaf|by_sphere|by_box|by_triangle)|pair_leaves|ray_(leaf|closest|any|all))$) ]]; then
        fail "$member refers to $name"
    elif [[ -z $set && $name == vp_*_scalar ]]; then
        scalar=$((scalar + 1)) # the registry does: symbols have the expected names, and nm lists references
    fi
done < <("$NM" --undefined-only "$library" | sed -nE 's/^([^ ]*:)$/\1/p; s/^ *[Uwv] (.*)$/ref \1/p')

[[ $scalar -ge 7 ]] || fail "only $scalar references to scalar kernels were found in the rest of $library"
case "$simd" in
ON | on | 1 | TRUE | YES) [[ $objects -ge 4 ]] || fail "only $objects objects of instruction sets were found in $library" ;;
esac

echo "$objects objects of instruction sets, $failures failures"
[[ $failures -eq 0 ]]
