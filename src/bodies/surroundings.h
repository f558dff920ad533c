/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of surroundings. */
#ifndef VP_BODIES_SURROUNDINGS_H
#define VP_BODIES_SURROUNDINGS_H

#include <voxphys/surroundings.h>

#include "src/bodies/compound.h"
#include "src/core/error.h"

static inline vp_compound_body vp_surroundings_body_of(const vp_surroundings *s, uint32_t i)
{
    return (vp_compound_body){s->body[i].compound, s->body[i].pose};
}

/* Fails with the message about a body, prefixed by the body's index. */
static inline vp_status vp_surroundings_fail(uint32_t i, vp_status status, const vp_error *why, vp_error *error)
{
    return vp_fail(error, status, "body %u: %s", i, why->message);
}

#endif
