# SPDX-License-Identifier: MIT
"""Families of convex hulls, in the plane and in space. Signs of determinants of whole numbers decide: coordinates are multiples of
2^-149, and are counted in these."""
from fractions import Fraction
from itertools import combinations
from math import cos, pi, sin, sqrt

from corpus import INF, NAN, Random, bits, exact, family, is_finite, nearest, number, step
from members import FLAT, FLAT_POINTS, POINTS, REFUSED, SOME, TOLERANCE, VOLUME, WHOLE, one_of
from vectors import around, cross, dot, normal

UNIT = 1 << 149


def whole(point):
    return tuple(int(exact(bits(v)) * UNIT) for v in point)


def polygon(points):
    """The corners of the hull in the plane, counterclockwise, as numbers; of points in one place the first, none on a line through its
    neighbours."""
    first = {}
    for i, p in enumerate(points):
        first.setdefault(p, i)
    order = sorted(first)
    if len(order) < 3:
        return [first[p] for p in order]
    return [first[p] for p in around(order)]


def solid(points):
    """(dimension, vertices, faces) of the hull in space, by every plane through three points: a face is what lies in a plane that has all
    points on one side."""
    first = {}
    for i, p in enumerate(points):
        first.setdefault(p, i)
    places = list(first)
    flat = dimension_of(places)
    if flat < 3:
        corners = corners_of_flat(places, flat)
        return flat, sorted(first[p] for p in corners), []
    faces = {}
    for a, b, c in combinations(places, 3):
        n = normal(a, b, c)
        if n == (0, 0, 0):
            continue
        reach = sum(x * y for x, y in zip(n, a))
        above = under = False
        for p in places:
            side = sum(x * y for x, y in zip(n, p)) - reach
            above, under = above or side > 0, under or side < 0
            if above and under:
                break
        if above and under:
            continue
        if above:
            n, reach = tuple(-v for v in n), -reach
        inside = frozenset(p for p in places if sum(x * y for x, y in zip(n, p)) == reach)
        faces.setdefault(inside, n)
    vertices, out = set(), []
    for inside, n in faces.items():
        axis = max(range(3), key=lambda k: abs(n[k]))
        a, b = (axis + 1) % 3, (axis + 2) % 3
        if n[axis] < 0:
            a, b = b, a
        inside = sorted(inside, key=lambda p: first[p])
        corners = [first[inside[i]] for i in polygon([(p[a], p[b]) for p in inside])]
        vertices.update(corners)
        lowest = corners.index(min(corners))
        out.append(corners[lowest:] + corners[:lowest])
    return 3, sorted(vertices), sorted(out)


def thickness(places, faces):
    """How far the furthest point is from the face that has it nearest, about: a float will do."""
    least = INF
    for corners in faces:
        a = places[corners[0]]
        n = next(m for m in (normal(a, places[b], places[c]) for b in corners for c in corners) if m != (0, 0, 0))
        length = sqrt(Fraction(sum(x * x for x in n), UNIT**4)) * UNIT**2
        least = min(least, max(abs(sum(x * (y - z) for x, y, z in zip(n, p, a))) for p in places) / length)
    return least


def volume(places, faces):
    """What faces enclose: tetrahedra from the origin over fans of triangles."""
    six = 0
    for corners in faces:
        for b, c in zip(corners[1:], corners[2:]):
            p, q, r = places[corners[0]], places[b], places[c]
            six += dot(p, cross(q, r))
    return float(Fraction(six, 6 * UNIT**3))


def dimension_of(places):
    a = places[0]
    b = next((p for p in places if p != a), None)
    if b is None:
        return 0
    c = next((p for p in places if normal(a, b, p) != (0, 0, 0)), None)
    if c is None:
        return 1
    n = normal(a, b, c)
    return 3 if any(sum(x * (y - z) for x, y, z in zip(n, p, a)) != 0 for p in places) else 2


