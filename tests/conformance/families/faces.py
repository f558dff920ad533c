# SPDX-License-Identifier: MIT
"""Faces of blocks, and what boxes share with them: rows of numbers."""
from alterations import put
from words import listed, rows

WRONG = {"less": 60, "twice": 60, "first": 60, "last": 60, "from-nothing": 3}
RIGHT = {"turned": 60}
ALIKE = ["hills", "invalid-bits"]


def changed(way, each, told):
    if not told:
        return [["0"] * each] if way == "from-nothing" else None
    if way == "less":
        return told[:-1]
    if way == "twice":
        return told + told[:1]
    if way in ("last", "first"):  # a bit of light or of an edge, or another place
        told[-1][{"last": -1, "first": 0}[way]] = str(int(told[-1][{"last": -1, "first": 0}[way]]) ^ 1)
        return told
    return None


def other(way, asked, said):
    told = rows(said[2:], 5)
    if way == "turned":
        return listed("faces", told[::-1]) if len(told) > 1 else None
    told = changed(way, 5, told)
    return told if told is None else listed("faces", told)


def alike(asked, said):
    return listed("faces", rows(said[2:], 5)[::-1])


FAILS = [("dark", "random-2", lambda left, v: left["parts"] == 3 and left["parts_before"] > 10 and v["edge"] == 4 and len(v["types"]) <= 24)]


def fails(way, asked, said):
    return said[:-1] + [str(int(said[-1]) ^ 1)] if said[0] == "faces" and int(said[1]) > 12 else said


def answered(v):
    return v["expected"].get("faces") or v["expected"].get("boxes")


def unsound_rows(alter, name):
    alter("a first block of two numbers", put("input", "first", [0, 0]))
    alter("a first block that is too far away", put("input", "first", [1 << 25, 0, 0]), schema=False)
    alter("an edge of 33, and an answer", put("input", "edge", 33), answered, schema=False)
    alter("negative bits", put("input", "is", [-1]))
    alter("a number less", lambda _, v: v["expected"][name][0].pop(), answered)
    alter("a number too large", lambda _, v: v["expected"][name][0].__setitem__(4, 4096), answered, schema=False)
    alter("one twice", lambda _, v: v["expected"][name].append(v["expected"][name][0]), answered)


def unsound(alter):
    unsound_rows(alter, "faces")
    alter("a face of a block that there is not", lambda _, v: v["expected"]["faces"][0].__setitem__(1, v["input"]["edge"]), answered, schema=False)
    alter("a face on a side that there is not", lambda _, v: v["expected"]["faces"][0].__setitem__(3, 6), answered, schema=False)
