/* SPDX-License-Identifier: MIT */
/* Invalid input is reported with its value. Also the handling of unusual meshes, lengths, and the smallest number of hulls
 * (docs/CONTRACT.md: DEC-5, DEC-8, DEC-10). */
#include "tests/decompose/meshes.h"

#include <float.h>

static small_mesh m; /* of the test */
static vp_decomposition_def def;
static vp_decomposition d;

static int begin(void **state)
{
    (void)state;
    m.points = m.triangles = 0;
    def = (vp_decomposition_def){.point = NULL};
    return 0;
}

static int end(void **state)
{
    (void)state;
    vp_decomposition_destroy(&d);
    return 0;
}

/* Decomposes the mesh with the def's options. */
static void decompose(void)
{
    const vp_decomposition_def of = def_of(&m);
    vp_decomposition_destroy(&d);
    def.point = of.point;
    def.point_count = of.point_count;
    def.triangle = of.triangle;
    def.triangle_count = of.triangle_count;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    expect_sound("mesh", &def, &d);
}

static const vp_vec3 zero = {0, 0, 0}, one = {1, 1, 1};

TEST(bad_input)
{
    vp_decomposition unchanged = {.hull_count = 77};
    add_box(&m, zero, one, false);
    def = def_of(&m);
#define REFUSED(change, value)                                                                                                             \
    do {                                                                                                                                   \
        vp_decomposition_def bad = def;                                                                                                    \
        change;                                                                                                                            \
        assert_refused(vp_decomposition_create(&bad, &unchanged, &error), VP_E_ARGUMENT, value);                                           \
    } while (0)
    REFUSED(bad.point_count = 0, "vp_decomposition_def.point_count is 0");
    REFUSED(bad.point_count = VP_HULL_MAX_POINTS + 1, "vp_decomposition_def.point_count is 134217729");
    REFUSED(bad.triangle_count = 0, "vp_decomposition_def.triangle_count is 0");
    REFUSED(bad.triangle_count = VP_DECOMPOSE_MAX_TRIANGLES + 1, "vp_decomposition_def.triangle_count is 16777217");
    REFUSED(bad.scale = -2.0f, "scale is -2");
    REFUSED(bad.quantization = -0.5f, "quantization is -0.5");
    REFUSED(bad.concavity = NAN, "concavity is nan");
    REFUSED(bad.spacing = INFINITY, "spacing is inf");
    REFUSED(bad.rows = 1025, "rows is 1025");
    REFUSED(bad.min_volume = -1.0f, "min_volume is -1");
    REFUSED((bad.min_hulls = 3, bad.max_hulls = 2), "max_hulls is 2");
    REFUSED(bad.max_vertices = 3, "max_vertices is 3");
    REFUSED(bad.unit = (vp_decomposition_unit)2, "unit is 2");
    REFUSED(bad.flat = (vp_decomposition_flat)9, "flat is 9");
    REFUSED((bad.unit = VP_DECOMPOSITION_WORLD, bad.scale = 10.0f), "scale is 10");
    m.triangle[5][1] = 8;
    REFUSED(bad.point = m.point, "corner 1 of triangle 5 is point 8 of 8");
    m.triangle[5][1] = UINT32_MAX;
    REFUSED(bad.point = m.point, "corner 1 of triangle 5 is point 4294967295");
    m.triangle[5][1] = 3;
    m.point[6].y = NAN;
    REFUSED(bad.point = m.point, "point 6 is not finite: (0, nan, 1)");
    m.point[6].y = -INFINITY;
    REFUSED(bad.point = m.point, "point 6 is not finite: (0, -inf, 1)");
    m.point[6].y = 1.0f;
    vp_decomposition_def many = def;
    many.spacing = 1e-20f;
    assert_refused(vp_decomposition_create(&many, &unchanged, &error), VP_E_LIMIT,
                   "more than 134217728 samples with a spacing of 1e-23: triangle ");
    many.spacing = 1e-2f;
    assert_refused(vp_decomposition_create(&many, &unchanged, &error), VP_E_LIMIT, "more than 134217728 samples");
    assert_int_equal(unchanged.hull_count, 77);
    vp_decomposition none = {0};
    vp_decomposition_destroy(&none);
}

