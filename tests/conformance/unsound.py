# SPDX-License-Identifier: MIT
"""unsound.py FOLDER: alters files of the corpus, one thing at a time, and tells what `voxphys check` or the schema takes all the same. What no schema
can say is marked, and only `voxphys check` is to find it. The schema is left out where Python has no jsonschema."""
import copy
import glob
import json
import os
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

folder, source = sys.argv[1], os.environ["VOXPHYS_SOURCE"] + "/conformance/corpus"
ONE, NAN = "3f800000", "7fc00000"
files, alterations = {}, []


def load(family):
    if family not in files:
        with open(f"{source}/{family}.json", encoding="utf-8") as file:
            files[family] = json.load(file)
    return copy.deepcopy(files[family])


def alter(family, name, change, where=lambda v: True, schema=True):
    """`change` gets the file and its first vector of which `where` is true."""
    alterations.append((family, name, change, where, schema))


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


def head(name, value):
    return lambda file, _: file.update({name: value})


def hits(v):
    return isinstance(v["expected"], list) and "t" in v["expected"][0]


def by_checker(v):
    return "checker" in v["expected"]


def contacts(v):
    return v["expected"].get("contacts")


def by_volume(v):
    return "volume" in v["expected"]


def solid(v):
    return v["expected"].get("dimension") == 3


def touches(v):
    return "touched" in v["expected"]


def pairs(v):
    return "pairs" in v["expected"]


def steps(v):
    return "types" in v["expected"]


def answered(v):
    return v["expected"].get("faces") or v["expected"].get("boxes")


def flat(v):
    return v["expected"].get("dimension") == 2


# the head
for version in ("abc", "1", "1.0", "1.0.0.0", "1.0.x", "2.0.0", "0.9.0", "01.0.0.", "-1.0.0", "1.0.0 "):
    alter("hull2", f"version {version}", head("version", version))
for key in ("schema", "version", "family", "title", "question", "answer", "flags", "vectors"):
    alter("hull2", f"no {key}", lambda file, _, key=key: file.pop(key))
alter("hull2", "schema 2", head("schema", 2))
alter("hull2", "another member", head("more", 1))
alter("hull2", "no vectors", head("vectors", []))
alter("hull2", "a flag without words", lambda file, _: file["flags"].update(line=""))
alter("hull2", "an unknown flag that is explained", lambda file, v: (file["flags"].update(new=7), v.update(flags=["new"])))
alter("hull2", "an id twice", lambda file, v: file["vectors"].append(copy.deepcopy(v)), schema=False)
alter("hull2", "a flag that the head does not explain", lambda file, v: (file["flags"].pop("grid"), v.update(flags=["grid"])), schema=False)

# a vector, whatever it asks
for key in ("id", "about", "promise", "input", "expected"):
    alter("hull2", f"no {key}", drop(key))
for family, other in (("hull2", "hull3"), ("hull3", "hull2"), ("ray-mesh", "ray-triangle"), ("overlap", "dilation")):
    alter(family, f"the id of {other}", put("id", f"{other}/x"))
for name in ("hull2/", "hull2/X", "hull2/a/b", "hull2/a b", "hull2"):
    alter("hull2", f"id {name}", put("id", name))
alter("hull2", "another member of a vector", put("more", 1))
alter("hull2", "an unknown flag", put("flags", ["nope"]))
alter("hull2", "a flag twice", put("flags", ["grid", "grid"]))
alter("hull2", "no flags in the list", put("flags", []))
alter("hull2", "flags that are a text", put("flags", "grid"))
for cites in ([7], ["nope"], ["a/b#"], ["a/b#1x"], ["/b#1"], ["a/b c#1"], [], "a/b#1", ["a/b#1", "a/b#1"], [None]):
    alter("hull2", f"cites {cites}", put("cites", cites))
