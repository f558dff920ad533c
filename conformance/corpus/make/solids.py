# SPDX-License-Identifier: MIT
"""The family of convex decompositions. There is no one right answer: a checker decides. What the makers know is the fewest hulls that a solid of boxes
has, if none fills anything: as many as it is made of here, where there are as many points of which none sees another."""
from fractions import Fraction
from itertools import combinations, product

from corpus import INF, NAN, Random, bits, family, is_finite, nearest, number
from members import BITS, MESH, REFUSED, WHOLE, one_of
from rays import ball, hills


def cells_of(boxes):
    return {c for low, high in boxes for c in product(*(range(a, b) for a, b in zip(low, high)))}


def sees(cells, p, q):
    """Whether all of a segment is in cells; of each part between two planes of the grid the middle is looked at."""
    cuts = {Fraction(0), Fraction(1)}
    for a, b in zip(p, q):
        cuts |= {Fraction(plane - a, b - a) for plane in range(8) if a != b and 0 < Fraction(plane - a, b - a) < 1}
    cuts = sorted(cuts)
    middles = [(s + t) / 2 for s, t in zip(cuts, cuts[1:])]
    return all(tuple((a + t * (b - a)) // 1 for a, b in zip(p, q)) in cells for t in middles)


def surface(cells, grid=lambda p: p):
    """The faces of cells that are not between two of them, two triangles each, counterclockwise seen from outside."""
    names, triangles = {}, []
    for cell in sorted(cells):
        for axis, side in product(range(3), (0, 1)):
            if tuple(x + (2 * side - 1) * (k == axis) for k, x in enumerate(cell)) in cells:
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            quad = [tuple(cell[k] + (side if k == axis else i if k == u else j) for k in range(3)) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
            a, b, c, d = (names.setdefault(p, len(names)) for p in (quad if side else quad[::-1]))
            triangles += [(a, b, c), (a, c, d)]
    return [grid(p) for p in names], triangles


def turned(p):
    """By a third of a turn and more, about an axis that is none of the grid's: whole numbers, a ninth."""
    x, y, z = p
    return (nearest((x + 8 * y - 4 * z) / 9), nearest((4 * x - 4 * y - 7 * z) / 9), nearest((-8 * x - y - 4 * z) / 9))


def prism(profile, depth, caps):
    """Between two copies of a polygon in x and y, counterclockwise."""
    n = len(profile)
    v = [(float(x), float(y), float(z)) for z in (depth, 0) for x, y in profile]
    t = list(caps) + [(c + n, b + n, a + n) for a, b, c in caps]
    for i in range(n):
        k = (i + 1) % n
        t += [(i, k + n, k), (i, i + n, k + n)]
    return v, t


# Boxes. If the minimum number is known, also points in the middle plane, no two of which see each other.
L = [((0, 0, 0), (3, 1, 1)), ((0, 0, 0), (1, 3, 1))], [(2.5, 0.5), (0.5, 2.5)]
T = [((0, 2, 0), (3, 3, 1)), ((1, 0, 0), (2, 3, 1))], [(0.5, 2.5), (1.5, 0.5)]
U = [((0, 0, 0), (1, 3, 1)), ((0, 0, 0), (3, 1, 1)), ((2, 0, 0), (3, 3, 1))], [(0.5, 2.5), (1.5, 0.5), (2.5, 2.5)]
FRAME = [((0, 0, 0), (3, 1, 1)), ((0, 2, 0), (3, 3, 1)), ((0, 0, 0), (1, 3, 1)), ((2, 0, 0), (3, 3, 1))], [(1.5, 0.875), (2.125, 1.5), (1.5, 2.125), (0.875, 1.5)]
STAIRS = [((i, 0, 0), (4, i + 1, 1)) for i in range(4)], [(i + 0.125, i + 0.875) for i in range(4)]
COMB = [((0, 0, 0), (7, 1, 1))] + [((2 * i, 0, 0), (2 * i + 1, 3, 1)) for i in range(4)], [(1.5, 0.5)] + [(2 * i + 0.5, 2.5) for i in range(4)]
BOX = [((0, 0, 0), (3, 2, 2))], [(0.5, 0.5)]
APART = [((0, 0, 0), (1, 1, 1)), ((2, 0, 0), (3, 2, 1))], [(0.5, 0.5), (2.5, 0.5)]
CORNER = [((0, 0, 0), (1, 1, 1)), ((1, 1, 0), (2, 2, 1))], []
CROSS = [((0, 1, 1), (3, 2, 2)), ((1, 0, 1), (2, 3, 2)), ((1, 1, 0), (2, 2, 3))], []
OPEN = [((0, 0, 0), (3, 1, 3)), ((0, 0, 0), (1, 3, 3)), ((2, 0, 0), (3, 3, 3)), ((0, 0, 0), (3, 3, 1)), ((0, 0, 2), (3, 3, 3))], []
LENGTHS = {"within": BITS, "allowed": BITS, "most": WHOLE}


def is_question(data):
    return bool(data["triangles"]) and is_finite(data["vertices"]) and all(0.0 < number(data[k]) < INF for k in ("within", "allowed"))


@family("decompose", "Convex decomposition of a mesh",
        "A mesh: vertices, and triangles counterclockwise seen from outside. It may be open, in pieces, or have triangles without area. Then three "
        "numbers: `within`, how far the surface may be from the hulls; `allowed`, how much the hulls may fill; `most`, how many hulls there may be: 0 is as many as there "
        "are triangles.",
        "Hulls, each a list of vertices of the mesh, none of them twice, of which it is the convex hull; in any order, and they may overlap. No point of the surface is further "
        "than `within` from all of them. Of a hull with a volume no vertex is further inside than that. From any point of the surface that is deeper "
        "than `within` in a hull, the ray along the triangle's normal leaves the hull after `allowed` at most, and `within`. Where the mesh is closed, no point of a hull is "
        "further than that from the solid: the surface, and what it winds around.",
        {"convex": "one hull will do", "optimum": "`most` is the fewest hulls that there are, if they fill nothing", "concave": "more than one hull, and how few there can be is not asked",
         "filled": "`most` can only be kept by filling what may be filled", "open": "an open mesh", "pieces": "some pieces of surface that have no edge in common", "void": "a shell within another, turned inwards",
         "flat": "no volume", "degenerate": "triangles without area", "same": "vertices in one place, or nearly", "crowded": "edges of more than two triangles", "turned": "not along the axes",
         "far": "far from the origin for its size", "large": "coordinates of 2^40 and more", "small": "coordinates of 2^-40 and less", "invalid": "a NaN, an infinity, a length that is 0, negative or not finite: a refusal",
         "none": "no triangles: a refusal"},
        promises=["exact", "property"], input={**MESH, **LENGTHS}, answers=[{"checker": one_of("decomposition")}, REFUSED])
def decompose(f):
    def put(name, about, data, flags=(), cites=()):
        if is_question(data):
            f.add(name, about, "property", data, {"checker": "decomposition"}, flags, cites)
        else:
            f.add(name, about, "exact", data, {"refused": True}, flags, cites)

    def add(name, about, mesh, flags=(), within=2.0**-6, allowed=0.25, most=0):
        v, t = mesh
        put(name, about, {"vertices": [[bits(x) for x in p] for p in v], "triangles": [list(c) for c in t], "within": bits(within), "allowed": bits(allowed), "most": most}, flags)

    def add_boxes(name, about, solid, flags=("optimum",), grid=lambda p: tuple(map(float, p)), **lengths):
        boxes, points = solid
        cells = cells_of(boxes)
        points = [[Fraction(x) for x in (*p, 0.5)] for p in points]
        if any(sees(cells, p, q) for p, q in combinations(points, 2)) or len(points) != (len(boxes) if "optimum" in flags else 0):
            raise ValueError(f"{name}: there are not as many points as boxes, or one sees another")
        add(name, about, surface(cells, grid), flags, most=len(points), **lengths)

    cube = surface({(0, 0, 0)})
    add("cube", "a cube", ([tuple(map(float, p)) for p in cube[0]], cube[1]), ["convex"], most=1)
    add_boxes("box", "a box whose sides are cut into squares", BOX, ["optimum", "convex"])
    add("tetrahedron", "a tetrahedron", ([(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]), ["convex"], most=1)
    add("ball", "a ball", ball(4, 8), ["convex"], most=1)
    for name, solid in (("l", L), ("t", T), ("u", U), ("frame", FRAME), ("stairs", STAIRS), ("comb", COMB)):
        add_boxes(name, f"a solid of {len(solid[0])} boxes", solid)
    add_boxes("l-turned", "an L, not along the axes", L, ["optimum", "turned"], turned)
    add_boxes("u-turned", "a U, not along the axes", U, ["optimum", "turned"], turned)
    add_boxes("u-uneven", "a U of bars of several widths", U, grid=lambda p: ((0.0, 0.5, 2.0, 4.0)[p[0]], (0.0, 1.5, 2.0, 3.0)[p[1]], 2.0 * p[2]))
    for name, flag, e in (("small", "small", -60), ("large", "large", 60)):
        add_boxes(f"frame-{name}", f"a frame of bars of 2^{e}", FRAME, ["optimum", flag], lambda p, e=e: tuple(float(x) * 2.0**e for x in p), within=2.0**(e - 6), allowed=2.0**(e - 2))
    add_boxes("l-far", "an L a thousand times its size away", L, ["optimum", "far"], lambda p: (p[0] + 4096.0, p[1] - 8192.0, p[2] + 2048.0))
    add_boxes("cross", "three bars that cross", CROSS, ["concave"])
    add_boxes("open-box", "a box without a lid, with thick walls", OPEN, ["concave"])
    hollow = surface(cells_of([((0, 0, 0), (3, 3, 3))]) - {(1, 1, 1)})
    add("hollow", "a box with a void inside", ([tuple(map(float, p)) for p in hollow[0]], hollow[1]), ["concave", "void", "pieces"])
    for seed in (1, 2):
        r = Random(90 + seed)
        add_boxes(f"heights-{seed}", "columns of heights at random", ([((x, 0, z), (x + 1, 1 + r.below(4), z + 1)) for x in range(3) for z in range(3)], []), ["concave"])
    add_boxes("apart", "two boxes beside each other", APART, ["optimum", "pieces"])
    add_boxes("corner", "two cubes that have an edge in common", CORNER, ["concave", "crowded"])

    caps = [(0, 5, 6), (0, 4, 5), (0, 1, 4), (1, 3, 4), (1, 2, 3)]
    groove = [(0, 0), (8, 0), (8, 2), (5, 2), (4, 1.75), (3, 2), (0, 2)]
    add("groove", "a bar with a groove that may be filled", prism(groove, 2, caps), ["convex", "filled"], allowed=1.5, most=1)
    add("groove-kept", "the same, of which nothing may be filled", prism(groove, 2, caps), ["concave"], allowed=0.0625)

    v, t = [tuple(4.0 * x for x in p) for p in cube[0]], [c for c in cube[1] if any(cube[0][i][1] == 0 for i in c)]
    top = [v.index(p) for p in ((0.0, 4.0, 0.0), (0.0, 4.0, 4.0), (4.0, 4.0, 4.0), (4.0, 4.0, 0.0))]
    add("dent", "a cube with a dent that may be filled", (v + [(2.0, 3.75, 2.0)], t + [(top[i], top[(i + 1) % 4], 8) for i in range(4)]), ["convex", "filled"], allowed=1.0, most=1)

    add("triangle", "one triangle", ([(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 2.0, 1.0)], [(0, 1, 2)]), ["open", "flat", "convex"], most=1)
    add("quad-sides", "a square with two sides", ([(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 2.0, 0.0), (0.0, 2.0, 0.0)], [(0, 1, 2), (0, 2, 3), (0, 2, 1), (0, 3, 2)]), ["flat", "crowded"])
    add("fold", "two triangles that meet at an edge", ([(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0)], [(0, 2, 1), (0, 1, 3)]), ["open"])
    v, t = surface(cells_of(L[0]))
    add("l-open", "an L without one of its squares", ([tuple(map(float, p)) for p in v], t[2:]), ["open", "concave"])
    add("hills", "hills, a sheet", hills(3, 91), ["open", "concave"])
    v = [tuple(map(float, p)) for p in v]
    apart = [v[i] for c in t for i in c]
    add("l-soup", "an L, each triangle of it with vertices of its own, some of them with -0 for 0", ([tuple(-0.0 if x == 0.0 and i % 2 else x for x in p) for i, p in enumerate(apart)], [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(t))]),
        ["same", "optimum"], most=2)
    r = Random(95)
    add("l-nearly", "the same, vertices apart by less than 2^-9", ([tuple(nearest(x + r.between(0.0, 2.0**-10)) for x in p) for p in apart], [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(t))]), ["same"])
    add("l-twice", "an L, every triangle twice", (v, t + t), ["crowded", "concave"])
    add("cube-degenerate", "a cube, and triangles of an edge, of a point and of three points on a line",
        ([tuple(2.0 * x for x in p) for p in cube[0]] + [(1.0, 0.0, 0.0)], cube[1] + [(0, 0, 1), (2, 2, 2), (0, 1, 1)]), ["degenerate"])
    add("segment", "a triangle of three points on a line", ([(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (3.0, 3.0, 3.0)], [(0, 1, 2)]), ["degenerate", "flat"], most=1)
    add("place", "a triangle of one point", ([(1.0, 2.0, 3.0)], [(0, 0, 0)]), ["degenerate", "flat"], most=1)

    add("none", "no triangles", ([(0.0, 0.0, 0.0)], []), ["none"])
    corners = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    for name, value in (("nan", NAN), ("infinity", INF)):
        add(f"invalid-{name}", "a vertex that is not finite", (corners[:2] + [(0.0, value, 0.0)], [(0, 1, 2)]), ["invalid"])
    for name, lengths in (("within-zero", {"within": 0.0}), ("within-nan", {"within": NAN}), ("allowed-negative", {"allowed": -0.25}), ("allowed-infinity", {"allowed": INF})):
        add(f"invalid-{name}", "a length that is none", (corners, [(0, 1, 2)]), ["invalid"], **lengths)
    return put
