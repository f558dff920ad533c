# SPDX-License-Identifier: MIT
# Rows of results.json. Splits names such as "kd_ray/avx2-slab/chunks-of-64/coherent", finds the data that a row reads, reads rows from files of
# Google Benchmark, and derives values from their samples. docs/BENCHMARKING.md defines the meaning.
import functools
import math
import os
import re
import typing

import stats
from files import Fault, as_object, cut, figure_at, integer_or, is_number, list_at, load_json, member, object_at, text_at

# Statistics cost up to O(samples^2). These maxima keep them fast.
MAX_ROWS, MAX_SAMPLES = 20000, 4096

NOT_COUNTERS = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations", "real_time",
                "cpu_time", "items_per_second", "items", "round"}


# ---- names ----

class Name(typing.NamedTuple):
    kernel: str
    isa: str  # "scalar", "avx2". "" for libraries, limits and code that the compiler vectorised
    via: str  # "native", "simde", "autovec", "words", "peer", "limit", "other"
    variant: str  # "slab", or a peer's name. "" = none
    dataset: str  # "chunks". "" = none
    parameter: str  # "coherent", "of-64/coherent". "" = none

    @property
    def key(self) -> str:
        """The key of the row's answers: the name with "any" for the instruction set and for the number of threads."""
        who = self.via if self.via in ("peer", "limit", "other") else "any"
        parameter = re.sub(r"threads-[0-9]*", "threads-any", self.parameter, count=1)
        return f"{self.kernel}/{who}" + "".join(mark + part for mark, part in (("-", self.variant), ("/", self.dataset), ("/", parameter)) if part)


LARGEST_PART = Name(31, 15, 7, 47, 31, 63)  # bytes


class Data:
    """The data sets' folder, "" if it could not be opened, and what the program knows of kernels, instruction sets, and sets with a number of
    points or bodies in their names."""

    def __init__(self, folder: str, known: dict):
        self.folder, self.kernels, self.isas, self.counted = folder, set(known["kernels"]), known["isas"], set(known["counted"])
        self.unopened, sets = known["error"], load_json(os.path.join(folder, "manifest.json"))["sets"] if folder else []
        self.sets = {entry["name"]: entry for entry in sets}
        self.parse_name = functools.lru_cache(maxsize=None)(self.parse_name)
        self.rename_text = functools.lru_cache(maxsize=None)(self.rename_text)

    @functools.cached_property
    def golden(self) -> dict:
        """The digests of all known answers: "verify" by kernel, data set and form, "bench" by a row's key."""
        path = os.path.join(self.folder, "digests.json")
        digests = load_json(path)
        if not isinstance(member(digests, "verify"), dict) or not isinstance(member(digests, "bench"), dict):
            raise Fault(f'{path}: "verify" or "bench" is missing')
        return digests

    @functools.cached_property
    def retired(self) -> dict:
        path = os.path.join(self.folder, "retired-names.json")
        names = load_json(path)
        for old, new in names.items():
            if not isinstance(new, str):
                raise Fault(f'{path}: "{old}" has no name')
        return names

    # Names of data sets and versions.

    def split_who(self, who: str) -> tuple[str, str, str]:
        """Returns instruction set, via and variant."""
        # "scalar-words" is the plain version's name in older results
        known = [("scalar-autovec", "autovec"), ("scalar-words", "words")] + [(isa + "-simde", "simde") for isa in self.isas]
        known += [(isa, "native") for isa in self.isas] + [("peer", "peer"), ("limit", "limit")]
        for begin, via in known:
            if who == begin or who.startswith(begin + "-"):
                return "" if via in ("autovec", "peer", "limit") else begin.partition("-")[0], via, who[len(begin) + 1:]
        return "", "other", who

    def parse_name(self, name: str) -> Name | None:
        """Returns None if a part is too long, or kernel or WHO is missing."""
        kernel, _, rest = name.partition("/")
        who, slash, data = rest.partition("/")
        if not kernel or not who:
            return None
        dataset, parameter = "", ""
        if slash and kernel == "edit_to_ray":  # "voxel" means edits of a single world
            dataset, parameter = "terrain-230k", data
        elif slash:
            dataset, _, parameter = data.partition("/")
            if "-of-" in dataset:
                dataset = dataset.partition("-of-")[0]
                parameter = data[len(dataset) + 1:]
        parts = Name(kernel, *self.split_who(who), dataset, parameter)
        return parts if all(len(part.encode()) <= most for part, most in zip(parts, LARGEST_PART)) else None

    def manifest_hash(self, name: str) -> str | None:
        """Returns the manifest's hash of a set, or of a set on another one: "chunks/coherent"."""
        first, slash, rest = name.partition("/")
        if not slash:
            return as_object(self.sets.get(first)).get("hash")
        if first in self.counted:
            return object_at(self.sets.get(first), "hashes").get(rest)
        return object_at(self.sets.get(rest), "hashes").get(first) if first in self.sets else None

    def hash_of_row(self, name: Name) -> str | None:
        """Returns the manifest's hash of the data that a row reads."""
        parameter = name.parameter.partition("/")[2] if name.parameter.startswith("of-") else name.parameter  # a subset of the rays
        whole = f"{name.dataset}/{parameter}"
        found = self.manifest_hash(whole)
        if found is None and "threads-" not in parameter:  # the last part is a parameter: "world/coherent/cold"
            shorter = whole.rpartition("/")[0]
            found = self.manifest_hash(shorter) if "/" in shorter else None
        if found is None and name.dataset not in self.counted:
            found = self.manifest_hash(name.dataset)
        return found

    # ---- retired names ----
    # Published files keep their old names. Readers replace them with today's.

    def who_today(self, name: str) -> str | None:
        """Returns today's WHO of a row's name, and the parameter that replaced a part of it, if any: "scalar-object/cold"."""
        parts = name.split("/")
        return self.retired.get(parts[1]) if len(parts) > 1 and " " not in name else None

    def rename_text(self, text: str) -> str:
        """Replaces retired kernels wherever they are whole words. "terrain_ray/scalar-cold/world/coherent" becomes
        "terrain_ray/scalar-object/world/coherent/cold"."""
        today, who = re.sub(r"[A-Za-z0-9_]+", lambda m: self.retired.get(m[0], m[0]), text), self.who_today(text)
        if who is not None:
            kernel, _, *data = today.split("/")
            version, *parameter = who.split("/")
            today = "/".join([kernel, version, *data, *parameter])
        return today

    def rename(self, value):
        """Renames all texts and keys of a JSON value, and the parts of its name that a row repeats."""
        if isinstance(value, str):
            return self.rename_text(value)
        if isinstance(value, list):
            return [self.rename(item) for item in value]
        if not isinstance(value, dict):
            return value
        today = {self.rename_text(key): self.rename(of_key) for key, of_key in value.items()}
        before, name = text_at(value, "name"), text_at(today, "name")
        if before is not None and name is not None and "variant" in today and self.who_today(before) is not None:
            parts = self.parse_name(name)
            if parts is not None:
                today |= {"variant": parts.variant or None, "parameter": parts.parameter or None}
        return today


