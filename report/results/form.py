# SPDX-License-Identifier: MIT
# The form of results.json, as docs/results.schema.json defines it, and what other functions need of the raw files.
from files import Fault, cut, integer_or, is_count, is_equal, is_number, member, text_at
from rows import MAX_ROWS, MAX_SAMPLES, Data

FORMAT, VERSION = "voxphys-results", "1.1.0"
RAW_FILES = ("machine.json", "bench.json", "limits.json", "bench-clang.json", "pipeline.json", "hulls.json", "conformance.json")
FILES_OF_ROWS = ("bench.json", "limits.json", "bench-clang.json")
MAX_PROBLEMS = 50


def is_hash(value) -> bool:
    return isinstance(value, str) and len(value) == 16 and set(value) <= set("0123456789abcdef")


# Types of members, by the letters of the tables below.
TYPES = {
    "s": ("a text", lambda value: isinstance(value, str)), "i": ("a whole number of 0 or more", is_count), "r": ("a number", is_number),
    "b": ("true or false", lambda value: isinstance(value, bool)), "o": ("an object", lambda value: isinstance(value, dict)),
    "a": ("a list", lambda value: isinstance(value, list)), "n": ("null", lambda value: value is None),
    "h": ("a hash of 16 lower-case hexadecimal digits", is_hash)}


def members(text: str) -> dict[str, str]:
    """Reads a table such as "name:s isa:sn"."""
    return dict(word.split(":") for word in text.split())


OF_ROOT = members("format:s version:s official:b unofficial_because:a declared_unofficial:sn contradictions:a machine:o verified:o noise:o "
                  "warnings:a files:a rows:a seal:h")
OF_VERIFIED = members("checks:i answers:i disagreements:i checks_of:o kernels:o")
OF_KERNEL = members("checks_of:o sets:i digests:h")
OF_NOISE = members("same_twice:a score:rn typical_mad:rn")
OF_PAIR = members("what:s ratio:rn")
OF_FILE = members("name:s bytes:i xxh3:h")
OF_ROW = members("name:s file:s kernel:s isa:sn via:s variant:sn dataset:sn parameter:sn dataset_hash:hn output_hash:hn compiler:sn item:sn "
                 "note:sn error:sn refused:i counters:o samples_ns:a rounds:a n:i median_ns:rn mad_ns:rn min_ns:rn p95_ns:rn median_95_ns:an "
                 "modes_ns:an drift:rn baselines:o speed_up:rn warnings:a")
OF_BASELINES = members("scalar_ns:rn scalar_autovec_ns:rn clang_scalar_ns:rn clang_scalar_autovec_ns:rn")