alter("hull2", "a promise that there is not", put("promise", "perhaps"))
alter("hull2", "a promise of another family", put("promise", "set"))
alter("hull2", "a property without a checker", put("promise", "property"))
alter("hull2", "a checker without a property", put("promise", "exact"), by_checker)
alter("hull3", "a property of no checker", drop("expected", "checker"), by_checker)
alter("hull3", "a checker without a property", put("promise", "exact"), by_checker)
alter("ray-triangle", "a bound without a reason", drop("reason"), lambda v: v["promise"] == "bound")
alter("ray-triangle", "a reason without words", put("reason", ""), lambda v: v["promise"] == "bound")
alter("ray-triangle", "a tie of one answer", lambda _, v: v["expected"].pop(), lambda v: v["promise"] == "tie" and len(v["expected"]) == 2)
alter("ray-triangle", "two answers without a tie", lambda _, v: v["expected"].append({"none": True}), lambda v: v["promise"] == "bound" and hits(v))
for expected in ([], {}, [[]], 7, "none", None, {"none": False}, {"refused": True, "none": True}):
    alter("ray-triangle", f"expected {expected}", put("expected", expected), lambda v: v["promise"] == "bound")

# what is asked
everyone = sorted(os.path.basename(path)[:-5] for path in glob.glob(f"{source}/*.json") if not path.endswith("/schema.json"))
for i, family in enumerate(everyone):
    other = everyone[(i + 1) % len(everyone)]
    alter(family, "an empty input", put("input", {}))
    alter(family, "an input that is a list", put("input", []))
    alter(family, f"the input of {other}", lambda _, v, other=other: v.update(input=load(other)["vectors"][0]["input"]))
    alter(family, f"what is expected in {other}", lambda _, v, other=other: v.update(promise=load(other)["vectors"][0]["promise"], expected=load(other)["vectors"][0]["expected"]))
    alter(family, "another member of the input", put("input", "more", [0, 0, 0]))
    for key in load(family)["vectors"][0]["input"]:
        alter(family, f"no {key}", drop("input", key))
for family in ("dilation", "mesher", "hull2"):
    alter(family, "a t_max that nothing asks for", put("input", "t_max", ONE))
alter("overlap", "a lowest cell that nothing asks for", put("input", "first", [0, 0, 0]))
for family in ("grid-walk", "ray-triangle", "ray-mesh"):
    for value in (1.0, 1, "3f80000", "3F800000", "3f80000g", "0x3f8000", [ONE], None):
        alter(family, f"t_max {value}", put("input", "t_max", value))
alter("hull2", "a point in space", put("input", "points", 0, [ONE] * 3))
alter("hull3", "a point in the plane", put("input", "points", 0, [ONE] * 2))
alter("hull2", "numbers that are no points", lambda _, v: v["input"].update(points=[v["input"]["points"][0] + v["input"]["points"][1][:1], v["input"]["points"][1][1:]] + v["input"]["points"][2:]))
alter("hull3", "numbers without points", put("input", "points", [ONE] * 6))
alter("ray-triangle", "four corners", lambda _, v: v["input"]["triangle"].append([ONE] * 3))
alter("ray-triangle", "two corners", lambda _, v: v["input"]["triangle"].pop())
alter("ray-mesh", "a triangle of two", put("input", "triangles", 0, [0, 1]))
alter("ray-mesh", "a triangle's vertex in words", put("input", "triangles", 0, [0, 1, "2"]))
alter("ray-mesh", "a triangle of a vertex that there is not", put("input", "triangles", 0, [0, 1, 9999]), schema=False)
alter("aabb-gather", "a triangle of a negative vertex", put("input", "triangles", 0, [0, 1, -1]))
alter("dilation", "extents in words", put("input", "extents", ["8", "8", "8"]))
alter("dilation", "two extents", put("input", "extents", [8, 64]))
alter("dilation", "an extent of 0", put("input", "extents", [0, 8, 8]), schema=False)
alter("dilation", "a letter for three cells", put("input", "cells", "."), schema=False)
alter("dilation", "cells that are none", lambda _, v: v["input"].update(cells="x" + v["input"]["cells"][1:]))
alter("mesher", "half a cell", lambda _, v: v["input"].update(full=v["input"]["full"][1:]))
alter("mesher", "a cell less", lambda _, v: v["input"].update(full=v["input"]["full"][2:]), schema=False)
alter("mesher", "a cell in capitals", lambda _, v: v["input"].update(full="FF" + v["input"]["full"][2:]))

