/* SPDX-License-Identifier: MIT */
/* Sets that reach the less common paths of the kernels. All kernels return the same bits, and the oracle confirms that these
 * are the hull.
 *
 * - hundreds of faces own points when the arrays are full and are compacted, and hundreds of faces are new
 * - floating-point sums cannot decide the side of points
 * - points are left out before the hull is made
 * - the normals of needles are only rounding errors
 * - a coordinate that is not finite is anywhere in a vector */
#include "tests/support/check.h"
#include "tests/support/hull_distance.h"
#include "tests/support/hull_oracle.h"
#include "tests/support/samples.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "datasets/generate/points.h"

#ifdef TEST_THIN
enum { POINTS = 1000, NEEDLES = 700 };
#else
enum { POINTS = 4000, NEEDLES = 6000 };
#endif

static test_table table[TEST_TABLES_MAX];
static size_t tables;

/* @return the dimension */
static uint32_t check(const char *what, const vp_vec3 *point, uint32_t count, bool separate, float tolerance)
{
    vp_hull h = hull_by_all(what, (vp_hull_def){.point = point, .count = count, .separate = separate, .tolerance = tolerance});
    const uint32_t dimension = h.dimension;
    if (dimension == 3)
        oracle_check_hull(what, point, count, &h);
    vp_hull_destroy(&h);
    return dimension;
}

/* All families. Hundreds of a sphere's faces own points when the arrays are full. A point of a cylinder with so many sides is above faces
   whose rim has hundreds of edges. Most points of a turned grid and of copies are nearly on a plane. */
static void many_points(void **state)
{
    (void)state; /* docs/CONTRACT.md: HUL-2, HUL-6 */
    static vp_vec3 point[2 * POINTS];
    for (int f = 0; f < VP_FAMILY_COUNT; f++) {
        const uint32_t count = vp_family_points((vp_point_family)f, POINTS);
        assert_true(count <= sizeof point / sizeof point[0]);
        vp_family_make((vp_point_family)f, POINTS, (uint64_t)f + 1, 1.0f, 0.0f, point);
        check(vp_family_name((vp_point_family)f), point, count, true, 0.0f);
        vp_family_make((vp_point_family)f, POINTS, (uint64_t)f + 1, 1e6f, 1000.0f, point); /* leaves only a few bits of each coordinate */
        check(vp_family_name((vp_point_family)f), point, count, true, 0.0f);
    }
}

/* ---- points left out before a hull is made ---- */

static uint32_t leave_none_out(const vp_hull_filtering *to)
{
    (void)to;
    return 0;
}

/* Sets so large that some points are left out first. Every kernel's hull equals the one made of all points. */
static void large_sets(void **state)
{
    (void)state; /* docs/CONTRACT.md: HUL-5 */
    static const vp_point_family of[] = {
        VP_FAMILY_BALL,    VP_FAMILY_CUBE,     VP_FAMILY_GAUSS,    VP_FAMILY_SPHERE,          VP_FAMILY_CUBE_GRID_TURNED,
        VP_FAMILY_LATTICE, VP_FAMILY_CYLINDER, VP_FAMILY_FLAT_BOX, VP_FAMILY_COPLANAR_TILTED, VP_FAMILY_FAR_BALL};
    enum { MANY = 70000, LESS = 33333 };
    vp_vec3 *point = malloc(2 * MANY * sizeof *point);
    assert_non_null(point);
    for (uint32_t i = 0; i < sizeof of / sizeof of[0]; i++)
        for (uint32_t size = LESS; size <= MANY; size += MANY - LESS) {
            const uint32_t count = vp_family_points(of[i], size);
            assert_true(count <= 2 * MANY);
            if ((size == MANY) == (i % 2 == 0))
                continue;
            vp_family_make(of[i], size, i + size, 1.0f, 0.0f, point);
            vp_kernels whole = table[0].kernels;
            whole.hull_filter = leave_none_out;
            vp_hull_def def = {.point = point, .count = count, .kernels = &whole};
            vp_hull want = {0}, got = hull_by_all(vp_family_name(of[i]), def);
            assert_ok(vp_hull_create(&def, &want, &error));
            expect_same_hull(vp_family_name(of[i]), &got, &want);
            vp_hull_destroy(&got);
            vp_hull_destroy(&want);
            for (size_t t = 0; i == 0 && t < tables; t++) { /* the message counts the whole set, not only the remaining points */
                char reported[96];
                snprintf(reported, sizeof reported, "the hull of %u points needs more than 50 comparisons", count);
                def.kernels = &table[t].kernels;
                def.max_work = 50;
                assert_refused(vp_hull_create(&def, &got, &error), VP_E_LIMIT, reported);
            }
        }
    free(point);
}

