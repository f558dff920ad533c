# SPDX-License-Identifier: MIT
"""Writes schema.json from the parts that families share and from each family's members."""
import json

from corpus import FAMILIES
from members import DEFINITIONS, defined, of_members, one_of, some_of

WORDS = defined("words")
SAYS = ("What no schema can say, voxphys check looks at when it reads a corpus: that no id is there twice; that flags are among those that the head "
        "explains; that strings of cells have a letter a cell; that what is numbered is there; that a range's first number is not above its second.")
VECTOR = {
    "type": "object", "additionalProperties": False, "required": ["id", "about", "promise", "input", "expected"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z0-9-]+/[a-z0-9-]+$"}, "about": WORDS, "promise": one_of("exact", "set", "tie", "bound", "property"),
        "reason": {**WORDS, "description": "Where a bound comes from."},
        "flags": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string"}},
        "cites": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string", "pattern": "^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+#[0-9]+$"}},
        "input": {"type": "object"}, "expected": {"type": ["object", "array"]}},
    "allOf": [
        {"if": {"properties": {"promise": one_of("bound")}}, "then": {"required": ["reason"]}},
        {"if": {"properties": {"promise": one_of("tie")}}, "then": {"properties": {"expected": {"type": "array", "minItems": 2}}},
         "else": {"properties": {"expected": {"minItems": 1, "maxItems": 1}}}},
        {"if": {"properties": {"promise": one_of("property")}}, "then": {"properties": {"expected": defined("by_property")}},
         "else": {"properties": {"expected": {"not": defined("with_checker")}}}}]}


def one_or_list(part):
    return {"if": {"type": "array"}, "then": {"items": part}, "else": part}


def vector_of(family):
    name = family.name
    return {"properties": {
        "id": {"pattern": f"^{name}/"}, "promise": {"enum": family.promises}, "flags": {"items": defined(f"flag-{name}")},
        "input": of_members(family.input), "expected": one_or_list(defined(f"answer-{name}"))}}


def schema():
    families = FAMILIES.values()
    made = dict(DEFINITIONS)
    for f in families:
        made[f"flag-{f.name}"] = {"enum": list(f.flags)}
        made[f"answer-{f.name}"] = {"oneOf": [a if "$ref" in a else of_members(a) for a in f.answers]}
        made[f.name] = vector_of(f)
    checked = {"type": "object", "required": ["checker"]}
    made |= {"vector": VECTOR, "by_property": one_or_list({"required": ["checker"]}), "with_checker": {"anyOf": [checked, {"type": "array", "contains": checked}]}}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#", "title": "A family of the voxphys conformance corpus", "description": SAYS,
        **of_members({
            "schema": {"const": 1, "description": "The version of this schema."},
            "version": {"type": "string", "pattern": "^1\\.[0-9]{1,6}\\.[0-9]{1,6}$", "description": "The version of the corpus, the same in all files."},
            "family": {"enum": [f.name for f in families]}, "title": WORDS, "question": WORDS, "answer": WORDS,
            "flags": {"type": "object", "additionalProperties": WORDS, "description": "What each flag of a vector means."},
            "vectors": {**some_of(defined("vector")), "minItems": 1}}),
        "allOf": [{"if": {"properties": {"family": one_of(f.name)}},
                   "then": {"properties": {"flags": {"propertyNames": defined(f"flag-{f.name}")}, "vectors": {"items": defined(f.name)}}}} for f in families],
        "definitions": made}


def write(folder):
    """Writes a line for each part and each definition."""
    def lines(parts, indent, ends="{}"):
        return ends[0] + "\n" + ",\n".join(" " * indent + p for p in parts) + "\n" + " " * (indent - 1) + ends[1]

    said = schema()
    whole = {**{k: json.dumps(v) for k, v in said.items()}, "allOf": lines(map(json.dumps, said["allOf"]), 2, "[]"),
             "definitions": lines([f"{json.dumps(k)}: {json.dumps(v)}" for k, v in said["definitions"].items()], 2)}
    with open(f"{folder}/schema.json", "w", encoding="utf-8") as file:
        file.write(lines([f"{json.dumps(k)}: {v}" for k, v in whole.items()], 1) + "\n")
