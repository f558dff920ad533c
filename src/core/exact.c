/* SPDX-License-Identifier: MIT */
/* Determinants without rounding, as sums of doubles that do not overlap. See exact.h. */
#include "src/core/exact.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A number as a sum of parts, each so much smaller than the next that their bits do not overlap. No part is 0, so the
   last one has the sign of the whole. A determinant of three rows has 24 products of three coordinates, each at most
   two parts. One of three rows of differences has 6 products, each at most four parts. */
typedef struct exact_sum {
    double part[48];
    uint32_t count;
} exact_sum;

/* Returns r with a + b = *sum + r, exactly. */
static double add_with_rest(double a, double b, double *sum)
{
    const double s = a + b, of_b = s - a, of_a = s - of_b;
    *sum = s;
    return (a - of_a) + (b - of_b);
}

/* The upper 26 bits of a number. The rest has at most 26, with a sign. */
static double upper_half_of(double a)
{
    const double scaled = a * 0x1.0000002p27; /* 2^27 + 1 */
    return scaled - (scaled - a);
}

/* Returns r with a * b = *product + r, exactly. The four products of halves are exact. */
static double multiply_with_rest(double a, double b, double *product)
{
    const double p = a * b, a1 = upper_half_of(a), a0 = a - a1, b1 = upper_half_of(b), b0 = b - b1;
    *product = p;
    return a0 * b0 - (((p - a1 * b1) - a0 * b1) - a1 * b0);
}

static void add_number(exact_sum *to, double x)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < to->count; i++) {
        const double rest = add_with_rest(x, to->part[i], &x);
        if (rest != 0.0)
            to->part[kept++] = rest;
    }
    if (x != 0.0)
        to->part[kept++] = x;
    to->count = kept;
}

/* Adds a*b*c. */
static void add_product(exact_sum *to, double a, double b, double c)
{
    double ab, abc;
    const double ab_rest = multiply_with_rest(a, b, &ab);
    add_number(to, multiply_with_rest(ab, c, &abc));
    add_number(to, abc);
    if (ab_rest != 0.0) {
        add_number(to, multiply_with_rest(ab_rest, c, &abc));
        add_number(to, abc);
    }
}

static int sign_of(const exact_sum *n)
{
    return n->count == 0 ? 0 : n->part[n->count - 1] > 0.0 ? 1 : -1;
}

/* ---- in space ---- */

/* Adds the determinant of rows p, q, r, times `sign`. */
static void add_det(exact_sum *to, double sign, const double p[3], const double q[3], const double r[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        add_product(to, sign * p[i], q[j], r[k]);
        add_product(to, -sign * p[i], q[k], r[j]);
    }
}

/* b - a. Returns false if it is rounded, which cannot happen if the exponents are less than 29 apart. */
static bool subtract(const double b[3], const double a[3], double out[3])
{
    bool exact = true;
    for (int i = 0; i < 3; i++)
        if (add_with_rest(b[i], -a[i], &out[i]) != 0.0)
            exact = false;
    return exact;
}

#ifdef __SIZEOF_INT128__

__extension__ typedef __int128 whole128;

enum { WHOLE_BITS = 62 }; /* a product of two such numbers is below 2^124 */

/* The sign of the determinant of rows of differences, if all are multiples of one power of two and below 2^62 of
   it. Then integers are enough, without sums of many doubles. Most points are like this. */
static bool find_whole_det(const double u[3], const double v[3], const double w[3], int *sign)
{
    const double *const row[3] = {u, v, w};
    double max = 0.0, scale;
    int64_t n[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            max = fabs(row[i][k]) > max ? fabs(row[i][k]) : max;
    if (max == 0.0) {
        *sign = 0;
        return true;
    }
    uint64_t bits;
    memcpy(&bits, &max, sizeof bits); /* differences of binary32 numbers, from 2^-149 to 2^129, so not denormal */
    bits = (2 * 1023 + WHOLE_BITS - 1 - (bits >> 52)) << 52;
    memcpy(&scale, &bits, sizeof scale);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double scaled = row[i][k] * scale;
            n[i][k] = (int64_t)scaled;
            if ((double)n[i][k] < scaled || (double)n[i][k] > scaled)
                return false;
        }
    const whole128 x = (whole128)n[0][1] * n[1][2] - (whole128)n[0][2] * n[1][1],
                   y = (whole128)n[0][2] * n[1][0] - (whole128)n[0][0] * n[1][2],
                   z = (whole128)n[0][0] * n[1][1] - (whole128)n[0][1] * n[1][0];
    /* Each factor of 125 bits is split, so that both sums are below 2^127. */
    const whole128 low_mask = ((whole128)1 << WHOLE_BITS) - 1;
    const whole128 low = (x & low_mask) * n[2][0] + (y & low_mask) * n[2][1] + (z & low_mask) * n[2][2];
    const whole128 high = (x >> WHOLE_BITS) * n[2][0] + (y >> WHOLE_BITS) * n[2][1] + (z >> WHOLE_BITS) * n[2][2] + (low >> WHOLE_BITS);
    *sign = high != 0 ? (high > 0) - (high < 0) : (low & low_mask) != 0;
    return true;
}

#else

static bool find_whole_det(const double u[3], const double v[3], const double w[3], int *sign)
{
    (void)u;
    (void)v;
    (void)w;
    (void)sign;
    return false;
}

#endif