/* A rim, and a tip of as many points in a ball, a ring or a curve. Every point taken sees hundreds of faces while all others wait for new
   ones. The work must not grow with the square of the points. */
static void tips(void **state)
{
    (void)state;
    enum { BALL, SMALL_BALL, SMALLEST_BALL, RING, CURVE, COPIES, KINDS };
    static vp_vec3 point[POINTS];
    for (int kind = 0; kind < KINDS; kind++) {
        vp_random r = {(uint64_t)kind + 40};
        char what[32];
        snprintf(what, sizeof what, "tip %d", kind);
        for (uint32_t i = 0; i < POINTS; i++) {
            const double u = (double)vp_random_unit(&r) * 2.0 - 1.0, q = 1.0 + u * u, c = (1.0 - u * u) / q, s = 2.0 * u / q;
            const double sign = vp_random_below(&r, 2) == 0 ? 1.0 : -1.0, x = sign * c, y = s, z = (double)vp_random_unit(&r) * 2.0 - 1.0;
            const double size = kind == SMALL_BALL ? 1e-12 : kind == SMALLEST_BALL ? 1e-17 : 1e-3;
            if (i % 2 != 0)
                point[i] = (vp_vec3){(float)x, (float)y, -1.0f};
            else if (kind <= SMALLEST_BALL)
                point[i] = (vp_vec3){(float)(size * x * z), (float)(size * y * z), (float)(size * z)};
            else if (kind == RING)
                point[i] = (vp_vec3){(float)(size * x), (float)(size * y), 0.0f};
            else if (kind == CURVE)
                point[i] = (vp_vec3){(float)ldexp(1.0, (int)(-40.0 * fabs(z))), 0.0f, (float)-ldexp(1.0, (int)(-80.0 * fabs(z)))};
            else
                point[i] = (vp_vec3){0.125f, 0.25f, 0.5f};
        }
        assert_int_equal(check(what, point, POINTS, false, 0.0f), 3);
        for (size_t t = 1; t < tables; t++) {
            vp_hull h;
            const vp_hull_def def = {.point = point, .count = POINTS, .kernels = &table[t].kernels};
            assert_ok(vp_hull_create(&def, &h, &error));
            if (vp_kernels_isa(&table[t].kernels, VP_KERNEL_hull3) != VP_ISA_scalar && h.work > 300 * (uint64_t)POINTS)
                fail_msg("%s by %s: %llu comparisons of %u points", what, table[t].name, (unsigned long long)h.work, (unsigned)POINTS);
            vp_hull_destroy(&h);
        }
    }
}

/* Points of a circle in three planes, nearly all of them corners, with some inside. In the arc, three neighbours are nearly on a line. */
static void many_corners(void **state)
{
    (void)state; /* docs/CONTRACT.md: HUL-6, HUL-7 */
    static vp_vec3 point[POINTS];
    for (uint32_t axis = 0; axis < 3; axis++)
        for (int arc = 0; arc < 2; arc++) {
            vp_random r = {axis + 7};
            for (uint32_t i = 0; i < POINTS; i++) {
                const double u = (double)vp_random_unit(&r) * 2.0 - 1.0, q = 1.0 + u * u;
                const double in = i % 4 == 0 ? (double)vp_random_unit(&r) : 1.0;
                const double sign = vp_random_below(&r, 2) == 0 ? 1.0 : -1.0;
                const float x = (float)(arc ? u : sign * in * (1.0 - u * u) / q), y = (float)(arc ? u * u * 0x1p-12 : in * 2.0 * u / q);
                point[i] = axis == 0 ? (vp_vec3){0.5f, x, y} : axis == 1 ? (vp_vec3){y, 0.5f, x} : (vp_vec3){x, y, 0.5f};
            }
            assert_int_equal(check("a circle", point, POINTS, false, 0x1p-40f), 2);
        }
}

/* Points nearly on a line, whose coordinate differences need more bits than a product holds. The rounded normal of three points is so
   wrong that the point farthest along it may be in their plane. The point farthest beyond an edge may seem to be another. */