# ---- rows ----

def real_or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None


def pair_or_none(low: float, high: float) -> list | None:
    return [low, high] if math.isfinite(low) and math.isfinite(high) else None


def is_ours(row: dict) -> bool:
    """Returns whether a row measures a version of this project, not a library, a limit or anything else."""
    return row["via"] not in ("peer", "limit", "other")


def name_of(entry) -> str | None:
    name = text_at(entry, "run_name")
    return name if name is not None else text_at(entry, "name")


def is_aggregate(entry) -> bool:
    return text_at(entry, "run_type") == "aggregate"


# ---- reading ----

def hash_in(label: str, word: str) -> str | None:
    """Returns the hash after a word in a label such as "digest=0123456789abcdef"."""
    found = re.search(word + "([0-9a-f]*)", label)
    return found[1] if found and len(found[1]) == 16 else None


def new_row(entry: dict, name: str, file: str, bench: dict, data: Data) -> dict | None:
    parts = data.parse_name(name)
    if parts is None:
        return None
    label = text_at(entry, "label") or ""
    item, note = re.fullmatch(r"([^ ,]*)[ ,]*(.*)", label, re.S).groups()
    compiler, autovec = text_at(bench, "context.voxphys_compiler"), text_at(bench, "context.voxphys_autovec")
    return {
        "name": name, "file": file, "kernel": parts.kernel, "isa": (autovec if parts.via == "autovec" else parts.isa) or None,
        "via": parts.via, "variant": parts.variant or None, "dataset": parts.dataset or None, "parameter": parts.parameter or None,
        "dataset_hash": hash_in(label, "data=") or data.hash_of_row(parts), "output_hash": hash_in(label, "digest="),
        "compiler": (compiler or None) if parts.via != "peer" else None, "item": item or None,
        "note": note.partition("digest=")[0].rstrip(" ") or None, "error": None, "refused": 0, "counters": {}, "samples_ns": [], "rounds": []}


def read_entry(entry: dict, row: dict) -> None:
    """Adds a repetition to its row. Counters are those of the last one, because counters of work are equal in all."""
    if member(entry, "error_occurred") is True:
        message = text_at(entry, "error_message")
        row["error"] = "refused" if message is None else message
        row["refused"] += 1
        return
    rate = figure_at(entry, "items_per_second")
    nanoseconds = 1e9 / rate if rate > 0 else math.nan
    where = f'{row["file"]}: benchmark "{cut(row["name"], 80)}"'
    if not math.isfinite(nanoseconds):
        raise Fault(f"{where} has no items_per_second above 0")
    if len(row["samples_ns"]) == MAX_SAMPLES:
        raise Fault(f"{where} has more than {MAX_SAMPLES} repetitions")
    row["samples_ns"].append(nanoseconds)
    row["rounds"].append(integer_or(member(entry, "round"), 1))
    row["counters"] |= {key: value for key, value in entry.items() if is_number(value) and key not in NOT_COUNTERS}


