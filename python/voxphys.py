# SPDX-License-Identifier: MIT
"""Convex decomposition by voxphys: decompose(vertices, triangles) returns convex hulls.

Needs the shared library, libvoxphys, and no other package. It is looked for in $VOXPHYS_LIBRARY, in the folders lib* above this file, and
where the system looks.
"""
import array
import ctypes
import ctypes.util
import functools
import os
import pathlib
import sys
import warnings
from ctypes import POINTER, Structure, c_bool, c_char, c_double, c_float, c_int, c_size_t, c_uint32, c_uint64, c_void_p

VERSION = "0.1.0"  # of the library whose structures are below
QUALITY = {"fast": 0.02, "default": 0.01, "fine": 0.005}  # concavity and spacing, in parts of the longest side


class Error(Exception):
    """The library's message. `status` is the name of its code, such as VP_E_ARGUMENT."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


class Hulls(list):
    """(vertices, triangles) of each hull. `reach` is None, or an upper bound of each hull's largest distance from the solid."""

    reach = None


_Progress = ctypes.CFUNCTYPE(c_bool, c_void_p, c_uint64, c_uint64)


class _Error(Structure):
    _fields_ = [("status", c_int), ("message", c_char * 256)]


class _Allocator(Structure):
    _fields_ = [(name, c_void_p) for name in ("user", "allocate", "release")]


class _Watch(Structure):
    _fields_ = [("user", c_void_p), ("progress", _Progress), ("on_start", c_void_p), ("on_step", c_void_p)]


class _Def(Structure):
    _fields_ = [("point", c_void_p), ("point_count", c_uint32), ("triangle_count", c_uint32), ("triangle", c_void_p),
                ("unit", c_int), ("scale", c_float), ("quantization", c_float), ("concavity", c_float), ("spacing", c_float),
                ("rows", c_uint32), ("flat", c_int), ("min_hulls", c_uint32), ("max_hulls", c_uint32), ("max_vertices", c_uint32),
                ("min_volume", c_float), ("flip", c_bool), ("surface_only", c_bool), ("watch", POINTER(_Watch)),
                ("recorder", c_void_p), ("kernels", c_void_p), ("executor", c_void_p), ("allocator", c_void_p),
                ("max_seconds", c_float), ("merge_shells", c_bool), ("exact", c_bool), ("reach", c_float)]


class _Hull(Structure):
    _fields_ = [("dimension", c_uint32), ("tolerance", c_float), ("vertex_count", c_uint32), ("triangle_count", c_uint32),
                ("face_count", c_uint32), ("corner_count", c_uint32), ("vertex", POINTER(c_uint32)), ("triangle", POINTER(c_uint32)),
                ("neighbour", c_void_p), ("face_of", c_void_p), ("first_corner", c_void_p), ("corner", c_void_p), ("across", c_void_p),
                ("plane", c_void_p), ("volume", c_double), ("area", c_double), ("centroid", c_double * 3), ("mass", c_double * 10),
                ("error", c_double), ("moved", c_double), ("work", c_uint64), ("cost", c_uint64 * 3), ("allocator", _Allocator),
                ("block", c_void_p), ("block_bytes", c_size_t)]


class _Part(Structure):
    _fields_ = [("hull", _Hull), ("point", POINTER(c_float)), ("point_count", c_uint32), ("triangle_count", c_uint32),
                ("triangle", c_void_p), ("error", c_double), ("by", c_int), ("node", c_uint32), ("step", c_uint64), ("reach", c_double)]


class _Input(Structure):
    _fields_ = [(name, c_uint32) for name in ("vertices", "joined", "triangles", "duplicates", "degenerate", "open_edges", "manifold_edges",
                                              "twisted_edges", "crowded_edges", "shells", "covered", "reversed", "tiny", "flipped")]


class _Decomposition(Structure):
    _fields_ = [("hull", POINTER(_Part)), ("hull_count", c_uint32), ("input", _Input), ("rest", c_uint64 * 256)]  # larger than the library's


