# SPDX-License-Identifier: MIT
# Makes results.json from a folder's files, and judges one. Both derive all derived values by the same functions. The judge compares them, and
# hashes of answers and data with those of every machine and of the raw files.
import functools
import os
import re

import problems
import xxh3
from files import (ABSENT, Fault, Unreadable, cut, figure_at, is_equal, is_number, list_at, load_json, member, read_bytes, read_json, replace,
                   text_at, write_json)
from form import FILES_OF_ROWS, FORMAT, RAW_FILES, VERSION, Form, check_raw
from rows import Data, measure_noise, read_rows, relate_rows, summarise_row

RESULTS = "results.json"


# ---- derived values ----

def is_of_one_round(row: dict) -> bool:
    """Hulls of 100,000 points and more are measured in one round, because their times are minutes and vary little."""
    return row["kernel"].startswith("hull") and re.fullmatch("[0-9]{6,}", row["parameter"] or "") is not None


def list_reasons_of_machine(results: dict) -> list[str]:
    reasons = []
    mark, commit, dirty = (member(results, "machine." + path) for path in ("unofficial", "voxphys.commit", "voxphys.dirty"))
    if isinstance(mark, str):
        reasons.append(mark)
    elif mark is not None:
        reasons.append("it is unknown whether the run was marked as not official")
    if not isinstance(commit, str):
        reasons.append("the commit is unknown")
    elif not re.fullmatch("[0-9a-f]{40}", commit):
        reasons.append(f'the commit "{cut(commit, 60)}": must be 40 hexadecimal digits')
    if dirty is not False:
        reasons.append("the checkout had changes that are in no commit" if dirty is True else "it is unknown whether the checkout had changes")
    if text_at(results, "machine.compile_flags.scalar") is None:
        reasons.append("it is unknown how the reference was compiled")
    if any(member(results, "machine.float_mode." + path) is True for path in ("flushes_results", "flushes_operands")):
        reasons.append("denormals were flushed to zero")
    return reasons


def list_reasons(results: dict) -> list[str]:
    """Returns why results are not official, from their own content. docs/BENCHMARKING.md lists the reasons."""
    reasons = list_reasons_of_machine(results)
    if not figure_at(results, "verified.checks") > 0 or figure_at(results, "verified.disagreements") > 0:
        reasons.append("not every version of every kernel agreed with the reference")
    for name in ("hulls.json", "conformance.json"):
        if name not in [file["name"] for file in results["files"]]:
            reasons.append(f"there is no {name}, which every whole run writes")
    ours = [row for row in results["rows"] if row["via"] != "peer"]
    measured = [row for row in ours if row["error"] is None]
    for count, what in ((len(ours) - len(measured), "of voxphys were refused"),
                        (sum(row["n"] < 3 for row in measured), "have fewer than three samples"),
                        (sum(len(set(row["rounds"])) < 3 and not is_of_one_round(row) for row in measured), "were measured in fewer than three rounds")):
        if count > 0:
            reasons.append(f"{count} benchmarks {what}")
    if results["noise"]["score"] is None:
        reasons.append("nothing was measured twice, so the noise is unknown")
    if results["contradictions"]:
        reasons.append(f'the raw files contradict themselves or what every machine answers: {len(results["contradictions"])} times')
    return reasons


def list_warnings(results: dict) -> list[str]:
    """Returns warnings about the machine."""
    warnings = []
    before, after = figure_at(results, "machine.cpu.clock_mhz_before"), figure_at(results, "machine.cpu.clock_mhz_now")
    load, governor = list_at(results, "machine.load.before")[:1], text_at(results, "machine.cpu.governor")
    if after > 1.05 * before or before > 1.05 * after:
        warnings.append(f"the clock was {before:.0f} MHz before and {after:.0f} MHz after")
    if load and is_number(load[0]) and load[0] > figure_at(results, "machine.cpu.cpus") / 2:
        warnings.append(f"other programs were running before: a load of {load[0]:.2f}")
    if governor not in (None, "performance"):
        warnings.append(f'the clock\'s governor was "{cut(governor, 40)}", not "performance"')
    if figure_at(results, "noise.score") > 0.05:
        warnings.append(f'the same thing measured twice differs by {results["noise"]["score"] * 100:.1f} %: smaller differences say nothing')
    of_peers = problems.Kind(warnings, "rows of libraries with repetitions that were refused")
    for row in results["rows"]:
        if row["error"] is not None and row["via"] == "peer":
            of_peers.add(f'row {cut(row["name"], 150)}: {problems.refused_share(row)}')
    of_peers.close()
    return warnings


