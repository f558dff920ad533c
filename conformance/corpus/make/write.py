#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write.py FOLDER [FAMILY...]: writes the families of the corpus, all or some, and their schema to a folder, which it makes if need be. Takes half a minute; every run
writes the same bytes. Nothing is written if a file of found/ is not as it should be."""
import glob
import importlib
import os
import sys

sys.dont_write_bytecode = True  # leave the folder unchanged

import cases
import corpus
import schema

for path in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "*.py"))):
    if path != os.path.abspath(__file__):
        importlib.import_module(os.path.basename(path)[:-3])  # registers its families

if len(sys.argv) < 2 or any(name not in corpus.FAMILIES for name in sys.argv[2:]):
    sys.exit(f"usage: write.py FOLDER [FAMILY...], of {', '.join(corpus.FAMILIES)}")
try:
    cases.all_found()  # including other families
    made = [corpus.FAMILIES[name] for name in sys.argv[2:] or corpus.FAMILIES]
    for family in made:
        ask = family.make(family)
        for case in cases.found(family.name):
            ask(*(case[member] for member in ("name", "about", "input", "flags", "cites")))
except cases.Mistake as error:
    sys.exit(f"write.py: {error}")
except Exception as error:
    if cases.now is None:
        raise
    path, case = cases.now
    why = error if isinstance(error, ValueError) else f"input is {cases.shown(case['input'])}, and no oracle can answer it ({type(error).__name__})"
    sys.exit(f"write.py: {path}: {why}")
try:
    os.makedirs(sys.argv[1], exist_ok=True)
except OSError as error:
    sys.exit(f"write.py: {sys.argv[1]}: {error.strerror}")
for family in made:
    family.write(sys.argv[1])
schema.write(sys.argv[1])
