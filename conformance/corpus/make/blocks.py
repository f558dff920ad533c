# SPDX-License-Identifier: MIT
"""Families of the block world: the faces of a chunk's blocks, and the boxes that they are merged into. Faces are asked for one by one, boxes grow in sets of
blocks, and T-edges come from every pair of boxes, by the rectangle that they share."""
from itertools import combinations, product

from corpus import Random, family
from members import EXTENTS, FIRST, REFUSED, TYPES, WHOLE, one_of, some_of

COLLIDES, OPAQUE, FLUID = 1, 2, 4
STONE, GLASS, WATER, FLOWER, FOG, LAVA, BRICK, PANE, BEYOND = range(1, 10)  # the last one is beyond the list
IS = [COLLIDES | OPAQUE, COLLIDES, FLUID, 0, OPAQUE, OPAQUE | FLUID, COLLIDES | OPAQUE, COLLIDES]
SIDES = [(axis, way) for axis in range(3) for way in (-1, 1)]


class Chunk:
    """Types by place, in a chunk and the layer around it. `whole`: told with all that is empty."""

    def __init__(self, edge, kinds=IS, whole=False):
        self.edge, self.kinds, self.whole, self.at = edge, list(kinds), whole, {}

    @classmethod
    def of(cls, data):
        chunk = cls(data["edge"], data["is"])
        (nx, ny, nz), low = data["extents"], data.get("first", [0, 0, 0])
        places = [(x + low[0], y + low[1], z + low[2]) for y in range(ny) for z in range(nz) for x in range(nx)]
        chunk.at = dict(zip(places, bytes.fromhex(data["types"])))
        return chunk

    def put(self, what, *places):
        self.at.update((p, what) for p in places)
        return self

    def fill(self, what, low, high):
        """All from a place to another one."""
        return self.put(what, *product(*(range(a, b + 1) for a, b in zip(low, high))))

    def where(self, rule, layer=False):
        """`rule` tells the type of each place, with the layer or without."""
        for p in product(range(-1, self.edge + 1), repeat=3):
            if layer or self.is_inside(p):
                self.at[p] = rule(*p)
        return self

    def soup(self, seed, values, one_in, layer=True):
        r = Random(seed)
        return self.where(lambda *p: values[r.below(len(values))] if r.below(one_in) == 0 else 0, layer)

    def is_inside(self, p):
        return all(0 <= v < self.edge for v in p)

    def get(self, p):
        return self.at.get(p, 0)

    def bits(self, p):
        return self.kinds[self.get(p) - 1] if 0 < self.get(p) <= len(self.kinds) else 0

    def json(self):
        some = [p for p in self.at if self.at[p]] or [(0, 0, 0)]
        if self.whole:
            some += [(-1, -1, -1), (self.edge,) * 3]
        low, high = [min(p[k] for p in some) for k in range(3)], [max(p[k] for p in some) for k in range(3)]
        x, y, z = (range(a, b + 1) for a, b in zip(low, high))
        types = bytes(self.get((i, j, k)) for j in y for k in z for i in x).hex()
        return {"extents": [len(x), len(y), len(z)], **({"first": low} if any(low) else {}), "types": types, "edge": self.edge, "is": self.kinds}


def is_sound(data):
    low, n, edge = data.get("first", [0, 0, 0]), data["extents"], data["edge"]
    return 1 <= edge <= 32 and len(data["is"]) <= 255 and max(data["is"], default=0) <= 7 and all(-1 <= a and a + m <= edge + 1 for a, m in zip(low, n))


def beside(p, axis, way):
    return p[:axis] + (p[axis] + way,) + p[axis + 1:]


def places(chunk):
    """In the order of the cells."""
    n = range(chunk.edge)
    return [(x, y, z) for y in n for z in n for x in n]


# ---- faces ----

def light(chunk, before, axis):
    """Of a face that looks into `before`."""
    u, v = ((2, 1), (0, 2), (0, 1))[axis]
    out = 0
    for corner, (to_v, to_u) in enumerate(product((-1, 1), repeat=2)):
        at_u, at_v = beside(before, u, to_u), beside(before, v, to_v)
        dark = [bool(chunk.bits(p) & OPAQUE) for p in (at_u, at_v, beside(at_u, v, to_v))]
        out += (0 if dark[0] and dark[1] else 3 - sum(dark)) * 4**corner
    return out