# what is expected
alter("dilation", "a mask of one cell", put("expected", "solid", "0"), schema=False)
alter("dilation", "a longer mask", lambda _, v: v["expected"].update(water=v["expected"]["water"] + "0"), schema=False)
alter("dilation", "a mask of other digits", lambda _, v: v["expected"].update(water="2" + v["expected"]["water"][1:]))
alter("dilation", "no mask of water", drop("expected", "water"))
alter("dilation", "a refusal", put("expected", {"refused": True}))
alter("overlap", "a touch that there is not", put("expected", {"touch": "maybe"}), lambda v: v["promise"] == "exact")
for family in ("grid-walk", "ray-triangle", "ray-mesh"):
    alter(family, "bounds the wrong way round", lambda _, v: v["expected"][0].update(t=[ONE, "3f7fffff"]), hits, schema=False)
    alter(family, "a bound of NaN", lambda _, v: v["expected"][0].update(t=[NAN, ONE]), hits, schema=False)
    alter(family, "one bound", lambda _, v: v["expected"][0].update(t=[ONE]), hits)
    alter(family, "bounds as numbers", lambda _, v: v["expected"][0].update(t=[1.0, 2.0]), hits)
    alter(family, "no t", lambda _, v: v["expected"][0].pop("t"), hits)
    alter(family, "a hit of nothing", lambda _, v: v["expected"][0].update(none=True), hits)
alter("ray-triangle", "t of no hit", lambda _, v: v["expected"][0].pop("hit"), hits)
alter("ray-triangle", "hit: false", lambda _, v: v["expected"][0].update(hit=False), hits)
alter("ray-triangle", "a triangle's number where there is one", lambda _, v: v["expected"][0].update(triangle=0), hits)
alter("ray-mesh", "t of no triangle", lambda _, v: v["expected"][0].pop("triangle"), hits)
alter("ray-mesh", "a triangle that there is not", lambda _, v: v["expected"][0].update(triangle=len(v["input"]["triangles"])), hits, schema=False)
alter("ray-mesh", "a negative triangle", lambda _, v: v["expected"][0].update(triangle=-1), hits)
alter("grid-walk", "t of no cell", lambda _, v: v["expected"][0].pop("cell"), hits)
alter("grid-walk", "a cell of two numbers", lambda _, v: v["expected"][0].update(cell=[0, 0]), hits)
alter("grid-walk", "a cell beside the grid", lambda _, v: v["expected"][0].update(cell=[0, -1000, 0]), hits, schema=False)
alter("aabb-gather", "a triangle that there is not", lambda _, v: v["expected"].update(triangles=[len(v["input"]["triangles"])]), schema=False)
alter("aabb-gather", "a triangle twice", put("expected", {"triangles": [0, 1, 0]}))
alter("aabb-gather", "a number that is none", put("expected", {"triangles": [0.5]}))
alter("mesher", "another checker", put("expected", {"checker": "hull"}))
alter("mesher", "a tolerance", put("expected", "tolerance", 1e-6))
alter("hull2", "a corner that there is not", lambda _, v: v["expected"].update(corners=[len(v["input"]["points"])]), schema=False)
alter("hull2", "a negative corner", put("expected", {"corners": [-1]}))
alter("hull2", "a corner twice", put("expected", {"corners": [0, 1, 2, 0]}))
alter("hull2", "no corners", put("expected", {"corners": []}))
alter("hull2", "another checker", put("expected", "checker", "hull"), by_checker)
alter("hull2", "a checker without a tolerance", drop("expected", "tolerance"), by_checker)
alter("hull2", "a tolerance without a checker", put("expected", "tolerance", 1e-6))
alter("hull3", "another checker", put("expected", "checker", "surface"), by_checker)
alter("hull3", "a dimension of 4", put("expected", "dimension", 4), solid)
alter("hull3", "a solid in a plane", put("expected", "dimension", 2), solid)
alter("hull3", "a plane in space", put("expected", "dimension", 3), flat)
alter("hull3", "a negative tolerance", put("expected", "tolerance", -1e-6), solid)
alter("hull3", "a volume of 0", put("expected", "volume", 0), solid)
alter("hull3", "flat: false", put("expected", "flat", False), solid)
for key in ("dimension", "vertices", "tolerance", "volume", "faces"):
    alter("hull3", f"no {key}", drop("expected", key), solid)
