# SPDX-License-Identifier: MIT
"""Programs for the test of `voxphys reduce`. They ask `voxphys adapter --isa scalar` and change its answers.

adapters.py fail WAY: an adapter that answers wrong in this way.
adapters.py alike: an adapter whose answers are right, in other words wherever that is possible.
adapters.py failures: prints FAMILY NUMBER WAY VECTOR ORACLE OPTION... for each failure to reduce. ORACLE is fast, slow, or none if the reduced
    question is not made into a vector.
adapters.py alikes: prints the vectors that `alike` is asked.
adapters.py left NUMBER RESULT VECTOR: fails unless that much is left of a failure."""
import json
import os
import struct
import subprocess
import sys
import time
from fractions import Fraction

sys.dont_write_bytecode = True
sys.path.append(os.environ["VOXPHYS_SOURCE"] + "/conformance/corpus/make")  # definitions of the corpus' makers

import blocks  # noqa: E402
import rays  # noqa: E402
from corpus import number  # noqa: E402


def word(value):
    return struct.pack(">f", value).hex()


def up(text):
    """The next number away from 0."""
    return f"{int(text, 16) + 1:08x}"


def rows(words, each):
    return [words[i:i + each] for i in range(0, len(words), each)]


def listed(name, each):
    """An answer that counts its rows."""
    return [name, str(len(each))] + [w for row in each for w in row]


def split_hulls(said):
    """The hulls of a decomposition, each with its vertices."""
    hulls, at = [], 2
    while at < len(said):
        hulls.append(said[at:at + 1 + int(said[at])])
        at += len(hulls[-1])
    return hulls


# ---- wrong answers ----

def crash(asked, said):
    if int(asked[3]) > 2:
        sys.exit(3)
    return said


def hang(asked, said):
    if int(asked[2]) > 4:
        time.sleep(3600)
    return said


def flip_bit(asked, said):
    columns = int(asked[2])
    return [str(1 - int(said[0][0])) + said[0][1:], said[1]] if "#" in asked[5][7::columns] else said


def fill_hole(asked, said):
    return [said[0], said[1], str(int(said[2]) - 1)] + said[3:-3] if asked[5].count("ff") >= 2 else said


def refuse_full(asked, said):
    cells = asked[5]
    return ["refused", "for", "once"] if cells.count("00") < len(cells) // 2 and len(cells) % 4 == 0 else said


def turn_normal(asked, said):
    return said[:3] + [f"{int(w, 16) ^ 0x80000000:08x}" for w in said[3:6]] + said[6:] if said[0] == "manifold" and int(said[1]) and number(said[2]) < 0 else said


def add_ulps(count):
    return lambda asked, said: said[:-1] + [f"{int(said[-1], 16) + count:08x}"] if said[0] == "hit" else said


def is_count(said, least):
    return said[1:] and said[1].isdigit() and int(said[1]) >= least


def is_late(said):
    return said[0] == "hit" and number(said[1]) >= 0.25


