# SPDX-License-Identifier: MIT
"""Boxes of blocks: the greedy ones, or any."""
import blocks
from alterations import by_checker, put
from families import faces
from words import listed, rows

WRONG = {"less": 80, "twice": 80, "first": 80, "last": 80, "size": 80, "beyond": 80, "cut": 14, "upwards": 17, "swapped": 34, "from-nothing": 6}
RIGHT = {"turned": 15, "otherwise": 10}
ALIKE = ["hills", "any-hills", "any-crossing", "invalid-any"]


def upwards(asked):
    """Boxes that grow along y first, which are right where any are: by the definitions of the corpus' makers."""
    n, first, kinds = [int(w) for w in asked[2:5]], [int(w) for w in asked[5:8]], [int(w) for w in asked[11:-1]]
    chunk = blocks.Chunk.of({"extents": n, "first": first, "types": asked[8], "edge": int(asked[10]), "is": kinds})
    return [[str(v) for v in row] for row in blocks.told(chunk, blocks.merged(chunk, (1, 2, 0)))][::-1]


def changed(way, asked, told):
    free = asked[-1] == "any"
    if way in ("upwards", "otherwise"):
        made = upwards(asked) if free == (way == "otherwise") else told
        return made if sorted(made) != sorted(told) else None
    if way == "turned":  # except for boxes that have an order
        return told[::-1] if len(told) > 1 and free else None
    if way == "swapped":
        return told[1::-1] + told[2:] if len(told) > 1 and not free else None
    if way == "size" and told:  # a longer box
        told[-1][3] = str(int(told[-1][3]) + 1)
        return told
    if way == "beyond" and told:
        told[-1][6] = str(int(told[-1][6]) ^ 3)
        return told
    if way == "cut":  # split in two, with the sides of one
        long = next((r for r in told if int(r[3]) > 1), None)
        if not free or long is None or int(long[6]) & 15 == 5:
            return None
        return [r for r in told if r is not long] + [long[:3] + ["1"] + long[4:], [str(int(long[0]) + 1)] + long[1:3] + [str(int(long[3]) - 1)] + long[4:]]
    return faces.changed(way, 8, told)


def other(way, asked, said):
    told = changed(way, asked, rows(said[2:], 8))
    return told if told is None else listed("boxes", told)


def alike(asked, said):
    return listed("boxes", upwards(asked)) if asked[-1] == "any" else said


FAILS = [("covered", "random-2", lambda left, v: left["parts"] == 3), ("covered", "any-hills", lambda left, v: left["parts"] == 3 and v["merging"] == "any")]


def fails(way, asked, said):
    return said[:8] + [str(int(said[8]) ^ 3)] + said[9:] if said[0] == "boxes" and int(said[1]) > 2 else said


def unsound(alter):
    faces.unsound_rows(alter, "boxes")
    alter("a merging that there is not", put("input", "merging", "lazy"))
    alter("boxes where any will do", put("input", "merging", "any"), faces.answered, schema=False)
    alter("any boxes where the greedy ones are asked for", put("input", "merging", "greedy"), by_checker, schema=False)
    alter("a checker and boxes", put("expected", "boxes", []), by_checker)
