/* SPDX-License-Identifier: MIT */
/* Statistics of the narrowphase cases. */
#ifndef VP_CASES_COLLIDE_H
#define VP_CASES_COLLIDE_H

#include "cases/narrowphase/sampled_poses.h"

/* Counts right and wrong answers of a case's work. It takes as long as the judge. */
vp_collide_tally vp_collide_case_tally(const void *work);

#endif
