# SPDX-License-Identifier: MIT
"""The family of manifolds. What must be told is found by the shape's support, direction by direction: of flat parts of a mesh, of its edges between the
normals on both sides, of its corners; nothing is collided. Which triangles are in one plane, and which edges are convex, is exact; the rest is binary64,
and only + - * / and roots: the same bytes everywhere. Contacts that somebody may have in another way are left out: what is told of these is judged by what a contact is."""
from fractions import Fraction
from math import sqrt

from corpus import INF, NAN, Random, above, below, bits, exact, family, is_finite, nearest, number
from members import BITS, MESH, POINTS, RANGE, REFUSED, defined, one_of, some_of
from vectors import add, cross, dot, less, normal
from waters import KINDS, POSE, SHAPE, Body, ball_points, is_shape_sound, pose_data, shape_data

NEAR, APART = 0.9961947, 0.9945219  # cosines of 5 degrees and of 6
PARTS = 128  # of an arc from a normal to the next


def unit(a):
    length = sqrt(dot(a, a))
    return tuple(x / length for x in a)


def floats(a):
    return tuple(float(x) for x in a)


def to_segment(p, a, b):
    d = less(b, a)
    t = min(1.0, max(0.0, dot(less(p, a), d) / dot(d, d)))
    away = less(p, add(a, d, t))
    return sqrt(dot(away, away))


# ---- shapes, relative to their position ----

class Solid(Body):
    def __init__(self, data):
        super().__init__(data)
        n = self.n
        self.radius = {"sphere": lambda: n[0], "capsule": lambda: n[0] + n[1], "cylinder": lambda: sqrt(n[0] * n[0] + n[1] * n[1])}.get(
            self.kind, lambda: max(sqrt(dot(c, c)) for c in self.corners))()

    def furthest(self, u):
        """All points that are furthest along u, at least those that enclose them; of a disc its middle, and its rim's."""
        r = self.n[0] if self.n else 0.0
        ends, zero = [(0.0, 0.0, 0.0)], 1e-9
        if self.kind in ("capsule", "cylinder"):
            along = dot(u, self.axes[1])
            ends = [add(ends[0], self.axes[1], s * self.n[1]) for s in (1, -1) if s * along > -zero]
        if self.kind in ("sphere", "capsule"):
            return [add(e, u, r) for e in ends]
        if self.kind == "cylinder":
            flat = add(u, self.axes[1], -along)
            if dot(flat, flat) > zero * zero:
                return [add(e, unit(flat), r) for e in ends]
            return ends + [add(add(ends[0], self.axes[0], r * x), self.axes[2], r * z) for x, z in ((1, 0), (0, 1), (-1, 0), (0, -1))]
        along = [dot(u, c) for c in self.corners]
        least = max(along) - zero * self.radius
        return [c for c, far in zip(self.corners, along) if far > least]

    def from_point(self, v):
        """The nearest point of a round shape or a box to one outside; None of a hull."""
        p = tuple(dot(a, v) for a in self.axes)
        n = self.n
        if self.kind == "box":
            return self.turn([min(m, max(-m, c)) for m, c in zip(n, p)])
        if self.kind == "cylinder":
            out = sqrt(p[0] * p[0] + p[2] * p[2])
            k = min(1.0, n[0] / out) if out > 0.0 else 1.0
            return self.turn([p[0] * k, min(n[1], max(-n[1], p[1])), p[2] * k])
        if self.kind in ("sphere", "capsule"):
            h = n[1] if self.kind == "capsule" else 0.0
            middle = (0.0, min(h, max(-h, p[1])), 0.0)
            return self.turn(add(middle, unit(less(p, middle)), n[0]))
        return None


# ---- meshes, as sides ----