def read_rows(bench: dict, file: str, data: Data, rows: list) -> None:
    """Appends the rows of a file of Google Benchmark."""
    by_name = {}
    for i, entry in enumerate(list_at(bench, "benchmarks")):
        if is_aggregate(entry):
            continue
        name = name_of(entry)
        row = by_name.get(name)
        if row is None and name is not None and len(rows) < MAX_ROWS:
            row = new_row(entry, name, file, bench, data)
            if row is not None:
                by_name[name] = row
                rows.append(row)
        if row is None:
            raise Fault(f'{file}: benchmark {i}, "{cut(name or "", 80)}", has no name of the form kernel/who/dataset, '
                        f"or is one of more than {MAX_ROWS}")
        read_entry(entry, row)


# ---- derived from the row's samples ----

def summarise_row(row: dict) -> None:
    samples = [] if isinstance(row["error"], str) else [float(sample) for sample in row["samples_ns"]]
    s, modes, drift = stats.summarise(samples), stats.find_modes(samples), stats.measure_drift(samples)
    row |= {"n": len(samples), "median_ns": real_or_none(s.median), "mad_ns": real_or_none(s.mad), "min_ns": real_or_none(s.least),
            "p95_ns": real_or_none(s.p95), "median_95_ns": pair_or_none(s.low, s.high), "modes_ns": pair_or_none(*modes) if modes else None,
            "drift": drift if drift != 1 else None}


# ---- derived from other rows ----

UNROLLED = 4  # registers in flight
BASELINES = (("scalar_ns", "bench.json", "scalar"), ("scalar_autovec_ns", "bench.json", "scalar-autovec"),
             ("clang_scalar_ns", "bench-clang.json", "scalar"), ("clang_scalar_autovec_ns", "bench-clang.json", "scalar-autovec"))


def largest_speed_up(kernel: str, isa: str) -> float:
    """Returns the maximum speed-up of SIMD over plain code: items per register, times registers in flight. A larger one means another
    algorithm, or a mistake."""
    size = {"avx512": 64, "avx2": 32}.get(isa, 16)
    is_of_bytes = kernel.startswith(("dilate_", "mesh_", "edge_", "build_"))
    return (size if is_of_bytes else size / 4) * UNROLLED


def baseline_of(by_name: dict, file: str, row: dict, who: str) -> float:
    """Returns the median of a baseline's row, of the same variant if it exists, otherwise without one."""
    data = "/".join(["", *row["name"].split("/")[2:]])
    variants = (["-" + row["variant"]] if row["variant"] is not None else []) + [""]
    for variant in variants:
        of = by_name.get((file, f'{row["kernel"]}/{who}{variant}{data}'))
        if of is not None:
            return figure_at(of, "median_ns")
    return math.nan


def relate_row(row: dict, by_name: dict) -> None:
    baselines = {key: baseline_of(by_name, file, row, who) for key, file, who in BASELINES}
    fastest = min((ns for ns in baselines.values() if not math.isnan(ns)), default=math.inf)
    speed_up = fastest / figure_at(row, "median_ns")
    warnings = []
    if isinstance(row["modes_ns"], list):
        warnings.append("samples of two kinds: about %.4g and %.4g ns" % tuple(row["modes_ns"]))
    if is_number(row["drift"]):
        warnings.append("the last samples take %.3g times as long as the first" % row["drift"])
    is_simd = row["via"] == "native" and row["isa"] not in (None, "scalar", "plain")
    if is_simd and math.isfinite(speed_up) and speed_up > largest_speed_up(row["kernel"], row["isa"]):
        warnings.append(f'{speed_up:.4g} times as fast as the fastest plain code, more than {row["isa"]} has lanes times {UNROLLED}: '
                        "another algorithm, or a mistake")
    row |= {"baselines": {key: real_or_none(ns) for key, ns in baselines.items()}, "speed_up": real_or_none(speed_up), "warnings": warnings}


def relate_rows(rows: list) -> None:
    """Derives baselines and speed-ups, after all rows are summarised."""
    by_name = {}
    for row in rows:
        key = row["file"], row["name"]
        if key in by_name:
            raise Fault(f'row "{cut(key[1], 100)}" of {cut(key[0], 40)} is there twice, or its name is too long')
        by_name[key] = row
    for row in rows:
        relate_row(row, by_name)


def measure_noise(rows: list) -> dict:
    """Compares rows "noise/first/DATA" and "noise/second/DATA", which measure the same thing twice."""
    pairs, ratios = [], []
    for row in rows:
        if row["name"].startswith("noise/first/"):
            what = row["name"].removeprefix("noise/first/")
            ratios_here = [figure_at(other, "median_ns") / figure_at(row, "median_ns") for other in rows if other["name"] == "noise/second/" + what]
            pairs += [{"what": what, "ratio": real_or_none(ratio)} for ratio in ratios_here]
            ratios += [max(ratio, 1 / ratio) for ratio in ratios_here if math.isfinite(ratio)]
    relative = [figure_at(row, "mad_ns") / figure_at(row, "median_ns") for row in rows]
    typical = stats.summarise([share for share in relative if math.isfinite(share)]).median
    return {"same_twice": pairs, "score": max(ratios) - 1 if ratios else None, "typical_mad": real_or_none(typical)}
