/* SPDX-License-Identifier: MIT */
/* Rounded planets against the formula in long double. */
#include "tests/blocks/worlds.h"

#include <math.h>

#ifdef TEST_THIN
enum { POINTS = 20000 / TEST_THIN };
#else
enum { POINTS = 100000 };
#endif

static long double length_of(const long double v[3])
{
    return sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void minus(vp_vec3 a, vp_vec3 b, long double out[3])
{
    out[0] = (long double)a.x - b.x, out[1] = (long double)a.y - b.y, out[2] = (long double)a.z - b.z;
}

/* Returns the largest coordinate, and sets q to the nearest point of the inner cube. */
static long double inner_of(const long double p[3], long double radius, long double q[3])
{
    const long double d = fmaxl(fmaxl(fabsl(p[0]), fabsl(p[1])), fabsl(p[2])), half = fmaxl(d - radius, 0);
    for (int a = 0; a < 3; a++)
        q[a] = fmaxl(-half, fminl(half, p[a]));
    return d;
}

static vp_vec3 any_point(vp_random *r, vp_vec3 centre, float size)
{
    const vp_vec3 p = {vp_random_between(r, -size, size), vp_random_between(r, -size, size), vp_random_between(r, -size, size)};
    return vp_vec3_add(centre, p);
}

static void points_go_where_they_must(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-12 */
    vp_random r = {41};
    for (int i = 0; i < POINTS; i++) {
        const vp_block_rounding by = {{(float)vp_random_below(&r, 3), vp_random_between(&r, -9, 9), -1.5f},
                                      vp_random_between(&r, 0.5f, 40)};
        const vp_vec3 p = any_point(&r, by.centre, 70), moved = vp_block_rounding_point(&by, p), up = vp_block_rounding_up(&by, p);
        long double from[3], to[3], q[3], out[3], after[3], direction[3] = {up.x, up.y, up.z};
        minus(p, by.centre, from);
        minus(moved, by.centre, to);
        const long double d = inner_of(from, by.radius, q), reach = fminl(by.radius, d);
        for (int a = 0; a < 3; a++)
            out[a] = from[a] - q[a];
        for (int a = 0; a < 3; a++) {
            const long double want = q[a] + reach * out[a] / length_of(out);
            assert_true(fabsl(to[a] - want) < 1e-5L); /* half an ulp of binary32 at 80 */
            after[a] = to[a] - q[a];
            assert_true(fabsl(direction[a] - out[a] / length_of(out)) < 1e-7L);
        }
        assert_true(fabsl(length_of(after) - reach) < 2e-5L); /* on the shell of that radius around the inner cube */
        assert_true(fabsl(length_of(direction) - 1) < 2e-7L);
        assert_true(length_of(to) <= length_of(from) + 2e-5L);                                  /* no point moves outwards */
        const vp_vec3 near = any_point(&r, p, 0.01f), its = vp_block_rounding_point(&by, near); /* neighbours stay neighbours */
        long double apart[3], before[3];
        minus(its, moved, apart);
        minus(near, p, before);
        assert_true(length_of(apart) <= 4 * length_of(before) + 1e-4L);
    }
}

static void by_hand(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-12 */
    const vp_block_rounding by = {{1, 2, 3}, 16};
    vp_vec3 p = vp_block_rounding_point(&by, by.centre), up = vp_block_rounding_up(&by, by.centre);
    assert_true(p.x == 1 && p.y == 2 && p.z == 3 && up.x == 0 && up.y == 0 && up.z == 0); /* the centre stays, and its up is 0 */
    const vp_vec3 flat = {1 + 20, 2 + 40, 3 - 24}; /* within 24 of a side's axis: stays, with the side's up */
    p = vp_block_rounding_point(&by, flat);
    up = vp_block_rounding_up(&by, flat);
    assert_true(p.x == flat.x && p.y == flat.y && p.z == flat.z && up.x == 0 && up.y == 1 && up.z == 0);
    p = vp_block_rounding_point(&by, (vp_vec3){1 - 32, 2, 3 - 32}); /* on an edge, 16 along the diagonal from 16, 16 */
    assert_true(fabs((double)p.x - (1 - 16 - 16 / sqrt(2))) < 1e-5 && p.y == 2 && p.x - 1 == p.z - 3);
    const vp_block_rounding ball = {{0, 0, 0}, 1000}; /* with a large radius, spheres as wide as the cube */
    p = vp_block_rounding_point(&ball, (vp_vec3){3, 4, 4});
    assert_true(fabs(sqrt((double)p.x * (double)p.x + (double)p.y * (double)p.y + (double)p.z * (double)p.z) - 4) < 1e-6);
    const vp_block_rounding little = {{0, 0, 0}, 1e-30f}; /* practically no rounding */
    p = vp_block_rounding_point(&little, (vp_vec3){3, 5, 7});
    assert_true(p.x == 3 && p.y == 5 && p.z == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(points_go_where_they_must),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
