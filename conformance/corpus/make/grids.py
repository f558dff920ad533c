# SPDX-License-Identifier: MIT
"""Families of grids: dilation, overlap of a box with dilated voxels, and rays that walk from cell to cell."""
from fractions import Fraction
from itertools import permutations, product
from math import floor

from cells import AROUND, Grid
from corpus import INF, above, below, bits, exact, family, is_finite, number
from members import BOX, CELL, CELLS, FIRST, MASK, NONE, RANGE, RAY, REFUSED, one_of


# ---- dilation ----

def dilated(g, what):
    """Returns the mask of cells with `what` among the 27 around them."""
    return "".join("1" if any(g.get(x + a, y + b, z + c) == what for a, b, c in AROUND) else "0" for x, y, z in g.cell)


@family("dilation", "Binary dilation of voxels by 3 x 3 x 3",
        "A grid of air, solid and water. Which voxels have a solid one among the 27 around them, and which have a water one? "
        "Outside the grid is air.",
        "Two strings of 0 and 1, in the order of the cells.",
        {"border": "a voxel at the grid's border, where nothing comes in from outside",
         "chunk-border": "what is set in one block of 8 x 8 x 8 reaches into the next",
         "odd-extents": "extents that are no multiples of 8",
         "two-classes": "solid and water near each other: neither may hide the other",
         "empty": "nothing is set", "full": "all is set"},
        promises=["exact"], input=CELLS,
        answers=[{"solid": MASK, "water": MASK}])
def dilation(data, flags):
    g = Grid.of(data)
    return "exact", {"solid": dilated(g, "#"), "water": dilated(g, "~")}


# ---- overlap ----

def touched(g, low, high):
    """Returns which dilated voxels lie from floor(min) - 1 to floor(max) + 1."""
    ranges = []
    for axis in range(3):
        a, b = number(low[axis]), number(high[axis])
        if not a <= b:
            return "invalid"
        size = g.n[axis]
        first = -2 if a == -INF else size + 1 if a == INF else floor(a)  # a whole number of any size, so exact
        last = -2 if b == -INF else size + 1 if b == INF else floor(b)
        ranges.append(range(max(first - 1, 0), min(last + 1, size - 1) + 1))
    dilations = {"solid": dilated(g, "#"), "water": dilated(g, "~")}
    found = [what for what, bits_of in dilations.items()
             if any(bits_of[g.at(x, y, z)] == "1" for x in ranges[0] for y in ranges[1] for z in ranges[2])]
    return "none" if not found else "both" if len(found) == 2 else found[0]


@family("overlap", "A box against dilated voxels",
        "A grid of air, solid and water, and a closed box. Voxel i covers [i, i + 1). Dilate solid and water by 3 x 3 x 3 within the "
        "grid; then of the voxels from floor(min) - 1 to floor(max) + 1 on each axis, cut to the grid: is one solid, is one water?",
        "One of none, solid, water, both; invalid, for a box with a NaN or with min > max.",
        {"whole": "a face at a whole number, which belongs to the voxel above it",
         "beside-whole": "a face one number of binary32 beside a whole one",
         "negative": "faces below 0, which are floored, not truncated",
         "zero": "-0, which is 0; the smallest denormals",
         "far": "far outside, where adding 1 to a binary32 changes nothing, or beyond whole numbers of 32 bits",
         "infinite": "faces at infinity: valid", "nan": "a NaN: invalid", "inverted": "min > max on an axis: invalid",
         "point": "a box of one point", "water": "water is told apart"},
        promises=["exact", "tie"], input={**CELLS, **BOX},
        answers=[{"touch": one_of("none", "solid", "water", "both", "invalid")}, REFUSED])
def overlap(data, flags):
    said = touched(Grid.of(data), data["min"], data["max"])
    return ("tie", [{"touch": "invalid"}, {"refused": True}]) if said == "invalid" else ("exact", {"touch": said})


# ---- grid walk ----

def stays(o, d, t_max, cell, margin=0):
    """Returns (enter, leave, inside) of a ray in a closed cell grown by the margin, or None. `inside`: the ray enters its interior."""
    enter, leave, inside = Fraction(0), t_max, True
    for k in range(3):
        low, high = cell[k] - margin - o[k], cell[k] + 1 + margin - o[k]
        if d[k] == 0:
            if low > 0 or high < 0:
                return None
            inside = inside and low < 0 < high
            continue
        a, b = sorted((low / d[k], high / d[k]))
        enter, leave = max(enter, a), min(leave, b)
    if enter > leave:
        return None
    if enter == leave:  # a point: inside only where that is strictly within on every axis
        inside = all(cell[k] < o[k] + enter * d[k] < cell[k] + 1 for k in range(3))
    return enter, leave, inside


