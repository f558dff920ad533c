# SPDX-License-Identifier: MIT
"""Casts of shapes: a word, or t, a normal and a point."""
from alterations import ONE, drop, put
from families.buoyancy import of_shapes
from families.shape_shape import flags_of, square_to
from words import number, up, word

WRONG = {"none": 80, "inside": 100, "begun": 12, "late": 80, "early": 60, "nan": 80, "tilted": 80, "long": 80, "backwards": 80, "aside": 80, "shorter": 80}
ALIKE = ["box-hull", "sphere-slide", "invalid-nan"]


def other(way, asked, said):
    if said[0] != "hit":
        if way == "begun" and said[0] == "inside":
            return ["none"]
        if way == "late" and said[0] == "none":
            return ["hit"] + [word(v) for v in (1, 0, 1, 0, 0, 0, 0)]
        return ["inside"] if way == "inside" and said[0] == "none" else None
    t, *v = (number(w) for w in said[1:])
    n, p = v[:3], v[3:]
    size = max(abs(x) for x in p)
    if way == "early" and t < 0.05:
        return None
    if way in ("none", "inside", "shorter"):
        return said[:-1] if way == "shorter" else [way]
    across = square_to(n)
    changed = {"late": [t + 0.01] + v, "early": [t - 0.01] + v, "nan": [float("nan")] + v, "tilted": [t] + [0.8 * x + 0.6 * y for x, y in zip(n, across)] + p, "long": [t] + [2 * x for x in n] + p, "backwards": [t] + [-x for x in n] + p,
               "aside": [t] + n + [x + 3 * size * y for x, y in zip(p, across)]}
    return said[:1] + [word(x) for x in changed[way]] if way in changed else None


def may_be_right(way, vector):
    """A shape that grazes may hit or miss. At edges and corners, also of single triangles, other normals are right as well."""
    flags = flags_of("cast", vector)
    return (way == "none" and "grazing" in flags) or (way == "tilted" and ("edge" in flags or "far" in flags))


def alike(asked, said):
    return said[:2] + [up(w) for w in said[2:]]


SLOW = True  # its oracle
FAILS = [("missed", "box-hills", lambda left, v: left["parts"] < left["parts_before"] and len(v["triangles"]) <= 2),
         ("through", "hull-box", lambda left, v: left["parts"] < left["parts_before"])]


def fails(way, asked, said):
    """Hits after a quarter of the way are missed, or reported a tenth of the way too late."""
    if said[0] != "hit" or number(said[1]) < 0.25:
        return said
    return ["none"] if way == "missed" else said[:1] + [word(number(said[1]) + 0.1)] + said[2:]


def by_time(v):
    return "t" in v["expected"]


def unsound(alter):
    of_shapes(alter)
    alter("no rotation of the other", drop("input", "other_rotation"))
    alter("a way of two numbers", lambda _, v: v["input"]["translation"].pop())
    alter("none of a length", put("input", "other_shape", ["none", ONE]), schema=False)
    alter("a mover that is none", put("input", "shape", ["none"]))
    alter("t upside down", lambda _, v: v["expected"]["t"].reverse(), by_time, schema=False)
    alter("no t, and no word", lambda _, v: v["expected"].pop("t"), lambda v: by_time(v) and v["expected"]["words"] == [], schema=False)
    alter("a word that is none", put("expected", "words", ["hit"]), by_time)
    alter("a word twice", put("expected", "words", ["none", "none"]), by_time)
    alter("no tolerance", drop("expected", "within"), by_time)
    alter("a hull that nobody can judge", put("input", "points", [[ONE] * 3] * 65), by_time, schema=False)
