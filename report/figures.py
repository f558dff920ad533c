# SPDX-License-Identifier: MIT
"""The content of one machine's pages, computed from its results.json and the other files in its folder. This file names no kernels. The registry,
words.json and targets.json do."""
import math
import re
import statistics

KNOWN_FAULTS = (("open", "open"), ("euler", "open"), ("outside", "outside"))
RESULTS = ("pass", "fail", "differs", "hang", "crash", "refused")
AT_MOST = {"bytes": "bytes per triangle", "us": "µs", "ms": "ms", "spheres": "× a sphere's hull"}


def figure(value):
    """Returns three digits, or "-" for a missing value."""
    if value is None or not math.isfinite(value):
        return "-"
    size = abs(value)
    return f"{value:.{0 if size >= 99.95 else 1 if size >= 9.995 else 2 if size >= 0.0995 or size == 0 else 4}f}"


def times(value):
    return figure(value) + ("" if figure(value) == "-" else "×")


def least(values):
    return min((v for v in values if v is not None), default=None)


class Range:
    """Geometric mean of ratios, with minimum and maximum."""

    def __init__(self, pairs):
        self.of = [a / b for a, b in pairs if a is not None and b is not None]
        self.mean = math.exp(statistics.fmean(map(math.log, self.of))) if self.of else None

    def __str__(self):
        return times(self.mean) + (f" ({figure(min(self.of))} to {figure(max(self.of))})" if len(self.of) > 1 else "")


class Row:
    """A row of results.json with its texts for the tables."""

    def __init__(self, row):
        self.kernel, self.who, *rest = row["name"].split("/", 2)
        self.data = rest[0] if rest else ""
        self.name, self.file, self.via, self.isa, self.variant = (row[m] for m in ("name", "file", "via", "isa", "variant"))
        self.ns, self.mad, self.n, self.error = row["median_ns"], row["mad_ns"], row["n"], row["error"]
        self.compiler, self.item, self.note, self.counters = row["compiler"], row["item"], row["note"], row["counters"]
        self.scalar = row["baselines"]["scalar_ns"]
        self.warnings = row["warnings"]
        self.is_right = not any(self.counters.get(c) for c in ("faulty", "faults", "refused"))  # older results do not have "faulty"
        self.peer = None

    def order(self):
        """Sorts by data (sizes by number), then by version and file. The order in results.json is random."""
        return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", self.data)], self.via == "peer", self.who, self.file != "bench.json", self.file

    @property
    def time(self):
        if self.ns is None:
            return "-"
        places = len(figure(self.ns).partition(".")[2])
        while places < 3 and 0 < self.mad < 0.5 * 10 ** -places:  # more places, so that it is not shown as 0
            places += 1
        return f"{figure(self.ns)} ± {self.mad:.{places}f}"


