/* SPDX-License-Identifier: MIT */
/* Meshes as bytes of file formats: OBJ and PLY (mesh_formats.c), glTF (mesh_gltf.c). */
#ifndef VP_HOST_MESH_FORMATS_H
#define VP_HOST_MESH_FORMATS_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/mesh.h>

#include "host/bytes.h"
#include "host/looks.h"

/* A surface for a file. */
typedef struct vp_named_mesh {
    const char *name; /* "solid" */
    const vp_mesh *mesh;
} vp_named_mesh;

/* The numbers of a mesh's quads by ascending material. Those of material m begin at first[m], and first[256] is the
   count. Free the list. NULL if out of memory or without quads. */
uint32_t *vp_quads_by_material(const vp_mesh *mesh, uint32_t first[257]);

/* One function per format. obj_materials makes the materials file that an OBJ names. */
void vp_mesh_obj(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, const char *materials_file, vp_bytes *out);
void vp_mesh_obj_materials(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out);
void vp_mesh_ply(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out);
void vp_mesh_gltf(const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_bytes *out);

/* The linear value of a colour component, as glTF stores it. */
double vp_gltf_linear(uint8_t c);

#endif
