# SPDX-License-Identifier: MIT
"""spoiled.py WAY LOG: an adapter that asks `voxphys adapter` and spoils what it says, in one way. The numbers of the questions whose
answers it has spoiled are written to LOG."""
import struct
import subprocess
import sys

way, log = sys.argv[1], open(sys.argv[2], "w", encoding="ascii")
honest = subprocess.Popen(["voxphys", "adapter"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(line):
    honest.stdin.write(line)
    honest.stdin.flush()
    return honest.stdout.readline().split()


def more(word, by):
    return struct.pack(">f", struct.unpack(">f", bytes.fromhex(word))[0] + by).hex()


def mesh(answer):
    count = int(answer[1])
    return answer[3:3 + 3 * count], answer[3 + 3 * count:]


def triangles(answer):
    """Where three numbers a triangle begin, if any."""
    return {"mesh": 3 + 3 * int(answer[1]), "hull": 2}[answer[0]] if answer[0] in ("mesh", "hull") and int(answer[2 if answer[0] == "mesh" else 1]) else None


def spoil(family, asked, answer):
    """The answer made wrong, or None where this way has nothing to spoil."""
    if answer[0] == "refused":
        return None
    if way == "bit" and family == "dilation":
        return [("1" if answer[0][0] == "0" else "0") + answer[0][1:], answer[1]]
    if way == "classes" and family == "dilation" and answer[0] != answer[1]:
        return answer[::-1]
    if way == "word" and family == "overlap":
        return [{"none": "solid", "solid": "both", "water": "solid", "both": "water", "invalid": "none"}[answer[0]]]
    if way == "nan" and answer[0] == "hit":
        return answer[:-1] + ["7fc00000"]
    if way == "far" and answer[0] == "hit":
        return answer[:-1] + ["7f800000"]
    if way == "cell" and family == "grid-walk" and answer[0] == "hit":
        return ["hit", str(int(answer[1]) + 100)] + answer[2:]
    if way == "other" and family == "ray-mesh" and answer[0] == "hit":
        return ["hit", str(int(asked[3]) - 1 - int(answer[1])), "7f7fffff"]
    if way == "less" and family == "aabb-gather" and answer[1] != "0":
        return ["set", str(int(answer[1]) - 1)] + answer[3:]
    if way == "twice" and family == "aabb-gather" and answer[1] != "0":
        return ["set", str(int(answer[1]) + 1)] + answer[2:] + answer[2:3]
    if way == "less" and family == "hull2" and int(answer[1]) > 2:
        return ["hull", str(int(answer[1]) - 1)] + answer[3:]
    if way == "back" and family == "hull2" and int(answer[1]) > 2:
        return answer[:2] + answer[:1:-1]
    if way == "flat" and family == "hull3" and answer[0] == "hull":
        return ["flat"]
    begin = triangles(answer) if family in ("hull3", "mesher") else None
    if begin is None:
        return None
    head, corners = answer[:begin], answer[begin:]
    if way == "less":
        head[-1 if family == "hull3" else 2] = str(len(corners) // 3 - 1)
        return head + corners[3:]
    if way == "back":
        return head + [c for i in range(0, len(corners), 3) for c in (corners[i], corners[i + 2], corners[i + 1])]
    if way == "twice":
        head[-1 if family == "hull3" else 2] = str(len(corners) // 3 * 2)
        return head + corners * 2
    if way == "moved" and family == "mesher":
        vertices, _ = mesh(answer)
        return head[:3] + [more(v, 1.0) if i % 3 == 0 else v for i, v in enumerate(vertices)] + corners
    if way == "inner" and family == "hull3" and len(corners) > 12:  # a hull of four points alone
        a, b, c = corners[:3]
        d = next((x for x in corners if x not in (a, b, c)), None)
        return ["hull", "4", a, b, c, a, d, b, b, d, c, c, d, a]
    return None


for line in sys.stdin:
    asked = line.split()
    if asked[0] == "hello":
        print("hello 1 spoiled 1\n" + honest.stdout.readline().strip() if ask(line)[0] == "hello" else "", flush=True)
        continue
    answer = ask(line)
    spoiled = spoil(asked[1], asked, answer[1:])
    if spoiled is not None:
        log.write(asked[0] + "\n")
        log.flush()
    print(asked[0], *(spoiled if spoiled is not None else answer[1:]), flush=True)
