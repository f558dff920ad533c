# SPDX-License-Identifier: MIT
"""Families of triangles: a ray against one, a ray against a mesh, and the triangles whose boxes a box overlaps."""
from fractions import Fraction
from itertools import product
from math import lcm

from corpus import INF, above, below, bits, exact, family, is_finite, number
from members import BOX, MESH, NONE, NUMBERS, RANGE, RAY, REFUSED, TRIANGLE, TRUE, WHOLE
from vectors import cross, dot, less, normal


def scaled(o, d, triangles):
    """Returns places as whole numbers: (origin, direction, triangles, unit of the parameter)."""
    space = lcm(*(v.denominator for v in o), *(x.denominator for t in triangles for corner in t for x in corner))
    way = lcm(*(v.denominator for v in d))

    def whole(values, unit):
        return [v.numerator * (unit // v.denominator) for v in values]

    return whole(o, space), whole(d, way), [[whole(corner, space) for corner in t] for t in triangles], Fraction(way, space)


def all_hits(o, d, triangles):
    """Returns [(t, number)] of closed triangles that a ray meets from either side, exact. Triangles without area or in whose plane the ray runs are not met. The signs of three
    volumes from the origin show on which side of each edge the ray passes."""
    origin, way, corners, unit = scaled(o, d, triangles)
    hits = []
    for number_of, t in enumerate(corners):
        a, b, c = (less(x, origin) for x in t)
        sides = [dot(way, cross(b, c)), dot(way, cross(c, a)), dot(way, cross(a, b))]
        if min(sides) < 0 < max(sides):
            continue
        n = normal(a, b, c)
        along = dot(n, way)
        if along == 0:
            continue
        reach = dot(n, a)
        if reach * along >= 0:
            hits.append((Fraction(reach, along) * unit, number_of))
    return hits


def first_of(hits, t_max):
    """Returns the hits with the smallest parameter."""
    hits = [h for h in hits if h[0] <= t_max]
    return [h for h in hits if h[0] == min(hits)[0]]


class Ray:
    def __init__(self, o, d, t_max=INF):
        self.word = {"origin": [bits(v) for v in o], "direction": [bits(v) for v in d], "t_max": bits(t_max)}
        self.o, self.d = [exact(w) for w in self.word["origin"]], [exact(w) for w in self.word["direction"]]
        self.far = Fraction(10) ** 60 if number(self.word["t_max"]) == INF else exact(self.word["t_max"])

    @classmethod
    def of(cls, data):
        """Returns the ray of an input, None for an invalid one."""
        if not is_finite([data["origin"], data["direction"]]) or not any(exact(w) for w in data["direction"]) or not number(data["t_max"]) >= 0:
            return None
        return cls(data["origin"], data["direction"], data["t_max"])


def answers(ray, triangles, hits_of=all_hits, corners=None):
    """Returns {number or None: (lowest t, highest t)} of all right answers, and the slack of t. They are those of the ray and of rays whose start and end differ by 2^-21 of the
    largest coordinate, as rounding to binary32 may move them. `hits_of` replaces all_hits for other objects, whose coordinates are `corners`."""
    size = max(abs(v) for v in ray.o + (corners or [x for t in triangles for corner in t for x in corner]))
    beside = size / Fraction(2) ** 21
    longest = max(abs(v) for v in ray.d)
    said = {}
    for move in product((0, -1, 1), repeat=3):
        o = [ray.o[k] + move[k] * beside for k in range(3)]
        hits = hits_of(o, ray.d, triangles)
        back = None
        for end in (-1, 0, 1):
            first = first_of(hits, max(ray.far + end * beside / longest, Fraction(0)))
            if not first and move != (0, 0, 0):  # or it begins just past one
                if back is None:
                    back = first_of(hits_of(less(o, [beside / longest * v for v in ray.d]), ray.d, triangles), beside / longest * 2)
                first = back
            for t, i in first:
                low, high = said.get(i, (t, t))
                said[i] = (min(low, t), max(high, t))
            if not first:
                said[None] = None
    return said, beside / longest


def spoken(said, slack, key):
    """Returns expected answers. `key` names the triangle's number, None if there is only one triangle."""
    out = []
    for i in sorted(k for k in said if k is not None):
        low, high = said[i]
        answer = {"t": [bits(below(max(low - slack, Fraction(0)))), bits(above(high + slack))]}
        out.append({key: i, **answer} if key else {"hit": True, **answer})
    return out + ([{"none": True}] if None in said else [])


REASON = "t: 2^-21 of the largest coordinate in play, along the direction's longest component, on top of what rays beside it by as much give"


def corners_of(words):
    return [[exact(w) for w in corner] for corner in words]


def passed(ray, corners):
    """Returns the first and the last parameter at which a ray in a triangle's plane is in the triangle."""
    n, low, high = normal(*corners), Fraction(0), ray.far
    for a, b in zip(corners, corners[1:] + corners[:1]):
        inwards = cross(n, less(b, a))
        height, rise = dot(inwards, less(ray.o, a)), dot(inwards, ray.d)
        if rise > 0:
            low = max(low, -height / rise)
        elif rise < 0:
            high = min(high, -height / rise)
    return low, high


@family("ray-triangle", "A ray against one triangle",
        "A triangle by its three corners, and a ray: origin + t * direction, 0 <= t <= t_max, a direction of any length. Does the ray "
        "meet the triangle, from either side, and at which t?",
        "none, or a hit and t.",
        {"inside": "through the middle", "back": "from behind: both sides count", "edge": "through an edge: met or not, as rounding has it",
         "corner": "through a corner: met or not", "miss": "clearly beside it", "behind": "the triangle lies behind the origin",
         "end": "t_max ends the ray in front of it, at it, or behind it", "start": "the origin is in the triangle: met at 0, or not",
         "parallel": "the ray runs beside the triangle's plane", "in-plane": "the ray runs in the triangle's plane: met or not",
         "no-area": "a triangle without area: never met", "needle": "a triangle a million times as long as wide",
         "axis": "a direction along an axis", "minus-zero": "components that are -0", "large": "coordinates of a million and more",
         "small": "coordinates near the smallest numbers of binary32", "scaled": "a direction that is not of length 1",
         "grazing": "nearly parallel to the plane", "invalid": "no ray, or no triangle, at all: nothing, or a refusal",
         "beside": "just within an edge or a corner, or just past it, further than rounding goes"},
        promises=["exact", "tie", "bound"], input={**TRIANGLE, **RAY},
        answers=[{"hit": TRUE, "t": RANGE}, NONE, REFUSED])
def ray_triangle(data, flags):
    ray, triangle = Ray.of(data), data["triangle"]
    if not ray or not is_finite(triangle):
        return "tie", [{"none": True}, {"refused": True}]
    if "no-area" in flags:
        return "exact", {"none": True}
    if "in-plane" in flags:
        return "tie", [{"hit": True, "t": [bits(float(t)) for t in passed(ray, corners_of(triangle))]}, {"none": True}], "t: anywhere in the triangle"
    said, slack = answers(ray, [corners_of(triangle)])
    if "start" in flags:
        said[None] = None
    out = spoken(said, slack, None)
    return "tie" if len(out) > 1 else "bound", out, REASON


# ---- meshes ----


@family("ray-mesh", "The first triangle of a mesh that a ray meets",
        "A mesh by its vertices and its triangles, and a ray as in ray-triangle. Which triangle does the ray meet first, from either side, "
        "and at which t?",
        "none, or the triangle's number and t.",
        {"edge": "through an edge that two triangles share: one of them, and never nothing", "corner": "through a vertex: one of the triangles around it, and never nothing",
         "closed": "a closed mesh, from outside or from inside: never nothing, and never the far side", "axis": "a direction along an axis",
         "minus-zero": "components that are -0", "same": "triangles in one place: any of them", "miss": "past the mesh",
         "grazing": "along a face, or by a silhouette", "start": "the origin is on the mesh", "end": "t_max ends the ray before the mesh",
         "empty": "a mesh without triangles", "order": "triangles that are not in the order of their distance"},
        promises=["exact", "tie", "bound"], input={**MESH, **RAY},
        answers=[{"triangle": WHOLE, "t": RANGE}, NONE, REFUSED])
def ray_mesh(data, flags):
    ray = Ray.of(data)
    if not ray or not is_finite(data["vertices"]):
        return "tie", [{"none": True}, {"refused": True}]
    triangles = [corners_of([data["vertices"][i] for i in t]) for t in data["triangles"]]
    said, slack = answers(ray, triangles) if triangles else ({None: None}, 0)
    if "closed" in flags:
        said.pop(None, None)
    out = spoken(said, slack, "triangle")
    return "tie" if len(out) > 1 else "bound", out, REASON


# ---- boxes ----

@family("aabb-gather", "The triangles whose boxes a box overlaps",
        "A mesh and a closed box. Which triangles have an axis-aligned bounding box of their own, closed too, that has a point in common "
        "with it?",
        "The triangles' numbers, each once, in any order.",
        {"touch": "boxes that have a face, an edge or a corner in common: they overlap", "beside": "one number of binary32 apart: they do not",
         "flat": "triangles in a plane of two axes, whose boxes have no thickness", "point": "a box of one point", "all": "a box around everything",
         "none": "a box beside everything", "infinite": "faces at infinity", "invalid": "a NaN, or min > max: none, or a refusal", "zero": "0 and -0 are one place",
         "small": "denormals", "negative": "negative coordinates"},
        promises=["set", "tie"], input={**MESH, **BOX},
        answers=[{"triangles": NUMBERS}, REFUSED])
def aabb_gather(data, flags):
    if not all(number(a) <= number(b) for a, b in zip(data["min"], data["max"])):
        return "tie", [{"triangles": []}, {"refused": True}]
    low, high = ([number(w) for w in data[side]] for side in ("min", "max"))
    boxes = [[[number(data["vertices"][i][k]) for i in t] for k in range(3)] for t in data["triangles"]]
    return "set", {"triangles": [i for i, box in enumerate(boxes) if all(min(x) <= b and max(x) >= a for x, a, b in zip(box, low, high))]}
