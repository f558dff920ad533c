/* SPDX-License-Identifier: MIT */
/* Checks of a mesh file before assimp reads it, and OFF files as PLY, because assimp reads no comment after an OFF's counts and no face
 * with more than nine corners. */
#ifndef VP_HOST_MESHES_CHECK_H
#define VP_HOST_MESHES_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <voxphys/status.h>

#include "host/bytes.h"

/* Checks an OBJ, a PLY, an STL, a glTF or a GLB, by the end of its name. Accepts every other file.
   is_mesh  whether assimp reads the file. Then faces have at most VP_MAX_FACE_CORNERS corners, and in a text PLY each
            vertex and face has a line of its own
   @return VP_E_FORMAT for a truncated file, an undefined reference, a face with too many corners, or another format.
           VP_E_IO. The message does not name the file. */
vp_status vp_mesh_check(const char *path, bool is_mesh, vp_error *error);

/* Maximum corners of a face. assimp cuts a face in time quadratic in its corners, and cubic for a spiral. */
enum { VP_MAX_FACE_CORNERS = 4096 };

enum { VP_PLY_WORD = 48, VP_PLY_ELEMENTS = 32, VP_PLY_PROPERTIES = 64 };

typedef struct vp_ply_property {
    char name[VP_PLY_WORD];
    uint8_t count; /* bytes of a list's count. 0 = no list */
    uint8_t value; /* bytes of a value */
    bool has_sign; /* the count is signed */
    char kind;     /* type of a value outside a list: 'i', 'u' = unsigned, 'f' = floating */
} vp_ply_property;

typedef struct vp_ply_element {
    char name[VP_PLY_WORD];
    uint64_t count;
    int properties;
    vp_ply_property property[VP_PLY_PROPERTIES];
} vp_ply_element;

/* The header of a PLY. */
typedef struct vp_ply {
    bool known, text, big_endian; /* known: the header has a format line */
    bool is_mesh;                 /* see vp_mesh_check */
    int elements;
    vp_ply_element element[VP_PLY_ELEMENTS];
} vp_ply;

/* Reads a PLY's header from the file's beginning. The file's position is after it then. `out` begins as all zero bytes.
   @return VP_E_FORMAT, VP_E_IO */
vp_status vp_ply_read_header(FILE *file, vp_ply *out, vp_error *error);

/* Makes a binary PLY of the vertices and faces of an OFF. Each vertex and each face begins a line. Comments and empty
   lines may stand anywhere, and the counts may be on the line of "OFF". The number of edges is optional. Colours,
   normals and texture coordinates are skipped.
   @return VP_E_FORMAT for a file that is truncated or binary, has no faces, a face with more than VP_MAX_FACE_CORNERS
           corners, an invalid number, or another number of dimensions than three. VP_E_IO, VP_E_MEMORY. The message
           does not name the file. Free ply->at, also after a failure. */
vp_status vp_off_as_ply(const char *path, vp_bytes *ply, vp_error *error);

#endif
