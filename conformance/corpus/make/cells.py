# SPDX-License-Identifier: MIT
"""Grids: a value a cell, x fastest, then z, then y."""
from itertools import product

from corpus import Random

AROUND = [(x, y, z) for y, z, x in product((-1, 0, 1), repeat=3)]  # in the cells' order


class Grid:
    """'.' air, '#' solid, '~' water. Outside is air."""
    member, empty, filled = "cells", ".", "#"

    def __init__(self, nx, ny, nz, first=(0, 0, 0)):
        self.n, self.first = (nx, ny, nz), first
        self.cell = {(x, y, z): self.empty for y in range(ny) for z in range(nz) for x in range(nx)}

    @classmethod
    def of(cls, data):
        g = cls(*data["extents"], tuple(data.get("first", (0, 0, 0))))
        g.cell = dict(zip(g.cell, data["cells"] if cls.member == "cells" else bytes.fromhex(data[cls.member])))
        return g

    def at(self, x, y, z):
        return (y * self.n[2] + z) * self.n[0] + x

    def get(self, x, y, z):
        return self.cell.get((x, y, z), self.empty)

    def put(self, x, y, z, what=None):
        self.cell[x, y, z] = self.filled if what is None else what
        return self

    def where(self, rule):
        """`rule` says what is at a place, or that it is filled."""
        for c in self.cell:
            what = rule(*c)
            if what:
                self.put(*c, None if what is True else what)
        return self

    def soup(self, seed, values, one_in):
        """One cell in so many is one of these."""
        r = Random(seed)
        return self.where(lambda *c: values[r.below(len(values))] if r.below(one_in) == 0 else 0)

    def text(self):
        return "".join(self.cell.values()) if self.member == "cells" else bytes(self.cell.values()).hex()

    def json(self):
        return {"extents": list(self.n), self.member: self.text(), **({"first": list(self.first)} if any(self.first) else {})}


class Full(Grid):
    """How full each cell is, from 0 to 255."""
    member, empty, filled = "full", 0, 255


class Types(Grid):
    member, empty, filled = "types", 0, 1
