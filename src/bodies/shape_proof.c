/* SPDX-License-Identifier: MIT */
/* The direction of two shapes by GJK and, if they overlap, by EPA, with a proof. Both end with a direction, whose S is a
 * lower bound of the distance, and with a set of differences of places, which is an upper bound. If the two bounds differ
 * by no more than roundings, no other direction is better. If not, the caller tries all directions. */
#include "src/bodies/shape_pair.h"

#include "src/narrowphase/epa.h"

/* Accepted difference of the two bounds, as a part of the size. */
#define ENOUGH VP_EPA_ENOUGH

/* The pair in the frame of shape a. */
static vp_gjk_pair gjk_pair_of(const vp_shape_pair *pair)
{
    vp_gjk_pair p = {.shape = pair->a.shape, .other = pair->b.shape, .size = pair->size};
    for (int k = 0; k < 3; k++)
        p.axis[k] = vp_core_to_local(&pair->a, pair->b.axis[k]);
    p.position = vp_core_to_local(&pair->a, vp_real3_sub(pair->b.position, pair->a.position));
    return p;
}

bool vp_pair_prove_direction(vp_shape_pair *pair)
{
    const vp_gjk_pair p = gjk_pair_of(pair);
    const vp_gjk_found f = vp_gjk_distance(&p, pair->margin);
    if (!f.overlaps) {
        vp_pair_try(pair, vp_core_to_world(&pair->a, f.u));
        return vp_pair_is_beyond(pair) || f.far - pair->s <= ENOUGH * pair->size;
    }
    const vp_epa_found deep = vp_epa_depth(&p, &f.simplex, false);
    vp_pair_try(pair, vp_core_to_world(&pair->a, vp_real3_scale(deep.out, -1.0)));
    /* Cores that GJK could not tell apart may be apart by `far`. */
    const double most = f.simplex.count < 4 && f.far > -deep.least ? f.far : -deep.least;
    return most - pair->s <= ENOUGH * pair->size;
}
