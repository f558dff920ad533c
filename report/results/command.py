# SPDX-License-Identifier: MIT
"""command.py make DATA DIR [REASON]
command.py verify DATA text|json FILE...
command.py compare DATA text|all|json ALPHA LEAST ROWS A B
`voxphys results` starts it. DATA is the folder of the data sets, "" if they could not be opened. LEAST and ROWS may be "". Standard input has
a JSON object: names of kernels, of instruction sets, and of counted data sets, and the error of opening the data sets."""
import json
import os
import sys

from comparison import Comparison, Side
from files import Fault, escape, replace_invalid, write_json
from form import Form
from judge import RESULTS, Judge, make_results, mark_unofficial, open_results, write_results
from rows import Data

PROBLEMS_OF_MAKE = 10


def print_json(value: dict) -> None:
    print(write_json(value, indent=2, digits=9))


def print_texts(texts: list, before: str, most: int | None = None) -> None:
    """Prints one text a line, at most `most`."""
    for text in texts[:most]:
        print(before + escape(text))
    if most is not None and len(texts) > most:
        print(f"{before}and {len(texts) - most} more")


def print_failure(command: str, error: Fault) -> None:
    print(f"voxphys results {command}: {escape(str(error))}", file=sys.stderr)


def judge_file(given: str, named: bool, data: Data, problems: list, remarks: list) -> None:
    """Adds the problems and remarks of a file, or of results.json of a folder."""
    path, results = open_results(given, data)
    problems += Form(results, data).problems
    if not problems:
        Judge(results, path, os.path.isdir(given), named, data, problems, remarks)


def make(data: Data, folder: str, reason: str | None = None) -> int:
    if reason is not None:
        mark_unofficial(folder, replace_invalid(reason))
    results = make_results(folder, data, True)
    write_results(folder, results)
    problems = []
    judge_file(folder, False, data, problems, [])
    reasons = results["unofficial_because"]
    is_official = not reasons and not problems
    print(f'{escape(folder)}/{RESULTS}: {len(results["rows"])} rows, {"does not stand, " if problems else ""}'
          + ("official" if is_official else "not official:"))
    print_texts(reasons, "  ")
    print_texts(problems, "  wrong: ", PROBLEMS_OF_MAKE)
    return 1 if problems else 0


def verify_file(data: Data, given: str) -> tuple[int, dict]:
    """Returns the exit code and the file's entry of the JSON output."""
    problems, remarks, error, code = [], [], None, 2
    try:
        judge_file(given, True, data, problems, remarks)
        code = 1 if problems else 0
    except Fault as e:
        print_failure("verify", e)
        error = replace_invalid(str(e))
    return code, {"file": replace_invalid(given), "stands": code == 0, "error": error, "problems": problems, "remarks": remarks}


def verify(data: Data, form: str, *files: str) -> int:
    codes, entries = [], []
    for given in files:
        code, entry = verify_file(data, given)
        codes.append(code)
        entries.append(entry)
        if form == "text" and entry["error"] is None:
            print(f'{escape(given)}: {"stands" if entry["stands"] else "does not stand"}')
            print_texts(entry["problems"], "  wrong: ")
            print_texts(entry["remarks"], "  note: ")
    if form == "json":
        print_json({"files": entries})
    return max(codes)


def compare(data: Data, form: str, alpha: str, least: str, begin: str, *given: str) -> int:
    a, b = (Side(letter, path, data) for letter, path in zip("AB", given))
    comparison = Comparison(a, b, float(alpha), float(least) if least else None, begin)
    if form == "json":
        print_json(comparison.to_json())
    else:
        comparison.show(form == "all")
    return 0


def main(command: str, folder: str, *arguments: str) -> int:
    try:
        return {"make": make, "verify": verify, "compare": compare}[command](Data(folder, json.load(sys.stdin)), *arguments)
    except Fault as e:
        print_failure(command, e)
    except RecursionError:
        print(f"voxphys results {command}: a file is nested too deeply", file=sys.stderr)
    return 2


def run() -> int:
    """Reports errors of standard output."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    code = 0
    try:
        code = main(*sys.argv[1:])
        sys.stdout.flush()
        return code
    except OSError as e:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left would fail again
        if not isinstance(e, BrokenPipeError):
            print(f"voxphys: cannot write to standard output: {e.strerror}", file=sys.stderr)
        return code or 1


if __name__ == "__main__":
    sys.exit(run())
