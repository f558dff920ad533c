# SPDX-License-Identifier: MIT
"""mutate.py NAME SOURCE FOLDER: a copy of the source's optimized/ in FOLDER, with the bug of that name planted: one text, which is there
once, becomes another. "none" and "fused" change nothing: the one is compiled as the library is, the other with fused operations."""
import os
import shutil
import sys

BUGS = {
    "none": None,
    "fused": None,
    # the row of voxels behind a chunk, off by one
    "border": ("broadphase/slices_avx2.h", "_mm256_srli_epi64(back, 56)", "_mm256_srli_epi64(back, 57)"),
    # of equally near triangles any
    "tie": ("kd/leaf.h", "(a->found == 0 || triangle < a->triangle)", "(a->found == 0 || triangle > a->triangle)"),
    # the lanes of one axis not swapped with those of the others
    "lanes": ("kd/leaf.h", "swapped = {f8_swap(p.x), f8_swap(p.y), p.z}", "swapped = {f8_swap(p.x), p.y, p.z}"),
    # "not greater" instead of "less or equal": a NaN passes
    "nan": ("broadphase/overlap_x86.h", "_mm_cmple_ps(min, max)", "_mm_cmpngt_ps(min, max)"),
}

name, source, folder = sys.argv[1:]
out = os.path.join(folder, "optimized")
shutil.copytree(os.path.join(source, "optimized"), out, dirs_exist_ok=True)
if BUGS[name] is not None:
    file, old, new = BUGS[name]
    path = os.path.join(out, file)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if text.count(old) != 1:
        sys.exit(f"{file} has {text.count(old)} times what the bug '{name}' changes: {old}")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(old, new))