WRONG = {
    "crash": crash, "hang": hang, "column": flip_bit, "hole": fill_hole, "full": refuse_full, "behind": turn_normal, "late25": add_ulps(25), "late1000": add_ulps(1000),
    "less": lambda asked, said: ["set", str(int(said[1]) - 1)] + said[3:] if is_count(said, 4) else said,
    "alive": lambda asked, said: [said[0].replace("83", "03")] if said[0].count("83") > 1 else said,
    "covered": lambda asked, said: said[:8] + [str(int(said[8]) ^ 3)] + said[9:] if said[0] == "boxes" and is_count(said, 3) else said,
    "dark": lambda asked, said: said[:-1] + [str(int(said[-1]) ^ 1)] if said[0] == "faces" and is_count(said, 13) else said,
    "dry": lambda asked, said: ["submerged"] + ["00000000"] * 4 if said[0] == "submerged" and number(said[1]) > 0.25 else said,
    "missed": lambda asked, said: ["none"] if is_late(said) else said,
    "through": lambda asked, said: said[:1] + [word(number(said[1]) + 0.1)] + said[2:] if is_late(said) else said,
    "filled": lambda asked, said: listed("hulls", [[asked[2]] + [str(v) for v in range(int(asked[2]))]]) if said[0] == "hulls" and is_count(said, 2) else said,
    "cell": lambda asked, said: ["hit", str(int(said[1]) - 1)] + said[2:] if said[0] == "hit" and int(said[1]) > 3 else said,
    "drop": lambda asked, said: ["hull", str(int(said[1]) - 1)] + said[3:] if is_count(said, 5) else said,
    "far": lambda asked, said: ["flat"] if said[0] == "hull" and any(number(w) > 5 for w in asked[3::3]) else said,
    "open": lambda asked, said: ["hull", str(int(said[1]) - 1)] + said[5:] if said[0] == "hull" and is_count(said, 6) else said,
    "long": lambda asked, said: said[:-1] + [word(1 + number(said[-1]))] if said[0] == "hit" and number(said[-1]) > 0.25 else said,
    "zero": lambda asked, said: ["none"] if number(asked[14]) == 0 and said[0] == "hit" else said,
    "hung": lambda asked, said: ["0" * len(said[0])],
    "unseen": lambda asked, said: ["set", str(len(said) - 3)] + said[3:] if said[0] == "set" and is_count(said, 3) else said,
    "apart": lambda asked, said: ["pairs", "0"] if said[0] == "pairs" and is_count(said, 2) else said,
    "beyond": lambda asked, said: ["none"] if said[0] == "hit" and number(said[-1]) > 1 else said,
    "farther": lambda asked, said: said[:1] + [word(number(said[1]) + 0.25)] + said[2:] if said[0] == "apart" and number(said[1]) > 0.25 else said,
}

# FAMILY WAY VECTOR ORACLE OPTION..., and what must be left of the question: of the printed result and of the input
FAILURES = [
    ("aabb-gather crash hills-0 fast", lambda r, v: r["parts"] == 3 and "nothing, and ends" in r["failure"]),
    ("aabb-gather less all fast", lambda r, v: r["parts"] == 4),
    ("automaton-step alive act-random-3 none", lambda r, v: r["parts"] <= 4 and r["parts_before"] > 40 and v["rule"] == "act" and v["steps"] == 7 and len(v["outputs"]) > 4 and "seed" not in v),
    ("boxes covered random-2 fast", lambda r, v: r["parts"] == 3),
    ("boxes covered any-hills fast", lambda r, v: r["parts"] == 3 and v["merging"] == "any"),
    ("buoyancy dry sphere-pools fast", lambda r, v: r["parts"] == 1 and r["parts_before"] > 200 and v["shape"][0] == "sphere" and len(v["shape"]) == 2 and v["points"] == []),
    ("cast missed box-hills slow", lambda r, v: r["parts"] < r["parts_before"] and len(v["triangles"]) <= 2),
    ("cast through hull-box slow", lambda r, v: r["parts"] < r["parts_before"]),
    ("decompose filled l fast", lambda r, v: r["parts"] <= 6 and r["parts_before"] == 44),
    ("dilation column random-0 fast", lambda r, v: r["parts"] == 1 and r["parts_before"] > 100 and v["extents"] == [8, 1, 1] and v["cells"] == ".......#"),
    ("faces dark random-2 fast", lambda r, v: r["parts"] == 3 and r["parts_before"] > 10 and v["edge"] == 4 and len(v["types"]) <= 24),
    ("grid-walk cell axis-x fast", lambda r, v: r["parts"] == 1),
    ("hull2 hang edges fast --limit 0.5", lambda r, v: r["parts"] == 5 and r["parts_before"] == 8 and "nothing in time" in r["failure"]),
    ("hull2 drop circle fast", lambda r, v: r["parts"] == 5 and r["parts_before"] == 20),
    ("hull3 far sphere slow", lambda r, v: r["parts"] == 4 and r["parts_before"] > 20 and r["complete"] and r["family"] == "hull3" and "answers flat, " in r["failure"]
     and 5 < max(number(w) for p in v["points"] for w in p) <= 8),
    ("hull3 open sphere slow", lambda r, v: r["parts"] == 5),
    ("manifold behind box-rest fast", lambda r, v: r["parts"] == 1 and r["parts_before"] == 32),
    ("mesher full full fast", lambda r, v: r["parts"] <= 3 and r["parts_before"] == 64),
    ("mesher hole ball fast", lambda r, v: r["parts"] == 2),
    ("ray-mesh long hills-3 slow", lambda r, v: r["parts"] == 1 and r["parts_before"] == 128 and len(v["vertices"]) == 3),
    ("ray-triangle zero front none", lambda r, v: True),
    ("regions hung caves-0-bottom fast", lambda r, v: r["parts"] == 1 and r["parts_before"] > 200 and v["anchors"] == "bottom"),
    ("scene-query unseen random-sphere none", lambda r, v: r["parts"] == 3 and r["parts_before"] == 40 and v["query"][0] == "sphere" and len(v["query"]) == 5),
    ("scene-query apart random-pairs none", lambda r, v: r["parts"] in (3, 4)),
    ("scene-query beyond random-ray none", lambda r, v: r["parts"] == 1),
    ("shape-shape farther hull-hull-apart fast", lambda r, v: r["parts"] < r["parts_before"]),
]


