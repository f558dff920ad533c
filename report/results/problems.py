# SPDX-License-Identifier: MIT
# Contradictions in raw files, between them, and with the answers of every machine. A run reports these values twice, so that altering one
# place shows in the other. Each function appends its findings to a list, in the order of the files.
import collections
import datetime
import math
import typing

import stats
import xxh3
from files import as_object, cut, figure_at, integer_or, is_equal, is_integer, is_number, list_at, member, object_at, text_at
from rows import Data, is_aggregate, is_ours, name_of

MAX_OF_A_KIND = 10


class Kind:
    """Adds texts of one kind to a list: the first ten, and finally the number of the others."""

    def __init__(self, texts: list, what: str):
        self.texts, self.what, self.count = texts, what, 0

    def add(self, text: str) -> None:
        self.count += 1
        if self.count <= MAX_OF_A_KIND:
            self.texts.append(text)

    def close(self) -> None:
        if self.count > MAX_OF_A_KIND:
            self.texts.append(f"and {self.count - MAX_OF_A_KIND} more {self.what}")


def or_unknown(text: str | None) -> str:
    return "(unknown)" if text is None else text


# ---- answers ----

def check_answers(rows: list, data: Data, problems: list, remarks: list) -> None:
    """Finds rows whose answers or data differ from those of every machine."""
    other_data, partly = Kind(problems, "rows of other data"), Kind(problems, "rows of which a part was refused")
    wrong, unknown = Kind(problems, "rows of other answers"), Kind(remarks, "rows whose answers are not known")
    mended = Kind(remarks, "rows of earlier answers")
    checked = 0
    for row in rows:
        text, name = row["name"], data.parse_name(row["name"])
        if name is None:  # the form was checked before
            continue
        wanted = data.hash_of_row(name)
        if wanted is not None and row["dataset_hash"] != wanted:
            other_data.add(f'row {text}: its data has the hash {row["dataset_hash"] or "null"}, the data set has {wanted}')
        if name.via != "peer" and row["refused"] > 0 and row["samples_ns"]:
            partly.add(f"row {text}: {refused_share(row)}")
        if not is_ours(row) or row["error"] is not None:
            continue
        wanted, digest = data.golden["bench"].get(name.key), row["output_hash"]
        why = as_object(object_at(data.golden, "mended").get(row["kernel"])).get(digest)
        if wanted is None:
            unknown.add(f"row {text}: no digest of its answers is known here")
        elif why is not None:
            mended.add(f"row {text} was measured before its answers changed: {cut(why, 120)}")
            checked += 1
        elif digest != wanted:
            wrong.add(f'row {text}: its answers have the digest {digest or "null"}, every machine\'s have {wanted}')
        else:
            checked += 1
    for kind in (other_data, partly, wrong, unknown, mended):
        kind.close()
    if checked == 0:
        problems.append("no row of voxphys has answers that are known here")


def refused_share(row: dict) -> str:
    return f'{row["refused"]} of {row["refused"] + len(row["samples_ns"])} repetitions were refused: {cut(row["error"], 120)}'


# ---- verify.json ----

def version_of(check: dict) -> str:
    """Returns the name of a version: "avx2", "neon-simde", "scalar-autovec"."""
    return check["isa"] + ("-simde" if text_at(check, "via") == "simde" else "")


def is_version(check: dict, data: Data) -> bool:
    if text_at(check, "via") == "simde":
        return check["isa"] in data.isas
    return text_at(check, "via") == "native" and check["isa"] in (*data.isas, "scalar-autovec", "scalar-words")


def data_of(check: dict) -> str:
    """Returns the data set of a check, and its form unless it is the usual one."""
    form = text_at(check, "form")
    return (text_at(check, "dataset") or "") + (f"/{form}" if form not in (None, "wide") else "")


