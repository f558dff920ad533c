/* SPDX-License-Identifier: MIT */
/* Bounds of points that are not finite, anywhere in a vector, and of zeros with both signs. */
#include "tests/support/check.h"
#include "tests/support/hull_distance.h"
#include "tests/support/samples.h"

#include <math.h>

#include <voxphys/voxphys.h>

static test_table table[TEST_TABLES_MAX];
static size_t tables;

/* ---- kernels alone ---- */

/* docs/CONTRACT.md: HUL-4, ALL-5. Returns the first bad point, at any place in a vector or in the rest, whatever follows it. Otherwise
   returns the first of the lowest and of the highest with their own bits, because 0 equals -0. Every kernel gets enough points to work on
   vectors. */
TEST(bad_points)
{
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
    return test_run_all(NULL, NULL);
}
