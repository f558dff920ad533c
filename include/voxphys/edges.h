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
 *  Contacts on edges between triangles: which edges may have a normal of their own, and what becomes of one that may
 *  not. What flags mean is said in kernel/surface.h. */

#ifdef __cplusplus
extern "C" {
#endif

/** The flags of a chunk's triangles, across the chunk's borders as well. The chunk is meshed once more, to see that
 *  the mesh is what this chunk's is now; the kernel alone (vp_kernels.edge_flags) trusts it. O(1728 + what the chunk
 *  holds).
 *  @param kernels  NULL: as vp_kernels_default says
 *  @param mesh     of this chunk and surface, by vp_mesh_chunk
 *  @param flags    out: one a triangle, 2*quad_count; room for VP_EDGE_FLAGS_SLACK more
 *  @return VP_E_ARGUMENT for a chunk outside the world, another surface than there are, a mesh that is not this
 *          chunk's; VP_E_UNSUPPORTED (VOXPHYS_ISA names what this machine lacks). */
VP_API vp_status vp_edge_flags(const vp_world *world, const vp_kernels *kernels, vp_ivec3 chunk, vp_surface surface,
                               const vp_chunk_mesh *mesh, uint8_t *flags, vp_error *error);

/** The flags of a whole mesh's triangles, found from the mesh alone. Of a world's mesh they are those of its chunks,
 *  one behind the other. At the faces of a box of chunks, where quads of other chunks are missing, edges are as this
 *  mesh has them: open where there is one triangle, or three and the others go together. O(what the mesh holds); needs
 *  4 bytes a vertex and 16 a quad while it runs, from the mesh's allocator.
 *  @param flags  out: one a triangle, 2*quad_count
 *  @return VP_E_ARGUMENT for a vertex that no surface in the largest world has, a quad that is not around an edge of the grid, a
 *          vertex with more than 24 sides of quads: the message names it. Other meshes that vp_mesh_create does not make have
 *          the flags of their shapes. VP_E_MEMORY. */
VP_API vp_status vp_mesh_edge_flags(const vp_mesh *mesh, uint8_t *flags, vp_error *error);

/** Adds the chunks whose flags an edit may change to a set: those with a voxel that is at least `low` and below `high`
 *  on each axis among the 12^3 around them. They are more than those whose mesh changes, which an edit's `stale` names
 *  (10^3): a chunk may keep its mesh and have to be flagged anew. For one voxel `high` is `low` and 1; for a sphere
 *  the box around it will do. Parts of the box outside the world are passed over. No voxel is marked as changed.
 *  @return VP_E_ARGUMENT for low > high on an axis, and for a set without memory. */
VP_API vp_status vp_edge_flags_stale(vp_ivec3 low, vp_ivec3 high, vp_chunk_set *stale, vp_error *error);

/** A barycentric weight up to which a contact is at the edge across from the corner, or, if two are, at a corner. */
#define VP_EDGE_NEAR (1.0f / 1024.0f)

/** The normal of a contact with a triangle, corrected by the triangle's flags. Inside the triangle it is the
 *  triangle's own. So it is on an edge that is flat or concave, and at a corner between two such edges: a body that
 *  slides over it has no business with the edge, and what is beyond it is the other triangle's contact. On an edge
 *  that is convex or open the contact's normal is left as it is, and so it is at a corner between two such edges. At a
 *  corner of one such edge alone its part along the edge is taken away, and what is left is brought to its length of
 *  1: a body that rolls along a ridge does not feel where one triangle ends. If no more than 1/4096 is left, it is the triangle's.
 *  @param corner           of the triangle
 *  @param triangle_normal  of length 1, pointing outside
 *  @param flags            the triangle's
 *  @param u, v             where on it the contact is: the weights of corners 1 and 2, as in vp_hit; with a NaN
 *                          among them the contact counts as inside
 *  @param contact_normal   of length 1, from the triangle to the body */
VP_API vp_vec3 vp_edge_correct_normal(const vp_vec3 corner[3], vp_vec3 triangle_normal, uint8_t flags, float u, float v,
                                      vp_vec3 contact_normal);

#ifdef __cplusplus
}
#endif

#endif
