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

static vp_hull hull_of(const hull_point_set *s, float tolerance)
{
    vp_hull h = {0};
    const vp_hull_def def = {.point = s->point, .count = s->count, .tolerance = tolerance};
    assert_ok(vp_hull_create(&def, &h, &error));
    return h;
}

/* Compares the hull of every kernel set with the oracle, with faces joined and separate. @return its dimension */
static uint32_t check(const char *what, const hull_point_set *s)
{
    uint32_t dimension = 0;
    for (int separate = 0; separate < 2; separate++) {
        vp_hull h = hull_by_all(what, (vp_hull_def){.point = s->point, .count = s->count, .separate = separate});
        if (h.dimension == 3) {
            oracle_check_hull(what, s->point, s->count, &h);
            oracle_check_corners(what, s->point, &h);
        }
        dimension = h.dimension;
        vp_hull_destroy(&h);
    }
    return dimension;
}

static void add(hull_point_set *s, float x, float y, float z)
{
    assert_true(s->count < MAX);
    s->point[s->count++] = (vp_vec3){x, y, z};
}

/* ---- literals ---- */

static void expect_near(double got, double want, double by)
{
    if (!(fabs(got - want) <= by))
        fail_msg("%.17g, expected %.17g", got, want);
}

/* A box with points inside, on its faces, on its edges, and each corner three times. */
TEST(a_box)
{
    static hull_point_set s;
    s.count = 0;
    for (int copy = 0; copy < 3; copy++)
        for (int z = 0; z <= 4; z++)
            for (int y = 0; y <= 3; y++)
                for (int x = 0; x <= 2; x++)
                    add(&s, 1.0f + (float)x, 2.0f + (float)y, 3.0f + (float)z);
    assert_int_equal(check("a box", &s), 3);
    vp_hull h = hull_of(&s, 0.0f);
    static const uint32_t vertex[] = {0, 2, 9, 11, 48, 50, 57, 59};
    static const uint32_t corner[] = {0, 1, 5, 4, 0, 2, 3, 1, 0, 4, 6, 2, 1, 3, 7, 5, 2, 6, 7, 3, 4, 5, 7, 6};
    static const uint32_t across[] = {1, 3, 5, 2, 2, 4, 3, 0, 0, 5, 4, 1, 1, 4, 5, 0, 2, 5, 3, 1, 0, 3, 4, 2};
    assert_int_equal(h.vertex_count, 8);
    assert_int_equal(h.triangle_count, 12);
    assert_int_equal(h.face_count, 6);
    assert_int_equal(h.corner_count, 24);
    assert_memory_equal(h.vertex, vertex, sizeof vertex);
    assert_memory_equal(h.corner, corner, sizeof corner);
    assert_memory_equal(h.across, across, sizeof across);
    expect_near(h.volume, 24.0, 0.0);
    expect_near(h.area, 52.0, 0.0);
    expect_near(h.centroid[0], 2.0, 1e-15);
    expect_near(h.centroid[1], 3.5, 1e-15);
    expect_near(h.centroid[2], 5.0, 1e-15);
    expect_near(h.mass.inertia[0], 24.0 / 12.0 * (9.0 + 16.0), 1e-12);
    expect_near(h.mass.inertia[1], 24.0 / 12.0 * (16.0 + 4.0), 1e-12);
    expect_near(h.mass.inertia[2], 24.0 / 12.0 * (4.0 + 9.0), 1e-12);
    for (int i = 3; i < 6; i++)
        expect_near(h.mass.inertia[i], 0.0, 1e-12);
    vp_hull_destroy(&h);
}

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
