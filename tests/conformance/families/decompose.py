# SPDX-License-Identifier: MIT
"""Hulls of a decomposition, lists of vertices."""
from alterations import by_checker, put
from words import number

WRONG = {"less": 36, "cut": 35, "twice": 36, "one-more": 19, "all": 12, "filled": 7, "inside": 1, "beyond": 36, "none": 36}
RIGHT = {"turned": 36, "each": 10, "on-surface": 1}
ALIKE = ["u", "invalid-nan"]


def read(said):
    hulls, at = [], 2
    while at < len(said):
        hulls.append(said[at + 1:at + 1 + int(said[at])])
        at += 1 + int(said[at])
    return hulls


def listed(hulls):
    return ["hulls", str(len(hulls))] + [w for hull in hulls for w in [str(len(hull))] + hull]


def changed(way, asked, hulls):
    vertices, triangles, most = int(asked[2]), int(asked[3]), int(asked[-1])
    place = [[number(w) for w in asked[4 + 3 * i:7 + 3 * i]] for i in range(vertices)]
    used = sorted({v for hull in hulls for v in hull}, key=int)
    high = max(place[int(v)] for v in used)  # the farthest along x
    every = [[str(v) for v in range(vertices)]]
    if way == "turned":
        return [hull[::-1] for hull in hulls[::-1]]
    if way == "each":  # one triangle per hull, if that many hulls are allowed
        corners = asked[4 + 3 * vertices:-3]
        return [list(dict.fromkeys(corners[i:i + 3])) for i in range(0, len(corners), 3)] if most == 0 and triangles > len(hulls) else None
    if way == "one-more":
        return hulls + hulls[:1] if most == len(hulls) else None
    if way == "all":  # fills a concavity that must stay empty
        return [used] if len(hulls) > 1 and most > 0 else None
    if way == "filled":
        return hulls + [used] if len(hulls) > 1 and most == 0 and any(len(hull) > 7 for hull in hulls) and triangles > len(hulls) else None
    if way == "less":
        return [hull for hull in hulls if all(place[int(v)] != high for v in hull)]
    if way == "cut":  # without a corner
        cut = [[v for v in hull if place[int(v)] != high] for hull in hulls]
        return cut if high != min(place[int(v)] for v in used) and [] not in cut else None
    if way == "twice":
        return hulls[:-1] + [hulls[-1] + hulls[-1][:1]]
    if way == "inside":  # one point of the dented cube is inside, and all points of other shapes are on the surface
        return every if len(hulls) == 1 and len(hulls[0]) > 3 and triangles == 14 else None
    if way == "on-surface":  # a box with all points on its sides
        return every if len(hulls) == 1 and most == 1 and triangles == 64 else None
    return {"beyond": [hulls[0][:-1] + [str(vertices)]] + hulls[1:], "none": [[]] + hulls[1:]}[way]


def other(way, asked, said):
    hulls = changed(way, asked, read(said))
    return hulls if hulls is None else listed(hulls)


def alike(asked, said):
    return listed(changed("turned", asked, read(said)))


FAILS = [("filled", "l", lambda left, v: left["parts"] <= 6 and left["parts_before"] == 44)]


def fails(way, asked, said):
    return listed([[str(v) for v in range(int(asked[2]))]]) if said[0] == "hulls" and int(said[1]) > 1 else said


def unsound(alter):
    alter("a tolerance", put("expected", "tolerance", 1e-6), by_checker)
    alter("a length of 0, and an answer", put("input", "allowed", "00000000"), by_checker, schema=False)
    alter("no triangles, and an answer", put("input", "triangles", []), by_checker, schema=False)
    alter("a negative number of hulls", put("input", "most", -1))
