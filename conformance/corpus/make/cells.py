# SPDX-License-Identifier: MIT
"""Grids: a value for each cell, x fastest, then z, then y."""
from itertools import product

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

    def text(self):
        return "".join(self.cell.values()) if self.member == "cells" else bytes(self.cell.values()).hex()


class Types(Grid):
    member, empty, filled = "types", 0, 1
