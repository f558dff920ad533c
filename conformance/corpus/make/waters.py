# SPDX-License-Identifier: MIT
"""The family buoyancy. The oracle is exact for boxes along the axes. For other shapes it spreads vertical lines over each column of cells. Their part in water, times the volume
in closed form, is the answer. It uses + - * / and roots in binary64, so every run writes the same bytes. The same lines must measure the whole shape five times as precisely as the bound."""
from fractions import Fraction
from itertools import combinations
from math import ceil, floor, pi, sqrt

from corpus import INF, above, below, bits, exact, family, is_finite, number
from hulls import UNIT, whole
from members import BITS, FULL, PLACE, POINTS, RANGE, REFUSED, some_of, text_of
from vectors import add, around, normal

PAIRS = 16  # of lines, along the longer side of a shape's shadow
BOUND = Fraction(1, 100)


POSE = {"position": PLACE, "rotation": some_of(BITS, 4)}
SHAPE = {"shape": {"type": "array", "minItems": 1, "maxItems": 4, "items": [text_of("(sphere|capsule|box|cylinder|hull)")], "additionalItems": BITS}}


def is_shape_sound(d, prefix=""):
    """Whether numbers are finite, lengths are not negative, and only hulls have points."""
    kind, lengths = d[prefix + "shape"][0], d[prefix + "shape"][1:]
    return (is_finite([d[prefix + "position"], d[prefix + "rotation"], lengths, d[prefix + "points"]]) and any(number(w) for w in d[prefix + "rotation"])
            and all(number(w) >= 0 for w in lengths) and (kind == "hull") == (d[prefix + "points"] != []))


# ---- shapes, as exact as possible ----

def rotation(q):
    """Returns the matrix of a quaternion of any length. Its columns are the shape's axes."""
    x, y, z, w = q
    s = 2 / (x * x + y * y + z * z + w * w)
    return ((1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)),
            (s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)),
            (s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)))


def planes(points):
    """Returns the planes of the hull of points, {normal: offset}, and its volume. It tries every three points."""
    at, out, six = [whole([number(w) for w in p]) for p in points], {}, 0
    for a, b, c in combinations(sorted(set(at)), 3):
        n = normal(a, b, c)
        if n == (0, 0, 0):
            continue
        for n in (n, tuple(-v for v in n)):
            far = sum(v * w for v, w in zip(n, a))
            if all(sum(v * w for v, w in zip(n, p)) <= far for p in at):
                unit = max(map(abs, n))
                out[tuple(Fraction(v, unit) for v in n)] = Fraction(far, unit * UNIT)
    for n, far in out.items():  # pyramids on faces, from the first point
        height = far - sum(v * Fraction(w, UNIT) for v, w in zip(n, at[0]))
        if height > 0:
            six += height * 2 * area(n, [[Fraction(v, UNIT) for v in p] for p in set(at) if sum(v * Fraction(w, UNIT) for v, w in zip(n, p)) == far])
    return out, six / 6


def area(n, points):
    """Returns the area of a convex polygon with normal n, divided by the length of n."""
    k = max(range(3), key=lambda i: abs(n[i]))
    u, v = [i for i in range(3) if i != k]
    corners = around(sorted((p[u], p[v]) for p in points))
    twice = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, corners[1:] + corners[:1]))
    return abs(twice) / 2 / abs(n[k])


class Body:
    """A shape relative to its position: its axes, and the corners of a box or a hull."""

    def __init__(self, data):
        self.kind, self.n = data["shape"][0], [number(w) for w in data["shape"][1:]]
        self.exact = rotation([exact(w) for w in data["rotation"]])
        self.axes = tuple(tuple(float(row[a]) for row in self.exact) for a in range(3))
        corners = [[(1, -1)[i >> a & 1] * self.n[a] for a in range(3)] for i in range(8)] if self.kind == "box" else [[number(w) for w in p] for p in data["points"]]
        self.corners = [self.turn(c) for c in corners]

    def turn(self, p):
        return add(add(add((0.0, 0.0, 0.0), self.axes[0], p[0]), self.axes[1], p[1]), self.axes[2], p[2])