def first_inside(g, solid, o, d, far):
    """Returns (t, cell) of the first solid cell whose interior a ray enters, or None."""
    found = None
    for c in solid:
        stay = stays(o, d, far, c)
        if stay is not None and stay[2] and (found is None or stay[0] < found[0]):
            found = (stay[0], c)
    return found


def walked(g, ray):
    """Returns all right answers. A ray through an edge, a corner or along a face may enter any cell that a neighbouring ray enters. Neighbours are infinitely close, or
    2^-22 of the largest coordinate away, as rounding to binary32 may move a ray. None is right only if a neighbour meets nothing."""
    o = [exact(w) - g.first[k] for k, w in enumerate(ray["origin"])]
    d = [exact(w) for w in ray["direction"]]
    t_max = exact(ray["t_max"])
    far = Fraction(10) ** 60 if t_max is None else t_max
    size = max(abs(v) for v in o + [Fraction(v) for v in g.n] + [Fraction(v) for v in g.first])
    beside, longest = size / Fraction(2) ** 22, max(abs(v) for v in d)
    solid = [c for c in g.cell if g.get(*c) == "#" and stays(o, d, far + 1 + beside / longest, c, beside * 2) is not None]
    found = set()
    if not any(d[k] == 0 and o[k].denominator == 1 for k in range(3)):
        found.add(first_inside(g, solid, o, d, far))
    within = next((c for c in solid if all(c[k] < o[k] < c[k] + 1 for k in range(3))), None)
    little = [Fraction(1, 10**200), Fraction(1, 10**240), Fraction(1, 10**280)]
    for order in permutations(little) if within is None else ():  # rounding does not change the cell of an origin
        for signs in product((-1, 1), repeat=3):
            begin = [o[k] + signs[k] * order[k] for k in range(3)]
            for end in (-1, 1):
                found.add(first_inside(g, solid, begin, d, max(far + end * Fraction(1, 10**160), Fraction(0))))
    for move in product((-1, 0, 1), repeat=3) if within is None else ():  # and by as much as rounding may move it
        begin = [o[k] + move[k] * beside + little[k] for k in range(3)]
        for end in (-1, 1):
            found.add(first_inside(g, solid, begin, d, max(far + end * beside / longest, Fraction(0))))
    slack = size / Fraction(2) ** 20 / longest
    said = {}
    for hit in sorted(h for h in found if h is not None):
        said.setdefault(hit[1], hit[0])
    answers = [{"cell": [c[k] + g.first[k] for k in range(3)], "t": [bits(below(max(t - slack, Fraction(0)))), bits(above(t + slack))]}
               for c, t in said.items()]
    return answers + ([{"none": True}] if None in found else [])


@family("grid-walk", "The first solid cell that a ray comes to",
        "A grid whose cell (x, y, z) covers [x, x + 1) and so on, and a ray: origin + t * direction, 0 <= t <= t_max, a direction of any "
        "length. Which solid cell does it come into first, and at which t? Outside the grid is air; a ray that begins in a solid cell "
        "is there at t = 0.",
        "none, or the cell and t.",
        {"axis": "a direction along an axis", "zero": "a component of the direction that is 0",
         "minus-zero": "a component of the direction that is -0", "edge": "the ray runs along an edge of cells, or through one: any of the cells there may be told",
         "corner": "the ray goes through a corner of cells: any of the cells there may be told", "face": "the ray runs along a face between cells",
         "negative": "cells below 0: places are floored, not truncated", "start": "the ray begins in a solid cell, or at its border",
         "end": "t_max ends the ray before, in or at a cell", "outside": "the ray begins outside the grid, or never comes to it",
         "whole": "an origin of whole numbers", "small": "components or origins near the smallest numbers of binary32",
         "long": "a long way, in which sums of steps lose their digits", "invalid": "a direction of zero, a NaN: nothing, or a refusal",
         "scaled": "a direction that is not of length 1"},
        promises=["exact", "tie", "bound"], input={**CELLS, **RAY, **FIRST},
        answers=[{"cell": CELL, "t": RANGE}, NONE, REFUSED])
def grid_walk(data, flags):
    if not is_finite([data["origin"], data["direction"]]) or not any(exact(w) for w in data["direction"]) or not number(data["t_max"]) >= 0:
        return "tie", [{"none": True}, {"refused": True}]
    said = walked(Grid.of(data), data)
    return "tie" if len(said) > 1 else "bound", said, "t: 2^-20 of the largest coordinate in play, along the longest component of the direction"
