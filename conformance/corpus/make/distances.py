# SPDX-License-Identifier: MIT
"""Signed distances of two convex shapes. The distance is the largest gap that the shapes leave along any direction. It is positive if they are apart, and minus
the shortest way out if they overlap. So every direction proves a lower bound, and the maker searches the best one. Without cylinders a finite list has it:
normals of faces, crossed edges, corners from corners, corners from edges. With cylinders the maker also searches circles of directions and a grid.
Operations are + - * / and roots in binary64, so that every run writes the same bytes."""
from itertools import combinations
from math import sqrt

from corpus import exact
from vectors import add, cross, dot, less
from waters import Body, planes

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ORIGIN = (0.0, 0.0, 0.0)
GOLDEN = (sqrt(5.0) - 1.0) / 2.0


def unit(a):
    length = sqrt(dot(a, a))
    return tuple(x / length for x in a) if length > 0.0 else None


class Convex:
    """Hull of points, with a radius around it. A cylinder has the middles of its caps as points, and a disc: its axis and its radius."""

    def __init__(self, points, edges, normals, r=0.0, disc=None):
        self.points, self.edges, self.normals, self.r, self.disc = points, edges, normals, r, disc
        self.lines = [unit(less(points[j], points[i])) for i, j in edges]
        kept = []
        for e in self.lines:
            if e is not None and not any(abs(dot(e, o)) > 1.0 - 1e-12 for o in kept):
                kept.append(e)
        self.directions = kept

    def moved(self, by):
        out = Convex.__new__(Convex)
        out.__dict__.update(self.__dict__)
        out.points = [add(p, by) for p in self.points]
        return out

    def highest(self, n):
        """How far it reaches along a unit vector."""
        x, y, z = n
        most = max(p[0] * x + p[1] * y + p[2] * z for p in self.points) + self.r
        if self.disc is not None:
            along = dot(self.disc[0], n)
            most += self.disc[1] * sqrt(max(0.0, 1.0 - along * along))
        return most

    def box(self):
        return [[-self.highest(tuple(-v for v in a)) for a in AXES], [self.highest(a) for a in AXES]]

    def size(self):
        """Radius about the origin."""
        far = max(sqrt(dot(p, p)) for p in self.points)
        return far + self.r if self.disc is None else sqrt(far * far + self.disc[1] * self.disc[1])


def edges_of(points, faces):
    """Pairs of points that two faces share, without a point between them. Flat points have no such faces: all pairs are taken."""
    if len(faces) < 4:
        return list(combinations(range(len(points)), 2))
    on = [{f for f, (n, far) in enumerate(faces) if sum(v * w for v, w in zip(n, p)) == far} for p in points]
    return [(i, j) for i, j in combinations(range(len(points)), 2)
            if len(on[i] & on[j]) > 1 and not any(on[i] & on[j] <= on[k] for k in range(len(points)) if k not in (i, j))]


def convex_of(shape, points, rotation):
    """A shape of the corpus, turned, about its own origin."""
    body = Body({"shape": shape, "points": points, "rotation": rotation})
    n, along = body.n, body.axes[1]
    if body.kind in ("capsule", "cylinder"):
        ends = [add(ORIGIN, along, s * n[1]) for s in (-1, 1)]
        return Convex(ends, [(0, 1)], [], n[0]) if body.kind == "capsule" else Convex(ends, [(0, 1)], [along], 0.0, (along, n[0]))
    if body.kind == "sphere":
        return Convex([ORIGIN], [], [], n[0])
    if body.kind == "box":
        return Convex(body.corners, [(i, i | 1 << k) for i in range(8) for k in range(3) if not i >> k & 1], list(body.axes))
    faces, _ = planes(points)
    places = sorted({tuple(exact(w) for w in p) for p in points})
    return Convex([body.turn([float(v) for v in p]) for p in places], edges_of(places, list(faces.items())), [unit(body.turn([float(v) for v in n])) for n in faces])


def triangle_of(corners):
    across = unit(cross(less(corners[1], corners[0]), less(corners[2], corners[0])))
    return Convex(list(corners), [(0, 1), (1, 2), (2, 0)], [across] if across else [])


# ---- the best direction ----

def gap(a, b, n):
    """How far apart they are along a unit vector from b to a."""
    return -a.highest((-n[0], -n[1], -n[2])) - b.highest(n)


