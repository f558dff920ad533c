# SPDX-License-Identifier: MIT
"""The family decompose. Many decompositions are right, so a checker judges them."""
from corpus import INF, family, is_finite, number
from members import BITS, MESH, REFUSED, WHOLE, one_of

LENGTHS = {"within": BITS, "allowed": BITS, "most": WHOLE}


@family("decompose", "Convex decomposition of a mesh",
        "A mesh: vertices, and triangles counterclockwise seen from outside. It may be open, in pieces, or have triangles without area. Then three "
        "numbers: `within`, how far the surface may be from the hulls; `allowed`, how much the hulls may fill; `most`, how many hulls there may be: 0 is as many as there "
        "are triangles.",
        "Hulls, each a list of vertices of the mesh, none of them twice, of which it is the convex hull; in any order, and they may overlap. No point of the surface is further "
        "than `within` from all of them. Of a hull with a volume no vertex is further inside than that. From any point of the surface that is deeper "
        "than `within` in a hull, the ray along the triangle's normal leaves the hull after `allowed` at most, and `within`. Where the mesh is closed, no point of a hull is "
        "further than that from the solid: the surface, and what it winds around.",
        {"convex": "one hull will do", "optimum": "`most` is the fewest hulls that there are, if they fill nothing", "concave": "more than one hull, and how few there can be is not asked",
         "filled": "`most` can only be kept by filling what may be filled", "open": "an open mesh", "pieces": "some pieces of surface that have no edge in common", "void": "a shell within another, turned inwards",
         "flat": "no volume", "degenerate": "triangles without area", "same": "vertices in one place, or nearly", "crowded": "edges of more than two triangles", "turned": "not along the axes",
         "far": "far from the origin for its size", "large": "coordinates of 2^40 and more", "small": "coordinates of 2^-40 and less", "invalid": "a NaN, an infinity, a length that is 0, negative or not finite: a refusal",
         "none": "no triangles: a refusal"},
        promises=["exact", "property"], input={**MESH, **LENGTHS}, answers=[{"checker": one_of("decomposition")}, REFUSED])
def decompose(data, flags):
    sound = data["triangles"] and is_finite(data["vertices"]) and all(0.0 < number(data[k]) < INF for k in ("within", "allowed"))
    return ("property", {"checker": "decomposition"}) if sound else ("exact", {"refused": True})
