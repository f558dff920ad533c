# SPDX-License-Identifier: MIT
"""The family of automata. Everything is done cell by cell, as the family's head says it."""
from cells import AROUND, Types
from corpus import Random, family
from members import EXTENTS, REFUSED, TYPES, WHOLE, one_of, some_of, text_of
from vectors import add

NEVER, M = 27, (1 << 64) - 1  # an output that needs no other
G = 0x9E3779B97F4A7C15
CENTRE, EAST, WEST, UP, DOWN, NORTH, SOUTH = (AROUND.index(v) for v in ((0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)))
OPPOSITE = [26 - k for k in range(27)]


class Cells(Types):
    """Types, and 128 more of what lives, by place."""

    def put(self, *values):
        """Places, each followed by what is there."""
        self.cell.update(zip(values[::2], values[1::2]))
        return self

    def where(self, rule):
        self.cell = {c: int(rule(*c)) for c in self.cell}
        return self

    def beside(self, c):
        """The 27 cells around one; None outside."""
        return [b if b in self.cell else None for b in (add(c, way) for way in AROUND)]


# ---- rules ----

def counted(cells, data):
    """A step of a count rule."""
    sets, later = data["species"], {}
    for c, now in cells.cell.items():
        around = [cells.cell[b] for k, b in enumerate(cells.beside(c)) if b is not None and k != CENTRE]
        if now > len(sets):
            later[c] = now
        elif now:
            later[c] = now if sets[now - 1][0] >> around.count(now) & 1 else 0
        else:
            later[c] = next((s for s in range(1, len(sets) + 1) if sets[s - 1][1] >> around.count(s) & 1), 0)
    cells.cell = later


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M
    z = (z ^ z >> 27) * 0x94D049BB133111EB & M
    return z ^ z >> 31


def flies(cells, c, data, step, number):
    """{place: (what is written, the place that it needs)} of a beetle."""
    empty = [k for k, b in enumerate(cells.beside(c)) if b is not None and cells.cell[b] == 0]
    if not empty:
        return {}
    when = mix((mix((data.get("seed", 0) + G) & M) + step * G) & M)
    draw = mix(when ^ (number + 1) * G & M ^ (cells.cell[c] & 127) << 32) >> 32
    return {empty[draw * len(empty) >> 32]: (cells.cell[c], NEVER), CENTRE: (0, empty[draw * len(empty) >> 32])}


def writes(cells, c, data):
    return {place: (kind | living << 7, need) for of, place, kind, living, need in data["outputs"] if of == cells.cell[c] & 127}


def acted(cells, ticks, data, step):
    """A step of rules of living cells; `ticks` is of those that live."""
    acts, best = {}, {}
    for number, c in enumerate(cells.cell):  # from the lowest source on
        if cells.cell[c] < 128:
            continue
        strength, interval = data["species"][(cells.cell[c] & 127) - 1]
        if ticks.get(c, 0) < interval:
            continue
        acts[c] = flies(cells, c, data, step, number) if data["rule"] == "beetle" else writes(cells, c, data)
        for k in acts[c]:
            to = cells.beside(c)[k]
            if to is not None and (to not in best or strength > best[to][0]):
                best[to] = strength, c, k
    won = {(c, k) for _, c, k in best.values()}

    def has_effect(c, k):
        seen = set()
        while k != NEVER and k not in seen:
            if (c, k) not in won:
                return False
            seen.add(k)
            k = acts[c][k][1]
        return True

    effects = {to: (c, k) for to, (_, c, k) in best.items() if has_effect(c, k)}
    busy, later = {c for c, _ in effects.values()}, {}
    for c, now in cells.cell.items():
        if now >= 128 and c not in effects:
            later[c] = 0 if c in busy else min(ticks.get(c, 0) + 1, 65535)
    cells.cell = {**cells.cell, **{to: acts[c][k][0] for to, (c, k) in effects.items()}}
    return later


