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

/** @file
 *  Edge flags and corrected contact normals, so that bodies slide over flat floors without catching. For your own narrowphase. manifold.h
 *  and narrowphase.h use vp_collide_connect instead.
 *
 *      vp_edge_flags(world, NULL, chunk, VP_SURFACE_SOLID, &mesh, flags, &error);
 *      normal = vp_edge_correct_normal(corner, triangle_normal, flags[triangle], hit.u, hit.v, normal);
 *
 *  Flags: kernel/surface.h. Details: docs/kernels/edges.md, docs/CONTRACT.md, EDG. */

#ifdef __cplusplus
extern "C" {
#endif

/** Computes the flags of a mesh of vp_mesh_chunk, also across the chunk's borders.
 *  @param flags  [2 * quad_count + VP_EDGE_FLAGS_SLACK]
 *  @return VP_E_ARGUMENT for a chunk outside the world or another mesh */
VP_API vp_status vp_edge_flags(const vp_world *world, const vp_kernels *kernels, vp_ivec3 chunk, vp_surface surface,
                               const vp_chunk_mesh *mesh, uint8_t *flags, vp_error *error);

/** Computes a mesh's flags. Edges of one quad are open.
 *  @param flags  [2 * quad_count]
 *  @return VP_E_ARGUMENT for an invalid vertex or quad, or more than 24 quad sides at a vertex */
VP_API vp_status vp_mesh_edge_flags(const vp_mesh *mesh, uint8_t *flags, vp_error *error);

/** Adds the chunks whose flags an edit of low <= v < high can change. Marks no layers.
 *  @return VP_E_ARGUMENT for low > high or a set without memory */
VP_API vp_status vp_edge_flags_stale(vp_ivec3 low, vp_ivec3 high, vp_chunk_set *stale, vp_error *error);

/** Weight up to which a contact is on an edge. */
#define VP_EDGE_NEAR (1.0f / 1024.0f)

/** Corrects a contact normal (docs/kernels/edges.md). u and v are the weights of corners 1 and 2. Normals have length 1, outward and
 *  towards the body. */
VP_API vp_vec3 vp_edge_correct_normal(const vp_vec3 corner[3], vp_vec3 triangle_normal, uint8_t flags, float u, float v,
                                      vp_vec3 contact_normal);

#ifdef __cplusplus
}
#endif

#endif