def derive(results: dict) -> None:
    """Derives all derived values: summaries, noise, warnings, whether the file is official, and why not."""
    for row in results["rows"]:
        summarise_row(row)
    relate_rows(results["rows"])
    results["declared_unofficial"] = text_at(results, "machine.unofficial")
    results["noise"] = measure_noise(results["rows"])
    results["warnings"] = list_warnings(results)
    reasons = list_reasons(results)
    results |= {"official": not reasons, "unofficial_because": reasons}


def seal_of(results: dict) -> str:
    """Hashes all members except the seal, independent of whitespace and the order of members."""
    return xxh3.hash_text(write_json({key: value for key, value in results.items() if key != "seal"}, sort=True).encode())


# ---- making ----

@functools.lru_cache
def list_files(folder: str) -> list[dict]:
    """Lists the folder's raw files in a fixed order: name, and size and hash of the uncompressed content."""
    contents = {name: read_bytes(f"{folder}/{name}") for name in RAW_FILES}
    return [{"name": name, "bytes": len(content), "xxh3": xxh3.hash_text(content)} for name, content in contents.items() if content is not None]


def read_raw(folder: str, data: Data, whole: bool) -> dict:
    """Reads a folder's files, None without one. Renames retired kernels in those that have any."""
    raw = {}
    for name in (*RAW_FILES, "verify.json", *([RESULTS] if whole else [])):
        content = raw[name] = read_json(f"{folder}/{name}", name in FILES_OF_ROWS)
        if content is not None:
            check_raw(content, name, f"{folder}/{name}")
    return {name: data.rename(content) if name in (*FILES_OF_ROWS, "verify.json", RESULTS) else content for name, content in raw.items()}


def list_contradictions(raw: dict, rows: list, data: Data) -> list[str]:
    """Lists contradictions in the files, between them, and with the answers of every machine."""
    found = []
    problems.check_answers(rows, data, found, [])
    problems.check_verified(raw["verify.json"], rows, data, found)
    for file in FILES_OF_ROWS:
        problems.check_bench(raw[file], file, data, found)
    problems.check_machine(raw, rows, found)
    problems.check_hulls(raw["hulls.json"], found)
    problems.check_conformance(raw["conformance.json"], found)
    problems.check_rounds(rows, found)
    problems.check_pipeline(raw["pipeline.json"], found)
    return found


def make_results(folder: str, data: Data, whole: bool) -> dict:
    """Makes results from a folder's files. If verify.json is missing, "verified" comes from an earlier results.json. With `whole` the files
    that results are made of must exist. Otherwise the existing files are used, for a comparison."""
    raw, rows = read_raw(folder, data, whole), []
    kept = member(raw.get(RESULTS), "verified")
    for name in ("machine.json", "verify.json", "bench.json") if whole else ():
        if raw[name] is None and (name != "verify.json" or member(kept, "kernels") is ABSENT):
            raise Fault(f"{folder} has no {name}")
    files = list_files(folder)
    for file in FILES_OF_ROWS:
        read_rows(raw[file], file, data, rows)
    verified = problems.summarise_verify(raw["verify.json"]) if raw["verify.json"] is not None else kept if whole else ABSENT
    results = {"format": FORMAT, "version": VERSION, "official": None, "unofficial_because": None, "declared_unofficial": None,
               "contradictions": list_contradictions(raw, rows, data), "machine": raw["machine.json"], "verified": verified, "noise": None,
               "warnings": None, "files": files, "rows": rows}
    results = {key: value for key, value in results.items() if value is not ABSENT and (key != "machine" or value is not None)}
    derive(results)
    return results | {"seal": seal_of(results)}


def write_results(folder: str, results: dict) -> None:
    """Writes results.json, one row a line."""
    parts = []
    for key, value in results.items():
        text = "[\n" + ",\n".join(map(write_json, value)) + "\n]" if key == "rows" else write_json(value, indent=1)
        parts.append(f'"{key}": {text}')
    replace(f"{folder}/{RESULTS}", "{\n" + ",\n".join(parts) + "\n}\n")


