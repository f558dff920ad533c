# SPDX-License-Identifier: MIT
"""The family cast: a convex shape moves along a line until it hits triangles, or another shape. The signed distance of the shape and each obstacle is convex along the way.
Newton's method finds where it falls to the tolerance, and to minus the tolerance. The distances are those of distances.py."""
from fractions import Fraction
from itertools import product
from math import sqrt

from corpus import INF, NAN, above, below, bits, exact, family, is_finite, nearest, number
from distances import crossing, data_of, signed_distance, triangle_of
from manifolds import BLOCK, FLAT, GROOVE, PYRAMID, STEP, TRIANGLE, Mesh, block, hills, spread
from members import BITS, MESH, PLACE, POINTS, RANGE, REFUSED, one_of, some_of, text_of
from pairs import LEANING, LYING, STEEP, TILTED, placed, shape, tidy
from vectors import dot, less
from waters import KINDS, POSE, SHAPE, is_shape_sound

STEP_OF_TOLERANCE = 2.0**-21


TARGET = {"other_points": POINTS["points"], **{f"other_{name}": schema for name, schema in POSE.items()},
          "other_shape": {**SHAPE["shape"], "items": [text_of("(sphere|capsule|box|cylinder|hull|none)")]}}


def is_sound(d):
    if not is_finite([d["translation"], d["vertices"]]) or not is_shape_sound(d):
        return False
    if d["other_shape"] == ["none"]:
        return d["other_points"] == []
    return d["triangles"] == [] and is_shape_sound(d, "other_")


def obstacles(d, start):
    """Convex obstacles relative to the start, and the largest distance of their points from it."""
    if d["other_shape"] != ["none"]:
        other, at = data_of(d, "other_")
        away = tuple(float(v) for v in less(at, start))
        return [other.moved(away)], other.size() + sqrt(dot(away, away))
    corners = [tuple(float(v) for v in less([exact(w) for w in p], start)) for p in d["vertices"]]
    return [triangle_of([corners[i] for i in t]) for t in d["triangles"]], max([sqrt(dot(c, c)) for c in corners], default=0.0)


def is_beside(mover, way, obstacle, within):
    """Whether the boxes around the obstacle and around the whole way are apart."""
    (low, high), (least, most) = mover.box(), obstacle.box()
    return any(l + min(0.0, w) > m + 2 * within or h + max(0.0, w) < n - 2 * within for l, h, w, n, m in zip(low, high, way, least, most))


def expected(d):
    """(promise, what is expected)"""
    if not is_sound(d):
        return "exact", {"refused": True}
    mover, start = data_of(d)
    way = tuple(number(w) for w in d["translation"])
    if mover.size() == 0.0:
        return "exact", {"refused": True}
    every, far = obstacles(d, start)
    within = 6 * STEP_OF_TOLERANCE * (mover.size() + max(abs(float(v)) for v in start)) + 1e-6 * far + 2.0**-22 * sqrt(dot(way, way))
    words, low, high = set(), None, None
    for obstacle in every:
        if is_beside(mover, way, obstacle, within):
            continue
        begun, _ = signed_distance(mover, obstacle)
        if begun < -within:
            return "property", {"checker": "cast", "words": ["inside"], "within": tidy(within)}
        if begun < -within / 4:
            words.add("inside")
        touches = crossing(mover, obstacle, way, within)
        if touches is None:
            continue
        low = touches if low is None else min(low, touches)
        # the first time that it is as deep in the obstacle
        goes_in = crossing(mover, obstacle, way, -within, touches)
        if goes_in is not None:
            high = goes_in if high is None else min(high, goes_in)
    if high is None:
        words.add("none")
    said = {"checker": "cast", "words": sorted(words, reverse=True)}
    if low is not None:
        said["t"] = [bits(below(Fraction(low))), bits(min(1.0, above(Fraction(high if high is not None else 1.0))))]
    return "property", {**said, "within": tidy(within)}


NOTHING = Mesh()
FLOOR = Mesh([(-8, 0, -8), (-8, 0, 8), (8, 0, 8), (8, 0, -8)], [[0, 1, 2], [0, 2, 3]])


