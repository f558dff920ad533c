/* SPDX-License-Identifier: MIT */
/* Argument checks of hulls. */
#ifndef VP_HULL_CHECK_H
#define VP_HULL_CHECK_H

#include <voxphys/hull.h>

/* Rejects an empty set, NULL, and too many points. */
vp_status vp_hull_check_count(const vp_vec3 *point, uint64_t count, vp_error *error);

/* Rejects an invalid tolerance or limit of a definition. */
vp_status vp_hull_check_wishes(const vp_hull_def *def, vp_error *error);

/* Reports which coordinate of a point is not finite. @return VP_E_ARGUMENT */
vp_status vp_hull_name_bad(const vp_vec3 *point, uint32_t bad, vp_error *error);

#endif