def check_measured(rows: list, seen: set, data: Data, problems: list) -> None:
    """Checks that every measured version of a kernel was verified. `seen` has pairs of kernel and version. A row without a kernel, such as
    one of a whole build, needs its version verified with any kernel, which is ""."""
    kind = Kind(problems, "versions that were measured and not verified")
    reported = set()
    for row in filter(is_ours, rows):
        if row["via"] in ("autovec", "words"):
            version = "scalar-" + row["via"]
        else:
            version = (row["isa"] or "") + ("-simde" if row["via"] == "simde" else "")
        kernel = row["kernel"] if row["kernel"] in data.kernels else ""
        if (kernel, version) not in seen | reported:
            reported.add((kernel, version))
            kind.add(f'row {row["name"]}: there is no check of {kernel}{" by " if kernel else ""}{version}')
    kind.close()


def check_verified(verify: dict | None, rows: list, data: Data, problems: list) -> None:
    """Finds invalid values of verify.json, digests that differ from those of every machine, and measured versions that it lacks."""
    if verify is None:
        return
    unknown, wrong = Kind(problems, "checks that are not known"), Kind(problems, "checks with other digests")
    empty, seen = Kind(problems, "checks of 0 cases"), set()
    for check in verify["checks"]:
        key, version, digest = f'{check["kernel"]}/{data_of(check)}', version_of(check), text_at(check, "digest")
        wanted, shown = data.golden["verify"].get(key), f'{cut(check["kernel"], 40)}/{cut(data_of(check), 101)}'
        if not isinstance(wanted, str) or not is_version(check, data):
            unknown.add(f"verify.json: {shown} by {cut(version, 30)}: no such check is known here")
            continue
        if digest != wanted:
            wrong.add(f'verify.json: {shown} by {check["isa"]}: digest {"null" if digest is None else cut(digest, 20)}, every machine has {wanted}')
        if check["cases"] == 0 and wanted != xxh3.hash_text(b""):
            empty.add(f"verify.json: {shown} by {version}: 0 cases, and every machine has answers")
        seen |= {(check["kernel"], version), ("", version)}
    for kind in (unknown, wrong, empty):
        kind.close()
    check_measured(rows, seen, data, problems)


def hash_lines(lines: set) -> str:
    """Hashes the sorted lines "DATA DIGEST" of a kernel."""
    return xxh3.hash_text("".join(line + "\n" for line in sorted(lines)).encode())


def summarise_verify(verify: dict) -> dict:
    """Returns the number of checks, and for each kernel its number of data sets, a hash of their digests, and the number of checks by
    version."""
    versions, kernels, lines, answers, disagreements = {}, {}, {}, 0, 0
    for check in verify["checks"]:
        version, kernel = version_of(check), check["kernel"]
        of_kernel = kernels.setdefault(kernel, {"checks_of": {}})["checks_of"]
        of_kernel[version] = of_kernel.get(version, 0) + 1
        versions[version] = versions.get(version, 0) + 1
        answers += check["cases"] if check["cases"] <= (1 << 62) - answers else 0  # larger numbers are invalid and not summed
        disagreements += check["mismatches"] != 0
        digest = text_at(check, "digest")
        lines.setdefault(kernel, set()).add(f'{data_of(check)} {"-" if digest is None else digest[:16]}')
    for kernel, of_kernel in kernels.items():
        of_kernel |= {"sets": len(lines[kernel]), "digests": hash_lines(lines[kernel])}
    return {"checks": len(verify["checks"]), "answers": answers, "disagreements": disagreements, "checks_of": versions, "kernels": kernels}


