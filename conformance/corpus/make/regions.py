# SPDX-License-Identifier: MIT
"""The family of loose regions. Who holds whom is told by joining pairs of neighbours, in no order that a search has."""
from itertools import combinations

from cells import Grid
from corpus import Random, family
from members import CELLS, one_of, text_of

ANCHORS = ("bottom", "border")
DIGITS = 6


def joined(g):
    """Of each solid cell the lowest one that faces join it with, by number."""
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
    """Six hexadecimal digits a cell: 0 of what isn't solid or hangs, else the number of its region from 1 on."""
    root = joined(g)
    held = {root[g.at(*c)] for c in g.cell if g.get(*c) == "#" and is_anchor(g, c, anchors)}
    number = {r: i + 1 for i, r in enumerate(sorted(set(root.values()) - held))}
    return "".join(f"{number.get(root.get(g.at(*c)), 0):0{DIGITS}x}" for c in g.cell)


def arch(cuts):
    return Grid(12, 8, 4).where(lambda x, y, z: z in (1, 2) and (x in (1, 2, 9, 10) if y < 6 else 1 <= x < 11) and (x, y) not in cuts)


def shell(low):
    """And a cell in the middle."""
    return Grid(9, 9, 9).where(lambda *c: all(low <= v <= low + 4 for v in c) and (any(v in (low, low + 4) for v in c) or c == (low + 2,) * 3))


def spiral(held):
    g, x, z, dx, dz = Grid(9, 4, 9), 1, 1, 1, 0
    for length in (6, 6, 6, 4, 4, 2, 2):
        for _ in range(length):
            g.put(x, 2, z)
            x, z = x + dx, z + dz
        dx, dz = -dz, dx
    g.put(x, 2, z)
    return g.put(x, 1, z).put(x, 0, z) if held else g.put(x, 1, z)


def snake(cut):
    g, n = Grid(9, 3, 9), 0
    for z in range(1, 8, 2):
        xs = range(1, 8) if z % 4 == 1 else range(7, 0, -1)
        for x in xs:
            n += 1
            if n != cut:
                g.put(x, 1, z)
        if z < 7:
            g.put(xs[-1], 1, z + 1)
    return g.put(1, 0, 1)


def is_comb(x, y, z):
    return z == 1 and 1 <= x < 10 and (y == 4 and x != 5 or x % 2 == 1 and (0 if x % 4 == 1 else 2) <= y < 4)


