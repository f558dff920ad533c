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

/** @file
 *  Mass properties of shapes, hulls, loose regions and their sums.
 *
 *      vp_mass_of_shape(&box, 2.0, &part[0], &error);
 *      vp_mass_of_shape(&sphere, 0.5, &part[1], &error);
 *      vp_mass_at_pose(&part[1], &pose_of_the_sphere, &part[1], &error);
 *      body = vp_mass_sum(part, 2);
 *
 *  Details: docs/CONTRACT.md, MAS-1 and MAS-2. */

#ifdef __cplusplus
extern "C" {
#endif

/** Computes a solid shape's mass, in its frame.
 *  @return VP_E_ARGUMENT for a density that is not finite and > 0 */
VP_API vp_status vp_mass_of_shape(const vp_collide_shape *shape, double density, vp_mass *out, vp_error *error);

/** Returns a hull's mass. */
VP_API vp_mass vp_mass_of_hull(const vp_hull *hull, double density);

/** Returns a loose region's mass, times `density`. */
VP_API vp_mass vp_mass_of_region(const vp_region *region, double density);

/** Transforms mass properties by a pose. `out` can be `mass`. */
VP_API vp_status vp_mass_at_pose(const vp_mass *mass, const vp_pose *pose, vp_mass *out, vp_error *error);

/** Returns the mass of all bodies as one. Overlaps count twice. */
VP_API vp_mass vp_mass_sum(const vp_mass *mass, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
