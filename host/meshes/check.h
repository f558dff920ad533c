/* SPDX-License-Identifier: MIT */
/* What a mesh's file must hold before assimp reads it. */
#ifndef VP_HOST_MESHES_CHECK_H
#define VP_HOST_MESHES_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <voxphys/status.h>

/* Checks an OBJ, a PLY, an STL, a glTF or a GLB, by the end of its name. Accepts every other file.
   is_mesh  assimp reads the file: faces have at most VP_MAX_FACE_CORNERS corners, and in a PLY in text each vertex and face has a
            line of its own
   @return VP_E_FORMAT for one that is cut, names what it does not have, has a face of more corners, or is of another format;
           VP_E_IO. The message does not name the file. */
vp_status vp_mesh_check(const char *path, bool is_mesh, vp_error *error);

/* Maximum corners of a face. assimp cuts a face in time that grows with the square of its corners, of a spiral with the cube. */
enum { VP_MAX_FACE_CORNERS = 4096 };

/* Checks the number of corners of a face, which the message names. @return VP_E_FORMAT above VP_MAX_FACE_CORNERS */
vp_status vp_mesh_check_corners(uint64_t face, uint64_t corners, vp_error *error);

enum { VP_PLY_WORD = 48, VP_PLY_ELEMENTS = 32, VP_PLY_PROPERTIES = 64 };

typedef struct vp_ply_property {
    char name[VP_PLY_WORD];
    uint8_t count; /* bytes of a list's count; 0: no list */
    uint8_t value; /* bytes of a value */
    bool has_sign; /* the count */
    char kind;     /* the value, of no list: 'i', 'u' without a sign, 'f' floating */
} vp_ply_property;

typedef struct vp_ply_element {
    char name[VP_PLY_WORD];
    uint64_t count;
    int properties;
    vp_ply_property property[VP_PLY_PROPERTIES];
} vp_ply_element;

/* The header of a PLY. */
typedef struct vp_ply {
    bool known, text, big_endian; /* known: it tells a format */
    bool is_mesh;                 /* see vp_mesh_check */
    int elements;
    vp_ply_element element[VP_PLY_ELEMENTS];
} vp_ply;

/* From the file's beginning; the file stands behind it then. `out` begins as all zero bytes. VP_E_FORMAT, VP_E_IO */
vp_status vp_ply_read_header(FILE *file, vp_ply *out, vp_error *error);

#endif
