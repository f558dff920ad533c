/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_MASS_H
#define VOXPHYS_MASS_H

#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/hull.h>
#include <voxphys/narrowphase.h>
#include <voxphys/regions.h>
#include <voxphys/status.h>

/** @file mass.h
 *  Mass properties of shapes, hulls, loose regions and compounds of them, in one struct.
 *
 *      vp_mass part[2], body;
 *      vp_mass_of_shape(&box, 2.0, &part[0], &error);
 *      vp_mass_of_shape(&sphere, 0.5, &part[1], &error);
 *      vp_mass_at_pose(&part[1], &pose_of_the_sphere, &part[1], &error);
 *      body = vp_mass_sum(part, 2);
 *
 *  All figures are binary64 and exact up to rounding. */

#ifdef __cplusplus
extern "C" {
#endif

/** Computes the mass of a solid shape, in the shape's frame. Cost: O(1), of a hull O(corners).
 *  @param density  mass a unit of volume, finite, > 0
 *  @return VP_E_ARGUMENT if the density or the shape (vp_collide_shape_check) is invalid; `out` is unchanged then */
VP_API vp_status vp_mass_of_shape(const vp_collide_shape *shape, double density, vp_mass *out, vp_error *error);

/** Returns the mass of a hull, in the frame of its points. O(1). @param density  mass a unit of volume */
VP_API vp_mass vp_mass_of_hull(const vp_hull *hull, double density);

/** Returns the mass of a loose region, in the world's frame. O(1). @param density  factor on the region's own mass */
VP_API vp_mass vp_mass_of_region(const vp_region *region, double density);

/** Moves and turns a body: centre and inertia become those in the frame that the pose leads to. O(1).
 *  @param out  may be `mass`
 *  @return VP_E_ARGUMENT for an invalid pose (vp_collide_frame_of); `out` is unchanged then */
VP_API vp_status vp_mass_at_pose(const vp_mass *mass, const vp_pose *pose, vp_mass *out, vp_error *error);

/** Returns the mass of bodies that are one: about their common centre. All must be in one frame. O(count).
 *  @param mass  [count]; overlaps count twice */
VP_API vp_mass vp_mass_sum(const vp_mass *mass, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
