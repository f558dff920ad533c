/* SPDX-License-Identifier: MIT */
/* Meshes of several parts that overlap, touch, are turned inside out, or are tiny (docs/CONTRACT.md: DEC-5, DEC-12). The hulls hold the
 * solid's inside, in any order of triangles and on threads. The judge measures how much they hold. */
#include "conformance/judge_decompose/check.h"
#include "tests/decompose/shapes.h"
#include "tests/support/threads.h"

enum { MOST_BOXES = 5 };

typedef struct placed_box {
    vp_vec3 low, high;
    bool turned;
} placed_box;

static const struct {
    const char *name;
    placed_box part[MOST_BOXES];
    uint32_t parts;
    bool flip;
    uint32_t hulls;
    uint32_t reversed, tiny;
    bool covered; /* surface is inside other parts */
} rows[] = {
    {"a table with legs in its top",
     {{{0, 700, 0}, {1000, 750, 600}, false},
      {{50, 0, 50}, {100, 725, 100}, false},
      {{50, 0, 500}, {100, 725, 550}, false},
      {{900, 0, 50}, {950, 725, 100}, false},
      {{900, 0, 500}, {950, 725, 550}, false}},
     5,
     false,
     5,
     0,
     0,
     true},
    {"on a slab", {{{0, 0, 0}, {10, 1, 10}, false}, {{3, 1, 3}, {6, 4, 7}, false}}, 2, false, 2, 0, 0, true},
    {"in a slab", {{{0, 0, 0}, {10, 1, 10}, false}, {{3, 0.5f, 3}, {6, 4, 7}, false}}, 2, false, 2, 0, 0, true},
    {"above a slab", {{{0, 0, 0}, {10, 1, 10}, false}, {{3, 1.5f, 3}, {6, 4, 7}, false}}, 2, false, 2, 0, 0, false},
    {"side by side", {{{0, 0, 0}, {1, 1, 1}, false}, {{1, 0, 0}, {2, 1, 1}, false}}, 2, false, 1, 0, 0, true},
    {"one in another", {{{0, 0, 0}, {9, 9, 9}, false}, {{3, 3, 3}, {6, 6, 6}, false}}, 2, false, 2, 0, 0, true},
    {"turned", {{{0, 0, 0}, {1, 2, 3}, true}}, 1, true, 1, 1, 0, false},
    {"a turned leg in a slab", {{{0, 0, 0}, {10, 1, 10}, false}, {{3, 0.5f, 3}, {6, 4, 7}, true}}, 2, true, 2, 1, 0, true},
    {"a void", {{{0, 0, 0}, {9, 9, 9}, false}, {{3, 3, 3}, {6, 6, 6}, true}}, 2, true, 0, 0, 0, false},
    {"a tiny part", {{{0, 0, 0}, {9, 9, 9}, false}, {{9.5f, 0, 0}, {9.508f, 0.008f, 0.008f}, false}}, 2, false, 2, 0, 1, false},
};

/* The part of the solid's volume in hulls. The mesh is that of the decomposition, but turned shells may remain so. */
static double covered_part(const vp_decomposition_def *def, const vp_decomposition *d, double *reach)
{
    vp_judged_hull *hull = calloc(d->hull_count, sizeof *hull);
    assert_non_null(hull);
    for (uint32_t h = 0; h < d->hull_count; h++)
        hull[h] = (vp_judged_hull){.point = d->hull[h].point, .points = d->hull[h].point_count};
    const vp_decomposition_question asked = {.mesh = {.vertex = def->point,
                                                      .vertex_count = def->point_count,
                                                      .index = &def->triangle[0][0],
                                                      .triangle_count = def->triangle_count},
                                             .hull = hull,
                                             .hulls = d->hull_count,
                                             .s = d->lengths.quantization,
                                             .parts = VP_JUDGE_VOLUME | VP_JUDGE_REACH};
    vp_decomposition_verdict v;
    assert_ok(vp_decomposition_judge(&asked, &v, &error));
    assert_true(v.closed);
    const double held = v.covered_solid.low;
    *reach = v.reach.low;
    vp_decomposition_drop(&v);
    free(hull);
    return held;
}

static void expect_full(const char *name, const vp_decomposition_def *def, const vp_decomposition *d)
{
    expect_sound(name, def, d);
    for (uint32_t h = 0; h < d->hull_count; h++)
        if (d->hull[h].hull.dimension != 3)
            fail_msg("%s: hull %u is flat", name, h);
    double reach;
    const double held = covered_part(def, d, &reach);
    if (held < 0.99)
        fail_msg("%s: the %u hulls hold %g of the solid", name, d->hull_count, held);
    if (!def->flip && reach > 1.1 * d->lengths.concavity)
        fail_msg("%s: the hulls reach %g beyond the solid", name, reach);
}

