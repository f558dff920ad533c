# SPDX-License-Identifier: MIT
"""The family shape-shape: signed distance, normal and points of two convex shapes. The oracle is in distances.py."""
from fractions import Fraction
from itertools import combinations_with_replacement, product

from corpus import INF, NAN, above, below, bits, exact, family, is_finite, nearest, number
from distances import data_of, signed_distance
from members import BITS, NONE, POINTS, RANGE, REFUSED, one_of
from vectors import less
from waters import KINDS, POSE, SHAPE, ball_points, is_shape_sound, pose_data

OTHER = {f"other_{name}": schema for name, schema in {**POINTS, **POSE, **SHAPE}.items()}
TOLERANCE = 1e-6
SIZES = {"sphere": (0.75,), "capsule": (0.5, 0.75), "box": (1.0, 0.75, 0.5), "cylinder": (0.75, 1.0), "hull": ()}
TILTED, LEANING, STEEP = (0.3, 0.1, -0.4, 0.8), (0.1, 0.2, 0.3, 0.9), (0.36964, 0.23912, -0.09905, 0.8924)
LYING, DEEPER = (0, 0, 1, 1), (1, 0, 0, 1)
HALF_UP = 0.7071067811865476


def shape(kind, *lengths, hull=None, size=1.0):
    """Members of a shape. Without lengths it has those of SIZES."""
    chosen = lengths or tuple(size * v for v in SIZES[kind])
    points = ([[size * v for v in p] for p in ball_points(10, 7, 1.0)] if hull is None else hull) if kind == "hull" else []
    return {"points": [[bits(nearest(v)) for v in p] for p in points], "shape": [kind] + [bits(nearest(v)) for v in chosen]}


def placed(members, position=(0, 0, 0), quaternion=(0, 0, 0, 1), prefix=""):
    return {prefix + name: value for name, value in {**members, **pose_data(position, quaternion)}.items()}


def tidy(value):
    """A tolerance in three digits."""
    return float(f"{value:.3g}")


