# SPDX-License-Identifier: MIT
"""JSON schemas of the members of inputs and answers."""


def one_of(*values):
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}


def text_of(pattern):
    return {"type": "string", "pattern": f"^{pattern}$"}


def some_of(part, count=None):
    return {"type": "array", **({"minItems": count, "maxItems": count} if count else {}), "items": part}


def defined(name):
    return {"$ref": f"#/definitions/{name}"}


def of_members(members):
    """Returns the schema of an object. The name of an optional member ends with "?"."""
    return {"type": "object", "additionalProperties": False, "required": [m for m in members if m[-1] != "?"],
            "properties": {m.rstrip("?"): schema for m, schema in members.items()}}


BITS, WHOLE = defined("bits"), defined("whole")
DEFINITIONS = {
    "words": {"type": "string", "minLength": 1},
    "bits": {"type": "string", "pattern": "^[0-9a-f]{8}$", "description": "The bits of a binary32."},
    "place": some_of(BITS, 3),
    "whole": {"type": "integer", "minimum": 0},
    "three": some_of(WHOLE, 3),
    "cell": {**some_of({"type": "integer"}, 3), "description": "The lowest cell of a grid, without which it is (0, 0, 0); or a cell of it."},
    "range": {**some_of(BITS, 2), "description": "The lowest and the highest that t may be."},
    "numbers": {"type": "array", "uniqueItems": True, "items": WHOLE},
    "some_numbers": {"type": "array", "minItems": 1, "uniqueItems": True, "items": WHOLE},
    "tolerance": {"type": "number", "minimum": 0, "description": "How far outside a point may be, and how far apart two surfaces, of the extent of all."},
    "none": of_members({"none": {"const": True, "description": "Nothing is met."}}),
    "refused": of_members({"refused": {"const": True, "description": "The question is refused."}}),
}
CELL, RANGE, NUMBERS, SOME, TOLERANCE, NONE, REFUSED = map(defined, ("cell", "range", "numbers", "some_numbers", "tolerance", "none", "refused"))
MASK, TRUE = text_of("[01]+"), one_of(True)
VOLUME = {"type": "number", "exclusiveMinimum": 0, "description": "Of the exact hull."}
FLAT = {"const": True, "description": "So thin that it may be told as flat, or refused."}

# ---- members of inputs ----

EXTENTS = {"extents": defined("three")}
CELLS = {**EXTENTS, "cells": {**text_of("[.#~]+"), "description": "x fastest, then z, then y: . air, # solid, ~ water."}}
FULL = {**EXTENTS, "full": {**text_of("([0-9a-f]{2})+"), "description": "x fastest, then z, then y: how full each is."}}
TYPES = {"types": {**text_of("([0-9a-f]{2})+"), "description": "x fastest, then z, then y."}}
FIRST = {"first?": CELL}
PLACE = defined("place")
PLACES = some_of(PLACE)
TRIANGLE = {"triangle": some_of(PLACE, 3)}
MESH = {"vertices": PLACES, "triangles": some_of(defined("three"))}
BOX = {"min": PLACE, "max": PLACE}
RAY = {"origin": PLACE, "direction": PLACE, "t_max": BITS}
FLAT_POINTS = {"points": some_of(some_of(BITS, 2))}
POINTS = {"points": PLACES}