def faces_of(data):
    """What is expected."""
    if not is_sound(data):
        return {"refused": True}
    chunk, out = Chunk.of(data), []
    for side, (axis, way) in enumerate(SIDES):
        for p in places(chunk):
            q = beside(p, axis, way)
            if chunk.get(p) and chunk.get(q) != chunk.get(p) and not chunk.bits(q) & OPAQUE:
                out.append([*p, side, light(chunk, q, axis)])
    return {"faces": out}


# ---- boxes ----

def merged(chunk, order=(0, 2, 1)):
    """[(low, high)], the higher place not in the box; by axes in that order."""
    free, out = {p for p in places(chunk) if chunk.bits(p) & COLLIDES}, []
    for p in places(chunk):
        if p not in free:
            continue
        low, high = list(p), [v + 1 for v in p]
        for axis in order:
            while free.issuperset(product(*(range(high[k], high[k] + 1) if k == axis else range(low[k], high[k]) for k in range(3)))):
                high[axis] += 1
        free.difference_update(product(*map(range, low, high)))
        out.append((low, high))
    return out


def beyond(chunk, box, axis, way):
    """1 if all blocks beyond a side collide, 2 if none does, else 3."""
    spans = [range(a, b) for a, b in zip(*box)]
    spans[axis] = [box[1][axis] if way > 0 else box[0][axis] - 1]
    there = {bool(chunk.bits(p) & COLLIDES) for p in product(*spans)}
    return 3 if len(there) == 2 else 1 if True in there else 2


def edge_number(sides):
    """Of the edge between two sides, (axis, way) each, of ascending axes."""
    (a, j), (b, k) = sorted(sides)
    return 4 * (3 - a - b) + (j > 0) + 2 * (k > 0)


def t_edges(chunk, boxes):
    """A set of edges for each box."""
    out = [set() for _ in boxes]
    for one, (low, high) in enumerate(boxes):
        for axis, way in SIDES:  # at the chunk's border
            if (high[axis] == chunk.edge if way > 0 else low[axis] == 0) and beyond(chunk, boxes[one], axis, way) != 2:
                out[one] |= {edge_number([(axis, way), other]) for other in SIDES if other[0] != axis}
    for one, other in combinations(range(len(boxes)), 2):
        (a, b), (c, d) = boxes[one], boxes[other]
        shared = [(max(i, k), min(j, m)) for i, j, k, m in zip(a, b, c, d)]
        flat = [k for k in range(3) if shared[k][0] == shared[k][1]]
        if len(flat) != 1 or any(i > j for i, j in shared):
            continue  # they do not touch, or only by an edge or a corner
        axis = flat[0]
        for k, way in SIDES:
            if k == axis:
                continue
            at = shared[k][way > 0]  # where the rectangle ends
            owners = [n for n in (one, other) if boxes[n][way > 0][k] == at]
            if len(owners) == 1:
                n = owners[0]
                out[n].add(edge_number([(axis, 1 if boxes[n][1][axis] == shared[axis][0] else -1), (k, way)]))
    return out


def told(chunk, boxes):
    """In rows of numbers."""
    covered = [p for box in boxes for p in product(*map(range, *box))]
    if len(covered) != len(set(covered)) or set(covered) != {p for p in places(chunk) if chunk.bits(p) & COLLIDES}:
        raise ValueError("boxes do not cover the blocks, each once")
    return [[*box[0], *(h - a for a, h in zip(*box)), sum(beyond(chunk, box, *s) * 4**i for i, s in enumerate(SIDES)), sum(1 << e for e in edges)]
            for box, edges in zip(boxes, t_edges(chunk, boxes))]


def boxes_of(data):
    """What is expected."""
    if not is_sound(data):
        return {"refused": True}
    return {"checker": "cover"} if data["merging"] == "any" else {"boxes": told(Chunk.of(data), merged(Chunk.of(data)))}


