/* SPDX-License-Identifier: MIT */
/* Spheres in integers. Every binary32 coordinate is an integer in units of 2^-149. */
#ifndef VP_TESTS_SPHERETREE_EXACT_H
#define VP_TESTS_SPHERETREE_EXACT_H

#include <math.h>
#include <stdbool.h>

#include <gmp.h>

#include <voxphys/kernel/spheretree.h>

typedef struct exact_spheres {
    mpz_t x, y, sum;
} exact_spheres;

static inline void exact_begin(exact_spheres *e)
{
    *e = (exact_spheres){0}; /* for the memory sanitizer, which does not see GMP's writes */
    mpz_inits(e->x, e->y, e->sum, NULL);
}

static inline void exact_end(exact_spheres *e)
{
    mpz_clears(e->x, e->y, e->sum, NULL);
}

static inline void exact_set(mpz_t out, float value)
{
    int exponent;
    const double part = frexp((double)value, &exponent) * 0x1p24; /* an integer */
    mpz_set_d(out, part);
    exponent += 149 - 24;
    if (exponent >= 0)
        mpz_mul_2exp(out, out, (mp_bitcnt_t)exponent);
    else
        mpz_tdiv_q_2exp(out, out, (mp_bitcnt_t)-exponent); /* the dropped bits of a denormal are zero */
}

/* Whether the distance of two points is at most `radius - less`, which must not be negative. */
static inline bool exact_within(exact_spheres *e, vp_vec3 a, vp_vec3 b, float radius, float less)
{
    const float p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
    mpz_set_ui(e->sum, 0);
    for (int k = 0; k < 3; k++) {
        exact_set(e->x, p[k]);
        exact_set(e->y, q[k]);
        mpz_sub(e->x, e->x, e->y);
        mpz_addmul(e->sum, e->x, e->x);
    }
    exact_set(e->x, radius);
    exact_set(e->y, less);
    mpz_sub(e->x, e->x, e->y);
    if (mpz_sgn(e->x) < 0)
        return false;
    mpz_mul(e->x, e->x, e->x);
    return mpz_cmp(e->sum, e->x) <= 0;
}

static inline bool exact_holds(exact_spheres *e, const vp_sphere *outer, const vp_sphere *inner)
{
    return exact_within(e, outer->centre, inner->centre, outer->radius, inner->radius);
}

#endif