class Form:
    """Checks the form of a results.json, which all other checks need. problems stays empty if it is valid."""

    def __init__(self, results: dict, data: Data | None):
        self.results, self.data, self.problems = results, data, []
        version = text_at(results, "version")
        if text_at(results, "format") != FORMAT or version is None:
            self.add(f'"format" is not "{FORMAT}", or "version" is not a version')
        elif version != VERSION:
            self.add(f"version {cut(version, 40)} of the format is not known here, which is version {VERSION}")
        elif self.has_members(results, OF_ROOT, "the file"):
            self.check_root()

    def add(self, text: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(text)

    def has_members(self, value, wanted: dict, where: str) -> bool:
        """Checks that an object has exactly these members, with their types."""
        where = cut(where, 200)
        if not isinstance(value, dict):
            self.add(f"{where} is not an object")
            return False
        is_good = True
        for name, types in wanted.items():
            if name not in value:
                self.add(f'{where} lacks "{name}"')
                is_good = False
            elif not any(TYPES[letter][1](value[name]) for letter in types):
                self.add(f'"{name}" of {where} is not {" or ".join(TYPES[letter][0] for letter in types)}')
                is_good = False
        for name in value:
            if name not in wanted:
                self.add(f'{where} has "{cut(name, 60)}", which is unknown')
                is_good = False
        return is_good

    def check_entries(self, values: list, letter: str, what: str, where: str) -> None:
        """Reports the first entry of a list that is not of a type."""
        wrong = next((i for i, value in enumerate(values) if not TYPES[letter][1](value)), None)
        if wrong is not None:
            self.add(f'entry {wrong} of "{what}" of {cut(where, 200)} is not {TYPES[letter][0]}')

    def check_values(self, values: dict, letter: str, what: str, where: str) -> None:
        """Reports the first member of an object that is not of a type."""
        wrong = next((key for key, value in values.items() if not TYPES[letter][1](value)), None)
        if wrong is not None:
            self.add(f'"{cut(wrong, 60)}" of "{what}" of {cut(where, 200)} is not {TYPES[letter][0]}')

    def check_root(self) -> None:
        results = self.results
        self.check_verified(results["verified"])
        if self.has_members(results["noise"], OF_NOISE, '"noise"'):
            for pair in results["noise"]["same_twice"]:
                self.has_members(pair, OF_PAIR, 'an entry of "same_twice"')
        files = self.check_files(results["files"])
        for key in ("warnings", "unofficial_because", "contradictions"):
            self.check_entries(results[key], "s", key, "the file")
        if not 0 < len(results["rows"]) <= MAX_ROWS:
            self.add(f'"rows" is empty, or has more than {MAX_ROWS}')
        for i, row in enumerate(results["rows"]):
            self.check_row(row, i, files)

    def check_verified(self, verified: dict) -> None:
        """Checks that numbers of checks by version are the sums of those by kernel, and the total that of all versions."""
        if not self.has_members(verified, OF_VERIFIED, '"verified"'):
            return
        self.check_values(verified["checks_of"], "i", "checks_of", '"verified"')
        sums = {}
        for of in verified["kernels"].values():
            if self.has_members(of, OF_KERNEL, 'a kernel of "verified"'):
                self.check_values(of["checks_of"], "i", "checks_of", 'a kernel of "verified"')
                for version, count in of["checks_of"].items():
                    sums[version] = sums.get(version, 0) + integer_or(count, 0)
        if not is_equal(sums, verified["checks_of"]):
            self.add('"checks_of" of "verified" is not the sum of its kernels\' "checks_of"')
        total = sum(integer_or(count, 0) for count in verified["checks_of"].values())
        if verified["checks"] != total:
            self.add(f'"checks" of "verified" is {verified["checks"]}, and those of "checks_of" are {total}')

    def check_files(self, files: list) -> set[str]:
        """Returns the names of the files."""
        names = set()
        if not files:
            self.add('"files" is empty')
        for file in files:
            if self.has_members(file, OF_FILE, 'an entry of "files"'):
                if file["name"] in names:
                    self.add(f'"files" names "{cut(file["name"], 80)}" twice')
                names.add(file["name"])
        return names

    def fits_name(self, row: dict) -> bool:
        """Returns whether a row's members agree with its name."""
        parts = self.data.parse_name(row["name"])
        if parts is None or (parts.via != "autovec" and parts.isa != (row["isa"] or "")):
            return False
        return all(getattr(parts, key) == (row[key] or "") for key in ("via", "kernel", "variant", "dataset", "parameter"))

    def check_row(self, row, number: int, files: set) -> None:
        name = text_at(row, "name")
        where = f"row {number}" if name is None else f'row {number}, "{cut(name, 160)}",'
        if not self.has_members(row, OF_ROW, where):
            return
        samples, rounds, is_refused = row["samples_ns"], row["rounds"], row["error"] is not None
        counted = 0 if is_refused else len(samples)
        if row["file"] not in FILES_OF_ROWS:
            self.add(f'{where} "file" is "{cut(row["file"], 80)}", not bench.json, limits.json or bench-clang.json')
        elif row["file"] not in files:
            self.add(f'{where} "file" is {row["file"]}, which is not among "files"')
        if not self.fits_name(row):
            self.add(f"{where} its name, and its kernel, isa, via, variant, dataset and parameter do not fit each other")
        if max(len(samples), len(rounds)) > MAX_SAMPLES:
            self.add(f"{where} has {len(samples)} samples and {len(rounds)} rounds, more than {MAX_SAMPLES}")
        if len(samples) != len(rounds):
            self.add(f"{where} has {len(samples)} samples, but rounds of {len(rounds)}")
        if row["n"] != counted:
            self.add(f'{where} "n" is {row["n"]}, and by its samples{" and its error" if is_refused else ""} {counted}')
        if row["refused"] > 0 and not is_refused:
            self.add(f'{where} "refused" is {row["refused"]}, and it has no error')
        wrong = next((i for i, sample in enumerate(samples) if not is_number(sample) or not sample > 0), None)
        if wrong is not None:
            self.add(f"{where} sample {wrong} is not a number above 0")
        self.check_entries(rounds, "i", "rounds", where)
        self.check_entries(row["warnings"], "s", "warnings", where)
        self.check_values(row["counters"], "r", "counters", where)
        for pair in (row["median_95_ns"], row["modes_ns"]):
            if pair is not None and (len(pair) != 2 or not all(map(is_number, pair))):
                self.add(f'{where} "median_95_ns" or "modes_ns" is not two numbers')
                break
        self.has_members(row["baselines"], OF_BASELINES, where + ' "baselines"')


# ---- raw files ----

TYPES |= {"p": ("a number above 0", lambda value: is_number(value) and value > 0),
          "u": ("an outcome", lambda value: value in ("valid", "faulty", "refused", "crashed", "late"))}
# Lists of raw files, whether each must be full, may be empty, or absent, members of each entry, and the message about another one.
LISTS = {
    "verify.json": (("checks", "full", "kernel:s isa:s cases:i mismatches:i", "check {} lacks its kernel, isa, cases or mismatches"),
                    ("not_run", "absent", "kernel:s isa:s", "not_run entry {} lacks its kernel or isa")),
    "pipeline.json": (("results", "empty", "command:s median:p", "result {} lacks its command or a median above 0"),),
    "hulls.json": (("trials", "full", "who:s family:s dimension:i outcome:u",
                    "trial {} lacks its who, family or dimension, or has an outcome that is unknown"),),
    "conformance.json": (("adapters", "full", "name:s version:s families:o", "adapter {} lacks its name, version or families"),
                         ("families", "full", "family:s asked:i", "family {} lacks its name, or how much was asked"),
                         ("vectors", "absent", "id:s results:a", "vector {} lacks its id, or a result for each adapter")),
} | {name: (("benchmarks", "full", "", ""),) for name in FILES_OF_ROWS}


def check_raw(content: dict, name: str, path: str) -> None:
    """Checks what other functions need of a raw file."""
    for key, state, wanted, message in LISTS.get(name, ()):
        entries = content.get(key, [] if state == "absent" else None)
        if not isinstance(entries, list) or (state == "full" and not entries):
            raise Fault(f'{path}: "{key}" is not a list{" with something in it" if state == "full" else ""}')
        for i, entry in enumerate(entries):
            if not all(TYPES[letter][1](member(entry, of)) for of, letter in members(wanted).items()):
                raise Fault(f"{path}: {message.format(i)}")
            results = entry["results"] if key == "vectors" else []
            if key == "vectors" and (len(results) != len(content["adapters"]) or any(text_at(result, "result") is None for result in results)):
                raise Fault(f"{path}: {message.format(i)}")
    if name == "conformance.json" and text_at(content, "corpus") is None:
        raise Fault(f'{path}: "corpus" is missing')
