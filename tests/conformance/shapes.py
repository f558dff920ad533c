# SPDX-License-Identifier: MIT
"""Shapes, made from questions alone: surfaces of cubes around cells, hulls with vertices of their own, polygons of flat sets. All are words of
answers."""
import math

from words import number, rows, word  # and the folder of the makers
import hulls
import solids


def mesh(triangles):
    """Triangles of places, each place once."""
    names = {}
    corners = [names.setdefault(p, len(names)) for t in triangles for p in t]
    return ["mesh", str(len(names)), str(len(triangles))] + [word(float(x)) for p in names for x in p] + [str(c) for c in corners]


def loose(vertices, corners):
    """Every triangle with vertices of its own, of words, and between them vertices that no triangle has, which are NaN."""
    out = [w for c in corners for w in vertices[3 * c:3 * c + 3] + ["7fc00000"] * 3]
    return ["mesh", str(2 * len(corners)), str(len(corners) // 3)] + out + [str(2 * i) for i in range(len(corners))]


# ---- surfaces ----

def inside(asked):
    """The extents, and the cells that are more than half full."""
    nx, ny, nz = (int(w) for w in asked[2:5])
    full = bytes.fromhex(asked[5])
    return (nx, ny, nz), {(x, y, z) for y in range(ny) for z in range(nz) for x in range(nx) if full[(y * nz + z) * nx + x] > 127}


def cubes(cells):
    """The faces of cells that are not between two of them, two triangles each."""
    places, triangles = solids.surface(cells)
    return [tuple(places[i] for i in t) for t in triangles]


def back(triangles):
    return [t[::-1] for t in triangles]


def block(cell, low, high):
    """A cube from so far behind a cell's lowest corner to so far."""
    return [tuple(tuple(cell[k] + (high if p[k] > cell[k] else low) for k in range(3)) for p in t) for t in cubes({cell})]


def grown(extents, cells):
    """Cells at the border of the grid, and those beside them that are outside."""
    out = set(cells)
    for axis in range(3):
        for cell in list(out):
            for at, step in ((0, -1), (extents[axis] - 1, 1)):
                if cell[axis] == at:
                    out.add(cell[:axis] + (at + step,) + cell[axis + 1:])
    return out


def side_by_side(cells):
    return any((x + 1, y, z) in cells or (x, y + 1, z) in cells or (x, y, z + 1) in cells for x, y, z in cells)


# ---- hulls ----

def own(asked, answer, move):
    """A hull of points as a mesh with vertices of its own, each moved; None if none is."""
    corners = [int(c) for c in answer[2:]]
    names = {c: i for i, c in enumerate(dict.fromkeys(corners))}
    points = [[number(w) for w in asked[3 + 3 * c:6 + 3 * c]] for c in names]
    low, high = [min(p[k] for p in points) for k in range(3)], [max(p[k] for p in points) for k in range(3)]
    extent = max(h - l for l, h in zip(low, high))
    vertices = []
    for p in points:
        q = move(p, [(l + h) / 2 for l, h in zip(low, high)], extent)
        if any(abs(x) > 3e38 for x in q):
            return None
        vertices += [word(x) for x in q]
    if vertices == [w for c in names for w in asked[3 + 3 * c:6 + 3 * c]]:
        return None
    return ["mesh", str(len(names)), answer[1]] + vertices + [str(names[c]) for c in corners]


def polygon(asked):
    """The corners of points that are in one plane, in order; None of others."""
    points = [[number(w) for w in row] for row in rows(asked[3:], 3)]
    if len(points) < 3 or not all(math.isfinite(x) for p in points for x in p):
        return None
    places = [hulls.whole(p) for p in points]
    return [places.index(p) for p in hulls.corners_of_flat(places, 2)] if hulls.dimension_of(places) == 2 else None


def hull(triangles):
    return ["hull", str(len(triangles))] + [str(c) for t in triangles for c in t]
