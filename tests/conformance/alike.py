# SPDX-License-Identifier: MIT
"""alike.py: an adapter that answers right, and with other words than `voxphys adapter` wherever there are any: sets, triangles and hulls in another order,
polygons from another corner on, contacts in another order, surfaces whose triangles have vertices of their own, of triangles that a ray meets together the last one, of one
that it meets at an edge none, boxes that grow along y first, t as the exact one rounded up, volumes and centres too, a refusal for what is flat or no question at all."""
import os
import struct
import subprocess
import sys
from fractions import Fraction

sys.path.insert(0, os.environ["VOXPHYS_SOURCE"] + "/conformance/corpus/make")
sys.dont_write_bytecode = True
import rays  # noqa: E402  exact arithmetic
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import boxes_otherwise  # noqa: E402

honest = subprocess.Popen(["voxphys", "adapter", "--isa", "scalar"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(line):
    honest.stdin.write(line)
    honest.stdin.flush()
    return honest.stdout.readline().split()


def up(word):
    return f"{int(word, 16) + 1:08x}"


def exact(words):
    return [Fraction(struct.unpack(">f", bytes.fromhex(w))[0]) for w in words]


def threes(words):
    return [words[i:i + 3] for i in range(0, len(words), 3)]


def turned(triangles):
    """In another order, and each from another corner on."""
    return [x for t in triangles[::-1] for x in t[1:] + t[:1]]


def meets(asked, said):
    """What a ray meets at the same time, by exact arithmetic; at an edge of one triangle nothing."""
    if asked[1] == "ray-triangle":
        corners, ray = [threes(asked[2:11])], asked[11:]
    else:
        vertices, triangles = int(asked[2]), int(asked[3])
        place, rest = threes(asked[4:4 + 3 * vertices]), asked[4 + 3 * vertices:]
        corners, ray = [[place[int(i)] for i in t] for t in threes(rest[:3 * triangles])], rest[3 * triangles:]
    o, d = exact(ray[:3]), exact(ray[3:6])
    mesh = [[exact(c) for c in t] for t in corners]
    hits = rays.all_hits(o, d, mesh)
    nearest = [n for t, n in hits if t == min(hits)[0]]
    if not nearest or min(hits)[0] == 0:
        return said
    if asked[1] == "ray-mesh":
        return ["hit", str(nearest[-1]), up(said[-1])]
    a, b, c = ([x - y for x, y in zip(p, o)] for p in mesh[0])
    at_edge = any(rays.dot(d, rays.cross(p, q)) == 0 for p, q in ((a, b), (b, c), (c, a)))
    return ["none"] if at_edge else ["hit", up(said[-1])]


def other(asked, said):
    family = asked[1]
    if said[0] in ("refused", "none"):
        return ["none"] if family.startswith(("ray-", "grid-")) else said
    if said[0] == "set":
        return said[:2] + said[:1:-1]
    if said[0] == "pairs":
        return said[:2] + said[:1:-1]  # the other one first
    if said[0] == "faces":
        return said[:2] + [w for i in range(len(said) - 5, 1, -5) for w in said[i:i + 5]]
    if said[0] == "boxes" and asked[-1] == "any":
        boxes = boxes_otherwise.rows(asked, (1, 2, 0))[::-1]
        return ["boxes", str(len(boxes))] + [w for box in boxes for w in box]
    if said[0] == "hulls":
        hulls, at = [], 2
        while at < len(said):
            hulls.append(said[at:at + 1] + said[at + int(said[at]):at:-1])
            at += 1 + int(said[at])
        return said[:2] + [w for hull in hulls[::-1] for w in hull]
    if family == "buoyancy":
        return said[:1] + [up(w) for w in said[1:]]
    if said[0] == "manifold":
        return said[:2] + [w for i in range(len(said) - 7, 1, -7) for w in [up(said[i])] + said[i + 1:i + 7]]
    if family == "scene-query":
        return said[:-1] + [up(said[-1])]
    if family == "hull2":
        return said[:2] + said[3:] + said[2:3]
    if said[0] in ("flat", "invalid"):
        return ["refused", "it", "is", said[0]]
    if family == "hull3":
        return said[:2] + turned(threes(said[2:]))
    if family == "mesher" and int(said[2]) > 0:
        vertex, corner = threes(said[3:3 + 3 * int(said[1])]), turned(threes(said[3 + 3 * int(said[1]):]))
        return ["mesh", str(len(corner)), said[2]] + [x for c in corner for x in vertex[int(c)]] + [str(i) for i in range(len(corner))]
    if family == "grid-walk":
        return said[:-1] + [up(said[-1])]
    return meets(asked, said) if family.startswith("ray-") else said


for line in sys.stdin:
    words = line.split()
    answer = ask(line)
    if words[0] == "hello":
        print("hello 1 alike 1\n" + honest.stdout.readline().strip(), flush=True)
    else:
        print(answer[0], *other(words, answer[1:]), flush=True)
