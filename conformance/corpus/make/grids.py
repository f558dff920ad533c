# SPDX-License-Identifier: MIT
"""Families of grids: dilation, overlap of a box with dilated voxels, and rays that walk from cell to cell."""
from fractions import Fraction
from itertools import permutations, product
from math import floor

from cells import AROUND, Grid
from corpus import INF, NAN, Random, above, below, bits, exact, family, is_finite, nearest, number
from members import BOX, CELL, CELLS, FIRST, MASK, NONE, RANGE, RAY, REFUSED, one_of


# ---- dilation ----

def dilated(g, what):
    """By the definition: any of 27."""
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
def dilation(f):
    def add(name, about, g, flags=(), cites=()):
        f.add(name, about, "exact", g.json(), {"solid": dilated(g, "#"), "water": dilated(g, "~")}, flags, cites)

    add("empty", "nothing", Grid(8, 8, 8), ["empty"])
    add("full", "everything solid", Grid(8, 8, 8).where(lambda *c: True), ["full"])
    add("flooded", "everything water", Grid(8, 8, 8).where(lambda *c: "~"), ["full"])
    for x in (0, 7):
        for y in (0, 7):
            for z in (0, 7):
                add(f"corner-{x}{y}{z}", f"one voxel at corner ({x}, {y}, {z})", Grid(8, 8, 8).put(x, y, z), ["border"])
    for axis in range(3):
        for side in (7, 8):
            c = [4, 4, 4]
            n = [8, 8, 8]
            n[axis], c[axis] = 16, side
            add(f"across-{'xyz'[axis]}-{side}", f"one voxel on side {side} of the border between two blocks along {'xyz'[axis]}",
                Grid(*n).put(*c), ["chunk-border"])
    add("across-all", "one voxel where eight blocks meet", Grid(16, 16, 16).put(7, 7, 7), ["chunk-border"])
    add("across-all-high", "and on the other side", Grid(16, 16, 16).put(8, 8, 8), ["chunk-border"])
    add("wrap", "the last voxel of a row, which is no neighbour of the first one of the next",
        Grid(8, 8, 8).put(7, 3, 3).put(0, 5, 5), ["border"])
    add("beside", "solid beside water", Grid(8, 8, 8).put(3, 3, 3).put(4, 3, 3, "~"), ["two-classes"])
    add("around", "water around one solid voxel", Grid(8, 8, 8).where(lambda *c: "~" if all(2 <= v <= 6 for v in c) else 0).put(4, 4, 4), ["two-classes"])
    add("hole", "everything solid but one", Grid(8, 8, 8).where(lambda *c: c != (4, 4, 4)), ["full"])
    add("one", "a grid of one voxel", Grid(1, 1, 1).put(0, 0, 0), ["odd-extents"])
    add("flat", "a grid one voxel high", Grid(9, 1, 7).soup(5, "#~", 6), ["odd-extents"])
    add("row", "a row", Grid(19, 1, 1).soup(6, "#", 5), ["odd-extents"])
    add("odd", "extents that are no multiples of 8", Grid(9, 10, 11).soup(7, "#~", 40), ["odd-extents", "two-classes"])
    add("checkerboard", "every other voxel", Grid(8, 8, 8).where(lambda *c: sum(c) % 2 == 0))
    for seed in range(6):
        add(f"random-{seed}", f"one voxel in {3 << seed}", Grid(16, 8, 16).soup(100 + seed, "##~", 3 << seed), ["two-classes", "chunk-border"])
    return lambda name, about, q, *more: add(name, about, Grid.of(q), *more)


# ---- overlap ----

