# SPDX-License-Identifier: MIT
"""Questions that `voxphys reduce --adapter` wrote, and somebody put into found/. All files are looked at before anything is made of them."""
import glob
import json
import os

from corpus import FAMILIES, is_finite, number
from members import is_set, is_text

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "found")
now = None  # the source of the current vector and its contents, for error messages


class Mistake(ValueError):
    """What is wrong with a file of found/, in one sentence."""


# for each member of a file its test, and the test in words
MEMBERS = {
    "family": (lambda v: isinstance(v, str) and v in FAMILIES, "the name of a family"),
    "name": (lambda v: is_text(v, "[a-z0-9-]+"), "one or more of the letters a-z, digits and -"),
    "about": (lambda v: isinstance(v, str) and v.isprintable() and v.strip() != "", "words, in one line"),
    "flags": (lambda v: is_set(v, lambda x: isinstance(x, str)), "a list of texts, none of them twice"),
    "cites": (lambda v: is_set(v, lambda x: is_text(x, "[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+#[0-9]+")), 'a list of reports, "owner/repository#12" each, none of them twice'),
    "input": (lambda v: isinstance(v, dict), "an object"),
}


def shown(value):
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def look_at(path, where, value, members):
    """An object has these members and no others, each as it should be."""
    for member, (is_right, words, *_) in members.items():
        name = member.rstrip("?")
        if name not in value:
            if name != member:
                continue
            raise Mistake(f"{path}: {where}{name} is missing")
        if not is_right(value[name]):
            raise Mistake(f"{path}: {where}{name} is {shown(value[name])}, and should be {words}")
    for member in value:
        if member not in members and member + "?" not in members:
            raise Mistake(f"{path}: {where}{member} is {shown(value[member])}, and there is no such member")


def look_at_numbers(path, data):
    """What one member of an input says of another."""
    if "extents" in data:
        n, letters = data["extents"], next(m for m in ("cells", "full", "types") if m in data)
        each = 1 if letters == "cells" else 2
        if len(data[letters]) != each * n[0] * n[1] * n[2]:
            raise Mistake(f"{path}: input.{letters} is {shown(data[letters])}, which is not as many cells as extents {shown(n)} are")
    for t in data.get("triangles", ()):
        if max(t) >= len(data["vertices"]):
            raise Mistake(f"{path}: input.triangles has {shown(t)}, and there are {len(data['vertices'])} vertices")
    if "triangles" in data and "min" in data and all(number(a) <= number(b) for a, b in zip(data["min"], data["max"])):
        for v in data["vertices"]:
            if not is_finite(v):
                raise Mistake(f"{path}: input.vertices has {shown(v)}, which is not finite: no box of a triangle is promised then")


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            case = json.load(file)
    except OSError as error:
        raise Mistake(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise Mistake(f"{path}: this is no JSON: {error}") from None
    if not isinstance(case, dict):
        raise Mistake(f"{path}: the file is {shown(case)}, and should be an object")
    look_at(path, "", case, MEMBERS)
    look_at(path, "input.", case["input"], FAMILIES[case["family"]].input)
    look_at_numbers(path, case["input"])
    return case


def all_found():
    """[(path, question)], or a Mistake."""
    return [(path, read(path)) for path in sorted(glob.glob(os.path.join(FOLDER, "*.json")))]


def found(family):
    """A family's: family, name, about, flags, cites, input."""
    global now
    for path, case in all_found():
        if case["family"] == family:
            now = path, case
            yield case
    now = None
