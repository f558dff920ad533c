# SPDX-License-Identifier: MIT
"""alterations.py FOLDER: alters files of the corpus, one thing at a time, and tells what `voxphys check` or the schema takes all the same. What no schema
can say is marked, and only `voxphys check` is to find it. The schema is left out where Python has no jsonschema. What only one family has is in its file
in families/."""
import copy
import functools
import json
import os
import subprocess
import sys

SOURCE = os.environ["VOXPHYS_SOURCE"] + "/conformance/corpus"
ONE, NAN = "3f800000", "7fc00000"


@functools.cache
def read(family):
    with open(f"{SOURCE}/{family}.json", encoding="utf-8") as file:
        return json.load(file)


def load(family):
    return copy.deepcopy(read(family))


def vectors(family):
    return read(family)["vectors"]


def put(*path):
    """Puts the last argument to where the others lead to, from the vector on."""
    def change(_, vector):
        at = vector
        for step in path[:-2]:
            at = at[step]
        at[path[-2]] = path[-1]
    return change


def drop(*path):
    def change(_, vector):
        at = vector
        for step in path[:-1]:
            at = at[step]
        del at[path[-1]]
    return change


def by_checker(v):
    return "checker" in v["expected"]


def of_any(alter, family, other):
    """What every family's file may have wrong in what is asked and expected."""
    first = vectors(other)[0]
    alter("an empty input", put("input", {}))
    alter("an input that is a list", put("input", []))
    alter(f"the input of {other}", lambda _, v: v.update(input=copy.deepcopy(first["input"])))
    alter(f"what is expected in {other}", lambda _, v: v.update(promise=first["promise"], expected=copy.deepcopy(first["expected"])))
    alter("another member of the input", put("input", "more", [0, 0, 0]))
    alter("the id of another family", put("id", f"{other}/x"))
    if any(map(by_checker, vectors(family))):
        alter("another checker", put("expected", "checker", "other"), by_checker)
    for key, value in vectors(family)[0]["input"].items():
        alter(f"no {key}", drop("input", key))
        alter(f"{key} in words", put("input", key, ["here"]))
        if key in ("cells", "full", "types"):
            each = 1 if key == "cells" else 2

            def cut(to, key=key):
                return lambda _, v: v["input"].update({key: to(v["input"][key])})
            alter("a cell less", cut(lambda cells, each=each: cells[each:]), lambda v, key=key: len(v["input"][key]) > 2, schema=False)
            alter("a cell that is none", cut(lambda cells, each=each: "X" * each + cells[each:]))
            alter("half a cell", cut(lambda cells: cells[1:]), lambda v, key=key: len(v["input"][key]) > 2, schema=each == 2)
        if key == "triangles":
            alter("a triangle of a vertex that there is not", put("input", key, [[0, 1, 9999]]), schema=False)


def of_one(alter):
    """What need not be tried of each: the head, and a vector whatever it asks, in a file of hull2."""
    def head(name, value):
        return lambda file, _: file.update({name: value})

    for version in ("abc", "1", "1.0", "1.0.0.0", "1.0.x", "2.0.0", "0.9.0", "01.0.0.", "-1.0.0", "1.0.0 "):
        alter(f"version {version}", head("version", version))
    for key in ("schema", "version", "family", "title", "question", "answer", "flags", "vectors"):
        alter(f"no {key}", lambda file, _, key=key: file.pop(key))
    alter("schema 2", head("schema", 2))
    alter("another member", head("more", 1))
    alter("no vectors", head("vectors", []))
    alter("a flag without words", lambda file, _: file["flags"].update(line=""))
    alter("an unknown flag that is explained", lambda file, v: (file["flags"].update(new=7), v.update(flags=["new"])))
    alter("an id twice", lambda file, v: file["vectors"].append(copy.deepcopy(v)), schema=False)
    alter("a flag that the head does not explain", lambda file, v: (file["flags"].pop("grid"), v.update(flags=["grid"])), schema=False)
    for key in ("id", "about", "promise", "input", "expected"):
        alter(f"no {key}", drop(key))
    for name in ("hull2/", "hull2/X", "hull2/a/b", "hull2/a b", "hull2"):
        alter(f"id {name}", put("id", name))
    alter("another member of a vector", put("more", 1))
    alter("an unknown flag", put("flags", ["nope"]))
    alter("a flag twice", put("flags", ["grid", "grid"]))
    alter("no flags in the list", put("flags", []))
    alter("flags that are a text", put("flags", "grid"))
    for cites in ([7], ["nope"], ["a/b#"], ["a/b#1x"], ["/b#1"], ["a/b c#1"], [], "a/b#1", ["a/b#1", "a/b#1"], [None]):
        alter(f"cites {cites}", put("cites", cites))
    alter("a promise that there is not", put("promise", "perhaps"))
    alter("a promise of another family", put("promise", "set"))
    alter("a property without a checker", put("promise", "property"))


