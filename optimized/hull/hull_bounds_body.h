/* SPDX-License-Identifier: MIT */
/* The box of points, on vectors of floats.
 *
 * Idea. Points are read in memory order, x y z x y z .... Three vectors of F32N floats are F32N points, and a lane of
 * each of the three always holds the same axis, so nothing has to be separated. Each lane keeps the lowest and the
 * highest float so far, and its round. At the end the lanes of an axis are compared. A float times 0 is 0 if it is
 * finite, otherwise NaN, which stays in a sum.
 *
 * Cost: a load, 2 comparisons, 4 selections, a multiplication and an addition for F32N floats, which are read once, 12
 * bytes a point. The lanes at the end take some 100 ns on AVX-512, so few points are processed one by one. */
#include <math.h>
#include <stdbool.h>

#include <voxphys/kernel/hull.h>

#include "optimized/simd/native.h"
#include "src/core/inline.h"

typedef struct bounds_lanes {
    f32n low, high, poison;
    i32n low_round, high_round;
} bounds_lanes;

VP_INLINE void look(bounds_lanes *e, f32n x, i32n round)
{
    const m32n below = f32n_cmp_gt(e->low, x), above = f32n_cmp_gt(x, e->high);
    e->low = f32n_select(below, x, e->low);
    e->low_round = i32n_select(below, round, e->low_round);
    e->high = f32n_select(above, x, e->high);
    e->high_round = i32n_select(above, round, e->high_round);
    e->poison = f32n_add(e->poison, f32n_mul(x, f32n_set1(0.0f)));
}

static float coordinate_of(vp_vec3 p, uint32_t axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/* Makes a point the lowest or highest one of an axis if it is lower or higher, or equal and earlier. */
static void take_lowest(const vp_vec3 *point, uint32_t axis, uint32_t i, uint32_t *lowest)
{
    const float x = coordinate_of(point[i], axis), least = coordinate_of(point[*lowest], axis);
    if (x < least || (x == least && i < *lowest))
        *lowest = i;
}

static void take_highest(const vp_vec3 *point, uint32_t axis, uint32_t i, uint32_t *highest)
{
    const float x = coordinate_of(point[i], axis), most = coordinate_of(point[*highest], axis);
    if (x > most || (x == most && i < *highest))
        *highest = i;
}

static uint32_t first_bad(const vp_vec3 *point, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(point[i].x) || !isfinite(point[i].y) || !isfinite(point[i].z))
            return i;
    return VP_HULL_NONE;
}

/* For few points. */
static void look_at_each(const vp_vec3 *point, uint32_t count, vp_hull_bounds *out)
{
    float low[3] = {point[0].x, point[0].y, point[0].z}, high[3] = {low[0], low[1], low[2]};
    bool finite = true;
    for (uint32_t axis = 0; axis < 3; axis++)
        out->lowest[axis] = out->highest[axis] = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            const float x = coordinate_of(point[i], axis);
            finite &= isfinite(x) != 0;
            if (x < low[axis]) {
                low[axis] = x;
                out->lowest[axis] = i;
            }
            if (x > high[axis]) {
                high[axis] = x;
                out->highest[axis] = i;
            }
        }
    out->min = (vp_vec3){low[0], low[1], low[2]};
    out->max = (vp_vec3){high[0], high[1], high[2]};
    out->bad = finite ? VP_HULL_NONE : first_bad(point, count);
}

static void hull_bounds(const vp_vec3 *point, uint32_t count, vp_hull_bounds *out)
{
    enum { MIN = 5 }; /* rounds; with fewer, comparing the lanes takes longer than processing each point */
    bounds_lanes e[3];
    i32n round = i32n_set1(0);
    const uint32_t all = count / F32N;
    float poison[F32N], sum = 0.0f;
    if (all < MIN) {
        look_at_each(point, count, out);
        return;
    }
    for (int v = 0; v < 3; v++)
        e[v] = (bounds_lanes){f32n_set1(INFINITY), f32n_set1(-INFINITY), f32n_set1(0.0f), round, round};
    for (uint32_t r = 0; r < all; r++) {
        const float *from = &point[r * F32N].x;
        for (int v = 0; v < 3; v++)
            look(&e[v], f32n_load(from + v * F32N), round);
        round = i32n_add(round, i32n_set1(1));
    }
    for (uint32_t i = all * F32N; i < count; i++)
        sum += point[i].x * 0.0f + point[i].y * 0.0f + point[i].z * 0.0f;
    for (int v = 0; v < 3; v++) {
        f32n_store(poison, e[v].poison);
        for (int k = 0; k < F32N; k++)
            sum += poison[k];
    }
    out->bad = sum == 0.0f ? VP_HULL_NONE : first_bad(point, count);
    if (out->bad != VP_HULL_NONE)
        return;

    const uint32_t last = count - 1; /* any point is a valid start */
    for (uint32_t axis = 0; axis < 3; axis++)
        out->lowest[axis] = out->highest[axis] = last;
    for (uint32_t v = 0; v < 3; v++) {
        uint32_t low[F32N], high[F32N];
        i32n_store(low, e[v].low_round);
        i32n_store(high, e[v].high_round);
        for (uint32_t k = 0; k < F32N; k++) {
            const uint32_t at = v * F32N + k, axis = at % 3;
            take_lowest(point, axis, low[k] * F32N + at / 3, &out->lowest[axis]);
            take_highest(point, axis, high[k] * F32N + at / 3, &out->highest[axis]);
        }
    }
    for (uint32_t i = all * F32N; i < count; i++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            take_lowest(point, axis, i, &out->lowest[axis]);
            take_highest(point, axis, i, &out->highest[axis]);
        }
    out->min = (vp_vec3){point[out->lowest[0]].x, point[out->lowest[1]].y, point[out->lowest[2]].z};
    out->max = (vp_vec3){point[out->highest[0]].x, point[out->highest[1]].y, point[out->highest[2]].z};
}
