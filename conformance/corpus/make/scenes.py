# SPDX-License-Identifier: MIT
"""The family of scenes: what of some spheres and triangles a sphere, a box, a triangle or a ray touches, and which touch each other. Every object is
tried, in rational numbers."""
from fractions import Fraction
from itertools import combinations, product
from math import isqrt

from corpus import INF, NAN, Random, bits, exact, family, is_finite, nearest, number
from members import BITS, MESH, NONE, NUMBERS, RANGE, REFUSED, WHOLE, one_of, some_of
from rays import REASON, Ray, all_hits, answers, ball, hills, spoken
from vectors import cross, dot, less, normal

FAR = Fraction(10) ** 60  # where binary32 is infinite

# ---- distances and intersections of closed sets ----

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
    """(promise, what is expected, reason)"""
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


class Scene:
    def __init__(self, spheres=(), mesh=((), ())):
        self.data = {"spheres": [[bits(x) for x in s] for s in spheres], "vertices": [[bits(x) for x in v] for v in mesh[0]], "triangles": [list(t) for t in mesh[1]]}

    def ask(self, name, *numbers):
        return {**self.data, "query": [name] + [bits(x) for x in numbers]}


def rolled(count, seed, scale=1.0, at=(0.0, 0.0, 0.0), radius=1.0):
    r = Random(seed)
    return [[nearest(at[k] + scale * r.between(-4.0, 4.0)) for k in range(3)] + [nearest(scale * r.between(0.0, radius))] for _ in range(count)]


def loose(count, seed, scale=1.0):
    """Triangles that have no vertex in common."""
    r, v = Random(seed), []
    for _ in range(count):
        c = [r.between(-4.0, 4.0) for _ in range(3)]
        v += [[nearest(scale * (x + r.between(-1.5, 1.5))) for x in c] for _ in range(3)]
    return v, [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(count)]


QUERIES = {"sphere": (0.5, 0.25, -0.25, 2.0), "box": (-1.5, -1.0, -2.0, 1.0, 2.0, 0.5), "triangle": (-3.0, -2.0, 0.5, 3.0, -1.0, 0.0, 0.25, 3.0, -0.5),
           "ray": (-6.0, -5.0, -4.5, 1.0, 0.875, 0.75, INF), "pairs": ()}
