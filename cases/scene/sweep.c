/* SPDX-License-Identifier: MIT */
/* The baselines that the article discusses: brute force over the objects' spheres, and sweep-and-prune with sorted intervals on axes. Both
 * end in the same tests as a tree, so their answers are the same. */
#include <math.h>
#include <stdlib.h>

#include "cases/scene/work.h"

typedef struct interval {
    double low, high, furthest; /* furthest = maximum of this and all previous `high` */
    uint32_t object;
} interval;

struct vp_sweep {
    uint32_t axes, count;
    interval *list[3];
    double (*low)[3], (*high)[3]; /* by object */
};

static int by_low(const void *a, const void *b)
{
    const interval *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->object < y->object ? -1 : x->object > y->object;
}

vp_sweep *vp_sweep_create(const vp_sphere *sphere, uint32_t count, uint32_t axes)
{
    vp_sweep *s = calloc(1, sizeof *s);
    bool all = s != NULL;
    if (all) {
        *s = (vp_sweep){.axes = axes, .count = count};
        s->low = malloc(((size_t)count + 1) * sizeof *s->low);
        s->high = malloc(((size_t)count + 1) * sizeof *s->high);
        all = s->low != NULL && s->high != NULL;
        for (uint32_t k = 0; all && k < axes; k++)
            all = (s->list[k] = malloc(((size_t)count + 1) * sizeof *s->list[k])) != NULL;
    }
    if (!all) {
        vp_sweep_destroy(s);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double c[3] = {(double)sphere[i].centre.x, (double)sphere[i].centre.y, (double)sphere[i].centre.z},
                     r = (double)sphere[i].radius;
        for (int k = 0; k < 3; k++) { /* more than all rounding of the tests */
            const double slack = (fabs(c[k]) + r) * 0x1p-40;
            s->low[i][k] = c[k] - r - slack;
            s->high[i][k] = c[k] + r + slack;
        }
    }
    for (uint32_t k = 0; k < axes; k++) {
        double furthest = -INFINITY;
        for (uint32_t i = 0; i < count; i++)
            s->list[k][i] = (interval){s->low[i][k], s->high[i][k], 0, i};
        qsort(s->list[k], count, sizeof *s->list[k], by_low);
        for (uint32_t i = 0; i < count; i++)
            s->list[k][i].furthest = furthest = fmax(furthest, s->list[k][i].high);
    }
    return s;
}

void vp_sweep_destroy(vp_sweep *s)
{
    if (s == NULL)
        return;
    for (uint32_t k = 0; k < s->axes; k++)
        free(s->list[k]);
    free(s->low);
    free(s->high);
    free(s);
}

/* The part of a list that may overlap, from the first whose running maximum end is high enough to the last that begins low enough. */
static void range_of(const interval *list, uint32_t count, double low, double high, uint32_t range[2])
{
    uint32_t from = 0, to = count;
    for (uint32_t n = count; n > 0;) {
        const uint32_t half = n / 2;
        if (list[from + half].furthest < low) {
            from += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    uint32_t below = 0;
    for (uint32_t n = count; n > 0;) {
        const uint32_t half = n / 2;
        if (list[below + half].low <= high) {
            below += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    to = below;
    range[0] = from;
    range[1] = to > from ? to : from;
}

static bool overlaps(const vp_sweep *s, uint32_t object, const double low[3], const double high[3])
{
    for (uint32_t k = 0; k < s->axes; k++)
        if (s->low[object][k] > high[k] || s->high[object][k] < low[k])
            return false;
    return true;
}

uint64_t vp_sweep_box(const vp_sweep *s, const double low[3], const double high[3], vp_sweep_take_fn *take, void *user)
{
    uint32_t best = 0, range[2] = {0, s->count};
    for (uint32_t k = 0; k < s->axes; k++) { /* the axis with the fewest overlaps */
        uint32_t other[2];
        range_of(s->list[k], s->count, low[k], high[k], other);
        if (other[1] - other[0] < range[1] - range[0] || k == 0) {
            best = k;
            range[0] = other[0];
            range[1] = other[1];
        }
    }
    for (uint32_t i = range[0]; i < range[1]; i++) {
        const uint32_t object = s->axes == 0 ? i : s->list[best][i].object;
        if (overlaps(s, object, low, high) && !take(user, object))
            return i + 1 - range[0];
    }
    return range[1] - range[0];
}

uint64_t vp_sweep_pairs(const vp_sweep *s, vp_sweep_pair_fn *take, void *user)
{
    uint64_t looked = 0;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = i + 1; k < s->count; k++) {
            if (s->axes > 0 && s->list[0][k].low > s->list[0][i].high)
                break;
            const uint32_t a = s->axes == 0 ? i : s->list[0][i].object, b = s->axes == 0 ? k : s->list[0][k].object;
            looked++;
            if (overlaps(s, b, s->low[a], s->high[a]))
                take(user, a < b ? a : b, a < b ? b : a);
        }
    return looked;
}
