/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_EDGES_H
#define VOXPHYS_EDGES_H

#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/kernel/surface.h>
#include <voxphys/geometry.h>
#include <voxphys/kernels.h>
#include <voxphys/mesh.h>
#include <voxphys/status.h>
#include <voxphys/world.h>

/** @file edges.h
 *  Edge flags of meshes, and corrected normals of contacts on edges. Without them a body that slides over a flat floor catches at the edges
 *  between triangles. Flags are described in kernel/surface.h.
 *
 *      uint8_t flags[2 * VP_CHUNK_MESH_QUADS + VP_EDGE_FLAGS_SLACK];
 *      vp_edge_flags(world, NULL, chunk, VP_SURFACE_SOLID, &mesh, flags, &error);
 *      normal = vp_edge_correct_normal(corner, triangle_normal, flags[triangle], hit.u, hit.v, normal); */

#ifdef __cplusplus
extern "C" {
#endif

/** Computes the edge flags of a chunk's triangles, also across chunk borders. Meshes the chunk again to check `mesh`. The kernel alone
 *  (vp_kernels.edge_flags) trusts it. Cost: O(1728 + quads of the chunk).
 *  @param kernels  NULL = vp_kernels_default()
 *  @param mesh     mesh of this chunk and surface from vp_mesh_chunk
 *  @param flags    [2 * quad_count + VP_EDGE_FLAGS_SLACK]
 *  @return VP_E_ARGUMENT for a chunk outside the world, an invalid surface or a mesh of something else. Errors of vp_kernels_default */
VP_API vp_status vp_edge_flags(const vp_world *world, const vp_kernels *kernels, vp_ivec3 chunk, vp_surface surface,
                               const vp_chunk_mesh *mesh, uint8_t *flags, vp_error *error);

/** Computes the edge flags of a whole mesh from the mesh alone. For a world's mesh they equal the flags of its chunks in order. At the
 * faces of a box of chunks, edges whose other quads are missing are open. Cost: O(vertices + quads). Temporary memory: 4 bytes a vertex and
 * 16 bytes a quad, from the mesh's allocator.
 *  @param flags  [2 * quad_count]
 *  @return VP_E_ARGUMENT for an impossible vertex or quad, or a vertex of more than 24 quad sides (the message names it). VP_E_MEMORY */
VP_API vp_status vp_mesh_edge_flags(const vp_mesh *mesh, uint8_t *flags, vp_error *error);

/** Adds the chunks to a set whose flags an edit of the voxels low <= v < high can change: those with such a voxel in their 12^3
 *  neighbourhood. These are more than the chunks whose mesh changes (an edit's `stale`, 10^3). Clips the box to the world. Marks no layers.
 *  @return VP_E_ARGUMENT for low > high on an axis and for a set without memory */
VP_API vp_status vp_edge_flags_stale(vp_ivec3 low, vp_ivec3 high, vp_chunk_set *stale, vp_error *error);

/** Barycentric weight up to which a contact counts as on the opposite edge. With two such weights it is at a corner. */
#define VP_EDGE_NEAR (1.0f / 1024.0f)

/** Corrects a contact normal by the triangle's edge flags. Inside the triangle, and on flat or concave edges, it becomes the triangle's
 *  normal. On convex or open edges it stays. At a corner of one such edge its part along the edge is removed, unless at most 1/4096 is
 * left.
 *  @param triangle_normal  outward unit normal
 *  @param u, v             weights of corners 1 and 2 (vp_hit). NaN counts as inside
 *  @param contact_normal   unit normal from the triangle to the body */
VP_API vp_vec3 vp_edge_correct_normal(const vp_vec3 corner[3], vp_vec3 triangle_normal, uint8_t flags, float u, float v,
                                      vp_vec3 contact_normal);

#ifdef __cplusplus
}
#endif

#endif
