# SPDX-License-Identifier: MIT
"""Loose regions: a number a cell."""
from alterations import put
from words import rows

WRONG = {"held": 80, "less": 40, "swapped": 15, "shorter": 80}
ALIKE = ["caves-0-border"]


def other(way, asked, said):
    """A cell that hangs told as loose; the last region forgotten; two regions that change places."""
    cells = rows(said[0], 6)
    last = max(cells)
    if way == "held" and "000000" in cells:
        k = cells.index("000000")
        return ["".join(cells[:k] + ["000001"] + cells[k + 1:])]
    if way == "less" and last > "000000":
        return ["".join("000000" if c == last else c for c in cells)]
    if way == "swapped" and last > "000001":
        return ["".join({"000001": "000002", "000002": "000001"}.get(c, c) for c in cells)]
    return [said[0][6:]] if way == "shorter" and len(cells) > 1 else None


FAILS = [("hung", "caves-0-bottom", lambda left, v: left["parts"] == 1 and left["parts_before"] > 200 and v["anchors"] == "bottom")]


def fails(way, asked, said):
    return ["0" * len(said[0])]


def unsound(alter):
    alter("anchors that there are not", put("input", "anchors", "top"))
    alter("a cell more in what is expected", lambda _, v: v["expected"].update(regions=v["expected"]["regions"] + "000000"), schema=False)
    alter("capitals in what is expected", lambda _, v: v["expected"].update(regions="00000A" + v["expected"]["regions"][6:]))
