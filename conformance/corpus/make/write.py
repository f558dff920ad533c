#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write.py FOLDER [FAMILY...]: writes the schema and some families of the corpus, by default all, to a folder. Every run writes the same bytes. It takes half a minute.
The questions in found/*.json, which `voxphys reduce` wrote, become vectors too. If one of them cannot be answered, nothing is written."""
import glob
import importlib
import json
import os
import sys

sys.dont_write_bytecode = True  # leave the folder unchanged

import corpus
import schema

here = os.path.dirname(os.path.abspath(__file__))
for path in sorted(glob.glob(f"{here}/*.py")):
    if path != os.path.abspath(__file__):
        importlib.import_module(os.path.basename(path)[:-3])  # registers its families

names = sys.argv[2:] or list(corpus.FAMILIES)
if len(sys.argv) < 2 or any(name not in corpus.FAMILIES for name in names):
    sys.exit(f"usage: write.py FOLDER [FAMILY...], of {', '.join(corpus.FAMILIES)}")
ask = {name: corpus.FAMILIES[name].make(corpus.FAMILIES[name]) for name in names}
for path in sorted(glob.glob(f"{here}/found/*.json")):
    try:
        with open(path, encoding="utf-8") as file:
            case = json.load(file)
        if case["family"] in names or case["family"] not in corpus.FAMILIES:
            ask[case["family"]](*(case[member] for member in ("name", "about", "input", "flags", "cites")))
    except Exception as error:
        sys.exit(f"write.py: {path}: {type(error).__name__}: {error}")
os.makedirs(sys.argv[1], exist_ok=True)
for name in names:
    corpus.FAMILIES[name].write(sys.argv[1])
schema.write(sys.argv[1])
