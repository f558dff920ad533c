/* SPDX-License-Identifier: MIT */
/* The oracle of buoyancy. */
#ifndef VP_CASES_NARROWPHASE_BUOYANCY_H
#define VP_CASES_NARROWPHASE_BUOYANCY_H

#include <voxphys/narrowphase.h>
#include <voxphys/world.h>

/* Samples a square around a body with vertical lines, at the places of Roberts' sequence. @param chunk  NULL = all
 * @param centre  out, of the wet parts of all lines, relative to the position
 * @return the wet part of the lines' length in the body */
double vp_buoyancy_by_lines(const vp_collide_shape *shape, const vp_pose *pose, const vp_world *world, const vp_ivec3 *chunk,
                            uint32_t lines, double centre[3]);

#endif
