# SPDX-License-Identifier: MIT
"""report.py report DIR OUT: writes OUT/report.html, OUT/README.md and OUT/speed.svg from the results in DIR's folders. Reads the registry's rows
as a JSON array from standard input.  report.py check PAGE: writes a page from the JSON output of `voxphys check`, read from
standard input.  report.py ready: only checks that this program can run. `voxphys report` and `voxphys check` start it."""
import contextlib
import functools
import json
import math
import os
import re
import subprocess
import sys
import tempfile

try:
    import jinja2
except ImportError:
    sys.exit(print("voxphys report: Python lacks Jinja2 (Debian's package python3-jinja2)", file=sys.stderr) or 2)
import figures
import plots

HERE = os.path.dirname(os.path.abspath(__file__))
MADE_BY = "Made by voxphys report"
BESIDE = ("hulls.json", "conformance.json", "pipeline.json")
PIECE = 64 << 20  # maximum bytes of an unpacked file


class Wrong(Exception):
    """A file or folder cannot be used. The message is printed."""


def plain(text):
    """Removes control characters and lone surrogates, for terminals and pages."""
    return "".join(" " if ord(c) < 32 or 127 <= ord(c) < 160 else "\ufffd" if 0xd800 <= ord(c) < 0xe000 else c for c in str(text))


def lines(text):
    """Does the same for each line and keeps the line breaks."""
    return jinja2.utils.markupsafe.Markup("\n").join(plain(line) for line in text.split("\n"))


def markdown(text):
    """Escapes Markdown, also in cells of tables. An underscore inside a word needs no escape."""
    text = re.sub(r"[\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", plain(text))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def address(text):
    return "".join(chr(b) if chr(b).isascii() and (chr(b).isalnum() or chr(b) in "-._~/") else f"%{b:02X}" for b in str(text).encode("utf-8", "replace"))


