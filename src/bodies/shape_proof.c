/* SPDX-License-Identifier: MIT */
/* The direction of two shapes by GJK and, if they overlap, by EPA. Both end with a direction, whose S is a lower bound of
 * the distance, and with differences of places of the shapes, which give an upper bound. If the two bounds are equal up to
 * roundings, no other direction is better. Otherwise the caller tries all of them. */
#include "src/bodies/shape_pair.h"

#include "src/narrowphase/epa.h"

/* The pair in the frame of shape a. */
static vp_gjk_pair gjk_pair_of(const vp_shape_pair *pair, double rough)
{
    vp_gjk_pair p = {.shape = pair->a.shape, .other = pair->b.shape, .size = pair->size, .points = VP_EPA_POINTS, .rough = rough};
    for (int k = 0; k < 3; k++)
        p.axis[k] = vp_core_to_local(&pair->a, pair->b.axis[k]);
    p.position = vp_core_to_local(&pair->a, vp_real3_sub(pair->b.position, pair->a.position));
    return p;
}

/* Distance of two places of the cores. The weights of GJK's simplex may be off, so they are scaled to a sum of 1. */
static double find_upper_bound(const vp_gjk_simplex *simplex)
{
    vp_real3 way = {0.0, 0.0, 0.0};
    double sum = 0.0;
    for (uint32_t i = 0; i < simplex->count; i++) {
        way = vp_real3_plus(way, simplex->point[i].at, simplex->weight[i]);
        sum += simplex->weight[i];
    }
    return sum > 0.0 ? vp_real3_length(way) / sum : INFINITY;
}

double vp_pair_find_direction(vp_shape_pair *pair, double rough)
{
    const vp_gjk_pair p = gjk_pair_of(pair, rough);
    vp_gjk_found f;
    vp_gjk_distance(&p, pair->margin, &f);
    if (!f.overlaps) {
        vp_pair_try(pair, vp_core_to_world(&pair->a, f.u));
        return find_upper_bound(&f.simplex);
    }
    const vp_epa_found deep = vp_epa_depth(&p, &f.simplex, false);
    vp_pair_try(pair, vp_core_to_world(&pair->a, vp_real3_scale(deep.out, -1.0)));
    /* If EPA does not enclose 0, the shapes may be apart by what GJK calls 0. */
    return deep.least > 0.0 ? -deep.least : vp_double_max(find_upper_bound(&f.simplex), -deep.least);
}
