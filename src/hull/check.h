/* SPDX-License-Identifier: MIT */
/* What a hull is not made of. */
#ifndef VP_HULL_CHECK_H
#define VP_HULL_CHECK_H

#include <voxphys/hull.h>

/* Refuses no points, and too many. */
vp_status vp_hull_check_count(const vp_vec3 *point, uint64_t count, vp_error *error);

/* Refuses a def's tolerance and limits. */
vp_status vp_hull_check_wishes(const vp_hull_def *def, vp_error *error);

/* Says which coordinate of a point is not finite. @return VP_E_ARGUMENT */
vp_status vp_hull_name_bad(const vp_vec3 *point, uint32_t bad, vp_error *error);

#endif