static void needles(void **state)
{
    (void)state;
    uint32_t of_dimension[4] = {0, 0, 0, 0};
    for (uint64_t n = 0; n < NEEDLES; n++) {
        vp_random r = {n};
        vp_vec3 p[16];
        const uint32_t count = 6 + vp_random_below(&r, 11);
        const int thin = 14 + (int)vp_random_below(&r, 20);
        for (uint32_t i = 0; i < count; i++) {
            const int small = (int)vp_random_below(&r, 3); /* in statements of their own, because the order of arguments is unspecified */
            const float t = ldexpf((float)vp_random_below(&r, 4096), -12 - small * 6);
            const float e = ldexpf((float)vp_random_below(&r, 16), -thin), g = ldexpf((float)vp_random_below(&r, 16), -thin);
            p[i].x = t + (n % 2 != 0 ? e : 0.0f);
            p[i].y = 0.5f * t + g;
            p[i].z = n % 4 == 0 ? 1.0f : n % 3 == 0 ? p[i].x + p[i].y : 1.5f * t;
        }
        of_dimension[check("a needle", p, count, true, FLT_TRUE_MIN)]++;
    }
    for (int d = 2; d < 4; d++) /* lines are rare */
        assert_true(of_dimension[d] > 0);
}

/* ---- kernels alone ---- */

/* Returns the first bad point, at any place in a vector or in the rest, whatever follows it. Otherwise returns the first of the lowest
   and of the highest with their own bits, because 0 equals -0. Every kernel gets enough points to work on vectors. */
static void bad_points(void **state)
{
    (void)state; /* docs/CONTRACT.md: HUL-4, ALL-5 */
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    enum { MAX = 180, EACH = 40 }; /* above EACH points only some places are tried */
    vp_vec3 point[MAX];
    vp_random r = {3};
    for (uint32_t count = 1; count <= MAX; count++)
        for (uint32_t at = 0; at <= count; at += count <= EACH || at + 12 >= count ? 1 : 1 + vp_random_below(&r, 24)) {
            for (uint32_t i = 0; i < count; i++) {
                float *const of[3] = {&point[i].x, &point[i].y, &point[i].z};
                for (int axis = 0; axis < 3; axis++)
                    *of[axis] = vp_random_below(&r, 9) == 0 ? -0.0f : (float)vp_random_below(&r, 5) - (float)(count % 5);
            }
            for (uint32_t i = at; i < count; i += 1 + vp_random_below(&r, 9)) {
                const float value = bad[vp_random_below(&r, 3)];
                const uint32_t axis = vp_random_below(&r, 3);
                *(axis == 0 ? &point[i].x : axis == 1 ? &point[i].y : &point[i].z) = value;
            }
            for (size_t t = 0; t < tables; t++) {
                vp_hull_bounds b;
                table[t].kernels.hull_bounds(point, count, &b);
                if (b.bad != (at < count ? at : VP_HULL_NONE))
                    fail_msg("%s: of %u points %u is bad, not %u", table[t].name, count, at, b.bad);
                if (at == count)
                    for (int axis = 0; axis < 3; axis++) {
                        uint32_t low = 0, high = 0;
                        for (uint32_t i = 1; i < count; i++) {
                            low = hull_coordinate(point[i], axis) < hull_coordinate(point[low], axis) ? i : low;
                            high = hull_coordinate(point[i], axis) > hull_coordinate(point[high], axis) ? i : high;
                        }
                        const float want[2] = {hull_coordinate(point[low], axis), hull_coordinate(point[high], axis)};
                        const float got[2] = {hull_coordinate(b.min, axis), hull_coordinate(b.max, axis)};
                        if (b.lowest[axis] != low || b.highest[axis] != high || memcmp(want, got, sizeof want) != 0)
                            fail_msg("%s: of %u points %u and %u are lowest and highest on %c, at %a and %a; not %u and %u, at %a and %a",
                                     table[t].name, count, low, high, "xyz"[axis], (double)want[0], (double)want[1], b.lowest[axis],
                                     b.highest[axis], (double)got[0], (double)got[1]);
                    }
            }
        }
}

int main(void)
{
    tables = test_tables(table);
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_points), cmocka_unit_test(large_sets), cmocka_unit_test(many_corners),
                                       cmocka_unit_test(tips),        cmocka_unit_test(needles),    cmocka_unit_test(bad_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
