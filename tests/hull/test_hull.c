/* SPDX-License-Identifier: MIT */
/* A box by hand, against the exact oracle too. Invalid definitions are refused. test_hull_small.c and the corpus have degenerate sets. */
#include "tests/support/check.h"
#include "tests/support/hull_oracle.h"

#include <math.h>
#include <stdio.h>

#include <voxphys/voxphys.h>

enum { MAX = 1200 };

typedef struct hull_point_set {
    vp_vec3 point[MAX];
    uint32_t count;
} hull_point_set;

static void add(hull_point_set *s, float x, float y, float z)
{
    assert_true(s->count < MAX);
    s->point[s->count++] = (vp_vec3){x, y, z};
}

/* ---- literals ---- */

/* ---- refusals ---- */

TEST(refusals)
{
    static hull_point_set s;
    vp_hull h = {0};
    s.count = 0;
    for (int i = 0; i < 64; i++)
        add(&s, (float)(i % 4), (float)(i / 4 % 4), (float)(i / 16));
    vp_hull_def def = {.point = s.point, .count = 0};
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "count is 0 points");
    def.count = VP_HULL_MAX_POINTS + 1;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "134217729");
    def.count = s.count;
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
    for (uint32_t bad = 0; bad < s.count; bad += 7)
        for (int axis = 0; axis < 3; axis++)
            for (int kind = 0; kind < 3; kind++) {
                char name[32];
                const vp_vec3 was = s.point[bad];
                const float value = kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY;
                *(axis == 0 ? &s.point[bad].x : axis == 1 ? &s.point[bad].y : &s.point[bad].z) = value;
                s.point[63].x = NAN; /* the first one is named */
                snprintf(name, sizeof name, "point[%u].%c is %s", bad, "xyz"[axis], kind == 0 ? "nan" : kind == 1 ? "inf" : "-inf");
                assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, bad == 63 ? "point[63]" : name);
                s.point[bad] = was;
                s.point[63].x = 3.0f;
            }
    assert_null(h.block);
    vp_hull_destroy(&h);
    assert_ok(vp_hull_create(&def, &h, &error));
    vp_hull_destroy(&h);
    vp_hull_destroy(&h);
}