def check_verified_kept(verified: dict, rows: list, data: Data, problems: list, remarks: list) -> None:
    """Checks the summary of verify.json in results in the same way. Kernels whose data sets have changed since get a remark instead."""
    wrong, others = Kind(problems, "kernels with other answers"), Kind(remarks, "kernels with other data sets")
    lines, seen = collections.defaultdict(set), set()
    for key, digest in data.golden["verify"].items():
        kernel, _, of = key.partition("/")
        lines[kernel].add(f'{of} {digest if isinstance(digest, str) else "-"}')
    for kernel, of in verified["kernels"].items():
        shown, wanted = cut(kernel, 40), hash_lines(lines[kernel])
        why = as_object(object_at(data.golden, "mended").get(kernel)).get(of["digests"])
        if not lines[kernel] or of["sets"] != len(lines[kernel]):
            others.add(f'{shown} was verified on {of["sets"]} data sets, and digests of {len(lines[kernel])} are known here: they are not compared')
        elif why is not None:  # hashes of answers that were changed later
            others.add(f"{shown} was verified before its answers changed: {cut(why, 120)}")
        elif of["digests"] != wanted:
            wrong.add(f'{shown} was verified with other answers: the hash of their digests is {of["digests"]}, every machine\'s {wanted}')
        for version in of["checks_of"]:
            seen |= {(kernel, version), ("", version)}
    wrong.close()
    others.close()
    check_measured(rows, seen, data, problems)


# ---- repetitions ----

# Maximum ratios of two counts of items per call. SAME_ITEMS allows for rounding alone, because counts are integers. Rows with threads report
# the count itself. Their rate uses another clock than `real_time`, and on a busy machine two clocks can differ by any factor. Older files
# lack that count. It is derived for them, with the tolerance ABOUT_ITEMS.
SAME_ITEMS, ABOUT_ITEMS = 1 + 1e-6, 4.0
SECONDS = {None: 1e-9, "ns": 1e-9, "us": 1e-6, "ms": 1e-3}


class Repetition(typing.NamedTuple):
    round: int
    index: int  # -1 = missing
    of: int
    refused: bool
    counted: bool  # the row itself reports the number of items
    items: float  # per call, NaN = missing


class Items:
    """The smallest and largest number of items per call, and the rows that have them."""

    def __init__(self):
        self.least, self.most, self.least_by, self.most_by = math.inf, -math.inf, None, None
        self.about = False  # a number was derived from two clocks

    def add(self, least: float, most: float, name: str) -> None:
        if least < self.least:
            self.least, self.least_by = least, name
        if most > self.most:
            self.most, self.most_by = most, name

    def are_apart(self) -> bool:
        return self.most > self.least * (ABOUT_ITEMS if self.about else SAME_ITEMS)


def is_threaded(name: str) -> bool:
    return "/threads-" in name


def clock_of(name: str) -> str:
    return "real_time" if is_threaded(name) else "cpu_time"


def list_repetitions(bench: dict) -> dict[str, list[Repetition]]:
    by_name = {}
    for entry in list_at(bench, "benchmarks"):
        name = name_of(entry)
        if name is None or is_aggregate(entry):
            continue
        counted = is_number(member(entry, "items"))
        items = figure_at(entry, "items")
        if not counted:
            items = figure_at(entry, "items_per_second") * (figure_at(entry, clock_of(name)) * SECONDS.get(text_at(entry, "time_unit"), 1.0))
        by_name.setdefault(name, []).append(Repetition(
            integer_or(member(entry, "round"), 1), integer_or(member(entry, "repetition_index"), -1),
            integer_or(member(entry, "repetitions"), -1), member(entry, "error_occurred") is True, counted, items))
    return {name: sorted(repetitions, key=lambda r: (r.round, r.index)) for name, repetitions in by_name.items()}


def check_indexes(by_name: dict, file: str, problems: list) -> None:
    """Each round must have the declared number of repetitions, numbered from 0, each once. A row without measurements has at most one."""
    kind = Kind(problems, "rounds with other repetitions than they should have")
    for name, repetitions in by_name.items():
        rounds = collections.defaultdict(list)
        for repetition in repetitions:
            rounds[repetition.round].append(repetition)
        for number, of_round in rounds.items():
            count, declared = len(of_round), of_round[0].of
            is_whole = declared == count and all(r.index == i and r.of == declared for i, r in enumerate(of_round))
            if not is_whole and not all(r.refused for r in of_round):
                kind.add(f"{file}: {cut(name, 150)}, round {number}: {count} repetitions, not 0 to {declared - 1 if declared > 0 else -1} each once")
    kind.close()