def flags_of(data):
    """What can be told by the greedy boxes."""
    chunk = Chunk.of(data) if is_sound(data) else Chunk(1)
    boxes = merged(chunk)
    rows = told(chunk, boxes)
    what = {"order": sorted(boxes) != sorted(merged(chunk, (1, 2, 0))), "t-edge": any(row[7] for row in rows), "mixed": any(row[6] >> 2 * s & 3 == 3 for row in rows for s in range(6))}
    return [flag for flag, holds in what.items() if holds]


# ---- chunks that both families ask about: name, about, chunk, flags ----

def shared_chunks():
    yield "empty", "nothing", Chunk(3), ["empty"]
    yield "empty-whole", "nothing, and nothing around it", Chunk(2, whole=True), ["empty"]
    yield "one", "a block in the middle", Chunk(3).put(STONE, (1, 1, 1)), ["single"]
    yield "one-32", "a block in the last corner of a large chunk", Chunk(32).put(STONE, (31, 31, 31)), ["single", "edge-32"]
    yield "one-alone", "a chunk of one block", Chunk(1).put(STONE, (0, 0, 0)), ["single", "edge-1", "full"]
    yield "one-covered", "a chunk of one block, stone all around", Chunk(1).fill(BRICK, (-1, -1, -1), (1, 1, 1)).put(STONE, (0, 0, 0)), ["single", "edge-1", "layer", "border", "full"]
    yield "layer-alone", "blocks around the chunk, which are not its own", Chunk(2).where(lambda *p: 0 if all(0 <= v < 2 for v in p) else STONE, True), ["empty", "layer"]
    yield "full", "all of one type, nothing around", Chunk(4).fill(STONE, (0, 0, 0), (3, 3, 3)), ["full"]
    yield "row-32", "a row through a large chunk, at its last border", Chunk(32).fill(GLASS, (0, 31, 31), (31, 31, 31)), ["row", "pane", "edge-32"]
    yield "full-covered", "all of one type, and around it too", Chunk(3).fill(STONE, (-1, -1, -1), (3, 3, 3)), ["full", "layer", "border"]
    yield "full-glass", "glass, and glass around it", Chunk(3).fill(GLASS, (-1, -1, -1), (3, 3, 3)), ["full", "pane", "layer", "border"]
    yield "full-pane", "glass, and another glass around it", Chunk(3).fill(PANE, (-1, -1, -1), (3, 3, 3)).fill(GLASS, (0, 0, 0), (2, 2, 2)), ["full", "pane", "layer", "border"]
    yield "full-water", "water up to the border", Chunk(3).fill(WATER, (0, 0, 0), (2, 2, 2)), ["full", "fluid"]
    yield "hollow", "a hole in the middle", Chunk(3).fill(STONE, (0, 0, 0), (2, 2, 2)).put(0, (1, 1, 1)), []
    yield "hollow-water", "a hole full of water", Chunk(3).fill(STONE, (0, 0, 0), (2, 2, 2)).put(WATER, (1, 1, 1)), ["fluid"]
    yield "shaft", "a hole from below to above", Chunk(4).fill(STONE, (0, 0, 0), (3, 3, 3)).fill(0, (1, 0, 2), (1, 3, 2)), []
    yield "checker", "every other block", Chunk(4).where(lambda x, y, z: STONE if (x + y + z) % 2 else 0), ["checker"]
    yield "checker-layer", "every other block, around it too", Chunk(3).where(lambda x, y, z: STONE if (x + y + z) % 2 == 0 else 0, True), ["checker", "layer"]
    yield "checker-two", "stone and glass in turn", Chunk(4).where(lambda x, y, z: (STONE, GLASS)[(x + y + z) % 2]), ["checker", "full", "pane"]
    yield "checker-water", "stone and water in turn", Chunk(4).where(lambda x, y, z: (STONE, WATER)[(x + y + z) % 2]), ["checker", "full", "fluid"]
    for axis in range(3):
        low, high = [1, 1, 1], [1, 1, 1]
        low[axis], high[axis] = -1, 6
        yield f"row-{'xyz'[axis]}", "a row that goes on in the layer at both ends", Chunk(6).fill(STONE, low, high), ["row", "layer", "border"]
    for side, (axis, way) in enumerate(SIDES):
        at = [1, 1, 1]
        at[axis] = 2 if way > 0 else 0
        out = beside(tuple(at), axis, way)
        yield f"border-{side}", "blocks at a border of the chunk, of which one has a neighbour", Chunk(3).fill(STONE, at, [v if k == axis else v + (k == (axis + 1) % 3) for k, v in enumerate(at)]).put((STONE, BRICK, GLASS)[axis], out), ["border", "layer"]
    yield "corner-32", "the last corner of a large chunk, and around it", Chunk(32).fill(STONE, (30, 30, 30), (32, 31, 31)).put(WATER, (31, 32, 31)).put(GLASS, (31, 31, 32)), ["edge-32", "layer", "border", "fluid", "pane"]
    yield "shore", "water beside stone, and beneath it", Chunk(4).fill(STONE, (0, 0, 0), (3, 0, 3)).fill(STONE, (0, 1, 0), (1, 1, 3)).fill(WATER, (2, 1, 0), (3, 1, 3)), ["fluid"]
    yield "water-pane", "water on glass, next to stone and lava", Chunk(4).fill(GLASS, (0, 0, 0), (3, 0, 3)).fill(WATER, (0, 1, 0), (1, 1, 3)).fill(STONE, (2, 1, 0), (2, 1, 3)).fill(LAVA, (3, 1, 0), (3, 1, 3)), ["fluid", "pane", "ghost"]
    yield "lava", "a fluid that hides what is behind it, next to water", Chunk(2).fill(LAVA, (0, 0, 0), (0, 1, 1)).fill(WATER, (1, 0, 0), (1, 1, 1)), ["fluid", "ghost", "full"]
    yield "fog", "fog, which hides and does not collide, on stone", Chunk(3).fill(STONE, (0, 0, 0), (2, 0, 2)).fill(FOG, (1, 1, 0), (1, 1, 2)), ["ghost"]
    yield "flower", "a flower, which neither hides nor collides, between stones", Chunk(3).fill(STONE, (0, 0, 1), (2, 0, 1)).put(FLOWER, (1, 0, 1)), ["pane"]
    yield "beyond-list", "types beyond the list, which have no bits, on stone", Chunk(3).fill(STONE, (0, 0, 0), (2, 0, 2)).put(BEYOND, (0, 1, 0), (1, 1, 0)).put(255, (0, 1, 1)), ["pane", "beyond"]
    yield "no-list", "no types: nothing has bits", Chunk(2, []).fill(STONE, (0, 0, 0), (1, 0, 1)).put(GLASS, (0, 0, 0)), ["pane", "beyond"]
    yield "swapped", "a list in which other numbers are stone", Chunk(3, [0, 4, 7, 3, 1, 2]).where(lambda x, y, z: (x + 2 * y + 3 * z) % 7, True), ["ghost", "fluid", "pane", "layer"]
    yield "two-stones", "two kinds of stone in turn, in one block", Chunk(3).where(lambda x, y, z: (STONE, BRICK)[x % 2]), ["full"]
    yield "two-panes", "two kinds of glass side by side", Chunk(2).fill(GLASS, (0, 0, 0), (0, 0, 0)).put(PANE, (1, 0, 0)), ["pane"]
    yield "stairs", "stairs along x", Chunk(4).where(lambda x, y, z: STONE if y <= x else 0), ["steps"]
    yield "pyramid", "a pyramid", Chunk(5).where(lambda x, y, z: STONE if max(abs(x - 2), abs(z - 2)) <= 2 - y else 0), ["steps"]
    yield "hills", "hills that go on around the chunk", Chunk(5).where(lambda x, y, z: STONE if y < 2 + (x * x + 3 * z) % 3 else WATER if y < 3 else 0, True), ["steps", "layer", "fluid", "border"]
    for seed, (edge, values, one_in) in enumerate((
            (2, [STONE], 2), (3, [STONE], 2), (4, [STONE], 4), (4, [STONE, GLASS, WATER], 2), (4, list(range(1, 10)), 1), (5, [STONE], 10), (5, [STONE, BRICK, FOG, LAVA], 2), (3, list(range(0, 10)), 1), (4, [STONE] * 9 + [0], 1))):
        flags = ["random", "layer"] + (["fluid"] if WATER in values else []) + (["pane"] if GLASS in values else []) + (["ghost"] if FOG in values else []) + (["beyond"] if BEYOND in values else [])
        yield f"random-{seed}", "blocks at random, around the chunk too", Chunk(edge).soup(40 + seed, values, one_in), flags


