# SPDX-License-Identifier: MIT
"""The family automaton-step. The oracle steps cell by cell, as the family's head describes."""
from cells import AROUND, Types
from corpus import family
from members import EXTENTS, REFUSED, TYPES, WHOLE, one_of, some_of, text_of
from vectors import add

NEVER, M = 27, (1 << 64) - 1  # an output that needs no other
G = 0x9E3779B97F4A7C15
CENTRE = AROUND.index((0, 0, 0))


class Cells(Types):
    """Types by place. Living cells are 128 higher."""

    def beside(self, c):
        """Returns the 27 cells around a cell, None outside."""
        return [b if b in self.cell else None for b in (add(c, way) for way in AROUND)]


# ---- rules ----

def counted(cells, data):
    """Applies one step of a count rule."""
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
    """Returns what a beetle writes, {place: (byte, place that it needs)}."""
    empty = [k for k, b in enumerate(cells.beside(c)) if b is not None and cells.cell[b] == 0]
    if not empty:
        return {}
    when = mix((mix((data.get("seed", 0) + G) & M) + step * G) & M)
    draw = mix(when ^ (number + 1) * G & M ^ (cells.cell[c] & 127) << 32) >> 32
    return {empty[draw * len(empty) >> 32]: (cells.cell[c], NEVER), CENTRE: (0, empty[draw * len(empty) >> 32])}


def writes(cells, c, data):
    return {place: (kind | living << 7, need) for of, place, kind, living, need in data["outputs"] if of == cells.cell[c] & 127}


def acted(cells, ticks, data, step):
    """Applies one step to living cells and returns their new ticks."""
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
    """Returns the expected answer."""
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
def automaton_step(data, flags):
    return "exact", after(data)
