#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Check how the rooms of this source depend on each other.

1. Arrows: a file includes only what its room may see.
2. Circles: no two files depend on each other, directly or through others, by their includes or by the functions that
   they call (read from the object files of this build). x.h and x.c are one file.
3. Folders hold at most 45 files.

Exceptions stand below with their reasons; one that is no longer needed is a failure too.
"""
import os
import re
import subprocess
import sys

# room: folders that it may include, besides itself. For src, reference and optimized see also may_see.
ROOMS = {
    "include": [],
    "src": ["include"],
    "reference": ["include", "src"],
    "optimized": ["include", "src"],
    "import": ["include", "src/core"],
    "datasets": ["include", "src/core", "import/text.h"],
    "host": ["include", "src/core"],
    "cases": ["include", "src", "datasets"],
    "conformance": ["include", "src", "host"],
    "bench": ["include", "src", "datasets", "cases", "host", "conformance"],
    "playground": ["include", "src", "datasets", "host"],
    "tools": ["include", "src", "datasets", "cases", "host", "conformance"],
    "tests": ["include", "src", "import", "datasets", "cases", "host", "conformance", "examples"],
    "examples": ["include"],
}
# Each component sees those before it. Components with kernels are in the order of VP_COMPONENTS. hull sees only the core.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include/voxphys/kernels.h"), encoding="utf-8") as header:
    COMPONENTS = ["world", *re.findall(r"^ +C\((\w+), [A-Z]+, X\)", header.read(), re.M), "bodies"]
ALONE = ["hull"]

# Exceptions: prefixes of the files' paths and a reason. An arrow is (from, to, reason).
ARROWS_EXCUSED = [
    ("bench/fused.c", "optimized/kd/fused.h", "a baseline that is no kernel of the library"),
    ("conformance/corpus.c", "datasets/", "the corpus is found as a data set is; to be mended"),
    ("cases/kd_visits.c", "reference/kd/ray.c", "the reference, compiled so that it counts the nodes it visits"),
    ("tests/bench/", "bench/", "the test of that room"),
]
CIRCLES_EXCUSED = []
MOST_FILES = 45

failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAIL: " + text, file=sys.stderr)


def source_files():
    return subprocess.run(["bash", "-c", ". tests/files.bash; source_files"], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()


def within(path, folder):
    return path == folder or path.startswith(folder + "/")


def includes(files):
    """(file, file that it includes) of the files of this source, whichever of its include folders finds them."""
    known = set(files)
    for file in files:
        with open(file, encoding="utf-8") as text:
            names = re.findall(r'^[ \t]*#[ \t]*include[ \t]+["<]([^">]+)[">]', text.read(), re.M)
        for name in names:
            for folder in ("", "include", os.path.dirname(file)):
                path = os.path.normpath(os.path.join(folder, name))
                if path in known and path != file:
                    yield file, path
                    break


def component(path):
    parts = path.split("/")
    return parts[1] if parts[0] in ("src", "reference", "optimized") else None


def may_see(file, path):
    room, other = file.split("/")[0], path.split("/")[0]
    if room == other and room not in ("src", "reference", "optimized"):
        return True
    if room != other and not any(within(path, folder) for folder in ROOMS[room]):
        return False
    mine, its = component(file), component(path)
    if mine is None or its is None or its == mine or its == "core":
        return True
    if its == "simd":
        return room == "optimized"
    if mine not in COMPONENTS or its not in COMPONENTS or mine in ALONE:
        return False
    return COMPONENTS.index(its) < COMPONENTS.index(mine)


def check_arrows(found):
    needed = set()
    for file, path in found:
        if file.split("/")[0] not in ROOMS:
            fail(f"{file} is in a room that is not known here")
        elif not may_see(file, path):
            excuses = [e for e in ARROWS_EXCUSED if file.startswith(e[0]) and path.startswith(e[1])]
            needed.update(excuses)
            if not excuses:
                fail(f"an include that the layout forbids: {file} includes {path}")
    for excuse in ARROWS_EXCUSED:
        if excuse not in needed:
            fail(f"no file of {excuse[0]} includes one of {excuse[1]} any more: take that from ARROWS_EXCUSED")


def stem(path):
    return re.sub(r"\.(c|cpp|h)$", "", path)


def calls(files, build, nm):
    """The files whose object files are in this build, and of those (file, file that defines a symbol, symbol)."""
    known, defines, uses, objects = set(files), {}, [], {}
    for folder, _, names in os.walk(build):
        place = re.match(r"(?:(.*)/)?CMakeFiles/[^/]+\.dir(.*)$", os.path.relpath(folder, build))
        for name in names if place else []:
            file = os.path.normpath((place[1] or ".") + place[2].replace("__", "..") + "/" + name[:-2])
            # Kernels are compiled for several sets, and a test's definitions may replace others.
            if name.endswith(".o") and file in known and not re.match(r"optimized/|tests/(?!support/)", file):
                objects[os.path.join(folder, name)] = file
    # Calls turn around at a file that defines only a table, so its arrows are not followed.
    acts = set()
    listed = subprocess.run([nm, "-A"] + list(objects), stdout=subprocess.PIPE, check=True, text=True).stdout if objects else ""
    for line in listed.splitlines():
        path, rest = line.split(":", 1)
        kind, symbol = re.match(r"[0-9a-f ]* (\w) (\S+)", rest).groups()
        if kind == "U":
            uses.append((objects[path], symbol))
        elif kind in "Tt":
            acts.add(objects[path])
        if kind in "TDBRC" and symbol != "main":
            defines.setdefault(symbol, set()).add(objects[path])
    return set(objects.values()), {(f, d, s) for f, s in uses if f in acts for d in defines.get(s, ()) if d != f}


def circles(arrows):
    """The strongly connected components of more than one file (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in arrows.get(node, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            circle = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(circle) > 1:
                found.append(sorted(circle))

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return sorted(found)


def check_circles(files, found, built, called):
    arrows, names, needed = {}, {}, []
    for file, path, name in [(f, p, "#include") for f, p in found] + list(called):
        a, b = stem(file), stem(path)
        if a != b:
            arrows.setdefault(a, set()).add(b)
            names.setdefault((a, b), set()).add(name)
    for circle in circles(arrows):
        excuses = [e for e in CIRCLES_EXCUSED if all(c.startswith(e[0]) for c in circle)]
        needed += excuses
        if not excuses:
            fail("a circle of files: " + ", ".join(circle))
            for a in circle:
                for b in sorted(arrows[a] & set(circle)):
                    print(f"    {a} -> {b}: {', '.join(sorted(names[a, b]))}", file=sys.stderr)
    for excuse in CIRCLES_EXCUSED:
        not_built = [f for f in files if f.startswith(excuse[0]) and f.endswith(".c") and f not in built]
        if excuse not in needed and not not_built:
            fail(f"there is no circle of {', '.join(excuse[0])} any more: take it from CIRCLES_EXCUSED")


def check_folders(files):
    count = {}
    for file in files:
        count[os.path.dirname(file)] = count.get(os.path.dirname(file), 0) + 1
    for folder, n in sorted(count.items()):
        if n > MOST_FILES:
            fail(f"{folder}/ holds {n} files, more than {MOST_FILES}")


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: arrows.py SOURCE BUILD NM")
    source, build, nm = sys.argv[1:]
    os.chdir(source)
    sys.setrecursionlimit(10000)
    files = source_files()
    code = [f for f in files if re.search(r"\.(c|cpp|h)$", f)]
    found = sorted(set(includes(code)))
    built, called = calls(code, build, nm)
    if len(code) < 300 or len(built) < 100:
        fail(f"only {len(code)} files of code and {len(built)} of their object files were found")
    check_arrows(found)
    check_circles(code, found, built, called)
    check_folders(files)
    print(f"{len(code)} files, {len(found)} includes, {len({c[:2] for c in called})} pairs of files that call, {failures} failures")
    return failures != 0


sys.exit(main())
