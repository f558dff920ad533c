# SPDX-License-Identifier: MIT
"""Walks through a grid."""
from families import ray_triangle as ray
from words import up

WRONG = {"nan": 40, "far": 40, "cell": 40}
ALIKE = ["corner-all", "invalid-zero"]


def other(way, asked, said):
    if way == "cell" and said[0] == "hit":
        return ["hit", str(int(said[1]) + 100)] + said[2:]
    return ray.other(way, asked, said)


def alike(asked, said):
    return said[:-1] + [up(said[-1])] if said[0] == "hit" else ["none"]


FAILS = [("cell", "axis-x", lambda left, v: left["parts"] == 1)]


def fails(way, asked, said):
    if way.startswith("late") and said[0] == "hit":
        return said[:-1] + [f"{int(said[-1], 16) + int(way[4:]):08x}"]
    return ["hit", str(int(said[1]) - 1)] + said[2:] if way == "cell" and said[0] == "hit" and int(said[1]) > 3 else said


def unsound(alter):
    ray.unsound_t(alter)
    alter("t of no cell", lambda _, v: v["expected"][0].pop("cell"), ray.hits)
    alter("a cell of two numbers", lambda _, v: v["expected"][0].update(cell=[0, 0]), ray.hits)
    alter("a cell beside the grid", lambda _, v: v["expected"][0].update(cell=[0, -1000, 0]), ray.hits, schema=False)
