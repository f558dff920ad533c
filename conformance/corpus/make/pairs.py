# SPDX-License-Identifier: MIT
"""The family shape-shape: signed distance, normal and points of two convex shapes. The oracle is in distances.py."""
from fractions import Fraction

from corpus import above, below, bits, family, is_finite, number
from distances import data_of, signed_distance
from members import BITS, NONE, POINTS, RANGE, REFUSED, one_of
from vectors import less
from waters import POSE, SHAPE, is_shape_sound

OTHER = {f"other_{name}": schema for name, schema in {**POINTS, **POSE, **SHAPE}.items()}
TOLERANCE = 1e-6


def tidy(value):
    """Rounds a tolerance to three digits."""
    return float(f"{value:.3g}")


def expected(data):
    """Returns the promise and the expected answer."""
    sound = is_finite([data["margin"]]) and number(data["margin"]) >= 0 and is_shape_sound(data) and is_shape_sound(data, "other_")
    if not sound:
        return "exact", {"refused": True}
    (a, at), (b, other) = data_of(data), data_of(data, "other_")
    if a.size() == 0.0 or b.size() == 0.0:
        return "exact", {"refused": True}
    away = [float(v) for v in less(other, at)]
    within = TOLERANCE * max(a.size(), b.size(), *map(abs, away))
    distance, _ = signed_distance(a, b.moved(away))
    margin = number(data["margin"])
    if abs(distance - margin) < 2 * within:
        raise ValueError(f"the distance {distance} is about the margin")
    if distance > margin:
        return "exact", {"none": True}
    return "property", {"checker": "pair", "distance": [bits(below(Fraction(distance) - Fraction(within))), bits(above(Fraction(distance) + Fraction(within)))], "within": tidy(within)}


@family("shape-shape", "Distances of convex shapes",
        "Two convex shapes with their poses, and a margin. A shape is a 'sphere' (radius), a 'capsule' (radius, half the length of its segment, along y), a 'box' (half of each extent), a 'cylinder' (radius, half its height, along y), or the "
        "'hull' of its points, which other shapes don't have. Its origin is at its position, and it is turned about that by a quaternion x, y, z, w of any length but 0. The second shape's members begin with 'other_'. What is their "
        "signed distance, along which normal, and at which points?",
        "'none' if they are farther apart than the margin. Else 'apart' or 'overlap', the signed distance, the normal, a point of the first shape and one of the second. If they overlap, the distance is minus the length of the shortest way that "
        "parts them. The normal has length 1 and leads from the second shape to the first. The first one, moved by minus the distance along it, just touches the second. Points are relative to the first shape's position, along the world's axes. The first "
        "minus the second is distance times normal. Where several normals or points are right, any will do. `within` is the tolerance, 1e-6 of the size. The size is the largest of the shapes' radii about their origins and of the coordinates of the difference of "
        "their positions. Along the normal the distance may be off by twice `within`, and points by ten times.",
        {"apart": "the two don't touch", "shallow": "they overlap a little", "deep": "they overlap deeply", "touching": "they touch exactly", "parallel": "sides, edges or axes are parallel", "edges": "an edge, an axis or a rim at an edge, an axis or a rim",
         "nested": "one lies in the other", "core": "the shapes' centres, segments or corners have a place in common", "tiny": "very small", "scales": "very large, or one is much larger than the other", "far": "far from the origin",
         "thin": "a shape is very thin, or flat", "nothing": "farther apart than the margin", "invalid": "no shape, no place, or no margin"},
        promises=["property", "exact"],
        input={**POINTS, **POSE, "margin": BITS, **SHAPE, **OTHER},
        answers=[{"checker": one_of("pair"), "distance": RANGE, "within": {"type": "number", "minimum": 0, "description": "The tolerance of a distance."}}, NONE, REFUSED])
def shape_shape(data, flags):
    return expected(data)
