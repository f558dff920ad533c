/* SPDX-License-Identifier: MIT */
/* Meshes from files of other programs. */
#ifndef VP_HOST_MESH_LOAD_H
#define VP_HOST_MESH_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/kernel/kd.h>
#include <voxphys/status.h>

#include "host/looks.h"

typedef struct vp_loaded_mesh {
    vp_triangles triangles; /* views of the arrays below */
    vp_vec3 *vertex;
    uint32_t *index;
    uint8_t *material;      /* number of each triangle's material in the file, at most 255 */
    uint32_t *part;         /* number of each triangle's node, ascending. Numbers may be skipped */
    uint32_t parts;         /* nodes with triangles */
    char (*part_name)[48];  /* printable ASCII without quotes and backslashes, possibly empty. [parts] */
    uint64_t points, lines; /* elements that were left out */
} vp_loaded_mesh;

/* Whether a name ends as a mesh file: .obj, .ply, .stl, .off, .gltf or .glb, in any case. */
bool vp_is_mesh_file(const char *name);

/* Reads a mesh from a regular file, and the looks of its materials. Looks that the file does not define stay unchanged.
   Nodes are placed as in the file. mesh_reader.c documents how faces are cut into triangles.
   written  file that is to be written, or NULL. VP_E_ARGUMENT if the mesh names it for its materials or buffers
   @return VP_E_FORMAT for another format, no triangle, too many, or vertices that are not finite or too large. VP_E_IO,
           VP_E_MEMORY. VP_E_UNSUPPORTED in a build without assimp. The message names the file. */
vp_status vp_mesh_load(const char *path, const char *written, vp_loaded_mesh *out, vp_looks *looks, vp_error *error);

/* Frees a mesh. All zero bytes = no-op. */
void vp_loaded_mesh_destroy(vp_loaded_mesh *mesh);

#endif
