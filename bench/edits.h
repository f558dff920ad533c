/* SPDX-License-Identifier: MIT */
/* The edits of edit_to_ray, made when they are first asked for, for our terrain. */
#ifndef VP_BENCH_EDITS_H
#define VP_BENCH_EDITS_H

#include "bench/edit_plan.h"
#include "bench/suite.h"

typedef struct vp_edit_plans vp_edit_plans;

/* The suite's. */
vp_edit_plans *vp_edit_plans_create(vp_suite *suite);
/* The world that is edited; nobody writes to it. NULL with a message. */
const vp_world *vp_edit_world_of(vp_edit_plans *plans, vp_error *error);
const vp_edit_plan *vp_edit_plan_of(vp_edit_plans *plans, vp_dig_kind kind, vp_error *error);

#endif
