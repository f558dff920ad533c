# SPDX-License-Identifier: MIT
"""Questions to a scene of spheres and triangles: sets, pairs, hits."""
import functools
from itertools import combinations

from alterations import ONE, put, vectors
from families.ray_triangle import hits
from words import flat, number, rows, up

WRONG = {"less": 45, "twice": 45, "more": 45, "object": 12, "nan": 12, "far": 12}
RIGHT = {"turned": 6}
ALIKE = ["hills-sphere", "hills-pairs", "same-ray", "touch-at-ray", "invalid-ray"]


@functools.cache
def may():
    """Of each question what is right told or not."""
    out = {}
    for v in vectors("scene-query"):
        q = v["input"]
        words = [len(q["spheres"]), q["spheres"], len(q["vertices"]), len(q["triangles"]), q["vertices"], q["triangles"], q["query"]]
        if isinstance(v["expected"], dict):
            out[" ".join(flat(words))] = [tuple(flat([k])) for k in v["expected"].get("may_touch", v["expected"].get("may_pair", []))]
    return out


def other(way, asked, said):
    if said[0] == "hit":
        return {"object": ["hit", str(int(said[1]) + 1), "7f7fffff"], "nan": ["hit", said[1], "7fc00000"], "far": ["hit", said[1], "7f800000"]}.get(way)
    each, free = (2 if said[0] == "pairs" else 1), may().get(" ".join(asked[2:]), [])
    told = [tuple(row) for row in rows(said[2:], each)]
    objects = [str(i) for i in range(int(asked[2]) + int(asked[4 + 4 * int(asked[2])]))]
    needed = [t for t in told if t not in free]
    others = [t for t in combinations(objects, each) if t not in told + free]
    if way == "less" and needed:
        told.remove(needed[-1])
    elif way == "twice" and needed:
        told.append(needed[0])
    elif way == "more" and others:
        told.append(others[0])
    elif way == "turned" and each == 2 and told:  # the other one first
        told = [t[::-1] for t in told[::-1]]
    else:
        return None
    return [said[0], str(len(told))] + [i for t in told for i in t]


def alike(asked, said):
    if said[0] in ("set", "pairs"):
        return said[:2] + said[:1:-1]
    return said[:-1] + [up(said[-1])] if said[0] == "hit" else said


FAILS = [("unseen", "random-sphere", lambda left, v: left["parts"] == 3 and left["parts_before"] == 40 and v["query"][0] == "sphere" and len(v["query"]) == 5),
         ("apart", "random-pairs", lambda left, v: left["parts"] in (3, 4)),
         ("beyond", "random-ray", lambda left, v: left["parts"] == 1)]
FOUND = False


def fails(way, asked, said):
    if way == "unseen" and said[0] == "set" and int(said[1]) > 2:
        return ["set", str(len(said) - 3)] + said[3:]
    if way == "apart" and said[0] == "pairs" and int(said[1]) > 1:
        return ["pairs", "0"]
    return ["none"] if way == "beyond" and said[0] == "hit" and number(said[-1]) > 1 else said


def touches(v):
    return "touched" in v["expected"]


def pairs(v):
    return "pairs" in v["expected"]


def unsound(alter):
    alter("half a sphere", lambda _, v: v["input"]["spheres"][0].pop(), lambda v: v["input"]["spheres"])
    for name, query in (("an unknown", ["cone", ONE]), ("a sphere of three numbers", ["sphere"] + [ONE] * 3), ("pairs of a number", ["pairs", ONE]),
                        ("capitals in a", ["sphere"] + [ONE] * 3 + ["3F800000"]), ("no words in a", []), ("a number for a", 7)):
        alter(f"{name} query", put("input", "query", query))
    alter("an object that there is not", lambda _, v: v["expected"].update(touched=[999]), touches, schema=False)
    alter("one that may be touched that there is not", lambda _, v: v["expected"].update(may_touch=[999]), touches, schema=False)
    alter("an object twice", lambda _, v: v["expected"].update(touched=[0, 0]), touches)
    alter("pairs where none are asked for", lambda _, v: v.update(expected={"pairs": []}), touches, schema=False)
    alter("pairs that may be, beside what is touched", lambda _, v: v["expected"].update(may_pair=[]), touches)
    alter("a pair that there is not", lambda _, v: v["expected"].update(pairs=[[0, 999]]), pairs, schema=False)
    alter("a pair the wrong way round", lambda _, v: v["expected"].update(pairs=[[1, 0]]), pairs, schema=False)
    alter("a pair of three", lambda _, v: v["expected"].update(pairs=[[0, 1, 2]]), pairs)
    alter("a pair twice", lambda _, v: v["expected"].update(pairs=[[0, 1], [0, 1]]), pairs)
    alter("what is touched by a ray", lambda _, v: v.update(promise="set", expected={"touched": []}), hits, schema=False)
    alter("a hit of no object", lambda _, v: v["expected"][0].update(object=999), hits, schema=False)
    alter("a hit without an object", lambda _, v: v["expected"][0].pop("object"), hits)
