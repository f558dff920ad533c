/* SPDX-License-Identifier: MIT */
/* Triangles for `voxphys raycast`, `voxphys render` and `voxphys decompose`, from the surface of a world (a data set or a
 * .vpw file), a data set of one mesh or one solid ("solid-gear/small"), or a mesh file. */
#ifndef VP_TOOLS_SOURCES_TRIANGLE_SOURCE_H
#define VP_TOOLS_SOURCES_TRIANGLE_SOURCE_H

#include <stdint.h>

#include <voxphys/kernel/kd.h>
#include <voxphys/mesh.h>

#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"
#include "datasets/solid_sets.h"
#include "tools/sources/materials.h"
#include "host/mesh_load.h"
#include "tools/sources/world_source.h"

typedef enum vp_source_kind { VP_SOURCE_WORLD, VP_SOURCE_MESHES, VP_SOURCE_SOLID, VP_SOURCE_FILE } vp_source_kind;

typedef struct vp_source {
    const char *command, *name;
    vp_source_kind kind;
    vp_content content;
    vp_manifest *manifest;     /* NULL if it was not needed */
    vp_world *world;           /* worlds only */
    vp_store *store;           /* for the manifest, NULL if it was not needed */
    const vp_mesh_set *meshes; /* data sets only: one mesh, owned by the store */
    const vp_solid *solid;     /* data sets only, owned by the store */
    vp_loaded_mesh file;       /* files only */
    vp_looks looks;
} vp_source;

/* Opens the source that an argument names. `command` is for messages. Close it, also after a failure.
   written  file that is to be written, or NULL. VP_E_ARGUMENT if it is also read */
vp_status vp_source_open(const char *command, const char *name, const char *written, vp_source *out, vp_error *error);
void vp_source_close(vp_source *source);

/* Triangles with a material for each, or for each quad. */
typedef struct vp_surface_mesh {
    vp_triangles triangles;
    const uint8_t *material;
    vp_mesh world_mesh; /* worlds only: owns the arrays */
    double seconds;     /* time to make it */
} vp_surface_mesh;

/* Makes the surface of a world on several threads, with a progress bar. Other sources have one surface and own its arrays. */
vp_status vp_source_surface(const vp_source *source, vp_surface surface, const vp_kernels *kernels, uint32_t threads, vp_surface_mesh *out,
                            vp_error *error);
void vp_surface_mesh_destroy(vp_surface_mesh *mesh);

#endif