def wrong_ones():
    """Questions that are none: name, about, members."""
    one = Chunk(2).put(STONE, (0, 0, 0)).json()
    yield "edge-0", "a chunk without blocks", {**one, "edge": 0}
    yield "edge-33", "a chunk of 33 blocks", {**one, "edge": 33}
    yield "bits", "a bit that there is not", {**one, "is": [3, 8]}
    yield "types", "256 types", {**one, "is": [3] * 256}
    for name, place in (("x", [-2, 0, 0]), ("y", [0, 3, 0]), ("z", [0, 0, -16777216])):
        yield f"outside-{name}", "a block beyond the layer", {**one, "first": place}
    yield "too-long", "a row that is longer than the chunk and its layer", {**one, "first": [-1, 0, 0], "extents": [5, 1, 1], "types": "01" * 5}


# ---- the families ----

CHUNK = {**EXTENTS, **FIRST, **TYPES, "edge": WHOLE, "is": some_of(WHOLE)}
MERGING = {"merging": one_of("greedy", "any")}
ABOUT_CHUNK = ("A chunk of blocks with coordinates from 0 to edge - 1 on each axis, and one layer of what is around it, from -1 to edge. A grid of bytes, two hexadecimal digits each, x fastest, then z, then y, has its lowest block at `first`; "
               "everything else is empty, 0. The byte k is a type with the bits is[k - 1]: 1 collides, 2 is opaque, 4 is a fluid, which changes nothing here; bytes beyond the list have no bits. Sides are 0 to 5: those of lower x, higher x, lower y, higher y, lower z, higher z. "
               "Edges from 1 to 32, up to 255 types, bits up to 7 and grids within the layer are questions. ")
