# SPDX-License-Identifier: MIT
"""Volumes under water and their centres."""
from alterations import ONE, drop, put
from words import more, number, up

WRONG = {"nan": 60, "dry": 25, "aside": 20, "upside-down": 9, "shorter": 60}
ALIKE = ["hull-pools", "box-axes-1", "invalid-nan"]


def other(way, asked, said):
    """No volume; another centre; one that is upside down. Of much water only: of little nobody asks for a centre."""
    volume, y = number(said[1]), number(said[3])
    if way == "nan":
        return said[:1] + ["7fc00000"] + said[2:]
    if way == "dry" and volume > 0.5:
        return ["submerged"] + ["00000000"] * 4
    if way == "aside" and volume > 1:
        return said[:2] + [more(said[2], 0.5)] + said[3:]
    if way == "upside-down" and volume > 1 and abs(y) > 0.25:
        return said[:3] + [more(said[3], -2 * y)] + said[4:]
    return said[:-1] if way == "shorter" else None


def alike(asked, said):
    return said[:1] + [up(w) for w in said[1:]]


FAILS = [("dry", "sphere-pools", lambda left, v: left["parts"] == 1 and left["parts_before"] > 200 and v["shape"][0] == "sphere" and len(v["shape"]) == 2 and v["points"] == [])]


def fails(way, asked, said):
    return ["submerged"] + ["00000000"] * 4 if said[0] == "submerged" and number(said[1]) > 0.25 else said


def by_volume(v):
    return "volume" in v["expected"]


def of_shapes(alter):
    alter("a shape that there is not", put("input", "shape", ["cone", ONE]))
    alter("a ball of two lengths", lambda _, v: v["input"]["shape"].append(ONE), lambda v: v["input"]["shape"][0] == "sphere", schema=False)
    alter("a length in words", put("input", "shape", ["sphere", "one"]))
    alter("a rotation of three numbers", lambda _, v: v["input"]["rotation"].pop())
    alter("a point of two numbers", lambda _, v: v["input"]["points"][0].pop(), lambda v: v["input"]["points"])


def unsound(alter):
    of_shapes(alter)
    alter("a volume upside down", lambda _, v: v["expected"]["volume"].reverse(), by_volume, schema=False)
    alter("a centre of two ranges", lambda _, v: v["expected"]["centre"].pop(), by_volume)
    alter("no centre", drop("expected", "centre"), by_volume)
    alter("a bound from nowhere", drop("reason"), by_volume)