def blocks_around(full):
    """The faces of unit blocks that no other block covers, two triangles each. The lowest layer has no face below."""
    number_of, triangles = {}, []
    bottom = min(y for _, y, _ in full)
    for cell, axis, side in product(sorted(full), range(3), (0, 1)):
        if tuple(c + (2 * side - 1 if k == axis else 0) for k, c in enumerate(cell)) in full or (axis == 1 and not side and cell[1] == bottom):
            continue
        turns = ((0, 0), (1, 0), (1, 1), (0, 1)) if side else ((0, 0), (0, 1), (1, 1), (1, 0))
        places = [tuple(c + {axis: side, (axis + 1) % 3: u, (axis + 2) % 3: v}[k] for k, c in enumerate(cell)) for u, v in turns]
        n = [number_of.setdefault(p, len(number_of)) for p in places]
        triangles += [[n[0], n[1], n[2]], [n[0], n[2], n[3]]]
    return Mesh(number_of, triangles)


def net_around(fullness, low, high):
    """A surface net around voxels that are more than half full: a vertex in each cube of eight centres, four around each pair of a full voxel and another one."""
    cells = {c: fullness(*c) for c in product(*(range(a, b) for a, b in zip(low, high)))}
    full = {c for c, f in cells.items() if f > 0.5}
    vertices, number_of, triangles = [], {}, []

    def vertex(cube):
        """Cube c has the centres c and c + 1. The vertex is in the middle of the crossings of its edges."""
        if cube not in number_of:
            crossings = []
            for axis, u, v in product(range(3), (0, 1), (0, 1)):
                one = tuple(cube[k] + {axis: 0, (axis + 1) % 3: u, (axis + 2) % 3: v}[k] for k in range(3))
                two = tuple(c + (k == axis) for k, c in enumerate(one))
                a, b = cells.get(one, 0.0), cells.get(two, 0.0)
                if (one in full) != (two in full):
                    crossings.append([c + 0.5 + ((0.5 - a) / (b - a) if k == axis else 0.0) for k, c in enumerate(one)])
            number_of[cube] = len(vertices)
            vertices.append(tuple(round(64 * sum(c[k] for c in crossings) / len(crossings)) / 64 for k in range(3)))
        return number_of[cube]

    for cell, axis, side in product(sorted(full), range(3), (0, 1)):
        beside = tuple(c + (2 * side - 1 if k == axis else 0) for k, c in enumerate(cell))
        if beside in full:
            continue
        base = min(cell, beside)
        turns = ((0, 0), (1, 0), (1, 1), (0, 1)) if side else ((0, 0), (0, 1), (1, 1), (1, 0))
        a, b, c, d = (vertex(tuple(base[k] - {axis: 0, (axis + 1) % 3: 1 - u, (axis + 2) % 3: 1 - v}[k] for k in range(3))) for u, v in turns)
        triangles += [[a, b, c], [a, c, d]]
    return Mesh(vertices, triangles)


def ground(low, high, top=0):
    return set(product(range(low, high), (top - 1,), range(low, high)))


PIT = ground(-1, 2) - {(0, -1, 0)} | {(0, -2, 0)}
STAIRS = {(x, y, z) for x, z in product(range(-2, 2), range(-1, 1)) for y in range(-1, max(0, x + 1))}
ROOM = ground(-1, 1) | ground(-1, 1, 4) | set(product((-2,), range(0, 3), range(-1, 1)))
GAP = ground(-1, 2) | {(0, 0, 0), (1, 0, 1)}  # two blocks that share an edge
# ground with a wall, and an overhang at it
WORLD = net_around(lambda x, y, z: 1.0 if y == 3 and x > 0 else min(1.0, max(0.0, 1.25 - y + ((5 * x + 3 * z) % 7) / 8 + (2.0 if x == 2 else 0.0))), (-2, 0, -1), (3, 4, 2))


