/* SPDX-License-Identifier: MIT */
/* Meshes as bytes and files of common formats: OBJ, PLY, glTF. Each file is made in memory and replaces the old one as a whole. */
#ifndef VP_HOST_MESH_FILE_H
#define VP_HOST_MESH_FILE_H

#include <stdbool.h>
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

/* The linear value of a colour component, as glTF stores it. */
double vp_gltf_linear(uint8_t c);

typedef enum vp_mesh_format { VP_MESH_OBJ, VP_MESH_PLY, VP_MESH_GLTF, VP_MESH_FORMATS } vp_mesh_format;

/* Finds the format by the end of a file's name. False if it is none of .obj, .ply, .gltf. */
bool vp_mesh_format_of(const char *path, vp_mesh_format *out);

typedef struct vp_file_name {
    char text[4096]; /* longer names are invalid */
} vp_file_name;

/* The name of an OBJ's materials file: FILE with the end .mtl. */
vp_file_name vp_mesh_materials_file(const char *path);
/* The part of a path after the last '/', by which an OBJ names a file of its folder. */
const char *vp_name_in_folder(const char *path);
/* Writes an OBJ and its materials into their files, both or neither, and frees the bytes. @return VP_E_MEMORY, VP_E_IO */
vp_status vp_obj_save(const char *path, vp_bytes *obj, vp_bytes *materials, vp_error *error);

/* Writes meshes, with at least one quad in total, to a file. An OBJ's materials go to vp_mesh_materials_file.
   @return VP_E_MEMORY, VP_E_IO */
vp_status vp_mesh_file_write(const char *path, vp_mesh_format format, const vp_named_mesh *mesh, size_t count, const vp_looks *looks,
                             vp_error *error);

#endif
