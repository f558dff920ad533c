/* SPDX-License-Identifier: MIT */
/* What checked functions refuse alike. */
#ifndef VP_NARROWPHASE_CHECK_H
#define VP_NARROWPHASE_CHECK_H

#include <voxphys/narrowphase.h>

/* VP_E_ARGUMENT for a corner that is not finite or beyond VP_COLLIDE_REACH: the message names the first. */
vp_status vp_collide_check_corners(const vp_collide_triangle *triangle, uint32_t count, vp_error *error);

#endif