# ---- right answers in other words ----

def met(ray, corners):
    """The triangles that a ray meets first by exact arithmetic, none if it meets them at once."""
    def exact(words):
        return [Fraction(number(w)) for w in words]

    mesh = [[exact(c) for c in t] for t in corners]
    hits = rays.all_hits(exact(ray[:3]), exact(ray[3:6]), mesh)
    return [n for t, n in hits if t == min(hits)[0]] if hits and min(hits)[0] != 0 else []


def miss_edge(asked, said):
    """A ray through an edge may also miss. Otherwise t is rounded up."""
    corners = rows(asked[2:11], 3)
    if said[0] != "hit" or not met(asked[11:], [corners]):
        return said
    o, d, *places = ([Fraction(number(w)) for w in p] for p in [asked[11:14], asked[14:17]] + corners)
    a, b, c = ([x - y for x, y in zip(p, o)] for p in places)
    return ["none"] if any(rays.dot(d, rays.cross(p, q)) == 0 for p, q in ((a, b), (b, c), (c, a))) else ["hit", up(said[-1])]


def last_met(asked, said):
    """Of triangles that are met together, the last one."""
    vertices, triangles = int(asked[2]), int(asked[3])
    place, rest = rows(asked[4:4 + 3 * vertices], 3), asked[4 + 3 * vertices:]
    nearest = met(rest[3 * triangles:], [[place[int(i)] for i in t] for t in rows(rest[:3 * triangles], 3)]) if said[0] == "hit" else []
    return ["hit", str(nearest[-1]), up(said[-1])] if nearest else said


def grow_upwards(asked, said):
    """Boxes that grow along y first, by the definitions of the corpus' makers."""
    if asked[-1] != "any":
        return said
    chunk = blocks.Chunk.of({"extents": list(map(int, asked[2:5])), "first": list(map(int, asked[5:8])), "types": asked[8], "edge": int(asked[10]), "is": list(map(int, asked[11:-1]))})
    return listed("boxes", [[str(v) for v in row] for row in blocks.told(chunk, blocks.merged(chunk, (1, 2, 0)))][::-1])


def loosen(asked, said):
    """A mesh whose triangles have vertices of their own, in another order and from another corner on."""
    vertex, corner = rows(said[3:3 + 3 * int(said[1])], 3), turn_triangles(said[3 + 3 * int(said[1]):])
    return ["mesh", str(len(corner)), said[2]] + [x for c in corner for x in vertex[int(c)]] + [str(i) for i in range(len(corner))] if corner else said


def turn_triangles(corners):
    return [x for t in rows(corners, 3)[::-1] for x in t[1:] + t[:1]]