def mark_unofficial(folder: str, reason: str) -> None:
    """Adds a reason to a folder's machine.json why it is not official."""
    path = f"{folder}/machine.json"
    machine = read_json(path)
    if machine is None:
        raise Fault(f"{folder} has no machine.json")
    before = text_at(machine, "unofficial")
    if before != reason:
        machine["unofficial"] = reason if before is None else f"{before}; {reason}"
        replace(path, write_json(machine, indent=2, digits=15))


# ---- opening ----

def relate_moved(before: list, results: dict, data: Data) -> None:
    """Derives baselines again. A row whose variant became a parameter now belongs to another question."""
    if Form(results, data).problems:  # the judge reports them
        return
    related = [dict(row) for row in results["rows"]]
    try:
        relate_rows(related)
    except Fault:
        return
    for was, row, now in zip(before, results["rows"], related):
        if not is_equal(was["variant"], row["variant"]):
            row |= {key: now[key] for key in ("baselines", "speed_up", "warnings")}


def open_results(given: str, data: Data) -> tuple[str, dict]:
    """Opens a file, or results.json of a folder, and updates its names: a valid seal stays valid, an invalid one stays invalid. Without data
    sets names stay unchanged. Returns the path too."""
    if not given:
        raise Fault("the path is empty")
    path = f"{given}/{RESULTS}" if os.path.isdir(given) else given
    results = load_json(path)
    today = data.rename(results) if data.folder else results
    if not is_equal(today, results) and text_at(results, "seal") == seal_of(results):
        relate_moved(results.get("rows"), today, data)
        today["seal"] = seal_of(today)
    return path, today


# ---- judging ----

def is_same(a, b) -> bool:
    """Compares values. Other JSON writers turn 1.0 into 1, also in lists, so numbers compare by value."""
    if is_number(a) and is_number(b):
        return float(a) == float(b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_same, a, b))
    return is_equal(a, b)


def shown(value) -> str:
    return "missing" if value is ABSENT else cut(write_json(value, digits=9), 80)


