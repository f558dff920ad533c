#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An adapter of the conformance corpus: dilation, a ray against a triangle, hulls in the plane, and the protocol around them.
   voxphys check --adapter "python3 examples/adapter.py" """
import math
import struct
import sys
from fractions import Fraction  # exact, because every binary32 is a fraction


def number(word):
    return struct.unpack(">f", bytes.fromhex(word))[0]


def dilation(words):
    (nx, ny, nz), cells = map(int, words[:3]), words[3]

    def near(what, x, y, z):
        return any(cells[(b * nz + c) * nx + a] == what for b in range(max(y - 1, 0), min(y + 2, ny))
                   for c in range(max(z - 1, 0), min(z + 2, nz)) for a in range(max(x - 1, 0), min(x + 2, nx)))

    return " ".join("".join("01"[near(what, x, y, z)] for y in range(ny) for z in range(nz) for x in range(nx)) for what in "#~")


def ray_triangle(words):
    v = [number(w) for w in words]
    if not all(map(math.isfinite, v[:15])) or not v[15] >= 0 or v[12:15] == [0, 0, 0]:
        return "refused no ray, or no triangle"
    o, d = [Fraction(x) for x in v[9:12]], [Fraction(x) for x in v[12:15]]
    a, b, c = ([Fraction(v[i + k]) - o[k] for k in range(3)] for i in (0, 3, 6))

    def volume(p, q, r):
        return sum(p[k] * (q[(k + 1) % 3] * r[(k + 2) % 3] - q[(k + 2) % 3] * r[(k + 1) % 3]) for k in range(3))

    sides = [volume(d, b, c), volume(d, c, a), volume(d, a, b)]
    if sum(sides) == 0 or min(sides) < 0 < max(sides):
        return "none"
    t = float(volume(a, b, c) / sum(sides))
    return "hit " + struct.pack(">f", t).hex() if 0 <= t <= v[15] and t < 3.4e38 else "none"


def hull2(words):
    v = [number(w) for w in words[1:]]
    if not v or not all(map(math.isfinite, v)):
        return "refused no points, or one that is not finite"
    points = {(Fraction(v[i]), Fraction(v[i + 1])): i // 2 for i in range(0, len(v), 2)}

    def chain(order):
        out = []
        for p in order:
            while len(out) > 1 and (out[-1][0] - out[-2][0]) * (p[1] - out[-2][1]) <= (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0]):
                out.pop()
            out.append(p)
        return out

    order = sorted(points)
    corners = order if len(order) < 3 else chain(order)[:-1] + chain(order[::-1])[:-1]
    return " ".join(map(str, ["hull", len(corners)] + [points[p] for p in corners]))


families = {"dilation": dilation, "ray-triangle": ray_triangle, "hull2": hull2}
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["hello"]:
        print("hello 1 example-python 1.0\ncan", *families, flush=True)
    elif words:
        print(words[0], families[words[1]](words[2:]), flush=True)
