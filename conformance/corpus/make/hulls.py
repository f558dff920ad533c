# SPDX-License-Identifier: MIT
"""Families of convex hulls in the plane and in space. Coordinates are whole multiples of 2^-149, so the signs of determinants are exact."""
from fractions import Fraction
from itertools import combinations
from math import sqrt

from corpus import INF, bits, exact, family, is_finite, number
from members import FLAT, FLAT_POINTS, POINTS, REFUSED, SOME, TOLERANCE, VOLUME, WHOLE, one_of
from vectors import around, cross, dot, normal

UNIT = 1 << 149


def whole(point):
    return tuple(int(exact(bits(v)) * UNIT) for v in point)


def polygon(points):
    """Returns the corners of the hull in the plane, counterclockwise, without points on a line through their neighbours. Of points in one place the first counts."""
    first = {}
    for i, p in enumerate(points):
        first.setdefault(p, i)
    order = sorted(first)
    if len(order) < 3:
        return [first[p] for p in order]
    return [first[p] for p in around(order)]


def solid(points):
    """Returns (dimension, vertices, faces) of the hull in space. It tries every plane through three points. A face lies in a plane with all points on one side."""
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
    """Returns the smallest distance, rounded to a float, from a face to the point farthest from it."""
    least = INF
    for corners in faces:
        a = places[corners[0]]
        n = next(m for m in (normal(a, places[b], places[c]) for b in corners for c in corners) if m != (0, 0, 0))
        length = sqrt(Fraction(sum(x * x for x in n), UNIT**4)) * UNIT**2
        least = min(least, max(abs(sum(x * (y - z) for x, y, z in zip(n, p, a))) for p in places) / length)
    return least


def volume(places, faces):
    """Returns the volume within faces, as tetrahedra from the origin."""
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
def hull2(data, flags):
    if not data["points"] or not is_finite(data["points"]):
        return "exact", {"refused": True}
    corners = polygon([whole(tuple(map(number, p))) for p in data["points"]])
    return ("property", {"checker": "polygon", "corners": corners, "tolerance": 1e-6}) if "near-line" in flags else ("exact", {"corners": corners})


# ---- in space ----


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
def hull3(data, flags):
    if not data["points"] or not is_finite(data["points"]):
        return "exact", {"refused": True}
    places = [whole(tuple(map(number, p))) for p in data["points"]]
    dimension, vertices, faces = solid(places)
    expected = {"checker": "hull", "dimension": dimension, "vertices": vertices, "tolerance": 1e-6}
    if faces:
        expected["faces"] = len(faces)
        expected["volume"] = volume(places, faces)
        if thickness(places, faces) < 2e-6 * max(max(p[k] for p in places) - min(p[k] for p in places) for k in range(3)):
            expected["flat"] = True
    return "property", expected
