#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write.py FOLDER [FAMILY...]: writes the families of the corpus, all or some, to a folder, which it makes if need be. Takes half a minute; every run
writes the same bytes."""
import os
import sys

sys.dont_write_bytecode = True  # the folder stays as it is

import grids
import hulls
import rays
import surfaces

FAMILIES = {"dilation": grids.dilation, "overlap": grids.overlap, "grid-walk": grids.grid_walk, "ray-triangle": rays.ray_triangle,
            "ray-mesh": rays.ray_mesh, "aabb-gather": rays.aabb_gather, "mesher": surfaces.mesher, "hull2": hulls.hull2, "hull3": hulls.hull3}

if len(sys.argv) < 2 or any(name not in FAMILIES for name in sys.argv[2:]):
    sys.exit(f"usage: write.py FOLDER [FAMILY...], of {', '.join(FAMILIES)}")
try:
    os.makedirs(sys.argv[1], exist_ok=True)
except OSError as error:
    sys.exit(f"write.py: {sys.argv[1]}: {error.strerror}")
for name in sys.argv[2:] or FAMILIES:
    FAMILIES[name]().write(sys.argv[1])
