/* SPDX-License-Identifier: MIT */
/* Meshes as files that other programs read. Each is made in memory and put in its place as a whole. */
#ifndef VP_HOST_MESH_FILE_H
#define VP_HOST_MESH_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <voxphys/mesh.h>

#include "src/core/error.h"
#include "host/looks.h"

/* A surface to be written. */
typedef struct vp_named_mesh {
    const char *name; /* "solid" */
    const vp_mesh *mesh;
} vp_named_mesh;

typedef enum vp_mesh_format { VP_MESH_OBJ, VP_MESH_PLY, VP_MESH_GLTF, VP_MESH_FORMATS } vp_mesh_format;

/* By the end of a file's name. False if it is none of .obj, .ply, .gltf. */
bool vp_mesh_format_of(const char *path, vp_mesh_format *out);

/* Bytes that grow. */
typedef struct vp_bytes {
    uint8_t *at;
    size_t size, capacity;
    bool failed; /* memory ran out; nothing more is added */
} vp_bytes;

void vp_bytes_add(vp_bytes *to, const void *bytes, size_t size);
void vp_bytes_print(vp_bytes *to, const char *format, ...) VP_PRINTF(2, 3);
/* Behind what is there: other bytes as base64, four letters for each three. */
void vp_bytes_base64(const vp_bytes *from, vp_bytes *out);

/* The numbers of a mesh's quads by ascending material, and where those of a material begin: first[256] is all. Free the
   list. NULL without memory, and for a mesh without quads. */
uint32_t *vp_quads_by_material(const vp_mesh *mesh, uint32_t first[257]);

/* One file for each format, in its own source file; obj_materials makes the file that an OBJ names for its materials.
   */
void vp_mesh_obj(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, const char *materials_file,
                 vp_bytes *out);
void vp_mesh_obj_materials(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out);
void vp_mesh_ply(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out);
void vp_mesh_gltf(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out);

/* The file of an OBJ's materials: FILE with the end .mtl. Free it. NULL without memory. */
char *vp_mesh_materials_file(const char *path);

/* Writes meshes, of which one at least has a quad, to a file; an OBJ's materials to vp_mesh_materials_file.
   @return VP_E_MEMORY, VP_E_IO */
vp_status vp_mesh_file_write(const char *path, vp_mesh_format format, const vp_named_mesh *mesh, size_t count,
                             const vp_looks *looks, vp_error *error);

#endif