class Ground:
    """Triangles relative to a place; `flats` are groups of triangles that share edges and are in one plane, exactly."""

    def __init__(self, data):
        origin = [exact(w) for w in data["position"]]
        at = [less([exact(w) for w in v], origin) for v in data["vertices"]]
        self.triangles = [tuple(at[i] for i in t) for t in data["triangles"]]
        self.across = [normal(*t) for t in self.triangles]
        self.normals = [unit(floats(n)) if any(n) else None for n in self.across]
        self.edges = {}  # (from, to) -> the sides that have it
        for t, corners in enumerate(self.triangles):
            for k in range(3):
                if self.normals[t]:
                    self.edges.setdefault((corners[k], corners[(k + 1) % 3]), []).append((t, k))
        self.group = list(range(len(self.triangles)))
        for (a, b), mine in self.edges.items():
            for t, _ in mine:
                for o, k in self.edges.get((b, a), ()):
                    if self.bend(t, o, k) == 0 and dot(self.normals[t], self.normals[o]) > 0.0:
                        old, new = self.group[o], self.group[t]
                        self.group = [new if g == old else g for g in self.group]

    def bend(self, t, other, k):
        """Above 0 of a concave edge, of which the other triangle has number k; below 0 of a convex one."""
        far = self.triangles[other][(k + 2) % 3]
        return dot(self.across[t], less(far, self.triangles[t][0]))

    def sides(self):
        """(normal, corners of triangles, border): of the border (a, b, whether the surface rises there)."""
        for g in sorted(set(self.group)):
            mine = [t for t in range(len(self.triangles)) if self.group[t] == g and self.normals[t]]
            border = []
            for t in mine:
                for k in range(3):
                    a, b = self.triangles[t][k], self.triangles[t][(k + 1) % 3]
                    beyond = self.edges.get((b, a), [])
                    if not any(self.group[o] == g for o, _ in beyond):
                        border.append((floats(a), floats(b), any(self.bend(t, o, j) > 0 for o, j in beyond)))
            if mine:
                yield self.normals[mine[0]], [tuple(map(floats, self.triangles[t])) for t in mine], border

    def ridges(self):
        """(a, b, normal, that beyond or straight out): edges that are convex or open, each once."""
        for (a, b), mine in self.edges.items():
            beyond = self.edges.get((b, a), [])
            if len(mine) != 1 or len(beyond) > 1:
                continue
            t = mine[0][0]
            a, b = floats(a), floats(b)
            if not beyond:
                yield a, b, self.normals[t], unit(cross(unit(less(b, a)), self.normals[t]))
            elif t < beyond[0][0] and self.bend(t, *beyond[0]) < 0:
                yield a, b, self.normals[t], self.normals[beyond[0][0]]

    def peaks(self):
        """(corner, directions of its edges, normals there) of those without a concave edge."""
        for v in sorted({c for t in self.triangles for c in t}):
            mine = [(t, k) for t, corners in enumerate(self.triangles) for k in range(3) if corners[k] == v and self.normals[t]]
            arms = {corners[(k + j) % 3] for t, k in mine for corners in (self.triangles[t],) for j in (1, 2)}
            if mine and all(self.bend(t, *o) <= 0 for t, k in mine for j in (k, (k + 2) % 3)
                   for o in self.edges.get((self.triangles[t][(j + 1) % 3], self.triangles[t][j]), ())):
                yield floats(v), [unit(floats(less(w, v))) for w in sorted(arms)], [self.normals[t] for t, _ in mine]


def is_in(p, triangle, n):
    return all(dot(cross(n, less(triangle[(k + 1) % 3], triangle[k])), less(p, triangle[k])) >= 0.0 for k in range(3))


def nearest_in(triangle, n):
    """The point of a triangle that is nearest to the origin."""
    over = add((0.0, 0.0, 0.0), n, dot(n, triangle[0]))
    if is_in(over, triangle, n):
        return over
    places = []
    for a, b in zip(triangle, triangle[1:] + triangle[:1]):
        d = less(b, a)
        places.append(add(a, d, min(1.0, max(0.0, -dot(a, d) / dot(d, d)))))
    return min(places, key=lambda p: dot(p, p))


def of_balls(solid, ground, _):
    """Of a ball the mesh's nearest point to its middle, if that is in front."""
    if solid.kind == "sphere":
        near = [(nearest_in(tuple(map(floats, t)), n), n) for t, n in zip(ground.triangles, ground.normals) if n]
        p, n = min(near, key=lambda one: dot(one[0], one[0]), default=((0.0, 0.0, 0.0), None))
        if dot(p, p) > 0.0 and -dot(unit(p), n) > 0.05:
            yield tuple(-c for c in unit(p)), sqrt(dot(p, p)) - solid.radius, []