THREE = [(0.0, 0.0, 0.0, 1.0), (4.0, 0.0, 0.0, 0.5), (0.0, 4.0, 0.0, 2.0)]
ONE = ((-1.0, -1.0, 0.0), (3.0, -1.0, 0.0), (-1.0, 3.0, 0.0)), [(0, 1, 2)]


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
def scene_query(f):
    def add(name, about, data, flags=(), cites=()):
        promise, expected, reason = right(data)
        f.add(name, about, promise, data, expected, flags, cites, reason)

    for name, q in QUERIES.items():
        add(f"empty-{name}", "a scene without objects", Scene().ask(name, *q), ["empty"])
        add(f"spheres-{name}", "three spheres", Scene(THREE).ask(name, *q), ["empty"])
        add(f"random-{name}", "spheres and triangles at random", Scene(rolled(24, 62, radius=1.25), loose(16, 72)).ask(name, *q), ["random"])
        for tag, scale in (("large", 2.0**30), ("small", 2.0**-40)):
            far = [x * scale if not (name == "ray" and i > 2) else x for i, x in enumerate(q)]
            add(f"{tag}-{name}", f"the same, {scale!r} times as large", Scene(rolled(12, 63, scale, radius=2.0), loose(8, 73, scale)).ask(name, *far), [tag, "random"])
        around = [(0.0, 0.0, 0.0, 0.25 * (12 - i)) for i in range(12)]
        add(f"concentric-{name}", "twelve balls around one centre, the largest first", Scene(around).ask(name, *q), ["concentric", "inside"] + (["order"] if name == "ray" else []))
        add(f"same-{name}", "four balls and three triangles in one place", Scene([(0.25, 0.0, 0.0, 1.0)] * 4, (ONE[0], [(0, 1, 2), (1, 2, 0), (2, 1, 0)])).ask(name, *q), ["same"])
        if name != "pairs":  # its neighbours all touch
            add(f"hills-{name}", "hills of triangles, with balls on them", Scene([(1.5, 2.0, 1.5, 0.75), (3.0, 1.0, 3.0, 0.5), (0.5, 4.0, 2.0, 1.0)], hills(4, 12)).ask(name, *(x + (2.0 if i % 3 != 1 else 0.75) if i < (9 if name == "triangle" else 6 if name == "box" else 3) else x for i, x in enumerate(q))), ["mesh"])
    ball_mesh = ball(4, 6)
    add("hills-pairs", "a ball in a closed mesh, one at it, and one outside", Scene([(0.0, 0.0, 0.0, 0.25), (1.0, 0.0, 0.0, 0.5), (4.0, 0.0, 0.0, 0.5)], ball_mesh).ask("pairs"), ["mesh", "inside"])

    # just touching, and apart or overlapping by less than rounding
    for tag, by in (("at", 0.0), ("in", -(2.0**-16)), ("apart", 2.0**-16)):
        gap = 2.0 + by
        row = [(nearest(k * gap), 0.0, 0.0, 1.0) for k in range(-1, 2)]
        add(f"touch-{tag}-sphere", "two balls on both sides of one", Scene([row[0], row[2]]).ask("sphere", *row[1]), ["touch"])
        add(f"touch-{tag}-pairs", "three balls in a row", Scene(row).ask("pairs"), ["touch"])
        add(f"touch-{tag}-box", "balls at a face, an edge's height and a corner of a box", Scene([(nearest(2.0 + by), 0.5, 0.5, 1.0), (nearest(1.0 + 3.0 + by), 5.0, 0.5, 5.0), (0.5, nearest(-1.0 - by), 0.5, 1.0)]).ask("box", 0.0, 0.0, 0.0, 1.0, 1.0, 1.0), ["touch"])
        add(f"touch-{tag}-triangle", "balls over the middle of a triangle, beside an edge, at a corner", Scene([(0.0, 0.0, nearest(1.0 + by), 1.0), (0.0, nearest(-2.0 - by), 0.0, 1.0), (nearest(-2.0 - by), -1.0, 0.0, 1.0)]).ask("triangle", *(x for v in ONE[0] for x in v)), ["touch"])
        add(f"touch-{tag}-plane", "triangles above one, parallel to it", Scene(mesh=([(x, y, nearest(by)) for x, y, _ in ONE[0]], ONE[1])).ask("triangle", *(x for v in ONE[0] for x in v)), ["touch"])
        add(f"touch-{tag}-ray", "a ray by a ball's silhouette", Scene([(0.0, nearest(1.0 + by), 0.0, 1.0), (5.0, 0.0, 0.0, 1.0)]).ask("ray", -8.0, 0.0, 0.0, 1.0, 0.0, -0.0, INF), ["touch", "grazing", "minus-zero"])
    add("corner-box", "a ball by a box's corner, within the box of both, and not touching", Scene([(1.75, 1.75, 1.75, 1.0)]).ask("box", 0.0, 0.0, 0.0, 1.0, 1.0, 1.0))
    add("edge-triangle", "a box by a triangle's long edge, within the triangle's box", Scene(mesh=ONE).ask("box", 1.25, 1.25, -0.5, 2.0, 2.0, 0.5))
    add("through-triangle", "a triangle through the hole of a ring of three", Scene(mesh=([(2.0, 0.0, 0.0), (4.0, 0.0, 0.0), (-1.0, 2.0, 0.0), (-2.0, 4.0, 0.0), (-1.0, -2.0, 0.0), (-2.0, -4.0, 0.0)], [(0, 1, 2), (2, 3, 4), (4, 5, 0)])).ask("triangle", 0.0, 0.0, -1.0, 0.25, 0.0, 1.0, 0.0, 0.25, 1.0))
    add("across-triangle", "two triangles in one plane that cross like a star", Scene(mesh=([(-2.0, -1.0, 0.0), (2.0, -1.0, 0.0), (0.0, 2.0, 0.0)], [(0, 1, 2)])).ask("triangle", -2.0, 1.0, 0.0, 2.0, 1.0, 0.0, 0.0, -2.0, 0.0), ["touch"])
    add("inside-sphere", "a ball in another, one around it, and one in a corner of its box", Scene([(0.0, 0.0, 0.0, 8.0), (0.5, 0.0, 0.0, 0.25), (1.75, 1.75, 1.75, 0.5)]).ask("sphere", 0.0, 0.0, 0.0, 2.0), ["inside"])
    add("inside-box", "a box in a ball, and a triangle and a ball in it", Scene([(0.0, 0.0, 0.0, 8.0), (0.25, 0.0, 0.0, 0.125)], ([(-0.5, -0.5, 0.0), (0.5, -0.5, 0.0), (0.0, 0.5, 0.25)], [(0, 1, 2)])).ask("box", -1.0, -1.0, -1.0, 1.0, 1.0, 1.0), ["inside"])
    add("inside-triangle", "a triangle in a ball, and a ball on it", Scene([(0.0, 0.0, 0.0, 8.0), (0.0, 0.0, 0.0, 0.125)]).ask("triangle", *(x for v in ONE[0] for x in v)), ["inside"])
    points = [(0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 2.0, 0.0, 0.0), (-0.0, -0.0, 0.0, 0.0)]
    add("zero-sphere", "points, asked for by a point", Scene(points).ask("sphere", 0.0, -0.0, 0.0, 0.0), ["zero", "minus-zero", "same"])
    add("zero-around", "points, in a ball", Scene(points).ask("sphere", 0.5, 0.0, 0.0, 0.75), ["zero"])
    add("zero-box", "points, in a box", Scene(points).ask("box", -0.5, -0.5, -0.5, 0.5, 4.0, 0.5), ["zero"])
    add("zero-pairs", "points, of which two are in one place", Scene(points).ask("pairs"), ["zero", "same"])
    add("zero-ray", "points on a ray, which may be met, and a ball behind", Scene(points + [(6.0, 0.0, 0.0, 1.0)]).ask("ray", -3.0, 0.0, 0.0, 1.0, 0.0, 0.0, INF), ["zero"])
    thin = [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 3.0, 0.0)], [(0, 0, 0), (0, 1, 0), (0, 1, 2), (3, 3, 1), (0, 1, 3)]
    add("flat-sphere", "triangles that are points and segments, in a ball", Scene(mesh=thin).ask("sphere", 2.0, 0.0, 0.0, 1.0), ["flat"])
    add("flat-box", "and in a box", Scene(mesh=thin).ask("box", 1.0, -1.0, -1.0, 2.0, 0.5, 1.0), ["flat"])
    add("flat-point", "a box that is a point, in balls", Scene(THREE + [(0.5, 0.5, 0.0, 1.5)]).ask("box", 0.25, 0.25, 0.0, 0.25, 0.25, 0.0), ["flat"])
    add("flat-plate", "a box that is a plate, through a ball and triangles", Scene(THREE, loose(6, 75)).ask("box", -9.0, 0.25, -9.0, 9.0, 0.25, 9.0), ["flat"])
    add("flat-triangle", "a segment through triangles and balls", Scene(THREE, ([(-1.0, -1.0, -1.0), (-1.0, 3.0, -1.0), (-1.0, 0.0, 3.0), (9.0, -1.0, -1.0), (9.0, 3.0, -1.0), (9.0, 0.0, 3.0)], [(0, 1, 2), (3, 4, 5)])).ask("triangle", -3.0, 0.25, 0.25, 5.0, 0.25, 0.25, -3.0, 0.25, 0.25), ["flat"])
    add("flat-corner", "a triangle that is a point, in a ball", Scene(THREE).ask("triangle", 4.0, 0.125, 0.0, 4.0, 0.125, 0.0, 4.0, 0.125, 0.0), ["flat"])
    add("flat-pairs", "points and segments among each other and with balls", Scene([(2.0, 0.0, 0.0, 1.0), (0.0, 0.0, 9.0, 1.0)], thin).ask("pairs"), ["flat"])
    add("flat-ray", "a ray through segments, which are not met", Scene([(2.0, 0.0, -4.0, 1.0)], (thin[0], thin[1][:4])).ask("ray", 2.0, 0.0, 3.0, 0.0, 0.0, -1.0, INF), ["flat"])
    add("infinite-box", "everything from 1 on", Scene(THREE, loose(3, 76)).ask("box", 1.5, -INF, -INF, INF, INF, INF), ["infinite"])
    add("infinite-all", "everything", Scene(THREE, loose(3, 76)).ask("box", -INF, -INF, -INF, INF, INF, INF), ["infinite"])
    for name, q in (("sphere", (65538.0, 65536.0, 65536.0, 3.0)), ("box", (65536.0, 65533.0, 65534.0, 65541.0, 65537.0, 65538.0)), ("ray", (65520.0, 65536.25, 65536.0, 1.0, 0.0, 0.0, INF)), ("pairs", ())):
        add(f"far-{name}", "far from the origin", Scene(rolled(16, 64, 1.0, (65538.0, 65536.0, 65536.0), 2.0)).ask(name, *q), ["far", "random"])
    add("start-ray", "from within two balls", Scene([(0.0, 0.0, 0.0, 1.0), (9.0, 0.0, 0.0, 1.0), (0.0, 0.5, 0.0, 1.0)]).ask("ray", 0.0, 0.25, 0.0, 1.0, 0.0, 0.0, INF), ["start", "inside"])
    add("start-end", "from within a ball, with a t_max of 0", Scene(THREE).ask("ray", 0.0, 0.25, 0.0, 1.0, 0.0, 0.0, 0.0), ["start", "end"])
    add("behind", "balls and a triangle behind the origin", Scene(THREE, ONE).ask("ray", 0.0, 0.0, 8.0, 0.0, 0.0, 1.0, INF))
    for tag, end in (("before", 2.75), ("behind", 3.25), ("at", 3.0)):
        add(f"end-{tag}", f"t_max is {end!r}, and the ball is met at 3", Scene(THREE).ask("ray", -4.0, 0.0, 0.0, 1.0, 0.0, 0.0, end), ["end"])
    add("order", "balls and triangles by turns, not in order", Scene([(0.0, 0.0, -6.0, 0.5), (0.0, 0.0, 4.0, 0.5)], ([(x, y, z) for z in (-3.0, 2.0) for x, y in ((-1.0, -1.0), (3.0, -1.0), (-1.0, 3.0))], [(0, 1, 2), (3, 4, 5)])).ask("ray", 0.25, 0.0, -5.0, 0.0, 0.0, 1.0, INF), ["order"])
    add("scaled", "a direction of length 2^-20", Scene(THREE).ask("ray", -4.0, 0.25, 0.0, 2.0**-20, 0.0, 0.0, INF), ["order"])
    for name, q in (("nan", (NAN, 0.0, 0.0, 1.0)), ("infinity", (0.0, 0.0, INF, 1.0)), ("negative", (0.0, 0.0, 0.0, -1.0)), ("radius", (0.0, 0.0, 0.0, INF)), ("nan-radius", (0.0, 0.0, 0.0, NAN))):
        add(f"invalid-{name}", "the query is no sphere", Scene(THREE).ask("sphere", *q), ["invalid"])
        if name in ("nan", "negative"):
            add(f"invalid-{name}-scene", "a sphere of the scene is none", Scene(THREE[:1] + [q]).ask("pairs"), ["invalid"])
    add("invalid-box", "a box with its lower corner above", Scene(THREE).ask("box", 1.0, 0.0, 0.0, -1.0, 2.0, 2.0), ["invalid"])
    add("invalid-box-nan", "a box with a NaN", Scene(THREE).ask("box", NAN, 0.0, 0.0, 1.0, 2.0, 2.0), ["invalid"])
    add("invalid-triangle", "a triangle with an infinity", Scene(THREE).ask("triangle", 0.0, 0.0, 0.0, INF, 0.0, 0.0, 0.0, 1.0, 0.0), ["invalid"])
    add("invalid-ray", "a ray without a direction", Scene(THREE).ask("ray", 0.0, 0.0, 0.0, 0.0, -0.0, 0.0, INF), ["invalid", "minus-zero"])
    add("invalid-ray-end", "a negative t_max", Scene(THREE).ask("ray", 9.0, 0.0, 0.0, -1.0, 0.0, 0.0, -1.0), ["invalid"])
    add("invalid-vertex", "a vertex that is a NaN", Scene(THREE, ([(0.0, 0.0, 0.0), (1.0, NAN, 0.0), (0.0, 1.0, 0.0)], [(0, 1, 2)])).ask("box", -1.0, -1.0, -1.0, 1.0, 1.0, 1.0), ["invalid"])
    return add
