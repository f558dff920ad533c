# SPDX-License-Identifier: MIT
"""The family cast: a convex shape moves along a line until it hits triangles, or another shape. The signed distance of the shape and each obstacle is convex along the way.
Newton's method finds where it falls to the tolerance, and to minus the tolerance. The distances are those of distances.py."""
from fractions import Fraction
from math import sqrt

from corpus import above, below, bits, exact, family, is_finite, number
from distances import crossing, data_of, signed_distance, triangle_of
from members import MESH, PLACE, POINTS, RANGE, REFUSED, one_of, text_of
from pairs import tidy
from vectors import dot, less
from waters import POSE, SHAPE, is_shape_sound

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
    """Returns the promise and the expected answer."""
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
def cast(data, flags):
    return expected(data)
