# SPDX-License-Identifier: MIT
"""Shared code of bench/*-experiments. A program or commands measure, and a file of results/experiments stores the figures. The part of a page of docs/kernels between the
comments "experiments" and "/experiments" is written from that file alone. The file names the commit and the hash of the program, and ends with a seal, a hash of
the rest. A file that was edited by hand therefore fails --check."""
import hashlib
import json
import os
import re
import subprocess
import sys

PLACE = re.compile(r"^<!-- experiments -->$\n.*?^<!-- /experiments -->$\n", re.MULTILINE | re.DOTALL)


def figure(x):
    return f"{x:.2f}" if x < 9.995 else f"{x:.1f}" if x < 99.95 else f"{x:,.0f}"


def span(values):
    values = list(values)
    low, high = figure(min(values)), figure(max(values))
    return low if low == high else f"{low} to {high}"


def table(heads, texts, rows):
    return "\n".join("| " + " | ".join(r) + " |" for r in [heads, ["---" if i < texts else "---:" for i in range(len(heads))]] + rows)


def rounded(how, value, key=""):
    """Returns a file's content with its floats rounded by `how`, which receives each figure and its key."""
    if isinstance(value, dict):
        return {k: rounded(how, v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(how, v) for v in value]
    return how(value, key) if isinstance(value, float) else value


SEAL = re.compile(r',\n"seal": "[0-9a-f]{64}"\n}\n$')


def sealed(text):
    """Returns a file's text with the seal as its last member."""
    return text.removesuffix("\n}\n") + f',\n"seal": "{hashlib.sha256(text.encode()).hexdigest()}"\n}}\n'


def fault_of(text):
    """Returns the fault of a file's text, or None."""
    if not SEAL.search(text):
        return "has no seal"
    if sealed(SEAL.sub("\n}\n", text)) != text:
        return "was edited after it was measured"
    data = json.loads(text)
    if data["format"] == "voxphys-models":  # of no machine
        return None
    for machine in data["machines"].values() if "machines" in data else [data["machine"]]:
        if not all(re.fullmatch(f"[0-9a-f]{{{digits}}}", machine.get(key, "")) for key, digits in (("commit", 40), ("program", 64))):
            return "names no commit or no program"
    return None


def output(command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


def commit_here():
    """Returns the commit to build. Fails with uncommitted changes, except in results and docs."""
    changes = output(["git", "status", "--porcelain", "--", ".", ":!results", ":!docs"])
    if changes:
        raise ValueError(f"commit these changes first, because the file names the commit:\n{changes.rstrip()}")
    return output(["git", "rev-parse", "HEAD"]).strip()


class Experiments:
    """name: "scene"; page: a function from the file's content to text; short: rounds a figure, given its key; program: the target to build;
    ask: a function from the program's path to the figures."""

    def __init__(self, name, document, page, short=lambda x, key: x, program=None, ask=None):
        self.name, self.document, self.page, self.short = name, document, page, short
        self.program = program or f"voxphys-{name}-experiments"
        self.ask = ask or (lambda path: json.loads(subprocess.run([path], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout))
        self.file = f"results/experiments/{document}.json"

    def usage(self):
        return f"""usage: bench/{self.name}-experiments [--build DIR | --page | --check]
Builds and runs {self.program}, writes {self.file} and the tables of docs/kernels/{self.document}.md.
  --build DIR  build in DIR (default: build/release)
  --page       write the page from the file, without measuring
  --check      check that the file was not edited and that the page matches it
Exit codes: 0 done, 1 the file was edited, the page does not match it, or an error, 2 bad usage."""

    def measure(self, build):
        commit = commit_here()
        for command in (["cmake", "--preset", "release", "-B", build], ["cmake", "--build", build, "--target", "voxphys_command" if self.program == "voxphys" else self.program.replace("-", "_")]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        machine = json.loads(output(["bench/machine", "--build", build]))
        program = f"{build}/bin/{self.program}"
        with open(program, "rb") as f:
            digest = hashlib.sha256(f.read()).hexdigest()
        here = {"name": machine["name"], "gcc": machine["tools"]["gcc"], "date": machine["date"][:10], "commit": commit, "program": digest}
        found = {"format": f"voxphys-{self.name}-experiments", "machine": here} | rounded(self.short, self.ask(program))
        os.makedirs(os.path.dirname(self.file), exist_ok=True)
        text = "{\n" + ",\n".join(f'"{k}": ' + ("[\n" + ",\n".join(map(json.dumps, v)) + "\n]" if isinstance(v, list) else json.dumps(v)) for k, v in found.items()) + "\n}\n"
        with open(self.file, "w", encoding="utf-8") as f:
            f.write(sealed(text))

    def read(self):
        """Returns the file's text after checking its seal."""
        with open(self.file, encoding="utf-8") as f:
            text = f.read()
        fault = fault_of(text)
        if fault:
            raise ValueError(f"{self.file} {fault}; measure again")
        return text

    def run(self, args):
        if args in (["-h"], ["--help"]):
            print(self.usage())
            return 0
        build = args[1] if len(args) == 2 and args[0] == "--build" else "build/release"
        measures = args not in (["--page"], ["--check"])
        if measures and args and args != ["--build", build]:
            print(self.usage(), file=sys.stderr)
            return 2
        os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
        if measures:
            self.measure(build)
        return self.write(f"docs/kernels/{self.document}.md", self.page(json.loads(self.read())), args == ["--check"])

    def write(self, page, words, check):
        with open(page, encoding="utf-8") as f:
            text = f.read()
        new, places = PLACE.subn(lambda m: f"<!-- experiments -->\n\n{words}\n\n<!-- /experiments -->\n", text)
        if places != 1:
            print(f"bench/{self.name}-experiments: {page} has {places} places for experiments instead of 1", file=sys.stderr)
            return 1
        if check:
            print(f"{page} {'matches' if new == text else 'does not match'} {self.file}", file=sys.stdout if new == text else sys.stderr)
            return 0 if new == text else 1
        with open(page, "w", encoding="utf-8") as f:
            f.write(new)
        return 0

    def main(self):
        try:
            sys.exit(self.run(sys.argv[1:]))
        except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as e:
            sys.exit(f"bench/{self.name}-experiments: {e}")
