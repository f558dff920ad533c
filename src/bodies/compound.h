/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of compounds. */
#ifndef VP_BODIES_COMPOUND_H
#define VP_BODIES_COMPOUND_H

#include <voxphys/compound.h>

/* Fails with a part's message, prefixed by the part's index. */
vp_status vp_compound_fail(uint32_t part, vp_status status, const vp_error *why, vp_error *error);
/* Checks the compound and its pose. */
vp_status vp_compound_check_body(const vp_compound_body *body, vp_error *error);

/* A part as a body of its own. */
static inline vp_manifold_body vp_compound_part_body(const vp_compound_body *body, uint32_t i)
{
    const vp_compound_part *part = &body->compound->part[i];
    return (vp_manifold_body){part->shape, vp_compound_part_pose(part, &body->pose)};
}

#endif
