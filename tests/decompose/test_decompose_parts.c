/* SPDX-License-Identifier: MIT */
/* Meshes of several parts that overlap, touch, are turned inside out, or are tiny (docs/CONTRACT.md: DEC-5, DEC-12). The hulls hold the
 * solid's inside, in any order of triangles and on threads. The judge measures how much they hold. */
#include "conformance/judge_decompose/check.h"
#include "tests/decompose/shapes.h"
#include "tests/support/threads.h"

enum { MOST_BOXES = 5, POINTS = 100 /* a triangle */ };

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

/* The length within a hull of a ray from the surface. 0 for one that is nowhere deeper than s. */
static double length_within(const vp_hull *hull, const double x[3], const double along[3], double s)
{
    double in = 0.0, out = INFINITY, height = -INFINITY;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const double *n = hull->plane[f], above = n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - n[3];
        const double rise = n[0] * along[0] + n[1] * along[1] + n[2] * along[2];
        if (rise > 1e-12)
            out = fmin(out, -above / rise);
        else if (rise < -1e-12)
            in = fmax(in, above / -rise);
        else if (above > 0.0)
            return 0.0;
    }
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const double *n = hull->plane[f], mid = (in + out) / 2;
        height = fmax(height, n[0] * (x[0] + mid * along[0]) + n[1] * (x[1] + mid * along[1]) + n[2] * (x[2] + mid * along[2]) - n[3]);
    }
    return in <= s && height < -s ? out - in : 0.0;
}

/* The longest ray from random points of the surface, which finds parts between the samples. */
static double longest_ray(const vp_decomposition_def *def, const vp_decomposition *d)
{
    vp_random random = {11};
    double longest = 0.0;
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        double corner[3][3], n[3], size = 0.0;
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++)
                corner[k][axis] = (double)(&def->point[def->triangle[t][k]].x)[axis];
        for (int axis = 0; axis < 3; axis++) {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            n[axis] = (corner[1][b] - corner[0][b]) * (corner[2][c] - corner[0][c]) -
                      (corner[1][c] - corner[0][c]) * (corner[2][b] - corner[0][b]);
            size += n[axis] * n[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            n[axis] /= sqrt(size);
        for (int i = 0; i < POINTS; i++) {
            const double u = (double)vp_random_unit(&random), v = (double)vp_random_unit(&random) * (1 - u);
            double x[3];
            for (int axis = 0; axis < 3; axis++)
                x[axis] = corner[0][axis] + u * (corner[1][axis] - corner[0][axis]) + v * (corner[2][axis] - corner[0][axis]);
            for (uint32_t h = 0; h < d->hull_count; h++)
                longest = fmax(longest, length_within(&d->hull[h].hull, x, n, d->lengths.quantization));
        }
    }
    return longest;
}

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
                                             .s = d->lengths.quantization};
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

static void parts_are_one_solid(void **state)
{
    static small_mesh m, other;
    vp_random random = {5};
    (void)state;
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

/* Hulls of their surface alone leave gaps inside these shapes. Points that fill them keep the allowed error, also between samples. */
static void insides_are_held(void **state)
{
    static const char *const names[] = {"solid-cross", "solid-open-box", "solid-hollow", "solid-holes", "solid-torus"};
    static small_mesh m;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i += IS_THIN ? 2 : 1) {
        make_shape(names[i], 1000, 1.0, &m);
        vp_decomposition_def def = def_of(&m);
        vp_decomposition d;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        expect_full(names[i], &def, &d);
        const double ray = longest_ray(&def, &d);
        if (ray > 1.1 * d.lengths.concavity)
            fail_msg("%s: a ray of %g", names[i], ray);
        vp_decomposition_destroy(&d);
    }
}

/* A box turned inside out stays so without `flip`, and one turned triangle leaves it open. With `flip` the hull is the box. */
static void turned_triangles_are_counted(void **state)
{
    static small_mesh m;
    (void)state;
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
static void sheets_are_thin(void **state)
{
    static small_mesh m;
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_one_solid), cmocka_unit_test(insides_are_held),
                                       cmocka_unit_test(turned_triangles_are_counted), cmocka_unit_test(sheets_are_thin)};
    return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
