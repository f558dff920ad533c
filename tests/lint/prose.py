#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""prose.py [--update]: counts marks of unclear English in comments, documents, help and messages.

A mark is an idiom that makes readers stop, such as "what is" as a subject or "is told". prose.json has a ceiling for each folder: the
number of marks, and of colons and semicolons per 10,000 words, in tens. The test fails if a folder exceeds its ceiling, and lists the worst lines.
--update lowers ceilings to the present counts and never raises one. In include/ the test also finds reflow scars: lines of a comment that
break in mid-sentence although the next word would fit."""
import collections
import json
import pathlib
import re
import subprocess
import sys

MARKS = re.compile(
    r"\b[Ww]hat (?:is|are|was|were|has|have|they|it|lies|stands|makes|comes|takes|a|the)\b"
    r"|\b(?:is|are|be|was|were) told\b|\btells?\b"
    r"|(?:^|[.:;] |/\*\*?<? )(?:Of|What|Who|Whoever|Whatever|Whose) [a-z`]"
    r"|\bof (?:which|whom|no matter)\b|\bwhom\b|\bas [^.;:]{1,40} (?:has it|have it)\b|\bthat there (?:is|are)\b"
    r"|\bnonsense\b|\bnone of its\b|\bleft alone\b|\bbut for\b|\ball but\b|\bbeside\b", re.M)
BREAKS = re.compile(r"[;:] ")
LINE = 100  # columns: a line of a header's comment that ends earlier, where the next word fits, is a scar


def pieces(path, text):
    """Yields (line, text) of each comment, paragraph or message."""
    if path.suffix in (".c", ".h", ".cpp", ".js", ".mjs"):
        for m in re.finditer(r"/\*.*?\*/|//[^\n]*", text, re.S):
            yield text.count("\n", 0, m.start()) + 1, re.sub(r"^[\s*/]+", "", m.group(), flags=re.M)
        if path.suffix != ".h" and path.parts[0] in ("src", "tools", "host", "import"):  # messages and help
            code = re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
            for m in re.finditer(r'"((?:\\.|[^"\\\n])*)"', code):
                if " " in m.group(1):
                    yield code.count("\n", 0, m.start()) + 1, m.group(1).replace("\\n", " ")
    elif path.suffix in (".py", ".sh", ".bash", ".cmake") or path.name == "CMakeLists.txt" or not path.suffix:
        for i, line in enumerate(text.split("\n"), 1):
            if line.lstrip().startswith("# "):
                yield i, line.lstrip()[2:]
    elif path.suffix == ".md":
        fenced = False
        for i, line in enumerate(text.split("\n"), 1):
            if line.startswith("```"):
                fenced = not fenced
            elif not fenced and not line.startswith(("| -", "|-")):
                yield i, re.sub(r"`[^`]*`|\]\([^)]*\)", "x", line)


def scars(path, text):
    for m in re.finditer(r"/\*\*.*?\*/", text, re.S):
        lines = m.group().split("\n")
        column = len(text[:m.start()].split("\n")[-1])
        for i in range(len(lines) - 1):
            here, after = lines[i].rstrip(), lines[i + 1].strip().lstrip("* ")
            word = after.split(" ")[0]
            length = len(here) + (column if i == 0 else 0)
            if re.match(r"\s*\*\s{4,}", here):  # an example
                continue
            if re.search(r"[a-z,]$", here) and re.match(r"[a-z]", word) and length + 1 + len(word) <= LINE:
                yield text.count("\n", 0, m.start()) + 1 + i, here.strip()


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    ceilings = pathlib.Path(__file__).with_suffix(".json")
    known = json.loads(ceilings.read_text())
    words, breaks, marks = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    failures = 0
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    names = listed.stdout.split("\n") if listed.returncode == 0 and listed.stdout else [str(p.relative_to(root)) for p in root.rglob("*")]
    for name in filter(None, names):
        path = pathlib.Path(name)
        folder = path.parts[0] if len(path.parts) > 1 else "."
        if folder in ("results", "build") or name.startswith(("conformance/corpus/", "datasets/luanti")) or name == "CHANGELOG.md" or not (root / path).is_file():
            continue
        try:
            text = (root / path).read_text()
        except UnicodeDecodeError:
            continue
        for line, piece in pieces(path, text):
            words[folder] += len(piece.split())
            breaks[folder] += len(BREAKS.findall(piece))
            for m in MARKS.finditer(piece):
                at = line + piece.count("\n", 0, m.start() + len(m.group()) - len(m.group().lstrip()))
                marks[folder].append(f"{name}:{at}: ...{piece[max(0, m.start() - 20):m.end() + 40]!r}")
        if folder == "include":
            for line, scar in scars(path, text):
                print(f"FAIL: {name}:{line}: breaks early: {scar}")
                failures += 1
    now = {f: {"marks": len(marks[f]), "breaks": -(-1000 * breaks[f] // words[f]) * 10} for f in sorted(words)}
    for folder, count in now.items():
        most = known.setdefault(folder, {"marks": 0, "breaks": 150} if "--update" not in sys.argv else count)
        for kind in count:
            if count[kind] > most[kind]:
                failures += 1
                print(f"FAIL: {folder}: {count[kind]} {kind}; the ceiling in tests/lint/prose.json is {most[kind]}")
                if kind == "marks":
                    print("\n".join("  " + m for m in marks[folder][:40]))
        if "--update" in sys.argv:
            known[folder] = {k: min(count[k], most[k]) for k in count}
    if "--update" in sys.argv:
        ceilings.write_text("{\n" + ",\n".join(f'  "{f}": {json.dumps(known[f])}' for f in sorted(now)) + "\n}\n")
    print(f"{sum(words.values())} words, {sum(map(len, marks.values()))} marks, {failures} failures")
    return failures > 0


sys.exit(main())
