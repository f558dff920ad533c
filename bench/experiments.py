# SPDX-License-Identifier: MIT
"""What bench/*-experiments share: a program measures, or commands do, a file of results/experiments keeps it, and a page of docs/kernels is written, between the
comments "experiments" and "/experiments", from that file alone."""
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


class Experiments:
    """name: "scene"; page: a function from the file's content to text; short: rounds figures; program: the target that is built, and
    ask: a function from its path to the figures."""

    def __init__(self, name, document, page, short=lambda found: found, program=None, ask=None):
        self.name, self.document, self.page, self.short = name, document, page, short
        self.program = program or f"voxphys-{name}-experiments"
        self.ask = ask or (lambda path: json.loads(subprocess.run([path], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout))
        self.file = f"results/experiments/{document}.json"

    def usage(self):
        return f"""usage: bench/{self.name}-experiments [--build DIR | --page | --check]
Builds and runs {self.program}, writes {self.file} and the tables of docs/kernels/{self.document}.md.
  --build DIR  where to build (build/release)
  --page       measures nothing: writes the page from the file
  --check      writes nothing: is the page what the file gives?
Exit codes: 0 done, 1 the page is not what the file gives, or something failed, 2 bad usage."""

    def measure(self, build):
        for command in (["cmake", "--preset", "release", "-B", build], ["cmake", "--build", build, "--target", "voxphys_command" if self.program == "voxphys" else self.program.replace("-", "_")]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        machine = json.loads(subprocess.run(["bench/machine", "--build", build], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout)
        found = {"format": f"voxphys-{self.name}-experiments", "machine": {"name": machine["name"], "gcc": machine["tools"]["gcc"], "date": machine["date"][:10]}}
        found |= self.short(self.ask(f"{build}/bin/{self.program}"))
        os.makedirs(os.path.dirname(self.file), exist_ok=True)
        text = "{\n" + ",\n".join(f'"{k}": ' + ("[\n" + ",\n".join(map(json.dumps, v)) + "\n]" if isinstance(v, list) else json.dumps(v)) for k, v in found.items()) + "\n}\n"
        with open(self.file, "w", encoding="utf-8") as f:
            f.write(text)

    def run(self, args):
        if args in (["-h"], ["--help"]):
            print(self.usage())
            return 0
        if not (args in ([], ["--page"], ["--check"]) or (len(args) == 2 and args[0] == "--build")):
            print(self.usage(), file=sys.stderr)
            return 2
        os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
        if args == [] or args[0] == "--build":
            self.measure(args[1] if args else "build/release")
        page = f"docs/kernels/{self.document}.md"
        with open(self.file, encoding="utf-8") as f:
            data = json.load(f)
        with open(page, encoding="utf-8") as f:
            text = f.read()
        new, places = PLACE.subn(lambda m: f"<!-- experiments -->\n\n{self.page(data)}\n\n<!-- /experiments -->\n", text)
        if places != 1:
            print(f"bench/{self.name}-experiments: {page} has {places} places for experiments, and not 1", file=sys.stderr)
            return 1
        if args == ["--check"]:
            print(f"{page} is {'' if new == text else 'not '}what {self.file} gives", file=sys.stdout if new == text else sys.stderr)
            return 0 if new == text else 1
        with open(page, "w", encoding="utf-8") as f:
            f.write(new)
        return 0

    def main(self):
        try:
            sys.exit(self.run(sys.argv[1:]))
        except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as e:
            sys.exit(f"bench/{self.name}-experiments: {e}")
