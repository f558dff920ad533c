# SPDX-License-Identifier: MIT
"""The family manifold. The oracle finds required contacts from the shape's support along the normals of flat parts, edges and corners of the mesh. Coplanar triangles and
convex edges are exact. The rest uses + - * / and roots in binary64, so every run writes the same bytes. Contacts that an engine may replace by others are not required."""
from fractions import Fraction
from math import sqrt

from corpus import INF, above, below, bits, exact, family, is_finite, nearest, number
from members import BITS, MESH, POINTS, RANGE, REFUSED, defined, one_of, some_of
from vectors import add, cross, dot, less, normal
from waters import POSE, SHAPE, Body, is_shape_sound

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
        """Returns points that enclose all points farthest along u. For a disc these are its middle and points of its rim."""
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
        """Returns the point of a round shape or a box nearest to an outer point, None for a hull."""
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
    """Triangles relative to a place. `group` numbers connected triangles that lie exactly in one plane."""

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
        """Returns a number above 0 for a concave edge, below 0 for a convex one. It is edge k of the other triangle."""
        far = self.triangles[other][(k + 2) % 3]
        return dot(self.across[t], less(far, self.triangles[t][0]))

    def sides(self):
        """Yields (normal, corners of triangles, border). A border is a list of (a, b, whether the surface rises there)."""
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
        """Yields (a, b, normal, normal beyond or direction straight out) once for each convex or open edge."""
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
        """Yields (corner, directions of its edges, normals there) for each corner without a concave edge."""
        for v in sorted({c for t in self.triangles for c in t}):
            mine = [(t, k) for t, corners in enumerate(self.triangles) for k in range(3) if corners[k] == v and self.normals[t]]
            arms = {corners[(k + j) % 3] for t, k in mine for corners in (self.triangles[t],) for j in (1, 2)}
            if mine and all(self.bend(t, *o) <= 0 for t, k in mine for j in (k, (k + 2) % 3)
                   for o in self.edges.get((self.triangles[t][(j + 1) % 3], self.triangles[t][j]), ())):
                yield floats(v), [unit(floats(less(w, v))) for w in sorted(arms)], [self.normals[t] for t, _ in mine]


def is_in(p, triangle, n):
    return all(dot(cross(n, less(triangle[(k + 1) % 3], triangle[k])), less(p, triangle[k])) >= 0.0 for k in range(3))


def nearest_in(triangle, n):
    """Returns the point of a triangle that is nearest to the origin."""
    over = add((0.0, 0.0, 0.0), n, dot(n, triangle[0]))
    if is_in(over, triangle, n):
        return over
    places = []
    for a, b in zip(triangle, triangle[1:] + triangle[:1]):
        d = less(b, a)
        places.append(add(a, d, min(1.0, max(0.0, -dot(a, d) / dot(d, d)))))
    return min(places, key=lambda p: dot(p, p))


def of_balls(solid, ground, _):
    """Yields the contact of a ball with the mesh's nearest point, if that is in front."""
    if solid.kind == "sphere":
        near = [(nearest_in(tuple(map(floats, t)), n), n) for t, n in zip(ground.triangles, ground.normals) if n]
        p, n = min(near, key=lambda one: dot(one[0], one[0]), default=((0.0, 0.0, 0.0), None))
        if dot(p, p) > 0.0 and -dot(unit(p), n) > 0.05:
            yield tuple(-c for c in unit(p)), sqrt(dot(p, p)) - solid.radius, []


def of_sides(solid, ground, _):
    """Yields a contact along each side's normal, if the shape is above the side or closer to its plane than to its border."""
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
    """Yields a contact for each edge, along the direction between its normals with the largest distance."""
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
    """Yields a contact for each corner with the nearest point of the shape, and for each side of a box above a corner."""
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
    """Returns the promise and the expected answer."""
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
def manifold(data, flags):
    return expected(data)
