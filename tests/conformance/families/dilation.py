# SPDX-License-Identifier: MIT
"""Dilation: two masks."""
from alterations import drop, put

WRONG = {"bit": 30, "classes": 15}
ALIKE = []


def other(way, asked, said):
    if way == "bit":
        return [("1" if said[0][0] == "0" else "0") + said[0][1:], said[1]]
    return said[::-1] if said[0] != said[1] else None


FAILS = [("column", "random-0", lambda left, v: left["parts"] == 1 and left["parts_before"] > 100 and v["extents"] == [8, 1, 1] and v["cells"] == ".......#")]


def fails(way, asked, said):
    if any(asked[5][i:i + 1] == "#" for i in range(7, len(asked[5]), int(asked[2]))):
        return other("bit", asked, said)
    return said


def unsound(alter):
    alter("extents in words", put("input", "extents", ["8", "8", "8"]))
    alter("two extents", put("input", "extents", [8, 64]))
    alter("an extent of 0", put("input", "extents", [0, 8, 8]), schema=False)
    alter("a mask of one cell", put("expected", "solid", "0"), schema=False)
    alter("a longer mask", lambda _, v: v["expected"].update(water=v["expected"]["water"] + "0"), schema=False)
    alter("a mask of other digits", lambda _, v: v["expected"].update(water="2" + v["expected"]["water"][1:]))
    alter("no mask of water", drop("expected", "water"))
    alter("a refusal", put("expected", {"refused": True}))
