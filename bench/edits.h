/* SPDX-License-Identifier: MIT */
/* The edits of edit_to_ray, for other libraries. */
#ifndef VP_BENCH_EDITS_H
#define VP_BENCH_EDITS_H

#include "bench/suite.h"
#include "cases/edit_plan.h"

typedef struct vp_edit_plans vp_edit_plans;

/* The suite's. */
vp_edit_plans *vp_edit_plans_create(vp_suite *suite);
/* The set's; made when it is first asked for. NULL with a message. */
const vp_edit_plan *vp_edit_plan_of(vp_edit_plans *plans, vp_dig_kind kind, vp_error *error);

void vp_suite_add_edit_peers(vp_suite *suite, vp_edit_plans *plans);

#endif
