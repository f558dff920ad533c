# SPDX-License-Identifier: MIT
"""Distances of two shapes: a word, a distance, a normal and two points."""
import math

from alterations import ONE, drop, put, vectors
from families.buoyancy import of_shapes
from words import number, up, word

WRONG = {"nothing": 120, "word": 110, "farther": 120, "nan": 120, "tilted": 120, "long": 120, "backwards": 120, "aside": 120, "swapped": 110, "shorter": 120}
ALIKE = ["box-box-rest", "hull-hull-shallow", "invalid-nan"]


def flags_of(family, vector):
    return next(v.get("flags", []) for v in vectors(family) if v["id"] == vector["id"])


def square_to(n):
    """A direction of length 1."""
    m = [0.0, -n[2], n[1]] if abs(n[0]) < 0.8 else [-n[1], n[0], 0.0]
    return [v / math.hypot(*m) for v in m]


def other(way, asked, said):
    """A wrong word, distance, normal or point. Beyond the margin only the word can be wrong."""
    if said[0] == "none":
        return ["apart"] + [word(v) for v in (0, 0, 1, 0, 0, 0, 0, 0, 0, 0)] if way == "farther" else None
    d, *v = (number(w) for w in said[1:])
    n, a, b = v[:3], v[3:6], v[6:]
    size = max(abs(x) for x in a + b)
    if way == "word":
        return None if abs(d) < 1e-4 * size else [{"apart": "overlap", "overlap": "apart"}[said[0]]] + said[1:]
    if way == "swapped":
        return None if abs(d) < 1e-3 * size else said[:5] + said[8:] + said[5:8]
    if way in ("nothing", "shorter"):
        return ["none"] if way == "nothing" else said[:-1]
    across = square_to(n)
    changed = {"farther": [d + 0.01 * size] + n + a + b, "nan": [float("nan")] + v, "tilted": [d] + [0.8 * x + 0.6 * y for x, y in zip(n, across)] + a + b, "long": [d] + [2 * x for x in n] + a + b, "backwards": [d] + [-x for x in n] + a + b,
               "aside": [d] + n + [x + 3 * size * y for x, y in zip(a, across)] + [x + 3 * size * y for x, y in zip(b, across)]}
    return said[:1] + [word(x) for x in changed[way]]


def may_be_right(way, vector):
    """Where cores meet, or shapes touch at edges or corners, other normals are right as well."""
    return way in ("tilted", "backwards") and not {"core", "nested", "touching"}.isdisjoint(flags_of("shape-shape", vector))


def alike(asked, said):
    return said[:1] + [up(w) for w in said[1:]]


FAILS = [("far", "hull-hull-apart", lambda left, v: left["parts"] < left["parts_before"])]


def fails(way, asked, said):
    return said[:1] + [word(number(said[1]) + 0.25)] + said[2:] if said[0] == "apart" and number(said[1]) > 0.25 else said


def by_distance(v):
    return "distance" in v["expected"]


def unsound(alter):
    of_shapes(alter)
    for name in ("position", "rotation"):
        alter(f"no {name} of the other", drop("input", f"other_{name}"))
    alter("a shape that the other cannot be", put("input", "other_shape", ["none"]))
    alter("a distance upside down", lambda _, v: v["expected"]["distance"].reverse(), by_distance, schema=False)
    alter("no tolerance", drop("expected", "within"), by_distance)
    alter("a tolerance below 0", put("expected", "within", -1), by_distance)
    alter("a hull that nobody can judge", put("input", "other_points", [[ONE] * 3] * 65), by_distance, schema=False)