FLAGS = {"empty": "the chunk has no blocks", "single": "one block", "full": "no block of the chunk is empty", "checker": "two things in turn along every axis", "row": "a row of blocks", "fluid": "fluids, next to others",
         "pane": "blocks that do not hide what is behind them", "ghost": "opaque, and does not collide", "border": "blocks at the border that have neighbours in the layer", "layer": "something is around the chunk",
         "edge-1": "a chunk of one block", "edge-32": "a chunk as large as any", "steps": "steps", "beyond": "types beyond the list", "random": "blocks at random", "invalid": "no chunk: a refusal"}


@family("faces", "Faces of a chunk's blocks that can be seen",
        ABOUT_CHUNK + "Which faces of the chunk's blocks can be seen, and how light are their corners? A block that is not empty has a face on each side where its neighbour is neither opaque nor of its type. "
        "Light is told at the four corners k of a face, 0 to 3, by three blocks of the layer of blocks that the face looks into, around the one that it looks at: "
        "the one along u, the one along v, and the one along both, towards the corner. It is 0 if the first two are opaque, else 3 less one for each of the three that is. u and v are z and y for sides 0 and 1, x and z for 2 and 3, x and y for 4 and 5; "
        "corner k is at higher u if k is odd, and at higher v if k is 2 or 3.",
        "The faces, in any order: x, y, z, side and light, which is the sum of that of each corner k times 4^k.",
        {**FLAGS, "light": "corners are darkened"},
        promises=["set"], input=CHUNK,
        answers=[{"faces": {**some_of(some_of(WHOLE, 5)), "uniqueItems": True}}, REFUSED])
