# SPDX-License-Identifier: MIT
"""Rays against a mesh."""
from alterations import put
from families import ray_triangle as ray
from words import number, rows, up, word

WRONG = {"nan": 60, "other": 60}
ALIKE = ["corner-3", "ball-edge-4", "same"]


def other(way, asked, said):
    if way == "other" and said[0] == "hit":
        return ["hit", str(int(asked[3]) - 1 - int(said[1])), "7f7fffff"]
    return ray.other(way, asked, said)


def alike(asked, said):
    """Of triangles met together the last one."""
    if said[0] != "hit":
        return ["none"]
    vertices, triangles = int(asked[2]), int(asked[3])
    place, rest = rows(asked[4:4 + 3 * vertices], 3), asked[4 + 3 * vertices:]
    nearest, _ = ray.met(rest[3 * triangles:], [[place[int(i)] for i in t] for t in rows(rest[:3 * triangles], 3)])
    return ["hit", str(nearest[-1]), up(said[-1])] if nearest else said


FAILS = [("long", "hills-3", lambda left, v: left["parts"] == 1 and left["parts_before"] == 128 and len(v["vertices"]) == 3)]
SLOW = True  # its oracle and hull3's take as long as all others together


def fails(way, asked, said):
    return said[:-1] + [word(1 + number(said[-1]))] if said[0] == "hit" and number(said[-1]) > 0.25 else said


def unsound(alter):
    ray.unsound_t(alter)
    alter("a triangle of two", put("input", "triangles", 0, [0, 1]))
    alter("a triangle's vertex in words", put("input", "triangles", 0, [0, 1, "2"]))
    alter("t of no triangle", lambda _, v: v["expected"][0].pop("triangle"), ray.hits)
    alter("a triangle that there is not", lambda _, v: v["expected"][0].update(triangle=len(v["input"]["triangles"])), ray.hits, schema=False)
    alter("a negative triangle", lambda _, v: v["expected"][0].update(triangle=-1), ray.hits)