def environment(for_markdown):
    """Returns a template environment that escapes all values."""
    def finalize(value):
        return value if isinstance(value, jinja2.utils.markupsafe.Markup) else markdown(value) if for_markdown else plain(value)
    env = jinja2.Environment(loader=jinja2.FileSystemLoader(os.path.join(HERE, "templates")), autoescape=not for_markdown, finalize=finalize,
                             undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    env.filters |= {"figure": figures.figure, "times": figures.times, "kind": figures.kind_of, "address": address, "lines": lines, "bar": plots.bar, "curves": plots.curves}
    env.globals |= {"made_by": MADE_BY}
    return env


def read(path):
    """Returns a file's bytes, or the unpacked content of path.zst, or None without either. Rejects symbolic links, because untrusted results could expose other files."""
    for name in (path, path + ".zst"):
        if os.path.islink(name):
            raise Wrong(f"{name} is a symbolic link: results are regular files")
        if not os.path.exists(name):
            continue
        if not os.path.isfile(name):
            raise Wrong(f"{name} is no regular file")
        if name == path:
            with open(name, "rb") as file:
                return file.read(PIECE)
        with subprocess.Popen(["zstd", "-dcq", "--", name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as unpack:
            content = unpack.stdout.read(PIECE)
            unpack.stdout.close()
        if unpack.returncode != 0:
            raise Wrong(f"{name} cannot be unpacked, or is more than {PIECE >> 20} MiB")
        return content
    return None


def no_number(word):
    raise ValueError(f"{word} is no number")


def parse(content, path):
    try:
        parsed = json.loads(content, parse_constant=no_number)
    except (ValueError, RecursionError) as e:
        raise Wrong(f"{path}: not JSON: {e}") from e
    if not isinstance(parsed, dict):
        raise Wrong(f"{path}: not a JSON object")
    return parsed


@functools.cache
def beside_data(name):
    """Returns the content of a file in the folder of the data sets, installed or in the source."""
    for path in (os.path.join(HERE, "..", name), os.path.join(HERE, "..", "datasets", name)):
        if os.path.exists(path):
            with open(path, "rb") as file:
                return json.load(file)
    raise Wrong(f"{name} is not beside the data sets")


def retired_names():
    """Returns a map from old names of kernels and versions to today's."""
    return beside_data("retired-names.json")


def worlds():
    """Returns the common part of the names, and the voxels, of each world that is made like another one of another size."""
    kinds = {}
    for s in beside_data("manifest.json")["sets"]:
        if s["kind"] == "world" and "generator" in s and "size" in s:
            kinds.setdefault((s["generator"], s["description"].partition(";")[0]), {})[s["name"]] = math.prod(s["size"])
        elif s["kind"] == "solids" and (triangles := re.search(r"-(\d+)$", s["name"])):
            kinds.setdefault(s["generator"], {})[s["name"]] = int(triangles[1])
        elif s["kind"] == "gardens":
            kinds.setdefault(re.sub(r"-\d+$", "", s["name"]), {})[s["name"]] = math.prod(s["params"][k] for k in ("width", "height", "depth"))
    return {name: (os.path.commonprefix(list(of)).rstrip("-") + "-N", size) for of in kinds.values() if len(of) > 1 for name, size in of.items()}


def load(path):
    """Returns the content with today's names of kernels."""
    content = read(path)
    kernels = {old.encode(): new.encode() for old, new in retired_names().items() if "-" not in old}
    if content is None:
        return None
    words = rb"\b(?:" + b"|".join(kernels or [b"(?!)"]) + rb")\b"
    return parse(re.sub(words, lambda m: kernels[m[0]], content), path)


def rename_versions(rows):
    """ "terrain_ray/scalar-cold/world/coherent" is "terrain_ray/scalar-object/world/coherent/cold" today."""
    retired = retired_names()
    for row in rows:
        kernel, who, *data = row["name"].split("/")
        if who in retired:
            who, *parameter = retired[who].split("/")
            row |= {"name": "/".join([kernel, who, *data, *parameter]), "variant": who.partition("-")[2]}


@contextlib.contextmanager
def of_form(path):
    """Reports errors in untrusted files as Wrong."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, jinja2.TemplateError) as e:
        raise Wrong(f"{path}: not of the form of voxphys results ({type(e).__name__}: {e}); voxphys results verify tells what is wrong") from e


def machine_of(folder, name, words, targets):
    """Returns None without a results.json."""
    path = os.path.join(folder, name)
    if os.path.islink(path):
        raise Wrong(f"{path} is a symbolic link: results are regular files")
    results = load(os.path.join(path, "results.json"))
    if results is None:
        return None
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Wrong(f"{path}: the folder's name is not UTF-8; give it another") from None
    beside = {file: load(os.path.join(path, file)) for file in BESIDE}
    notes = read(os.path.join(path, "notes.md"))
    beside["notes.md"] = notes.decode("utf-8", "replace") if notes else None
    with of_form(path):
        if results["format"] != "voxphys-results":
            raise ValueError("its format is another")
        rename_versions(results["rows"])
        machine = figures.Machine(name, results, beside, words, targets)
    machine.files = sorted(f for f in os.listdir(path) if f[0] != ".")
    return machine


def write(path, text):
    """Writes a file completely or not at all. Follows links. Writes directly into special files such as terminals."""
    path = os.path.realpath(path)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
            return
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", errors="replace", newline="\n", dir=os.path.dirname(path) or ".", delete=False) as file:
            try:
                file.write(text)
                mask = os.umask(0)
                os.umask(mask)
                os.chmod(file.name, 0o666 & ~mask)
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise
    except OSError as e:
        raise Wrong(f"{path}: {e.strerror}") from e


def refuse_others_work(path):
    """Replaces pages that this program made. Keeps other files of the same name."""
    try:
        with open(path, "rb") as file:
            start = file.read(32 << 10)
    except FileNotFoundError:
        return
    if start and MADE_BY.encode() not in start:
        raise Wrong(f"{path}: voxphys report did not make this file, and does not replace it")


def report(folder, out):
    words, targets = (load(os.path.join(HERE, f)) for f in ("words.json", "targets.json"))
    words["registry"] = json.load(sys.stdin)
    try:
        names = sorted(n for n in os.listdir(folder) if n[0] != "." and os.path.isdir(os.path.join(folder, n)))
    except OSError as e:
        raise Wrong(f"{folder}: {e.strerror}") from e
    machines = [m for m in (machine_of(folder, n, words, targets) for n in names) if m]
    machines.sort(key=lambda m: (m.results["official"], str(m.at("date"))), reverse=True)  # the newest official first
    if not machines:
        raise Wrong(f"{folder}: no folder here holds a results.json")
    os.makedirs(out, exist_ok=True)
    way = os.path.relpath(os.path.realpath(folder), os.path.realpath(out))
    charted = machines[0]
    with of_form(folder):
        shown = {"machines": machines, "way": "" if way == "." else way + "/", "groups": figures.groups_of(machines, words), "words": words, "ticks": plots.ticks(), "sizes": worlds(), "sizes_of": figures.sizes_of, "chart": plots.chart(charted, [s for s in charted.summary if s])}
    pages = {"report.html": environment(False), "README.md": environment(True), "speed.svg": environment(False)}
    for page in pages:
        refuse_others_work(os.path.join(out, page))
    for page, env in pages.items():
        with of_form(folder):
            text = env.get_template(page).render(shown)
        write(os.path.join(out, page), text)
    wrong = [m for m in machines if m.disagreements or m.refused]
    for m in wrong:
        print(plain(f"voxphys report: {m.name}: {m.disagreements} checks disagree, {len(m.refused)} benchmarks were refused"), file=sys.stderr)
    return 1 if wrong else 0


def check(out):
    matrix = parse(sys.stdin.buffer.read(), "the matrix")
    wrong = sum(any(r["result"] not in ("pass", "absent") for r in v["results"]) for v in matrix["vectors"])
    write(out, environment(False).get_template("check.html").render(conformance=matrix, asked=figures.conformance_of(matrix), wrong=wrong))
    return 0


def main(arguments):
    match arguments:
        case ["ready"]:
            return 0
        case ["check", out]:
            return check(out)
        case ["report", folder, out]:
            return report(folder, out)
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Wrong as e:
        sys.exit(print("voxphys report: " + plain(e), file=sys.stderr) or 2)
    except OSError as e:
        sys.exit(print("voxphys report: " + plain(e), file=sys.stderr) or 2)
