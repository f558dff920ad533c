/* SPDX-License-Identifier: MIT */
/* The validator reports no fault in valid hulls. Each fault made on purpose is reported alone, with its size. */
#include "tests/support/check.h"
#include "tests/support/memory.h"

#include <math.h>
#include <stdio.h>

#include <voxphys/hull.h>

#include "src/core/exact.h"
#include "src/core/real3.h"
#include "datasets/random.h"

enum { POINTS = 900, TRIANGLES = 2 * POINTS };

typedef struct case_of {
    vp_vec3 point[POINTS];
    uint32_t triangle[TRIANGLES][3];
    uint32_t count, triangles;
} case_of;

static vp_hull_report look(const case_of *c, double allowed)
{
    vp_hull_report v;
    const vp_hull_validate_def s = {.point = c->point,
                                    .count = c->count,
                                    .triangle = (const uint32_t(*)[3])c->triangle,
                                    .triangle_count = c->triangles,
                                    .allowed = allowed};
    assert_ok(vp_hull_validate(&s, &v, &error));
    return v;
}

/* An octahedron with points inside. */
static void octahedron(case_of *c)
{
    static const float at[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    static const uint32_t triangle[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    vp_random r = {3};
    c->count = 0;
    for (int i = 0; i < 6; i++)
        c->point[c->count++] = (vp_vec3){at[i][0], at[i][1], at[i][2]};
    while (c->count < 100)
        c->point[c->count++] =
            (vp_vec3){vp_random_between(&r, -0.3f, 0.3f), vp_random_between(&r, -0.3f, 0.3f), vp_random_between(&r, -0.3f, 0.3f)};
    memcpy(c->triangle, triangle, sizeof triangle);
    c->triangles = 8;
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12))
        fail_msg("%.17g, expected %.17g", got, want);
}

TEST(a_hull_has_no_faults)
{
    static case_of c;
    octahedron(&c);
    const vp_hull_report v = look(&c, 1e-15);
    assert_int_equal(v.faults, 0);
    assert_int_equal(v.vertices, 6);
    assert_int_equal(v.euler, 2);
    assert_int_equal(v.open_edges, 0);
    assert_int_equal(v.slivers, 0);
    near(v.outside, 0.0);
    near(v.concave, -2.0 / sqrt(3.0));
}

TEST(surfaces_that_are_not_closed)
{
    static case_of c;
    octahedron(&c);
    c.triangles = 7; /* without its last triangle */
    vp_hull_report v = look(&c, 0.1);
    assert_int_equal(v.faults, VP_HULL_OPEN | VP_HULL_EULER);
    assert_int_equal(v.open_edges, 3);
    octahedron(&c);
    const uint32_t swap = c.triangle[3][0]; /* reversed: its half-edges occur twice, and its neighbours' have no twin */
    c.triangle[3][0] = c.triangle[3][1];
    c.triangle[3][1] = swap;
    v = look(&c, 0.1);
    assert_true((v.faults & VP_HULL_OPEN) != 0);
    octahedron(&c);
    memcpy(c.triangle[8], c.triangle[2], sizeof c.triangle[8]); /* listed twice */
    c.triangles = 9;
    v = look(&c, 0.1);
    assert_true((v.faults & VP_HULL_OPEN) != 0);
    octahedron(&c); /* two triangles */
    for (uint32_t i = 0; i < 6; i++)
        c.point[c.count + i] = vp_vec3_scale(c.point[i], 0.5f);
    for (uint32_t t = 0; t < 8; t++)
        for (uint32_t k = 0; k < 3; k++)
            c.triangle[8 + t][k] = c.triangle[t][k] + c.count;
    c.count += 6;
    c.triangles = 16;
    v = look(&c, 1.0);
    assert_int_equal(v.faults, VP_HULL_EULER);
    assert_int_equal(v.euler, 4);
}

TEST(points_outside)
{
    static case_of c;
    octahedron(&c);
    c.point[50] = (vp_vec3){0.5f, 0.5f, 0.5f}; /* above the middle of triangle 0 */
    vp_hull_report v = look(&c, 0.1);
    assert_int_equal(v.faults, VP_HULL_OUTSIDE);
    assert_int_equal(v.outside_point, 50);
    assert_int_equal(v.outside_triangle, 0);
    near(v.outside, 0.5 / sqrt(3.0));
    v = look(&c, 0.3);
    assert_int_equal(v.faults, 0);
}

TEST(valleys)
{
    static case_of c;
    octahedron(&c);
    c.point[4].z = -0.25f; /* pushed in, so that its four edges are valleys */
    const vp_hull_report v = look(&c, 0.01);
    assert_int_equal(v.faults, VP_HULL_CONCAVE | VP_HULL_OUTSIDE);
    assert_true(v.concave > 0.2 && v.outside > 0.2);
    octahedron(&c);
    c.triangle[5][1] = c.count;
    assert_int_equal(look(&c, 0.0).faults, VP_HULL_INDEX);
}

TEST(refusals)
{
    static case_of c;
    vp_hull_report v;
    octahedron(&c);
    vp_hull_validate_def s = {.point = c.point, .count = c.count, .triangle = (const uint32_t(*)[3])c.triangle, .triangle_count = 8};
    vp_hull_validate_def bad = s;
    bad.count = 0;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "count is 0 points");
    bad = s;
    bad.count = VP_HULL_MAX_POINTS + 1;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "134217729");
    bad = s;
    bad.triangle_count = 0;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "triangle_count is 0");
    bad.triangle_count = (1u << 29) + 1;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "536870913");
    bad = s;
    bad.allowed = -1.0;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "allowed is -1");
    bad = s;
    bad.sliver = NAN;
    assert_refused(vp_hull_validate(&bad, &v, &error), VP_E_ARGUMENT, "sliver is nan");
    c.point[77].y = -INFINITY;
    assert_refused(vp_hull_validate(&s, &v, &error), VP_E_ARGUMENT, "point[77].y is -inf");
    c.point[77].y = 0.0f;

    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    s.allocator = &allocator;
    for (uint64_t n = 1; n <= 2; n++) {
        test_memory_fail_at(&memory, n);
        assert_refused(vp_hull_validate(&s, &v, &error), VP_E_MEMORY, "100 points");
    }
    test_memory_fail_at(&memory, 0);
    assert_ok(vp_hull_validate(&s, &v, &error));
    test_memory_end(&memory);
}

/* ---- definitions of hulls ---- */

/* A value that is not finite is named with the first point that has one. */
TEST(unsound_definitions)
{
    enum { GRID = 64 };
    vp_vec3 point[GRID];
    vp_hull h = {0};
    for (int i = 0; i < GRID; i++)
        point[i] = (vp_vec3){(float)(i % 4), (float)(i / 4 % 4), (float)(i / 16)};
    vp_hull_def def = {.point = point, .count = 0};
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "count is 0 points");
    def.count = VP_HULL_MAX_POINTS + 1;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "134217729");
    def.count = GRID;
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
    for (uint32_t bad = 0; bad < GRID; bad += 7)
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
