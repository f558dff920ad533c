# SPDX-License-Identifier: MIT
"""Rays against a triangle, and what other rays share with them."""
from alterations import NAN, ONE, drop, put
from words import exact, number, rows, up
import rays

WRONG = {"nan": 40, "far": 40}
ALIKE = ["edge-bc"]


def other(way, asked, said):
    if said[0] != "hit" or way not in ("nan", "far"):
        return None
    return said[:-1] + [{"nan": "7fc00000", "far": "7f800000"}[way]]


def met(ray, corners):
    """The numbers of triangles that a ray meets first, by exact arithmetic, none where they are met at once; and the exact triangles."""
    o, d = exact(ray[:3]), exact(ray[3:6])
    mesh = [[exact(c) for c in t] for t in corners]
    hits = rays.all_hits(o, d, mesh)
    return [] if not hits or min(hits)[0] == 0 else [n for t, n in hits if t == min(hits)[0]], mesh


def alike(asked, said):
    """At an edge none; else t rounded up."""
    if said[0] != "hit":
        return ["none"]
    nearest, mesh = met(asked[11:], [rows(asked[2:11], 3)])
    if not nearest:
        return said
    o, d = exact(asked[11:14]), exact(asked[14:17])
    a, b, c = ([x - y for x, y in zip(p, o)] for p in mesh[0])
    at_edge = any(rays.dot(d, rays.cross(p, q)) == 0 for p, q in ((a, b), (b, c), (c, a)))
    return ["none"] if at_edge else ["hit", up(said[-1])]


FAILS = [("zero", "front", lambda left, v: True)]
FOUND = False


def fails(way, asked, said):
    return ["none"] if number(asked[14]) == 0 and said[0] == "hit" else said


def hits(v):
    return isinstance(v["expected"], list) and "t" in v["expected"][0]


def bound(v):
    return v["promise"] == "bound"


def unsound_t(alter):
    """What every ray's t may be, asked and expected."""
    for value in (1.0, 1, "3f80000", "3F800000", "3f80000g", "0x3f8000", [ONE], None):
        alter(f"t_max {value}", put("input", "t_max", value))
    alter("bounds the wrong way round", lambda _, v: v["expected"][0].update(t=[ONE, "3f7fffff"]), hits, schema=False)
    alter("a bound of NaN", lambda _, v: v["expected"][0].update(t=[NAN, ONE]), hits, schema=False)
    alter("one bound", lambda _, v: v["expected"][0].update(t=[ONE]), hits)
    alter("bounds as numbers", lambda _, v: v["expected"][0].update(t=[1.0, 2.0]), hits)
    alter("no t", lambda _, v: v["expected"][0].pop("t"), hits)
    alter("a hit of nothing", lambda _, v: v["expected"][0].update(none=True), hits)


def unsound(alter):
    unsound_t(alter)
    alter("a bound without a reason", drop("reason"), bound)
    alter("a reason without words", put("reason", ""), bound)
    alter("a tie of one answer", lambda _, v: v["expected"].pop(), lambda v: v["promise"] == "tie" and len(v["expected"]) == 2)
    alter("two answers without a tie", lambda _, v: v["expected"].append({"none": True}), lambda v: bound(v) and hits(v))
    for expected in ([], {}, [[]], 7, "none", None, {"none": False}, {"refused": True, "none": True}):
        alter(f"expected {expected}", put("expected", expected), bound)
    alter("four corners", lambda _, v: v["input"]["triangle"].append([ONE] * 3))
    alter("two corners", lambda _, v: v["input"]["triangle"].pop())
    alter("t of no hit", lambda _, v: v["expected"][0].pop("hit"), hits)
    alter("hit: false", lambda _, v: v["expected"][0].update(hit=False), hits)
    alter("a triangle's number where there is one", lambda _, v: v["expected"][0].update(triangle=0), hits)