def is_sound(data):
    sets, n, outputs = data["species"], len(data["species"]), data.get("outputs", [])
    most = ((1 << 27) - 1,) * 2 if data["rule"] == "count" else (255, 65535)
    if n > 126 or any(a > most[0] or b > most[1] for a, b in sets):
        return False
    if data["rule"] == "count":
        return not outputs
    if any(b == 128 or b & 127 > n for b in bytes.fromhex(data["types"])) or (outputs and data["rule"] == "beetle"):
        return False
    written = [(of, place) for of, place, *_ in outputs]
    return len(written) == len(set(written)) and all(1 <= of <= n and place < 27 and kind <= n and living <= (kind > 0) and (need == NEVER or (of, need) in written)
                                                     for of, place, kind, living, need in outputs)


def after(data):
    """What is expected."""
    if not is_sound(data):
        return {"refused": True}
    cells, ticks = Cells.of(data), {}
    for step in range(data["steps"]):
        if data["rule"] == "count":
            counted(cells, data)
        else:
            ticks = acted(cells, ticks, data, step)
    return {"types": cells.text()}


# ---- the family ----

def bits_of(*counts):
    return sum(1 << n for n in counts)


RULE = {"rule": one_of("count", "act", "beetle"), "steps": WHOLE, "seed?": WHOLE, "species": some_of(some_of(WHOLE, 2)), "outputs?": some_of(some_of(WHOLE, 5))}


@family("automaton-step", "Steps of a voxel automaton",
        "A grid of cells, each a byte, and a rule. What are the cells after so many steps? Every step looks at the cells as they were before it. Nothing is outside of the grid, which is not empty either. "
        "Types are 0, empty, and from 1 on those of `species`, two numbers each; the number of a cell is its place in the list. "
        "count: they are the counts of its own type, of the 26 cells around, with which a cell of the species stays, and becomes one if it was empty: bit n says n. Of several it becomes the lowest; one that does not "
        "stay becomes empty. Higher bytes are walls, which stay. "
        "act and beetle: they are the strength and the interval of the species. A byte of 128 and more is a living cell of the type that is left without it. Every living cell has a tick, 0 at first. One whose tick is at least the interval acts: it writes "
        "bytes to cells among the 27 around it; place (dy + 1)*9 + (dz + 1)*3 + dx + 1. Of those that write to a cell the strongest wins, of equally strong ones that with the lowest number; what is written outside has lost. An output may need another one of its "
        "act: it has an effect if it has won, and the one that it needs, and the one that that needs, and so on, which may go in a circle. Where the winner has no effect, none has. A living cell that no effect writes over has a tick of 0 if any output of its own had an effect, else one more, up to 65535; "
        "one that is written has 0. "
        "act: `outputs` are species, place, type, 1 if what is written lives, and the place that is needed; 27 is none. "
        "beetle: a cell writes its own byte to one of the empty cells around it, and 0 to its own, which needs that. Of n empty places in ascending order it is the one with number d*n >> 32, "
        "d being the upper half of m(m(m(seed + G) + step*G) ^ (number + 1)*G ^ type << 32), with G = 0x9e3779b97f4a7c15; the first step is 0, and all is modulo 2^64. m(z): z = (z ^ z >> 30)*0xbf58476d1ce4e5b9; z = (z ^ z >> 27)*0x94d049bb133111eb; z ^ z >> 31.",
        "The cells' bytes.",
        {"count": "count rules", "act": "living cells with outputs", "beetle": "living cells that fly at random", "thin": "grids one cell thick on one axis or more", "empty": "nothing there, or nothing happens",
         "full": "no cell is empty", "border": "at the border of the grid", "wall": "bytes that are no species", "species": "several species", "conflict": "several write to one cell", "strength": "the strongest wins",
         "link": "outputs that need others", "void": "a winner without effect, beside those that lost to it", "tick": "intervals", "dead": "what does not live", "long": "50 steps and more", "random": "cells or rules at random",
         "invalid": "no rule, or cells that there are not: a refusal"},
        promises=["exact"], input={**EXTENTS, **TYPES, **RULE}, answers=[{"types": text_of("([0-9a-f]{2})+")}, REFUSED])