def corners_of_flat(places, dimension):
    if dimension == 0:
        return places
    if dimension == 1:
        return [min(places), max(places)]
    a = places[0]
    b = next(p for p in places if p != a)
    c = next(p for p in places if normal(a, b, p) != (0, 0, 0))
    n = normal(a, b, c)
    axis = max(range(3), key=lambda k: abs(n[k]))
    return [places[i] for i in polygon([(p[(axis + 1) % 3], p[(axis + 2) % 3]) for p in places])]


# ---- in the plane ----

@family("hull2", "The convex hull of points in the plane",
        "Points in the plane. Which of them are the corners of their hull? A corner is a point that is not between two others; of points "
        "in one place any may be named.",
        "The corners' numbers, counterclockwise, from any of them on. Two of a segment, one of a place.",
        {"line": "points on lines, which are no corners", "near-line": "points beside a line by a few roundings: a library with a tolerance may "
         "leave them out", "same": "points in one place", "flat": "all points on one line, or in one place", "order": "the same points in another order",
         "grid": "points on a grid", "circle": "every point is a corner", "small": "denormals, and distances of one", "large": "coordinates of 2^100 and more",
         "minus-zero": "0 and -0 are one place", "invalid": "a NaN or an infinity: a refusal", "none": "no points: a refusal"},
        promises=["exact", "property"], input=FLAT_POINTS,
        answers=[{"corners": SOME}, {"checker": one_of("polygon"), "corners": SOME, "tolerance": TOLERANCE}, REFUSED])