def _candidates():
    if os.environ.get("VOXPHYS_LIBRARY"):
        yield os.environ["VOXPHYS_LIBRARY"]
        return
    major = VERSION.split(".")[0]
    name = {"win32": "*voxphys.dll", "darwin": f"libvoxphys.{major}.dylib"}.get(sys.platform, f"libvoxphys.so.{major}")
    for folder in pathlib.Path(__file__).resolve().parents[:5]:
        for pattern in (name, f"lib*/{name}", f"lib*/*/{name}", f"bin/{name}"):
            yield from map(str, sorted(folder.glob(pattern)))
    yield name.lstrip("*")
    yield ctypes.util.find_library("voxphys")


@functools.lru_cache(maxsize=None)
def _library():
    reason = "no candidate"
    for path in filter(None, _candidates()):
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            reason = error
            continue
        library.vp_version_string.restype = library.vp_status_name.restype = ctypes.c_char_p
        version = library.vp_version_string().decode()
        if version != VERSION:
            raise ImportError(f"{path} is version {version}; this module is for {VERSION}")
        library.vp_decomposition_create.argtypes = [POINTER(_Def), POINTER(_Decomposition), POINTER(_Error)]
        library.vp_decomposition_destroy.argtypes = [POINTER(_Decomposition)]
        library.vp_decomposition_destroy.restype = None
        return library
    raise ImportError(f"libvoxphys is not found ({reason}); set VOXPHYS_LIBRARY to its path")


def _numpy_of(*values):
    """numpy, if one of the values is an array of it. It is not imported here."""
    numpy = sys.modules.get("numpy")
    return numpy if numpy and any(isinstance(v, numpy.ndarray) for v in values) else None


def _flat(rows, code, what, numpy):
    """The rows of three numbers as one array of binary32 ("f") or uint32 ("I"), its address, and the number of rows."""
    if numpy:
        rows = numpy.asarray(rows)
        if rows.ndim != 2 or rows.shape[1] != 3:
            raise ValueError(f"the array of a {what} a row has the shape {rows.shape}; it must be (n, 3)")
        if code == "I" and (rows.dtype.kind not in "iu" or (rows.size and not 0 <= rows.min() <= rows.max() < 1 << 32)):
            raise ValueError(f"the array of a {what} a row must be of integers from 0 to 4294967295")
        flat = numpy.ascontiguousarray(rows, dtype=numpy.float32 if code == "f" else numpy.uint32)
        return flat, flat.ctypes.data, len(flat)
    flat = array.array(code)
    for number, row in enumerate(rows):
        try:
            a, b, c = row
            flat.extend((a, b, c))
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{what} {number} must be three {'numbers' if code == 'f' else 'indices'}: {error}") from None
    return flat, flat.buffer_info()[0], len(flat) // 3


def _longest_side(points, corners, numpy):
    """The longest side of the box of the vertices that triangles use."""
    if numpy:
        used = points[numpy.unique(corners[corners < len(points)])]
        return float((used.max(axis=0) - used.min(axis=0)).max()) if len(used) else 0
    used = [v for v in set(corners) if 3 * v < len(points)]
    return max(max(points[3 * v + k] for v in used) - min(points[3 * v + k] for v in used) for k in range(3)) if used else 0


def _hull(part, numpy):
    hull = part.hull
    vertices, triangles = hull.vertex_count, hull.triangle_count
    if numpy:
        as_array = numpy.ctypeslib.as_array
        points = as_array(part.point, (part.point_count, 3))[as_array(hull.vertex, (vertices,))]
        return points, as_array(hull.triangle, (triangles, 3)).copy() if triangles else numpy.empty((0, 3), numpy.uint32)
    points = [tuple(part.point[3 * v + k] for k in range(3)) for v in hull.vertex[:vertices]]
    corners = hull.triangle[:3 * triangles] if triangles else []
    return points, list(zip(corners[::3], corners[1::3], corners[2::3]))