def check_items(by_name: dict, file: str, data: Data, problems: list) -> None:
    """Checks that the number of items per call is equal in all repetitions of a row, and in all rows of a question."""
    unknown, wrong = Kind(problems, "repetitions without a time"), Kind(problems, "rows with other items from one repetition to another")
    others, questions, rows = Kind(problems, "kernels with other items from one version to another"), {}, {}
    for name, repetitions in by_name.items():
        items = rows[name] = Items()
        for r in repetitions:
            if r.refused:
                continue
            if r.items > 0 and math.isfinite(r.items):
                items.add(r.items, r.items, name)
            else:
                unknown.add(f"{file}: {cut(name, 150)} has no {clock_of(name)} above 0")
            items.about |= is_threaded(name) and not r.counted
    for name, items in rows.items():
        if items.least_by is None:
            continue
        if items.are_apart():
            wrong.add(f"{file}: {cut(name, 150)} has {items.least:.10g} items a call in one repetition, {items.most:.10g} in another")
        parts = data.parse_name(name)  # the form was checked before
        of = questions.setdefault((parts.kernel, parts.dataset, parts.parameter) if parts else (), Items())
        of.add(items.least, items.least if items.about else items.most, name)
        of.about |= items.about
    for of in questions.values():
        if of.least_by != of.most_by and of.are_apart():
            others.add(f"{file}: {cut(of.least_by, 150)} has {of.least:.10g} items a call, {cut(of.most_by, 150)} {of.most:.10g}")
    for kind in (unknown, wrong, others):
        kind.close()


def check_bench(bench: dict | None, file: str, data: Data, problems: list) -> None:
    by_name = list_repetitions(bench)
    check_indexes(by_name, file, problems)
    check_items(by_name, file, data, problems)


# ---- contexts ----

BAD_FLAGS = ("-O0", "-Ofast", "-ffast-math", "-funsafe-math-optimizations", "-ffinite-math-only", "-fassociative-math", "-freciprocal-math",
             "-fno-signed-zeros")
NEEDS = {"avx2": ("avx2", "bmi1", "bmi2", "popcnt"), "avx512": ("avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"), "neon": ("asimd",)}


def words_of(text: str | None) -> list[str]:
    return [word for word in (text or "").split(" ") if word]


def seconds_of(date: str | None) -> float:
    """Returns seconds since 1970 of "2026-11-23T08:16:52Z" or "...+01:00"."""
    try:
        return datetime.datetime.strptime(date or "", "%Y-%m-%dT%H:%M:%S%z").timestamp()
    except ValueError:
        return math.nan


def check_flags(flags: str | None, where: str, problems: list) -> None:
    """Refuses flags that change the arithmetic or disable optimisation, for all compilers."""
    for flag in BAD_FLAGS:
        if flag in words_of(flags):
            problems.append(f"{cut(where, 80)} has {flag}, with which nothing is measured")


def lacking(machine: dict, isa: str) -> str | None:
    """Returns the first processor flag of an instruction set that the machine lacks."""
    return next((flag for flag in NEEDS.get(isa, ()) if flag not in list_at(machine, "cpu.flags")), None)