def hull2(f):
    def add(name, about, points, flags=(), cites=(), near=False):
        corners = polygon([whole(p) for p in points])
        data = {"points": [[bits(v) for v in p] for p in points]}
        if near:
            f.add(name, about, "property", data, {"checker": "polygon", "corners": corners, "tolerance": 1e-6}, list(flags) + ["near-line"], cites)
        else:
            f.add(name, about, "exact", data, {"corners": corners}, flags, cites)

    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    add("triangle", "three points", square[:3])
    add("square", "four points", square)
    add("square-turned", "the same, clockwise", square[::-1], ["order"])
    add("middle", "and one in the middle", square + [(0.5, 0.5)])
    add("edges", "and the middles of the edges", square + [(0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)], ["line"])
    add("twice", "every point twice", square + square, ["same"])
    add("one", "one point", [(3.0, 4.0)], ["flat"])
    add("one-often", "one point, five times", [(3.0, 4.0)] * 5, ["flat", "same"])
    add("two", "two points", [(3.0, 4.0), (1.0, 4.0)], ["flat"])
    add("row", "a row", [(float(i), 2.0) for i in (3, 1, 4, 0, 5, 9, 2)], ["flat", "line"])
    add("slant", "a slanted row", [(float(i), float(3 * i)) for i in (3, 1, 4, 0, 5, 9, 2)], ["flat", "line"])
    add("zeros", "0 and -0 in every mixture", [(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0), (-0.0, -0.0), (1.0, -0.0), (-0.0, 1.0)], ["minus-zero", "same"])
    for n, order in enumerate(((0, 1, 2, 3), (3, 0, 2, 1), (2, 3, 0, 1), (1, 3, 2, 0))):
        p = [(0.0, 0.0), (5939.0, 5939.0), (0.0, 12000.0), (0.0, 6000.0)]
        add(f"report-order-{n}", "four points, three of them on a line; some orders made a library fail", [p[i] for i in order], ["line", "order"], ["PointCloudLibrary/pcl#6161"])
    add("grid", "a grid of 7 by 7", [(float(i % 7), float(i // 7)) for i in range(49)], ["grid", "line"])
    add("circle", "points of whole numbers on a circle", [(float(x), float(y)) for x, y in ((25, 0), (24, 7), (20, 15), (15, 20), (7, 24), (0, 25), (-7, 24), (-15, 20), (-20, 15), (-24, 7), (-25, 0),
                                                           (-24, -7), (-20, -15), (-15, -20), (-7, -24), (0, -25), (7, -24), (15, -20), (20, -15), (24, -7))], ["circle"])
    d = number("00000001")
    add("denormals", "a triangle of one denormal", [(0.0, 0.0), (d, 0.0), (0.0, d), (d, d)], ["small"])
    add("large", "a square of 2^126", [(v * 2.0**126, w * 2.0**126) for v, w in ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0))], ["large"])
    add("report-row", "four points on a line; a library failed", [(260.0, 600.0), (285.0, 600.0), (310.0, 600.0), (335.0, 600.0)], ["flat", "line"], ["DesignEngrLab/MIConvexHull#32", "PointCloudLibrary/pcl#6382"])
    add("report-diagonal", "four points on a diagonal; a library wrote behind its array", [(0.0, 0.0), (10.0, 10.0), (5.0, 5.0), (3.0, 3.0)], ["flat", "line"], ["erincatto/box2d#326"])
    add("report-inner", "a point just inside a triangle, which a library kept", [(223.25, 30.0), (214.66796875, 53.6015625), (213.79296875, 38.6015625), (211.41796875, 29.2265625)], [], ["brian3kb/graham_scan_js#8"])
    for name, words in (("wrapping", "c1078533 3f0bab5e c0f5b2e8 3f28af8c c0e2b14a 3f3e72ae c0ebc298 402e521e c1158ea9 401c2f82 c1110602 3eebd078"),
                        ("square", "3f800000 bf800000 3f800000 3f800000 bf800000 3f800000 bf800000 bf800000 bf09f775 bf876e83 3f3787c5 bf81f4d7")):
        v = [number(w) for w in words.split()]
        add(f"report-{name}", "points nearly on a line; gift wrapping came to one of them twice", list(zip(v[::2], v[1::2])), [], ["erincatto/box2d#728", "erincatto/box2d#735"], near=True)
    add("report-slanted", "five points, three of them nearly on a line", [(nearest(x), nearest(y)) for x, y in ((-1.70082211, -1.43221712), (0.5, -0.5), (0.104992867, 0.97400856), (-0.658002853, 0.926608086), (-0.994554818, 0.165337861))],
        [], ["erincatto/box2d#296"], near=True)
    add("report-random", "ten points at random, of which a library found a wrong hull", [(nearest(x), nearest(y)) for x, y in (
        (0.5326521145582077, 0.5485877685877577), (0.3621088142676205, 0.5659955147732555), (0.3858468357723894, 0.3782674382646396), (0.42894512378502714, 0.46383436182460924), (0.47475298844919056, 0.3891140656169353),
        (0.5068343483791182, 0.44323186954969124), (0.5704711402594045, 0.572169994958013), (0.3729267858810107, 0.6136299003606884), (0.6483512013657207, 0.6362081037667116), (0.417255810423433, 0.44728479764485624))],
        [], ["peterstace/simplefeatures#24"])
    line = [(-14.5, 15.75), (-7.25, 9.125), (-2.5, 5.0), (3.75, -0.25), (5.5, 3.75), (8.5, -4.5), (18.25, -1.75)]
    add("report-lost", "one side nearly straight; a library lost its end", line, [], ["dyn4j/dyn4j#83"])
    nearly = [(float(i), nearest(i / 3.0)) for i in range(12)]
    add("near-line", "thirds, each rounded", nearly, [], ["dyn4j/dyn4j#83"], near=True)
    add("near-line-up", "a straight side, and a point one number above it", [(0.0, 0.0), (8.0, 0.0), (4.0, -1.0), (4.0, step(0.0, 1))], ["small"], (), near=True)
    bulge = [(nearest(1000.0 * cos(2 * pi * i / 64)), nearest(1000.0 * sin(2 * pi * i / 64))) for i in range(64)]
    add("near-circle", "64 points around a circle, rounded", bulge, ["circle"])
    r = Random(61)
    for i in range(12):
        add(f"random-{i}", "random points", [(r.between(-1.0, 1.0), r.between(-1.0, 1.0)) for _ in range(5 + 5 * i)])
    for i in range(12):
        add(f"lattice-{i}", "random points of a small grid", [(float(r.below(6)), float(r.below(6))) for _ in range(4 + 3 * i)], ["grid", "line"])
    for name, v in (("nan", NAN), ("infinity", INF)):
        f.add(f"invalid-{name}", f"one coordinate is {v}", "exact", {"points": [[bits(x) for x in p] for p in square + [(v, 0.5)]]}, {"refused": True}, ["invalid"])
    f.add("none", "no points", "exact", {"points": []}, {"refused": True}, ["none"])

    def ask(name, about, q, flags, cites):
        if q["points"] and is_finite(q["points"]):
            add(name, about, [tuple(map(number, p)) for p in q["points"]], [x for x in flags if x != "near-line"], cites, near="near-line" in flags)
        else:
            f.add(name, about, "exact", q, {"refused": True}, flags, cites)

    return ask


# ---- in space ----

def turned(points):
    """By 30 degrees and 45, rounded: what was in one plane is nearly so."""
    a, b = pi / 6, pi / 4
    out = []
    for x, y, z in points:
        x, y = x * cos(a) - y * sin(a), x * sin(a) + y * cos(a)
        y, z = y * cos(b) - z * sin(b), y * sin(b) + z * cos(b)
        out.append((nearest(x), nearest(y), nearest(z)))
    return out


@family("hull3", "The convex hull of points in space",
        "Points in space. A closed surface of triangles around them, whose corners are points of the set.",
        "The triangles, counterclockwise seen from outside. Of a flat set that it is flat, or a polygon with one side or with two, or a refusal.",
        {"plane": "many points in a plane: in faces, or on edges", "near-plane": "points beside a plane by a few roundings", "same": "points in one place",
         "near-same": "points that are nearly in one place", "flat": "no volume: told as such, or refused; never a wrong solid", "thin": "so little volume that it may be told as flat, or refused", "grid": "points on a grid",
         "sphere": "every point is a vertex", "needle": "a thousand times as long as wide", "far": "far from the origin for its size", "large": "coordinates of 2^60 and more",
         "small": "coordinates of 2^-60 and less", "order": "the same points in another order", "minus-zero": "0 and -0 are one place", "invalid": "a NaN or an infinity: a refusal", "none": "no points: a refusal"},
        promises=["exact", "property"], input=POINTS,
        answers=[{"checker": one_of("hull"), "dimension": one_of(0, 1, 2), "vertices": SOME, "tolerance": TOLERANCE},
                 {"checker": one_of("hull"), "dimension": one_of(3), "vertices": SOME, "tolerance": TOLERANCE, "faces": WHOLE, "volume": VOLUME, "flat?": FLAT}, REFUSED])
def hull3(f):
    def add(name, about, points, flags=(), cites=()):
        places = [whole(p) for p in points]
        dimension, vertices, faces = solid(places)
        data = {"points": [[bits(v) for v in p] for p in points]}
        expected = {"checker": "hull", "dimension": dimension, "vertices": vertices, "tolerance": 1e-6}
        if faces:
            expected["faces"] = len(faces)
            expected["volume"] = volume(places, faces)
            if thickness(places, faces) < 2e-6 * max(max(p[k] for p in places) - min(p[k] for p in places) for k in range(3)):
                expected["flat"] = True
                flags = list(flags) + ["thin"]
        f.add(name, about, "property", data, expected, list(flags) + (["flat"] if dimension < 3 else []), cites)

    cube = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]
    add("tetrahedron", "four points", [cube[i] for i in (0, 3, 5, 6)])
    add("cube", "eight points", cube, ["plane"])
    add("cube-back", "the same, in the opposite order", cube[::-1], ["plane", "order"])
    add("cube-twice", "every point twice", cube + cube, ["plane", "same"])
    add("cube-grid", "a grid of 4 by 4 by 4", [(float(i % 4), float(i // 4 % 4), float(i // 16)) for i in range(64)], ["plane", "grid"])
    add("cube-turned", "a grid of 3 by 3 by 3, turned and rounded", turned([(float(i % 3), float(i // 3 % 3), float(i // 9)) for i in range(27)]), ["near-plane", "grid"], ["bepu/bepuphysics2#60", "tomilov/quickhull#14"])
    report = [(0, 50, 0), (100, 100, 0), (0, 100, 0), (-100, 100, 0), (-100, 0, 0), (100, -100, 0), (0, -50, 0), (50, -50, 0), (-100, -100, 0), (0, -100, 0), (100, 0, 0),
              (100, 100, 200), (-100, 100, 200), (100, -100, 200), (-100, -100, 200)]
    add("report-cube", "a cube with points in a face and on edges; a library made faces that cross", [tuple(map(float, p)) for p in report], ["plane"], ["karimnaaji/3d-quickhull#2"])
    ring = [(40, 100), (100, 40), (100, -40), (40, -100), (-40, -100), (-100, -40), (-100, 40), (-40, 100)]
    add("report-octagon", "two octagons; a library made a face that is no face", [(float(x), float(y), z) for z in (0.0, 100.0) for x, y in ring], ["plane"], ["karimnaaji/3d-quickhull#2"])
    plates = [(-744.0 - 128 * i - 64 * (k & 1), 3300.0 + 128 * j + 64 * (k >> 1 & 1), 7552.0 - (k >> 2)) for i in range(3) for j in range(3) for k in range(8)]
    add("report-plates", "nine flat boxes side by side, merged; a library did not end", plates, ["plane"], ["leomccormack/convhull_3d#1"])
    tiny = [(2.3624029e-23, 1.3771984e-23, 2.2062083e-24), (1.3807439e-23, 1.8596945e-23, -1.784406e-24), (1.4174896e-23, -3.200329e-24, 4.664615e-24), (1.3685897e-23, 4.6402988e-24, 2.2509113e-24)]
    add("report-tiny", "four points near 1e-23; a library ended", [tuple(map(nearest, p)) for p in tiny], ["small"], ["dimforge/parry#49"])
    add("report-seven", "seven points of whole numbers; a library did not end",
        [tuple(map(float, p)) for p in ((104, 216, 53), (104, 217, 52), (105, 216, 52), (88, 187, 43), (89, 187, 44), (89, 188, 43), (90, 187, 43))], ["plane"], ["mauriciopoppe/quickhull3d#2"])
    add("report-face", "a cube with a point in the middle of a face", cube + [(0.5, 0.5, 0.0)], ["plane"], ["OskarSigvardsson/unity-quickhull#1"])
    boxes = [(-55.53499860610813, 73.11029657847513, -63.59099818190188), (-55.7849986005202, 73.11029657847513, -69.34100186807655), (-58.53499853905291, 73.11029657847513, -68.84100187925242),
             (-58.03499855022878, 73.11029657847513, -63.59099818190188), (-55.53499860610813, 73.01029657847513, -63.59099818190188), (-55.7849986005202, 73.01029657847513, -69.34100186807655),
             (-58.53499853905291, 73.01029657847513, -68.84100187925242), (-58.03499855022878, 73.01029657847513, -63.59099818190188), (-9.78499962870032, 74.11029655612339, -64.84100196865938),
             (-10.034999623112384, 74.11029655612339, -64.09100198542319), (-9.034999645464126, 73.92279656031434, -63.59099818190188), (-9.78499962870032, 74.0102965561234, -64.84100196865938),
             (-10.034999623112384, 74.0102965561234, -64.09100198542319), (-9.034999645464126, 73.82279656031434, -63.59099818190188)]
    add("report-slabs", "two thin slabs far apart; a library did not end", [tuple(map(nearest, p)) for p in boxes], ["plane", "near-plane"], ["Mugen87/yuka#11"])
    profile = [(-0.637357891, 0.347849399, -0.303436399), (-0.636290252, 0.345867455, -0.301366687), (-0.992014945, 0.348357588, -0.3031407), (-1.00909662, 0.386065364, -0.303337872), (0.637357891, 0.347849399, -0.303436399),
               (-0.636290252, 0.345918268, 0.701366544), (-0.636503756, 0.345918268, 0.700873733), (-0.992655516, 0.346578926, 0.701070845), (-0.992655516, 0.346578926, -0.301070988), (0.636290252, 0.345867455, -0.301366687),
               (-0.995858312, 0.348510057, -0.301859498), (-1.01272643, 0.385912925, -0.302056611), (-1.01037765, 0.390029252, -0.302746475), (-0.637357891, 0.389521062, -0.302845061), (1.00909662, 0.386065364, -0.303337872)]
    add("report-profile", "points nearly in planes; a library took all memory (some of its points)", [tuple(map(nearest, p)) for p in profile], ["near-plane"], ["bepu/bepuphysics2#325"])
    lamp = [(-18.2869, 31.6738, 2.175), (-17.6332, -17.342, 89.9628), (49.8656, 0.0, 55.5071), (-20.4426, -35.4077, 8.275), (-23.0164, 39.8656, 79.0839), (10.2294, -14.7178, 10.508), (-24.9832, 43.2722, 52.7107), (-18.6273, -39.5444, 55.5071),
            (13.2675, -19.98, 28.1179), (-24.9832, -40.2722, 52.7107), (11.1761, -22.3575, 45.2756), (-24.9492, 1.5, 54.5981), (-25.0, 21.8857, 49.9071), (18.4196, -18.2153, 52.4501), (-25.0, -12.7727, 49.9071), (-24.9832, -43.2722, 52.7107),
            (9.20583, -23.4785, 55.334), (-1.62324, -29.7942, 48.3949)]
    add("report-inner", "18 points of a model; a library's hull had triangles within", [tuple(map(nearest, p)) for p in lamp], [], ["akuukka/quickhull#23"])
    add("flat-many", "a grid of 2025 points in a plane; a library tried all sets of four", [(float(i % 45), 7.0, float(i // 45)) for i in range(2025)], ["plane", "grid"], ["OskarSigvardsson/unity-quickhull#7"])
    add("flat-rounded", "four points in a plane, that a library took for a tetrahedron", [tuple(map(nearest, p)) for p in ((-3.0, -0.25, -0.8), (-3.0, 0.25, -0.8), (-3.125, 0.25, -0.75), (-3.125, -0.25, -0.75))], ["plane"], ["akuukka/quickhull#1"])
    r = Random(71)
    add("report-flat", "75 points of whole numbers with z = 0; a library crashed", [(float(r.below(100)), float(r.below(100)), 0.0) for _ in range(75)], ["plane"], ["mauriciopoppe/quickhull3d#5"])
    add("flat-tilted", "points in the plane x = z", [(float(a), float(b), float(a)) for a in range(4) for b in range(4)], ["plane", "grid"], ["mauriciopoppe/quickhull3d#30", "CGAL/cgal#3199"])
    add("flat-line", "points on a line", [(float(i), 2.0 * i, -float(i)) for i in (2, 0, 5, 3, 1)], [])
    add("flat-place", "one point, five times", [(1.0, 2.0, 3.0)] * 5, ["same"], ["isl-org/Open3D#4447"])
    add("flat-one", "one point", [(1.0, 2.0, 3.0)], [])
    add("flat-triangle", "three points", [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [], ["isl-org/Open3D#4447"])
    add("zeros", "0 and -0 mixed", [(-0.0, 0.0, 0.0), (0.0, -0.0, -0.0), (1.0, -0.0, 0.0), (-0.0, 1.0, 0.0), (0.0, 0.0, 1.0)], ["minus-zero", "same"])
    for n in (12, 24):
        rim = [(nearest(cos(2 * pi * i / n)), nearest(sin(2 * pi * i / n)), z) for z in (0.0, 1.0) for i in range(n)]
        add(f"cylinder-{n}", "two rims", rim, ["plane"])
        add(f"cylinder-{n}-turned", "two rims, turned and rounded", turned(rim), ["near-plane"])
        add(f"cone-{n}", "a rim and a tip", rim[:n] + [(0.125, 0.25, 2.0)], ["plane"])
    whole_sphere = [(x, y, z) for x in range(-7, 8) for y in range(-7, 8) for z in range(-7, 8) if x * x + y * y + z * z == 49]
    add("sphere", "all points of whole numbers on a sphere", [tuple(map(float, p)) for p in whole_sphere], ["sphere", "plane"])
    for name, scale, flags in (("small", 2.0**-70, ["small"]), ("denormal", 2.0**-146, ["small"]), ("large", 2.0**62, ["large"]), ("largest", 2.0**124, ["large"])):
        add(f"scale-{name}", f"a sphere of {scale:g}", [tuple(v * scale for v in p) for p in whole_sphere], ["sphere", "plane"] + flags)
    add("far", "a small sphere a million away", [tuple(v + 1048576.0 for v in p) for p in whole_sphere], ["sphere", "plane", "far"])
    add("needle", "a thousand times as long as wide", [(nearest(r.between(-1000.0, 1000.0)), r.between(-1.0, 1.0), r.between(-1.0, 1.0)) for _ in range(40)], ["needle"])
    add("plate", "a thousand times as wide as thick", [(r.between(-1000.0, 1000.0), r.between(-1000.0, 1000.0), r.between(-1.0, 1.0)) for _ in range(40)], ["needle"])
    near = [(step(x, r.below(3) - 1), step(y, r.below(3) - 1), step(z, r.below(3) - 1)) for x, y, z in [(1.0 + a, 1.0 + b, 1.0 + c) for a, b, c in cube for _ in range(5)]]
    add("near-same", "five points at each corner of a cube, some roundings apart", near, ["near-same", "near-plane"])
    blister = [(1.0 + a, 1.0 + b, 1.0 + c) for a, b, c in cube] + [(1.5, 1.5, step(2.0, 1)), (1.5, step(2.0, 1), 1.5), (step(2.0, 1), 1.5, 1.5), (1.25, 1.5, step(2.0, -1))]
    add("near-plane", "a cube whose faces have a point one number above or below them", blister, ["near-plane"])
    for i in range(16):
        add(f"random-{i}", "random points", [tuple(r.between(-1.0, 1.0) for _ in range(3)) for _ in range(5 + 3 * i)])
    for i in range(16):
        add(f"lattice-{i}", "random points of a small grid", [tuple(float(r.below(4)) for _ in range(3)) for _ in range(5 + 2 * i)], ["grid", "plane"])
    for name, v in (("nan", NAN), ("infinity", INF)):
        f.add(f"invalid-{name}", f"one coordinate is {v}", "exact", {"points": [[bits(x) for x in p] for p in cube + [(v, 0.5, 0.5)]]}, {"refused": True}, ["invalid"])
    f.add("none", "no points", "exact", {"points": []}, {"refused": True}, ["none"])

    def ask(name, about, q, flags, cites):
        if q["points"] and is_finite(q["points"]):
            add(name, about, [tuple(map(number, p)) for p in q["points"]], [x for x in flags if x not in ("flat", "thin")], cites)
        else:
            f.add(name, about, "exact", q, {"refused": True}, flags, cites)

    return ask
