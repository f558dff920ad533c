# SPDX-License-Identifier: MIT
"""module.py CC INCLUDE: tests the Python module with the library that it finds, with numpy if that exists, and without."""
import pathlib
import subprocess
import sys
import tempfile
import warnings

import voxphys

# An L of two boxes, 2 x 1 x 1 and 1 x 1 x 1 above its left half.
OUTLINE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
VERTICES = [(x, y, z) for z in (0, 1) for x, y in OUTLINE]
CAP = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
TRIANGLES = [(a, c, b) for a, b, c in CAP] + [(a + 6, b + 6, c + 6) for a, b, c in CAP]
for i in range(6):
    j = (i + 1) % 6
    TRIANGLES += [(i, j, j + 6), (i, j + 6, i + 6)]


def volume(hull):
    points, triangles = hull
    return sum((a[k] * (b[k - 2] * c[k - 1] - b[k - 1] * c[k - 2])) for a, b, c in ([points[v] for v in t] for t in triangles) for k in range(3)) / 6


def refuses(kind, text, *arguments, **options):
    try:
        voxphys.decompose(*arguments, **options)
    except kind as error:
        assert text in str(error), error
        return error
    raise AssertionError(f"no error: {text}")


def check_layout(compiler, include):
    """The compiler's offsets are those of the module."""
    names = {voxphys._Error: "vp_error", voxphys._Allocator: "vp_allocator", voxphys._Watch: "vp_decomposition_watch",
             voxphys._Def: "vp_decomposition_def", voxphys._Hull: "vp_hull", voxphys._Part: "vp_decomposition_hull",
             voxphys._Input: "vp_decomposition_input", voxphys._Decomposition: "vp_decomposition"}
    fields = [(s, name) for s in names for name, _ in s._fields_ if name != "rest"]
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "layout.c"), pathlib.Path(folder, "layout")
        lines = [f'printf("%zu\\n", offsetof({names[s]}, {name}));' for s, name in fields]
        lines += [f'printf("%zu\\n", sizeof({c}));' for c in names.values()]
        source.write_text("#include <stddef.h>\n#include <stdio.h>\n#include <voxphys/voxphys.h>\nint main(void)\n{\n" + "\n".join(lines) + "\n}\n")
        subprocess.run([compiler, "-std=c17", "-I", include, source, "-o", program], check=True)
        printed = [int(n) for n in subprocess.run([program], check=True, capture_output=True).stdout.split()]
    for (s, name), offset in zip(fields, printed):
        assert offset == getattr(s, name).offset, (names[s], name, offset)
    for s, size in zip(names, printed[len(fields):]):
        assert size == voxphys.ctypes.sizeof(s) or s is voxphys._Input or size < voxphys.ctypes.sizeof(s) and s is voxphys._Decomposition, (names[s], size)


def check_lists():
    hulls = voxphys.decompose(VERTICES, [list(t) for t in TRIANGLES])
    assert len(hulls) == 2 and abs(sum(map(volume, hulls)) - 3) < 1e-6, [volume(h) for h in hulls]
    assert all(len(points) == 8 and len(triangles) == 12 and set(points) <= {tuple(map(float, v)) for v in VERTICES} for points, triangles in hulls)
    assert len(voxphys.decompose(VERTICES, TRIANGLES, max_hulls=1)) == 1
    notch = voxphys.decompose(VERTICES, TRIANGLES, quality="fine", reach=260)  # (1.5, 1.5) is 0.5 from both arms
    assert len(notch) == 1 and 0.5 <= notch.reach[0] <= 0.52 and hulls.reach is None
    assert [len(voxphys.decompose(VERTICES, TRIANGLES, concavity=499, exact=e)) for e in (False, True)] == [1, 2]  # a ray of 500 between samples
    refuses(voxphys.Error, "concavity is 5; must be 0 with reach", VERTICES, TRIANGLES, reach=10, concavity=5)
    assert len(voxphys.decompose(VERTICES, TRIANGLES, quality="fast", unit="world", concavity=2)) == 1
    assert len(voxphys.decompose(VERTICES, TRIANGLES, quality="fine", max_vertices=4)[0][0]) == 4
    assert len(voxphys.decompose([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])[0][1]) == 2
    assert voxphys.decompose([(1, 2, 3)], [(0, 0, 0)])[0] == ([(1.0, 2.0, 3.0)], [])
    assert len(voxphys.decompose(VERTICES + [(1e6, 0, 0)], TRIANGLES, quality="fine", unit="world")) == 2  # no triangle uses it
    error = refuses(voxphys.Error, "12", VERTICES, [(0, 1, 12)])
    assert error.status == "VP_E_ARGUMENT"
    refuses(voxphys.Error, "point_count is 0", [], [])
    refuses(voxphys.Error, "concavity", VERTICES, TRIANGLES, concavity=-1)
    refuses(ValueError, "max_hulls=-1", VERTICES, TRIANGLES, max_hulls=-1)
    refuses(ValueError, "triangle 1 must be three indices", VERTICES, [(0, 1, 2), (0, 1, -1)])
    refuses(ValueError, "vertex 0 must be three numbers", [(0, 1)], TRIANGLES)
    refuses(ValueError, "quality='best'", VERTICES, TRIANGLES, quality="best")
    inward = [(a, c, b) for a, b, c in TRIANGLES]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        voxphys.decompose(VERTICES, inward)
        assert len(voxphys.decompose(VERTICES, inward, flip=True)) == 2
    assert ["1 parts are turned inside out" in str(w.message) for w in warned] == [True], warned
    seen = []
    voxphys.decompose(VERTICES, TRIANGLES, progress=lambda done, total: seen.append((done, total)))
    assert seen and seen[-1][0] <= seen[-1][1]
    assert refuses(voxphys.Error, "", VERTICES, TRIANGLES, progress=lambda *_: False).status == "VP_E_LIMIT"

    def interrupt(*_):
        raise KeyboardInterrupt("now")
    refuses(KeyboardInterrupt, "now", VERTICES, TRIANGLES, progress=interrupt)


def check_numpy(numpy):
    vertices, triangles = numpy.array(VERTICES, float), numpy.array(TRIANGLES)
    for points in (vertices, vertices.astype(numpy.float32)[::-1][::-1], VERTICES):
        hulls = voxphys.decompose(points, triangles)
        assert all(p.dtype == numpy.float32 and t.dtype == numpy.uint32 and p.shape == (8, 3) and t.shape == (12, 3) for p, t in hulls)
        assert [([tuple(map(float, p)) for p in points], [tuple(map(int, t)) for t in triangles]) for points, triangles in hulls] == voxphys.decompose(VERTICES, TRIANGLES)
    assert len(voxphys.decompose(vertices, triangles, quality="fast", unit="world", concavity=2)) == 1
    far = numpy.concatenate([vertices, [[1e6, 0, 0]]])
    assert len(voxphys.decompose(far, triangles, quality="fine", unit="world")) == 2
    refuses(ValueError, "(12, 2)", vertices[:, :2], triangles)
    refuses(ValueError, "integers", vertices, triangles - 1)
    refuses(ValueError, "integers", vertices, triangles.astype(float))


if len(sys.argv) == 3:
    check_layout(*sys.argv[1:])
check_lists()
try:
    import numpy
except ImportError:
    print("without numpy")
else:
    check_numpy(numpy)
    check_lists()
    print("with numpy, and without")
