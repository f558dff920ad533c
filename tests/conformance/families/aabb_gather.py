# SPDX-License-Identifier: MIT
"""Triangles in a box: a set."""
import sys

from alterations import put

WRONG = {"less": 30, "twice": 30}
ALIKE = ["hills-0"]


def other(way, asked, said):
    if said[1] == "0":
        return None
    return ["set", str(int(said[1]) - 1)] + said[3:] if way == "less" else ["set", str(int(said[1]) + 1)] + said[2:] + said[2:3]


def alike(asked, said):
    return said[:2] + said[:1:-1]


FAILS = [("crash", "hills-0", lambda left, v: left["parts"] == 3 and "nothing, and ends" in left["failure"]), ("less", "all", lambda left, v: left["parts"] == 4)]


def fails(way, asked, said):
    if way == "crash" and int(asked[3]) > 2:
        sys.exit(3)
    return other("less", asked, said) if way == "less" and int(said[1]) >= 4 else said


def unsound(alter):
    alter("a triangle of a negative vertex", put("input", "triangles", 0, [0, 1, -1]))
    alter("a triangle that there is not", lambda _, v: v["expected"].update(triangles=[len(v["input"]["triangles"])]), schema=False)
    alter("a triangle twice", put("expected", {"triangles": [0, 1, 0]}))
    alter("a number that is none", put("expected", {"triangles": [0.5]}))