def expected(data):
    """(promise, what is expected)"""
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
def shape_shape(f):
    def ask(name, about, data, flags, cites=()):
        promise, said = expected(data)
        f.add(name, about, promise, data, said, sorted(set(flags)), cites)

    def add(name, about, first, second, flags, cites=(), margin=1.0, **change):
        ask(name, about, {**first, "margin": bits(margin), **{"other_" + k: v for k, v in second.items()}, **change}, flags, cites)

    def at(kind, position=(0, 0, 0), quaternion=(0, 0, 0, 1), *lengths, hull=None, size=1.0):
        return placed(shape(kind, *lengths, hull=hull, size=size), position, quaternion)

    def by_distance(name, about, a, b, direction, wanted, flags):
        """Moves the second one along a direction until the distance is about as wanted."""
        low, high = 0.0, 6.0
        for _ in range(12):
            middle = 0.5 * (low + high)
            b["position"] = [bits(nearest(round(v * middle * 1024) / 1024)) for v in direction]
            d, _ = signed_distance(data_of(a)[0], data_of(b)[0].moved([float(exact(w)) for w in b["position"]]))
            low, high = (middle, high) if d < wanted else (low, middle)
        add(name, about, a, b, flags)

    for k1, k2 in product(KINDS, repeat=2):
        add(f"{k1}-{k2}-apart", "apart, both turned", at(k1, (0.125, -0.25, 0.5), TILTED), at(k2, (-1.875, 0.5, 0.25), LEANING), ["apart"], margin=3.0)
    for k1, k2 in combinations_with_replacement(KINDS, 2):
        by_distance(f"{k1}-{k2}-shallow", "overlapping by a hundredth or so, both turned", at(k1, quaternion=TILTED), at(k2, quaternion=LEANING), (0.8, 0.5, -0.3), -0.01, ["shallow"])
        add(f"{k1}-{k2}-deep", "deep in each other, both turned", at(k1, (0.125, -0.25, 0.5), STEEP), at(k2, (0.375, -0.125, 0.4375), LEANING), ["deep"])

    # parallel, and touching
    block = [(x, y, z) for x in (-0.75, 0.5) for y in (-0.5, 0.5) for z in (-0.25, 0.5)]
    add("box-box-rest", "a box on a box, side on side", at("box", (0.25, 1.5, 0.125)), at("box", size=1.0), ["parallel", "touching"])
    add("box-box-aligned", "a box over a box, all sides in line", at("box", (0, 1.75, 0)), at("box"), ["parallel", "apart"])
    add("box-box-beside", "along an edge of both", at("box", (2, 1.5, 0.25)), at("box"), ["parallel", "touching", "edges"])
    add("box-box-corner", "corner at corner", at("box", (2, 1.5, 1)), at("box"), ["parallel", "touching"])
    add("box-box-sunk", "side in side", at("box", (0.25, 1.4375, 0.125)), at("box"), ["parallel", "shallow"])
    add("box-hull-rest", "a hull's side on a box", at("hull", (0.125, 1.25, 0.25), hull=block), at("box"), ["parallel", "touching"])
    add("capsule-capsule-side", "side by side, half past each other", at("capsule", (1.25, 0.75, 0)), at("capsule"), ["parallel", "apart"])
    add("capsule-capsule-line", "in a line", at("capsule", (0, 2.75, 0)), at("capsule"), ["parallel", "apart"])
    add("capsule-capsule-touching", "side at side", at("capsule", (1, 0.25, 0)), at("capsule"), ["parallel", "touching"])
    add("capsule-box-lying", "a capsule that lies on a box", at("capsule", (0, 1.25, 0), LYING), at("box"), ["parallel", "touching"])
    add("capsule-cylinder-side", "side by side", at("capsule", (1.5, 0.125, 0)), at("cylinder"), ["parallel", "apart"])
    add("cylinder-box-stand", "a cylinder stands on a box", at("cylinder", (0.125, 1.75, 0)), at("box"), ["parallel", "touching"])
    add("cylinder-box-lying", "a cylinder lies on a box, sunk a little", at("cylinder", (0, 1.46875, 0), LYING), at("box"), ["parallel", "shallow"])
    add("cylinder-cylinder-stack", "cap on cap, not quite over each other", at("cylinder", (0.5, 2, 0)), at("cylinder"), ["parallel", "touching"])
    add("cylinder-cylinder-axis", "one over the other, on one axis", at("cylinder", (0, 2.25, 0)), at("cylinder"), ["parallel", "apart"])
    add("cylinder-cylinder-side", "side by side", at("cylinder", (1.375, 0.5, 0)), at("cylinder"), ["parallel", "shallow"])
    add("sphere-box-touching", "a ball on a side", at("sphere", (0.25, 1.5, 0)), at("box"), ["touching"])
    add("sphere-sphere-touching", "two balls", at("sphere", (0, 0, 1.5)), at("sphere"), ["touching"])

    # edges and rims
    add("box-box-edges", "edge across edge", at("box", (0, 1.75, 0), STEEP), at("box", (0, 0, 0), (0, 0, 0.38268343, 0.9238795)), ["edges", "apart"])
    add("box-box-edges-deep", "edge across edge, overlapping", at("box", (0, 1.6, 0), (0.5, 0.25, 0, 0.9)), at("box", (0, 0, 0), (0, 0, 0.38268343, 0.9238795)), ["edges", "shallow"])
    add("capsule-capsule-crossed", "axis across axis", at("capsule", (0, 1.125, 0), LYING), at("capsule", quaternion=DEEPER), ["edges", "apart"])
    add("capsule-box-edge", "beside an edge of a box, along it", at("capsule", (1.25, 0.25, 0.875)), at("box"), ["edges", "parallel"])
    add("cylinder-cylinder-crossed", "side across side", at("cylinder", (0, 1.5625, 0), LYING), at("cylinder", quaternion=DEEPER), ["edges", "apart"])
    add("cylinder-cylinder-rims", "rim at rim", at("cylinder", (1.25, 1.75, 0.25), TILTED), at("cylinder", quaternion=LEANING), ["edges"])
    add("cylinder-cylinder-rim-side", "a rim at a side", at("cylinder", (1.625, 0.5, 0.25), (0.2, 0, 0.5, 0.8)), at("cylinder"), ["edges"])
    add("cylinder-box-rim-edge", "a rim at an edge", at("cylinder", (1.5, 1.625, 0), (0, 0, 0.38268343, 0.9238795)), at("box"), ["edges"])

    # nested, and cores that meet
    add("sphere-in-box", "a small ball in a box", at("sphere", (0.25, 0.125, 0.0625), (0, 0, 0, 1), 0.125), at("box"), ["nested", "deep"])
    add("box-in-box", "a small turned box in a box", at("box", (0.25, 0.25, 0), TILTED, 0.125, 0.0625, 0.25), at("box", size=2.0), ["nested", "deep"])
    add("capsule-in-cylinder", "a capsule in a cylinder", at("capsule", (0.125, 0.25, 0), TILTED, 0.125, 0.25), at("cylinder"), ["nested", "deep"])
    add("cylinder-in-cylinder", "a cylinder in a cylinder", at("cylinder", (0.25, 0, 0.125), (0, 0, 0, 1), 0.25, 0.25), at("cylinder"), ["nested", "deep", "parallel"])
    add("hull-in-hull", "a hull in a larger one", at("hull", (0.125, 0, 0), TILTED, size=0.25), at("hull", quaternion=LEANING, size=2.0), ["nested", "deep"])
    for kind in KINDS:
        add(f"{kind}-same", "twice the same, in one place", at(kind, (0.5, 0, -1), TILTED), at(kind, (0.5, 0, -1), TILTED), ["core", "deep", "nested"])
    add("sphere-capsule-axis", "a ball's middle on a capsule's segment", at("sphere", (0, 0.25, 0)), at("capsule"), ["core", "deep"])
    add("capsule-capsule-cross", "segments that cross", at("capsule", (0, 0.25, 0), LYING), at("capsule"), ["core", "deep"])
    add("capsule-capsule-collinear", "segments that lie on each other", at("capsule", (0, 0.5, 0)), at("capsule"), ["core", "deep", "parallel"])
    add("sphere-box-face", "a ball's middle on a side of a box", at("sphere", (0.25, 0.75, 0.125)), at("box"), ["core", "deep"])
    add("sphere-box-edge", "a ball's middle on an edge of a box", at("sphere", (1, 0.75, 0.125)), at("box"), ["core", "deep"])
    add("sphere-box-corner", "a ball's middle on a corner of a box", at("sphere", (1, 0.75, 0.5)), at("box"), ["core", "deep"])
    add("sphere-cylinder-rim", "a ball's middle on a cylinder's rim", at("sphere", (0.75, 1, 0)), at("cylinder"), ["core", "deep"])
    add("sphere-cylinder-axis", "a ball's middle on a cylinder's axis", at("sphere", (0, 0.25, 0)), at("cylinder"), ["core", "deep"])

    # small, large, far, thin, nothing
    for kind in KINDS:
        add(f"{kind}-tiny", "everything is very small", at(kind, (0.001953125, 0, 0.0009765625), TILTED, size=2.0**-9), at("box", (0, 0.001, 0), LEANING, size=2.0**-9), ["tiny"], margin=0.015625)
        add(f"{kind}-far", "far from the origin", at(kind, (131072.5, -65536, 262144.25), TILTED), at("hull", (131073.75, -65535.5, 262144), LEANING), ["far"])
    add("sphere-huge", "a ball on a large ball", at("sphere", (0, 1024.5, 0)), at("sphere", (0, 0, 0), (0, 0, 0, 1), 1024.0), ["scales", "shallow"])
    add("box-huge", "a box on a large one, over its edge", at("box", (1024.5, 512.5, 3), (0, 0.25, 0, 1)), at("box", (0, 0, 0), (0, 0, 0, 1), 1024.0, 512.0, 1024.0), ["scales", "shallow"])
    add("cylinder-huge", "a cylinder at a large one's side", at("cylinder", (512.625, 3, 0), TILTED), at("cylinder", (0, 0, 0), (0, 0, 0, 1), 512.0, 64.0), ["scales"])
    add("box-needle", "two thin rods, crossed", at("box", (0, 0.0625, 0.5), (0, 0.3, 0, 1), 4.0, 0.015625, 0.015625), at("box", (0, 0, 0), (0, 0, 0, 1), 0.015625, 0.015625, 4.0), ["thin", "apart"])
    add("cylinder-disc", "a thin disc in a box", at("cylinder", (0.5, 0.5, 0), TILTED, 1.0, 0.00390625), at("box"), ["thin", "deep"])
    add("box-flat", "a box without a height, over a box", at("box", (0.25, 0.8125, 0), (0, 0, 0, 1), 1.0, 0.0, 1.0), at("box"), ["thin", "parallel", "apart"])
    for k1, k2 in (("sphere", "sphere"), ("box", "cylinder"), ("hull", "box")):
        add(f"{k1}-{k2}-nothing", "farther apart than the margin", at(k1, (3, 2, 1), TILTED), at(k2, quaternion=LEANING), ["nothing", "apart"], margin=0.125)

    # errors of other engines, with our own numbers
    add("report-sphere-box", "a ball over a wide box: the points were another place's", at("sphere", (0.5, 4.5, 2.25), (0, 0, 0, 1), 1.0), at("box", (0, 0, 0), (0, 0, 0, 1), 5.0, 1.0, 5.0), ["apart"], ["flexible-collision-library/fcl#127"], margin=4.0)
    add("report-thin-plate", "a small turned box over a plate: points were NaN", at("box", (0.25, 0.375, -0.25), (0.34, 0.155, 0.638, 0.673), 0.25, 0.0625, 0.125), at("box", (1.5, 0, 0), (0, 0, 0, 1), 1.5, 3.0, 0.03125), ["thin", "apart"],
        ["flexible-collision-library/fcl#293", "flexible-collision-library/fcl#493"])
    add("report-cubes-y", "two cubes over each other: the distance was that of corners", at("box", (0, 3.5, 0), (0, 0, 0, 1), 0.5, 0.5, 0.5), at("box", (0, 0, 0), (0, 0, 0, 1), 0.5, 0.5, 0.5), ["apart", "parallel"], ["flexible-collision-library/fcl#508"], margin=4.0)
    add("report-balls", "two balls on an axis: the distance was too large by half", at("sphere", (0, 0, 0), (0, 0, 0, 1), 16.0), at("sphere", (0, 36, 0), (0, 0, 0, 1), 8.0), ["apart"], ["flexible-collision-library/fcl#275"], margin=16.0)
    add("report-parallel-faces", "boxes with parallel sides: NaN", at("box", (0.75, 0.5, 1.0), (0, 0, 0, 1), 1.0, 0.5, 0.75), at("box", (0, 0, 0), (0, 0, 0, 1), 0.5, 0.5, 0.5), ["parallel", "deep"], ["flexible-collision-library/fcl#2"])
    add("report-along-one-axis", "two equal boxes, moved along one axis: no overlap was found", at("box", (0.75, 0, 0), (0, 0, 0, 1), 0.5, 0.5, 0.5), at("box", (0, 0, 0), (0, 0, 0, 1), 0.5, 0.5, 0.5), ["parallel", "deep"],
        ["felipeek/raw-physics#6", "google-deepmind/mujoco_warp#1526"])
    add("report-parallel-segments", "two segments that face each other, parallel: NaN", at("capsule", (0.5, 0.25, 0), LYING, 0.0625, 0.5), at("capsule", (0, -0.25, 0), LYING, 0.0625, 1.5), ["parallel", "apart"], ["godotengine/godot#55384"])
    add("report-cylinder-near-box", "a cylinder and a box that nearly touch: no convergence", at("cylinder", (0.25, 1.7509765625, 0.125), (0.001, 0.3, 0.002, 1)), at("box"), ["apart", "parallel"], ["coal-library/coal#37"])
    add("report-hull-depth", "hulls that overlap by little: the depth was that of their boxes", at("hull", (1.625, 0.125, 0), TILTED), at("hull", (0, 0, 0), LEANING), ["shallow"], ["OpenRAL/openral#215"])
    add("report-wall-edge", "a capsule along a wall's edge, beyond both sides", at("capsule", (1.3, 0.5, 0.8)), at("box", (0, 0, 0), (0, 0, 0, 1), 1.0, 2.0, 0.5), ["parallel", "edges"], ["DanielChappuis/reactphysics3d#347"])
    add("report-capsule-upright", "a capsule nearly along the normal of a side", at("capsule", (0.25, 1.9375, 0.125), (1e-6, 0, 2e-6, 1)), at("box"), ["shallow"], ["bepu/bepuphysics2#101"])

    for name, other in {"nan": {"position": [bits(NAN)] + [bits(0.0)] * 2}, "other-infinite": {"other_position": [bits(INF)] + [bits(0.0)] * 2}, "rotation": {"other_rotation": [bits(0.0)] * 4}, "margin": {"margin": bits(-1.0)},
                        "radius": {"other_shape": ["sphere", bits(-1.0)]}, "hull": {"shape": ["hull"]}, "points": {"other_points": [[bits(0.0)] * 3]}}.items():
        add(f"invalid-{name}", "no question", at("sphere", (0, 1, 0)), at("sphere"), ["invalid"], **other)
    return ask
