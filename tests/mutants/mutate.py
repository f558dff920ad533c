# SPDX-License-Identifier: MIT
"""mutate.py NAME SOURCE COPY: a copy of a kernel's header with the bug of that name planted: one text, which is there once, becomes another."""
import os
import sys

BUGS = {
    # the row of voxels after a chunk, off by one
    "border": ("u64x8_shr(back, 56)", "u64x8_shr(back, 57)"),
    # any one of equally near triangles
    "tie": ("return triangle < a->triangle;", "return triangle > a->triangle;"),
    # the lanes of one axis not swapped like the others
    "lanes": ("swapped = {f32x8_swap_halves(p.x), f32x8_swap_halves(p.y), p.z}", "swapped = {f32x8_swap_halves(p.x), p.y, p.z}"),
    # "not greater" instead of "less or equal": a NaN passes
    "nan": ("(m32x4_movemask(f32x4_cmp_le(min, max)) & 7) == 7", "(m32x4_movemask(f32x4_cmp_gt(min, max)) & 7) == 0"),
}

name, source, copy = sys.argv[1:]
old, new = BUGS[name]
with open(source, encoding="utf-8") as f:
    text = f.read()
if text.count(old) != 1:
    sys.exit(f"{source} has {text.count(old)} times what the bug '{name}' changes: {old}")
os.makedirs(os.path.dirname(copy), exist_ok=True)
with open(copy, "w", encoding="utf-8") as f:
    f.write(text.replace(old, new))
