# SPDX-License-Identifier: MIT
"""Surfaces of grids: meshes, and any other that separates the same cells."""
import shapes
from alterations import put
from words import more, rows, turned

WRONG = {"less": 30, "back": 30, "twice": 30, "moved": 30, "border": 20, "thrice": 37, "dots": 20, "specks": 20, "each": 20, "bubble": 37, "hollow": 37,
         "bubble-outside": 37, "within": 37}
RIGHT = {"cubes": 37, "loose": 37}
ALIKE = ["checkerboard"]


def cubes(way, asked):
    """Surfaces of cubes."""
    extents, cells = shapes.inside(asked)
    if not cells:
        return None
    first, last = min(cells), max(cells)
    whole = shapes.cubes(cells)
    if way == "loose":
        words = shapes.mesh(whole)
        vertices = 3 * int(words[1])
        return shapes.loose(words[3:3 + vertices], [int(c) for c in words[3 + vertices:]])
    if way == "border":
        out = shapes.grown(extents, cells)
        return shapes.mesh(shapes.cubes(out)) if out != cells else None
    if way in ("dots", "specks", "each"):
        size = {"dots": 0.0625, "specks": 0.0078125, "each": 0.5}[way]
        return shapes.mesh([t for c in cells for t in shapes.block(c, 0.5 - size, 0.5 + size)]) if shapes.side_by_side(cells) else None
    return shapes.mesh({"cubes": lambda: whole,
                        "thrice": lambda: whole + whole + shapes.back(whole),
                        "bubble": lambda: whole + shapes.block(first, 0.5625, 0.9375),
                        "hollow": lambda: whole + shapes.back(shapes.block(first, 0.5625, 0.9375)),
                        "bubble-outside": lambda: whole + shapes.block(last, 1.125, 1.4375),
                        "within": lambda: whole + shapes.block(first, 0.25, 0.75)}[way]())


def other(way, asked, said):
    if way not in ("less", "back", "twice", "moved"):
        return cubes(way, asked)
    if said[0] != "mesh" or said[2] == "0":
        return None
    vertices = said[3:3 + 3 * int(said[1])]
    triangles = rows(said[3 + 3 * int(said[1]):], 3)
    if way == "moved":
        vertices = [more(v, 1.0) if i % 3 == 0 else v for i, v in enumerate(vertices)]
    else:
        triangles = {"less": triangles[1:], "back": [[a, c, b] for a, b, c in triangles], "twice": triangles * 2}[way]
    return ["mesh", said[1], str(len(triangles))] + vertices + [c for t in triangles for c in t]


def alike(asked, said):
    if int(said[2]) == 0:
        return said
    vertex, corner = rows(said[3:3 + 3 * int(said[1])], 3), turned(rows(said[3 + 3 * int(said[1]):], 3))
    return ["mesh", str(len(corner)), said[2]] + [x for c in corner for x in vertex[int(c)]] + [str(i) for i in range(len(corner))]


FAILS = [("full", "full", lambda left, v: left["parts"] <= 3 and left["parts_before"] == 64), ("hole", "ball", lambda left, v: left["parts"] == 2)]


def fails(way, asked, said):
    cells = asked[5]
    if way == "full" and cells.count("00") < len(cells) // 2 and len(cells) % 4 == 0:
        return ["refused", "for", "once"]
    return said[:2] + [str(int(said[2]) - 1)] + said[3:-3] if way == "hole" and cells.count("ff") >= 2 else said


def unsound(alter):
    alter("a tolerance", put("expected", "tolerance", 1e-6))