def of_sides(solid, ground, _):
    """Of each side: above it, or below it by less than it is to go around, is a contact along its normal."""
    tolerance = 0.02 * solid.radius
    for n, triangles, border in ground.sides():
        low, high = solid.furthest(tuple(-c for c in n)), solid.furthest(n)
        distance = dot(n, less(low[0], triangles[0][0]))
        if dot(n, less(high[0], triangles[0][0])) <= 0.0:
            continue  # on its far side
        if distance < -1.2 * solid.radius:
            continue  # nearly
        middle = tuple(sum(c) / len(low) for c in zip(*low))
        places = [add(p, n, -distance) for p in low + [middle]]
        inside = [any(is_in(p, t, n) for t in triangles) and min(to_segment(p, a, b) for a, b, _ in border) > tolerance for p in places]
        around = [min([to_segment(p, a, b) for a, b, rises in border if not rises] + [INF]) for p in places]
        if any(is_inside and (distance >= 0.0 or -1.05 * distance < way) for is_inside, way in zip(inside, around)):
            # require half of a disc, because contacts may be anywhere on its rim
            part = 0.5 if len(low) == 5 and solid.kind == "cylinder" else 0.9
            round_about = [add(places[-1], less(p, places[-1]), part) for p in places[:-1]]
            wide = max(sqrt(dot(less(p, middle), less(p, middle))) for p in low) > 0.25 * solid.radius
            yield n, distance, round_about if all(inside) and wide else []


def of_ridges(solid, ground, margin):
    """Of each edge: along the direction between its normals along which the shape begins last."""
    for a, b, m, o in ground.ridges():
        e, length = unit(less(b, a)), sqrt(dot(less(b, a), less(b, a)))

        def begins(u):
            return dot(u, less(solid.furthest(tuple(-c for c in u))[0], a))

        def between(t):
            return unit(add(m, less(o, m), t))

        if dot(m, o) < -0.99 or max(begins(m), begins(o)) > margin:
            continue
        best = max(range(PARTS + 1), key=lambda i: begins(between(i / PARTS)))
        low, high = max(0.0, (best - 1) / PARTS), min(1.0, (best + 1) / PARTS)
        for _ in range(40):  # it has one maximum there
            p, q = low + (high - low) / 3.0, high - (high - low) / 3.0
            low, high = (p, high) if begins(between(p)) < begins(between(q)) else (low, q)
        u = between((low + high) / 2.0)
        distance = begins(u)
        if distance < -0.3 * solid.radius or distance - max(begins(m), begins(o)) < 0.02 * solid.radius:
            continue  # too deep to decide, or almost a side
        if dot(u, m) > APART or dot(u, o) > APART:
            continue  # a side's
        # the part of the edge between the places on either side of it
        side = cross(u, e)
        ends = [solid.furthest(tuple(-c for c in unit(add(u, side, s)))) for s in (1e-6, -1e-6)]
        ends = [(dot(less(p, a), side), dot(less(p, a), e)) for some in ends for p in some]
        (x, p), (y, q) = min(ends), max(ends)
        if x > 1e-4 * solid.radius or y < -1e-4 * solid.radius:
            continue
        place = p + (q - p) * (-x / (y - x)) if y - x > 1e-4 * solid.radius else (p + q) / 2.0
        way = min(place, length - place)
        back = dot(u, less(solid.furthest(u)[0], a))
        if way > 0.02 * solid.radius and back > 0.0 and (distance >= 0.0 or -1.05 * distance < way):
            yield u, distance, []


def of_peaks(solid, ground, _):
    """Of each corner: what is nearest to it; and of a box, a side that it is under."""
    for v, arms, normals in ground.peaks():
        near = solid.from_point(v)
        if near is None:
            continue
        away = less(near, v)
        outside = dot(away, away) > 1e-6 * solid.radius * solid.radius and dot(away, near) < 0.0
        if outside:
            tries = [(unit(away), sqrt(dot(away, away)))]
        elif solid.kind in ("sphere", "capsule") and dot(away, away) > 0.0:
            tries = [(unit(less(v, near)), -sqrt(dot(away, away)))]
            tries = [(u, d) for u, d in tries if d > -0.3 * solid.n[0]]
        elif solid.kind == "box":
            tries = [(tuple(-s * c for c in solid.axes[k]), s * dot(solid.axes[k], v) - solid.n[k]) for k in range(3) for s in (1, -1)]
            tries = [(u, d) for u, d in tries if d > -0.3 * min(solid.n)]
        else:
            continue
        for u, distance in tries:
            if all(dot(u, arm) < -0.11 for arm in arms) and all(dot(u, n) > 0.0 for n in normals):
                yield u, distance, []