def reverse_rows(each):
    return lambda asked, said: listed(said[0], rows(said[2:], each)[::-1])


def round_up(asked, said):
    """Numbers that are a rounding larger. The t of a cast stays."""
    return said[:2] + [up(w) for w in said[2:]] if asked[1] == "cast" else said[:1] + [up(w) for w in said[1:]]


RIGHT = {
    "aabb-gather": reverse_rows(1), "faces": reverse_rows(5), "boxes": grow_upwards, "mesher": loosen, "ray-triangle": miss_edge, "ray-mesh": last_met,
    "buoyancy": round_up, "cast": round_up, "shape-shape": round_up,
    "grid-walk": lambda asked, said: said[:-1] + [up(said[-1])] if said[0] == "hit" else ["none"],
    "hull2": lambda asked, said: said[:2] + said[3:] + said[2:3],
    "hull3": lambda asked, said: said[:2] + turn_triangles(said[2:]),
    "manifold": lambda asked, said: listed("manifold", [[up(row[0])] + row[1:] for row in rows(said[2:], 7)[::-1]]),
    "decompose": lambda asked, said: listed("hulls", [[h[0]] + h[:0:-1] for h in split_hulls(said)[::-1]]),
    "scene-query": lambda asked, said: said[:2] + said[:1:-1] if said[0] in ("set", "pairs") else said[:-1] + [up(said[-1])] if said[0] == "hit" else said,
}
ALIKE = """aabb-gather/hills-0 automaton-step/meet-many automaton-step/invalid-type boxes/hills boxes/any-hills boxes/any-crossing boxes/invalid-any
buoyancy/hull-pools buoyancy/box-axes-1 buoyancy/invalid-nan cast/box-hull cast/sphere-slide cast/invalid-nan decompose/u decompose/invalid-nan faces/hills
faces/invalid-bits grid-walk/corner-all grid-walk/invalid-zero hull2/circle hull2/none hull3/cube-turned hull3/flat-tilted manifold/hull-groove
manifold/box-rest manifold/invalid-nan mesher/checkerboard overlap/nan-min-x ray-mesh/corner-3 ray-mesh/ball-edge-4 ray-mesh/same ray-triangle/edge-bc
regions/caves-0-border scene-query/hills-sphere scene-query/hills-pairs scene-query/same-ray scene-query/touch-at-ray scene-query/invalid-ray
shape-shape/box-box-rest shape-shape/hull-hull-shallow shape-shape/invalid-nan"""


def other_words(asked, said):
    if said[0] in ("flat", "invalid"):
        return ["refused", "it", "is", said[0]]
    if said[0] == "refused":
        return ["none"] if asked[1].startswith(("ray-", "grid-")) else said
    return RIGHT.get(asked[1], lambda asked, said: said)(asked, said)


def serve(kind, change):
    trusted = subprocess.Popen(["voxphys", "adapter", "--isa", "scalar"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for line in sys.stdin:
        trusted.stdin.write(line)
        trusted.stdin.flush()
        asked, said = line.split(), trusted.stdout.readline().split()
        if asked[0] == "hello":
            print(f"hello 1 {kind} 1\n" + trusted.stdout.readline().strip(), flush=True)
        else:
            print(asked[0], *change(asked, said[1:]), flush=True)


if __name__ == "__main__":
    do, *arguments = sys.argv[1:]
    if do == "fail":
        serve(do, WRONG[arguments[0]])
    elif do == "alike":
        serve(do, other_words)
    elif do == "alikes":
        print(*ALIKE.split(), sep="\n")
    elif do == "failures":
        for k, (text, _) in enumerate(FAILURES):
            family, way, vector, *rest = text.split()
            print(family, k, way, f"{family}/{vector}", *rest)
    elif do == "left":
        result, vector = (json.load(open(path, encoding="utf-8")) for path in arguments[1:])
        if not FAILURES[int(arguments[0])][1](result, vector["input"]):
            sys.exit(f"{FAILURES[int(arguments[0])][0]}: {json.dumps(result)}\n{json.dumps(vector)}")
