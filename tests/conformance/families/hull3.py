# SPDX-License-Identifier: MIT
"""Hulls in space: triangles of the points' numbers, or of vertices of their own."""
import shapes
from alterations import ONE, by_checker, drop, put
from words import number, rows, turned

WRONG = {"less": 50, "back": 50, "twice": 50, "flat": 50, "inner": 40, "grown": 55, "larger": 55, "stretched": 55, "aside": 55, "one-place": 55, "not-finite": 55,
         "corner-twice": 55, "points": 5, "lines": 5, "covered-twice": 5, "bowtie": 4, "gap": 4}
RIGHT = {"loose": 60, "side": 5, "sides": 5}
ALIKE = ["cube-turned", "flat-tilted"]

OWN = {
    "grown": lambda p, middle, extent: [m + 2.0 * (x - m) for x, m in zip(p, middle)],
    "larger": lambda p, middle, extent: [m + 1.0001 * (x - m) for x, m in zip(p, middle)],
    "stretched": lambda p, middle, extent: [middle[0] + 1.001 * (p[0] - middle[0])] + p[1:],
    "aside": lambda p, middle, extent: [p[0] + 1e-3 * extent] + p[1:],
    "one-place": lambda p, middle, extent: middle,
    "not-finite": lambda p, middle, extent: [float("nan")] + p[1:],
}


def polygon(way, corners):
    """A flat set's hull as triangles on one side or both, or as something else."""
    side = [(corners[0], b, c) for b, c in zip(corners[1:], corners[2:])]
    back = [t[::-1] for t in side]
    made = {"side": side, "sides": side + back, "points": [(c, c, c) for c in corners], "lines": [(c, c, corners[0]) for c in corners], "covered-twice": side * 2}
    if len(side) > 1:
        made |= {"bowtie": [side[0], (corners[1], corners[0], corners[3])], "gap": side + back[1:]}
    return shapes.hull(made[way]) if way in made else None


def other(way, asked, said):
    if way in ("side", "sides", "points", "lines", "covered-twice", "bowtie", "gap"):
        corners = shapes.polygon(asked)
        return corners and polygon(way, corners)
    corners = said[2:]
    if said[0] != "hull" or not corners:
        return None
    if way in OWN:
        return shapes.own(asked, said, OWN[way])
    if way == "loose":
        return shapes.loose(asked[3:], [int(c) for c in corners])
    if way == "inner":  # a hull of only four points
        if len(corners) <= 12:
            return None
        a, b, c = corners[:3]
        d = next((x for x in corners if x not in (a, b, c)), None)
        return ["hull", "4", a, b, c, a, d, b, b, d, c, c, d, a]
    triangles = rows(corners, 3)
    made = {"less": triangles[1:], "back": [[a, c, b] for a, b, c in triangles], "twice": triangles * 2, "corner-twice": triangles + [["0"] * 3]}
    return shapes.hull(made[way]) if way in made else ["flat"]


def alike(asked, said):
    return said[:2] + turned(rows(said[2:], 3))


FAILS = [("far", "sphere", lambda left, v: left["parts"] == 4 and left["parts_before"] > 20 and left["complete"] and left["family"] == "hull3" and "answers flat, " in left["failure"]
          and 5 < max(number(w) for p in v["points"] for w in p) <= 8),
         ("open", "sphere", lambda left, v: left["parts"] == 5)]
SLOW = True


def fails(way, asked, said):
    if way == "far" and said[0] == "hull" and any(number(w) > 5 for w in asked[3::3]):
        return ["flat"]
    return other("less", asked, said) if way == "open" and said[0] == "hull" and int(said[1]) >= 6 else said


def solid(v):
    return v["expected"].get("dimension") == 3


def flat(v):
    return v["expected"].get("dimension") == 2


def unsound(alter):
    alter("a property of no checker", drop("expected", "checker"), by_checker)
    alter("a checker without a property", put("promise", "exact"), by_checker)
    alter("a point in the plane", put("input", "points", 0, [ONE] * 2))
    alter("numbers without points", put("input", "points", [ONE] * 6))
    alter("a dimension of 4", put("expected", "dimension", 4), solid)
    alter("a solid in a plane", put("expected", "dimension", 2), solid)
    alter("a plane in space", put("expected", "dimension", 3), flat)
    alter("a negative tolerance", put("expected", "tolerance", -1e-6), solid)
    alter("a volume of 0", put("expected", "volume", 0), solid)
    alter("flat: false", put("expected", "flat", False), solid)
    for key in ("dimension", "vertices", "tolerance", "volume", "faces"):
        alter(f"no {key}", drop("expected", key), solid)
    alter("a vertex that there is not", lambda _, v: v["expected"].update(vertices=[len(v["input"]["points"])]), solid, schema=False)
