/* SPDX-License-Identifier: MIT */
#include "tests/support/exact_oracle.h"

#include <math.h>

static mpz_t *all_of(exact_oracle *o, int i)
{
    mpz_t *of[] = {&o->a[0], &o->a[1], &o->a[2], &o->b[0], &o->b[1], &o->b[2],  &o->c[0],
                   &o->c[1], &o->c[2], &o->x,    &o->y,    &o->sum,  &o->square};
    return of[i];
}

enum { NUMBERS = 13 };

void exact_oracle_begin(exact_oracle *o)
{
    for (int i = 0; i < NUMBERS; i++)
        mpz_init(*all_of(o, i));
}

void exact_oracle_end(exact_oracle *o)
{
    for (int i = 0; i < NUMBERS; i++)
        mpz_clear(*all_of(o, i));
}

/* to - from, in units of 2^-149. */
static void subtract(exact_oracle *o, mpz_t out[3], vp_vec3 to, vp_vec3 from)
{
    const double t[3] = {(double)to.x, (double)to.y, (double)to.z}, f[3] = {(double)from.x, (double)from.y, (double)from.z};
    for (int i = 0; i < 3; i++) {
        mpz_set_d(out[i], ldexp(t[i], 149));
        mpz_set_d(o->x, ldexp(f[i], 149));
        mpz_sub(out[i], out[i], o->x);
    }
}

/* Sets `sum` to (b - a) x (c - a) . (d - a), and `square` to the square of the cross product. */
static void find_volume(exact_oracle *o, vp_vec3 a, vp_vec3 b, vp_vec3 c, vp_vec3 d)
{
    subtract(o, o->a, b, a);
    subtract(o, o->b, c, a);
    subtract(o, o->c, d, a);
    mpz_set_ui(o->sum, 0);
    mpz_set_ui(o->square, 0);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        mpz_mul(o->x, o->a[i], o->b[j]);
        mpz_mul(o->y, o->a[j], o->b[i]);
        mpz_sub(o->x, o->x, o->y);
        mpz_addmul(o->sum, o->x, o->c[k]);
        mpz_addmul(o->square, o->x, o->x);
    }
}

int exact_oracle_side(exact_oracle *o, vp_vec3 a, vp_vec3 b, vp_vec3 c, vp_vec3 d)
{
    find_volume(o, a, b, c, d);
    return mpz_sgn(o->sum);
}

int exact_oracle_turn(exact_oracle *o, vp_vec3 a, vp_vec3 b, vp_vec3 c, int u, int v)
{
    subtract(o, o->a, b, a);
    subtract(o, o->b, c, a);
    mpz_mul(o->x, o->a[u], o->b[v]);
    mpz_submul(o->x, o->a[v], o->b[u]);
    return mpz_sgn(o->x);
}

bool exact_oracle_is_turn(exact_oracle *o, vp_vec3 a, vp_vec3 b, vp_vec3 c, int u, int v, double value)
{
    const int sign = exact_oracle_turn(o, a, b, c, u, v);
    if (sign == 0 || value == 0.0)
        return sign == 0 && value == 0.0 && !signbit(value);
    mpz_set_d(o->y, ldexp(value, 2 * 149));
    mpz_sub(o->y, o->y, o->x);
    mpz_mul_2exp(o->y, o->y, 51);
    return mpz_cmpabs(o->y, o->x) <= 0;
}