/* ---- the input's state ---- */

static void expect_edge(const vp_decomposition_edge *e, uint32_t a, uint32_t b, uint32_t t, uint32_t u)
{
    if (e->point[0] != a || e->point[1] != b || e->triangle[0] != t || e->triangle[1] != u)
        fail_msg("points %u and %u, triangles %u and %u, not %u, %u, %u, %u", e->point[0], e->point[1], e->triangle[0], e->triangle[1], a,
                 b, t, u);
}

TEST(open_twisted_crowded)
{
    for (int i = 0; i < 4; i++)
        add_point(&m, (float)(i & 1), (float)(i >> 1), 0); /* 0 1 / 2 3; by coordinates 0, 2, 1, 3 */
    add_triangle(&m, 0, 1, 2);
    add_triangle(&m, 1, 2, 3); /* rotated: both run from 1 to 2 */
    decompose();
    assert_int_equal(d.input.open_edges, 4);
    expect_edge(&d.input.first_open, 0, 2, 0, 0);
    assert_int_equal(d.input.twisted_edges, 1);
    expect_edge(&d.input.first_twisted, 2, 1, 0, 1);
    assert_true(d.input.first_twisted.place[0].y == 1.0f && d.input.first_twisted.place[1].x == 1.0f);
    assert_int_equal(d.hull_count, 1); /* a square */
    assert_int_equal(d.hull[0].hull.dimension, 2);

    add_point(&m, 0.5f, 0.5f, 1);
    add_triangle(&m, 2, 1, 4); /* a fin */
    decompose();
    assert_int_equal(d.input.twisted_edges, 0);
    assert_int_equal(d.input.crowded_edges, 1);
    expect_edge(&d.input.first_crowded, 2, 1, 0, 2);
    assert_int_equal(d.counts.edges, 3); /* k(k - 1)/2 */
    assert_int_equal(d.input.shells, 1);
}

/* A duplicate goes to the hull of the first. A duplicate with the other orientation counts as a triangle of its own. */
TEST(duplicates)
{
    add_box(&m, zero, one, false);
    add_triangle(&m, m.triangle[3][1], m.triangle[3][2], m.triangle[3][0]);
    add_triangle(&m, m.triangle[3][2], m.triangle[3][0], m.triangle[3][1]);
    decompose();
    assert_int_equal(d.input.duplicates, 2);
    assert_int_equal(d.input.first_duplicate, 12);
    assert_int_equal(d.input.triangles, 12);
    assert_int_equal(d.input.manifold_edges, 18);
    assert_int_equal(d.hull[0].triangle_count, 14);
    const uint32_t samples = d.counts.samples;

    m.triangles = 12;
    decompose();
    assert_int_equal(d.counts.samples, samples); /* duplicates have no samples of their own */

    add_triangle(&m, m.triangle[3][1], m.triangle[3][0], m.triangle[3][2]);
    decompose();
    assert_int_equal(d.input.duplicates, 0);
    assert_int_equal(d.input.triangles, 13);
    assert_int_equal(d.input.crowded_edges, 3);
    assert_int_equal(d.counts.samples, samples); /* it is a wall, with the solid in front */
}

