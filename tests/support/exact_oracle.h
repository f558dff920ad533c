/* SPDX-License-Identifier: MIT */
/* The side of a line or plane on which a binary32 point lies, in integers. Every such coordinate is an integer in units of 2^-149. */
#ifndef VP_TESTS_SUPPORT_EXACT_ORACLE_H
#define VP_TESTS_SUPPORT_EXACT_ORACLE_H

#include <gmp.h>
#include <stdbool.h>

#include <voxphys/geometry.h>

/* Points as integers, and temporaries. */
typedef struct exact_oracle {
    mpz_t a[3], b[3], c[3], x, y, sum, square;
} exact_oracle;

void exact_oracle_begin(exact_oracle *o);
void exact_oracle_end(exact_oracle *o);

/* The sign of (b - a) x (c - a) . (d - a). */
int exact_oracle_side(exact_oracle *o, vp_vec3 a, vp_vec3 b, vp_vec3 c, vp_vec3 d);
/* The sign of (b - a) x (c - a), of the coordinates `u` and `v`. */
int exact_oracle_turn(exact_oracle *o, vp_vec3 a, vp_vec3 b, vp_vec3 c, int u, int v);
/* Whether a value equals that product within 2^-51 of it. 0 must be 0, and not -0. */
bool exact_oracle_is_turn(exact_oracle *o, vp_vec3 a, vp_vec3 b, vp_vec3 c, int u, int v, double value);

#endif
