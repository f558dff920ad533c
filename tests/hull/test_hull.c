/* SPDX-License-Identifier: MIT */
/* Invalid definitions of hulls are refused. test_hull_small.c and the corpus have degenerate sets. */
#include "tests/support/check.h"

#include <math.h>
#include <stdio.h>

#include <voxphys/voxphys.h>

TEST(refusals)
{
    enum { POINTS = 64 };
    vp_vec3 point[POINTS];
    vp_hull h = {0};
    for (int i = 0; i < POINTS; i++)
        point[i] = (vp_vec3){(float)(i % 4), (float)(i / 4 % 4), (float)(i / 16)};
    vp_hull_def def = {.point = point, .count = 0};
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "count is 0 points");
    def.count = VP_HULL_MAX_POINTS + 1;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "134217729");
    def.count = POINTS;
    def.tolerance = -1.0f;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "tolerance is -1");
    def.tolerance = NAN;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "nan");
    def.tolerance = INFINITY;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "inf");
    def.tolerance = 0.0f;
    def.max_work = 50;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_LIMIT, "50 comparisons");
    def.max_work = 0;
    for (uint32_t bad = 0; bad < POINTS; bad += 7)
        for (int axis = 0; axis < 3; axis++)
            for (int kind = 0; kind < 3; kind++) {
                char name[32];
                const vp_vec3 was = point[bad];
                const float value = kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY;
                *(axis == 0 ? &point[bad].x : axis == 1 ? &point[bad].y : &point[bad].z) = value;
                point[63].x = NAN; /* the first one is named */
                snprintf(name, sizeof name, "point[%u].%c is %s", bad, "xyz"[axis], kind == 0 ? "nan" : kind == 1 ? "inf" : "-inf");
                assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, bad == 63 ? "point[63]" : name);
                point[bad] = was;
                point[63].x = 3.0f;
            }
    assert_null(h.block);
    vp_hull_destroy(&h);
    assert_ok(vp_hull_create(&def, &h, &error));
    vp_hull_destroy(&h);
    vp_hull_destroy(&h);
}
