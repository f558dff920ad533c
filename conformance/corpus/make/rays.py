# SPDX-License-Identifier: MIT
"""Families of triangles: a ray against one, a ray against a mesh, and the triangles whose boxes a box overlaps."""
from fractions import Fraction
from itertools import product
from math import cos, lcm, pi, sin

from corpus import INF, NAN, Random, above, below, bits, exact, family, is_finite, nearest, number, step
from members import BOX, MESH, NONE, NUMBERS, RANGE, RAY, REFUSED, TRIANGLE, TRUE, WHOLE
from vectors import cross, dot, less, normal


def scaled(o, d, triangles):
    """Places as whole numbers, of which one is so small a part of the unit: (origin, direction, triangles, parameter's unit)."""
    space = lcm(*(v.denominator for v in o), *(x.denominator for t in triangles for corner in t for x in corner))
    way = lcm(*(v.denominator for v in d))

    def whole(values, unit):
        return [v.numerator * (unit // v.denominator) for v in values]

    return whole(o, space), whole(d, way), [[whole(corner, space) for corner in t] for t in triangles], Fraction(way, space)


def all_hits(o, d, triangles):
    """The parameters at which a ray meets closed triangles from either side, by exact arithmetic, [(t, number)]: not where it runs in a
    triangle's plane, and not where there is no area. From the origin, the signs of three volumes say on which side of the edges the
    ray passes."""
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
    """Those that are met first together."""
    hits = [h for h in hits if h[0] <= t_max]
    return [h for h in hits if h[0] == min(hits)[0]]


class Ray:
    def __init__(self, o, d, t_max=INF):
        self.word = {"origin": [bits(v) for v in o], "direction": [bits(v) for v in d], "t_max": bits(t_max)}
        self.o, self.d = [exact(w) for w in self.word["origin"]], [exact(w) for w in self.word["direction"]]
        self.far = Fraction(10) ** 60 if number(self.word["t_max"]) == INF else exact(self.word["t_max"])

    @classmethod
    def of(cls, data):
        """Of a vector's input; None if it is no ray."""
        if not is_finite([data["origin"], data["direction"]]) or not any(exact(w) for w in data["direction"]) or not number(data["t_max"]) >= 0:
            return None
        return cls(data["origin"], data["direction"], data["t_max"])


def answers(ray, triangles, hits_of=all_hits, corners=None):
    """What may be said of a ray: what exact arithmetic says, and what it says of rays that begin, and end, beside it by 2^-21 of the
    largest coordinate in play, which is what roundings of binary32 may do. {number or None: (lowest t, highest t)}
    `hits_of` is all_hits of something else than triangles, whose coordinates are `corners`."""
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
    """As expected answers; `key` names the triangle's number, or is None where there is one only."""
    out = []
    for i in sorted(k for k in said if k is not None):
        low, high = said[i]
        answer = {"t": [bits(below(max(low - slack, Fraction(0)))), bits(above(high + slack))]}
        out.append({key: i, **answer} if key else {"hit": True, **answer})
    return out + ([{"none": True}] if None in said else [])


REASON = "t: 2^-21 of the largest coordinate in play, along the direction's longest component, on top of what rays beside it by as much give"


def corners_of(words):
    return [[exact(w) for w in corner] for corner in words]


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
def ray_triangle(f):
    def add(name, about, corners, ray, flags=(), cites=()):
        words = [[bits(v) for v in c] for c in corners]
        said, slack = answers(ray, [corners_of(words)])
        if "start" in flags:
            said[None] = None
        out = spoken(said, slack, None)
        f.add(name, about, "tie" if len(out) > 1 else "bound", {"triangle": words, **ray.word}, out, flags, cites, REASON)

    unit = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    for zero in (0.0, -0.0):
        tag = "-minus-zero" if bits(zero) != "00000000" else ""
        flags = ["axis"] + (["minus-zero"] if tag else [])
        cites = ["jbikker/tinybvh#282", "vkoskiv/c-ray#87"] if tag else []
        add(f"front{tag}", "from the front", unit, Ray((0.25, 0.25, 1.0), (zero, zero, -1.0)), flags + ["inside"], cites)
        add(f"back{tag}", "from behind", unit, Ray((0.25, 0.25, -1.0), (zero, zero, 1.0)), flags + ["inside", "back"], cites)
    for axis in range(3):
        turn = [[c[(k - axis) % 3] for k in range(3)] for c in unit]
        o, d = [0.25, 0.25, 2.0], [0.0, 0.0, -1.0]
        add(f"turned-{'xyz'[axis]}", "along another axis", turn, Ray([o[(k - axis) % 3] for k in range(3)], [d[(k - axis) % 3] for k in range(3)]), ["axis", "inside"])
    add("miss-x", "beside it", unit, Ray((1.5, 0.25, 1.0), (0.0, 0.0, -1.0)), ["miss"])
    add("miss-diagonal", "beyond the long edge", unit, Ray((0.75, 0.75, 1.0), (0.0, 0.0, -1.0)), ["miss"])
    add("behind", "behind the origin", unit, Ray((0.25, 0.25, 1.0), (0.0, 0.0, 1.0)), ["behind"])
    for name, o in (("ab", (0.5, 0.0, 1.0)), ("ac", (0.0, 0.5, 1.0)), ("bc", (0.5, 0.5, 1.0))):
        add(f"edge-{name}", f"through edge {name}", unit, Ray(o, (0.0, 0.0, -1.0)), ["edge", "axis"])
    for name, o in (("a", (0.0, 0.0, 1.0)), ("b", (1.0, 0.0, 1.0)), ("c", (0.0, 1.0, 1.0))):
        add(f"corner-{name}", f"through corner {name}", unit, Ray(o, (0.0, 0.0, -1.0)), ["corner", "axis"], ["RenderKit/embree#181"])
    add("start", "from a point in the triangle", unit, Ray((0.25, 0.25, 0.0), (0.0, 0.0, 1.0)), ["start", "axis"], ["RenderKit/embree#133"])
    add("end-before", "t_max is less", unit, Ray((0.25, 0.25, 1.0), (0.0, 0.0, -1.0), 0.75), ["end"])
    add("end-at", "t_max is just enough", unit, Ray((0.25, 0.25, 1.0), (0.0, 0.0, -1.0), 1.0), ["end"])
    add("end-behind", "t_max is more", unit, Ray((0.25, 0.25, 1.0), (0.0, 0.0, -1.0), 1.25), ["end", "inside"])
    add("parallel", "above the plane", unit, Ray((-1.0, 0.25, 0.5), (1.0, 0.0, 0.0)), ["parallel"])
    words = [[bits(v) for v in c] for c in unit]
    for name, o, low, high in (("through", (-1.0, 0.25, 0.0), 1.0, 1.75), ("along-edge", (-1.0, 0.0, 0.0), 1.0, 2.0)):
        r = Ray(o, (1.0, 0.0, 0.0))
        f.add(f"in-plane-{name}", "in the plane, across the triangle or along its edge", "tie", {"triangle": words, **r.word},
              [{"hit": True, "t": [bits(low), bits(high)]}, {"none": True}], ["in-plane"], (), "t: anywhere in the triangle")
    for name, c in (("line", [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (3.0, 3.0, 3.0)]), ("two", [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 0.0)]),
                    ("point", [(0.5, 0.5, 0.5)] * 3)):
        r = Ray((0.5, 0.5, 2.0), (0.0, 0.0, -1.0))
        f.add(f"no-area-{name}", "a triangle without area, and a ray through it", "exact", {"triangle": [[bits(v) for v in x] for x in c], **r.word}, {"none": True}, ["no-area"])
    for k in (2.0**20, 2.0**30):
        far = [(0.0, 0.0, 0.0), (k, 0.0, 0.0), (0.0, 1.0, 0.0)]
        add(f"needle-{int(k)}", "a needle, through its wide end", far, Ray((0.125, 0.25, 1.0), (0.0, 0.0, -1.0)), ["needle", "large"])
    for name, size in (("1e6", 2.0**20), ("1e9", 2.0**30), ("6e11", 2.0**39)):
        big = [(-size, -size, 0.0), (size, -size, 0.0), (0.0, size, 0.0)]
        for z in (120000.0, 120500.0):
            add(f"large-{name}-{int(z)}", "a large triangle, from a place that is near for it", big, Ray((0.0, 0.0, z), (0.0, 0.0, -1.0)), ["large", "axis"], ["RenderKit/embree#416"])
    offset = [(c[0] + 1048576.0, c[1] + 1048576.0, c[2] - 1048576.0) for c in [(0.0, 0.0, 0.0), (8.0, 0.0, 0.0), (0.0, 8.0, 0.0)]]
    add("large-far", "a small triangle a million away", offset, Ray((1048578.0, 1048578.0, -1048560.0), (0.0, 0.0, -1.0)), ["large", "inside"])
    tiny = [tuple(v * 2.0**-120 for v in c) for c in [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]]
    add("small", "a triangle of 2^-120", tiny, Ray((2.0**-122, 2.0**-122, 2.0**-120), (0.0, 0.0, -1.0)), ["small"])
    for name, s in (("tiny", 2.0**-100), ("huge", 2.0**100)):
        add(f"scaled-{name}", f"a direction of {s:g}", unit, Ray((0.25, 0.25, 1.0), (0.0, 0.0, -s)), ["scaled", "inside"])
    add("scaled-slanted", "a slanted direction, three long", unit, Ray((-1.75, -1.75, 2.0), (2.0, 2.0, -2.0)), ["scaled", "inside"])
    # nearly parallel to a skinny triangle: far apart, and yet some report a hit a long way off
    skinny = [(nearest(100.0), nearest(3.0), nearest(50.0)), (nearest(110.5), nearest(4.25), nearest(53.75)), (nearest(109.125), nearest(4.0), nearest(53.5))]
    add("grazing-skinny", "a skinny triangle, a ray at half a degree to its plane", skinny, Ray((-400.0, 6.0, -128.0), (nearest(0.942), nearest(0.006), nearest(0.336))), ["grazing", "miss"], ["RenderKit/embree#387"])
    add("grazing-floor", "a large floor, from just above it", [(-1000.0, -1000.0, 0.0), (1000.0, -1000.0, 0.0), (0.0, 1000.0, 0.0)], Ray((-500.0, -500.0, 0.5), (1.0, 1.0, -(2.0**-10))), ["grazing"])
    for name, c, ray in (("zero", unit, ((0.25, 0.25, 1.0), (0.0, 0.0, 0.0))), ("nan-direction", unit, ((0.25, 0.25, 1.0), (0.0, NAN, -1.0))),
                         ("nan-origin", unit, ((NAN, 0.25, 1.0), (0.0, 0.0, -1.0))), ("nan-corner", [(NAN, 0.0, 0.0)] + unit[1:], ((0.25, 0.25, 1.0), (0.0, 0.0, -1.0))),
                         ("infinite-origin", unit, ((0.25, 0.25, INF), (0.0, 0.0, -1.0))), ("infinite-direction", unit, ((0.25, 0.25, 1.0), (0.0, 0.0, -INF)))):
        r = Ray(*ray)
        f.add(f"invalid-{name}", "no ray, or no triangle", "tie", {"triangle": [[bits(v) for v in x] for x in c], **r.word}, [{"none": True}, {"refused": True}], ["invalid"],
              ["modawan/reone#341"] if name.startswith("nan") else [])
    rnd = Random(31)
    for i in range(40):
        c = [[rnd.between(-4.0, 4.0) for _ in range(3)] for _ in range(3)]
        o = [rnd.between(-8.0, 8.0) for _ in range(3)]
        to = [nearest(sum(x[k] for x in c) / 3 + rnd.between(-1.0, 1.0)) for k in range(3)]
        add(f"random-{i}", "a random triangle, and a ray towards it", c, Ray(o, [nearest(to[k] - o[k]) for k in range(3)]))
    # outside and inside of each edge and corner by 2^-12 and 2^-16 of the triangle, which shows whether it is enlarged or shrunk
    oblique = [(0.25, -1.0, 0.5), (2.0, 0.5, -0.25), (-0.75, 1.5, 1.25)]
    for tag, c, d in (("", unit, (0.0, 0.0, -1.0)), ("-oblique", oblique, (-0.5, -0.25, -1.5))):
        for far in (12, 16):
            h = 2.0**-far
            for where, (u, v), (du, dv) in (("ab", (0.375, 0.0), (0.0, 1.0)), ("ac", (0.0, 0.625), (1.0, 0.0)), ("bc", (0.625, 0.375), (-1.0, 0.0)),
                                            ("a", (0.0, 0.0), (1.0, 1.0)), ("b", (1.0, 0.0), (-2.0, 1.0)), ("c", (0.0, 1.0), (1.0, -2.0))):
                for side, s in (("within", h), ("past", -h)):
                    p = [a + (u + s * du) * (b - a) + (v + s * dv) * (e - a) for a, b, e in zip(*c)]
                    name = f"beside-{where}-{side}-{far}{tag}"
                    add(name, f"{side} {'edge' if len(where) == 2 else 'corner'} {where} by 2^-{far} of the triangle", c, Ray(less(p, d), d),
                        ["beside"] + (["miss"] if side == "past" else []) + ([] if tag else ["axis"]))
                    if f.vectors[-1]["promise"] != "bound" or ("hit" in f.vectors[-1]["expected"][0]) != (side == "within"):
                        raise ValueError(f"ray-triangle/{name}: rounding decides")

    def ask(name, about, q, flags, cites):
        ray = Ray.of(q)
        if ray and is_finite(q["triangle"]):
            add(name, about, q["triangle"], ray, flags, cites)
        else:
            f.add(name, about, "tie", q, [{"none": True}, {"refused": True}], flags, cites)

    return ask


# ---- meshes ----

def cube(low=(0.0, 0.0, 0.0), high=(1.0, 1.0, 1.0)):
    v = [(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return v, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def ball(rings, around):
    v = [(0.0, 1.0, 0.0)]
    for i in range(1, rings):
        for k in range(around):
            a, b = pi * i / rings, 2 * pi * k / around
            v.append((nearest(sin(a) * cos(b)), nearest(cos(a)), nearest(sin(a) * sin(b))))
    v.append((0.0, -1.0, 0.0))
    t, last = [], len(v) - 1
    for k in range(around):
        n = (k + 1) % around
        t += [(0, 1 + n, 1 + k), (last, last - around + k, last - around + n)]
        for i in range(rings - 2):
            a, b, c, d = 1 + i * around + k, 1 + i * around + n, 1 + (i + 1) * around + k, 1 + (i + 1) * around + n
            t += [(a, b, d), (a, d, c)]
    return v, t


def hills(n, seed):
    r = Random(seed)
    v = [(float(x), r.below(5) / 2.0, float(z)) for z in range(n + 1) for x in range(n + 1)]
    t = []
    for z in range(n):
        for x in range(n):
            a = z * (n + 1) + x
            t += [(a, a + n + 1, a + 1), (a + 1, a + n + 1, a + n + 2)]
    return v, t


def mesh_json(mesh):
    return {"vertices": [[bits(x) for x in v] for v in mesh[0]], "triangles": [list(t) for t in mesh[1]]}


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
def ray_mesh(f):
    def add(name, about, mesh, ray, flags=(), cites=(), closed=False):
        data = mesh_json(mesh)
        tri = [corners_of([data["vertices"][i] for i in t]) for t in data["triangles"]]
        said, slack = answers(ray, tri) if tri else ({None: None}, 0)
        if closed:
            said.pop(None, None)
        out = spoken(said, slack, "triangle")
        f.add(name, about, "tie" if len(out) > 1 else "bound", {**data, **ray.word}, out, flags, cites, REASON)

    box = cube()
    for axis in range(3):
        for way in (1.0, -1.0):
            o, d = [0.5, 0.5, 0.5], [-0.0] * 3
            o[axis], d[axis] = (-1.0 if way > 0 else 2.0), way
            name = f"{'-' if way < 0 else ''}{'xyz'[axis]}"
            add(f"diagonal-{name}", "through the diagonal of a cube's face, which two triangles share", box, Ray(o, d), ["edge", "axis", "minus-zero", "closed"], ["mitsuba-renderer/mitsuba3#1149"], closed=True)
            o2 = list(o)
            o2[(axis + 1) % 3], o2[(axis + 2) % 3] = 0.25, 0.625
            add(f"face-{name}", "through one triangle of a cube's face", box, Ray(o2, d), ["axis", "minus-zero", "closed"], closed=True)
    for i, target in enumerate(box[0]):
        o = [nearest(3.0 * (v - 0.5) + 0.5) for v in target]
        add(f"corner-{i}", "at a corner of a cube, along its diagonal", box, Ray(o, [nearest(target[k] - o[k]) for k in range(3)]), ["corner", "closed"], ["RenderKit/embree#181"], closed=True)
        add(f"out-{i}", "from within a cube, into its corner", box, Ray((0.5, 0.5, 0.5), [nearest(target[k] - 0.5) for k in range(3)]), ["corner", "closed"], closed=True)
    add("edge-of-cube", "at the middle of an edge of a cube", box, Ray((0.5, -1.0, -1.0), (0.0, 1.0, 1.0)), ["edge", "closed"], closed=True)
    add("along-face", "along a cube's face", box, Ray((-1.0, 0.5, 1.0), (1.0, 0.0, 0.0)), ["grazing", "axis"])
    add("past", "past a cube", box, Ray((-1.0, 1.5, 0.5), (1.0, 0.0, 0.0)), ["miss", "axis"])
    add("end", "t_max ends it before the cube", box, Ray((-1.0, 0.25, 0.5), (1.0, 0.0, 0.0), 0.5), ["end"])
    add("start", "from a cube's face, into it", box, Ray((0.0, 0.25, 0.5), (1.0, 0.0, 0.0)), ["start", "closed"])
    add("empty", "nothing there", ([(0.0, 0.0, 0.0)], []), Ray((0.25, 0.25, 1.0), (0.0, 0.0, -1.0)), ["empty"])
    pile = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [(0, 1, 2), (1, 2, 0), (2, 1, 0)]
    add("same", "three triangles in one place", pile, Ray((0.25, 0.25, 1.0), (0.0, 0.0, -1.0)), ["same"])
    steps = ([(x, y, z) for z in (3.0, 1.0, 2.0, 0.0) for x, y in ((-1.0, -1.0), (3.0, -1.0), (-1.0, 3.0))], [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11)])
    add("order", "four triangles one behind the other, not in order", steps, Ray((0.0, 0.0, 4.0), (0.0, 0.0, -1.0)), ["order"])
    add("order-back", "from the other side", steps, Ray((0.0, 0.0, -1.0), (0.0, 0.0, 1.0)), ["order"])
    round_ = ball(6, 8)
    r = Random(41)
    again = Random(43)

    def other(draw, taken, key=lambda drawn: drawn):
        """What is drawn, or if that was drawn before something else: every vector asks something of its own."""
        drawn = draw(r)
        while key(drawn) in taken:
            drawn = draw(again)
        taken.add(key(drawn))
        return drawn

    taken = set()
    for i in range(16):
        target = round_[0][1 + other(lambda x: x.below(len(round_[0]) - 2), taken)]
        o = [nearest(v * 5.0) for v in target]
        add(f"ball-vertex-{i}", "at a vertex of a ball, from outside", round_, Ray(o, [nearest(-v) for v in target]), ["corner", "closed"], ["RenderKit/embree#381"], closed=True)
    taken = set()
    for i in range(16):
        a, b, _ = round_[1][other(lambda x: x.below(len(round_[1])), taken, lambda t: frozenset(round_[1][t][:2]))]
        target = [nearest((round_[0][a][k] + round_[0][b][k]) / 2) for k in range(3)]
        o = [nearest(v * 5.0) for v in target]
        add(f"ball-edge-{i}", "at an edge of a ball, from outside", round_, Ray(o, [nearest(-v) for v in target]), ["edge", "closed"], ["mitsuba-renderer/mitsuba3#1149"], closed=True)
    land = hills(8, 42)
    taken = set()
    for i in range(16):
        x, z = other(lambda x: (float(1 + x.below(7)), float(1 + x.below(7))), taken)
        add(f"hills-vertex-{i}", "from above, at a vertex", land, Ray((x, 8.0, z), (0.0, -1.0, -0.0)), ["corner", "axis", "minus-zero"], closed=True)
        o = [r.between(0.5, 7.5), 8.0, r.between(0.5, 7.5)]
        to = [r.between(2.0, 6.0), 0.0, r.between(2.0, 6.0)]
        add(f"hills-{i}", "from above, slanted", land, Ray(o, [nearest(to[k] - o[k]) for k in range(3)]))
    # past a cube's silhouette, and within it
    for far in (12, 16):
        for axis in (1, 2):
            for end, inward in ((0.0, 1.0), (1.0, -1.0)):
                for side, s in (("within", inward), ("past", -inward)):
                    o = [-1.0, 0.375, 0.375]
                    o[axis] = end + s * 2.0**-far
                    name = f"silhouette-{'-' if end == 0.0 else ''}{'xyz'[axis]}-{side}-{far}"
                    add(name, f"{side} a cube's silhouette by 2^-{far}", box, Ray(o, (1.0, 0.0, 0.0)), ["grazing", "axis"] + (["miss"] if side == "past" else ["closed"]))
                    if f.vectors[-1]["promise"] != "bound" or ("triangle" in f.vectors[-1]["expected"][0]) != (side == "within"):
                        raise ValueError(f"ray-mesh/{name}: rounding decides")

    def ask(name, about, q, flags, cites):
        ray = Ray.of(q)
        if ray and is_finite(q["vertices"]):
            add(name, about, (q["vertices"], q["triangles"]), ray, flags, cites, "closed" in flags)
        else:
            f.add(name, about, "tie", q, [{"none": True}, {"refused": True}], flags, cites)

    return ask


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
def aabb_gather(f):
    def boxes(mesh):
        corner = [[[exact(bits(x)) for x in mesh[0][i]] for i in t] for t in mesh[1]]
        return [([min(c[k] for c in t) for k in range(3)], [max(c[k] for c in t) for k in range(3)]) for t in corner]

    def value(word):
        v = number(word)
        return Fraction(10) ** 60 * (1 if v > 0 else -1) if v in (INF, -INF) else Fraction(v)

    def add(name, about, mesh, low, high, flags=(), cites=()):
        lo, hi = [bits(v) for v in low], [bits(v) for v in high]
        data = {**mesh_json(mesh), "min": lo, "max": hi}
        if not all(number(a) <= number(b) for a, b in zip(lo, hi)):
            f.add(name, about, "tie", data, [{"triangles": []}, {"refused": True}], flags, cites)
            return
        a, b = [value(w) for w in lo], [value(w) for w in hi]
        overlapped = [i for i, (p, q) in enumerate(boxes(mesh)) if all(p[k] <= b[k] and q[k] >= a[k] for k in range(3))]
        f.add(name, about, "set", data, {"triangles": overlapped}, flags, cites or (["coal-library/coal#750"] if "infinite" in flags else []))

    land, box = hills(6, 51), cube()
    for axis in range(3):
        for side, flags in ((1.0, ["touch"]), (number("3f800001"), ["beside"])):
            lo, hi = [0.25, 0.25, 0.25], [0.75, 0.75, 0.75]
            lo[axis], hi[axis] = side, 2.0
            add(f"face-{'xyz'[axis]}-{flags[0]}", "a box at the face of a cube, or just above it", box, lo, hi, flags + ["flat"])
    add("corner", "a box that has one corner in common with a cube", box, (1.0,) * 3, (2.0,) * 3, ["touch"])
    add("point", "one point on a cube's edge", box, (0.5, 1.0, 1.0), (0.5, 1.0, 1.0), ["point", "touch"])
    add("inside", "within a cube, where no face is", box, (0.25,) * 3, (0.75,) * 3, ["none"])
    add("all", "around everything", land, (-1.0,) * 3, (10.0,) * 3, ["all"])
    add("none", "above everything", land, (-1.0, 3.0, -1.0), (10.0, 4.0, 10.0), ["none"])
    add("infinite", "from infinity to infinity", land, (-INF,) * 3, (INF,) * 3, ["infinite", "all"])
    add("infinite-half", "everything up to x = 2", land, (-INF,) * 3, (2.0, INF, INF), ["infinite", "touch"])
    for k in range(3):
        lo, hi = [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]
        lo[k] = NAN
        add(f"nan-{'xyz'[k]}", "a NaN", land, lo, hi, ["invalid"])
        lo[k], hi[k] = 1.0, number("3f7fffff")
        add(f"inverted-{'xyz'[k]}", "max just below min", land, lo, hi, ["invalid"])
    for name, v in (("0", 0.0), ("minus-0", -0.0)):
        for side, w in (("0", 0.0), ("minus-0", -0.0)):
            flat = ([(w, 0.0, 0.0), (w, 1.0, 0.0), (w, 0.0, 1.0)], [(0, 1, 2)])
            add(f"zero-{name}-at-{side}", "a box that ends at a zero, a triangle at a zero", flat, (-1.0, 0.0, 0.0), (v, 1.0, 1.0), ["zero", "touch", "flat"])
    d = number("00000001")
    flat = ([(d, 0.0, 0.0), (d, 1.0, 0.0), (d, 0.0, 1.0)], [(0, 1, 2)])
    add("denormal-beside", "a box that ends at 0, a triangle at the smallest denormal", flat, (-1.0, 0.0, 0.0), (0.0, 1.0, 1.0), ["small", "beside"])
    add("denormal-at", "a box that ends at the smallest denormal", flat, (-1.0, 0.0, 0.0), (d, 1.0, 1.0), ["small", "touch"])
    r = Random(52)
    for i in range(24):
        lo = [nearest(r.below(13) / 2.0 - 0.5), nearest(r.below(5) / 2.0), nearest(r.below(13) / 2.0 - 0.5)]
        add(f"hills-{i}", "a box whose faces are at whole and half numbers, as the mesh's are", land, lo, [nearest(v + r.below(4) / 2.0) for v in lo], ["touch"])
    # a triangle in each octant, no two of one size; boxes that reach one, that touch it, and that miss it by one binary32
    signs = [[-1.0 if i >> k & 1 else 1.0 for k in range(3)] for i in range(8)]
    base = [(1.0, 2.0, 3.0), (3.0, 1.0, 2.0), (2.0, 3.0, 1.0)]
    corners = [[tuple(v * s * (1.0 + i / 8) for v, s in zip(c, sign)) for c in base] for i, sign in enumerate(signs)]
    eight = [c for t in corners for c in t], [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(8)]
    for i, sign in enumerate(signs):
        where, flags = "".join("n" if s < 0 else "p" for s in sign), ["negative"] if i else []
        lo, hi = ([ends(c[k] for c in corners[i]) for k in range(3)] for ends in (min, max))
        middle = [(a + b) / 2 for a, b in zip(lo, hi)]
        add(f"octant-{where}", "within the box of a triangle in an octant", eight, middle, middle, flags + ["point"])
        add(f"octant-{where}-above", "a box that has its lowest corner in common with the highest of a triangle's box", eight, hi, [v + 0.5 for v in hi], flags + ["touch"])
        add(f"octant-{where}-below", "a box that has its highest corner in common with the lowest of a triangle's box", eight, [v - 0.5 for v in lo], lo, flags + ["touch"])
        for k in range(3):
            a, b = list(middle), list(middle)
            a[k], b[k] = step(hi[k], 1), hi[k] + 0.5
            add(f"octant-{where}-above-{'xyz'[k]}", "a box that begins one number of binary32 above a triangle", eight, a, b, flags + ["beside"])
            a[k], b[k] = lo[k] - 0.5, step(lo[k], -1)
            add(f"octant-{where}-below-{'xyz'[k]}", "a box that ends one number of binary32 below a triangle", eight, a, b, flags + ["beside"])
    return lambda name, about, q, *more: add(name, about, (q["vertices"], q["triangles"]), q["min"], q["max"], *more)
