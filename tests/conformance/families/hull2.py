# SPDX-License-Identifier: MIT
"""Hulls in the plane: corners."""
import time

from alterations import ONE, by_checker, drop, put
from words import number

WRONG = {"less": 35, "back": 35, "part": 25, "crossed": 30}
ALIKE = ["circle", "none"]


def other(way, asked, said):
    corners = said[2:]
    if way == "less" and len(corners) > 2:
        return ["hull", str(len(corners) - 1)] + corners[1:]
    if way == "back" and len(corners) > 2:
        return said[:2] + corners[::-1]
    if way == "crossed" and len(corners) > 3:
        return said[:2] + [corners[0], corners[2], corners[1]] + corners[3:]
    if way == "part" and len(corners) > 3:
        place = [[number(w) for w in asked[3 + 2 * int(c):5 + 2 * int(c)]] for c in corners]
        shorter = any(max(side) - min(side) < 0.999 * (max(whole) - min(whole)) for side, whole in zip(zip(*place[:3]), zip(*place)))
        return ["hull", "3"] + corners[2::-1] if shorter else None
    return None


def may_be_right(way, vector):
    """A polygon of points that are nearly on a line may lack one corner."""
    return way == "less" and vector["promise"] == "property"


def alike(asked, said):
    return said[:2] + said[3:] + said[2:3]


FAILS = [("hang", "edges", lambda left, v: left["parts"] == 5 and left["parts_before"] == 8 and "nothing in time" in left["failure"], "--limit", "0.5"),
         ("drop", "circle", lambda left, v: left["parts"] == 5 and left["parts_before"] == 20)]


def fails(way, asked, said):
    if way == "hang" and int(asked[2]) > 4:
        time.sleep(3600)
    return other("less", asked, said) if way == "drop" and int(said[1]) >= 5 else said


def unsound(alter):
    alter("a point in space", put("input", "points", 0, [ONE] * 3))
    alter("numbers that are no points",
          lambda _, v: v["input"].update(points=[v["input"]["points"][0] + v["input"]["points"][1][:1], v["input"]["points"][1][1:]] + v["input"]["points"][2:]))
    alter("a corner that there is not", lambda _, v: v["expected"].update(corners=[len(v["input"]["points"])]), schema=False)
    alter("a negative corner", put("expected", {"corners": [-1]}))
    alter("a corner twice", put("expected", {"corners": [0, 1, 2, 0]}))
    alter("no corners", put("expected", {"corners": []}))
    alter("a checker without a property", put("promise", "exact"), by_checker)
    alter("a checker without a tolerance", drop("expected", "tolerance"), by_checker)
    alter("a tolerance without a checker", put("expected", "tolerance", 1e-6))