class Machine:
    def __init__(self, name, results, beside, words, targets):
        """`beside` has the contents of hulls.json, conformance.json, pipeline.json and the notes, if they exist."""
        self.name, self.results, self.words = name, results, words
        self.machine, self.verified = results["machine"], results["verified"]
        self.rows = [Row(r) for r in results["rows"]]
        self.by_name = {(r.file, r.kernel, r.who, r.data): r for r in self.rows}
        self.libraries = {}
        for r in self.rows:
            if r.via == "peer" and r.ns is not None:
                self.libraries.setdefault((r.kernel, r.data), []).append(r)
        for r in self.rows:
            r.peer = self.fastest_peer(r.kernel, r.data)
        self.bench = [r for r in self.rows if r.file == "bench.json"]
        self.versions = self.measured_versions()
        self.refused = [r for r in self.rows if r.error is not None and r.via != "peer"]
        self.disagreements = self.verified["disagreements"]
        self.noise = self.noise_of()
        self.groups = self.groups_of()
        self.matrix = self.matrix_of()
        self.summary = [s for s in map(self.summary_of, words["summary"]) if s]
        self.targets = [self.target_of(t, targets) for t in targets["targets"]]
        self.hulls = hulls_of(beside.get("hulls.json"))
        self.conformance = beside.get("conformance.json")
        self.programs = [program_of(self.conformance, a) for a in self.conformance["adapters"]] if self.conformance else []
        self.pipeline, self.notes = beside.get("pipeline.json"), beside.get("notes.md")

    # ---- rows ----

    def ns(self, file, kernel, who, data):
        row = self.by_name.get((file, kernel, who, data))
        return row.ns if row else None

    def fastest_peer(self, kernel, data, begin="peer", also_wrong=False):
        """Returns the time of the fastest library with correct answers on these data."""
        return least(r.ns for r in self.libraries.get((kernel, data), []) if r.who.startswith(begin) and (also_wrong or r.is_right))

    def of(self, kernel, who):
        return [r for r in self.bench if (r.kernel, r.who) == (kernel, who)]

    def measured_versions(self):
        """Returns the versions of this machine's instruction sets. The algorithm in plain C comes first, the preferred version last."""
        order = self.words["isas"]
        found = {r.who: (r.via == "native", order.index(r.isa)) for r in self.bench
                 if r.isa in order and (r.via == "words" or (r.via == "native" and r.who == r.isa and r.who != self.words["baseline"]))}
        return sorted(found, key=found.get)

    def over(self, kernel, who, baseline, file="bench.json"):
        return Range((self.ns(file, kernel, baseline, r.data), r.ns) for r in self.of(kernel, who))

    def noise_of(self):
        """Returns how much medians of repeated measurements differ: the median, the maximum and its name. None without any."""
        pairs = []
        for r in self.bench:
            who = "second" if r.who == "first" else r.who + "-quads"
            again = self.ns("bench.json", r.kernel, who, r.data) if r.via != "peer" else None
            if r.ns is not None and again is not None:
                pairs.append((max(r.ns / again, again / r.ns) - 1, r.name))
        return {"typical": statistics.median(p[0] for p in pairs), "most": max(pairs)[0], "of": max(pairs)[1], "count": len(pairs)} if pairs else None

    # ---- tables ----

    def groups_of(self):
        """Returns groups of kernels with their rows, as named by the registry and words.json. Other kernels come last."""
        said = [(r["group"], r["name"], r["sentence"]) for r in self.words["registry"]]
        said += [(g["group"], k, words) for g in self.words["others"] for k, words in g["kernels"].items()]
        known = {k for _, k, _ in said}
        said += [("Other", k, "") for k in dict.fromkeys(r.kernel for r in self.rows) if k not in known]
        groups = [{"group": name, "kernels": [(k, words, []) for group, k, words in said if group == name]} for name in dict.fromkeys(s[0] for s in said)]
        rows_of = {k: rows for g in groups for k, _, rows in g["kernels"]}
        for r in sorted(self.rows, key=Row.order):
            rows_of[r.kernel].append(r)
        for g in groups:
            g["kernels"] = [k for k in g["kernels"] if k[2]]
        return [g for g in groups if g["kernels"]]

    def matrix_of(self):
        """Returns a matrix of kernels and instruction sets. Cells have the speed-up over the scalar reference, or how the version was verified, if it exists."""
        base, order = self.words["baseline"], self.words["isas"]
        plain = list(dict.fromkeys(r.who for r in self.bench if r.via in ("autovec", "words") and not r.variant))
        columns = sorted(plain) + order[1:]
        registry = {r["name"] for r in self.words["registry"]}
        rows = []
        for g in self.groups:
            for kernel, _, of_kernel in g["kernels"]:
                checks = self.verified["kernels"].get(kernel, {}).get("checks_of", {})
                measured = any(r.via in ("native", "simde") and r.isa in order[1:] for r in of_kernel)
                alone = not measured and not any(c.removesuffix("-simde") in order[1:] for c in checks) and (checks or kernel in registry)
                cells = []
                for who in columns:
                    speed = self.over(kernel, who, base)
                    cells.append((str(speed), speed.mean) if speed.of else ("reference only", None) if alone and who in order else
                                 ("native, verified", None) if checks.get(who) else ("SIMDe, verified", None) if checks.get(who + "-simde") else ("-", None))
                if any(text != "-" for text, _ in cells):
                    rows.append((kernel, len({r.data for r in self.bench if r.kernel == kernel and r.who == base}), cells))
        return {"columns": columns, "rows": rows}

    def summary_of(self, told):
        kernel, suffix, base = told["kernel"], told["suffix"], self.words["baseline"]
        for version in reversed(self.versions):
            who = version + suffix
            rows = self.of(kernel, who)
            scalar, autovec = self.over(kernel, who, base + suffix), self.over(kernel, who, base + "-autovec" + suffix)
            reference = Range((least(self.ns(f, kernel, base + a + suffix, r.data) for f in ("bench.json", "bench-clang.json") for a in ("", "-autovec")), r.ns)
                              for r in rows)
            right, any_peer = (Range((self.fastest_peer(kernel, r.data, also_wrong=w), r.ns) for r in rows) for w in (False, True))
            if scalar.of or right.of:
                return {"what": told["what"], "kernel": kernel, "who": who, "speeds": [scalar, autovec, reference, right, any_peer]}
        return None

    # ---- targets ----

    def reached(self, t, all_targets, row, file):
        kernel, data, measure, base = row.kernel, row.data, t["measure"], self.words["baseline"]
        over = {"scalar": lambda: least(self.ns(f, kernel, base, data) for f in ("bench.json", "bench-clang.json")),
                "read": lambda: self.ns(file, all_targets["limit"], "limit", data),
                "library": lambda: self.fastest_peer(kernel, data, t["library"], also_wrong=True)}
        if measure in over:
            time = over[measure]()
            return None if time is None or row.ns is None else time / row.ns
        if measure == "spheres":
            sphere = self.ns(file, kernel, row.who, all_targets["sphere"] + "/" + data.partition("/")[2])
            return None if sphere is None or row.ns is None else row.ns / sphere
        if measure in ("us", "ms"):
            return None if row.ns is None else row.ns / (1e3 if measure == "us" else 1e6)
        return row.counters.get("bytes_per_triangle" if measure == "bytes" else measure)

    def target_of(self, t, all_targets):
        measure, asked, data = t["measure"], t["target"], t.get("data", [])
        less, exact = measure in AT_MOST, measure in ("vertices", "faces", "corners")
        who = (t.get("who") or (self.versions or ["-"])[-1]) + t.get("suffix", "")
        file = "limits.json" if measure == "read" and any(r.file == "limits.json" for r in self.rows) else "bench.json"
        about = [r for r in self.rows if (r.file, r.kernel, r.who) == (file, t["kernel"], who) and (not data or r.data in data or r.data.partition("/")[2] in data)]
        found = [(self.reached(t, all_targets, r, file), r.data) for r in about]
        alone = measure == "library" and any(v is None for v, _ in found)
        found = [] if alone else [f for f in found if f[0] is not None]
        text = str(asked) if exact else figure(asked) if measure == "read" or (less and measure != "spheres") else times(asked)
        unit = {"scalar": " the faster scalar", "read": " of the read stream", "library": " the fastest " + t.get("library", "")}.get(measure, " " + AT_MOST.get(measure, "exactly").lstrip("× "))
        out = {"what": t["what"], "kernel": t["kernel"], "who": who, "target": text + unit + (" at most" if less else ""), "stretch": t.get("stretch", False),
               "measured": None, "result": "not measured", "met": None, "wrong": False, "data": ""}
        if found:
            value, at = (max if less else min)(found, key=lambda f: f[0])
            met = value == asked if exact else value <= asked if less else value >= asked
            wrong = measure == "library" and not min((r for r in self.libraries[(t["kernel"], at)] if r.who.startswith(t["library"])), key=lambda r: r.ns).is_right
            near = bool(self.noise) and not exact and measure != "bytes" and value > 0 and abs(math.log(value / asked)) < math.log1p(self.noise["typical"])
            out |= {"measured": f"{value:.0f}" if exact else figure(value) if measure in ("read", "bytes", "us", "ms") else times(value), "met": met, "near": near, "wrong": wrong,
                    "result": ("met" if met else "missed") + (", within noise" if near else ""), "data": at + (f", the worst of {len(found)}" if len(found) > 1 else "") + (", where the library's answer is wrong" if wrong else "")}
        return out

    def targets_met(self, stretch=False):
        judged = [t for t in self.targets if t["met"] is not None and t["stretch"] == stretch]
        near = sum(t["near"] for t in judged)
        return f"{sum(t['met'] for t in judged)} of the {len(judged)} measured" + (f"; within noise of their targets: {near}" if near else "") if judged else "none measured"

    # ---- the machine ----

    def at(self, path):
        value = self.machine
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        return "unknown" if value is None else value

    def facts(self):
        """Yields the facts of machine.json line by line."""
        caches = self.at("cpu.caches")
        yield "processor", self.processor
        yield "caches", ", ".join(f"{c['name']} {c['bytes'] >> 10} KiB" for c in caches) if isinstance(caches, list) else caches
        for what, path in (("processors", "cpu.cpus"), ("hypervisor", "cpu.hypervisor"), ("clock before, MHz", "cpu.clock_mhz_before"), ("clock after, MHz", "cpu.clock_mhz_now"),
                           ("governor", "cpu.governor"), ("memory, bytes", "memory.total_bytes"), ("system", "system.name"), ("kernel", "system.kernel")):
            yield what, self.at(path)
        for section in ("tools", "compile_flags", "load"):
            of = self.at(section)
            for what, value in of.items() if isinstance(of, dict) else ():
                yield f"{section.replace('_', ' ')}: {what}", ", ".join(map(str, value)) if isinstance(value, list) else "unknown" if value is None else value

    @property
    def processor(self):
        """Returns a text like "AMD EPYC, family 25, model 17 (Zen 4, Genoa)", because hypervisors hide the rest of the name."""
        cpu = self.machine.get("cpu", {})
        family, model = cpu.get("family"), cpu.get("model_number")
        known = [p[4] for p in self.words["processors"] if p[0] == cpu.get("vendor") and p[1] == family and isinstance(model, int) and p[2] <= model <= p[3]]
        text = str(cpu.get("model") or "unknown processor") + (f", family {family}, model {model}" if family is not None and model is not None else "")
        return text + (f" ({known[0]})" if known else "")

    @property
    def official(self):
        return "yes" if self.results["official"] else "no: " + "; ".join(self.results["unofficial_because"])