def faces(f):
    def add(name, about, data, flags, cites=()):
        expected = faces_of(data)
        dark = any(face[4] < 255 for face in expected.get("faces", []))
        f.add(name, about, "set", data, expected, list(flags) + (["light"] if dark and "light" not in flags else []), cites)

    for name, about, chunk, flags in shared_chunks():
        add(name, about, chunk.json(), flags)
    for side, (axis, way) in enumerate(SIDES):  # in the layer that it looks into
        around = [p for p in product((-1, 0, 1), repeat=3) if p[axis] == way and p != beside((0, 0, 0), axis, way)]
        r = Random(side)
        add(f"light-{side}", "a block that is darkened on one side", Chunk(1).put(STONE, (0, 0, 0)).put(BRICK, *(p for p in around if r.below(3) == 0)).json(), ["single", "edge-1", "layer"])
        add(f"light-glass-{side}", "the same by what hides, and by what does not", Chunk(1).put(GLASS, (0, 0, 0)).put(FOG, *around[::3]).put(WATER, *around[1::3]).put(PANE, *around[2::3]).json(),
            ["single", "edge-1", "layer", "fluid", "pane", "ghost"])
    for name, dark in (("u", [(2, 2, 1)]), ("v", [(1, 2, 2)]), ("both", [(2, 2, 1), (1, 2, 2)]), ("across", [(2, 2, 2)]), ("u-across", [(2, 2, 1), (2, 2, 2)]), ("all", [(2, 2, 1), (1, 2, 2), (2, 2, 2)]), ("pit", [p for p in product((0, 1, 2), (2,), (0, 1, 2)) if p != (1, 2, 1)])):
        add(f"corner-{name}", "a floor, and blocks on it around one of its faces", Chunk(3).fill(STONE, (0, 1, 0), (2, 1, 2)).put(BRICK, *dark).json(), [])
    for name, about, data in wrong_ones():
        add(f"invalid-{name}", about, data, ["invalid"])
    return add


@family("boxes", "Boxes of a chunk's blocks that collide",
        ABOUT_CHUNK + "Which boxes are the chunk's blocks that collide merged into? greedy: the first of them that is in no box yet, x fastest, then z, then y, begins one; it grows along x as long as the next block collides and is in no box, then along z as long as "
        "all blocks of the next row do and are, then along y as long as all of the next layer are. any: in any way, each block in one box. Boxes stay within the chunk. "
        "Of each side of a box it is told what is beyond it, in the layer around the chunk too: 1 if all blocks there collide, 2 if none does, else 3. Where two boxes touch they share a rectangle; an edge of it that is part of an edge of one of the two alone is a T-edge of that one, there. "
        "At the chunk's border all four edges of a box's side are T-edges if any block beyond that side collides. "
        "Edges are 0 to 11: 4a + j + 2k is along axis a, 0 to 2 for x, y, z; of the two other axes it is on the higher side of the first if j is 1, on that of the second if k is 1.",
        "The boxes; greedy ones in the order in which they begin: the lowest block x, y, z; how many blocks along x, y, z; the sum over all sides s of what is beyond times 4^s; the sum of 2^e of all T-edges e.",
        {"greedy": "as it is prescribed", "any": "any boxes do, if each block that collides is in one, and what is told of them is right", **FLAGS, "order": "along y first other boxes would be made", "t-edge": "edges that are marked",
         "mixed": "some blocks beyond a side collide"},
        promises=["exact", "property"], input={**CHUNK, **MERGING},
        answers=[{"boxes": {**some_of(some_of(WHOLE, 8)), "uniqueItems": True}}, {"checker": one_of("cover")}, REFUSED])
