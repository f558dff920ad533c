/* SPDX-License-Identifier: MIT */
/* The casts of the cases cast_<shape>. */
#ifndef VP_CASES_BODIES_CASTS_H
#define VP_CASES_BODIES_CASTS_H

#include <voxphys/casts.h>

#include "cases/narrowphase/sampled_poses.h"
#include "cases/narrowphase/manifold.h"

enum { VP_CASTS = 2 * VP_MANIFOLD_CASE_BODIES };

/* Makes two casts for each body of vp_manifold_case_bodies: to its pose and past it, or along the ground near it and down from above.
 * @param data  a world @param terrain  of it @param out  [VP_CASTS] */
vp_status vp_cast_case_defs(const vp_data *data, const vp_collide_shape *shape, vp_terrain *terrain, vp_cast_def *out, vp_error *error);

/* Counts the faults in the answers of a case's work. */
vp_collide_tally vp_cast_case_tally(const void *work);

#endif