def plates(a, b):
    return Grid(7, 7, 7).where(lambda x, y, z: (y in (a, b) and 1 <= x < 6 and 1 <= z < 6) or (y < a and x == z == 3))


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
def regions(f):
    def add(name, about, g, flags, both=True, cites=()):
        for anchors in ANCHORS if both else ANCHORS[:1]:
            said = regions_of(g, anchors)
            more = [] if any(c != "0" for c in said) else ["nothing"]
            solid = g.text().count("#")
            loose = sum(int(said[i:i + DIGITS], 16) > 0 for i in range(0, len(said), DIGITS))
            more += ["all"] if solid and loose == solid else []
            more += ["several"] if max(int(said[i:i + DIGITS], 16) for i in range(0, len(said), DIGITS)) > 1 else []
            f.add(f"{name}-{anchors}", about, "exact", {**g.json(), "anchors": anchors}, {"regions": said}, sorted(set(flags) | set(more)), cites)

    add("empty", "nothing", Grid(3, 3, 3), [])
    add("full", "everything solid", Grid(3, 3, 3).where(lambda *c: True), [])
    add("one", "one cell in the air", Grid(3, 3, 3).put(1, 1, 1), [])
    add("one-low", "one cell on the ground", Grid(3, 3, 3).put(1, 0, 1), [])
    add("one-side", "one cell at the side", Grid(3, 3, 3).put(0, 1, 1), ["border"])
    add("one-top", "one cell in the highest layer", Grid(3, 3, 3).put(1, 2, 1), ["border"])
    add("single", "a grid of one cell", Grid(1, 1, 1).put(0, 0, 0), ["thin", "border"])
    add("edge", "cells with an edge in common: the upper one falls", Grid(4, 3, 4).put(1, 0, 1).put(2, 1, 1), ["touch"])
    add("corner", "cells with a corner in common", Grid(4, 3, 4).put(1, 0, 1).put(2, 1, 2), ["touch"])
    add("edges-above", "loose cells that touch by edges: two regions", Grid(5, 5, 5).put(1, 2, 1).put(2, 3, 1).put(2, 2, 2), ["touch"])
    add("wrap", "the last cell of a row and the first of the next, which are no neighbours", Grid(4, 3, 4).put(3, 1, 1).put(0, 1, 2).put(0, 0, 2), ["border"])
    add("wrap-layer", "the same of layers", Grid(3, 4, 3).put(2, 1, 2).put(0, 2, 0), ["border"])
    add("pool", "a stone in water, which doesn't hold it", Grid(5, 4, 5).where(lambda *c: "~").put(2, 2, 2), ["water"])
    add("raft", "a post of solid with one cell of water in it", Grid(3, 5, 3).put(1, 0, 1).put(1, 1, 1, "~").put(1, 2, 1).put(1, 3, 1), ["water"])
    for name, cuts in (("whole", ()), ("left", ((1, 3), (2, 3))), ("both", ((1, 3), (2, 3), (9, 2), (10, 2))), ("half", ((1, 3), (9, 2))),
                       ("top", ((5, 6), (5, 7))), ("three", ((1, 3), (2, 3), (9, 2), (10, 2), (6, 6), (6, 7)))):
        add(f"arch-{name}", "an arch on two pillars, cut", arch(cuts), [], both=False)
    add("shell", "a loose shell with a loose cell inside", shell(2), ["around"])
    add("nest", "a shell that stands on a post, with a loose cell inside", shell(2).put(4, 1, 4).put(4, 0, 4), ["around"])
    add("spiral", "a wall that goes round and round, on the ground at its inner end", spiral(True), ["long"])
    add("spiral-loose", "the same, a cell above the ground", spiral(False), ["long"])
    add("snake", "a thread through a grid, held at its end", snake(0), ["long"])
    add("snake-cut", "the same, cut in the middle", snake(17), ["long"])
    add("comb", "a beam with teeth, of which every other one reaches the ground", Grid(11, 6, 3).where(is_comb), [])
    add("rain", "cells that each fall by themselves", Grid(6, 6, 6).where(lambda *c: sum(c) % 2 == 0), ["touch"])
    add("flat", "a grid one cell high: all is the lowest layer", Grid(7, 1, 6).soup(3, "#~", 2), ["thin", "border"])
    add("wall", "a grid one cell thick", Grid(8, 6, 1).soup(4, "#", 2), ["thin", "border"])
    add("row", "a row", Grid(19, 1, 1).soup(5, "#", 2), ["thin", "border"])
    add("column", "a column with a hole", Grid(1, 9, 1).put(0, 0, 0).put(0, 1, 0).put(0, 3, 0).put(0, 4, 0), ["thin", "border"])
    for a, b in combinations((2, 3, 5), 2):
        add(f"plates-{a}{b}", "plates in two heights, held by a post under one", plates(a, b), ["around"])
    for seed, (n, one_in) in enumerate((((7, 6, 7), 2), ((9, 5, 8), 2), ((8, 9, 7), 3), ((6, 6, 6), 1), ((9, 7, 9), 3), ((10, 4, 10), 2))):
        add(f"random-{seed}", f"one cell in {one_in}", Grid(*n).soup(70 + seed, "###~" if one_in < 2 else "#", one_in), ["random"])
    for seed in range(6):
        g = Grid(9, 7, 8).soup(90 + seed, "##", 1)
        r = Random(190 + seed)
        for c in g.cell:
            if r.below(10) < 3 + seed % 3:
                g.put(*c, ".")
        add(f"caves-{seed}", "solid with cells taken out at random", g, ["random"])
    return lambda name, about, q, *more: f.add(name, about, "exact", q, {"regions": regions_of(Grid.of(q), q["anchors"])}, *more)