def expected(data):
    """(promise, what is expected)"""
    if not is_finite([data["margin"], data["vertices"]]) or number(data["margin"]) < 0 or not is_shape_sound(data):
        return "exact", {"refused": True}
    solid, ground = Solid(data), Ground(data)
    if solid.radius == 0.0:
        return "exact", {"refused": True}
    margin, r = number(data["margin"]), solid.radius
    every = [c for find in (of_sides, of_balls, of_ridges, of_peaks) for c in find(solid, ground, margin) if c[1] < margin - 0.02 * r]
    every = [c for i, c in enumerate(every) if not any(dot(c[0], o[0]) > APART and (o[1], j) < (c[1], i) for j, o in enumerate(every))]
    every = sorted(every, key=lambda c: c[1])[:4]
    out = []
    for n, d, round_about in every:
        one = {"normal": [bits(nearest(round(c, 6) + 0.0)) for c in n], "distance": [bits(below(Fraction(d - 0.002 * r))), bits(above(Fraction(d + 0.01 * r)))]}
        if round_about and len(list(ground.sides())) == 1:
            one["encloses"] = [[bits(nearest(round(c / r, 6) * r)) for c in p] for p in round_about]
        out.append(one)
    return "property", {"checker": "contacts", "contacts": out}


# ---- questions ----

class Mesh:
    def __init__(self, vertices=(), triangles=()):
        self.vertices, self.triangles = [tuple(v) for v in vertices], [list(t) for t in triangles]

    def json(self):
        return {"vertices": [[bits(nearest(c)) for c in v] for v in self.vertices], "triangles": self.triangles}

    def moved(self, by, scale=1.0):
        return Mesh([[scale * c + d for c, d in zip(v, by)] for v in self.vertices], self.triangles)

    def doubled(self):
        """Each triangle with vertices of its own: corners are the same where they are in one place."""
        return Mesh([self.vertices[i] for t in self.triangles for i in t], [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(len(self.triangles))])


def squares(height, xs, zs, turn=lambda i, j: (i + j) % 2):
    """Squares of two triangles over a lattice."""
    at = {(i, j): i * len(zs) + j for i in range(len(xs)) for j in range(len(zs))}
    out = Mesh([(x, height(x, z), z) for x in xs for z in zs])
    for i in range(len(xs) - 1):
        for j in range(len(zs) - 1):
            a, b, c, d = at[i, j], at[i, j + 1], at[i + 1, j + 1], at[i + 1, j]
            out.triangles += [[a, b, c], [a, c, d]] if turn(i, j) == 0 else [[a, b, d], [b, c, d]]
    return out


def spread(low, high, step=1):
    return [low + step * i for i in range(int((high - low) / step) + 1)]


def block(low, high):
    """A box of two triangles a side."""
    v = [[(low, high)[i >> a & 1][a] for a in range(3)] for i in range(8)]
    sides = ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6))
    return Mesh(v, [t for a, b, c, d in sides for t in ([a, b, c], [a, c, d])])


TRIANGLE = Mesh([(-4, 0, -4), (-4, 0, 5), (5, 0, -4)], [[0, 1, 2]])
FLAT = squares(lambda x, z: 0, spread(-2, 2), spread(-2, 2))
SLOPE = squares(lambda x, z: x / 2 + z / 4, spread(-2, 2), spread(-2, 2))
PAIR = Mesh([(-3, 0, -3), (-3, 0, 3), (3, 0, 3), (3, 0, -3)], [[0, 1, 2], [0, 2, 3]])
GROOVE = squares(lambda x, z: abs(x), (-3, -1, 0, 1, 3), (-2, 0, 1, 3))
RIDGE = squares(lambda x, z: -abs(x), (-3, -1, 0, 1, 3), (-2, -1, 1, 2))
FAN = Mesh([(0, 0, 0)] + [(3, 0, 0), (2, 0, -2), (0, 0, -3), (-2, 0, -2), (-3, 0, 0), (-2, 0, 2), (0, 0, 3), (2, 0, 2)], [[0, 1 + i, 1 + (i + 1) % 8] for i in range(8)])
PYRAMID = Mesh([(0, 0, 0), (2, -2, 0), (0, -2, -2), (-2, -2, 0), (0, -2, 2)], [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]])
STEP = squares(lambda x, z: 0, (-3, -2, -1, 0), (-3, -1, 0, 1, 3))
for low, high in ((-3, -1), (-1, 0), (0, 1), (1, 3)):  # a wall
    STEP.triangles += [[len(STEP.vertices) + i for i in t] for t in ((0, 1, 2), (0, 2, 3))]
    STEP.vertices += [(0, 0, high), (0, 3, high), (0, 3, low), (0, 0, low)]