def touched(g, low, high):
    """What the voxels from floor(min) - 1 to floor(max) + 1 say after dilation: those from - 2 to + 2 before it."""
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
def overlap(f):
    one = Grid(16, 16, 16).put(8, 8, 8)

    def add(name, about, g, low, high, flags=(), cites=()):
        lo, hi = [bits(v) for v in low], [bits(v) for v in high]
        said = touched(g, lo, hi)
        if said == "invalid":
            f.add(name, about, "tie", {**g.json(), "min": lo, "max": hi}, [{"touch": "invalid"}, {"refused": True}], flags, cites)
        else:
            f.add(name, about, "exact", {**g.json(), "min": lo, "max": hi}, {"touch": said}, flags, cites)

    # The voxel is 8: dilated 7 to 9; a box touches it from floor(max) >= 6 on, up to floor(min) <= 10.
    for axis in range(3):
        a = "xyz"[axis]
        for where, flags in ((6.0, ["whole"]), (nearest(below(Fraction(6) - Fraction(1, 10**9))), ["beside-whole"]), (11.0, ["whole"]),
                             (below(Fraction(11) - Fraction(1, 10**9)), ["beside-whole"])):
            c = [8.5, 8.5, 8.5]
            c[axis] = where
            add(f"{a}-{bits(where)}", f"a point at {a} = {where!r}", one, c, c, flags + ["point"])
    for name, v in (("minus-zero", -0.0), ("denormal", number("00000001")), ("minus-denormal", number("80000001"))):
        corner = Grid(8, 8, 8).put(2, 0, 0)
        add(f"zero-{name}", f"a box that ends at {name} on x; voxel 2 reaches down to voxel 1, a box at voxel 0 up to that",
            corner, (-5.0, 0.0, 0.0), (v, 0.0, 0.0), ["zero"] + (["negative"] if name == "minus-denormal" else []))
    low = Grid(8, 8, 8).put(0, 0, 0)
    for v in (-1.0, -1.5, -2.0, number("bf800001"), -0.5, -3.0):
        add(f"below-{bits(v)}", f"a point at ({v!r}, 0, 0)", low, (v, 0.0, 0.0), (v, 0.0, 0.0), ["negative", "point"])
    add("far-above", "2^24 + 2, where 1 is half a step", one, (16777218.0, 8.0, 8.0), (16777220.0, 8.0, 8.0), ["far"])
    add("far-below", "-2^31", one, (-2147483648.0, 8.0, 8.0), (-2147483648.0, 8.0, 8.0), ["far", "negative"])
    add("far-both", "from -2^40 to 2^40", one, (-(2.0**40),) * 3, (2.0**40,) * 3, ["far"])
    add("largest", "from the lowest binary32 to the highest", one, (number("ff7fffff"),) * 3, (number("7f7fffff"),) * 3, ["far"])
    add("infinite", "everything", one, (-INF,) * 3, (INF,) * 3, ["infinite"])
    add("infinite-above", "from 12 on", one, (12.0, 0.0, 0.0), (INF,) * 3, ["infinite"])
    add("infinite-below", "up to 5", one, (-INF,) * 3, (5.0, 16.0, 16.0), ["infinite"])
    add("infinite-nowhere", "from infinity to infinity", one, (INF,) * 3, (INF,) * 3, ["infinite"])
    for k in range(6):
        lo, hi = [7.0, 7.0, 7.0], [9.0, 9.0, 9.0]
        (lo if k < 3 else hi)[k % 3] = NAN
        add(f"nan-{'min' if k < 3 else 'max'}-{'xyz'[k % 3]}", "one NaN", one, lo, hi, ["nan"])
    for axis in range(3):
        lo, hi = [7.0, 7.0, 7.0], [9.0, 9.0, 9.0]
        lo[axis], hi[axis] = 9.0, number("410fffff")
        add(f"inverted-{'xyz'[axis]}", "max is one number of binary32 below min", one, lo, hi, ["inverted"])
    add("water-only", "water alone", Grid(8, 8, 8).put(1, 1, 1, "~"), (0.0,) * 3, (1.0,) * 3, ["water"])
    add("water-both", "both", Grid(8, 8, 8).put(1, 1, 1, "~").put(6, 1, 1), (0.0,) * 3, (4.0, 1.0, 1.0), ["water"])
    add("water-hidden", "solid beyond the box", Grid(16, 8, 8).put(1, 1, 1, "~").put(14, 1, 1), (0.0,) * 3, (4.0, 1.0, 1.0), ["water"])
    r = Random(11)
    g = Grid(16, 16, 16).soup(12, "##~", 200)
    for i in range(24):
        lo = [r.between(-4.0, 18.0) for _ in range(3)]
        hi = [nearest(v + r.between(0.0, 3.0)) for v in lo]
        add(f"random-{i}", "a random box", g, lo, hi)
    return lambda name, about, q, *more: add(name, about, Grid.of(q), q["min"], q["max"], *more)


