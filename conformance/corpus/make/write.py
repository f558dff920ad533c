#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write.py FOLDER [FAMILY...]: writes the families of the corpus, all or some, to a folder, which it makes if need be. Takes half a minute; every run
writes the same bytes. Nothing is written if a file of found/ is not as it should be."""
import os
import sys

sys.dont_write_bytecode = True  # the folder stays as it is

import cases
import grids
import hulls
import rays
import surfaces

FAMILIES = {"dilation": grids.dilation, "overlap": grids.overlap, "grid-walk": grids.grid_walk, "ray-triangle": rays.ray_triangle,
            "ray-mesh": rays.ray_mesh, "aabb-gather": rays.aabb_gather, "mesher": surfaces.mesher, "hull2": hulls.hull2, "hull3": hulls.hull3}

if len(sys.argv) < 2 or any(name not in FAMILIES for name in sys.argv[2:]):
    sys.exit(f"usage: write.py FOLDER [FAMILY...], of {', '.join(FAMILIES)}")
try:
    cases.all_found()  # those of other families too
    made = [FAMILIES[name]() for name in sys.argv[2:] or FAMILIES]
except cases.Mistake as error:
    sys.exit(f"write.py: {error}")
except Exception as error:
    if cases.now is None:
        raise
    path, case = cases.now
    why = error if isinstance(error, ValueError) else f"input is {cases.shown(case['input'])}, and no oracle can answer it ({type(error).__name__})"
    sys.exit(f"write.py: {path}: {why}")
try:
    os.makedirs(sys.argv[1], exist_ok=True)
except OSError as error:
    sys.exit(f"write.py: {sys.argv[1]}: {error.strerror}")
for family in made:
    family.write(sys.argv[1])
