#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""folder.py SOURCE OUT [SEED [FACTOR [DRIFT]]]: a folder of results as bench/run writes one, small and made up: three versions of one kernel, a
library, a benchmark that was refused, a limit, one of two kinds of samples, one that drifts. Digests and hashes are the true ones. With
FACTOR the optimized kernel's times are multiplied by it. With DRIFT there are 60 rows more, each of which takes longer in some rounds than in
others, by up to this share, as on a machine that is another an hour later."""
import json
import os
import random
import sys

source, out = sys.argv[1], sys.argv[2]
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
factor = float(sys.argv[4]) if len(sys.argv) > 4 else 1.0
drift = float(sys.argv[5]) if len(sys.argv) > 5 else 0.0
golden = json.load(open(os.path.join(source, "datasets", "digests.json")))
os.makedirs(out, exist_ok=True)
noise = random.Random(seed)
REPETITIONS, ROUNDS = 6, 3
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def entries(name, nanoseconds, label, counters=None):
    """Google Benchmark's entries of all repetitions."""
    made = []
    for i in range(REPETITIONS * ROUNDS):
        ns = nanoseconds(i) * (1 + 0.01 * noise.random())
        made.append({"name": name, "run_name": name, "run_type": "iteration", "repetitions": REPETITIONS, "repetition_index": i % REPETITIONS,
                     "family_index": 0, "per_family_instance_index": 0, "threads": 1, "iterations": 1000, "real_time": ns * 512, "cpu_time": ns * 512,
                     "time_unit": "ns", "items_per_second": 1e9 / ns, "label": label, "round": 1 + i // REPETITIONS} | (counters or {}))
    return made


def digest(key):
    return golden["bench"][key]


dilation = "chunks digest=" + digest("dilate_world/any/terrain-l2")
rays = "rays digest=" + digest("kd_ray/any/chunks/coherent")
rows = []
rows += entries("dilate_world/scalar/terrain-l2", lambda i: 1100.0, dilation, {"bits_per_voxel": 1.1015625})
rows += entries("dilate_world/scalar-autovec/terrain-l2", lambda i: 900.0, dilation)
rows += entries("dilate_world/avx2/terrain-l2", lambda i: 20.0 * factor, dilation)
rows += entries("dilate_world/neon-simde/terrain-l2", lambda i: 150.0, dilation)
rows += entries("dilate_world/simd128-simde/terrain-l2", lambda i: 150.0, dilation)
rows += entries("dilate_world/peer-leptonica/terrain-l2", lambda i: 400.0, "chunks masks=equal; Leptonica")
rows += entries("stream_read/limit/terrain-l2", lambda i: 4.0, "chunks digest=0123456789abcdef")
rows += entries("kd_ray/scalar/chunks/coherent", lambda i: 200.0 if i % 2 else 300.0, rays)
rows += entries("kd_ray/avx2/chunks/coherent", lambda i: 40.0 + i, rays)
rows += entries("kd_ray/avx2-packed/chunks/coherent", lambda i: 1.0, "rays digest=" + digest("kd_ray/any-packed/chunks/coherent"))
rows += entries("noise/first/terrain-l2", lambda i: 1100.0, dilation)
rows += entries("noise/second/terrain-l2", lambda i: 1111.0, dilation)
rows.append({"name": "hull3/peer-qhull/cylinder/10000", "run_name": "hull3/peer-qhull/cylinder/10000", "run_type": "iteration", "repetitions": 6,
             "repetition_index": 0, "threads": 1, "iterations": 0, "real_time": 0, "cpu_time": 0, "time_unit": "ns", "error_occurred": True,
             "error_message": "qhull takes more than 10 s", "round": 1})
for i in range(60 if drift > 0 else 0):
    of_round = [40 * (1 + drift * noise.random()) for _ in range(ROUNDS)]
    rows += entries(f"kd_ray/avx2-made{i}/chunks/coherent", lambda k: of_round[k // REPETITIONS], "rays")
context = {"date": "2026-11-23T00:00:00+00:00", "executable": "voxphys-bench", "num_cpus": 2, "mhz_per_cpu": 2600, "cpu_scaling_enabled": False,
           "caches": [], "load_avg": [], "library_build_type": "release", "cpu_model": "made up", "voxphys_build_type": "Release",
           "voxphys_commit": COMMIT, "voxphys_compiler": "gcc 12.2.0", "voxphys_flags": "-O3 -ffp-contract=off",
           "voxphys_isas": "scalar avx2 avx512 neon-simde simd128-simde", "voxphys_autovec": "avx512"}
clang = entries("dilate_world/scalar/terrain-l2", lambda i: 1000.0, dilation)
machine = {"schema": 2, "name": "made-up-2cpu", "date": "2026-11-23T02:30:00Z", "unofficial": None,
           "voxphys": {"version": "0.1.0", "commit": COMMIT, "dirty": False}, "tools": {"gcc": "gcc (made up) 12.2.0", "clang": "clang version 14.0.6"},
           "cpu": {"model": "made up", "architecture": "x86_64", "cpus": 2,
                   "flags": "popcnt bmi1 bmi2 avx2 avx512f avx512cd avx512bw avx512dq avx512vl".split(), "clock_mhz_before": 2600.0, "clock_mhz_now": 2610.0, "governor": None},
           "compile_flags": {"scalar": "-O3 -ffp-contract=off -fno-tree-vectorize"},
           "float_mode": {"register": "MXCSR", "bits": 8064, "nearest": True, "flushes_results": False, "flushes_operands": False},
           "load": {"before": [0.01, 0.02, 0.03], "after": [1.0, 0.9, 0.5]}}
verified = [("dilate_world", "terrain-l2", None, isa) for isa in ("scalar", "scalar-autovec", "avx2", "neon-simde", "simd128-simde")]
verified += [("kd_ray", "chunks/coherent", form, isa) for form in ("wide", "packed") for isa in ("scalar", "avx2")]
verify = {"version": "0.1.0", "seed": 1, "not_run": [],
          "checks": [{"kernel": kernel, "isa": isa.removesuffix("-simde"), "via": "simde" if isa.endswith("-simde") else "native", "dataset": data,
                      "form": form, "cases": 512, "mismatches": 0,
                      "digest": golden["verify"][f"{kernel}/{data}" + (f"/{form}" if form == "packed" else "")]} for kernel, data, form, isa in verified]}
hulls = {"about": "made up", "trials": [{"who": who, "family": "ball", "points": 16, "scale": 1.0, "away": 0, "dimension": 3, "exact_vertices": 11, "outcome": outcome,
                                        "vertices": 11, "outside_of_extent": 0.0} for who, outcome in (("voxphys", "valid"), ("peer-bullet", "faulty"))]}
words = ("pass", "fail", "differs", "hang", "crash", "refused", "absent")
answers = {"voxphys-scalar": ["pass", "pass"], "peer-bullet": ["fail", "absent"]}
conformance = {"schema": 1, "corpus": "1.1.0", "timeout": 2.0, "voxphys": "0.1.0",
               "families": [{"family": "hull2", "title": "hulls", "vectors": 2, "asked": 2, "hash": "0123456789abcdef"}],
               "adapters": [{"name": name, "version": "1", "command": name, "starts": 1, "seconds": 0.1, "families": {"hull2": {word: said.count(word) for word in words}}}
                            for name, said in answers.items()],
               "vectors": [{"id": f"hull2/made{i}", "about": "made up", "promise": "exact", "results": [{"result": said[i]} for said in answers.values()]} for i in range(2)]}
times = [0.1, 0.3, 0.2, 0.4]
pipeline = {"dataset": "terrain-l2", "queries": 512, "digest": "0123456789abcdef", "pipeline": "made up",
            "results": [{"command": "scalar", "mean": 0.25, "median": 0.25, "min": 0.1, "max": 0.4, "times": times, "exit_codes": [0] * 4}]}
for name, content in {"hulls.json": hulls, "conformance.json": conformance, "pipeline.json": pipeline, "bench.json": {"context": context, "benchmarks": rows}, "machine.json": machine, "verify.json": verify,
                      "bench-clang.json": {"context": context | {"voxphys_compiler": "clang 14.0.6"}, "benchmarks": clang}}.items():
    with open(os.path.join(out, name), "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
