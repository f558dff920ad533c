# SPDX-License-Identifier: MIT
"""The families of the corpus as tests know them, a file each in families/. A file has
    WRONG, RIGHT  how an answer is spoiled, or said in another way that is right as well, and in how many questions at least
    other         WAY, the words asked, the words said -> other words, or None where this way has nothing to change
    alike         what is right in other words wherever there are any; ALIKE, questions whose answers are so told
    FAILS         how a program fails; at what question; what `voxphys reduce` must leave of it; options
    fails         WAY, asked, said -> what it says
    unsound       what may be wrong in a file of the corpus

family.py spoil WAY LOG | alike | fail WAY: an adapter that asks `voxphys adapter`, and says what it says otherwise. The numbers of questions whose answers
    it has spoiled are written to LOG.
family.py ways | alikes | failures: what there is to try. family.py judged OUT FAMILY EVERY: what `voxphys check` found of a family's ways.
family.py left FAMILY K RESULT VECTOR: whether that is left of a failure which must be."""
import glob
import importlib
import json
import os
import subprocess
import sys

import words  # noqa: F401  and the folder of the makers

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = sorted(os.path.basename(path)[:-3].replace("_", "-") for path in glob.glob(f"{HERE}/families/*.py"))


def of(name):
    return importlib.import_module("families." + name.replace("-", "_"))


def ways(name):
    """Of each way whether it is right, and of how many questions it has something to say."""
    return {way: (right, least) for right in (False, True) for way, least in getattr(of(name), "RIGHT" if right else "WRONG", {}).items()}


def adapter(kind, way=None, log=None):
    honest = subprocess.Popen(["voxphys", "adapter"] + (["--isa", "scalar"] if kind != "spoil" else []), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if log is not None:
        log = open(log, "w", encoding="ascii")

    def said_instead(asked, said):
        family = of(asked[1])
        if kind == "fail":
            return family.fails(way, asked, said)
        if said[0] == "refused" and not (kind == "alike" and asked[1].startswith(("ray-", "grid-"))):
            return said
        if kind == "spoil":
            spoiled = family.other(way, asked, said)
            if spoiled is None:
                return said
            log.write(asked[0] + "\n")
            log.flush()
            return spoiled
        if said[0] in ("flat", "invalid"):
            return ["refused", "it", "is", said[0]]
        return family.alike(asked, said) if hasattr(family, "alike") else said

    for line in sys.stdin:
        honest.stdin.write(line)
        honest.stdin.flush()
        asked, said = line.split(), honest.stdout.readline().split()
        if asked[0] == "hello":
            print(f"hello 1 {kind} 1\n" + honest.stdout.readline().strip(), flush=True)
        else:
            print(asked[0], *said_instead(asked, said[1:]), flush=True)


def judged(out, name, every):
    """Each answer that is spoiled is found wrong, and no other."""
    out, wrong = json.load(open(out, encoding="utf-8")), []
    may_be_right = getattr(of(name), "may_be_right", lambda way, vector: False)
    for column, (way, (right, least)) in enumerate(ways(name).items()):
        changed = {int(n) - 1 for n in open(f"log.{way}", encoding="ascii")}
        results = [v["results"][column] for v in out["vectors"]]
        failed = {i for i, r in enumerate(results) if r["result"] != "pass"}
        missed = {i for i in (failed if right else changed - failed) if not may_be_right(way, out["vectors"][i])}
        if len(changed) < least // int(every):
            wrong.append(f"only {len(changed)} are changed by {way}")
        if missed:
            wrong.append(f"{way}: judged otherwise: {[(out['vectors'][i]['id'], results[i].get('reason')) for i in sorted(missed)]}")
        if len(failed) > len(changed) or any(results[i].get("reason") is None or results[i].get("answer") is None for i in failed):
            wrong.append(f"{way}: others than those {len(changed)} are wrong, or have no reason")
    sys.exit("\n".join(wrong) or 0)


def failures():
    """FAMILY K WAY VECTOR FOUND OPTION...: FOUND is whether the corpus is made with what is left, which for some takes long."""
    for name in NAMES:
        for k, (way, vector, _, *options) in enumerate(getattr(of(name), "FAILS", [])):
            found = "slow" if getattr(of(name), "SLOW", False) else "found" if getattr(of(name), "FOUND", True) else "no"
            print(name, k, way, f"{name}/{vector}", found, *options)


def left(name, k, result, vector):
    result, vector = (json.load(open(path, encoding="utf-8")) for path in (result, vector))
    if not of(name).FAILS[int(k)][2](result, vector["input"]):
        sys.exit(f"{name} {k}: {json.dumps(result)}\n{json.dumps(vector)}")


if __name__ == "__main__":
    do = sys.argv[1]
    if do in ("spoil", "alike", "fail"):
        adapter(*sys.argv[1:])
    elif do == "ways":
        for each in NAMES:
            print(each, *ways(each))
    elif do == "alikes":
        for each in NAMES:
            print(*(f"{each}/{vector}" for vector in getattr(of(each), "ALIKE", [])), sep="\n", end="\n" if getattr(of(each), "ALIKE", []) else "")
    else:
        {"judged": judged, "failures": failures, "left": left}[do](*sys.argv[2:])