/* Triangles without a normal go to a neighbour's hull or connect neighbours, and have no samples. */
TEST(degenerate)
{
    /* a rectangle of a large triangle and two small ones, which meet at a vertex on its edge, with a triangle without area between them */
    add_point(&m, 0, 0, 0);
    add_point(&m, 2, 0, 0);
    add_point(&m, 1, 1, 0);
    add_point(&m, 1, 0, 0);
    add_point(&m, 1, -1, 0);
    add_triangle(&m, 0, 1, 2);
    add_triangle(&m, 0, 4, 3);
    add_triangle(&m, 3, 4, 1);
    decompose();
    assert_int_equal(d.input.shells, 2);
    assert_int_equal(d.hull_count, 2);
    const uint32_t samples = d.counts.samples;

    add_triangle(&m, 0, 3, 1);
    decompose();
    assert_int_equal(d.input.degenerate, 1);
    assert_int_equal(d.input.first_degenerate, 3);
    assert_int_equal(d.input.shells, 1);
    assert_int_equal(d.hull_count, 1);
    assert_int_equal(d.counts.samples, samples);

    add_triangle(&m, 2, 2, 1); /* an existing edge, a vertex, a new edge, and its far vertex */
    add_triangle(&m, 4, 4, 4);
    const uint32_t far = add_point(&m, 5, 5, 5);
    add_triangle(&m, 2, far, 2);
    add_triangle(&m, far, far, far);
    decompose();
    assert_int_equal(d.input.degenerate, 5);
    assert_int_equal(d.input.triangles, 5);
    assert_int_equal(d.input.shells, 2);
    assert_int_equal(d.hull_count, 2);
    assert_int_equal(d.hull[0].triangle_count, 6);
    assert_int_equal(d.hull[1].hull.dimension, 1);
    assert_int_equal(d.hull[1].triangle_count, 2);
}

/* A triangle that is at most as high as the quantization has no area, even if its vertices are far apart. */
TEST(slivers)
{
    for (int higher = 0; higher < 2; higher++) {
        m.points = m.triangles = 0;
        add_point(&m, 0, 0, 0);
        add_point(&m, 10, 0, 0);
        add_point(&m, 5, higher ? 0.011f : 0.009f, 0);
        add_triangle(&m, 0, 1, 2);
        def.unit = VP_DECOMPOSITION_WORLD;
        def.quantization = 0.01f;
        decompose();
        assert_int_equal(d.input.vertices, 3);
        assert_int_equal(d.input.degenerate, higher ? 0 : 1);
        assert_true((d.counts.samples != 0) == (higher != 0));
    }
}

/* Points that are near become one, on either side of a cell's border. Points that are far apart stay two. */
TEST(joining)
{
    for (int i = 0; i < 50; i++) {
        const float x = (float)i * 0.017f;
        m.points = m.triangles = 0;
        add_point(&m, x, 0, 0);
        add_point(&m, x + 400, 1000, 0);
        add_point(&m, x + 1000, 0, 0);
        add_point(&m, x + 0.09f, 0.0f, 0);
        add_point(&m, x + 400, 1000, 0.11f);
        add_point(&m, x + 200, 400, 300);
        add_triangle(&m, 0, 2, 1);
        add_triangle(&m, 3, 5, 2);
        decompose();
        assert_int_equal(d.input.joined, 1);
        assert_int_equal(d.input.vertices, 4); /* one has no triangle */
        assert_int_equal(d.input.shells, 1);
        m.triangle[1][2] = 4;
        decompose();
        assert_int_equal(d.input.joined, 1);
        assert_int_equal(d.input.vertices, 5);
        assert_int_equal(d.input.shells, 2);
    }
}

/* A strip bends so slowly that neighbours are flat together, but the whole strip is not. Every triangle must stay within the quantization
 * of its hull. */
TEST(slow_bend)
{
    for (int i = 0; i <= 100; i++)
        for (int k = 0; k < 2; k++) {
            const float x = (float)i * 10, z = x * x * 1e-5f;
            add_point(&m, x, (float)k * 30, z);
        }
    for (uint32_t i = 0; i < 200; i += 2) {
        add_triangle(&m, i, i + 2, i + 3);
        add_triangle(&m, i, i + 3, i + 1);
    }
    decompose();
    for (uint32_t h = 0; h < d.hull_count; h++)
        for (uint32_t k = 0; k < d.hull[h].triangle_count; k++)
            for (int c = 0; c < 3; c++)
                assert_true(above(&d.hull[h].hull, m.point[m.triangle[d.hull[h].triangle[k]][c]]) <= 1.01 * d.lengths.quantization);
}