class Context:
    """Compares the context of a file of Google Benchmark with machine.json."""

    def __init__(self, bench: dict, machine: dict, file: str, problems: list):
        self.context, self.machine, self.file, self.problems = object_at(bench, "context"), machine, file, problems

    def add(self, text: str) -> None:
        self.problems.append(f"{self.file}: {text}")

    def differ(self, what: str, here: str | None, there: str | None) -> None:
        self.add(f'{what} "{cut(or_unknown(here), 100)}", in machine.json "{cut(or_unknown(there), 100)}"')

    def text(self, path: str) -> str | None:
        return text_at(self.context, path)

    def check_origin(self) -> None:
        """Compares commit, processor and date."""
        commit, of_machine = self.text("voxphys_commit"), text_at(self.machine, "voxphys.commit")
        if (commit or "") != (of_machine or ""):
            self.differ("the commit is", commit, of_machine)
        cpu, model, architecture = self.text("cpu_model"), text_at(self.machine, "cpu.model"), text_at(self.machine, "cpu.architecture")
        is_unnamed = cpu is not None and cpu == architecture != "x86_64"  # some systems know Arm cores by name while the program does not
        if not is_unnamed and (cpu or "").replace(" ", "") != (model or "").replace(" ", ""):  # systems trim names differently
            self.differ("the processor is", cpu, model)
        cpus, there = figure_at(self.context, "num_cpus"), figure_at(self.machine, "cpu.cpus")
        if cpus != there:
            self.add(f"{cpus:.10g} processors, in machine.json {there:.10g}")
        date, then = self.text("date"), text_at(self.machine, "date")
        if not abs(seconds_of(date) - seconds_of(then)) <= 86400:
            self.differ("more than a day apart: the date is", date, then)

    def check_compiler(self) -> None:
        """Checks that a compiler such as "gcc 12.2.0" matches the tool "gcc (Debian 12.2.0-14+deb12u1) 12.2.0"."""
        compiler, is_clang = self.text("voxphys_compiler"), self.file == "bench-clang.json"
        name, blank, version = (compiler or "").partition(" ")
        if not blank or (is_clang and name != "clang"):
            self.add(f'is by the compiler "{cut(or_unknown(compiler), 60)}"' + (", not by clang" if is_clang else ""))
            return
        tool = text_at(self.machine, "tools.clang" if name == "clang" else "tools.gcc")
        if tool is not None and " " + version not in tool:
            self.differ("the compiler is", compiler, tool)

    def check_build(self) -> None:
        build, flags, compiled = self.text("voxphys_build_type"), self.text("voxphys_flags"), text_at(self.machine, "compile_flags.scalar")
        if build != "Release":
            self.add(f'the build\'s type is "{cut(or_unknown(build), 40)}", not "Release"')
        check_flags(flags, self.file, self.problems)
        if compiled is not None and not set(words_of(flags)) <= set(words_of(compiled)):
            self.differ("the build's flags are", flags, compiled)

    def check_isas(self) -> None:
        if self.text("voxphys_isas") is None:
            self.add("does not say which instruction sets there were")
        for isa in words_of(self.text("voxphys_isas")):
            flag = lacking(self.machine, isa)
            if flag is not None:
                self.add(f"{isa} ran, and the processor in machine.json has no {flag}")


def check_isas_of_rows(raw: dict, rows: list, problems: list) -> None:
    """Refuses rows of instruction sets that the file's context or the machine lacks."""
    absent = Kind(problems, "rows of instruction sets that were not there")
    impossible = Kind(problems, "rows of instruction sets that the processor has not")
    for row in rows:
        isa, is_native = row["isa"], row["via"] in ("native", "autovec")
        if isa is None or not (is_native or row["via"] == "simde"):
            continue
        word = isa if is_native else isa + "-simde"
        flag = lacking(raw["machine.json"], isa) if is_native and raw["machine.json"] is not None else None
        if word not in words_of(text_at(raw[row["file"]], "context.voxphys_isas")):
            absent.add(f'row {row["name"]}: {word} is not among the instruction sets of {row["file"]}')
        if flag is not None:
            impossible.add(f'row {row["name"]}: {isa} needs {flag}, which the processor in machine.json lacks')
    absent.close()
    impossible.close()


def check_machine(raw: dict, rows: list, problems: list) -> None:
    """Finds contradictions between raw files and machine.json about the machine, and rows that this machine can't have run."""
    for file in ("bench.json", "limits.json", "bench-clang.json") if raw["machine.json"] is not None else ():
        if raw[file] is not None:
            context = Context(raw[file], raw["machine.json"], file, problems)
            context.check_origin()
            context.check_compiler()
            context.check_build()
            context.check_isas()
    compiler, of_limits = (text_at(raw[file], "context.voxphys_compiler") for file in ("bench.json", "limits.json"))
    if compiler is not None and of_limits is not None and compiler != of_limits:
        problems.append(f'limits.json: is by the compiler "{cut(of_limits, 60)}", bench.json by "{cut(compiler, 60)}"')
    for key, flags in object_at(raw["machine.json"], "compile_flags").items():
        check_flags(flags if isinstance(flags, str) else None, f'machine.json: "compile_flags.{cut(key, 60)}"', problems)
    check_isas_of_rows(raw, rows, problems)