class Shape(Body):
    """A shape with its volume. `chord` returns the ends of a vertical line's part in it, or None."""

    def __init__(self, data):
        super().__init__(data)
        n = self.n
        if self.kind in ("box", "hull"):
            sides = {tuple(s if k == a else 0 for k in range(3)): Fraction(n[a]) for a in range(3) for s in (1, -1)} if self.kind == "box" else {}
            found_planes, volume = planes(data["points"]) if self.kind == "hull" else (sides, 8.0 * n[0] * n[1] * n[2])
            self.volume = float(volume)
            self.faces = [(self.turn([float(v) for v in m]), float(far)) for m, far in found_planes.items()]
            self.low, self.high = ([f(c[k] for c in self.corners) for k in range(3)] for f in (min, max))
            self.chord = self.of_planes
            return
        r, h = n[0], n[1] if len(n) > 1 else 0.0
        self.axis, self.r, self.h = self.axes[1], r, h
        round_part = 4.0 / 3.0 * pi * r * r * r if self.kind != "cylinder" else 0.0
        self.volume = round_part + (2.0 * h * pi * r * r if self.kind != "sphere" else 0.0)
        reach = [h * abs(a) + (r * sqrt(max(0.0, 1.0 - a * a)) if self.kind == "cylinder" else r) for a in self.axis]
        self.low, self.high = [-v for v in reach], reach
        self.chord = {"sphere": self.of_ball, "cylinder": self.of_cylinder, "capsule": self.of_capsule}[self.kind]

    def of_planes(self, x, z):
        low, high = -INF, INF
        for n, far in self.faces:
            left = far - n[0] * x - n[2] * z
            if n[1] == 0.0:
                if left < 0.0:
                    return None
            elif n[1] > 0.0:
                high = min(high, left / n[1])
            else:
                low = max(low, left / n[1])
        return (low, high) if low < high else None

    def of_ball(self, x, z, along=0.0):
        a = self.axis
        x, y, z = x - along * a[0], along * a[1], z - along * a[2]
        left = self.r * self.r - x * x - z * z
        return (y - sqrt(left), y + sqrt(left)) if left > 0.0 else None

    def of_cylinder(self, x, z):
        a, up = self.axis, self.axis[1]
        out = x * a[0] + z * a[2]  # along the axis, at y = 0
        square = 1.0 - up * up
        half = -out * up
        left = x * x + z * z - out * out - self.r * self.r
        low, high = -INF, INF
        if square > 1e-12:
            root = half * half - square * left
            if root <= 0.0:
                return None
            low, high = (-half - sqrt(root)) / square, (-half + sqrt(root)) / square
        elif left > 0.0:
            return None
        if up != 0.0:
            ends = sorted(((-self.h - out) / up, (self.h - out) / up))
            low, high = max(low, ends[0]), min(high, ends[1])
        elif abs(out) > self.h:
            return None
        return (low, high) if low < high else None

    def of_capsule(self, x, z):
        parts = [p for p in (self.of_ball(x, z, self.h), self.of_ball(x, z, -self.h), self.of_cylinder(x, z)) if p is not None]
        return (min(p[0] for p in parts), max(p[1] for p in parts)) if parts else None


# ---- water ----

def column(data, x, z):
    """Returns the intervals of water in a column, upwards."""
    (nx, ny, nz), out = data["extents"], []
    if not (0 <= x < nx and 0 <= z < nz):
        return out
    full = [int(data["full"][2 * i:2 * i + 2], 16) for i in ((y * nz + z) * nx + x for y in range(ny))] + [0]
    for y in range(ny):
        if full[y] > 0:
            top = Fraction(y + 1) if full[y + 1] > 0 else y + Fraction(full[y] + 1, 256)
            if out and out[-1][1] == y:
                out[-1] = (out[-1][0], top)
            else:
                out.append((Fraction(y), top))
    return out


def of_aligned_box(data, shape):
    """Returns the exact answer for a box along the axes, otherwise None."""
    if shape.kind != "box" or any(v not in (-1, 0, 1) for row in shape.exact for v in row):
        return None
    at = [exact(w) for w in data["position"]]
    half = [sum(abs(shape.exact[k][a]) * Fraction(shape.n[a]) for a in range(3)) for k in range(3)]
    low, high = [p - h for p, h in zip(at, half)], [p + h for p, h in zip(at, half)]
    volume, moment = Fraction(0), [Fraction(0)] * 3
    for x in range(floor(low[0]), ceil(high[0])):
        for z in range(floor(low[2]), ceil(high[2])):
            for y0, y1 in column(data, x, z):
                a = [max(low[0], x), max(low[1], y0), max(low[2], z)]
                b = [min(high[0], x + 1), min(high[1], y1), min(high[2], z + 1)]
                if all(p < q for p, q in zip(a, b)):
                    v = (b[0] - a[0]) * (b[1] - a[1]) * (b[2] - a[2])
                    volume += v
                    moment = [m + v * ((p + q) / 2 - c) for m, p, q, c in zip(moment, a, b, at)]
    return volume, [m / volume for m in moment] if volume > 0 else [Fraction(0)] * 3


def nodes(low, high, width):
    """Returns (place, weight, cell) for lines in each column of cells, by Gauss' rule with two points. They are denser at both ends, where chords end like a root."""
    out = []
    for cell in range(floor(low), ceil(high)):
        a, b = max(low, float(cell)), min(high, cell + 1.0)
        count = max(3, ceil(PAIRS * (b - a) / width))
        for i in range(count if a < b else 0):
            p, q = (0.5 * (a + b) + 0.25 * (b - a) * t * (3.0 - t * t) for t in (2 * i / count - 1.0, 2 * (i + 1) / count - 1.0))
            out += [(0.5 * (p + q) + s * (q - p), 0.5 * (q - p), cell) for s in (-0.5 / sqrt(3.0), 0.5 / sqrt(3.0))]
    return out


