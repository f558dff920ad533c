# SPDX-License-Identifier: MIT
"""The family scene-query: which spheres and triangles a sphere, a box, a triangle or a ray touches, and which touch each other. The oracle tries every object in rational
numbers."""
from fractions import Fraction
from itertools import combinations, product
from math import isqrt

from corpus import exact, family, is_finite, number
from members import BITS, MESH, NONE, NUMBERS, RANGE, REFUSED, WHOLE, one_of, some_of
from rays import REASON, Ray, all_hits, answers, spoken
from vectors import cross, dot, less, normal

FAR = Fraction(10) ** 60  # where binary32 is infinite

# ---- distances and intersections of closed sets ----

def to_segment(p, a, b):
    """Returns the squared distance from a point to a segment."""
    way = less(b, a)
    t = min(max(Fraction(dot(less(p, a), way), dot(way, way)), 0), 1) if any(way) else 0
    off = less(p, [x + t * w for x, w in zip(a, way)])
    return dot(off, off)


def within(x, t, n):
    """Whether a point in a triangle's plane is in the triangle with normal n."""
    return all(dot(n, cross(less(t[k - 2], t[k]), less(x, t[k]))) >= 0 for k in range(3))


def to_triangle(p, t):
    n = normal(*t)
    if any(n) and within(p, t, n):
        return Fraction(dot(n, less(p, t[0])) ** 2, dot(n, n))
    return min(to_segment(p, t[k], t[k - 1]) for k in range(3))


def segments_meet(p, q, u, v):
    c = cross(less(q, p), less(v, u))
    if not any(c):  # then an end of one lies on the other
        return 0 in (to_segment(p, u, v), to_segment(q, u, v), to_segment(u, p, q), to_segment(v, p, q))
    if dot(c, less(u, p)) != 0:
        return False
    return all(0 <= dot(cross(less(u, p), way), c) <= dot(c, c) for way in (less(v, u), less(q, p)))


def segment_meets(p, q, t):
    n = normal(*t)
    if not any(n):
        return any(segments_meet(p, q, t[k], t[k - 1]) for k in range(3))
    f, g = dot(n, less(p, t[0])), dot(n, less(q, t[0]))
    if f == g == 0:
        return within(p, t, n) or within(q, t, n) or any(segments_meet(p, q, t[k], t[k - 1]) for k in range(3))
    return f * g <= 0 and within([x + (y - x) * Fraction(f, f - g) for x, y in zip(p, q)], t, n)


def clipped(corners, axis, at, sign):
    """Clips a polygon to one side of a plane across an axis."""
    out = []
    for i, p in enumerate(corners):
        q = corners[i - 1]
        a, b = sign * (q[axis] - at), sign * (p[axis] - at)
        if (a < 0 < b) or (b < 0 < a):
            out.append([x + (y - x) * Fraction(a, a - b) for x, y in zip(q, p)])
        if b >= 0:
            out.append(p)
    return out


class Shape:
    """A name and places. Only spheres have a radius above 0."""

    def __init__(self, name, places, radius=0):
        self.name, self.places, self.radius = name, places, radius
        self.low = [min(p[k] for p in places) - radius for k in range(3)]
        self.high = [max(p[k] for p in places) + radius for k in range(3)]
        self.size = max(abs(v) for p in places + [[radius]] for v in p if abs(v) != FAR)

    def moved(self, by):
        return Shape(self.name, [[v + b for v, b in zip(p, by)] for p in self.places], self.radius)


def shape_of(name, words):
    v = [exact(w) if exact(w) is not None else FAR if number(w) > 0 else -FAR for w in words]
    return Shape(name, [v[:3]], v[3]) if name == "sphere" else Shape(name, [v[i:i + 3] for i in range(0, len(v), 3)])


def touch(a, b):
    if any(a.high[k] < b.low[k] or b.high[k] < a.low[k] for k in range(3)):
        return False
    names = (a.name, b.name)
    if names == ("sphere", "sphere"):
        off = less(a.places[0], b.places[0])
        return dot(off, off) <= (a.radius + b.radius) ** 2
    if names == ("triangle", "triangle"):
        return any(segment_meets(s.places[k], s.places[k - 1], t.places) for s, t in ((a, b), (b, a)) for k in range(3))
    if names == ("box", "triangle"):
        left = b.places
        for k in range(3):
            left = clipped(clipped(left, k, a.low[k], 1), k, a.high[k], -1)
        return bool(left)
    if names == ("box", "sphere"):
        off = [max(a.low[k] - x, x - a.high[k], 0) for k, x in enumerate(b.places[0])]
        return dot(off, off) <= b.radius ** 2
    return to_triangle(b.places[0], a.places) <= b.radius ** 2 if names == ("triangle", "sphere") else touch(b, a)


def said(a, b):
    """Whether two shapes touch, None if 2^-21 of their largest coordinate decides."""
    beside = max(a.size, b.size) / Fraction(2) ** 21
    if any(a.high[k] + 2 * beside < b.low[k] or b.high[k] + 2 * beside < a.low[k] for k in range(3)):
        return False
    right = touch(a, b)
    return right if all(touch(a.moved([beside * m for m in move]), b) == right for move in product((0, -1, 1), repeat=3)) else None


# ---- rays ----

