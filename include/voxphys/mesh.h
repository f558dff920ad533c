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

/** @file mesh.h Meshes of terrain: of one chunk, as collision needs them, and of a whole world or of a box of chunks
 *  as one mesh. What the surface is, what a mesh holds and what it promises is said in kernel/surface.h. */

#ifdef __cplusplus
extern "C" {
#endif

/** The mesh of one chunk. O(512 + what it holds).
 *  @param kernels  NULL: as vp_kernels_default says
 *  @param out      its arrays are given, see vp_chunk_mesh_in
 *  @return VP_E_ARGUMENT for a chunk outside the world or another surface than there are, VP_E_UNSUPPORTED (VOXPHYS_ISA
 *          names what this machine lacks). */
VP_API vp_status vp_mesh_chunk(const vp_world *world, const vp_kernels *kernels, vp_ivec3 chunk, vp_surface surface, vp_chunk_mesh *out,
                               vp_error *error);

/** One mesh of many chunks. Its quads are those of the chunks, chunk by chunk as these are numbered; vertices that
 *  chunks share are there once, in the order in which quads' chunks first have them. The same on any threads, by any
 *  kernels. */
typedef struct vp_mesh {
    vp_vec3 *vertex;        /**< In world coordinates. Every one belongs to a quad, no two are equal. */
    uint32_t (*quad)[4];    /**< Numbers of vertices, counterclockwise seen from outside. */
    uint8_t *material;      /**< Of each quad: the inside voxel's. */
    uint32_t vertex_count;  /**< How many vertices. */
    uint32_t quad_count;    /**< How many quads; there are twice as many triangles. */
    vp_allocator allocator; /**< Where the arrays come from. */
} vp_mesh;

/** What a mesh is made from. */
typedef struct vp_mesh_def {
    const vp_world *world;         /**< Read during the call. */
    vp_surface surface;            /**< Of which class. */
    vp_ivec3 first;                /**< The box's lowest chunk. */
    vp_dims chunks;                /**< The box's extents in chunks; all 0, and `first` too: the whole world. A box is open where terrain
                                        goes on at its low faces, as the world is, and at its high faces beyond the
                                        edges that its chunks own. */
    const vp_kernels *kernels;     /**< NULL: as vp_kernels_default says. */
    const vp_executor *executor;   /**< NULL: the calling thread. */
    const vp_allocator *allocator; /**< NULL: C's own. Called by the calling thread only. */
} vp_mesh_def;

/** Makes a mesh. O(voxels of the box + what it holds * log of what a chunk holds); chunks are meshed twice, to allocate
 *  what is needed. While it runs it needs 16 bytes a vertex of every chunk and 12 a chunk more than it keeps.
 *  @return VP_E_ARGUMENT without a world, for a box that is empty or not in the world, for another surface than there
 *          are; VP_E_MEMORY; VP_E_UNSUPPORTED as vp_mesh_chunk. */
VP_API vp_status vp_mesh_create(const vp_mesh_def *def, vp_mesh *out, vp_error *error);
/** Frees a mesh; one that is all zero bytes is left alone. */
VP_API void vp_mesh_destroy(vp_mesh *mesh);

/** The corners of a triangle: number 2*i is the first of quad i, corners (0, 1, 2), number 2*i + 1 its second, corners
 *  (0, 2, 3). */
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
