/* SPDX-License-Identifier: MIT */
/* The oracle of buoyancy. */
#ifndef VP_CASES_NARROWPHASE_BUOYANCY_H
#define VP_CASES_NARROWPHASE_BUOYANCY_H

#include <voxphys/narrowphase.h>
#include <voxphys/world.h>

/* Samples a cube around a body with Roberts' sequence. @param chunk  NULL = all
 * @param centre  out, mean of the wet points, relative to the position
 * @return the wet part of the points inside the body */
double vp_buoyancy_by_points(const vp_collide_shape *shape, const vp_pose *pose, const vp_world *world, const vp_ivec3 *chunk,
                             uint32_t points, double centre[3]);

#endif
