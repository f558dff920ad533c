/* SPDX-License-Identifier: MIT */
/* Exact predicates against integers of arbitrary size, for points of all magnitudes, nearly degenerate and degenerate ones
 * (docs/CONTRACT.md: HUL-1, ALL-6). */
#include "tests/support/check.h"
#include "tests/support/exact_oracle.h"

#include <math.h>
#include <stdio.h>

#include "src/core/exact.h"
#include "datasets/random.h"

enum { ROUNDS = IS_THIN ? 2000 : 12000 };

static exact_oracle oracle;
static uint64_t zero, uncertain, wide; /* number of results by kind */

static float component(vp_vec3 p, int i)
{
    return i == 0 ? p.x : i == 1 ? p.y : p.z;
}

static vp_vec2 flat(vp_vec3 p, int u, int v)
{
    return (vp_vec2){component(p, u), component(p, v)};
}

/* All orders of the four points, whose results must also agree with each other, and their projections to the three planes. */
static void check(const vp_vec3 p[4])
{
    static const uint8_t order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int last = 0; last < 4; last++) {
        const vp_vec3 q[4] = {p[(last + 1) % 4], p[(last + 2) % 4], p[(last + 3) % 4], p[last]};
        const int want = exact_oracle_side(&oracle, q[0], q[1], q[2], q[3]);
        for (int i = 0; i < 6; i++) {
            const vp_vec3 a = q[order[i][0]], b = q[order[i][1]], c = q[order[i][2]];
            const int got = vp_orient3d(a, b, c, q[3]), exact = vp_orient3d_exact(a, b, c, q[3]);
            const vp_det det = vp_det3(a, b, c, q[3]);
            if (got != (i < 3 ? want : -want) || exact != got)
                fail_msg("(%a %a %a) (%a %a %a) (%a %a %a) and (%a %a %a): %d and %d, expected %d", (double)a.x, (double)a.y, (double)a.z,
                         (double)b.x, (double)b.y, (double)b.z, (double)c.x, (double)c.y, (double)c.z, (double)q[3].x, (double)q[3].y,
                         (double)q[3].z, got, exact, i < 3 ? want : -want);
            zero += want == 0;
            uncertain += fabs(det.value) <= det.bound && want != 0;
        }
    }
    double normal[3], exact[3];
    vp_normal3(p[0], p[1], p[2], normal);
    vp_normal3_exact(p[0], p[1], p[2], exact);
    const double length = sqrt((exact[0] * exact[0] + exact[1] * exact[1]) + exact[2] * exact[2]);
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const int want = exact_oracle_turn(&oracle, p[0], p[1], p[2], u, v);
        if (!exact_oracle_is_turn(&oracle, p[0], p[1], p[2], u, v, exact[axis]) || !(fabs(normal[axis] - exact[axis]) <= length * 0x1p-40))
            fail_msg("(%a %a) (%a %a) (%a %a): normals %a and %a", (double)component(p[0], u), (double)component(p[0], v),
                     (double)component(p[1], u), (double)component(p[1], v), (double)component(p[2], u), (double)component(p[2], v),
                     normal[axis], exact[axis]);
        assert_int_equal(vp_orient2d(flat(p[0], u, v), flat(p[1], u, v), flat(p[2], u, v)), want);
        assert_int_equal(vp_orient2d(flat(p[2], u, v), flat(p[1], u, v), flat(p[0], u, v)), -want);
        assert_int_equal(vp_orient2d_exact(flat(p[1], u, v), flat(p[2], u, v), flat(p[0], u, v)), want);
    }
}

/* A random number with any exponent in a range, including denormals. */
static float any(vp_random *r, int low, int high)
{
    const float m = vp_random_between(r, -2.0f, 2.0f);
    return ldexpf(m, low + (int)vp_random_below(r, (uint32_t)(high - low + 1)));
}

TEST(points_of_all_magnitudes)
{
    vp_random r = {1};
    static const int range[][2] = {{0, 0}, {-3, 3}, {-40, 40}, {-148, 126}, {-148, -140}, {120, 126}};
    for (int n = 0; n < ROUNDS; n++) {
        const int *of = range[vp_random_below(&r, 6)];
        vp_vec3 p[4];
        for (int i = 0; i < 4; i++)
            p[i] = (vp_vec3){any(&r, of[0], of[1]), any(&r, of[0], of[1]), any(&r, of[0], of[1])};
        wide += of[0] == -148 && of[1] == 126;
        check(p);
    }
}

static float whole(vp_random *r, int most)
{
    return (float)((int)vp_random_below(r, (uint32_t)(2 * most + 1)) - most);
}

static float shaken(vp_random *r, float x)
{
    switch (vp_random_below(r, 4)) {
    case 0:
        return nextafterf(x, INFINITY);
    case 1:
        return nextafterf(x, -INFINITY);
    default:
        return x;
    }
}

/* Points in a plane, on a line, or coincident, scaled and moved. Also the same points with random last bits. */
TEST(nearly_flat)
{
    vp_random r = {2};
    for (int n = 0; n < ROUNDS; n++) {
        const int most = 1 << vp_random_below(&r, 8);
        vp_vec3 p[4], a = {whole(&r, most), whole(&r, most), whole(&r, most)}, u = {whole(&r, most), whole(&r, most), whole(&r, most)},
                      v = {whole(&r, most), whole(&r, most), whole(&r, most)};
        const float scale = vp_random_below(&r, 2) != 0 ? any(&r, -60, 60) : 1.0f,
                    by = vp_random_below(&r, 3) != 0 ? 0.0f : whole(&r, 100000);
        for (int i = 0; i < 4; i++) {
            const float s = whole(&r, 4), t = vp_random_below(&r, 3) != 0 ? whole(&r, 4) : 0.0f;
            p[i] = vp_vec3_add(a, vp_vec3_add(vp_vec3_scale(u, s), vp_vec3_scale(v, t)));
            p[i] = vp_vec3_scale(vp_vec3_add(p[i], (vp_vec3){by, by, by}), scale);
        }
        check(p);
        for (int i = 0; i < 4; i++)
            p[i] = (vp_vec3){shaken(&r, p[i].x), shaken(&r, p[i].y), shaken(&r, p[i].z)};
        check(p);
    }
}

TEST(all_kinds_were_there)
{
    printf("%llu times 0, %llu times not certain in double, %llu of all exponents\n", (unsigned long long)zero,
           (unsigned long long)uncertain, (unsigned long long)wide);
    assert_true(zero > ROUNDS && uncertain > ROUNDS / 10 && wide > ROUNDS / 10);
}

static int begin(void **state)
{
    (void)state;
    exact_oracle_begin(&oracle);
    return 0;
}

static int end(void **state)
{
    (void)state;
    exact_oracle_end(&oracle);
    return 0;
}

int main(void)
{
    return test_run_all(begin, end);
}
