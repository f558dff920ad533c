# SPDX-License-Identifier: MIT
"""Steps of a rule: cells."""
from alterations import put
from words import rows

WRONG = {"byte": 70, "before": 50, "dead": 30, "shorter": 70}
ALIKE = ["meet-many", "invalid-type"]


def other(way, asked, said):
    cells, before = rows(said[0], 2), asked[5]
    if way == "byte":
        return ["".join(cells[:-1]) + ("00" if cells[-1] == "01" else "01")]
    if way == "before" and said[0] != before:
        return [before]
    if way == "dead" and any(int(c, 16) > 128 for c in cells) and asked[8] != "count":
        return ["".join(f"{int(c, 16) & 127:02x}" for c in cells)]
    return [said[0][2:]] if way == "shorter" and len(cells) > 1 else None


FAILS = [("alive", "act-random-3", lambda left, v: left["parts"] <= 4 and left["parts_before"] > 40 and v["rule"] == "act" and v["steps"] == 7 and len(v["outputs"]) > 4 and "seed" not in v)]
FOUND = False


def fails(way, asked, said):
    return [said[0].replace("83", "03")] if said[0].count("83") > 1 else said


def steps(v):
    return "types" in v["expected"]


def unsound(alter):
    alter("a rule that there is not", put("input", "rule", "life"))
    alter("a negative number of steps", put("input", "steps", -1))
    alter("too many steps", put("input", "steps", 65537), schema=False)
    alter("a seed that is none", put("input", "seed", "1"))
    alter("a species of one number", put("input", "species", [[1]]))
    alter("an output of four numbers", put("input", "outputs", [[1, 14, 1, 1]]), lambda v: "outputs" in v["input"])
    alter("a cell more in what is expected", lambda _, v: v["expected"].update(types=v["expected"]["types"] + "00"), steps, schema=False)
    alter("capitals in what is expected", lambda _, v: v["expected"].update(types="FF" + v["expected"]["types"][2:]), steps)
