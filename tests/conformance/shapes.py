# SPDX-License-Identifier: MIT
"""Shapes, made from questions alone: surfaces of cubes around cells, hulls with vertices of their own, polygons of flat sets. All are words of
answers."""
import math
from fractions import Fraction

from words import number, word


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
    out = []
    for cell in cells:
        for axis in range(3):
            for step in (-1, 1):
                if cell[:axis] + (cell[axis] + step,) + cell[axis + 1:] in cells:
                    continue
                low = [cell[k] + (1 if k == axis and step > 0 else 0) for k in range(3)]
                u, v = (axis + 1) % 3, (axis + 2) % 3
                quad = [tuple(low[k] + (i if k == u else j if k == v else 0) for k in range(3)) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
                a, b, c, d = quad[::step]
                out += [(a, b, c), (a, c, d)]
    return out


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
    points = [tuple(Fraction(number(w)) for w in asked[i:i + 3]) for i in range(3, len(asked), 3) if all(math.isfinite(number(w)) for w in asked[i:i + 3])]
    if len(points) < max(3, int(asked[2])):
        return None

    def normal(a, b, c):
        u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
        return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]

    a, b = points[0], max(points, key=lambda p: sum((x - y)**2 for x, y in zip(p, points[0])))
    n = next((m for m in (normal(a, b, p) for p in points) if any(m)), None)
    if n is None or any(sum(x * (y - z) for x, y, z in zip(n, p, a)) for p in points):
        return None
    axis = max(range(3), key=lambda k: abs(n[k]))
    first = {}
    for i, p in enumerate(points):
        first.setdefault((p[(axis + 1) % 3], p[(axis + 2) % 3]), i)

    def chain(places):
        out = []
        for p in places:
            while len(out) > 1 and (out[-1][0] - out[-2][0]) * (p[1] - out[-2][1]) <= (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0]):
                out.pop()
            out.append(p)
        return out[:-1]

    return [first[p] for p in chain(sorted(first)) + chain(sorted(first, reverse=True))]


def hull(triangles):
    return ["hull", str(len(triangles))] + [str(c) for t in triangles for c in t]
