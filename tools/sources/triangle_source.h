/* SPDX-License-Identifier: MIT */
/* Where the triangles of `voxphys raycast`, `voxphys render` and `voxphys decompose` come from: the surface of a world (a data set's
 * name, or a .vpw file), a data set that is one mesh or one solid ("solid-gear/small"), or a mesh file of another program. */
#ifndef VP_TOOLS_SOURCES_TRIANGLE_SOURCE_H
#define VP_TOOLS_SOURCES_TRIANGLE_SOURCE_H

#include <stdbool.h>
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
    vp_manifest *manifest;     /* where it was needed */
    vp_world *world;           /* of a world */
    vp_store *store;           /* over the manifest, where it was needed */
    const vp_mesh_set *meshes; /* of a data set: one; the store's */
    const vp_solid *solid;     /* the same */
    vp_loaded_mesh file;       /* of a file */
    vp_looks looks;
} vp_source;

/* Opens what an argument names; `command` is for messages. Close it, also after a failure.
   written  a file that is to be written, or NULL: VP_E_ARGUMENT if it is one of those that are read */
vp_status vp_source_open(const char *command, const char *name, const char *written, vp_source *out, vp_error *error);
void vp_source_close(vp_source *source);

/* Triangles, and the material of each, or of each quad where they come in quads. */
typedef struct vp_surface_mesh {
    vp_triangles triangles;
    const uint8_t *material;
    vp_mesh made;   /* of a world: what the arrays are parts of */
    double seconds; /* that it took to make */
} vp_surface_mesh;

/* The surface of a source: of a world the one that is asked for, on so many threads with a progress bar; of others the one
   that there is. The arrays of these belong to the source. */
vp_status vp_source_surface(const vp_source *source, vp_surface surface, const vp_kernels *kernels, uint32_t threads, vp_surface_mesh *out,
                            vp_error *error);
void vp_surface_mesh_destroy(vp_surface_mesh *mesh);

/* What a surface is called. */
const char *vp_surface_name(vp_surface surface);

#endif
