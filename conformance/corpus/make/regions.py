# SPDX-License-Identifier: MIT
"""The family regions. The oracle joins pairs of neighbours, in another order than a search."""
from cells import Grid
from corpus import family
from members import CELLS, one_of, text_of

ANCHORS = ("bottom", "border")
DIGITS = 6


def joined(g):
    """Returns {cell: lowest cell connected by faces} by number, for each solid cell."""
    root = {g.at(*c): g.at(*c) for c in g.cell if g.get(*c) == "#"}

    def of(i):
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for x, y, z in g.cell:
        for dx, dy, dz in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            if g.get(x, y, z) == "#" and g.get(x + dx, y + dy, z + dz) == "#":
                a, b = of(g.at(x, y, z)), of(g.at(x + dx, y + dy, z + dz))
                root[max(a, b)] = min(a, b)
    return {i: of(i) for i in root}


def is_anchor(g, c, anchors):
    return c[1] == 0 if anchors == "bottom" else any(v in (0, n - 1) for v, n in zip(c, g.n))


def regions_of(g, anchors):
    """Returns six hexadecimal digits for each cell: the number of its region, 0 for a cell that is not solid or is connected to an anchor."""
    root = joined(g)
    held = {root[g.at(*c)] for c in g.cell if g.get(*c) == "#" and is_anchor(g, c, anchors)}
    number = {r: i + 1 for i, r in enumerate(sorted(set(root.values()) - held))}
    return "".join(f"{number.get(root.get(g.at(*c)), 0):0{DIGITS}x}" for c in g.cell)


@family("regions", "Loose regions of voxels",
        "A grid of air, solid and water, and what is anchored: 'bottom', the solid cells with y = 0, or 'border', those of the grid's outermost layers. "
        "Solid cells hold each other by faces, not by edges or corners; water and air hold nothing. What hangs on no anchor is loose, and its connected parts are regions. "
        "Which cells are loose, and in which region?",
        "Six hexadecimal digits a cell, in the order of the cells: 000000 of a cell that isn't solid or hangs, otherwise its region's number. Regions are numbered from 1 "
        "in the order of their lowest cells.",
        {"nothing": "nothing is loose", "all": "everything that is solid is loose", "touch": "cells that have only an edge or a corner in common",
         "water": "water between solid cells", "several": "several regions: their order shows", "around": "one region is around another one, or in its way",
         "long": "a long way from a cell to its anchor", "thin": "a grid one cell thick", "border": "what is at the grid's border", "random": "cells at random"},
        promises=["exact"], input={**CELLS, "anchors": one_of(*ANCHORS)},
        answers=[{"regions": text_of(f"([0-9a-f]{{{DIGITS}}})+")}])
def regions(data, flags):
    return "exact", {"regions": regions_of(Grid.of(data), data["anchors"])}