/* The sign if two of the points have two coordinates in common, as the corners of an upright edge. Their difference along
   the third axis, times a turn of the other two points around them, is the determinant. */
static bool find_edge_det(const double p[4][3], int *sign)
{
    static const uint8_t order[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}}; /* all even */
    for (int i = 0; i < 6; i++) {
        const double *const a = p[order[i][0]], *const b = p[order[i][1]], *const c = p[order[i][2]], *const d = p[order[i][3]];
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            if (a[u] == b[u] && a[v] == b[v]) {
                const vp_vec2 at = {(float)a[u], (float)a[v]};
                const int turn = vp_orient2d_exact(at, (vp_vec2){(float)c[u], (float)c[v]}, (vp_vec2){(float)d[u], (float)d[v]});
                *sign = b[k] > a[k] ? turn : b[k] < a[k] ? -turn : 0;
                return true;
            }
        }
    }
    return false;
}

/* For a point close to a corner of the triangle, all three differences from another corner may be rounded, while those
   from this corner are small. Then doubles decide, without many sums. */
static bool is_sure(vp_det det, int *sign)
{
    *sign = det.value > 0.0 ? 1 : -1;
    return fabs(det.value) > det.bound;
}

int vp_orient3d_exact(vp_vec3 a, vp_vec3 b, vp_vec3 c, vp_vec3 d)
{
    int sign;
    if ((a.x == b.x && a.x == c.x && a.x == d.x) || (a.y == b.y && a.y == c.y && a.y == d.y) || (a.z == b.z && a.z == c.z && a.z == d.z))
        return 0; /* in a plane perpendicular to an axis, as points of faces often are */
    const double p[4][3] = {{(double)a.x, (double)a.y, (double)a.z},
                            {(double)b.x, (double)b.y, (double)b.z},
                            {(double)c.x, (double)c.y, (double)c.z},
                            {(double)d.x, (double)d.y, (double)d.z}};
    double to_b[3], to_c[3], to_d[3];
    const bool is_exact = subtract(p[1], p[0], to_b) && subtract(p[2], p[0], to_c) && subtract(p[3], p[0], to_d);
    if (is_exact && find_whole_det(to_b, to_c, to_d, &sign))
        return sign;
    if (find_edge_det(p, &sign))
        return sign;
    if (is_sure(vp_det3(b, c, a, d), &sign) || is_sure(vp_det3(c, a, b, d), &sign))
        return sign;
    exact_sum det;
    det.count = 0;
    if (is_exact) {
        add_det(&det, 1.0, to_b, to_c, to_d);
    } else { /* the same without differences */
        add_det(&det, 1.0, p[1], p[2], p[3]);
        add_det(&det, -1.0, p[0], p[2], p[3]);
        add_det(&det, 1.0, p[0], p[1], p[3]);
        add_det(&det, -1.0, p[0], p[1], p[2]);
    }
    return sign_of(&det);
}

/* ---- in the plane ---- */

/* (b - a) x (c - a). */
static void find_turn(vp_vec2 a, vp_vec2 b, vp_vec2 c, exact_sum *out)
{
    const double ax = (double)a.x, ay = (double)a.y, bx = (double)b.x, by = (double)b.y, cx = (double)c.x, cy = (double)c.y;
    out->count = 0; /* products of two numbers of binary32 are exact */
    add_number(out, bx * cy);
    add_number(out, -(by * cx));
    add_number(out, ax * by);
    add_number(out, -(ay * bx));
    add_number(out, ay * cx);
    add_number(out, -(ax * cy));
}

int vp_orient2d_exact(vp_vec2 a, vp_vec2 b, vp_vec2 c)
{
    exact_sum det;
    find_turn(a, b, c, &det);
    return sign_of(&det);
}

/* The same as a double. It is rounded once if differences of coordinates are exact, and the remainders of their
   products too, because then two numbers are the whole. Otherwise parts are added, the smallest first. */
static double turn_of(vp_vec2 a, vp_vec2 b, vp_vec2 c)
{
    double ux, uy, vx, vy, xy, yx, turn, left;
    if (add_with_rest((double)b.x, -(double)a.x, &ux) == 0.0 && add_with_rest((double)b.y, -(double)a.y, &uy) == 0.0 &&
        add_with_rest((double)c.x, -(double)a.x, &vx) == 0.0 && add_with_rest((double)c.y, -(double)a.y, &vy) == 0.0) {
        const double xy_rest = multiply_with_rest(ux, vy, &xy), yx_rest = multiply_with_rest(uy, vx, &yx);
        if (add_with_rest(xy, -yx, &turn) == 0.0 && add_with_rest(xy_rest, -yx_rest, &left) == 0.0)
            return turn + left + 0.0; /* 0, and not -0 */
    }
    exact_sum det;
    double sum = 0.0;
    find_turn(a, b, c, &det);
    for (uint32_t i = 0; i < det.count; i++)
        sum += det.part[i];
    return sum;
}

void vp_normal3_exact(vp_vec3 a, vp_vec3 b, vp_vec3 c, double out[3])
{
    out[0] = turn_of((vp_vec2){a.y, a.z}, (vp_vec2){b.y, b.z}, (vp_vec2){c.y, c.z});
    out[1] = turn_of((vp_vec2){a.z, a.x}, (vp_vec2){b.z, b.x}, (vp_vec2){c.z, c.x});
    out[2] = turn_of((vp_vec2){a.x, a.y}, (vp_vec2){b.x, b.y}, (vp_vec2){c.x, c.y});
}
