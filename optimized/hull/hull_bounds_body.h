/* SPDX-License-Identifier: MIT */
/* The box of points, on vectors of floats.
 *
 * Idea. Points are read in memory order, x y z x y z .... Three vectors of WIDE floats are WIDE points, and a lane of
 * each of the three always holds the same axis, so nothing has to be separated. Each lane keeps the lowest and the
 * highest float so far, and its round. At the end the lanes of an axis are compared. A float times 0 is 0 if it is
 * finite, otherwise NaN, which stays in a sum.
 *
 * Cost: a load, 2 comparisons, 4 selections, a multiplication and an addition for WIDE floats, which are read once, 12
 * bytes a point. The lanes at the end take some 100 ns on AVX-512, so few points are processed one by one. */
#include <math.h>
#include <stdbool.h>

#include <voxphys/kernel/hull.h>

#include "src/core/inline.h"

typedef struct extremes {
    floats low, high, poison;
    rounds low_round, high_round;
} extremes;

VP_INLINE void look(extremes *e, floats x, rounds round)
{
    const floats_mask below = floats_above(e->low, x), above = floats_above(x, e->high);
    e->low = floats_choose(below, e->low, x);
    e->low_round = rounds_choose(below, e->low_round, round);
    e->high = floats_choose(above, e->high, x);
    e->high_round = rounds_choose(above, e->high_round, round);
    e->poison = floats_add(e->poison, floats_mul(x, floats_set(0.0f)));
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
    extremes e[3];
    rounds round = rounds_set(0);
    const uint32_t all = count / WIDE;
    float poison[WIDE], sum = 0.0f;
    if (all < MIN) {
        look_at_each(point, count, out);
        return;
    }
    for (int v = 0; v < 3; v++)
        e[v] = (extremes){floats_set(INFINITY), floats_set(-INFINITY), floats_set(0.0f), round, round};
    for (uint32_t r = 0; r < all; r++) {
        const float *from = &point[r * WIDE].x;
        for (int v = 0; v < 3; v++)
            look(&e[v], floats_load(from + v * WIDE), round);
        round = rounds_next(round);
    }
    for (uint32_t i = all * WIDE; i < count; i++)
        sum += point[i].x * 0.0f + point[i].y * 0.0f + point[i].z * 0.0f;
    for (int v = 0; v < 3; v++) {
        floats_store(poison, e[v].poison);
        for (int k = 0; k < WIDE; k++)
            sum += poison[k];
    }
    out->bad = sum == 0.0f ? VP_HULL_NONE : first_bad(point, count);
    if (out->bad != VP_HULL_NONE)
        return;

    const uint32_t last = count - 1; /* any point is a valid start */
    for (uint32_t axis = 0; axis < 3; axis++)
        out->lowest[axis] = out->highest[axis] = last;
    for (uint32_t v = 0; v < 3; v++) {
        uint32_t low[WIDE], high[WIDE];
        rounds_store(low, e[v].low_round);
        rounds_store(high, e[v].high_round);
        for (uint32_t k = 0; k < WIDE; k++) {
            const uint32_t at = v * WIDE + k, axis = at % 3;
            take_lowest(point, axis, low[k] * WIDE + at / 3, &out->lowest[axis]);
            take_highest(point, axis, high[k] * WIDE + at / 3, &out->highest[axis]);
        }
    }
    for (uint32_t i = all * WIDE; i < count; i++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            take_lowest(point, axis, i, &out->lowest[axis]);
            take_highest(point, axis, i, &out->highest[axis]);
        }
    out->min = (vp_vec3){point[out->lowest[0]].x, point[out->lowest[1]].y, point[out->lowest[2]].z};
    out->max = (vp_vec3){point[out->highest[0]].x, point[out->highest[1]].y, point[out->highest[2]].z};
}