def decompose(vertices, triangles, *, quality="default", unit="cube", scale=0, quantization=0, concavity=0, spacing=0, min_hulls=0,
              max_hulls=0, max_vertices=0, min_volume=0, max_seconds=0, merge_shells=False, flip=False, surface_only=False, exact=False, reach=0,
              progress=None):
    """Decomposes a mesh into convex hulls. Returns a list of (vertices, triangles), a pair for each hull. With reach, its attribute
    `reach` lists an upper bound of each hull's largest distance from the solid.

    vertices   n x 3 numbers, as a numpy array or as lists or tuples. They are rounded to binary32.
    triangles  m x 3 indices of vertices, counterclockwise from outside.
    quality    "fast", "default" or "fine": default of concavity and spacing.
    unit       of lengths: "cube", 1/scale of the longest side of the mesh's box, scale 1000 by default, or "world", as the vertices.
    progress   called as progress(done, total). It cancels by returning False or raising.
    The other parameters are those of vp_decomposition_def. 0 = default or unlimited.

    Hulls are numpy arrays (float32, uint32) if the mesh has one, otherwise lists of tuples. Without max_seconds the result is deterministic.
    Raises Error with the library's message, and ValueError for a mesh that is no table of three columns. Warns about triangles that
    face inwards. Threads may call it at the same time.
    """
    if quality not in QUALITY or unit not in ("cube", "world"):
        raise ValueError(f"quality={quality!r}, unit={unit!r}: must be one of {', '.join(QUALITY)}, and cube or world")
    library, numpy = _library(), _numpy_of(vertices, triangles)
    points, point, point_count = _flat(vertices, "f", "vertex", numpy)
    corners, triangle, triangle_count = _flat(triangles, "I", "triangle", numpy)
    if quality != "default":
        side = _longest_side(points, corners, numpy) if unit == "world" else scale or 1000
        concavity, spacing = concavity or (0 if reach else QUALITY[quality] * side), spacing or QUALITY[quality] * side
    for name, value in (("min_hulls", min_hulls), ("max_hulls", max_hulls), ("max_vertices", max_vertices)):
        if not 0 <= value < 1 << 32:  # which ctypes would cut
            raise ValueError(f"{name}={value!r}: must be 0 to 4294967295")
    raised = []

    def on_progress(_user, done, total):
        try:
            return progress is None or progress(done, total) is not False
        except BaseException as error:  # also KeyboardInterrupt, which Python raises here
            raised.append(error)
            return False

    watch = _Watch(progress=_Progress(on_progress))
    of = _Def(point=point, point_count=point_count, triangle=triangle, triangle_count=triangle_count, unit=unit == "world", scale=scale,
              quantization=quantization, concavity=concavity, spacing=spacing, min_hulls=min_hulls, max_hulls=max_hulls,
              max_vertices=max_vertices, min_volume=min_volume, max_seconds=max_seconds, merge_shells=merge_shells, flip=flip,
              surface_only=surface_only, exact=exact, reach=reach, watch=ctypes.pointer(watch))
    made, error = _Decomposition(), _Error()
    status = library.vp_decomposition_create(of, made, error)
    del points, corners  # which must live until here
    if raised:
        raise raised[0]
    if status != 0:
        raise Error(error.message.decode(errors="replace"), library.vp_status_name(status).decode())
    try:  # a warning can be an error
        if made.input.reversed and not flip:
            warnings.warn(f"{made.input.reversed} parts are turned inside out, and their hulls stay flat; flip=True turns them", stacklevel=2)
        if made.input.flipped and not flip:
            warnings.warn(f"{made.input.flipped} triangles face the other way than most of their part, which has no inside; flip=True turns them", stacklevel=2)
        hulls = Hulls(_hull(made.hull[i], numpy) for i in range(made.hull_count))
        hulls.reach = [made.hull[i].reach for i in range(made.hull_count)] if reach else None
        return hulls
    finally:
        library.vp_decomposition_destroy(made)
