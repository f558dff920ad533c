/* SPDX-License-Identifier: MIT */
/* The data sets of triangle trees: meshes, and the rays and boxes to query them with.
 *
 * A set of meshes is made from a world named in the manifest, and has no owner ("chunks"). Rays and boxes belong to a
 * set of meshes and include its name: "chunks/coherent", "world-230k/box-6". They are made from integers and exactly
 * rounded operations, so they are the same everywhere, and are checked against a hash. */
#ifndef VP_MESH_SETS_H
#define VP_MESH_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/kernel/kd.h>
#include <voxphys/kernel/surface.h>
#include <voxphys/mesh.h>
#include <voxphys/world.h>

#include "datasets/datasets.h"

/* Meshes. A chunk's mesh has its own vertices, in the world's coordinates. */
typedef struct vp_mesh_set {
    uint32_t count;
    bool chunks;              /* true: one mesh per chunk; false: a single mesh of many chunks */
    vp_triangles *mesh;       /* whose arrays are parts of the arrays below */
    const uint8_t **material; /* materials of each mesh, one per quad, or one per plain triangle */
    vp_aabb *box;             /* boxes of each mesh's vertices; not hashed */
    const vp_world *world;    /* single mesh: its world, owned by the store; for "fuzz-<n>" the world of that name */
    vp_surface surface;       /* kind of surface */
    vp_ivec3 first;           /* the box of chunks; not hashed */
    vp_dims chunk_box;
    uint64_t triangle_count;                            /* total over all meshes */
    uint64_t vertex_count, index_count, material_count; /* lengths of the arrays below */
    vp_vec3 *vertex;
    uint32_t *index;
    uint8_t *material_of;
} vp_mesh_set;

/* A mesh's quads as triangles, whose arrays the mesh owns. */
static inline vp_triangles vp_triangles_of(const vp_mesh *mesh)
{
    const uint32_t *index = mesh->quad != NULL ? mesh->quad[0] : NULL;
    const vp_triangles triangles = {mesh->vertex, index, mesh->vertex_count, 2 * mesh->quad_count, true};
    return triangles;
}

/* Rays, each with its mesh. */
typedef struct vp_ray_set {
    uint32_t count;
    vp_ray *ray;
    uint32_t *mesh;
} vp_ray_set;

/* Boxes, each with its mesh. */
typedef struct vp_mesh_box_set {
    uint32_t count;
    vp_aabb *box;
    uint32_t *mesh;
} vp_mesh_box_set;

/* Free a set. An all-zero set is a no-op. */
void vp_mesh_set_destroy(vp_mesh_set *set);
void vp_ray_set_destroy(vp_ray_set *set);
void vp_mesh_box_set_destroy(vp_mesh_box_set *set);

#endif