BLOCK = block((-1, -2, -1), (1, 0, 1))
TILTED = (0.3, 0.1, -0.4, 0.8)
SIDEWAYS, CROSSED = (0, 0, 1, 1), (0.36964, 0.23912, -0.09905, 0.8924)
NEEDLE = Mesh([(-4, 0, 0), (-4, 0, 1 / 256), (4, 0, 0)], [[0, 1, 2]])


def reach(kind, u, quaternion=(0, 0, 0, 1)):
    """How far along a direction a shape of size 1 goes."""
    data = {**shape_of(kind, 1.0), "rotation": [bits(nearest(v)) for v in quaternion]}
    return dot(Solid(data).furthest(unit(u))[0], unit(u))


def hills(seed, side):
    r = Random(seed)
    height = {(x, z): r.below(9) / 16 for x in side for z in side}
    return squares(lambda x, z: height[x, z], side, side)


def lying(kind, quaternion=(0, 0, 0, 1)):
    """How far below its position it ends."""
    return reach(kind, (0, -1, 0), quaternion)


def shape_of(kind, size, hull=None):
    return shape_data(kind, size, [[v * size for v in p] for p in (ball_points(12, 5, 1.0) if hull is None else hull)])


@family("manifold", "Contacts of shapes and meshes",
        "A mesh, a convex shape, where it is, and a margin. Triangles are the surface of something solid, counterclockwise from outside; corners in the same place are the same corner, whatever their numbers are, so that triangles "
        "with two of them in common are connected; a mesh may have a border. The shape is a 'sphere' (radius), a 'capsule' (radius, half the length of its segment, along y), a 'box' (half of each extent), a 'cylinder' "
        "(radius, half its height, along y), or the 'hull' of the points, which other shapes don't have; its origin is at the position, and it is turned about that by a quaternion x, y, z, w of any length but 0. "
        "Where do the two touch, or nearly, up to the margin?",
        "At most four contacts along a normal, and at most sixteen in all: a signed distance, negative where the two overlap; a normal of length 1, from the mesh to the shape; a point of the mesh, relative to the position. The point, moved by the distance along the normal, is where the shape ends. "
        "The normal is one that the surface has there: a triangle's; of a convex edge, any between those of both sides; of an edge of the border, any between the triangle's and straight outwards; of a corner, any along which no triangle there rises. "
        "An edge between triangles in one plane has none of its own, however deep the shape is. `contacts` are those that may not be missing: a normal up to 5 degrees, the range of a distance along it, and what points with about that normal have to enclose.",
        {"triangle": "one triangle", "flat": "triangles in one plane", "groove": "a concave edge", "ridge": "a convex edge", "corner": "at a corner", "border": "at the border of the mesh", "rest": "a side of the shape lies on the mesh",
         "apart": "the two don't touch", "deep": "the shape's middle is behind the surface", "doubled": "triangles have vertices of their own, as on both sides of a chunk's border", "needle": "a triangle that is very thin, or has no area",
         "far": "far from the origin", "scale": "very small, or very large", "nothing": "nothing is within the margin", "turned": "it is turned", "invalid": "no mesh, no shape, or no place"},
        promises=["property", "exact"],
        input={**MESH, **POINTS, **POSE, "margin": BITS, **SHAPE},
        answers=[{"checker": one_of("contacts"), "contacts": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["normal", "distance"],
            "properties": {"normal": defined("place"), "distance": RANGE, "encloses": some_of(defined("place"))}}}}, REFUSED])
