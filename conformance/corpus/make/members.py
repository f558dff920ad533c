# SPDX-License-Identifier: MIT
"""What members of inputs and of answers have to be. Of an input's member there are a test and words too: for files of found/."""
import re


def is_text(value, pattern):
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def is_bits(value):
    return is_text(value, "[0-9a-f]{8}")


def is_whole(value):
    return type(value) is int and 0 <= value < 2**32 - 1


def is_list(value, of, count=None):
    return isinstance(value, list) and count in (None, len(value)) and all(of(v) for v in value)


def is_place(value):
    return is_list(value, is_bits, 3)


def is_set(value, of):
    return is_list(value, of) and len(value) == len(set(value))


def is_cell(value):
    return is_list(value, lambda v: type(v) is int and -(2**31) <= v < 2**31, 3)


# ---- in the schema ----

def one_of(*values):
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}


def text_of(pattern):
    return {"type": "string", "pattern": f"^{pattern}$"}


def some_of(part, count=None):
    return {"type": "array", **({"minItems": count, "maxItems": count} if count else {}), "items": part}


def defined(name):
    return {"$ref": f"#/definitions/{name}"}


def of_members(members):
    """An object; a member that may be missing has a "?" behind its name."""
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

# ---- of inputs: (test, in words, in the schema) ----

EXTENTS = {"extents": (lambda v: is_list(v, is_whole, 3), "three whole numbers", defined("three"))}
CELLS = {**EXTENTS, "cells": (lambda v: is_text(v, "[.#~]+"), "a letter a cell, of . # ~", {**text_of("[.#~]+"), "description": "x fastest, then z, then y: . air, # solid, ~ water."})}
FULL = {**EXTENTS, "full": (lambda v: is_text(v, "([0-9a-f]{2})+"), "two hexadecimal digits a cell", {**text_of("([0-9a-f]{2})+"), "description": "x fastest, then z, then y: how full each is."})}
TYPES = {"types": (lambda v: is_text(v, "([0-9a-f]{2})+"), "two hexadecimal digits a cell", {**text_of("([0-9a-f]{2})+"), "description": "x fastest, then z, then y."})}
NUMBER = (is_bits, "a number of eight hexadecimal digits", BITS)
FIRST = {"first?": (is_cell, "three whole numbers", CELL)}
PLACE = (is_place, "three numbers of eight hexadecimal digits", defined("place"))
PLACES = (lambda v: is_list(v, is_place), "a list of places, three numbers of eight hexadecimal digits each", some_of(defined("place")))
TRIANGLE = {"triangle": (lambda v: is_list(v, is_place, 3), "three places", some_of(defined("place"), 3))}
MESH = {"vertices": PLACES, "triangles": (lambda v: is_list(v, lambda t: is_list(t, is_whole, 3)), "a list of triangles, three whole numbers each", some_of(defined("three")))}
BOX = {"min": PLACE, "max": PLACE}
RAY = {"origin": PLACE, "direction": PLACE, "t_max": NUMBER}
FLAT_POINTS = {"points": (lambda v: is_list(v, lambda p: is_list(p, is_bits, 2)), "a list of points, two numbers of eight hexadecimal digits each", some_of(some_of(BITS, 2)))}
POINTS = {"points": PLACES}