# ---- files without rows ----

def check_hulls(hulls: dict | None, problems: list) -> None:
    kind = Kind(problems, "hulls by voxphys that are not valid")
    for i, trial in enumerate(list_at(hulls, "trials")):
        if trial["who"] == "voxphys" and trial["outcome"] != "valid":
            kind.add(f'hulls.json: the hull of trial {i}, of {cut(trial["family"], 40)}, by voxphys is {trial["outcome"]}')
    kind.close()


def check_conformance(conformance: dict | None, problems: list) -> None:
    """Finds questions that programs of the project did not pass, and counts by family that differ from the vectors' results."""
    failed = Kind(problems, "questions that programs of voxphys did not pass")
    miscounted = Kind(problems, "counts that the questions do not give")
    adapters, counts = list_at(conformance, "adapters"), collections.Counter()
    for vector in list_at(conformance, "vectors"):
        for i, (adapter, result) in enumerate(zip(adapters, vector["results"])):
            counts[i, vector["id"].partition("/")[0], result["result"]] += 1
            is_of_project = adapter["name"].startswith(("voxphys-", "example-"))
            if is_of_project and result["result"] not in ("pass", "absent"):
                failed.add(f'conformance.json: {cut(vector["id"], 80)} by {cut(adapter["name"], 40)}: {cut(result["result"], 40)}')
    failed.close()
    for i, adapter in enumerate(adapters):
        for family, results in adapter["families"].items():
            for result, count in results.items() if isinstance(results, dict) else ():
                found = counts[i, family, result]
                if is_integer(count) and count != found:
                    miscounted.add(f'conformance.json: {cut(adapter["name"], 40)} has {count} times "{cut(result, 20)}" in {cut(family, 40)}, '
                                   f"and of its questions {found}")
    miscounted.close()


MAX_TIMES = 10000


def check_pipeline(pipeline: dict | None, problems: list) -> None:
    """Finds figures of whole commands that their times contradict."""
    kind = Kind(problems, "figures of whole commands")
    for result in list_at(pipeline, "results"):
        times, command = list_at(result, "times"), cut(result["command"], 60)
        if not 0 < len(times) <= MAX_TIMES or not all(is_number(time) and time > 0 for time in times):
            kind.add(f"pipeline.json: {command} has no times, more than {MAX_TIMES}, or one that is not above 0")
        else:
            s = stats.summarise([float(time) for time in times])
            for key, figure in (("median", s.median), ("min", s.least), ("max", float(max(times)))):
                reported = figure_at(result, key)
                if abs(reported - figure) > 1e-9 * figure:
                    kind.add(f'pipeline.json: "{key}" of {command} is {reported:.9g} s, and by its times {figure:.9g}')
        for code in list_at(result, "exit_codes"):
            if not is_equal(code, 0):
                kind.add(f"pipeline.json: {command} did not end with exit code 0")
    kind.close()


def check_rounds(rows: list, problems: list) -> None:
    """Finds rounds that are copies of others. With a coarse clock a row may repeat itself by chance, but not most rows."""
    compared = repeated = 0
    for row in rows:
        rounds = []
        for i, (sample, number) in enumerate(zip(row["samples_ns"], row["rounds"])):
            if i == 0 or number != row["rounds"][i - 1]:
                rounds.append([])
            rounds[-1].append(sample)
        rounds = rounds[:8]
        compared += len(rounds) > 1
        repeated += any(all(x == y for x, y in zip(a, b)) for i, b in enumerate(rounds) for a in rounds[:i])
    if 2 * repeated > compared:
        problems.append(f"of {compared} rows that were measured in several rounds, {repeated} have the same samples in two of them")
