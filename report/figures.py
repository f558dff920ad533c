# SPDX-License-Identifier: MIT
"""The content of one machine's pages, computed from its results.json and the other files in its folder. This file names no kernels. The registry,
words.json and targets.json do."""
import math
import re
import statistics

LIBRARY = "over library"
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
    """Geometric mean of ratios, with minimum and maximum. `fallback` is the text without any."""

    def __init__(self, pairs, fallback="-"):
        self.of = [a / b for a, b in pairs if a is not None and b is not None]
        self.mean = math.exp(statistics.fmean(map(math.log, self.of))) if self.of else None
        self.fallback = fallback

    @property
    def span(self):
        return f"{figure(min(self.of))} to {figure(max(self.of))}" if len(self.of) > 1 else ""

    @property
    def kind(self):
        """Returns the class of its colour."""
        return "faint" if self.mean is None else "loss" if self.mean < 0.995 else "win"

    def __str__(self):
        return (times(self.mean) if self.of else self.fallback) + (f" ({self.span})" if self.span else "")


def kind_of(ratio):
    return Range([(ratio, 1)]).kind


class Row:
    """A row of results.json with its texts for the tables."""

    def __init__(self, row):
        self.kernel, self.who, *rest = row["name"].split("/", 2)
        self.data = rest[0] if rest else ""
        self.name, self.file, self.via, self.isa, self.variant = (row[m] for m in ("name", "file", "via", "isa", "variant"))
        self.ns, self.mad, self.n, self.error = row["median_ns"], row["mad_ns"], row["n"], row["error"]
        self.compiler, self.item, self.note, self.counters = row["compiler"], row["item"], row["note"], row["counters"]
        if self.via == "words":  # the algorithm in plain C, in older results
            self.isa = "plain"
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
        return f"{figure(self.ns) if self.ns < 999.5 else f'{self.ns:,.0f}'} ± {self.mad:,.{places}f}"

    @property
    def over_scalar(self):
        return self.scalar / self.ns if self.scalar and self.ns else None

    @property
    def over_peer(self):
        return self.peer / self.ns if self.peer and self.ns else None


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
        self.of_kernel = {}
        for r in self.bench:
            self.of_kernel.setdefault(r.kernel, []).append(r)
        self.versions = self.measured_versions()
        self.refused = [r for r in self.rows if r.error is not None and r.via != "peer"]
        self.disagreements = self.verified["disagreements"]
        self.noise = self.noise_of()
        self.cells = {(kernel, column): self.cell(kernel, column) for kernel in set(self.of_kernel) | set(self.verified["kernels"]) for column in self.columns_known}
        self.columns = [c for c in self.columns_known if any(cell.of for (_, column), cell in self.cells.items() if column == c)]
        self.compared = [c for c in self.columns if c != LIBRARY]
        self.summary = list(map(self.summary_of, words["summary"]))
        self.targets = [self.target_of(t, targets) for t in targets["targets"]]
        self.hulls = hulls_of(beside.get("hulls.json"))
        self.conformance = beside.get("conformance.json")
        self.asked = conformance_of(self.conformance) if self.conformance else None
        self.pipeline, self.notes = beside.get("pipeline.json"), beside.get("notes.md")

    # ---- rows ----

    def ns(self, file, kernel, who, data):
        row = self.by_name.get((file, kernel, who, data))
        return row.ns if row else None

    def fastest_peer(self, kernel, data, begin="peer", also_wrong=False):
        """Returns the time of the fastest library with correct answers on these data."""
        return least(r.ns for r in self.libraries.get((kernel, data), []) if r.who.startswith(begin) and (also_wrong or r.is_right))

    def of(self, kernel, who):
        return [r for r in self.of_kernel.get(kernel, []) if r.who == who]

    def measured_versions(self):
        """Returns the versions of this machine's instruction sets. The algorithm in plain C comes first, the preferred version last."""
        order = self.words["isas"]
        found = {r.who: (r.via == "native", order.index(r.isa)) for r in self.bench
                 if r.isa in order and (r.via == "words" or (r.via == "native" and r.who == r.isa and r.who != self.words["baseline"]))}
        return sorted(found, key=found.get)

    def over(self, kernel, who, baseline):
        return Range((self.ns("bench.json", kernel, baseline, r.data), r.ns) for r in self.of(kernel, who))

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

    @property
    def columns_known(self):
        """Names the columns of the matrix, which are the compiler's vectors, the instruction sets, and the fastest correct library."""
        return [self.words["baseline"] + "-autovec", *self.words["isas"][1:], LIBRARY]

    def cell(self, kernel, column):
        """Returns a kernel's speed-ups over the scalar reference in the same form, or over the fastest correct library."""
        base = self.words["baseline"]
        if column == LIBRARY:
            return Range((r.peer, r.ns) for r in self.preferred(kernel))
        rows = [r for r in self.of_kernel.get(kernel, []) if (r.via == "autovec" if column == base + "-autovec" else r.isa == column and r.via in ("native", "words"))]
        pairs = {r: self.ns("bench.json", kernel, base + ("-" + r.variant if r.variant else ""), r.data) for r in rows}
        plain = [r for r in rows if not r.variant and pairs[r]]
        checks = self.verified["kernels"].get(kernel, {}).get("checks_of", {})
        known = any(c.removesuffix("-simde") in self.words["isas"][1:] for c in checks)
        fallback = "verified" if checks.get(column) else "verified by SIMDe" if checks.get(column + "-simde") else "-" if known or not checks else "reference only"
        return Range(((pairs[r], r.ns) for r in plain or rows), fallback)

    def preferred(self, kernel):
        """Returns the rows of the preferred version. A kernel that the instruction set has in other forms only is shown in the most measured one."""
        suffix = next((s["suffix"] for s in self.words["summary"] if s["kernel"] == kernel), "")
        for version in [*reversed(self.versions), self.words["baseline"]]:
            rows = [r for r in self.of_kernel.get(kernel, []) if r.ns is not None and r.via in ("native", "words") and (r.who == version + suffix or r.isa == version)]
            whos = [r.who for r in rows]
            who = version + suffix if version + suffix in whos else max(whos, key=whos.count, default=None)
            if who:
                return [r for r in rows if r.who == who]
        return []

    def component(self, kernels, column):
        """Returns the means of a component's kernels."""
        cells = [self.cells[k, column] for k in kernels if (k, column) in self.cells]
        texts = {c.fallback for c in cells if not c.of} - {"-"}
        return Range(((c.mean, 1) for c in cells), min(texts, default="-", key=["verified", "verified by SIMDe", "reference only"].index))

    def summary_of(self, told):
        """Returns a line of the summary: each version over the scalar reference in the same form, and the preferred one over the fastest reference of any
        compiler, the fastest correct library and the fastest library. None if the kernel was not measured. Rows whose results are less exact
        than the library's are left out ("without")."""
        kernel, suffix, base, without = told["kernel"], told["suffix"], self.words["baseline"], told.get("without")
        for version in [*reversed(self.versions), base]:
            who = version + suffix
            rows = [r for r in self.of(kernel, who) if r.ns is not None and r.data != without]
            if rows:
                break
        else:
            return None
        of_column = {c: [r for r in self.of_kernel[kernel] if r.data != without and (r.who == c + suffix or (r.isa == c and r.via in ("native", "words") and "-" + (r.variant or "") == (suffix or "-")))]
                     for c in self.compared}
        versions = {c: Range((self.ns("bench.json", kernel, base + suffix, r.data), r.ns) for r in of) for c, of in of_column.items()}
        reference = Range((least(self.ns(f, kernel, base + a + suffix, r.data) for f in ("bench.json", "bench-clang.json") for a in ("", "-autovec")), r.ns)
                          for r in rows if version != base)
        right, any_peer = (Range((self.fastest_peer(kernel, r.data, also_wrong=w), r.ns) for r in rows) for w in (False, True))
        return {"what": told["what"], "kernel": kernel, "who": who, "versions": versions, "over_scalar": self.over(kernel, who, base + suffix),
                "right": right, "any_peer": any_peer, "speeds": [*versions.values(), reference, right, any_peer]}

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