# ---- grid walk ----

def stays(o, d, t_max, cell, margin=0):
    """When origin + t * direction is in a closed cell, or as near to it as the margin, and whether it is ever inside of it: (enter, leave, inside), or None."""
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
    """The first solid cell whose inside a ray comes into: (t, cell), or None."""
    found = None
    for c in solid:
        stay = stays(o, d, far, c)
        if stay is not None and stay[2] and (found is None or stay[0] < found[0]):
            found = (stay[0], c)
    return found


def walked(g, ray):
    """What a ray may say that it meets first: what it does by exact arithmetic, and what rays do that run beside it on every side, by less
    than any number and by 2^-22 of the largest coordinate in play, which is what roundings of binary32 may do. So of a ray through an edge or a corner, or along a face, each cell there is right that one of these comes into,
    and nothing is right only if one of these meets nothing."""
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
def grid_walk(f):
    def ray_of(o, d, t_max):
        return {"origin": [bits(v) for v in o], "direction": [bits(v) for v in d], "t_max": bits(t_max)}

    def add(name, about, g, o, d, flags=(), cites=(), t_max=INF):
        ray = ray_of(o, d, t_max)
        said = walked(g, ray)
        f.add(name, about, "tie" if len(said) > 1 else "bound", {**g.json(), **ray}, said, flags, cites,
              "t: 2^-20 of the largest coordinate in play, along the longest component of the direction")

    def refuse(name, about, o, d, t_max=INF, cites=()):
        f.add(name, about, "tie", {**wall.json(), **ray_of(o, d, t_max)}, [{"none": True}, {"refused": True}], ["invalid"], cites)

    wall = Grid(8, 8, 8).where(lambda x, y, z: x == 6)
    # along the axes, both ways, with 0 and with -0 across
    for axis in range(3):
        for way in (1.0, -1.0):
            for zero in (0.0, -0.0):
                g, o, d, c = Grid(8, 8, 8), [3.5, 3.5, 3.5], [zero] * 3, [3, 3, 3]
                d[axis], c[axis] = way, 6 if way > 0 else 1
                name = f"axis-{'-' if way < 0 else ''}{'xyz'[axis]}{'-minus-zero' if bits(zero) != '00000000' else ''}"
                add(name, "along an axis, the other components are zeros", g.put(*c), o, d, ["axis", "minus-zero" if bits(zero) != "00000000" else "zero"],
                    ["hyperion-mc/hyperion#909", "pfirsich/Ray-casting-test#2"] if bits(zero) == "00000000" else ["mitsuba-renderer/drjit#311", "vkoskiv/c-ray#87"])
    add("axis-from-boundary", "along an axis, from the grid's boundary", Grid(8, 8, 8).put(5, 3, 3), (0.0, 3.5, 3.5), (1.0, 0.0, 0.0), ["axis", "zero"], ["NVIDIA/gvdb-voxels#115"])
    add("axis-from-far-boundary", "the same from the other side", Grid(8, 8, 8).put(5, 3, 3), (8.0, 3.5, 3.5), (-1.0, 0.0, 0.0), ["axis", "zero"], ["NVIDIA/gvdb-voxels#115"])
    add("axis-beside", "along an axis, beside the grid", wall, (-1.0, 8.5, 3.5), (1.0, 0.0, 0.0), ["axis", "outside"], ["mitsuba-renderer/drjit#311"])
    add("axis-away", "away from the grid", wall, (-1.0, 3.5, 3.5), (-1.0, -0.0, 0.0), ["axis", "outside", "minus-zero"])
    add("axis-long", "a direction that is 2 long", Grid(2, 2, 2).put(0, 0, 1), (0.5, 0.5, -1.0), (0.0, 0.0, 2.0), ["axis", "scaled", "outside"], ["Forceflow/cpu_voxel_raycaster#3"])
    add("two-zeros-one", "one component is zero", wall, (0.5, 2.25, 3.5), (1.0, 0.25, 0.0), ["zero"])
    add("two-minus-one", "one component is -0", wall, (0.5, 2.25, 3.5), (1.0, 0.25, -0.0), ["minus-zero"], ["mitsuba-renderer/drjit#311"])
    add("plane-minus", "(-1, -0) in a plane", Grid(8, 1, 8).put(1, 0, 4), (6.5, 0.5, 4.0), (-1.0, 0.0, -0.0), ["minus-zero", "face"], ["mitsuba-renderer/drjit#311"])
    # along edges and faces, through edges and corners
    for axis in range(3):
        o, d, g = [4.0, 4.0, 4.0], [0.0, 0.0, 0.0], Grid(8, 8, 8)
        o[axis], d[axis] = 0.5, 1.0
        for a in (3, 4):
            for b in (3, 4):
                c = [a, a, a]
                c[axis], c[(axis + 1) % 3], c[(axis + 2) % 3] = 6, a, b
                g.put(*c)
        add(f"edge-along-{'xyz'[axis]}", "along the edge between four solid cells", g, o, d, ["edge", "axis"], ["mitsuba-renderer/drjit#311"])
        g, c = Grid(8, 8, 8), [4, 4, 4]
        c[axis] = 6
        add(f"edge-one-{'xyz'[axis]}", "along the edge of one solid cell, which the ray only touches", g.put(*c), o, d, ["edge", "axis"], ["mitsuba-renderer/drjit#311"])
        o[(axis + 1) % 3] = 4.5
        add(f"face-along-{'xyz'[axis]}", "along the face of a solid cell, which the ray only touches", g, o, d, ["face", "axis"])
    add("corner-through", "through a corner, into the cell beyond", Grid(8, 8, 8).put(4, 4, 4), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0), ["corner", "whole"])
    add("corner-all", "through a corner with eight solid cells around it", Grid(8, 8, 8).where(lambda *c: all(v in (3, 4) for v in c)), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0), ["corner", "whole"])
    add("corner-only", "past the corner of a cell that it only touches", Grid(8, 8, 8).put(4, 4, 3), (2.0, 6.0, 2.0), (1.0, -1.0, 1.0), ["corner"])
    add("edge-through", "through an edge, between two cells that share it", Grid(8, 8, 8).put(4, 3, 2).put(3, 4, 2).put(4, 4, 2), (1.0, 1.0, 2.5), (1.0, 1.0, 0.0), ["edge", "zero"])
    gap = Grid(8, 8, 8).where(lambda *c: c in ((4, 3, 2), (3, 4, 2)) or c[:2] == (7, 7))
    add("edge-gap", "through the edge between two solid cells, with air beyond and a wall behind", gap, (1.0, 1.0, 2.5), (1.0, 1.0, 0.0), ["edge", "zero"])
    add("edge-just-below", "the same, one number of binary32 beside it", gap, (1.0, number("3f7fffff"), 2.5), (1.0, 1.0, 0.0), ["zero"])
    add("edge-just-above", "the same on the other side", gap, (1.0, number("3f800001"), 2.5), (1.0, 1.0, 0.0), ["zero"])
    # whole numbers, starts and ends
    add("whole-origin", "from a corner of cells", wall, (2.0, 3.0, 4.0), (1.0, 0.5, 0.25), ["whole"], ["Zylann/godot_voxel#136"])
    add("whole-origin-back", "from a corner of cells, backwards", Grid(8, 8, 8).put(1, 2, 3), (2.0, 3.0, 4.0), (-1.0, -1.0, -1.0), ["whole", "corner"], ["Zylann/godot_voxel#136"])
    add("start-inside", "from within a solid cell", Grid(8, 8, 8).put(3, 3, 3), (3.5, 3.5, 3.5), (0.0, 1.0, 0.0), ["start", "axis"])
    add("start-face", "from the face of a solid cell, away from it", Grid(8, 8, 8).put(3, 3, 3), (4.0, 3.5, 3.5), (1.0, 0.0, 0.0), ["start", "face"])
    add("start-face-in", "from the face of a solid cell, into it", Grid(8, 8, 8).put(3, 3, 3), (4.0, 3.5, 3.5), (-1.0, 0.0, 0.0), ["start", "face"])
    add("start-corner", "from the corner of a solid cell, into it", Grid(8, 8, 8).put(3, 3, 3), (4.0, 4.0, 4.0), (-1.0, -1.0, -1.0), ["start", "corner"])
    add("start-point", "a ray of no length within a solid cell", Grid(8, 8, 8).put(3, 3, 3), (3.5, 3.5, 3.5), (1.0, 0.0, 0.0), ["start", "end"], t_max=0.0)
    add("end-before", "t_max ends it in front of the cell", wall, (0.5, 3.5, 3.5), (1.0, 0.0, 0.0), ["end", "axis"], t_max=5.25)
    add("end-at", "t_max ends it at the cell's face", wall, (0.5, 3.5, 3.5), (1.0, 0.0, 0.0), ["end", "axis"], t_max=5.5)
    add("end-in", "t_max ends it in the cell", wall, (0.5, 3.5, 3.5), (1.0, 0.0, 0.0), ["end", "axis"], t_max=5.75)
    add("end-corner", "it ends at a corner where a solid cell begins", Grid(8, 8, 8).put(4, 4, 4), (1.25, 2.5, 1.5), (2.75, 1.5, 2.5), ["end", "corner", "scaled"],
        ["babbaj/nether-pathfinder#23"], t_max=1.0)
    add("end-corner-air", "it ends at a corner, in air", Grid(8, 8, 8), (1.25, 2.5, 1.5), (2.75, 1.5, 2.5), ["end", "corner", "scaled"], ["babbaj/nether-pathfinder#23"], t_max=1.0)
    end = (nearest(416.0 - 384.0 - nearest(386.7112215521066 - 384.0)), nearest(142.0 - 128.0 - nearest(137.40911926818373 - 128.0)), nearest(-7.0554159455922285))
    add("end-block-edge", "a long block of air, a ray that ends where two borders meet", Grid(40, 16, 16).put(32, 14, 0), (nearest(2.7112215521066), nearest(9.40911926818373), nearest(7.0554159455922285)), end,
        ["end", "edge", "scaled"], ["babbaj/nether-pathfinder#23"], t_max=1.0)
    # below zero
    def shifted(first, cell):
        g = Grid(8, 8, 8, first)
        return g.put(*(cell[k] - first[k] for k in range(3)))
    add("negative-start", "from (-0.5, -0.5, -0.5), which is in cell (-1, -1, -1)", shifted((-4, -4, -4), (-1, -1, -1)), (-0.5, -0.5, -0.5), (1.0, 0.25, 0.5), ["negative", "start"], ["OneLoneCoder/Javidx9#82"])
    add("negative-axis", "backwards through 0", shifted((-4, -4, -4), (-3, 0, 0)), (2.5, 0.5, 0.5), (-1.0, 0.0, 0.0), ["negative", "axis"], ["francisengelmann/fast_voxel_traversal#7"])
    add("negative-across", "backwards through 0 on all axes", shifted((-4, -4, -4), (-3, -2, -1)), (2.5, 1.75, 1.5), (-1.0, -0.71875, -0.4375), ["negative"], ["francisengelmann/fast_voxel_traversal#7"])
    # the reported segments, in cells of 16: divided by 16, which is exact
    add("report-first", "(0, 0, 0) to (90, -16, 45) in cells of 16: it begins in cell (0, 0, 0), or at corners of its neighbours",
        shifted((-1, -2, -1), (0, 0, 0)), (0.0, 0.0, 0.0), (5.625, -1.0, 2.8125), ["start", "negative", "scaled", "whole"], ["francisengelmann/fast_voxel_traversal#2"], t_max=1.0)
    big = Grid(70, 20, 56, (-43, -23, -50))
    big.put(25 + 43, -4 + 23, -49 + 50)
    add("report-endless", "(-668, -340, 77) to (404, -64, -784) in cells of 16", big, (-41.75, -21.25, 4.8125), (67.0, 17.25, -53.8125), ["negative", "long", "scaled"],
        ["francisengelmann/fast_voxel_traversal#5"], t_max=1.0)
    # small and large numbers
    for name, v in (("denormal", number("00000001")), ("least", number("00800000")), ("tiny", number("1e3ce508"))):
        add(f"small-direction-{name}", f"two components of the direction are {v!r}", wall, (0.5, 3.5, 3.5), (1.0, v, -v), ["small"], ["max-mapper/voxel-highlight#3"])
        add(f"small-origin-{name}", f"an origin {v!r} above a corner", Grid(8, 8, 8).put(5, 2, 2), (v, v, v), (1.0, 0.5, 0.5), ["small"] + (["edge"] if name != "none" else []), ["max-mapper/voxel-highlight#3"])
        add(f"small-minus-{name}", f"an origin {v!r} below 0", shifted((-1, -1, -1), (-1, 2, 2)), (-v, 2.5, 2.5), (1.0, 0.0, 0.0), ["small", "start", "negative"], ["max-mapper/voxel-highlight#3"])
    add("scaled-tiny", "a direction as long as the smallest number that is no denormal", wall, (5.5, 3.5, 3.5), (number("00800000"), 0.0, 0.0), ["scaled", "small"])
    add("scaled-huge", "a direction of 2^100", wall, (0.5, 3.25, 3.5), (2.0**100, 2.0**97, 0.0), ["scaled"])
    row = Grid(400, 2, 2).put(399, 1, 1).put(399, 0, 0)
    add("long-slope", "400 cells at a slope of 1 in 512", row, (0.25, 0.5, 0.5), (1.0, 0.001953125, 0.0), ["long"])
    # invalid rays
    refuse("invalid-zero", "a direction of zero", (3.5, 3.5, 3.5), (0.0, 0.0, 0.0))
    refuse("invalid-minus-zero", "a direction of zeros, one of them -0", (3.5, 3.5, 3.5), (0.0, -0.0, 0.0))
    for k in range(3):
        o, d = [0.5, 3.5, 3.5], [1.0, 0.25, 0.25]
        d[k] = NAN
        refuse(f"invalid-direction-{'xyz'[k]}", "a direction with a NaN", o, d, cites=["modawan/reone#341"])
        o, d = [0.5, 3.5, 3.5], [1.0, 0.25, 0.25]
        o[k] = NAN
        refuse(f"invalid-origin-{'xyz'[k]}", "an origin with a NaN", o, d)
    refuse("invalid-t-max", "a t_max that is negative", (0.5, 3.5, 3.5), (1.0, 0.0, 0.0), -1.0)
    # no special case
    r = Random(21)
    g = Grid(16, 16, 16).soup(22, "#", 30)
    for i in range(32):
        o = [r.between(-4.0, 20.0) for _ in range(3)]
        d = [nearest(r.between(4.0, 12.0) - v) for v in o]
        add(f"random-{i}", "a random ray", g, o, d, ["outside"] if any(not 0 <= v < 16 for v in o) else [])

    def ask(name, about, q, flags, cites):
        if is_finite([q["origin"], q["direction"]]) and any(exact(w) for w in q["direction"]) and number(q["t_max"]) >= 0:
            add(name, about, Grid.of(q), q["origin"], q["direction"], flags, cites, q["t_max"])
        else:
            f.add(name, about, "tie", q, [{"none": True}, {"refused": True}], flags, cites)

    return ask