def sphere_hit(o, d, sphere):
    """Returns where a ray enters a ball, to at least 60 bits, 0 from inside, None for a miss."""
    m = less(o, sphere.places[0])
    c, b, a = dot(m, m) - sphere.radius ** 2, dot(m, d), dot(d, d)
    if c <= 0:
        return Fraction(0)
    inside = b * b - a * c
    if b >= 0 or inside < 0:
        return None
    shift = 4 ** max(0, 80 + inside.denominator.bit_length() - inside.numerator.bit_length())
    root = Fraction(isqrt(inside.numerator * inside.denominator * shift), inside.denominator) / isqrt(shift)
    return c / (root - b)


def hits_of(o, d, shapes):
    spheres = [s for s in shapes if s.name == "sphere"]
    hits = [(sphere_hit(o, d, s), i) for i, s in enumerate(spheres)]
    triangles = [s.places for s in shapes[len(spheres):]]
    return [h for h in hits if h[0] is not None] + [(t, len(spheres) + i) for t, i in (all_hits(o, d, triangles) if triangles else ())]


# ---- questions and right answers ----

COUNTS = {"sphere": 4, "box": 6, "triangle": 9, "ray": 7, "pairs": 0}
SPHERES = {"spheres": some_of(some_of(BITS, 4))}
QUERY = {"query": {"oneOf": [{**some_of([one_of(name)], n + 1), "additionalItems": BITS} for name, n in COUNTS.items()]}}
PAIRS = {**some_of(some_of(WHOLE, 2)), "uniqueItems": True}


def is_sound(data):
    name, words = data["query"][0], data["query"][1:]
    v = [number(w) for w in words]
    return (is_finite(data["spheres"]) and is_finite(data["vertices"]) and all(number(s[3]) >= 0 for s in data["spheres"])
            and (name == "box" or is_finite(words[:6])) and (name != "sphere" or v[3] >= 0)
            and (name != "box" or all(v[k] <= v[k + 3] for k in range(3))) and (name != "ray" or (v[6] >= 0 and any(v[3:6]))))


def listed(must, may, key, maybe):
    return {key: must, **({maybe: may} if may else {})}


def right(data):
    """Returns the promise, the expected answer and the reason."""
    name, words = data["query"][0], data["query"][1:]
    if not is_sound(data):
        nothing = {"none": True} if name == "ray" else {"pairs" if name == "pairs" else "touched": []}
        return "tie", [nothing, {"refused": True}], None
    shapes = [shape_of("sphere", s) for s in data["spheres"]] + [shape_of("triangle", [w for i in t for w in data["vertices"][i]]) for t in data["triangles"]]
    if name == "ray":
        ray = Ray(words[:3], words[3:6], words[6])
        out = spoken(*answers(ray, shapes, hits_of, [s.size for s in shapes] + [0]), "object")
        return "tie" if len(out) > 1 else "bound", out, REASON
    if name == "pairs":
        told = [([i, k], said(shapes[i], shapes[k])) for i, k in combinations(range(len(shapes)), 2)]
        return "set", listed([p for p, yes in told if yes], [p for p, yes in told if yes is None], "pairs", "may_pair"), None
    query = shape_of(name, words)
    told = [said(query, s) for s in shapes]
    return "set", listed([i for i, yes in enumerate(told) if yes], [i for i, yes in enumerate(told) if yes is None], "touched", "may_touch"), None


@family("scene-query", "What touches what in a scene of spheres and triangles",
        "Spheres, which are solid balls, and triangles by vertices and numbers of those. They are objects, numbered from 0: first the spheres, then the triangles. "
        "All are closed sets, down to a ball of radius 0, and a triangle that is a segment or a point. Which of them touch a sphere, a box (lower corner, upper corner), or a triangle, that is: have a point in "
        "common with it? Which one does a ray (origin, direction, t_max, as in ray-mesh) meet first, and at which t? A ball is met at 0 by a ray that begins in it; a triangle from either side. "
        "Or: which pairs of them touch each other?",
        "A set of numbers; none, or a number and t; a set of pairs of numbers, either first. What exact arithmetic says of two that are moved against each other by 2^-21 of "
        "their largest number, to 27 places, has to be told as it says if it says the same of all; otherwise it may be told or not: `may_touch`, `may_pair`.",
        {"empty": "no objects, or none of one kind", "concentric": "balls around one centre", "touch": "just touching, where either is right; or further apart, or further in, than rounding goes",
         "inside": "one in the other, whose surfaces are far from each other", "zero": "radii of 0", "flat": "triangles, or boxes, that are segments or points", "same": "several in one place",
         "large": "numbers of 2^30 and more", "small": "numbers of 2^-40 and less", "far": "far from the origin for their size", "infinite": "a box with infinite faces", "minus-zero": "components that are -0",
         "start": "a ray that begins in a ball", "end": "t_max ends the ray", "order": "objects that are not in the order of their distance", "grazing": "a ray by a silhouette", "mesh": "triangles that share vertices",
         "random": "objects at random", "invalid": "no sphere, box, triangle, ray or scene at all: nothing, or a refusal"},
        promises=["set", "tie", "bound"], input={**SPHERES, **MESH, **QUERY},
        answers=[{"object": WHOLE, "t": RANGE}, {"touched": NUMBERS, "may_touch?": NUMBERS}, {"pairs": PAIRS, "may_pair?": PAIRS}, NONE, REFUSED])
def scene_query(data, flags):
    return right(data)