alter("scene-query", "half a sphere", lambda _, v: v["input"]["spheres"][0].pop(), lambda v: v["input"]["spheres"])
for name, query in (("an unknown", ["cone", ONE]), ("a sphere of three numbers", ["sphere"] + [ONE] * 3), ("pairs of a number", ["pairs", ONE]), ("capitals in a", ["sphere"] + [ONE] * 3 + ["3F800000"]), ("no words in a", []), ("a number for a", 7)):
    alter("scene-query", f"{name} query", put("input", "query", query))
alter("scene-query", "an object that there is not", lambda _, v: v["expected"].update(touched=[999]), touches, schema=False)
alter("scene-query", "one that may be touched that there is not", lambda _, v: v["expected"].update(may_touch=[999]), touches, schema=False)
alter("scene-query", "an object twice", lambda _, v: v["expected"].update(touched=[0, 0]), touches)
alter("scene-query", "pairs where none are asked for", lambda _, v: v.update(expected={"pairs": []}), touches, schema=False)
alter("scene-query", "pairs that may be, beside what is touched", lambda _, v: v["expected"].update(may_pair=[]), touches)
alter("scene-query", "a pair that there is not", lambda _, v: v["expected"].update(pairs=[[0, 999]]), pairs, schema=False)
alter("scene-query", "a pair the wrong way round", lambda _, v: v["expected"].update(pairs=[[1, 0]]), pairs, schema=False)
alter("scene-query", "a pair of three", lambda _, v: v["expected"].update(pairs=[[0, 1, 2]]), pairs)
alter("scene-query", "a pair twice", lambda _, v: v["expected"].update(pairs=[[0, 1], [0, 1]]), pairs)
alter("scene-query", "what is touched by a ray", lambda _, v: v.update(promise="set", expected={"touched": []}), hits, schema=False)
alter("scene-query", "a hit of no object", lambda _, v: v["expected"][0].update(object=999), hits, schema=False)
alter("scene-query", "a hit without an object", lambda _, v: v["expected"][0].pop("object"), hits)
alter("automaton-step", "a rule that there is not", put("input", "rule", "life"))
alter("automaton-step", "a negative number of steps", put("input", "steps", -1))
alter("automaton-step", "too many steps", put("input", "steps", 65537), schema=False)
alter("automaton-step", "a seed that is none", put("input", "seed", "1"))
alter("automaton-step", "a species of one number", put("input", "species", [[1]]))
alter("automaton-step", "an output of four numbers", put("input", "outputs", [[1, 14, 1, 1]]), lambda v: "outputs" in v["input"])
alter("automaton-step", "a cell less", lambda _, v: v["input"].update(types=v["input"]["types"][2:]), schema=False)
alter("automaton-step", "half a cell", lambda _, v: v["input"].update(types=v["input"]["types"][1:]))
alter("automaton-step", "a cell more in what is expected", lambda _, v: v["expected"].update(types=v["expected"]["types"] + "00"), steps, schema=False)
alter("automaton-step", "capitals in what is expected", lambda _, v: v["expected"].update(types="FF" + v["expected"]["types"][2:]), steps)
for family in ("faces", "boxes"):
    alter(family, "a cell less", lambda _, v: v["input"].update(types=v["input"]["types"][2:]), lambda v: len(v["input"]["types"]) > 2, schema=False)
    alter(family, "half a cell", lambda _, v: v["input"].update(types=v["input"]["types"][1:]))
    alter(family, "a first block of two numbers", put("input", "first", [0, 0]))
    alter(family, "a first block that is too far away", put("input", "first", [1 << 25, 0, 0]), schema=False)
    alter(family, "an edge in words", put("input", "edge", "3"))
    alter(family, "an edge of 33, and an answer", put("input", "edge", 33), answered, schema=False)
    alter(family, "types that are no list", put("input", "is", 3))
    alter(family, "negative bits", put("input", "is", [-1]))
    alter(family, "a number less", lambda _, v, family=family: v["expected"][family][0].pop(), answered)
    alter(family, "a number too large", lambda _, v, family=family: v["expected"][family][0].__setitem__(4, 4096), answered, schema=False)
    alter(family, "one twice", lambda _, v, family=family: v["expected"][family].append(v["expected"][family][0]), answered)
    alter(family, "a checker that there is not", put("expected", "checker", "surface"), answered)
