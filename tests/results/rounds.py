#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rounds.py FOLDER OUT (round | half) N: a copy of a folder of results with some of its samples: those of round N alone, or of every round
every second one, from the first (N = 0) or the second (1). What the two halves differ by is chance; what two rounds differ by is chance or
drift of the machine; the program is the same in both."""
import collections
import json
import os
import shutil
import sys

folder, out, what, number = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
shutil.copytree(folder, out, ignore=shutil.ignore_patterns("results.json"))
for name in ("bench.json", "limits.json", "bench-clang.json"):
    path = os.path.join(out, name)
    if not os.path.exists(path):
        continue
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    seen = collections.Counter()
    kept = []
    for entry in content["benchmarks"]:
        key = entry["run_name"], entry["round"]
        if (entry["round"] == number) if what == "round" else (seen[key] % 2 == number):
            kept.append(entry)
        seen[key] += 1
    if what == "half":  # as if so many had been asked for
        index = collections.Counter()
        for entry in kept:
            key = entry["run_name"], entry["round"]
            entry["repetition_index"] = index[key]
            index[key] += 1
        for entry in kept:
            entry["repetitions"] = index[entry["run_name"], entry["round"]]
    content["benchmarks"] = kept
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