def from_edges(p, shape):
    """Vectors from the lines of edges to a point."""
    for (i, _), e in zip(shape.edges, shape.lines):
        if e is not None:
            d = less(p, shape.points[i])
            yield add(d, e, -dot(d, e))


def tries(a, b):
    """Directions of any length. Those between corners and edges have one sign, others both."""
    for p in a.points:
        for q in b.points:
            yield less(p, q)
        yield from from_edges(p, b)
    for q in b.points:
        for d in from_edges(q, a):
            yield tuple(-v for v in d)
    both = a.normals + b.normals + list(AXES)
    both += [cross(e, o) for e in a.directions for o in list(b.directions) + list(AXES)] + [cross(e, o) for e in b.directions for o in AXES]
    for n in both:
        yield n
        yield tuple(-v for v in n)


def on_square(s):
    """A point of a square's border, for s from 0 to 8."""
    s %= 8.0
    return ((1.0, s - 1.0), (3.0 - s, 1.0), (-1.0, 5.0 - s), (s - 7.0, -1.0))[int(s / 2.0)]


def on_circle(value, around, count=48):
    """The best direction across a line, and its value."""
    u = unit(cross(around, min(AXES, key=lambda x: abs(dot(x, around)))))
    v = cross(around, u)

    def at(s):
        x, y = on_square(s)
        return unit(add(add(ORIGIN, u, x), v, y))

    values = [value(at(8.0 * i / count)) for i in range(count)]
    best = None
    for i in sorted(range(count), key=lambda i: -values[i])[:6]:
        if values[i] < values[i - 1] or values[i] < values[(i + 1) % count]:
            continue
        low, high = 8.0 * (i - 1) / count, 8.0 * (i + 1) / count
        s, t = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        f, g = value(at(s)), value(at(t))
        for _ in range(36):
            if f > g:
                high, t, g = t, s, f
                s = high - GOLDEN * (high - low)
                f = value(at(s))
            else:
                low, s, f = s, t, g
                t = low + GOLDEN * (high - low)
                g = value(at(t))
        found = max((f, at(s)), (g, at(t)))
        best = found if best is None or found > best else best
    return best if best is not None else (values[0], at(0.0))


def climb(value, best, step):
    """Climbs to the top of a smooth place. The error is about the square of the last step."""
    f, n = best
    for _ in range(240):  # ridges would take many small steps, and the circles have searched them
        if step < 2e-6:
            break
        u = unit(cross(n, min(AXES, key=lambda x: abs(dot(x, n)))))
        v = cross(n, u)
        around = [unit(add(add(n, u, x * step), v, y * step)) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7))]
        found = max((value(m), m) for m in around)
        if found[0] > f:
            f, n = found
        else:
            step *= 0.5
    return f, n


def grid(side):
    places = [(2 * i + 1) / side - 1.0 for i in range(side)]
    return [unit(tuple((s if axis == k else x if (axis - k) % 3 == 1 else y) for axis in range(3))) for k in range(3) for s in (1.0, -1.0) for x in places for y in places]


GRID = grid(8)


def signed_distance(a, b):
    """(distance, unit vector from b to a)"""
    def value(n):
        return gap(a, b, n)

    found = [(value(n), n) for n in map(unit, tries(a, b)) if n is not None]
    best = max(found)
    if a.disc is None and b.disc is None:
        return best
    for e in a.directions + b.directions:
        best = max(best, on_circle(value, e))
    starts = sorted([(value(n), n) for n in GRID], reverse=True)
    chosen = [best]
    for f, n in starts:
        if len(chosen) < 5 and all(dot(n, o) < 0.9 for _, o in chosen):
            chosen.append((f, n))
    return max(climb(value, c, 0.05) for c in chosen)


def crossing(a, b, way, level, t=0.0):
    """The first part of the way, from t to 1, at which the distance of a from b falls to a level. None if it never does. The distance is convex along the way.
    So Newton's method comes from before and never passes that part."""
    for _ in range(80):
        d, n = signed_distance(a.moved(add(ORIGIN, way, t)), b)
        if d <= level + 1e-12 * (1.0 + abs(level)):
            return t
        closing = -dot(n, way)
        if closing <= 0.0:
            return None
        on = (d - level) / closing
        t += on
        if t > 1.0:
            return None
        if on < 1e-13:
            return t
    return t


def data_of(d, prefix=""):
    """The convex shape of an input, about its position, and that position, exact."""
    return convex_of(d[prefix + "shape"], d[prefix + "points"], d[prefix + "rotation"]), [exact(w) for w in d[prefix + "position"]]