def manifold(f):
    def ask(name, about, data, flags, cites=(), must=None):
        promise, said = expected(data)
        if must is not None and len(said.get("contacts", ())) != must:
            raise ValueError(f"manifold/{name} has {len(said['contacts'])} contacts that must be told, and not {must}")
        f.add(name, about, promise, data, said, sorted(set(flags)), cites)

    def add_to(name, about, mesh, kind, position, quaternion=(0, 0, 0, 1), flags=(), size=1.0, margin=0.125, must=1, hull=None, change=()):
        data = {**mesh.json(), **shape_of(kind, size, hull), **pose_data(position, quaternion), "margin": bits(nearest(margin))}
        ask(name, about, {**data, **dict(change)}, list(flags) + (["turned"] if tuple(quaternion)[:3] != (0, 0, 0) else []), must=must)

    for kind in KINDS:
        up = lying(kind, TILTED)
        if kind not in ("capsule", "cylinder"):
            add_to(f"{kind}-face", "over the middle of a triangle", TRIANGLE, kind, (-1, up + 0.0625, -1), TILTED, ["triangle", "apart"])
        add_to(f"{kind}-edge", "beyond an edge that is alone", TRIANGLE, kind, add((-4, 0, 0.5), unit((-1, 1, 0)), reach(kind, (1, -1, 0), TILTED) + 0.0625), TILTED, ["triangle", "border"], margin=0.375)
        add_to(f"{kind}-deep", "deep in flat ground", FLAT, kind, (0.25, -0.125, 0.375), TILTED, ["flat", "deep"])
        add_to(f"{kind}-groove", "in a groove, on both walls", GROOVE, kind, (0, 1.4142135 * (reach(kind, (1, -1, 0)) - 0.0625), 0.25), flags=["groove"], must=None if kind == "hull" else 2)
        add_to(f"{kind}-ridge", "on a ridge", RIDGE, kind, (0, lying(kind) - 0.0625, 0.125), flags=["ridge"], must=None if kind == "hull" else 1)
    add_to("sphere-corner", "beyond a corner that is alone", TRIANGLE, "sphere", (-4.5, 0.5, -4.75), flags=["triangle", "border", "corner"], margin=0.25)
    add_to("box-corner", "beyond a corner that is alone", TRIANGLE, "box", (-4.75, 0.75, -4.5), (0.2, -0.5, 0.1, 0.9), ["triangle", "border", "corner"], margin=0.5)
    add_to("box-parallel", "a box whose side is along a triangle", TRIANGLE, "box", (-1.5, 0.8125, -1.5), flags=["triangle", "apart", "rest"])
    add_to("box-crossing", "an edge on an edge, at an angle", RIDGE, "box", (0, lying("box", CROSSED) - 0.03125, 0), CROSSED, ["ridge"])
    add_to("box-rest", "at rest on many triangles", FLAT, "box", (0.28125, 0.734375, -0.21875), (0, 0.25, 0, 1), ["flat", "rest"])
    add_to("box-rest-doubled", "at rest over the border between two chunks", FLAT.doubled(), "box", (0.03125, 0.734375, -0.03125), (0, 0.75, 0, 1), ["flat", "rest", "doubled"])
    add_to("hull-rest", "a hull at rest on many triangles", FLAT, "hull", (0.5, 0.4921875, 0.25), flags=["flat", "rest"], hull=[(x, y, z) for x in (-1, 0.75) for y in (-0.5, 0.5) for z in (-0.5, 0.625)])
    add_to("cylinder-rest", "upright on many triangles", FLAT, "cylinder", (0.375, 0.984375, 0.125), flags=["flat", "rest"])
    add_to("cylinder-lying", "on its side, on many triangles", FLAT, "cylinder", (0.375, 0.734375, 0.125), SIDEWAYS, ["flat", "rest"])
    add_to("capsule-lying-doubled", "on its side, over the border between two chunks", FLAT.doubled(), "capsule", (0, 0.484375, 0), SIDEWAYS, ["flat", "rest", "doubled"])
    for kind in ("sphere", "box"):
        up = lying(kind, TILTED)
        add_to(f"{kind}-fan", "on a corner of many triangles in a plane", FAN, kind, (0, up - 0.125, 0), TILTED, ["flat", "corner"])
        add_to(f"{kind}-peak", "on the tip of a pyramid", PYRAMID, kind, (0.03125, lying(kind) - 0.03125, 0.0625), flags=["corner"], must=1)
        add_to(f"{kind}-step", "on the ground, and at a wall", STEP, kind, (-lying(kind, SIDEWAYS) + 0.03125, lying(kind) - 0.046875, 0.25), flags=["groove", "flat"], must=2)
        add_to(f"{kind}-hills", "in hills", hills(3, spread(-2, 2)), kind, (0.125, 0.75, 0.125), TILTED, ["groove", "ridge"], must=1 if kind == "sphere" else None)
    add_to("sphere-diagonal", "over the edge between two triangles in a plane", PAIR, "sphere", (0.0625, 0.9375, 0), flags=["flat"])
    up = lying("box", TILTED)
    add_to("box-slope", "on a slope of many triangles", SLOPE, "box", (0.125, 0.125 + 1.1456439 * (reach("box", (2, -4, 1), TILTED) - 0.0625), 0.25), TILTED, ["flat"])
    add_to("box-far", "far from the origin", FLAT.moved((131072, -65536, 262144)), "box", (131072.25, -65536 + round(64 * up) / 64 - 0.03125, 262144.5), TILTED, ["flat", "far"])
    add_to("box-apart", "further away than the margin", FLAT, "box", (0, up + 0.25, 0), TILTED, ["flat", "apart", "nothing"], must=0)
    add_to("capsule-peak", "over the tip of a pyramid", PYRAMID, "capsule", (0.125, 1.28125, 0.125), flags=["corner", "apart"])
    add_to("box-over-edge", "at rest, partly over the edge of a block", BLOCK, "box", (0.75, 0.734375, 0.125), flags=["ridge", "rest"])
    add_to("box-beside", "at the side of a block, deep below its top", BLOCK, "box", (1.96875, -0.625, 0.0625), flags=["ridge", "rest"])
    add_to("sphere-block-corner", "beyond the corner of a block", BLOCK, "sphere", (1.5, 0.5, 1.5), flags=["corner"])
    add_to("sphere-block-edge", "on the edge of a block", BLOCK, "sphere", (1.625, 0.625, 0.125), flags=["ridge"])
    add_to("sphere-needle", "on a needle", NEEDLE, "sphere", (0.25, 0.96875, 0), flags=["needle", "triangle"])
    add_to("box-needle", "on a needle", NEEDLE, "box", (0.25, 0.734375, 0.03125), flags=["needle", "triangle"], must=None)
    add_to("sphere-no-area", "over a triangle that is a segment", Mesh([(-2, 0, 0), (0, 0, 0), (3, 0, 0)], [[0, 1, 2]]), "sphere", (0.25, 1.0625, 0), flags=["needle", "triangle", "apart"], must=0)
    sliver = Mesh(PAIR.vertices + [(0, 0, 0)], [[0, 1, 4], [1, 2, 4], [0, 2, 3], [0, 4, 2]])
    add_to("box-sliver", "at rest on a segment between triangles in a plane", sliver, "box", (0.0625, 0.734375, -0.125), flags=["needle", "flat", "rest"])
    for kind, name, scale in (("sphere", "small", 2.0**-9), ("box", "large", 2.0**9)):
        add_to(f"{kind}-{name}", f"everything is {name}", PAIR.moved((0, 0, 0), scale), kind, (0.25 * scale, (round(64 * lying(kind, TILTED)) / 64 - 0.0625) * scale, 0.125 * scale), TILTED, ["flat", "scale"], size=scale, margin=0.125 * scale)
    add_to("box-behind", "wholly behind the surface", FLAT, "box", (0, -1.5, 0), TILTED, ["flat", "nothing"], must=0)
    add_to("no-triangles", "a mesh without triangles", Mesh(), "sphere", (0, 0, 0), flags=["nothing"], must=0)
    one = [bits(v) for v in (0, 0, 0)]
    for name, other in {"nan": {"position": [bits(NAN)] + one[:2]}, "vertex": {"vertices": [[bits(INF)] + one[:2], one, one], "triangles": [[0, 1, 2]]}, "rotation": {"rotation": one + one[:1]},
                        "margin": {"margin": bits(-1.0)}, "hull": {"shape": ["hull"]}}.items():
        add_to(f"invalid-{name}", "no question", TRIANGLE, "sphere", (0, 1, 0), flags=["invalid"], must=0, change=other)
    return ask
