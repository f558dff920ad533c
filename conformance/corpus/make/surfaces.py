# SPDX-License-Identifier: MIT
"""The family of surfaces around cells. There is no one right surface: what all of them have in common is for a checker."""
from cells import Full as Cells
from corpus import Random, family
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
def mesher(f):
    def add(name, about, cells, flags=(), cites=()):
        f.add(name, about, "property", cells.json(), {"checker": "surface"}, flags, cites)

    add("empty", "nothing", Cells(4, 4, 4), ["empty"])
    add("one", "one cell", Cells(3, 3, 3).put(1, 1, 1))
    add("one-alone", "a grid of one cell", Cells(1, 1, 1).put(0, 0, 0), ["border"])
    add("half", "one cell that is just more than half full", Cells(3, 3, 3).put(1, 1, 1, 128), ["partial"])
    add("not-half", "one cell that is just half full, which is no more than half", Cells(3, 3, 3).put(1, 1, 1, 127), ["partial", "empty"])
    add("hardly", "one full cell in cells that are hardly full", Cells(5, 5, 5).where(lambda x, y, z: 1).put(2, 2, 2), ["partial", "border"])
    add("nearly", "cells that are nearly half full, around one that is just more than that",
        Cells(5, 5, 5).where(lambda x, y, z: 127).put(2, 2, 2, 128), ["partial", "border"])
    add("full", "all cells", Cells(4, 4, 4).where(lambda x, y, z: True), ["border"])
    for axis in range(3):
        add(f"two-{'xyz'[axis]}", "two cells side by side", Cells(4, 4, 4).put(1, 1, 1).put(*(2 if k == axis else 1 for k in range(3))))
        n = [3, 3, 3]
        n[axis] = 18
        add(f"bar-{'xyz'[axis]}", "a bar of one cell", Cells(*n).where(lambda x, y, z, k=axis: all(v == 1 for i, v in enumerate((x, y, z)) if i != k)), ["thin", "border", "chunk-border"])
        n = [6, 6, 6]
        n[axis] = 3
        add(f"plate-{'xyz'[axis]}", "a plate of one cell", Cells(*n).where(lambda x, y, z, k=axis: (x, y, z)[k] == 1), ["thin", "border"])
    for name, c in (("xy", (2, 2, 1)), ("yz", (1, 2, 2)), ("zx", (2, 1, 2))):
        add(f"edge-{name}", "two cells that have one edge in common", Cells(4, 4, 4).put(1, 1, 1).put(*c), ["diagonal"])
        add(f"edge-{name}-partial", "the same, one of them just more than half full", Cells(4, 4, 4).put(1, 1, 1).put(*c, 130), ["diagonal", "partial"])
    add("corner", "two cells that have one corner in common", Cells(4, 4, 4).put(1, 1, 1).put(2, 2, 2), ["diagonal"])
    add("corner-air", "eight cells without two at opposite corners", Cells(4, 4, 4).where(lambda x, y, z: all(v in (1, 2) for v in (x, y, z)) and (x, y, z) not in ((1, 1, 1), (2, 2, 2))), ["diagonal"])
    add("checkerboard", "every other cell", Cells(6, 6, 6).where(lambda x, y, z: (x + y + z) % 2 == 0), ["diagonal", "border"], ["utensils/mold#1670"])
    add("cavity", "a cube with a hole inside", Cells(5, 5, 5).where(lambda x, y, z: (x, y, z) != (2, 2, 2)), ["cavity", "border"])
    add("cavity-diagonal", "two holes that have an edge in common", Cells(6, 6, 6).where(lambda x, y, z: (x, y, z) not in ((2, 2, 2), (3, 3, 2))), ["cavity", "diagonal", "border"])
    add("tunnel", "a cube with a tunnel through it", Cells(6, 6, 6).where(lambda x, y, z: all(1 <= v <= 4 for v in (x, y, z)) and not (x in (2, 3) and y in (2, 3))))
    add("bowl", "a bowl", Cells(8, 6, 8).where(lambda x, y, z: 4 <= (x - 3) ** 2 + (y - 5) ** 2 + (z - 3) ** 2 <= 16))

    def ball(x, y, z):
        left = 30 - ((x - 5) ** 2 + (y - 5) ** 2 + (z - 5) ** 2)
        return max(0, min(255, 128 + 16 * left))

    add("ball", "a ball with a soft border", Cells(11, 11, 11).where(ball), ["partial", "chunk-border"])
    add("hills", "hills that go on to the border", Cells(16, 8, 16).where(lambda x, y, z: max(0, min(255, 128 * (3 - y) + 40 * ((x * x + 3 * z) % 5)))), ["partial", "border", "chunk-border"], ["doyubkim/fluid-engine-dev#289"])
    for seed, one_in in ((1, 2), (2, 3), (3, 6), (4, 12)):
        r = Random(80 + seed)
        add(f"random-{seed}", f"one cell in {one_in}", Cells(7, 7, 7).where(lambda x, y, z, r=r, n=one_in: r.below(n) == 0), ["random", "border", "diagonal"])
    for seed in (5, 6, 7):
        r = Random(80 + seed)
        add(f"random-partial-{seed}", "every cell as full as it likes", Cells(9, 6, 9).where(lambda x, y, z, r=r: r.below(256)), ["random", "border", "diagonal", "partial", "chunk-border"])
    return lambda name, about, data, *more: add(name, about, Cells.of(data), *more)
