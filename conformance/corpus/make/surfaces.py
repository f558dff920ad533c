# SPDX-License-Identifier: MIT
"""The family mesher. Many surfaces are right, so a checker judges them."""
from corpus import family
from members import FULL, one_of


@family("mesher", "A surface around voxels",
        "A grid of cells, cell (x, y, z) covering [x, x + 1) and so on, each with a number f from 0 to 255: 0 is air, any other is "
        "(f + 1)/256 full. Outside is air. Make a surface around the cells that are more than half full, those with f of 128 and more: a net, "
        "marching cubes, cubes, whatever.",
        "A mesh of triangles, counterclockwise seen from outside. It is closed: every edge is gone along as often one way as the other, where "
        "vertices in one place are one. The centres of cells that are more than half full are inside, those of all others outside, outside the grid "
        "too. Between the centres of two cells that have a face in common and are both inside, or both outside, there is none of it; between others it is "
        "gone through outward and inward by turns. Each part of it goes around a centre that is inside, or inward around one that is outside. Every vertex is "
        "in or at a cell that is more than half full or has one that is among the 26 around it.",
        {"empty": "nothing is more than half full", "partial": "cells that are nearly half full, or a little more",
         "border": "cells at the grid's border: the surface is closed there too", "diagonal": "cells that have an edge or a corner in common, and no face",
         "cavity": "air that is closed in: a surface within the surface", "thin": "plates and bars of one cell", "random": "cells at random",
         "chunk-border": "across blocks of 8 x 8 x 8"},
        promises=["property"], input=FULL,
        answers=[{"checker": one_of("surface")}])
def mesher(data, flags):
    return "property", {"checker": "surface"}
