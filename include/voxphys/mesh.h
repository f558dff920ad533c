/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_MESH_H
#define VOXPHYS_MESH_H

#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/kernel/surface.h>
#include <voxphys/status.h>
#include <voxphys/world.h>

/** @file
 *  Terrain meshes: of one chunk for collision, and of many chunks as one.
 *
 *      vp_mesh_def def = {.world = world, .surface = VP_SURFACE_SOLID};
 *      vp_mesh_create(&def, &mesh, &error);
 *      draw(mesh.vertex, mesh.quad, mesh.quad_count);
 *      vp_mesh_destroy(&mesh);
 *
 *  Surface: kernel/surface.h. Details: docs/CONTRACT.md, MSH. */

#ifdef __cplusplus
extern "C" {
#endif

/** Creates the mesh of one chunk in the caller's arrays (vp_chunk_mesh_in).
 *  @return VP_E_ARGUMENT for a chunk outside the world */
VP_API vp_status vp_mesh_chunk(const vp_world *world, const vp_kernels *kernels, vp_ivec3 chunk, vp_surface surface, vp_chunk_mesh *out,
                               vp_error *error);

/** Mesh of many chunks. Quads are sorted by chunk, vertices by first use. */
typedef struct vp_mesh {
    vp_vec3 *vertex;     /**< All different. [vertex_count] */
    uint32_t (*quad)[4]; /**< Counterclockwise from outside. [quad_count] */
    uint8_t *material;   /**< Voxel inside. [quad_count] */
    uint32_t vertex_count;
    uint32_t quad_count; /**< Two triangles each. */
    vp_allocator allocator;
} vp_mesh;

/** Mesh settings. */
typedef struct vp_mesh_def {
    const vp_world *world; /**< Read during the call. */
    vp_surface surface;
    vp_ivec3 first; /**< Lowest chunk. */
    vp_dims chunks; /**< All 0 = whole world. Open at cut faces and the world's low faces. */
    const vp_kernels *kernels;
    const vp_executor *executor;
    const vp_allocator *allocator;
} vp_mesh_def;

/** Creates a mesh.
 *  @return VP_E_ARGUMENT for a missing world or an invalid box */
VP_API vp_status vp_mesh_create(const vp_mesh_def *def, vp_mesh *out, vp_error *error);
/** Destroys a mesh. */
VP_API void vp_mesh_destroy(vp_mesh *mesh);

/** Returns the corners of a triangle. Quad i has triangle 2*i of corners 0, 1, 2 and 2*i + 1 of 0, 2, 3. */
static inline void vp_mesh_triangle(const vp_mesh *mesh, uint64_t triangle, uint32_t corner[3])
{
    const uint32_t *quad = mesh->quad[triangle / 2];
    corner[0] = quad[0];
    corner[1] = quad[1 + triangle % 2];
    corner[2] = quad[2 + triangle % 2];
}

#ifdef __cplusplus
}
#endif

#endif