@family("cast", "Shapes that move until they meet something",
        "A mesh or another shape, and a convex shape that moves along a line: its position, its rotation, which it keeps, and its translation. Shapes are those of 'shape-shape'. Triangles have two sides and no inside. 'other_shape' is "
        "'none' if there is a mesh. The other pose is ignored then. Where is the first hit? A hit is where the shape begins to be pressed into an obstacle. A shape that touches a surface at the start, slides along it or leaves it does "
        "not hit that surface.",
        "'none', 'inside' if the shape overlaps an obstacle at the start, or 'hit', t, the normal and a contact point. t is from 0 to 1 of the translation. The normal has length 1 and leads to the moving shape. At t the two touch, a plane across the normal "
        "parts them, and the rest of the way leads into it. The point is on both, relative to the position at the start, along the world's axes. Where several normals or points are right, any will do. `within` is the tolerance of a distance, the sum of three parts: 6 * 2^-21 "
        "of the shape's radius plus its largest coordinate at the start, 1e-6 of the largest distance of an obstacle's point from there, and 2^-22 of the translation. The range of `t` begins where the distance falls to `within`, and ends where the depth reaches it. "
        "`words` lists 'none' and 'inside' where they are right.",
        {"mesh": "against triangles", "shape": "against another shape", "miss": "nothing is hit", "inside": "it begins inside", "resting": "it touches at the start", "along": "it moves along a surface", "grazing": "it passes by, or hits by little",
         "edge": "at an edge or a corner", "long": "the way is long", "still": "it doesn't move", "back": "from behind", "needle": "a triangle that is very thin, or has no area", "tiny": "everything is very small", "scales": "very large, or one is much larger than the other",
         "far": "far from the origin", "turned": "it is turned", "blocks": "the mesh is the surface of a world of blocks", "terrain": "the mesh is the surface of a voxel terrain", "invalid": "no shape, no place or no way, or a mesh and a shape"},
        promises=["property", "exact"],
        input={**MESH, **POINTS, **POSE, "translation": PLACE, **SHAPE, **TARGET},
        answers=[{"checker": one_of("cast"), "words": {"type": "array", "uniqueItems": True, "items": one_of("none", "inside"), "description": "Words that are right."}, "t?": RANGE,
                  "within": {"type": "number", "minimum": 0, "description": "The tolerance of a distance."}}, REFUSED])