/* ---- options ---- */

/* A larger error is allowed until few hulls are left. Shells stay apart, but a void merges with the shell around it. */
TEST(most_hulls)
{
    add_box(&m, zero, (vp_vec3){3, 3, 3}, false);
    add_box(&m, one, (vp_vec3){2, 2, 2}, true); /* a void, whose sides are flat hulls */
    add_box(&m, (vp_vec3){10, 0, 0}, (vp_vec3){11, 1, 1}, false);
    decompose();
    const uint32_t all = d.hull_count;
    const uint64_t steps = d.counts.collapses + d.counts.drops;
    for (uint32_t most = all; most >= 1; most--) {
        def.max_hulls = most;
        decompose();
        assert_int_equal(d.hull_count, most > 2 ? most : 2);
        assert_true(most == all || d.counts.collapses + d.counts.drops > steps);
    }
    double worst = 0.0;
    for (uint32_t h = 0; h < d.hull_count; h++)
        worst = fmax(worst, d.hull[h].error);
    assert_true(worst > d.lengths.concavity);

    def.max_hulls = 0;
    def.unit = VP_DECOMPOSITION_WORLD;
    def.min_volume = 0.9f;
    decompose();
    for (uint32_t h = 0; h < d.hull_count; h++)
        assert_true(d.hull[h].hull.volume >= 0.9);
    def.min_volume = 14.0f; /* half of the large box; the other box has no neighbours */
    decompose();
    assert_int_equal(d.hull_count, 2);
    def.min_hulls = all;
    decompose();
    assert_int_equal(d.hull_count, all);
}

/* Two boxes that overlap merge if they may. Without time nothing merges, and the hulls hold the surface. */
TEST(shells_and_time)
{
    add_box(&m, zero, one, false);
    add_box(&m, (vp_vec3){0.9f, 0, 0}, (vp_vec3){2, 1, 1}, false);
    add_box(&m, (vp_vec3){2.5f, 0, 0}, (vp_vec3){3, 1, 1}, false);
    decompose();
    assert_int_equal(d.hull_count, 3);
    def.merge_shells = true;
    decompose();
    assert_int_equal(d.hull_count, 2);
    def.max_seconds = 1e-9f;
    decompose();
    assert_int_equal(d.hull_count, 36);
    def.max_seconds = 1e6f;
    decompose();
    assert_int_equal(d.hull_count, 2);
}

TEST(lengths)
{
    add_box(&m, zero, (vp_vec3){20, 10, 5}, false);
    def.scale = 200;
    def.quantization = 0.5f;
    decompose();
    assert_true(fabs(d.lengths.quantization - 0.05) < 1e-9 && fabs(d.lengths.concavity - 0.2) < 1e-9);
    def.scale = 0;
    def.unit = VP_DECOMPOSITION_WORLD;
    decompose();
    assert_true(d.lengths.quantization == 0.5 && fabs(d.lengths.concavity - 0.2) < 1e-9 && fabs(d.lengths.spacing - 0.2) < 1e-9);
    def.quantization = FLT_TRUE_MIN; /* raised to the minimum */
    def.spacing = 2.5f;
    decompose();
    assert_true(d.lengths.quantization == 20 * 0x1p-40);
    assert_int_equal(d.hull_count, 1);
    /* two sides per face. A triangle's height over its longest edge determines its rows, and the width of a row its samples */
    assert_true(d.counts.samples > 100 && d.counts.samples < 300);
    def.rows = 3;
    decompose();
    assert_int_equal(d.counts.samples, 12 * 6);
}

int main(void)
{
    return test_run_each(begin, end);
}