def boxes(f):
    def add(name, about, data, merging, flags, cites=()):
        data = {**data, "merging": merging}
        f.add(name, about, "property" if merging == "any" and is_sound(data) else "exact", data, boxes_of(data), list(dict.fromkeys([merging, *flags, *flags_of(data)])), cites)

    any_too = ("empty", "full-covered", "hollow", "checker", "row-y", "corner-32", "shore", "pyramid", "hills", "random-3", "random-4", "random-6")
    for name, about, chunk, flags in shared_chunks():
        add(name, about, chunk.json(), "greedy", flags)
        if name in any_too:
            add(f"any-{name}", about, chunk.json(), "any", flags)
    bricks = Chunk(5)
    for name, about, chunk, flags in (
            ("order-xz", "an L, which is longer along x", Chunk(4).fill(STONE, (0, 0, 0), (3, 0, 0)).fill(STONE, (0, 0, 1), (0, 0, 3)), []),
            ("order-xy", "an L that stands", Chunk(4).fill(STONE, (0, 0, 0), (3, 0, 0)).fill(STONE, (0, 1, 0), (0, 3, 0)), []),
            ("order-zy", "an L along z that stands", Chunk(4).fill(STONE, (0, 0, 0), (0, 0, 3)).fill(STONE, (0, 1, 0), (0, 3, 0)), []),
            ("plus", "a cross in space", Chunk(5).fill(STONE, (0, 2, 2), (4, 2, 2)).fill(STONE, (2, 0, 2), (2, 4, 2)).fill(STONE, (2, 2, 0), (2, 2, 4)), []),
            ("u", "a U", Chunk(3).fill(STONE, (0, 0, 0), (2, 2, 0)).fill(0, (1, 1, 0), (1, 2, 0)), []),
            ("t", "a T, whose foot ends in the middle of a side", Chunk(3).fill(STONE, (0, 2, 1), (2, 2, 1)).fill(STONE, (1, 0, 1), (1, 1, 1)), []),
            ("flush", "two boxes of one side, which share all of it", Chunk(4).fill(STONE, (0, 0, 0), (1, 1, 1)).fill(GLASS, (2, 0, 0), (3, 1, 1)).fill(STONE, (0, 2, 0), (1, 3, 0)), ["pane"]),
            ("lake", "a lake in the ground: water is in no box", Chunk(4).fill(STONE, (0, 0, 0), (3, 1, 3)).fill(WATER, (1, 1, 1), (2, 1, 2)), ["fluid"]),
            ("bricks", "layers of rows in turn along x and z", bricks.where(lambda x, y, z: STONE if (x if y % 2 else z) % 2 == 0 else 0), []),
            ("diagonal", "blocks that touch by edges and corners alone", Chunk(3).put(STONE, (0, 0, 0), (1, 1, 1), (2, 2, 2), (0, 2, 2)), []),
            ("crossing", "two rows, one across the other's end", Chunk(4).fill(STONE, (0, 0, 1), (2, 0, 1)).fill(STONE, (1, 1, 0), (1, 1, 3)), []),
            ("border-some", "a full chunk, a block beyond each border", Chunk(3).fill(STONE, (0, 0, 0), (2, 2, 2)).put(STONE, (-1, 0, 0), (3, 2, 1)).put(GLASS, (1, -1, 2)).put(WATER, (1, 3, 1)).put(FOG, (0, 0, -1)), ["full", "border", "layer", "fluid", "ghost"]),
            ("border-inner", "two boxes, of which one is at the border where a block is", Chunk(3).fill(STONE, (0, 0, 0), (2, 0, 2)).fill(STONE, (0, 1, 0), (1, 2, 1)).put(STONE, (1, 1, -1)), ["border", "layer"]),
            ("border-edge", "blocks in the layer beyond edges and corners alone", Chunk(2).fill(STONE, (0, 0, 0), (1, 1, 1)).put(STONE, (-1, -1, 0), (2, 2, 2), (2, 1, 2)), ["full", "layer"])):
        add(name, about, chunk.json(), "greedy", flags)
        if name not in ("order-xz", "order-xy", "u", "diagonal", "border-edge"):
            add(f"any-{name}", about, chunk.json(), "any", flags)
    for name, about, data in wrong_ones():
        add(f"invalid-{name}", about, data, "greedy", ["invalid"])
    add("invalid-any", "a chunk without blocks, merged in any way", {**Chunk(2).put(STONE, (0, 0, 0)).json(), "edge": 0}, "any", ["invalid"])
    return lambda name, about, data, *more: add(name, about, data, data["merging"], *more)
