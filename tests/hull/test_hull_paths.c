/* SPDX-License-Identifier: MIT */
/* Sets that reach the less common paths of the kernels. All kernels return the same bits, and the oracle confirms that these
 * are the hull.
 *
 * - hundreds of faces own points when the arrays are full and are compacted, and hundreds of faces are new
 * - floating-point sums cannot decide the side of points
 * - points are left out before the hull is made
 * - a coordinate that is not finite is anywhere in a vector */
#include "tests/support/check.h"
#include "tests/support/hull_distance.h"
#include "tests/support/hull_oracle.h"
#include "tests/support/samples.h"

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_points), cmocka_unit_test(large_sets), cmocka_unit_test(bad_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