TEST(parts_are_one_solid)
{
    static small_mesh m, other;
    vp_random random = {5};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += IS_THIN ? 3 : 1) {
        m.points = m.triangles = 0;
        for (uint32_t k = 0; k < rows[i].parts; k++)
            add_box(&m, rows[i].part[k].low, rows[i].part[k].high, rows[i].part[k].turned);
        vp_decomposition_def def = def_of(&m);
        def.flip = rows[i].flip;
        vp_decomposition d, again;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        if (rows[i].hulls != 0 && d.hull_count != rows[i].hulls)
            fail_msg("%s: %u hulls, not %u", rows[i].name, d.hull_count, rows[i].hulls);
        if (d.input.reversed != rows[i].reversed || d.input.tiny != rows[i].tiny || (d.input.covered != 0) != rows[i].covered)
            fail_msg("%s: %u reversed, %u tiny, %u covered", rows[i].name, d.input.reversed, d.input.tiny, d.input.covered);
        expect_full(rows[i].name, &def, &d);
        shuffle(&m, &random, &other);
        const vp_executor executor = test_threads(4);
        def.point = other.point;
        def.triangle = (const uint32_t(*)[3])(uintptr_t)other.triangle;
        def.executor = &executor;
        assert_ok(vp_decomposition_create(&def, &again, &error));
        if (digest_of(&again) != digest_of(&d))
            fail_msg("%s: another answer for another order, on threads", rows[i].name);
        vp_decomposition_destroy(&again);
        vp_decomposition_destroy(&d);
    }
}

/* Hulls of their surface alone leave gaps inside these shapes. Points that fill them keep the allowed error. */
TEST(insides_are_held)
{
    static const char *const names[] = {"solid-cross", "solid-open-box", "solid-hollow", "solid-holes", "solid-torus"};
    static small_mesh m;
    for (size_t i = 0; i < sizeof names / sizeof *names; i += IS_THIN ? 2 : 1) {
        make_shape(names[i], 1000, 1.0, &m);
        vp_decomposition_def def = def_of(&m);
        vp_decomposition d;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        expect_full(names[i], &def, &d);
        vp_decomposition_destroy(&d);
    }
}

/* A box turned inside out stays so without `flip`, and one turned triangle leaves it open. With `flip` the hull is the box. */
TEST(turned_triangles_are_counted)
{
    static small_mesh m;
    m.points = m.triangles = 0;
    add_box(&m, (vp_vec3){0, 0, 0}, (vp_vec3){1, 2, 3}, true);
    vp_decomposition_def def = def_of(&m);
    vp_decomposition d;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_int_equal(d.input.reversed, 1);
    assert_int_equal(d.input.first_reversed, 0);
    assert_int_equal(d.input.flipped, 0);
    assert_true(d.hull_count > 1);
    vp_decomposition_destroy(&d);

    m.points = m.triangles = 0;
    add_box(&m, (vp_vec3){0, 0, 0}, (vp_vec3){1, 2, 3}, false);
    const uint32_t swapped = m.triangle[7][1];
    m.triangle[7][1] = m.triangle[7][2];
    m.triangle[7][2] = swapped;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_int_equal(d.input.reversed, 0);
    assert_int_equal(d.input.flipped, 1);
    assert_int_equal(d.input.first_flipped, 7);
    vp_decomposition_destroy(&d);

    def.flip = true;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_int_equal(d.input.flipped, 1);
    assert_int_equal(d.hull_count, 1);
    m.triangle[7][2] = m.triangle[7][1];
    m.triangle[7][1] = swapped; /* as it was */
    expect_full("a turned triangle", &def, &d);
    vp_decomposition_destroy(&d);
}

/* Hulls of a triangle with two sides are not flat either, and four quantizations thick. */
TEST(sheets_are_thin)
{
    static small_mesh m;
    m.points = m.triangles = 0;
    add_box(&m, (vp_vec3){0, 0, 0}, (vp_vec3){10, 1, 10}, false);
    const uint32_t a = add_point(&m, 2, 2, 2), b = add_point(&m, 7, 2, 2), c = add_point(&m, 2, 3, 6);
    add_triangle(&m, a, b, c);
    add_triangle(&m, a, c, b);
    vp_decomposition_def def = def_of(&m);
    vp_decomposition d;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_int_equal(d.hull_count, 2);
    expect_full("a sheet", &def, &d);
    const vp_hull *thin = &d.hull[d.hull[0].hull.volume < d.hull[1].hull.volume ? 0 : 1].hull;
    const double area = 0.5 * 5 * sqrt(17), depth = 3 * thin->volume / area;
    assert_true(fabs(depth - 4 * d.lengths.quantization) < 0.05 * depth);
    vp_decomposition_destroy(&d);
}
