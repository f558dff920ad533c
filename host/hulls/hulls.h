/* SPDX-License-Identifier: MIT */
/* Convex hulls in memory and in files: OBJ (an object per hull), binary glTF (a node per hull), JSON (points and
   triangles), STL (a solid per hull), OFF, and robots in URDF and MJCF. These functions don't check convexity or quality. */
#ifndef VP_HOST_HULLS_HULLS_H
#define VP_HOST_HULLS_HULLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/status.h>

#include "host/bytes.h"
#include "host/mesh_file.h"

/* Maximum of all hulls together. */
#define VP_HULLS_MAX_POINTS    (1u << 26)
#define VP_HULLS_MAX_TRIANGLES (1u << 27)

/* A hull: ranges of the arrays. */
typedef struct vp_hulls_one {
    uint32_t point, points;
    uint32_t triangle, triangles; /* corners are numbers of the hull's own points. A flat hull has both sides, a segment the triangle 0 1 1,
                                     a point 0 0 0. 0 = the hull of the points */
    uint32_t object, number;      /* object of the mesh, and number within it */
    uint32_t source, sources;     /* contained triangles of the decomposed mesh. 0 = unknown */
} vp_hulls_one;

/* How files name hulls. Numbers of objects' hulls have at least two digits in the last two. */
typedef enum vp_hulls_naming {
    VP_HULLS_NAMED_PLAIN, /* hull-0, or OBJECT-hull-0 */
    VP_HULLS_NAMED_UCX,   /* UCX_OBJECT_00, for Unreal */
    VP_HULLS_NAMED_GODOT  /* OBJECT-00-convcolonly */
} vp_hulls_naming;

/* An object of the mesh. */
typedef struct vp_hulls_object {
    const char *name; /* printable ASCII without quotes and backslashes */
    vp_mass mass;     /* for URDF and MJCF */
} vp_hulls_object;

/* Hulls. All zero bytes = none. */
typedef struct vp_hulls {
    vp_hulls_naming naming;
    const vp_hulls_object *object; /* of the caller. NULL is valid for plain names and files without masses */
    uint32_t objects;
    vp_hulls_one *one;
    vp_vec3 *point;
    uint32_t (*triangle)[3];
    uint32_t *source; /* triangles of the decomposed mesh */
    uint32_t count, points, triangles, sources;
    size_t one_room, point_room, triangle_room, source_room;
    bool failed; /* out of memory: later elements are dropped, and writing or reading fails */
} vp_hulls;

void vp_hulls_destroy(vp_hulls *hulls);

/* vp_hulls_begin adds a hull. The others add to the last hull. Triangles use that hull's own point numbers. */
void vp_hulls_begin(vp_hulls *hulls);
void vp_hulls_point(vp_hulls *hulls, vp_vec3 p);
void vp_hulls_triangle(vp_hulls *hulls, uint32_t a, uint32_t b, uint32_t c);
void vp_hulls_source(vp_hulls *hulls, uint32_t triangle);

/* Joins points of the last hull that are in one place. The first one stays. */
void vp_hulls_join(vp_hulls *hulls);

typedef enum vp_hulls_format {
    VP_HULLS_OBJ,
    VP_HULLS_GLB,
    VP_HULLS_JSON,
    VP_HULLS_STL,
    VP_HULLS_OFF,
    VP_HULLS_URDF,
    VP_HULLS_MJCF,
    VP_HULLS_FORMATS
} vp_hulls_format;
#define VP_HULLS_ENDS ".obj, .glb, .json, .stl, .off, .urdf, .xml"

/* Finds the format by the end of a file's name. False if it is none of VP_HULLS_ENDS. */
bool vp_hulls_format_of(const char *path, vp_hulls_format *out);

/* Writes at least one hull, in OBJ, GLB and OFF each in a colour of its own. An OBJ's colours go to vp_mesh_materials_file, the hulls of a
   URDF to vp_hulls_beside.
   maker  program that made the hulls, a word or two
   @return VP_E_MEMORY, VP_E_IO, VP_E_LIMIT for a glTF above 4 GiB, VP_E_UNSUPPORTED for a hull without triangles except in JSON, and for
           URDF and MJCF without objects */
vp_status vp_hulls_write(const char *path, vp_hulls_format format, const vp_hulls *hulls, const char *maker, vp_error *error);

/* The STL of a URDF's hull: FILE with the end -hull-0.stl instead of .urdf. */
vp_file_name vp_hulls_beside(const char *path, uint32_t hull);

/* Names a hull in a file. */
typedef struct vp_hulls_name {
    char text[96];
} vp_hulls_name;
vp_hulls_name vp_hulls_name_of(const vp_hulls *hulls, uint32_t hull);

/* Bytes of a URDF or MJCF. */
void vp_hulls_urdf(const vp_hulls *hulls, const char *maker, const char *path, vp_bytes *out);
void vp_hulls_mjcf(const vp_hulls *hulls, const char *maker, vp_bytes *out);

/* The colour of a hull, sRGB. There are 240 colours, and consecutive numbers differ strongly. */
enum { VP_HULLS_COLOURS = 240 };
void vp_hulls_colour(uint32_t number, uint8_t rgb[3]);

/* Whether vp_hulls_read reads a file of this name: a mesh's, or one with .json. */
bool vp_is_hulls_file(const char *name);

/* Reads hulls from a regular file and joins points of a hull that are in one place.
   - .obj: each `o` line begins a hull. In a file without them, each `g` line begins one. Without either, the file is one hull.
     A hull has the points that its faces name. In a file without faces it has those of its `v` lines, and no triangles. Faces
     with more than three corners become fans.
   - .json: {"hulls": [{"points": [[x, y, z], ...], "triangles": [[0, 1, 2], ...], "of": [0, ...]}, ...]}. The members
     triangles and `of` are optional.
   - others, through assimp: each node that has triangles is a hull, placed as in the file.
   @return VP_E_FORMAT for another format, no hull, a number that is not finite or an index out of range. VP_E_IO, VP_E_MEMORY.
           VP_E_UNSUPPORTED as vp_mesh_load. The message names the file. Destroy the hulls, also after a failure. */
vp_status vp_hulls_read(const char *path, vp_hulls *out, vp_error *error);

/* Read hulls from a file's bytes. Messages do not name the file. */
vp_status vp_hulls_read_obj(const uint8_t *bytes, size_t size, vp_hulls *out, vp_error *error);
vp_status vp_hulls_read_json(const uint8_t *bytes, size_t size, vp_hulls *out, vp_error *error);

#endif
