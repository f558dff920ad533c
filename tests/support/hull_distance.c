/* SPDX-License-Identifier: MIT */
#include "tests/support/hull_distance.h"

#include <math.h>

#include "tests/support/contact_oracle.h"

real distance_to_triangle(vp_vec3 a, vp_vec3 b, vp_vec3 c, vp_vec3 q, real least, real *above)
{
    real ab[3], ac[3], aq[3], n[3];
    real_from_to(a, b, ab);
    real_from_to(a, c, ac);
    real_from_to(a, q, aq);
    real_cross(ab, ac, n);
    *above = real_dot(n, aq) / sqrtl(real_dot(n, n));
    return fabsl(*above) >= least ? least : fminl(least, contact_distance(q, (const vp_vec3[3]){a, b, c}));
}

real hull_outside(const vp_hull *h, const vp_vec3 *point, vp_vec3 q)
{
    real least = INFINITY, highest = 0.0L;
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        real above;
        const uint32_t *v = h->triangle[t];
        least = distance_to_triangle(point[h->vertex[v[0]]], point[h->vertex[v[1]]], point[h->vertex[v[2]]], q, least, &above);
        highest = above > highest ? above : highest;
    }
    return h->dimension == 3 && highest == 0.0L ? 0.0L : least;
}
