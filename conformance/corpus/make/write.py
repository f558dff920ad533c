#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write.py FOLDER [FAMILY...]: writes the schema and some families of the corpus, by default all, to a folder. The questions are those of the corpus and of found/*.json,
which `voxphys reduce` wrote. The oracles of this folder answer them anew, so every run writes the same bytes. It takes half a minute. If a question of found/
cannot be answered, nothing is written."""
import glob
import importlib
import json
import os
import sys

sys.dont_write_bytecode = True  # leave the folder unchanged

import corpus
import schema

# The modules register their families, in the order of the schema.
for module in ("automata", "blocks", "hulls", "waters", "manifolds", "pairs", "casts", "grids", "rays", "regions", "scenes", "solids", "surfaces"):
    importlib.import_module(module)
here = os.path.dirname(os.path.abspath(__file__))

names = sys.argv[2:] or list(corpus.FAMILIES)
if len(sys.argv) < 2 or any(name not in corpus.FAMILIES for name in names):
    sys.exit(f"usage: write.py FOLDER [FAMILY...], of {', '.join(corpus.FAMILIES)}")
made = {name: corpus.FAMILIES[name] for name in names}


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


for family in made.values():
    path = f"{here}/../{family.name}.json"
    for v in read(path)["vectors"] if os.path.exists(path) else ():
        family.add(v["id"].removeprefix(f"{family.name}/"), v["about"], v["input"], v.get("flags", []), v.get("cites", []))
for path in sorted(glob.glob(f"{here}/found/*.json")):
    try:
        case = read(path)
        if case["family"] in made or case["family"] not in corpus.FAMILIES:
            made[case["family"]].add(*(case[member] for member in ("name", "about", "input", "flags", "cites")))
    except Exception as error:
        sys.exit(f"write.py: {path}: {type(error).__name__}: {error}")
os.makedirs(sys.argv[1], exist_ok=True)
for family in made.values():
    family.write(sys.argv[1])
schema.write(sys.argv[1])