class Judge:
    """Finds the problems of results of a valid form, and remarks about checks that were not possible. If any raw file exists, all listed ones
    must exist and are checked. With `whole` the folder was requested itself, so raw files must exist. With `named` and raw files, the folder
    must have the machine's name. The lists keep what was found before an error."""

    def __init__(self, results: dict, path: str, whole: bool, named: bool, data: Data, found: list, remarks: list):
        self.results, self.data, self.problems, self.remarks = results, data, found, remarks
        folder = os.path.dirname(path) or "."
        rows = results["rows"]
        self.derive_again()
        problems.check_answers(rows, data, self.problems, self.remarks)
        problems.check_verified_kept(results["verified"], rows, data, self.problems, self.remarks)
        there = {file["name"]: file for file in list_files(folder)}
        if whole or there:
            self.compare_raw(folder, there)
            if named:
                self.check_name(os.path.basename(os.path.realpath(folder)), text_at(results, "machine.name"))
        else:
            self.remarks.append("the raw files are not in its folder, so they were not compared")
        self.add_new(results["contradictions"])
        seal = seal_of(results)
        if seal != results["seal"]:
            self.problems.append(f'the seal is {results["seal"]}, and by the file {seal}: it was altered after it was made')
        if not results["official"]:
            self.remarks.append("these results are not official")
        warnings = problems.Kind(self.remarks, "such warnings")
        for warning in results["warnings"]:
            warnings.add(f"of the measurements: {warning}")
        warnings.close()

    def add_new(self, texts: list) -> None:
        """Adds problems that are not in the list yet, because results and raw files may have the same ones."""
        self.problems += [text for text in dict.fromkeys(texts) if text not in self.problems]

    def compare(self, have, want, where: str, path: str, by: str, kind: problems.Kind) -> None:
        """Reports where two values differ, objects by member. `by` is the source of the second value."""
        if is_same(have, want):
            return
        if not isinstance(have, dict) or not isinstance(want, dict):
            kind.add(f'{where}: "{path}" is {shown(have)}, and by {by} {shown(want)}')
            return
        for key in have | want:
            self.compare(have.get(key, ABSENT), want.get(key, ABSENT), where, f"{cut(path, 200)}.{cut(key, 60)}", by, kind)

    def compare_member(self, want: dict, key: str, by: str, kind: problems.Kind) -> None:
        self.compare(self.results.get(key, ABSENT), want.get(key, ABSENT), "the file", key, by, kind)

    def derive_again(self) -> None:
        again = self.results | {"rows": [dict(row) for row in self.results["rows"]]}
        kind = problems.Kind(self.problems, "figures that the samples do not give")
        try:
            derive(again)
        except Fault as e:
            self.problems.append(str(e))
            return
        for row, derived in zip(self.results["rows"], again["rows"]):
            where = f'row {cut(row["name"], 120)} of {row["file"]}'
            for key in ("n", "median_ns", "mad_ns", "min_ns", "p95_ns", "median_95_ns", "modes_ns", "drift", "baselines", "speed_up", "warnings"):
                self.compare(row[key], derived[key], where, key, "its samples and the other rows", kind)
        for key in ("declared_unofficial", "noise", "warnings", "official", "unofficial_because"):
            self.compare_member(again, key, "the rest of it", kind)
        kind.close()

    def check_name(self, name: str, machine: str | None) -> None:
        """A folder has its machine's name, followed by "-2" and so on if there are several of a kind. The name of an unfinished run begins
        with a dot."""
        number = name.removeprefix(machine or "")
        is_named = bool(machine) and name.startswith(machine) and re.fullmatch("|-[1-9][0-9]*", number) is not None and number != "-1"
        if name and name[0] != "." and not is_named:
            self.problems.append(f'the folder is named "{cut(name, 100)}", the machine in it "{cut(machine or "(unknown)", 100)}"')

    def compare_raw(self, folder: str, there: dict) -> None:
        self.compare_files(there)
        try:
            raw = make_results(folder, self.data, False)
        except Unreadable:
            raise
        except Fault as e:  # a fault of the files, so it is a finding
            self.problems.append(str(e))
            return
        kind, is_whole = problems.Kind(self.problems, ""), all(file["name"] in there for file in self.results["files"])
        self.compare_rows(raw["rows"], there)
        if "machine.json" in there:
            self.compare_member(raw, "machine", "machine.json", kind)
        if "verified" in raw:
            self.compare_member(raw, "verified", "verify.json", kind)
        if is_whole:  # otherwise contradictions may come from missing files
            self.compare_member(raw, "contradictions", "the raw files", kind)
            self.add_new(raw["contradictions"])

    def compare_files(self, there: dict) -> None:
        """Compares listed, existing and required files. Existing files are compared even if others are missing."""
        listed = {}
        for file in self.results["files"]:
            name = listed[file["name"]] = file["name"]
            if name not in there:
                self.problems.append(f"{cut(name, 80)} is named, and not in the folder")
            elif not is_equal(there[name], file):
                self.problems.append(f'{cut(name, 80)} is not the file that the results were made from: its hash is {there[name]["xxh3"]}, '
                                     f'not {file["xxh3"]}')
        self.problems += [f"{name} is in the folder, and not named" for name in there if name not in listed]
        for name in ("machine.json", "bench.json"):
            if name not in there and name not in listed:
                self.problems.append(f"{name} is not in the folder, and results are made of it")

    def compare_rows(self, made: list, there: dict) -> None:
        """Compares each row with the one made from the raw files."""
        kind = problems.Kind(self.problems, "rows that are not as in the raw files")
        raw = {(row["file"], row["name"]): row for row in made}
        rows = [row for row in self.results["rows"] if row["file"] in there]  # missing files were reported already
        for row in rows:
            name, file = row["name"], row["file"]
            of = raw.get((file, name))
            if of is None:
                kind.add(f"row {name} is not in {file}")
            elif not is_same(row["samples_ns"], of["samples_ns"]):
                self.compare_samples(row["samples_ns"], of["samples_ns"], name, kind)
            else:
                for key in row:
                    if key not in ("baselines", "speed_up", "warnings"):  # of other rows, which may be in a missing file. Checked before
                        self.compare(row[key], of[key], name, key, file, kind)
        if len(rows) != len(made):
            named = {(row["file"], row["name"]) for row in self.results["rows"]}
            for file, name in raw:
                if (file, name) not in named:
                    kind.add(f"row {name} of {file} is not among the results")
            self.problems.append(f"there are {len(rows)} rows, and {len(made)} in the raw files")
        kind.close()

    def compare_samples(self, have: list, want: list, name: str, kind: problems.Kind) -> None:
        i = next((i for i, pair in enumerate(zip(have, want)) if not is_same(*pair)), min(len(have), len(want)))
        values = [values[i] if i < len(values) else 0.0 for values in (have, want)]
        kind.add(f"row {name}: sample {i} is {values[0]:.8g} ns, in the raw file {values[1]:.8g} ns (of {len(have)} samples, there {len(want)})")
