# SPDX-License-Identifier: MIT
"""Families of the block world: the visible faces of a chunk, and its merged boxes. The oracle tests each face on its own, grows boxes in sets of blocks, and finds
T-edges from the rectangle that each pair of boxes shares."""
from itertools import combinations, product

from corpus import family
from members import EXTENTS, FIRST, REFUSED, TYPES, WHOLE, one_of, some_of

COLLIDES, OPAQUE, FLUID = 1, 2, 4
SIDES = [(axis, way) for axis in range(3) for way in (-1, 1)]


class Chunk:
    """Types by place, in a chunk and the layer around it."""

    def __init__(self, edge, kinds, whole=False):
        self.edge, self.kinds, self.whole, self.at = edge, list(kinds), whole, {}

    @classmethod
    def of(cls, data):
        chunk = cls(data["edge"], data["is"])
        (nx, ny, nz), low = data["extents"], data.get("first", [0, 0, 0])
        places = [(x + low[0], y + low[1], z + low[2]) for y in range(ny) for z in range(nz) for x in range(nx)]
        chunk.at = dict(zip(places, bytes.fromhex(data["types"])))
        return chunk

    def is_inside(self, p):
        return all(0 <= v < self.edge for v in p)

    def get(self, p):
        return self.at.get(p, 0)

    def bits(self, p):
        return self.kinds[self.get(p) - 1] if 0 < self.get(p) <= len(self.kinds) else 0


def is_sound(data):
    low, n, edge = data.get("first", [0, 0, 0]), data["extents"], data["edge"]
    return 1 <= edge <= 32 and len(data["is"]) <= 255 and max(data["is"], default=0) <= 7 and all(-1 <= a and a + m <= edge + 1 for a, m in zip(low, n))


def beside(p, axis, way):
    return p[:axis] + (p[axis] + way,) + p[axis + 1:]


def places(chunk):
    """Lists the places of a chunk in the order of the cells."""
    n = range(chunk.edge)
    return [(x, y, z) for y in n for z in n for x in n]


# ---- faces ----

def light(chunk, before, axis):
    """Returns the light of a face whose normal points at `before`."""
    u, v = ((2, 1), (0, 2), (0, 1))[axis]
    out = 0
    for corner, (to_v, to_u) in enumerate(product((-1, 1), repeat=2)):
        at_u, at_v = beside(before, u, to_u), beside(before, v, to_v)
        dark = [bool(chunk.bits(p) & OPAQUE) for p in (at_u, at_v, beside(at_u, v, to_v))]
        out += (0 if dark[0] and dark[1] else 3 - sum(dark)) * 4**corner
    return out


def faces_of(data):
    """Returns the expected faces."""
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
    """Merges blocks to boxes along the axes in this order, [(low, high)] with `high` exclusive."""
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
    """Returns 1 if all blocks beyond a side collide, 2 if none does, otherwise 3."""
    spans = [range(a, b) for a, b in zip(*box)]
    spans[axis] = [box[1][axis] if way > 0 else box[0][axis] - 1]
    there = {bool(chunk.bits(p) & COLLIDES) for p in product(*spans)}
    return 3 if len(there) == 2 else 1 if True in there else 2


def edge_number(sides):
    """Returns the number of the edge between two sides, (axis, way) each, with ascending axes."""
    (a, j), (b, k) = sorted(sides)
    return 4 * (3 - a - b) + (j > 0) + 2 * (k > 0)


def t_edges(chunk, boxes):
    """Returns a set of T-edges for each box."""
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
    """Returns boxes as rows of numbers."""
    covered = [p for box in boxes for p in product(*map(range, *box))]
    if len(covered) != len(set(covered)) or set(covered) != {p for p in places(chunk) if chunk.bits(p) & COLLIDES}:
        raise ValueError("boxes do not cover the blocks, each once")
    return [[*box[0], *(h - a for a, h in zip(*box)), sum(beyond(chunk, box, *s) * 4**i for i, s in enumerate(SIDES)), sum(1 << e for e in edges)]
            for box, edges in zip(boxes, t_edges(chunk, boxes))]


def boxes_of(data):
    """Returns the expected boxes."""
    if not is_sound(data):
        return {"refused": True}
    return {"checker": "cover"} if data["merging"] == "any" else {"boxes": told(Chunk.of(data), merged(Chunk.of(data)))}


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
def faces(data, flags):
    return "set", faces_of(data)


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
def boxes(data, flags):
    return "property" if data["merging"] == "any" and is_sound(data) else "exact", boxes_of(data)
