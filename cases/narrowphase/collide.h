/* SPDX-License-Identifier: MIT */
/* What the cases of the narrowphase tell beside their answers. */
#ifndef VP_CASES_COLLIDE_H
#define VP_CASES_COLLIDE_H

#include "cases/narrowphase/sampled_poses.h"

/* How right the answers of a case's work are. It takes as long as the judge. */
vp_collide_tally vp_collide_case_tally(const void *work);

#endif
