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
    vp_triangles triangles; /* of the arrays below */
    vp_vec3 *vertex;
    uint32_t *index;
    uint8_t *material;      /* of each triangle: its number in the file, at most 255 */
    uint32_t *part;         /* of each triangle: the number of the node that has it, ascending; numbers may be left out */
    uint64_t points, lines; /* that were left out */
} vp_loaded_mesh;

/* Whether a name ends as a mesh's file: with .obj, .ply, .stl, .off, .gltf or .glb, in small or capital letters. */
bool vp_is_mesh_file(const char *name);

/* Reads a mesh from a regular file, and how its materials look: those that the file does not tell are left as they are. Nodes
   are where the file places them; see mesh_reader.c for how faces are cut.
   written  a file that is to be written, or NULL: VP_E_ARGUMENT if the mesh names it for its materials or buffers
   @return VP_E_FORMAT for a file that is no mesh, has no triangle or too many, or vertices that are not finite or too large;
           VP_E_IO; VP_E_MEMORY; VP_E_UNSUPPORTED in a build without assimp. The message names the file. */
vp_status vp_mesh_load(const char *path, const char *written, vp_loaded_mesh *out, vp_looks *looks, vp_error *error);

/* Frees a mesh; one that is all zero bytes is left alone. */
void vp_loaded_mesh_destroy(vp_loaded_mesh *mesh);

#endif
