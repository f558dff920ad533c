/* SPDX-License-Identifier: MIT */
/* The families of the data sets' points, for hulls. */
#ifndef VP_TESTS_SUPPORT_HULL_FAMILIES_H
#define VP_TESTS_SUPPORT_HULL_FAMILIES_H

#include "datasets/generate/points.h"
#include "datasets/random.h"
#include "tests/support/check.h"
#include "tests/support/hull_distance.h"

enum { POINT_SET_MAX = 1200, FAMILIES = VP_FAMILY_COUNT };

typedef struct point_set {
    const char *name;
    vp_vec3 point[POINT_SET_MAX];
    uint32_t count, dimension;
    long double longest; /* longest side of its box */
    float tolerance;     /* 0 = the hull's default */
} point_set;

/* Makes a set of a family, with about `size` points. */
static inline void point_set_make(point_set *s, vp_random *r, uint32_t family, uint32_t size)
{
    const vp_point_family f = (vp_point_family)family;
    s->name = vp_family_name(f);
    s->count = vp_family_points(f, size);
    assert_in_range(s->count, 1, POINT_SET_MAX);
    vp_family_make(f, size, vp_random_next(r),
                   f == VP_FAMILY_TINY_BALL   ? 0x1p-113f
                   : f == VP_FAMILY_HUGE_BALL ? 0x1p+100f
                                              : 1.0f,
                   0.0f, s->point);
    s->dimension = f == VP_FAMILY_ONE_POINT                                    ? 0
                   : f == VP_FAMILY_COLLINEAR                                  ? 1
                   : f == VP_FAMILY_COPLANAR || f == VP_FAMILY_COPLANAR_TILTED ? 2
                                                                               : 3;
    s->tolerance = f == VP_FAMILY_FLAT_BOX ? 1e-12f : f == VP_FAMILY_GAUSS ? 0.02f : 0.0f;
    s->longest = 0.0L;
    for (int axis = 0; axis < 3; axis++) {
        long double low = (long double)hull_coordinate(s->point[0], axis), high = low;
        for (uint32_t i = 1; i < s->count; i++) {
            const long double at = (long double)hull_coordinate(s->point[i], axis);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        s->longest = high - low > s->longest ? high - low : s->longest;
    }
}

#endif