def conformance_of(matrix):
    """Returns the asked families with the counts of each program by result. Programs have their sums."""
    families = [f for f in matrix["families"] if f.get("asked")]
    cells = [[{r: a["families"].get(f["family"], {}).get(r, 0) for r in RESULTS} for a in matrix["adapters"]] for f in families]
    sums = [{r: sum(row[i][r] for row in cells) for r in RESULTS} for i in range(len(matrix["adapters"]))]
    return {"families": [(f["family"], row) for f, row in zip(families, cells) if any(map(any_of, row))],
            "programs": [{"name": a["name"], "version": a["version"], "passed": s["pass"], "asked": sum(s.values())} for a, s in zip(matrix["adapters"], sums)]}


def any_of(counts):
    return any(counts.values())


def groups_of(machines, words):
    """Returns components with their kernels, sentences and rows of all machines, as named by the registry and words.json. Other kernels come last."""
    said = [(r["group"], r["name"], r["sentence"]) for r in words["registry"]]
    said += [(g["group"], k, sentence) for g in words["others"] for k, sentence in g["kernels"].items()]
    known, rows_of = {k for _, k, _ in said}, {}
    for m in machines:
        for r in m.rows:
            r.machine = m
            rows_of.setdefault(r.kernel, []).append(r)
    said += [("Other", k, "") for k in rows_of if k not in known]
    groups = {}
    for group, kernel, sentence in said:
        rows = sorted(rows_of.get(kernel, []), key=lambda r: (r.order(), r.machine.name))
        if rows or any(kernel in m.verified["kernels"] for m in machines):
            groups.setdefault(group, []).append((kernel, sentence, rows))
    return groups