def ends(shape, x):
    """Returns the ends along z between which chords at x exist, by bisection, or None."""
    low, high = shape.low[2], shape.high[2]
    places = [low + (high - low) * (i + 0.5) / 24 for i in range(24)]
    there = [z for z in places if shape.chord(x, z) is not None]
    if not there:
        return None

    def last(inside, outside):
        for _ in range(14):
            middle = 0.5 * (inside + outside)
            inside, outside = (middle, outside) if shape.chord(x, middle) is not None else (inside, middle)
        return inside

    return last(there[0], low), last(there[-1], high)


def of_lines(data, shape):
    at = [number(w) for w in data["position"]]
    width = max(shape.high[0] - shape.low[0], shape.high[2] - shape.low[2])
    all_of_it, wet, moment = 0.0, 0.0, [0.0] * 3
    for x, wx, cx in nodes(at[0] + shape.low[0], at[0] + shape.high[0], width):
        reach = ends(shape, x - at[0])
        for z, wz, cz in nodes(at[2] + reach[0], at[2] + reach[1], width) if reach is not None else ():
            chord = shape.chord(x - at[0], z - at[2])
            if chord is None:
                continue
            all_of_it += wx * wz * (chord[1] - chord[0])
            for y0, y1 in water(data, cx, cz):
                a, b = max(chord[0], y0 - at[1]), min(chord[1], y1 - at[1])
                if a < b:
                    v = wx * wz * (b - a)
                    wet += v
                    moment = [m + v * c for m, c in zip(moment, (x - at[0], (a + b) / 2.0, z - at[2]))]
    if abs(all_of_it / shape.volume - 1.0) > BOUND / 5:
        raise ValueError(f"lines say {all_of_it} of a {shape.kind} of {shape.volume}")
    return Fraction(wet * (shape.volume / all_of_it)), [Fraction(m / wet) if wet > 0.0 else Fraction(0) for m in moment]


def water(data, x, z, known={}):
    """Returns a column in binary64. The columns of the last question are cached."""
    if known.get("of") is not data:
        known.clear()
        known["of"] = data
    if (x, z) not in known:
        known[x, z] = [(float(a), float(b)) for a, b in column(data, x, z)]
    return known[x, z]


def expected(data):
    """Returns the promise, the expected answer and the reason of its bound."""
    if not is_shape_sound(data):
        return "exact", {"refused": True}
    shape = Shape(data)
    said = of_aligned_box(data, shape)
    bound = BOUND if said is None else Fraction(1, 100000)
    all_of_it = Fraction(shape.volume)
    reason = "1 % of the shape's volume, and of its longest side" if said is None else "1e-5 of the box's volume, and of its longest side: it is along the axes"
    volume, centre = said if said is not None else of_lines(data, shape) if all_of_it > 0 else (Fraction(0), [Fraction(0)] * 3)
    low, high = [min(Fraction(v), 0) for v in shape.low], [max(Fraction(v), 0) for v in shape.high]
    away = bound * max(Fraction(b) - Fraction(a) for a, b in zip(shape.low, shape.high))
    if volume > 2 * BOUND * all_of_it:
        low, high = [c - away for c in centre], [c + away for c in centre]
    else:
        reason += "; of so little water any centre within the shape's box"
    return "bound", {"volume": [bits(below(max(volume - bound * all_of_it, Fraction(0)))), bits(above(volume + bound * all_of_it))],
                     "centre": [[bits(below(a)), bits(above(b))] for a, b in zip(low, high)]}, reason


@family("buoyancy", "Parts of shapes in water",
        "A grid of cells with water, a convex shape and where it is. Cell (x, y, z) is the cube from there to (x + 1, y + 1, z + 1), y upwards. A cell of 00 has no water. Any other one is "
        "full if the cell above it has water, else it is filled from below to (b + 1)/256, with b its byte. Outside of the grid is no water. The shape is a 'sphere' (radius), a 'capsule' (radius, half "
        "the length of its segment, along y), a 'box' (half of each extent), a 'cylinder' (radius, half its height, along y), or the 'hull' of the points, which other shapes don't have; its origin is at the position, and it is turned "
        "about that by a quaternion x, y, z, w of any length but 0. What volume of it is in water, and where is the centre of that part?",
        "The volume, and the centre relative to the position, along the grid's axes; of no volume 0. Right is a volume within 1 % of the whole shape's, and if 2 % of it are in water or more a centre that is within 1 % of the longest side "
        "of the shape's box along the axes, on each axis. Of a box whose sides are along the axes both are 1e-5.",
        {"none": "nothing of it is in water", "whole": "all of it is", "axes": "a box along the axes", "level": "one level of water", "levels": "several levels, or air under water", "turned": "it is turned",
         "border": "it reaches out of the grid", "small": "it is smaller than a cell", "large": "it reaches over many cells", "flat": "it has no volume", "random": "water at random", "invalid": "no shape, or no place"},
        promises=["bound", "exact"],
        input={**FULL, **POINTS, **POSE, **SHAPE},
        answers=[{"volume": RANGE, "centre": some_of(RANGE, 3)}, REFUSED])
def buoyancy(data, flags):
    return expected(data)
