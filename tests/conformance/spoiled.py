# SPDX-License-Identifier: MIT
"""spoiled.py WAY LOG: an adapter that asks `voxphys adapter` and spoils what it says, in one way; or says it in another way that is right as well. The
numbers of the questions whose answers it has changed are written to LOG."""
import json
import os
import struct
import subprocess
import sys
from itertools import combinations

import boxes_otherwise
import shapes

way, log = sys.argv[1], open(sys.argv[2], "w", encoding="ascii")
honest = subprocess.Popen(["voxphys", "adapter"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(line):
    honest.stdin.write(line)
    honest.stdin.flush()
    return honest.stdout.readline().split()


def more(word, by):
    return struct.pack(">f", struct.unpack(">f", bytes.fromhex(word))[0] + by).hex()


def mesh(answer):
    count = int(answer[1])
    return answer[3:3 + 3 * count], answer[3 + 3 * count:]


def triangles(answer):
    """Where three numbers a triangle begin, if any."""
    return {"mesh": 3 + 3 * int(answer[1]), "hull": 2}[answer[0]] if answer[0] in ("mesh", "hull") and int(answer[2 if answer[0] == "mesh" else 1]) else None


OWN = {
    "grown": lambda p, middle, extent: [m + 2.0 * (x - m) for x, m in zip(p, middle)],
    "larger": lambda p, middle, extent: [m + 1.0001 * (x - m) for x, m in zip(p, middle)],
    "stretched": lambda p, middle, extent: [middle[0] + 1.001 * (p[0] - middle[0])] + p[1:],
    "aside": lambda p, middle, extent: [p[0] + 1e-3 * extent] + p[1:],
    "one-place": lambda p, middle, extent: middle,
    "not-finite": lambda p, middle, extent: [float("nan")] + p[1:],
}


def spoil_hull(asked, answer):
    """Hulls with vertices of their own, and polygons."""
    if answer[0] == "hull" and way in OWN:
        return shapes.own(asked, answer, OWN[way])
    if answer[0] == "hull" and way == "loose":
        return shapes.loose(asked[3:], [int(c) for c in answer[2:]])
    if way == "corner-twice" and answer[0] == "hull":
        return ["hull", str(int(answer[1]) + 1)] + answer[2:] + ["0", "0", "0"]
    corners = shapes.polygon(asked) if way in ("side", "sides", "points", "lines", "bowtie", "gap", "covered-twice") else None
    if corners is None:
        return None
    side = [(corners[0], b, c) for b, c in zip(corners[1:], corners[2:])]
    if way in ("side", "sides"):  # both are right
        return shapes.hull(side + ([t[::-1] for t in side] if way == "sides" else []))
    if way == "points":
        return shapes.hull([(c, c, c) for c in corners])
    if way == "lines":
        return shapes.hull([(c, c, corners[0]) for c in corners])
    if way == "covered-twice":
        return shapes.hull(side * 2)
    if len(side) < 2:
        return None
    return shapes.hull([side[0], (corners[1], corners[0], corners[3])] if way == "bowtie" else side + [t[::-1] for t in side[1:]])


def spoil_surface(asked):
    """Surfaces of cubes."""
    extents, cells = shapes.inside(asked)
    if not cells:
        return None
    first, last = min(cells), max(cells)
    whole = shapes.cubes(cells)
    if way == "cubes":  # which is right
        return shapes.mesh(whole)
    if way == "loose":  # and this
        words = shapes.mesh(whole)
        vertices = 3 * int(words[1])
        return shapes.loose(words[3:3 + vertices], [int(c) for c in words[3 + vertices:]])
    if way == "border" and shapes.grown(extents, cells) != cells:
        return shapes.mesh(shapes.cubes(shapes.grown(extents, cells)))
    if way == "thrice":
        return shapes.mesh(whole + whole + shapes.back(whole))
    if way in ("dots", "specks") and shapes.side_by_side(cells):
        size = 0.0625 if way == "dots" else 0.0078125
        return shapes.mesh([t for c in cells for t in shapes.block(c, 0.5 - size, 0.5 + size)])
    if way == "each" and shapes.side_by_side(cells):
        return shapes.mesh([t for c in cells for t in shapes.cubes({c})])
    if way == "bubble":
        return shapes.mesh(whole + shapes.block(first, 0.5625, 0.9375))
    if way == "hollow":
        return shapes.mesh(whole + shapes.back(shapes.block(first, 0.5625, 0.9375)))
    if way == "bubble-outside":
        return shapes.mesh(whole + shapes.block(last, 1.125, 1.4375))
    if way == "within":
        return shapes.mesh(whole + shapes.block(first, 0.25, 0.75))
    return None


def other_cell(asked, answer):
    """Where a step wrote: what was there before; a cell that is another one; beetles of another kind."""
    cells = [answer[0][i:i + 2] for i in range(0, len(answer[0]), 2)]
    before = [asked[5][i:i + 2] for i in range(0, len(asked[5]), 2)]
    if way == "byte":
        return ["".join(cells[:-1]) + ("00" if cells[-1] == "01" else "01")]
    if way == "before" and cells != before:
        return [asked[5]]
    if way == "dead" and any(int(c, 16) > 128 for c in cells) and asked[8] != "count":
        return ["".join(f"{int(c, 16) & 127:02x}" for c in cells)]
    if way == "shorter" and len(cells) > 1:
        return [answer[0][2:]]
    return None


def other_regions(asked, answer):
    """A cell that hangs told as loose; the last region forgotten; two regions that change places."""
    cells = [answer[0][i:i + 6] for i in range(0, len(answer[0]), 6)]
    last = max(cells)
    if way == "held" and "000000" in cells:
        k = cells.index("000000")
        return ["".join(cells[:k] + ["000001"] + cells[k + 1:])]
    if way == "less" and last > "000000":
        return ["".join("000000" if c == last else c for c in cells)]
    if way == "swapped" and last > "000001":
        return ["".join({"000001": "000002", "000002": "000001"}.get(c, c) for c in cells)]
    if way == "shorter" and len(cells) > 1:
        return [answer[0][6:]]
    return None


def other_water(answer):
    """No volume; another centre; one that is upside down. Of much water only: of little nobody asks for a centre."""
    volume, y = (struct.unpack(">f", bytes.fromhex(answer[k]))[0] for k in (1, 3))
    if way == "nan":
        return answer[:1] + ["7fc00000"] + answer[2:]
    if way == "dry" and volume > 0.5:
        return ["submerged"] + ["00000000"] * 4
    if way == "aside" and volume > 1:
        return answer[:2] + [more(answer[2], 0.5)] + answer[3:]
    if way == "upside-down" and volume > 1 and abs(y) > 0.25:
        return answer[:3] + [more(answer[3], -2 * y)] + answer[4:]
    return answer[:-1] if way == "shorter" else None


def other_contacts(asked, answer):
    """The first contact is told otherwise, of questions that have one which may not be missing."""
    count, words = int(answer[1]), answer[2:9]
    if count == 0 or " ".join(asked[2:]) not in must_touch:
        return None
    distance, *v = (shapes.number(w) for w in words)
    n, p = v[:3], v[3:]
    size = sum(abs(c) for c in p)
    turned = [n[0], 0.878 * n[1] - 0.479 * n[2], 0.479 * n[1] + 0.878 * n[2]] if abs(n[0]) < 0.8 else [0.878 * n[0] - 0.479 * n[1], 0.479 * n[0] + 0.878 * n[1], n[2]]
    told = {"nan": [float("nan")] + n + p, "tilted": [distance] + turned + p, "backwards": [distance] + [-c for c in n] + p, "long": [distance] + [2 * c for c in n] + p,
            "deeper": [distance - 0.3 * size] + n + p, "lifted": [distance] + n + [c + 0.3 * size * m for c, m in zip(p, n)]}
    if way in told:
        return answer[:2] + [shapes.word(c) for c in told[way]] + answer[9:]
    return {"none": ["manifold", "0"], "five": ["manifold", str(count + 4)] + answer[2:] + 4 * words, "shorter": answer[:-1],
            "turned": answer[:2] + [w for i in range(len(answer) - 7, 1, -7) for w in answer[i:i + 7]]}.get(way)  # the last is right


def flat(value):
    return [w for v in value for w in flat(v)] if isinstance(value, list) else [str(value)]


def what_must_touch():
    """Questions of contacts that may not be missing."""
    with open(os.environ["VOXPHYS_SOURCE"] + "/conformance/corpus/manifold.json", encoding="utf-8") as file:
        for v in json.load(file)["vectors"]:
            q = v["input"]
            if v["expected"].get("contacts"):
                yield " ".join(flat([len(q["vertices"]), len(q["triangles"]), q["vertices"], q["triangles"], len(q["points"]), q["points"], q["position"], q["rotation"], q["margin"], q["shape"]]))


def what_may_be_told():
    """Of each scene's question what is right told or not."""
    with open(os.environ["VOXPHYS_SOURCE"] + "/conformance/corpus/scene-query.json", encoding="utf-8") as file:
        for v in json.load(file)["vectors"]:
            q = v["input"]
            words = [len(q["spheres"]), q["spheres"], len(q["vertices"]), len(q["triangles"]), q["vertices"], q["triangles"], q["query"]]
            if isinstance(v["expected"], dict):
                yield " ".join(flat(words)), [tuple(flat([k])) for k in v["expected"].get("may_touch", v["expected"].get("may_pair", []))]


def spoil_scene(asked, answer):
    if answer[0] == "hit":
        return {"object": ["hit", str(int(answer[1]) + 1), "7f7fffff"], "nan": ["hit", answer[1], "7fc00000"], "far": ["hit", answer[1], "7f800000"]}.get(way)
    each, free = (2 if answer[0] == "pairs" else 1), may.get(" ".join(asked[2:]), [])
    told = [tuple(answer[i:i + each]) for i in range(2, len(answer), each)]
    objects = [str(i) for i in range(int(asked[2]) + int(asked[4 + 4 * int(asked[2])]))]
    needed = [t for t in told if t not in free]
    others = [t for t in combinations(objects, each) if t not in told + free]
    if way == "less" and needed:
        told.remove(needed[-1])
    elif way == "twice" and needed:
        told.append(needed[0])
    elif way == "more" and others:
        told.append(others[0])
    elif way == "turned" and each == 2 and told:  # which is right: the other one first
        told = [t[::-1] for t in told[::-1]]
    else:
        return None
    return [answer[0], str(len(told))] + [i for t in told for i in t]


def spoil_hulls(asked, answer):
    """Hulls of a decomposition, lists of vertices."""
    vertices, most, hulls, at = int(asked[2]), int(asked[-1]), [], 2
    place = [[shapes.number(w) for w in asked[4 + 3 * i:7 + 3 * i]] for i in range(vertices)]
    while at < len(answer):
        hulls.append(answer[at + 1:at + 1 + int(answer[at])])
        at += 1 + int(answer[at])
    used = sorted({v for hull in hulls for v in hull}, key=int)
    high = max(place[int(v)] for v in used)  # the furthest along x
    if way == "turned":  # which is right
        hulls = [hull[::-1] for hull in hulls[::-1]]
    elif way == "each":  # and these, if there may be as many
        if most != 0 or int(asked[3]) <= len(hulls):
            return None
        corners = asked[4 + 3 * vertices:-3]
        hulls = [list(dict.fromkeys(corners[i:i + 3])) for i in range(0, len(corners), 3)]
    elif way == "one-more":
        if most != len(hulls):
            return None
        hulls = hulls + hulls[:1]
    elif way == "all" and len(hulls) > 1 and most > 0:  # what it should not fill is filled
        hulls = [used]
    elif way == "filled" and len(hulls) > 1 and most == 0 and any(len(hull) > 7 for hull in hulls) and int(asked[3]) > len(hulls):
        hulls = hulls + [used]
    elif way == "less":
        hulls = [hull for hull in hulls if all(place[int(v)] != high for v in hull)]
    elif way == "cut" and high != min(place[int(v)] for v in used):  # a corner off
        hulls = [[v for v in hull if place[int(v)] != high] for hull in hulls]
        if [] in hulls:
            return None
    elif way == "twice":
        hulls[-1] = hulls[-1] + hulls[-1][:1]
    elif way == "inside" and len(hulls) == 1 and len(hulls[0]) > 3:
        hulls = [[str(v) for v in range(vertices)]]
        if int(asked[3]) != 14:  # of the cube with a dent one is inside; of others they are all on the surface
            return None
    elif way == "on-surface" and len(hulls) == 1 and most == 1 and int(asked[3]) == 64:  # which is right: a box with all that is on its sides
        hulls = [[str(v) for v in range(vertices)]]
    elif way == "beyond":
        hulls[0] = hulls[0][:-1] + [str(vertices)]
    elif way == "none":
        hulls[0] = []
    else:
        return None
    return ["hulls", str(len(hulls))] + [w for hull in hulls for w in [str(len(hull))] + hull]


def spoil_blocks(asked, answer):
    """Faces and boxes, rows of numbers."""
    each = 5 if answer[0] == "faces" else 8
    rows = [answer[i:i + each] for i in range(2, len(answer), each)]
    others = boxes_otherwise.rows(asked, (1, 2, 0)) if each == 8 else []
    if way in ("upwards", "otherwise"):  # boxes that grow along y first, which are right where any are
        if (asked[-1] == "any") != (way == "otherwise") or sorted(others) == sorted(rows):
            return None
        rows = others[::-1]
    elif way == "turned":  # which is right, but of boxes that have an order
        if len(rows) < 2 or asked[-1] == "greedy":
            return None
        rows = rows[::-1]
    elif way == "swapped":
        if len(rows) < 2 or asked[-1] != "greedy":
            return None
        rows = rows[1::-1] + rows[2:]
    elif not rows:
        if way != "from-nothing":
            return None
        rows = [["0"] * each]
    elif way == "less":
        rows = rows[:-1]
    elif way == "twice":
        rows = rows + rows[:1]
    elif way in ("last", "first", "size"):  # a bit of light or of an edge; another place; a longer box
        k = {"last": -1, "first": 0, "size": 3}[way]
        rows[-1] = [str(int(w) ^ 1) if i == k % each and way != "size" else str(int(w) + 1) if i == k and way == "size" else w for i, w in enumerate(rows[-1])]
    elif way == "beyond":
        rows[-1][6] = str(int(rows[-1][6]) ^ 3)
    elif way == "cut" and asked[-1] == "any":  # in two, with the sides of one
        long = next((r for r in rows if int(r[3]) > 1), None)
        if long is None or int(long[6]) & 15 == 5:
            return None
        rows = [r for r in rows if r is not long] + [long[:3] + ["1"] + long[4:], [str(int(long[0]) + 1)] + long[1:3] + [str(int(long[3]) - 1)] + long[4:]]
    else:
        return None
    return [answer[0], str(len(rows))] + [w for row in rows for w in row]


def spoil(family, asked, answer):
    """The answer made wrong, or None where this way has nothing to spoil."""
    if answer[0] == "refused":
        return None
    if way == "bit" and family == "dilation":
        return [("1" if answer[0][0] == "0" else "0") + answer[0][1:], answer[1]]
    if way == "classes" and family == "dilation" and answer[0] != answer[1]:
        return answer[::-1]
    if way == "word" and family == "overlap":
        return [{"none": "solid", "solid": "both", "water": "solid", "both": "water", "invalid": "none"}[answer[0]]]
    if way == "nan" and answer[0] == "hit":
        return answer[:-1] + ["7fc00000"]
    if way == "far" and answer[0] == "hit":
        return answer[:-1] + ["7f800000"]
    if way == "cell" and family == "grid-walk" and answer[0] == "hit":
        return ["hit", str(int(answer[1]) + 100)] + answer[2:]
    if way == "other" and family == "ray-mesh" and answer[0] == "hit":
        return ["hit", str(int(asked[3]) - 1 - int(answer[1])), "7f7fffff"]
    if family == "automaton-step":
        return other_cell(asked, answer)
    if family == "regions":
        return other_regions(asked, answer)
    if family == "buoyancy":
        return other_water(answer)
    if family == "manifold":
        return other_contacts(asked, answer)
    if family in ("faces", "boxes"):
        return spoil_blocks(asked, answer)
    if family == "scene-query":
        return spoil_scene(asked, answer)
    if family == "decompose":
        return spoil_hulls(asked, answer)
    if way == "less" and family == "aabb-gather" and answer[1] != "0":
        return ["set", str(int(answer[1]) - 1)] + answer[3:]
    if way == "twice" and family == "aabb-gather" and answer[1] != "0":
        return ["set", str(int(answer[1]) + 1)] + answer[2:] + answer[2:3]
    if way == "less" and family == "hull2" and int(answer[1]) > 2:
        return ["hull", str(int(answer[1]) - 1)] + answer[3:]
    if way == "back" and family == "hull2" and int(answer[1]) > 2:
        return answer[:2] + answer[:1:-1]
    if way == "flat" and family == "hull3" and answer[0] == "hull":
        return ["flat"]
    if family == "hull2" and way in ("part", "crossed") and int(answer[1]) > 3:
        corners = answer[2:]
        if way == "crossed":
            return answer[:2] + [corners[0], corners[2], corners[1]] + corners[3:]
        place = [[shapes.number(w) for w in asked[3 + 2 * int(c):5 + 2 * int(c)]] for c in corners]
        shorter = any(max(side) - min(side) < 0.999 * (max(whole) - min(whole)) for side, whole in zip(zip(*place[:3]), zip(*place)))
        return ["hull", "3"] + corners[2::-1] if shorter else None
    if family == "hull3":
        made = spoil_hull(asked, answer)
        if made is not None:
            return made
    if family == "mesher":
        made = spoil_surface(asked)
        if made is not None:
            return made
    begin = triangles(answer) if family in ("hull3", "mesher") else None
    if begin is None:
        return None
    head, corners = answer[:begin], answer[begin:]
    if way == "less":
        head[-1 if family == "hull3" else 2] = str(len(corners) // 3 - 1)
        return head + corners[3:]
    if way == "back":
        return head + [c for i in range(0, len(corners), 3) for c in (corners[i], corners[i + 2], corners[i + 1])]
    if way == "twice":
        head[-1 if family == "hull3" else 2] = str(len(corners) // 3 * 2)
        return head + corners * 2
    if way == "moved" and family == "mesher":
        vertices, _ = mesh(answer)
        return head[:3] + [more(v, 1.0) if i % 3 == 0 else v for i, v in enumerate(vertices)] + corners
    if way == "inner" and family == "hull3" and len(corners) > 12:  # a hull of four points alone
        a, b, c = corners[:3]
        d = next((x for x in corners if x not in (a, b, c)), None)
        return ["hull", "4", a, b, c, a, d, b, b, d, c, c, d, a]
    return None


may = dict(what_may_be_told())
must_touch = set(what_must_touch())
for line in sys.stdin:
    asked = line.split()
    if asked[0] == "hello":
        print("hello 1 spoiled 1\n" + honest.stdout.readline().strip() if ask(line)[0] == "hello" else "", flush=True)
        continue
    answer = ask(line)
    spoiled = spoil(asked[1], asked, answer[1:])
    if spoiled is not None:
        log.write(asked[0] + "\n")
        log.flush()
    print(asked[0], *(spoiled if spoiled is not None else answer[1:]), flush=True)
