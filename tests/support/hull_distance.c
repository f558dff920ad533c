/* SPDX-License-Identifier: MIT */
#include "tests/support/hull_distance.h"

#include <math.h>
#include <stdbool.h>

static real to_segment(vp_vec3 a, vp_vec3 b, vp_vec3 q)
{
    real ab[3], aq[3];
    real_from_to(a, b, ab);
    real_from_to(a, q, aq);
    real t = real_dot(ab, aq) / real_dot(ab, ab);
    t = t < 0.0L ? 0.0L : t > 1.0L ? 1.0L : t;
    for (int k = 0; k < 3; k++)
        aq[k] -= t * ab[k];
    return sqrtl(real_dot(aq, aq));
}

real distance_to_triangle(vp_vec3 a, vp_vec3 b, vp_vec3 c, vp_vec3 q, real least, real *above)
{
    const vp_vec3 corner[3] = {a, b, c};
    real ab[3], ac[3], aq[3], n[3];
    real_from_to(a, b, ab);
    real_from_to(a, c, ac);
    real_from_to(a, q, aq);
    real_cross(ab, ac, n);
    bool inside = real_dot(n, n) > 0.0L;
    *above = real_dot(n, aq) / sqrtl(real_dot(n, n));
    if (fabsl(*above) >= least)
        return least;
    for (int i = 0; i < 3; i++) {
        real edge[3], way[3], sideways[3];
        const real d = to_segment(corner[i], corner[(i + 1) % 3], q);
        least = d < least ? d : least;
        real_from_to(corner[i], corner[(i + 1) % 3], edge);
        real_from_to(corner[i], q, way);
        real_cross(n, edge, sideways);
        inside = inside && real_dot(sideways, way) >= 0.0L;
    }
    return inside ? fabsl(*above) : least;
}

real hull_outside(const vp_hull *h, const vp_vec3 *point, vp_vec3 q)
{
    real least = INFINITY, highest = 0.0L;
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        real above;
        const uint32_t *v = h->triangle[t];
        const real d = distance_to_triangle(point[h->vertex[v[0]]], point[h->vertex[v[1]]], point[h->vertex[v[2]]], q, least, &above);
        least = d < least ? d : least;
        highest = above > highest ? above : highest;
    }
    return h->dimension == 3 && highest == 0.0L ? 0.0L : least;
}