def checked(folder, family, data):
    """(exit code, what is said) of `voxphys check` with a corpus of one file."""
    path = f"{folder}/unsound"
    os.makedirs(path, exist_ok=True)
    for name in os.listdir(path):
        os.remove(f"{path}/{name}")
    with open(f"{path}/{family}.json", "w", encoding="utf-8") as file:
        json.dump(data, file)
    run = subprocess.run(["voxphys", "check", "--corpus", path, "--adapter", "read -r _; echo 'hello 1 a 1'; echo can hull9; cat >/dev/null"], capture_output=True, text=True, check=False)
    return run.returncode, run.stderr


def main(folder):
    import family as families

    try:
        import jsonschema
        validator = jsonschema.Draft7Validator(json.load(open(f"{SOURCE}/schema.json", encoding="utf-8")))
    except ImportError:
        validator = None
    alterations, wrong = [], []
    made = {path[:-5] for path in os.listdir(SOURCE) if path.endswith(".json")} - {"schema"}
    wrong += [f"{name}: in the corpus or in families/, not in both" for name in sorted(made ^ set(families.NAMES))]
    everyone = families.NAMES
    for i, name in enumerate(everyone):
        def alter(about, change, where=lambda v: True, schema=True, name=name):
            """`change` gets the file and its first vector of which `where` is true."""
            alterations.append((name, about, change, where, schema))
        if name == "hull2":
            of_one(alter)
        of_any(alter, name, everyone[(i + 1) % len(everyone)])
        families.of(name).unsound(alter)
        if f"/{name}.json" in checked(folder, name, load(name))[1]:
            wrong.append(f"{name}: what is not altered is refused")
    # Sanitizer builds test one alteration in four, because the others take the same path through the reader.
    for name, about, change, where, by_schema in alterations[::4 if os.environ["VOXPHYS_SLOW"] else 1]:
        data = load(name)
        vector = next(v for v in data["vectors"] if where(v))
        data["vectors"] = [vector] + [v for v in data["vectors"] if v is not vector][:2]
        if validator and not validator.is_valid(data):
            wrong.append(f"{name}: the schema refuses what is not altered")
        change(data, vector)
        status, said = checked(folder, name, data)
        if status != 2 or f"/{name}.json: " not in said:
            wrong.append(f"{name}: {about}: exit code {status}, and {said!r}")
        if ": vector 0: " in said and '"id"' not in said and vector["id"] not in said:
            wrong.append(f"{name}: {about}: no id in {said!r}")
        if validator and validator.is_valid(data) == by_schema:
            wrong.append(f"{name}: {about}: the schema {'takes' if by_schema else 'refuses'} it")
    print(*wrong, sep="\n")
    print(len(alterations), "alterations,", len(wrong), "failures" + ("" if validator else "; no jsonschema here"))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(sys.argv[1])