def automaton_step(f):
    def ask(name, about, data, *more):
        f.add(name, about, "exact", data, after(data), *more)

    def add(name, about, cells, rule, steps, species, flags=(), outputs=None, seed=None):
        data = {**cells.json(), "rule": rule, "steps": steps, **({"seed": seed} if seed is not None else {}), "species": [list(s) for s in species],
                **({"outputs": [list(o) for o in outputs]} if outputs is not None else {})}
        ask(name, about, data, [rule] + list(flags))

    # counts
    life, bays = [(bits_of(2, 3), bits_of(3))], [(bits_of(4, 5), bits_of(5))]
    for axis in range(3):
        n = [7, 7, 7]
        n[axis] = 1
        flat = [(a, b) for a, b in ((2, 1), (3, 2), (1, 3), (2, 3), (3, 3))]
        glider = Cells(*n).put(*(x for p in flat for x in (tuple((list(p)[:axis] + [0] + list(p)[axis:])), 1)))
        add(f"glider-{'xyz'[axis]}", "a glider of Conway's Life in a layer", glider, "count", 5, life, ["thin", "border"])
        n = [1, 1, 1]
        n[axis] = 23
        add(f"row-{'xyz'[axis]}", "a row, in which one neighbour is needed", Cells(*n).soup(10 + axis, [1], 2), "count", 3, [(bits_of(1), bits_of(1, 2))], ["thin", "border"])
    for name, sets in (("4555", bays), ("5766", [(bits_of(5, 6, 7), bits_of(6))]), ("wild", [(bits_of(*range(2, 9)), bits_of(3, 4, 13))])):
        for seed, n in ((1, (7, 6, 5)), (2, (9, 3, 8))):
            add(f"life-{name}-{seed}", "a Life in space, of cells at random", Cells(*n).soup(20 + seed, [1], 3), "count", 4, sets, ["random", "border"])
    add("count-zero-steps", "no step", Cells(3, 2, 2).soup(31, [1, 2], 2), "count", 0, bays, ["empty"])
    add("count-empty", "nothing", Cells(4, 3, 2), "count", 2, bays, ["empty"])
    add("count-from-nothing", "born of no neighbour, and never staying", Cells(4, 3, 2), "count", 3, [(0, bits_of(0))], ["empty", "full"])
    add("count-full", "all cells, which stay with 26 neighbours alone", Cells(5, 4, 4).where(lambda *c: 1), "count", 1, [(bits_of(26), 0)], ["full", "border"])
    add("count-one-cell", "a grid of one cell, which flickers", Cells(1, 1, 1), "count", 3, [(0, bits_of(0))], ["thin"])
    add("count-born-26", "a hole that is filled", Cells(3, 3, 3).where(lambda *c: c != (1, 1, 1)), "count", 1, [((1 << 27) - 1, bits_of(26))], ["full"])
    add("count-walls", "walls, which nobody counts", Cells(5, 3, 4).soup(32, [1, 1, 2, 200, 255], 1), "count", 3, [(bits_of(*range(1, 9)), bits_of(1, 2, 3))], ["wall", "full"])
    add("count-no-species", "no species: all that is not empty is a wall", Cells(3, 3, 3).soup(33, [1, 7, 128, 255], 2), "count", 2, [], ["wall", "empty"])
    add("count-two", "two species that are born alike: the lower one", Cells(7, 1, 7).put((2, 0, 3), 1, (4, 0, 3), 2, (3, 0, 1), 2, (3, 0, 5), 1), "count", 3, [(bits_of(0, 1, 2), bits_of(1)), (bits_of(0, 1, 2), bits_of(1))], ["species", "thin"])
    add("count-three", "three species with rules of their own", Cells(8, 5, 6).soup(34, [1, 2, 3], 2), "count", 6, [(bits_of(2, 3, 4), bits_of(3)), (bits_of(1, 2), bits_of(2)), (bits_of(*range(27)), bits_of(4))], ["species", "random"])
    add("count-most", "126 species", Cells(6, 5, 6).soup(35, [1, 2, 63, 64, 125, 126], 2), "count", 2, [(bits_of(0, 1, 2, 3), bits_of(2 + i % 3)) for i in range(126)], ["species", "random"])
    add("count-long", "80 steps", Cells(8, 8, 8).soup(36, [1], 4), "count", 80, [(bits_of(*range(4, 8)), bits_of(5))], ["long", "random"])
    add("count-every-other", "every other cell", Cells(5, 5, 5).where(lambda x, y, z: (x + y + z) % 2 == 0), "count", 2, [(bits_of(12), bits_of(6, 14))], ["border"])

    # acts
    def move(of, place, kind=None):
        """A species that goes to a place if it wins it."""
        return [(of, place, kind or of, 1, NEVER), (of, CENTRE, 0, 0, place)]

    live = 129
    for place, name in ((EAST, "east"), (WEST, "west"), (UP, "up"), (DOWN, "down"), (NORTH, "north"), (SOUTH, "south"), (0, "corner"), (26, "far-corner")):
        add(f"walk-{name}", "cells that walk to the border, and stay there", Cells(4, 3, 3).put((1, 1, 1), live, (2, 1, 2), live), "act", 3, [(1, 0)], ["link", "border"], move(1, place))
    meet = Cells(3, 1, 1).put((0, 0, 0), 129, (2, 0, 0), 130)
    towards = move(1, EAST) + move(2, WEST)
    for name, strong in (("equal", (5, 5)), ("first", (6, 5)), ("second", (5, 6)), ("ends", (0, 255))):
        add(f"meet-{name}", "two that want to go to one cell", meet, "act", 2, [(s, 0) for s in strong], ["conflict", "link", "thin"] + ([] if name == "equal" else ["strength"]), towards)
    add("meet-unlinked", "two that leave their cells whether they win or not", meet, "act", 1, [(5, 0), (5, 0)], ["conflict", "thin"], [o[:4] + (NEVER,) for o in towards])
    add("meet-many", "26 that want to go to one cell", Cells(3, 3, 3).where(lambda *c: 128 + 1 + AROUND.index(tuple(v - 1 for v in c)) if c != (1, 1, 1) else 0), "act", 1, [(k % 7, 0) for k in range(27)],
        ["conflict", "strength", "species", "link"], [o for k in range(27) if k != CENTRE for o in move(k + 1, OPPOSITE[k])])
    add("follow", "a row that walks: each to where the next one is, which leaves its cell as well", Cells(6, 1, 1).put((0, 0, 0), live, (1, 0, 0), live, (2, 0, 0), live), "act", 3, [(1, 0)], ["conflict", "link", "thin", "border"], move(1, EAST))
    circle = [(1, EAST, 1, 1, UP), (1, UP, 1, 1, NORTH), (1, NORTH, 1, 1, EAST)]
    add("circle", "outputs that need each other in a circle", Cells(3, 3, 3).put((0, 0, 0), live), "act", 1, [(1, 0)], ["link"], circle)
    add("circle-broken", "a circle that goes out of the grid: none has an effect", Cells(3, 3, 3).put((2, 0, 0), live), "act", 1, [(1, 0)], ["link", "void", "border"], circle)
    chain = [(1, EAST, 2, 0, UP), (1, UP, 2, 0, NORTH), (1, NORTH, 2, 0, NEVER)]
    add("chain", "a chain of links", Cells(3, 3, 3).put((0, 0, 0), live), "act", 1, [(1, 0), (0, 0)], ["link", "dead"], chain)
    add("chain-broken", "a chain whose end is outside", Cells(3, 3, 3).put((0, 0, 2), live), "act", 1, [(1, 0), (0, 0)], ["link", "dead", "void", "border"], chain)
    add("void", "a strong one wins a cell without effect: who lost to it gets it neither", Cells(4, 2, 1).put((1, 0, 0), 129, (3, 0, 0), 130), "act", 1, [(9, 0), (1, 0), (0, 0)],
        ["conflict", "strength", "link", "void", "thin", "border"], [(1, EAST, 3, 0, SOUTH), (1, SOUTH, 3, 0, NEVER), (2, WEST, 3, 0, NEVER)])
    add("over", "a cell that is written over while it writes: both happen", Cells(5, 1, 1).put((1, 0, 0), 129, (2, 0, 0), 130), "act", 2, [(2, 0), (1, 0), (0, 0)], ["conflict", "strength", "thin", "dead"],
        [(1, EAST, 3, 0, NEVER), (2, EAST, 3, 0, NEVER), (2, CENTRE, 2, 1, NEVER)])
    add("self", "a cell that writes itself, and so begins anew", Cells(2, 1, 1).put((0, 0, 0), live), "act", 5, [(1, 2), (0, 0)], ["tick", "thin"], [(1, CENTRE, 1, 1, NEVER), (1, EAST, 2, 0, NEVER)])
    add("grow", "a cell that fills all around it", Cells(7, 5, 6).put((3, 2, 2), live), "act", 2, [(1, 0)], ["conflict"], [(1, k, 1, 1, NEVER) for k in range(27) if k != CENTRE])
    add("grow-dead", "the same, with what does not live", Cells(5, 5, 5).put((2, 2, 2), live), "act", 3, [(1, 0), (0, 0)], ["dead"], [(1, k, 2, 0, NEVER) for k in range(27) if k != CENTRE])
    add("dead", "dead cells of a species that writes", Cells(3, 3, 3).put((1, 1, 1), 1), "act", 2, [(1, 0)], ["dead", "empty"], move(1, EAST))
    add("silent", "living cells without outputs", Cells(3, 2, 2).soup(41, [129, 130, 1], 2), "act", 3, [(1, 0), (2, 1)], ["empty", "dead"], [])
    add("act-zero-steps", "no step", Cells(3, 1, 1).put((0, 0, 0), live), "act", 0, [(1, 0)], ["empty", "thin"], move(1, EAST))
    add("act-nothing", "no species, and nothing", Cells(2, 2, 2), "act", 2, [], ["empty"], [])
    add("act-one-cell", "a grid of one cell: all outputs but one are outside", Cells(1, 1, 1).put((0, 0, 0), live), "act", 2, [(1, 0), (2, 0)], ["thin", "border"], [(1, k, 2, 1, NEVER) for k in range(27)])
    for interval in (0, 1, 2, 3):
        add(f"tick-{interval}", f"a cell that walks at an interval of {interval}", Cells(9, 1, 1).put((0, 0, 0), live), "act", 7, [(1, interval)], ["tick", "link", "thin"], move(1, EAST))
    add("tick-effect", "a tick goes on while nothing has an effect, and begins anew once something has", Cells(6, 1, 2).put((0, 0, 0), 129, (5, 0, 0), 130), "act", 9, [(1, 3), (2, 4), (0, 0)], ["tick", "border"],
        [(1, EAST, 3, 0, NEVER), (1, DOWN, 3, 0, NEVER), (2, DOWN, 3, 0, NEVER), (2, WEST, 3, 0, DOWN)])
    add("tick-never", "an interval of 65535", Cells(3, 1, 1).put((0, 0, 0), live), "act", 60, [(1, 65535)], ["tick", "long", "empty", "thin"], move(1, EAST))
    for seed in range(8):
        r = Random(700 + seed)
        species = [(r.below(4), r.below(3)) for _ in range(4)]
        outputs = []
        for s in range(1, 5):
            places = sorted({r.below(27) for _ in range(6)})
            for k in places:
                kind = r.below(5)
                outputs.append((s, k, kind, min(kind, r.below(2)), places[r.below(len(places))] if r.below(3) == 0 else NEVER))
        add(f"act-random-{seed}", "rules and cells at random", Cells(7, 5, 6).soup(720 + seed, [129, 130, 131, 132, 1, 4], 3), "act", 4 + seed, species, ["random", "conflict", "strength", "link", "tick", "species", "dead", "border"], outputs)

    # beetles
    for seed in (0, 1, 4294967294):
        add(f"beetle-{seed}", "a beetle", Cells(5, 5, 5).put((2, 2, 2), live), "beetle", 6, [(1, 0)], [], seed=seed)
    add("beetle-alone", "a grid of one cell: there is nowhere to fly", Cells(1, 1, 1).put((0, 0, 0), live), "beetle", 3, [(1, 0)], ["thin", "border", "empty", "full"])
    add("beetle-full", "no cell is empty", Cells(4, 3, 3).where(lambda *c: live), "beetle", 3, [(1, 0)], ["full", "empty"], seed=5)
    add("beetle-one-hole", "one cell is empty: all around it want to go there", Cells(5, 5, 5).where(lambda *c: 0 if c == (2, 2, 2) else live), "beetle", 3, [(1, 0)], ["conflict", "link"], seed=6)
    for seed, (n, one_in) in enumerate((((9, 1, 7), 2), ((1, 6, 9), 2), ((19, 1, 1), 3), ((6, 6, 6), 2), ((8, 5, 7), 8))):
        add(f"beetles-{seed}", f"one cell in {one_in}", Cells(*n).soup(50 + seed, [live], one_in), "beetle", 8, [(1, 0)], ["random", "conflict", "link", "border"] + (["thin"] if 1 in n else []), seed=100 + seed)
    add("beetles-two", "two species, one of them stronger and slower, and dead cells in the way", Cells(7, 4, 6).soup(56, [129, 130, 130, 1, 2], 2), "beetle", 10, [(1, 0), (2, 2)], ["random", "conflict", "strength", "tick", "species", "dead"], seed=8)
    add("beetles-long", "60 steps", Cells(6, 5, 7).soup(57, [129, 130], 3), "beetle", 60, [(1, 1), (1, 0)], ["long", "random", "conflict", "tick", "species"], seed=9)
    for v in f.vectors:  # beetles are not born and do not die
        if v["id"].startswith("automaton-step/beetle") and sorted(bytes.fromhex(v["input"]["types"])) != sorted(bytes.fromhex(v["expected"]["types"])):
            raise ValueError(f"{v['id']}: a beetle was lost")

    # invalid rules
    one = Cells(2, 2, 2).put((0, 0, 0), live)
    add("invalid-count-27", "27 neighbours", one, "count", 1, [(1 << 27, 0)], ["invalid"])
    add("invalid-count-born", "27 neighbours, of the last species", one, "count", 1, bays + [(0, 1 << 27)], ["invalid"])
    add("invalid-count-species", "127 species", one, "count", 1, bays * 127, ["invalid"])
    add("invalid-count-outputs", "a count rule with outputs", one, "count", 1, bays, ["invalid"], move(1, EAST))
    add("invalid-strength", "a strength of 256", one, "act", 1, [(256, 0)], ["invalid"], move(1, EAST))
    add("invalid-interval", "an interval of 65536", one, "act", 1, [(1, 65536)], ["invalid"], move(1, EAST))
    add("invalid-type", "a cell of a species that there is not", Cells(2, 1, 1).put((0, 0, 0), 130), "act", 1, [(1, 0)], ["invalid"], move(1, EAST))
    add("invalid-dead-type", "the same, dead", Cells(2, 1, 1).put((0, 0, 0), 2), "beetle", 1, [(1, 0)], ["invalid"])
    add("invalid-living-empty", "an empty cell that lives", Cells(2, 1, 1).put((1, 0, 0), 128), "beetle", 1, [(1, 0)], ["invalid"])
    for name, output in (("of", (2, EAST, 1, 1, NEVER)), ("of-nobody", (0, EAST, 1, 1, NEVER)), ("place", (1, 27, 1, 1, NEVER)), ("kind", (1, EAST, 2, 0, NEVER)), ("life", (1, EAST, 1, 2, NEVER)), ("living-empty", (1, EAST, 0, 1, NEVER)),
                         ("need", (1, EAST, 1, 1, WEST)), ("need-28", (1, EAST, 1, 1, 28))):
        add(f"invalid-output-{name}", "an output of what there is not", one, "act", 1, [(1, 0)], ["invalid"], [output])
    add("invalid-output-twice", "two outputs to one place", one, "act", 1, [(1, 0)], ["invalid"], move(1, EAST) + [(1, EAST, 0, 0, NEVER)])
    add("invalid-beetle-outputs", "beetles with outputs", one, "beetle", 1, [(1, 0)], ["invalid"], move(1, EAST))
    return ask
