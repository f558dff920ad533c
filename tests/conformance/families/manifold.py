# SPDX-License-Identifier: MIT
"""Contacts: rows of a distance, a normal and a place."""
import functools

from alterations import ONE, drop, put, vectors
from words import flat, listed, number, rows, up, word

WRONG = {"none": 45, "nan": 45, "tilted": 45, "backwards": 45, "long": 45, "deeper": 45, "lifted": 45, "five": 45, "shorter": 45}
RIGHT = {"turned": 45}
ALIKE = ["hull-groove", "box-rest", "invalid-nan"]


def contacts(v):
    return v["expected"].get("contacts")


@functools.cache
def must_touch():
    """Questions of contacts that may not be missing."""
    asked = (v["input"] for v in vectors("manifold") if contacts(v))
    return {" ".join(flat([len(q["vertices"]), len(q["triangles"]), q["vertices"], q["triangles"], len(q["points"]), q["points"], q["position"], q["rotation"], q["margin"], q["shape"]]))
            for q in asked}


def other(way, asked, said):
    """The first contact is told otherwise, of questions that have one which may not be missing."""
    told = rows(said[2:], 7)
    if not told or " ".join(asked[2:]) not in must_touch():
        return None
    distance, *v = (number(w) for w in told[0])
    n, p = v[:3], v[3:]
    size = sum(abs(c) for c in p)
    turned = [n[0], 0.878 * n[1] - 0.479 * n[2], 0.479 * n[1] + 0.878 * n[2]] if abs(n[0]) < 0.8 else [0.878 * n[0] - 0.479 * n[1], 0.479 * n[0] + 0.878 * n[1], n[2]]
    first = {"nan": [float("nan")] + n + p, "tilted": [distance] + turned + p, "backwards": [distance] + [-c for c in n] + p, "long": [distance] + [2 * c for c in n] + p,
             "deeper": [distance - 0.3 * size] + n + p, "lifted": [distance] + n + [c + 0.3 * size * m for c, m in zip(p, n)]}
    if way in first:
        return listed("manifold", [[word(c) for c in first[way]]] + told[1:])
    return {"none": ["manifold", "0"], "five": listed("manifold", told + 4 * told[:1]), "shorter": said[:-1], "turned": listed("manifold", told[::-1])}[way]


def alike(asked, said):
    return listed("manifold", [[up(row[0])] + row[1:] for row in rows(said[2:], 7)[::-1]])


FAILS = [("behind", "box-rest", lambda left, v: left["parts"] == 1 and left["parts_before"] == 32)]


def fails(way, asked, said):
    if said[0] != "manifold" or int(said[1]) == 0 or number(said[2]) >= 0:
        return said
    return said[:3] + [f"{int(w, 16) ^ 0x80000000:08x}" for w in said[3:6]] + said[6:]


def unsound(alter):
    alter("a normal of two numbers", lambda _, v: v["expected"]["contacts"][0]["normal"].pop(), contacts)
    alter("a distance upside down", lambda _, v: v["expected"]["contacts"][0]["distance"].reverse(), contacts, schema=False)
    alter("no distance", drop("expected", "contacts", 0, "distance"), contacts)
    alter("a contact of more", put("expected", "contacts", 0, "depth", ONE), contacts)
    alter("a place in words", put("expected", "contacts", 0, "encloses", ["here"]), contacts)
    alter("no list of contacts", put("expected", "contacts", {}), contacts)
    alter("a hull that nobody can judge", put("input", "points", [[ONE] * 3] * 65), contacts, schema=False)
