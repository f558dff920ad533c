/* SPDX-License-Identifier: MIT */
#include "bench/edits.h"

static const char *const world_name = "terrain-230k";

struct vp_edit_plans {
    vp_suite *suite;
};

vp_edit_plans *vp_edit_plans_create(vp_suite *suite)
{
    vp_edit_plans *plans = vp_suite_entry(suite, sizeof *plans, NULL);
    plans->suite = suite;
    return plans;
}

const vp_edit_plan *vp_edit_plan_of(vp_edit_plans *plans, vp_dig_kind kind, vp_error *error)
{
    const vp_data *world;
    const vp_edit_plan *plan = NULL;
    vp_status status = vp_suite_data(plans->suite, &vp_kind_world, world_name, NULL, &world, error);
    if (status == VP_OK)
        status = vp_derive_edits(world, kind, &plan, error);
    return status == VP_OK ? plan : NULL;
}