def cast(f):
    def ask(name, about, data, flags, cites=(), wanted=None):
        promise, said = expected(data)
        found = "none" if "t" not in said else "tie" if said["words"] else "hit"
        found = "inside" if said.get("words") == ["inside"] else found
        if wanted is not None and "refused" not in said and found != wanted:
            raise ValueError(f"cast/{name} is {said}, and not {wanted}")
        f.add(name, about, promise, data, said, sorted(set(flags)), cites)

    def add_to(name, about, target, kind, position, way, quaternion=(0, 0, 0, 1), flags=(), cites=(), lengths=(), size=1.0, wanted="hit", hull=None, change=()):
        """A target is a mesh, or the members of a shape with its pose."""
        is_mesh = isinstance(target, Mesh)
        other = placed({"points": [], "shape": ["none"]}) if is_mesh else target
        data = {**(target if is_mesh else NOTHING).json(), **placed(shape(kind, *lengths, size=size, hull=hull), position, quaternion), "translation": [bits(nearest(v)) for v in way],
                **{"other_" + k: v for k, v in other.items()}, **dict(change)}
        turned = ["turned"] if tuple(quaternion)[:3] != (0, 0, 0) else []
        ask(name, about, data, list(flags) + turned + ["mesh" if is_mesh else "shape"] + (["miss"] if wanted == "none" else ["inside"] if wanted == "inside" else []), cites, wanted)

    def body(kind, *lengths, position=(0, 0, 0), quaternion=(0, 0, 0, 1), size=1.0, hull=None):
        return placed(shape(kind, *lengths, size=size, hull=hull), position, quaternion)

    for k1, k2 in product(KINDS, repeat=2):
        add_to(f"{k1}-{k2}", "obliquely, both turned", body(k2, quaternion=LEANING), k1, (3.5, 2.25, -0.5), (-5, -3, 0.5), TILTED)
    for kind in KINDS:
        add_to(f"{kind}-face", "at the inside of a triangle", TRIANGLE, kind, (-2, 3, -1.5), (1, -4, 0.5), TILTED)
        add_to(f"{kind}-edge", "at the edge of a triangle, from the side", TRIANGLE, kind, (-7, 0.125, 0.5), (4, -0.25, 0.25), STEEP, ["edge"])
        add_to(f"{kind}-corner", "at a corner of a triangle", TRIANGLE, kind, (-6.5, 0.25, -6.5), (4, -0.25, 4.125), TILTED, ["edge"])
        add_to(f"{kind}-behind", "at a triangle from behind", TRIANGLE, kind, (-1, -3, -1), (0.25, 5, 0), LEANING, ["back"])
        add_to(f"{kind}-in-shape", "it begins in another shape", body("box", quaternion=LEANING), kind, (0.5, 0.25, 0), (2, 0, 0), TILTED, wanted="inside")
        add_to(f"{kind}-in-mesh", "it begins across a triangle", TRIANGLE, kind, (-1, 0.125, -1), (0, 2, 0), TILTED, wanted="inside")
        add_to(f"{kind}-short", "the way ends before", body("cylinder", quaternion=LEANING), kind, (3.5, 2.25, -0.5), (-0.5, -0.25, 0), TILTED, wanted="none")
        add_to(f"{kind}-beside", "it passes by", body("capsule", quaternion=LEANING), kind, (4, 2.5, 0.25), (-8, 0.5, 0), TILTED, wanted="none")
        add_to(f"{kind}-wall", "over the ground to a wall", STEP, kind, (-2.25, 1.5, 0.25), (3, 0.125, 0.25), TILTED)
    up = {"sphere": 0.75, "box": 0.75, "cylinder": 1.0, "capsule": 1.25}
    for kind, height in up.items():
        add_to(f"{kind}-slide", "it slides along the ground that it touches", FLOOR, kind, (-1, height, 0.25), (3, 0, 0.5), flags=["resting", "along"], wanted="tie")
        add_to(f"{kind}-leave", "it leaves the ground that it touches", FLOOR, kind, (-1, height, 0.25), (3, 1, 0.5), flags=["resting"], wanted="tie")
        add_to(f"{kind}-press", "it is pressed into the ground that it touches", FLOOR, kind, (-1, height, 0.25), (3, -1, 0.5), flags=["resting"])
        add_to(f"{kind}-slide-wall", "along the ground that it touches, to a wall", STEP, kind, (-1.75, height, 0.25), (2.5, 0, 0), flags=["resting", "along"])
        add_to(f"{kind}-slide-shape", "along a box that it touches", body("box", 4.0, 1.0, 4.0, position=(0, -1, 0)), kind, (-1, height, 0.25), (3, 0, 0.5), flags=["resting", "along"], wanted="tie")
        add_to(f"{kind}-press-shape", "it is pressed into a box that it touches", body("box", 4.0, 1.0, 4.0, position=(0, -1, 0)), kind, (-1, height, 0.25), (1, -0.5, 0.5), flags=["resting"])
    add_to("capsule-lying-slide", "a lying capsule slides along the ground", FLOOR, "capsule", (-1, 0.5, 0.25), (3, 0, 0.5), LYING, ["resting", "along"], wanted="tie")
    add_to("box-slide-edges", "over edges between triangles in a plane", FLAT, "box", (-1, 0.75, 0.25), (1.75, 0, 0.5), flags=["resting", "along"], wanted="tie")

    # grazing, edges, corners
    add_to("sphere-graze", "past a ball, touching it", body("sphere"), "sphere", (-3, 1.5, 0), (6, 0, 0), flags=["grazing"], wanted="tie")
    add_to("sphere-graze-in", "past a ball, a hundredth too low", body("sphere"), "sphere", (-3, 1.49, 0), (6, 0, 0), flags=["grazing"])
    add_to("sphere-graze-out", "past a ball, a hundredth too high", body("sphere"), "sphere", (-3, 1.51, 0), (6, 0, 0), flags=["grazing"], wanted="none")
    add_to("box-graze", "past a box, side along side", body("box"), "box", (-3, 1.5, 0.25), (6, 0, 0), flags=["grazing", "along"], wanted="tie")
    add_to("box-graze-in", "past a box, a thousandth too low", body("box"), "box", (-3, 1.499, 0.25), (6, 0, 0), flags=["grazing"])
    add_to("cylinder-graze-in", "past a cylinder's side, by little", body("cylinder"), "cylinder", (-3, 0.5, 1.496), (6, 0, 0), flags=["grazing"])
    add_to("capsule-graze-edge", "past the edge of a block, by little", BLOCK, "capsule", (-3, 1.249, 0.25), (6, 0, 0), flags=["grazing", "edge"])
    add_to("sphere-block-edge", "at the edge of a block", BLOCK, "sphere", (3, 1.75, 0.125), (-3, -2.25, 0), flags=["edge"])
    add_to("sphere-block-corner", "at the corner of a block", BLOCK, "sphere", (3, 2, 2.875), (-3, -2.125, -2.5), flags=["edge"])
    add_to("box-edge-edge", "edge across edge", body("box", quaternion=(0, 0, 0.38268343, 0.9238795)), "box", (0.125, 3, 0), (0, -3, 0.125), (0.38268343, 0, 0, 0.9238795), ["edge"])
    add_to("box-corner-corner", "corner at corner, obliquely", body("box"), "box", (3.25, 2.75, 2.125), (-2, -2, -2), flags=["edge"])
    add_to("hull-pyramid", "at the tip of a pyramid", PYRAMID, "hull", (0.25, 3, 0.125), (-0.25, -4, 0), TILTED, ["edge"])
    add_to("capsule-groove", "into a groove", GROOVE, "capsule", (0.25, 3, 0.25), (-0.25, -3, 0), LYING)
    add_to("cylinder-hills", "into hills", hills(3, spread(-2, 2)), "cylinder", (-1.25, 2.5, 0.75), (2, -2.5, -1), TILTED)
    add_to("box-hills", "into hills", hills(5, spread(-2, 2)), "box", (1.25, 2.5, 0.75), (-1.5, -2.5, -1), STEEP)
    add_to("sphere-block-inside", "from the middle of a closed block to a side", block((-3, -3, -3), (3, 3, 3)), "sphere", (0.5, 0, 0.25), (0.5, 1, 4), flags=["back"])

    # long, still, small, large, far, thin
    add_to("sphere-bullet", "a small ball over a long way, at one triangle", TRIANGLE, "sphere", (-1, 500, -1), (0.5, -1000, 0.25), lengths=(0.0625,), flags=["long"])
    add_to("box-bullet", "a small box over a long way, at a plate", body("box", 2.0, 2.0, 0.015625), "box", (0.5, 0.25, -400), (0.25, 0, 1000), TILTED, ["long"], lengths=(0.0625, 0.03125, 0.0625))
    add_to("box-still", "it does not move, and touches nothing", body("box"), "box", (3, 1, 0), (0, 0, 0), flags=["still"], wanted="none")
    add_to("sphere-still-inside", "it does not move, and is inside", FLAT, "sphere", (0.25, 0.25, 0), (0, 0, 0), flags=["still"], wanted="inside")
    for kind, name, scale in (("sphere", "tiny", 2.0**-9), ("box", "tiny", 2.0**-9), ("cylinder", "huge", 2.0**9), ("hull", "huge", 2.0**9)):
        add_to(f"{kind}-{name}", f"everything is {name}", FLAT.moved((0, 0, 0), scale), kind, (0.25 * scale, 3 * scale, 0), (0.125 * scale, -4 * scale, 0.25 * scale), TILTED, ["tiny" if scale < 1 else "scales"], size=scale)
    add_to("sphere-plain", "a small ball onto a wide triangle", Mesh([(-4096, 0, -4096), (-4096, 0, 4096), (8192, 0, -4096)], [[0, 1, 2]]), "sphere", (2, 3, 1), (0.5, -4, 0), lengths=(0.25,), flags=["scales"])
    add_to("box-far", "far from the origin", FLAT.moved((4096, -2048, 8192)), "box", (4096.25, -2045, 8192.5), (0.5, -4, 0.25), TILTED, ["far"])
    add_to("capsule-far", "far from the origin, at a shape", body("hull", position=(4098, -2048, 8192)), "capsule", (4096.25, -2048.25, 8192.5), (3, 0.25, -0.25), TILTED, ["far"])
    add_to("sphere-needle", "at a triangle that is very thin", Mesh([(-4, 0, 0), (-4, 0, 1 / 256), (4, 0, 0)], [[0, 1, 2]]), "sphere", (0.25, 2, 0.25), (0, -3, 0), flags=["needle"])
    add_to("box-no-area", "at a triangle that is a segment", Mesh([(-2, 0, 0), (0, 0, 0), (3, 0, 0)], [[0, 1, 2]]), "box", (0.25, 2, 0.25), (0, -3, 0), TILTED, ["needle", "edge"])
    add_to("box-no-triangles", "a mesh without triangles", NOTHING, "box", (0, 0, 0), (1, 0, 0), wanted="none")

    # surfaces of worlds
    pit, stairs, room, gap = (blocks_around(full) for full in (PIT, STAIRS, ROOM, GAP))
    for kind in KINDS:
        add_to(f"{kind}-stairs", "down on stairs of blocks", stairs, kind, (-1.25, 2.5, 0.25), (2.5, -1.5, -0.125), TILTED, ["blocks"], size=0.5)
        add_to(f"{kind}-crossed-blocks", "at two blocks that have an edge in common", gap, kind, (-0.75, 0.75, 2.25), (2.5, 0.125, -2.0), STEEP, ["blocks", "edge"], size=0.5)
        add_to(f"{kind}-down", "down on a terrain", WORLD, kind, (-1.25, 5.5, 0.25), (0.75, -5, 0.5), TILTED, ["terrain"])
        add_to(f"{kind}-under", "under an overhang of a terrain to the end of the hollow", WORLD, kind, (-1.5, 2.75, 0.625), (5, -0.25, 0.25), LEANING, ["terrain"], size=0.25)
    for kind, height in up.items():
        add_to(f"{kind}-blocks-slide", "over the seams of blocks that it touches", pit, kind, (-0.75, height / 2, -0.5), (2.5, 0, 0.25), flags=["blocks", "resting", "along"], size=0.5, wanted="tie")
    add_to("sphere-pit", "into a pit that it fits into, to the bottom", pit, "sphere", (0.5, 2, 0.53125), (0, -4, 0), flags=["blocks"], lengths=(0.4375,))
    add_to("sphere-pit-wide", "on a pit that is too narrow", pit, "sphere", (0.5, 2, 0.53125), (0, -4, 0), flags=["blocks", "edge"])
    add_to("box-pit-graze", "into a pit, a 64th narrower than that", pit, "box", (0.5, 2, 0.5), (0, -4, 0), flags=["blocks", "grazing"], lengths=(0.4921875, 0.5, 0.4921875))
    add_to("cylinder-ceiling", "up to a ceiling of blocks", room, "cylinder", (0.25, 1.5, 0.125), (0.5, 3, 0.25), TILTED, ["blocks"], size=0.5)
    add_to("capsule-room-out", "out of a room of blocks, past nothing", room, "capsule", (-0.25, 1.5, 0.125), (4, 0.25, 0.5), flags=["blocks"], size=0.5, wanted="none")
    add_to("box-in-wall", "it begins in a wall of blocks", room, "box", (-1.25, 1.5, 0.25), (3, 0, 0), TILTED, ["blocks"], size=0.5, wanted="inside")
    add_to("hull-across-terrain", "it begins across the surface of a terrain", WORLD, "hull", (-0.5, 1.25, 0.25), (0, 3, 0), TILTED, ["terrain"], wanted="inside")
    add_to("sphere-bullet-terrain", "a small ball over a long way, into a terrain", WORLD, "sphere", (-400.25, 302, 0.3125), (800, -604, 0.25), flags=["terrain", "long"], lengths=(0.0625,))
    add_to("box-blocks-far", "on stairs far from the origin", stairs.moved((4096, -2048, 8192)), "box", (4094.75, -2045.5, 8192.25), (2.5, -1.5, -0.125), TILTED, ["blocks", "far"], size=0.5)
    add_to("cylinder-terrain-far", "on a terrain far from the origin", WORLD.moved((4096, -2048, 8192)), "cylinder", (4094.75, -2042.5, 8192.25), (0.75, -5, 0.5), TILTED, ["terrain", "far"])

    # errors of other engines, with our own numbers
    add_to("report-wide-box", "a ball straight down on a wide box: t was too small", body("box", 400.0, 0.5, 400.0), "sphere", (31.25, 4.5, -17.5), (0, -8, 0), lengths=(0.515625,), flags=["scales"], cites=["dimforge/parry#429"])
    add_to("report-receding", "a ball a little over the ground leaves it: it was a hit at 0", FLOOR, "sphere", (0.5, 0.75390625, 0.25), (1, 0.5, 0), flags=["resting"], cites=["erincatto/box3d#32"], wanted="none")
    add_to("report-tangential", "a box a little over a box moves along it: it was a hit at 0", body("box", 4.0, 1.0, 4.0, position=(0, -1, 0)), "box", (-1, 0.75390625, 0.25), (3, 0, 0.5), flags=["along"], cites=["erincatto/box3d#32"], wanted="none")
    add_to("report-touching-across", "two boxes that touch, and one moves along the other: it was a hit at 0", body("box", 0.5, 0.5, 0.5), "box", (1, 0.25, 0.125), (0, 0, 2), lengths=(0.5, 0.5, 0.5), flags=["resting", "along"], cites=["dimforge/parry#405"], wanted="tie")
    add_to("report-barely", "a cylinder that barely touches a capsule is pressed into it", body("capsule", position=(0, 0, 0)), "cylinder", (1.25, 0.25, 0), (-2, 0.5, 0.25), flags=["resting"], cites=["jrouwe/JoltPhysics#2103"])
    add_to("report-in-plane", "a capsule in a triangle's plane, that moves in it: the overlap was missed", Mesh([(0, 0, 0), (2, 0, 0), (0, 0, -2)], [[0, 1, 2]]), "capsule", (0.25, 0, -0.25), (-3, 0, 0.5), lengths=(0.25, 1.0), cites=["NVIDIAGameWorks/PhysX#600"], wanted="inside")
    add_to("report-corner-of-sliver", "a ball at the corner of a narrow triangle, nearly along it: the hit was missed", Mesh([(0, 0, 0), (0.25, 0.625, -0.375), (0, 0.625, 0)], [[0, 1, 2]]), "sphere", (0.5, 0.875, -0.25), (-1.0, -0.03125, 0.375), lengths=(0.265625,),
           flags=["edge"], cites=["NVIDIAGameWorks/PhysX#597", "NVIDIAGameWorks/PhysX#501"])
    add_to("report-cubes", "a cube down on a cube: t was too small", body("box", 1.0, 1.0, 1.0, position=(0, 12, 0)), "box", (0, 19, 0), (0, -10, 0), lengths=(1.0, 1.0, 1.0), cites=["NVIDIAGameWorks/PhysX#610"])
    add_to("report-quad", "a box down on two large triangles: there was no contact", Mesh([(-48, 0, -36), (48, 0, -36), (-48, 0, 36), (48, 0, 36)], [[0, 2, 1], [1, 2, 3]]), "box", (1.5, 6, -2), (0, -12, 0), cites=["MADEAPPS/newton-dynamics#79"])
    add_to("report-thin-plank", "a small ball across a long, thin plank: it was missed", body("box", 244.5, 0.5, 1.0, position=(884.5, 188.5, 0)), "sphere", (380, 241, 0.25), (624, -104, 0), lengths=(0.25,), flags=["long", "scales"], cites=["dimforge/rapier.js#258"])
    add_to("report-unequal", "boxes of other heights, along an axis: it was missed", body("box", 1.0, 1.5, 1.0, position=(10, 0, 0)), "box", (0, 0, 0), (12, 0, 0), lengths=(1.0, 1.0, 1.0), cites=["dimforge/ncollide#214"])
    add_to("report-edge-touch", "a ball that touches an edge exactly, and leaves it: it was stuck", BLOCK, "sphere", (1.75, 0, 0.25), (1, 0.25, 0), flags=["resting", "edge"], cites=["NVIDIAGameWorks/PhysX#690"], wanted="tie")

    place = [bits(0.0)] * 3
    for name, other in {"nan": {"position": [bits(NAN)] + place[1:]}, "way": {"translation": [bits(INF)] + place[1:]}, "vertex": {"vertices": [[bits(NAN)] + place[1:], place, place], "triangles": [[0, 1, 2]]}, "rotation": {"rotation": place + place[:1]},
                        "radius": {"shape": ["sphere", bits(-1.0)]}, "hull": {"shape": ["hull"]}, "both": {"other_shape": ["sphere", bits(1.0)]}, "points": {"other_points": [place]}}.items():
        add_to(f"invalid-{name}", "no question", FLAT, "sphere", (0, 3, 0), (0, -1, 0), flags=["invalid"], wanted=None, change=other)
    return ask
