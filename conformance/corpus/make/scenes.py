# SPDX-License-Identifier: MIT
"""The family of scenes: what of some spheres and triangles a sphere, a box, a triangle or a ray touches, and which touch each other. Every object is
tried, in rational numbers."""
from fractions import Fraction
from itertools import combinations, product
from math import isqrt

from cases import found
from corpus import INF, NAN, Random, above, below, bits, exact, family, is_finite, nearest, number
from members import BITS, MESH, NONE, NUMBERS, RANGE, REFUSED, WHOLE, is_bits, is_list, one_of, some_of
from rays import all_hits, ball, cross, dot, first_of, hills, less

FAR = Fraction(10) ** 60  # where binary32 is infinite
COUNTS = {"sphere": 4, "box": 6, "triangle": 9, "ray": 7, "pairs": 0}


# ---- distances, and what meets what: of closed sets ----

def to_segment(p, a, b):
    """The square of a distance."""
    way = less(b, a)
    t = min(max(Fraction(dot(less(p, a), way), dot(way, way)), 0), 1) if any(way) else 0
    off = less(p, [x + t * w for x, w in zip(a, way)])
    return dot(off, off)


def within(x, t, n):
    """Whether a point of a triangle's plane is in the triangle, whose normal is n."""
    return all(dot(n, cross(less(t[k - 2], t[k]), less(x, t[k]))) >= 0 for k in range(3))


def to_triangle(p, t):
    n = cross(less(t[1], t[0]), less(t[2], t[0]))
    if any(n) and within(p, t, n):
        return Fraction(dot(n, less(p, t[0])) ** 2, dot(n, n))
    return min(to_segment(p, t[k], t[k - 1]) for k in range(3))


def segments_meet(p, q, u, v):
    c = cross(less(q, p), less(v, u))
    if not any(c):  # then an end of one is on the other
        return 0 in (to_segment(p, u, v), to_segment(q, u, v), to_segment(u, p, q), to_segment(v, p, q))
    if dot(c, less(u, p)) != 0:
        return False
    return all(0 <= dot(cross(less(u, p), way), c) <= dot(c, c) for way in (less(v, u), less(q, p)))


def segment_meets(p, q, t):
    n = cross(less(t[1], t[0]), less(t[2], t[0]))
    if not any(n):
        return any(segments_meet(p, q, t[k], t[k - 1]) for k in range(3))
    f, g = dot(n, less(p, t[0])), dot(n, less(q, t[0]))
    if f == g == 0:
        return within(p, t, n) or within(q, t, n) or any(segments_meet(p, q, t[k], t[k - 1]) for k in range(3))
    return f * g <= 0 and within([x + (y - x) * Fraction(f, f - g) for x, y in zip(p, q)], t, n)


def clipped(corners, axis, at, sign):
    """What is left of a polygon on one side."""
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
    """Its name and its places; of a sphere the radius too, else 0."""

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
    """Whether two touch; None where that is a matter of 2^-21 of the largest number that they have."""
    beside = max(a.size, b.size) / Fraction(2) ** 21
    if any(a.high[k] + 2 * beside < b.low[k] or b.high[k] + 2 * beside < a.low[k] for k in range(3)):
        return False
    right = touch(a, b)
    return right if all(touch(a.moved([beside * m for m in move]), b) == right for move in product((0, -1, 1), repeat=3)) else None


# ---- rays ----

def sphere_hit(o, d, sphere):
    """Where a ray enters a ball, to 60 bits or more; 0 from within; None."""
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


def ray_answers(words, shapes):
    """As in rays.py: what may be said of a ray, and of those beside it."""
    o, d = [exact(w) for w in words[:3]], [exact(w) for w in words[3:6]]
    beside = max([abs(v) for v in o] + [s.size for s in shapes]) / Fraction(2) ** 21
    slack = beside / max(abs(v) for v in d)
    far = FAR if exact(words[6]) is None else exact(words[6])
    times, none = {}, False
    for move in product((0, -1, 1), repeat=3):
        start = [v + beside * m for v, m in zip(o, move)]
        hits = hits_of(start, d, shapes)
        for end in (-1, 0, 1):
            first = first_of(hits, max(far + end * slack, Fraction(0)))
            if not first and move != (0, 0, 0):  # or it begins just behind one
                first = first_of(hits_of(less(start, [slack * v for v in d]), d, shapes), slack * 2)
            for t, i in first:
                low, high = times.get(i, (t, t))
                times[i] = min(low, t), max(high, t)
            none = none or not first
    out = [{"object": i, "t": [bits(below(max(low - slack, Fraction(0)))), bits(above(high + slack))]} for i, (low, high) in sorted(times.items())]
    return out + ([{"none": True}] if none else [])


# ---- the family ----

SPHERE = {"spheres": (lambda v: is_list(v, lambda s: is_list(s, is_bits, 4)), "a list of spheres, four numbers of eight hexadecimal digits each", some_of(some_of(BITS, 4)))}
QUERY = {"query": (lambda v: isinstance(v, list) and v[:1] in [[n] for n in COUNTS] and is_list(v[1:], is_bits, COUNTS[v[0]]),
                   "sphere, box, triangle, ray or pairs, with 4, 6, 9, 7 or no numbers of eight hexadecimal digits",
                   {"oneOf": [{"type": "array", "minItems": n + 1, "maxItems": n + 1, "items": [one_of(name)], "additionalItems": BITS} for name, n in COUNTS.items()]})}
PAIRS = {**some_of(some_of(WHOLE, 2)), "uniqueItems": True}


def is_sound(data):
    name, words = data["query"][0], data["query"][1:]
    v = [number(w) for w in words]
    return (is_finite(data["spheres"]) and is_finite(data["vertices"]) and all(number(s[3]) >= 0 for s in data["spheres"])
            and (name == "box" or is_finite(words[:6] if name == "ray" else words)) and (name != "sphere" or v[3] >= 0)
            and (name != "box" or all(v[k] <= v[k + 3] for k in range(3))) and (name != "ray" or (v[6] >= 0 and any(v[3:6]))))


@family("scene-query", "What a scene's spheres and triangles touch",
        "Balls, each by centre and radius, and triangles, with a query. Everything is a closed set: a triangle may be a segment or a point, and a ball too. "
        "Objects are numbered: the balls from 0 on, then the triangles. The query is a ball, a box (lower corner, upper corner), a triangle (three corners) or a ray "
        "(origin, direction, t_max, as in ray-mesh), or pairs. Which objects does the query touch? Which is the first that the ray meets, and at which t: balls are solid, so that is 0 if "
        "it begins in one; a triangle is met from either side, one without area or in whose plane the ray runs may be met or not as all_hits says: never? Which pairs of objects touch each other?",
        "A set of numbers; none, or an object and t; a set of pairs, the lower number first or not.",
        {"empty": "a scene without objects"},
        promises=["set", "tie", "bound"], input={**SPHERE, **MESH, **QUERY},
        answers=[{"object": WHOLE, "t": RANGE}, {"touched": NUMBERS, "may_touch?": NUMBERS}, {"pairs": PAIRS, "may_pair?": PAIRS}, NONE, REFUSED])
def scene_query(f):
    pass