alter("faces", "a face of a block that there is not", lambda _, v: v["expected"]["faces"][0].__setitem__(1, v["input"]["edge"]), answered, schema=False)
alter("faces", "a face on a side that there is not", lambda _, v: v["expected"]["faces"][0].__setitem__(3, 6), answered, schema=False)
alter("boxes", "a merging that there is not", put("input", "merging", "lazy"))
alter("boxes", "boxes where any will do", put("input", "merging", "any"), answered, schema=False)
alter("boxes", "any boxes where the greedy ones are asked for", put("input", "merging", "greedy"), by_checker, schema=False)
alter("boxes", "another checker", put("expected", "checker", "hull"), by_checker)
alter("boxes", "a checker and boxes", put("expected", "boxes", []), by_checker)
alter("decompose", "a checker that there is not", put("expected", "checker", "hull"), by_checker)
alter("decompose", "a tolerance", put("expected", "tolerance", 1e-6), by_checker)
alter("decompose", "a length in words", put("input", "within", "0.5"))
alter("decompose", "a length of 0, and an answer", put("input", "allowed", "00000000"), by_checker, schema=False)
alter("decompose", "no triangles, and an answer", put("input", "triangles", []), by_checker, schema=False)
alter("decompose", "a negative number of hulls", put("input", "most", -1))
alter("decompose", "a triangle of a vertex that there is not", put("input", "triangles", 0, [0, 1, 9999]), schema=False)
alter("regions", "anchors that there are not", put("input", "anchors", "top"))
alter("regions", "a cell less", lambda _, v: v["input"].update(cells=v["input"]["cells"][1:]), lambda v: len(v["input"]["cells"]) > 1, schema=False)
alter("regions", "a cell more in what is expected", lambda _, v: v["expected"].update(regions=v["expected"]["regions"] + "000000"), schema=False)
alter("regions", "capitals in what is expected", lambda _, v: v["expected"].update(regions="00000A" + v["expected"]["regions"][6:]))
alter("buoyancy", "a shape that there is not", put("input", "shape", ["cone", ONE]))
alter("buoyancy", "a ball of two lengths", lambda _, v: v["input"]["shape"].append(ONE), lambda v: v["input"]["shape"][0] == "sphere", schema=False)
alter("buoyancy", "a length in words", put("input", "shape", ["sphere", "one"]))
alter("buoyancy", "a rotation of three numbers", lambda _, v: v["input"]["rotation"].pop())
alter("buoyancy", "half a cell", lambda _, v: v["input"].update(full=v["input"]["full"][1:]))
alter("buoyancy", "a cell less", lambda _, v: v["input"].update(full=v["input"]["full"][2:]), schema=False)
alter("buoyancy", "a point of two numbers", lambda _, v: v["input"]["points"][0].pop(), lambda v: v["input"]["points"])
alter("buoyancy", "a volume upside down", lambda _, v: v["expected"]["volume"].reverse(), by_volume, schema=False)
alter("buoyancy", "a centre of two ranges", lambda _, v: v["expected"]["centre"].pop(), by_volume)
alter("buoyancy", "no centre", drop("expected", "centre"), by_volume)
alter("buoyancy", "a bound from nowhere", drop("reason"), by_volume)
alter("manifold", "a normal of two numbers", lambda _, v: v["expected"]["contacts"][0]["normal"].pop(), contacts)
alter("manifold", "a distance upside down", lambda _, v: v["expected"]["contacts"][0]["distance"].reverse(), contacts, schema=False)
alter("manifold", "no distance", drop("expected", "contacts", 0, "distance"), contacts)
alter("manifold", "a contact of more", put("expected", "contacts", 0, "depth", ONE), contacts)
alter("manifold", "a place in words", put("expected", "contacts", 0, "encloses", ["here"]), contacts)
alter("manifold", "no list of contacts", put("expected", "contacts", {}), contacts)
alter("manifold", "another checker", put("expected", "checker", "cover"), contacts)
alter("manifold", "a margin in words", put("input", "margin", "wide"))
alter("manifold", "no margin", drop("input", "margin"))
alter("manifold", "a corner that there is not", put("input", "triangles", 0, 0, 999), schema=False)
alter("manifold", "a hull that nobody can judge", put("input", "points", [[ONE] * 3] * 65), contacts, schema=False)
alter("hull3", "a vertex that there is not", lambda _, v: v["expected"].update(vertices=[len(v["input"]["points"])]), solid, schema=False)

