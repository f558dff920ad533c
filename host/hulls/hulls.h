/* SPDX-License-Identifier: MIT */
/* Convex hulls in memory and in files: OBJ, an object a hull; binary glTF, a node a hull; JSON, points and triangles. Whoever made them:
   that each is a hull, and what it is worth, is not looked at here. */
#ifndef VP_HOST_HULLS_HULLS_H
#define VP_HOST_HULLS_HULLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/status.h>

/* The most of all hulls together. */
#define VP_HULLS_MAX_POINTS    (1u << 26)
#define VP_HULLS_MAX_TRIANGLES (1u << 27)

/* A hull: parts of the arrays. */
typedef struct vp_hulls_one {
    uint32_t point, points;
    uint32_t triangle, triangles; /* corners are numbers of its own points. A flat one has both sides; a segment the triangle 0 1 1, a point
                                     0 0 0. 0: the hull of the points is meant */
    uint32_t source, sources;     /* what it holds; 0: nobody has said */
} vp_hulls_one;

/* Hulls. All zero bytes are none. */
typedef struct vp_hulls {
    vp_hulls_one *one;
    vp_vec3 *point;
    uint32_t (*triangle)[3];
    uint32_t *source; /* triangles of the mesh that was decomposed */
    uint32_t count, points, triangles, sources;
    size_t one_room, point_room, triangle_room, source_room;
    bool failed; /* memory ran out: nothing more is added, which writing and reading tell */
} vp_hulls;

void vp_hulls_destroy(vp_hulls *hulls);

/* One more hull; and points and triangles, by that hull's own numbers, of the last one. */
void vp_hulls_begin(vp_hulls *hulls);
void vp_hulls_point(vp_hulls *hulls, vp_vec3 p);
void vp_hulls_triangle(vp_hulls *hulls, uint32_t a, uint32_t b, uint32_t c);
void vp_hulls_source(vp_hulls *hulls, uint32_t triangle);

/* Joins points of the last hull that are in one place, the first stays. */
void vp_hulls_join(vp_hulls *hulls);

typedef enum vp_hulls_format { VP_HULLS_OBJ, VP_HULLS_GLB, VP_HULLS_JSON, VP_HULLS_FORMATS } vp_hulls_format;

/* By the end of a file's name. False if it is none of .obj, .glb, .json. */
bool vp_hulls_format_of(const char *path, vp_hulls_format *out);

/* Writes hulls, of which there is at least one, in colours of their own; an OBJ's colours to vp_mesh_materials_file.
   maker  what is said of who made them: a word or two
   @return VP_E_MEMORY; VP_E_IO; VP_E_LIMIT for a glTF of more than 4 GiB; VP_E_UNSUPPORTED for a hull without triangles, but in JSON */
vp_status vp_hulls_write(const char *path, vp_hulls_format format, const vp_hulls *hulls, const char *maker, vp_error *error);

/* The colour of a hull, sRGB: 240 different ones, near numbers far apart. */
enum { VP_HULLS_COLOURS = 240 };
void vp_hulls_colour(uint32_t number, uint8_t rgb[3]);

/* Whether a name ends as a file that vp_hulls_read reads: as a mesh's, or with .json. */
bool vp_is_hulls_file(const char *name);

/* Reads hulls from a regular file; points of a hull that are in one place are joined.
   - .obj: each `o` line begins a hull; of a file without them, each `g` line; of one without either, all is one. A hull has the points that
     its faces name; where a file has no faces, those of its `v` lines, and no triangles. Faces of more corners are fans.
   - .json: {"hulls": [{"points": [[x, y, z], ...], "triangles": [[0, 1, 2], ...], "of": [0, ...]}, ...]}, of which triangles and `of` may
   be left out.
   - others, through assimp: each node that has triangles is a hull, where the file places it.
   @return VP_E_FORMAT for what is no such file, or has no hull, a number that is not finite, an index that is too high; VP_E_IO;
   VP_E_MEMORY; VP_E_UNSUPPORTED as vp_mesh_load. The message names the file. Destroy the hulls, also after a failure. */
vp_status vp_hulls_read(const char *path, vp_hulls *out, vp_error *error);

/* The bytes of such a file; messages do not name it. */
vp_status vp_hulls_read_obj(const uint8_t *bytes, size_t size, vp_hulls *out, vp_error *error);
vp_status vp_hulls_read_json(const uint8_t *bytes, size_t size, vp_hulls *out, vp_error *error);

#endif
