# SPDX-License-Identifier: MIT
"""read_hulls.py FILE: prints the convex hulls of a file of `voxphys decompose`: the name, the points and the volume of each. Of a robot it
prints each body before its hulls: name, mass, centre, inertia xx yy zz xy xz yz. The hulls of an OFF are its connected parts."""
import itertools
import json
import pathlib
import struct
import sys
import xml.etree.ElementTree as xml


def show(name, triangles):
    """Triangles of points, counterclockwise from outside."""
    volume = sum(a[k] * (b[k - 2] * c[k - 1] - b[k - 1] * c[k - 2]) for a, b, c in triangles for k in range(3)) / 6
    print(name, len({p for t in triangles for p in t}), f"{volume:.6g}")


def body(name, mass, centre, inertia):
    print(name, *(f"{float(v):.6g}" if abs(float(v)) > 1 else "0" for v in (mass, *centre, *inertia)))


def binary_stl(path):
    data = path.read_bytes()
    count, = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count, path
    for i in range(count):
        v = struct.unpack_from("<12f", data, 84 + 50 * i)
        yield v[3:6], v[6:9], v[9:12]


def main(path):
    kind, text = path.suffix, path.read_text(errors="replace")
    if kind == ".obj":
        points, hulls = [], {}
        for key, *words in (line.split() for line in text.splitlines() if line[:2] in ("o ", "v ", "f ")):
            if key == "o":
                hulls[words[0]] = current = []
            elif key == "v":
                points.append(tuple(map(float, words)))
            else:
                current.append([points[int(w) - 1] for w in words])
        for name, triangles in hulls.items():
            show(name, triangles)
    elif kind == ".stl":
        for part in text.split("endsolid")[:-1]:
            lines = part[part.index("solid "):].splitlines()
            points = [tuple(map(float, line.split()[1:])) for line in lines if line.startswith("vertex")]
            show(lines[0].split()[1], list(zip(points[::3], points[1::3], points[2::3])))
    elif kind == ".off":
        words = iter(text.split())
        assert next(words) == "OFF"
        vertices, faces, _ = (int(next(words)) for _ in range(3))
        points = [tuple(float(next(words)) for _ in range(3)) for _ in range(vertices)]
        triangles = [[int(next(words)) for _ in range(7)] for _ in range(faces)] # 3, corners, colour
        for colour, part in itertools.groupby(triangles, lambda t: t[4:]):
            show("-", [[points[v] for v in t[1:4]] for t in part])
    elif kind == ".urdf":
        for link in xml.parse(path).getroot().iter("link"):
            inertial = link.find("inertial")
            matrix = inertial.find("inertia").attrib
            body(link.get("name"), inertial.find("mass").get("value"), inertial.find("origin").get("xyz").split(),
                 [matrix["i" + k] for k in ("xx", "yy", "zz", "xy", "xz", "yz")])
            for collision in link.iter("collision"):
                show(collision.get("name"), list(binary_stl(path.parent / collision.find("geometry/mesh").get("filename"))))
    elif kind == ".xml":
        root = xml.parse(path).getroot()
        meshes = {m.get("name"): m.get("vertex").split() for m in root.iter("mesh")}
        for b in root.iter("body"):
            inertial = b.find("inertial").attrib
            body(b.get("name"), inertial["mass"], inertial["pos"].split(), inertial["fullinertia"].split())
            for geom in b.iter("geom"):
                print(geom.get("mesh"), len(meshes[geom.get("mesh")]) // 3)
    else:
        data = path.read_bytes()
        length, = struct.unpack_from("<I", data, 12)
        print(*(node["name"] for node in json.loads(data[20:20 + length])["nodes"]))


main(pathlib.Path(sys.argv[1]))