# ---- cost against size ----

def sizes_of(machine, kernels, worlds):
    """Returns for each kernel with several sizes the curves of scalar, the preferred version, and the fastest correct library, as points of
    size and cost, and the exponent. The family of data with the most sizes is shown. A size is the number in a data set's name, or the voxels of its world."""
    found = []
    for kernel in kernels:
        families = {}
        for r in machine.of_kernel.get(kernel, []):
            family, size = size_in(r.data, worlds)
            if size and r.ns is not None:
                families.setdefault(family, {}).setdefault(size, {})[r.who] = r
        if not families:
            continue
        family, sizes = max(families.items(), key=lambda f: len(f[1]))
        if len(sizes) < 2 or max(sizes) < 4 * min(sizes):
            continue
        whos = [machine.words["baseline"], *dict.fromkeys(r.who for r in machine.preferred(kernel)), "library"]
        curves = []
        for who in dict.fromkeys(whos):
            points = [(size, of[who].ns if who in of else next(iter(of.values())).peer if who == "library" else None) for size, of in sorted(sizes.items())]
            points = [p for p in points if p[1]]
            if len(points) > 1:
                curves.append({"who": who, "points": points, "exponent": slope([(math.log(a), math.log(b)) for a, b in points])})
        item = next((r.item for of in sizes.values() for r in of.values() if r.item), "items")
        if curves:
            found.append({"kernel": kernel, "family": family, "item": item[:-3] + "y" if item.endswith("ies") else item.removesuffix("s"), "curves": curves})
    return found


def size_in(data, worlds):
    """Returns the family and the size of data such as "ball/1000", "chunks-of-64/coherent", "planet/by-20", "terrain-l2", "terrain-l2/1000" (bodies)."""
    world, _, rest = data.partition("/")
    found = re.search(r"(?<=/)\d+$|(?<=-of-)\d+(?=/|$)|(?<=/by-)[\d.]+$", data)
    if found:
        return data[:found.start()] + "N" + data[found.end():], float(found[0])
    family, size = worlds.get(world, ("", None))
    return family + ("/" + rest if rest else ""), size


def slope(points):
    """Returns the least-squares slope."""
    x, y = (statistics.fmean(p[i] for p in points) for i in (0, 1))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