validator = jsonschema.Draft7Validator(json.load(open(f"{source}/schema.json", encoding="utf-8"))) if jsonschema else None
wrong = 0


def say(*words):
    global wrong
    wrong += 1
    print(*words)


def checked(family, data):
    """(exit code, what is said) of `voxphys check` with a corpus of one file."""
    path = f"{folder}/unsound"
    os.makedirs(path, exist_ok=True)
    for name in os.listdir(path):
        os.remove(f"{path}/{name}")
    with open(f"{path}/{family}.json", "w", encoding="utf-8") as file:
        json.dump(data, file)
    run = subprocess.run(["voxphys", "check", "--corpus", path, "--adapter", "read -r _; echo 'hello 1 a 1'; echo can hull9; cat >/dev/null"], capture_output=True, text=True, check=False)
    return run.returncode, run.stderr


for family in everyone:
    if checked(family, load(family))[1].find(f"/{family}.json") >= 0:
        say(f"{family}: what is not altered is refused")
# Under a sanitizer one in four stands for what is read on the same path.
for family, name, change, where, by_schema in alterations[::4 if os.environ["VOXPHYS_SLOW"] else 1]:
    data = load(family)
    vector = next(v for v in data["vectors"] if where(v))
    data["vectors"] = [vector] + [v for v in data["vectors"] if v is not vector][:2]
    if validator and not validator.is_valid(data):
        say(f"{family}: the schema refuses what is not altered")
    change(data, vector)
    status, said = checked(family, data)
    if status != 2 or f"/{family}.json: " not in said:
        say(f"{family}: {name}: exit code {status}, and {said!r}")
    if ": vector 0: " in said and '"id"' not in said and vector["id"] not in said:
        say(f"{family}: {name}: no id in {said!r}")
    if validator and validator.is_valid(data) == by_schema:
        say(f"{family}: {name}: the schema {'takes' if by_schema else 'refuses'} it")
print(len(alterations), "alterations,", wrong, "failures" + ("" if validator else "; no jsonschema here"))
sys.exit(wrong != 0)
