/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_SHAPES_H
#define VOXPHYS_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>

/** @file shapes.h
 *  Convex shape against convex shape: distance, penetration depth, closest points, overlap.
 *
 *      vp_shape_contact contact;
 *      vp_shapes_collide(&(vp_manifold_body){&crate, pose}, &(vp_manifold_body){&ball, other}, 0.02f, &contact, &error);
 *      if (contact.feature_a != VP_COLLIDE_NONE)
 *          push(contact.normal, contact.distance);
 *
 *  Calls allocate nothing and share nothing. Accuracy and guarantees: docs/CONTRACT.md, SHP-1 to SHP-6. */

#ifdef __cplusplus
extern "C" {
#endif

/** How two shapes lie to each other. */
typedef struct vp_shape_contact {
    float distance;     /**< Signed distance. Negative = penetration depth, the shortest way that parts the shapes. */
    vp_vec3 normal;     /**< Unit vector from b to a. Moving a by -distance along it makes the shapes just touch. */
    vp_vec3 on_a;       /**< Closest or deepest point on a, relative to the position of a, world axes. 0 beyond the margin. */
    vp_vec3 on_b;       /**< The point on b, relative to the position of a, so that on_a - on_b = distance * normal. */
    uint32_t feature_a; /**< Part of a with on_a, VP_SHAPE_FACE, _EDGE or _CORNER plus its number. VP_COLLIDE_NONE beyond the margin. */
    uint32_t feature_b; /**< Part of b with on_b. */
} vp_shape_contact;

/** Computes the signed distance, normal and closest points of two shapes.
 *  Cost: O(1), of hulls O(vertices), O(edges) or, hull against hull or box, O(edges * edges).
 *  @param margin  shapes farther apart report only a lower bound of their distance, >= 0. INFINITY = always the closest points
 *  @return VP_E_ARGUMENT for an invalid shape (vp_collide_shape_check), pose (vp_collide_frame_of) or margin. `out` is unchanged then */
VP_API vp_status vp_shapes_collide(const vp_manifold_body *a, const vp_manifold_body *b, float margin, vp_shape_contact *out,
                                   vp_error *error);

/** Computes the contact points of two shapes: the deepest point, and corners and crossings of the faces, caps or side lines that face each
 *  other. Up to 4 points are kept, touching ones before points that are apart (docs/CONTRACT.md, SHP-6). All share the contact's normal.
 *  Points have the format of vp_manifold_mesh with b in place of the triangles: `on_triangle` is on b and `at` is no triangle.
 *  @param margin  maximum distance of reported points, >= 0
 *  @param out     count is 0 beyond the margin
 *  @return VP_E_ARGUMENT as vp_shapes_collide. `out` is unchanged then */
VP_API vp_status vp_manifold_shapes(const vp_manifold_body *a, const vp_manifold_body *b, float margin, vp_manifold *out, vp_error *error);

/** Returns whether two shapes have a point in common. Stops at the first direction that parts them.
 *  Cost: at most that of vp_shapes_collide, without points.
 *  @return VP_E_ARGUMENT as vp_shapes_collide. `overlap` is unchanged then */
VP_API vp_status vp_shapes_overlap(const vp_manifold_body *a, const vp_manifold_body *b, bool *overlap, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