def hulls_of(file):
    """Returns the number of hulls of sets with a volume and of flat sets, and the kinds of faults, by library and by family."""
    if not file:
        return None
    whos, families, names = {}, {}, list(dict.fromkeys(t["who"] for t in file["trials"]))
    for t in file["trials"]:
        wrong = t["outcome"]
        if wrong == "faulty":
            wrong = next((said for fault, said in KNOWN_FAULTS if fault in t.get("faults", [])), "otherwise wrong")
        flat = t["dimension"] < 3
        of = whos.setdefault(t["who"], {"volume": 0, "flat": 0, "wrong": {}, "wrong_flat": {}, "outside": 0.0})
        of["flat" if flat else "volume"] += 1
        of["outside"] = max(of["outside"], 0.0 if flat else t.get("outside_of_extent") or 0.0)
        in_family = families.setdefault(t["family"], {w: {} for w in names})[t["who"]]
        if wrong != "valid":
            for count in (of["wrong_flat" if flat else "wrong"], in_family):
                count[wrong] = count.get(wrong, 0) + 1
    return {"who": whos, "family": families, "names": names}


def program_of(conformance, adapter):
    """Returns a program's row of the conformance matrix: its counts by family, and its correct answers among the families that it supports."""
    counts = [adapter["families"].get(f["family"], {}) for f in conformance["families"]]
    offered = [sum(c.get(r, 0) for r in RESULTS) for c in counts]
    return {"name": adapter["name"], "version": adapter["version"], "passed": sum(c.get("pass", 0) for c in counts), "asked": sum(offered),
            "cells": [([(c[r], r) for r in RESULTS if c.get(r)]) for c in counts]}
