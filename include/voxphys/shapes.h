/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_SHAPES_H
#define VOXPHYS_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>

/** @file
 *  Convex shape against convex shape: distance, penetration depth, contact points, overlap.
 *
 *      vp_shapes_collide(&(vp_manifold_body){&crate, pose}, &(vp_manifold_body){&ball, other}, 0.02f, &contact, &error);
 *
 *  Calls allocate nothing. Details: docs/CONTRACT.md, SHP. */

#ifdef __cplusplus
extern "C" {
#endif

/** Contact of two shapes. */
typedef struct vp_shape_contact {
    float distance;     /**< Negative = penetration depth. */
    vp_vec3 normal;     /**< Unit, from b to a. */
    vp_vec3 on_a;       /**< Closest or deepest point, relative to a's position. 0 beyond the margin. */
    vp_vec3 on_b;       /**< Likewise. */
    uint32_t feature_a; /**< VP_SHAPE_ kind plus number. VP_COLLIDE_NONE beyond the margin. */
    uint32_t feature_b; /**< Likewise. */
} vp_shape_contact;

/** Computes distance, normal and closest points of two shapes. Cost: O(1), with hulls up to O(edges * edges).
 *  @param margin  >= 0. Beyond it only a lower bound of the distance */
VP_API vp_status vp_shapes_collide(const vp_manifold_body *a, const vp_manifold_body *b, float margin, vp_shape_contact *out,
                                   vp_error *error);

/** Computes up to 4 contact points within the margin, in the format of vp_manifold_mesh, with b as the mesh and `at` unused. */
VP_API vp_status vp_manifold_shapes(const vp_manifold_body *a, const vp_manifold_body *b, float margin, vp_manifold *out, vp_error *error);

/** Returns whether two shapes touch. Faster than vp_shapes_collide. */
VP_API vp_status vp_shapes_overlap(const vp_manifold_body *a, const vp_manifold_body *b, bool *overlap, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
