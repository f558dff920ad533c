/* SPDX-License-Identifier: MIT */
/* Hull builders that begin with a hull. The hull equals vp_hull_create's of all points, bit for bit. The case hull_insert adds points to
 * nothing. */
#include "tests/support/check.h"
#include "datasets/generate/points.h"
#include "tests/support/hull_families.h"
#include "tests/support/hull_oracle.h"
#include "tests/support/samples.h"

#include <math.h>

#include <voxphys/voxphys.h>

#include "src/core/exact.h"
#include "src/hull/grow.h"

#ifdef TEST_THIN
enum { ORDERS = 1, COUNTED = 60, FAMILY_SIZE = 100 };
#else
enum { ORDERS = 3, COUNTED = 250, FAMILY_SIZE = 300 };
#endif

static test_table table[TEST_TABLES_MAX];
static size_t tables;

static vp_hull_builder *builder_of(const vp_hull_def *def)
{
    vp_hull_builder *b = NULL;
    assert_ok(vp_hull_builder_create(def, &b, &error));
    return b;
}

static void shuffle(vp_random *r, vp_vec3 *point, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t j = vp_random_below(r, i);
        const vp_vec3 p = point[i - 1];
        point[i - 1] = point[j];
        point[j] = p;
    }
}

/* A builder makes the hull that vp_hull_create makes of the def's points. */
static void expect_made(const char *what, const vp_hull_builder *b, const vp_hull_def *def)
{
    vp_hull got = {0}, want = {0};
    assert_int_equal(vp_hull_builder_cost_of(b).points, def->count);
    assert_memory_equal(vp_hull_builder_points(b), def->point, def->count * sizeof *def->point);
    assert_ok(vp_hull_builder_build(b, &got, &error));
    assert_ok(vp_hull_create(def, &want, &error));
    expect_same_hull(what, &got, &want);
    assert_memory_equal(&got.tolerance, &want.tolerance, sizeof got.tolerance);
    assert_int_equal(got.block_bytes, want.block_bytes);
    vp_hull_destroy(&got);
    vp_hull_destroy(&want);
}

/* Begins with the hull of the first points, then adds the others. */
static void begin_with_some(const char *what, vp_hull_builder *b, const vp_hull_def *all, uint32_t some)
{
    static vp_vec3 point[POINT_SET_MAX];
    vp_hull_def def = *all;
    vp_hull hull = {0};
    def.count = some;
    def.separate = true;
    def.contain = false;
    assert_ok(vp_hull_create(&def, &hull, &error));
    assert_ok(vp_hull_builder_begin(b, &hull, all->point, some, &error));
    const vp_hull_builder_cost begun = vp_hull_builder_cost_of(b);
    assert_true(begun.points == hull.vertex_count && begun.triangles == (hull.dimension == 3 ? hull.triangle_count : begun.triangles));
    assert_true(hull.dimension != 3 || (begun.work == 0 && begun.walked == 0 && begun.created == 0)); /* no triangle was tested */
    assert_ok(vp_hull_builder_add(b, all->point + some, all->count - some, &error));
    for (uint32_t v = 0; v < hull.vertex_count; v++)
        point[v] = all->point[hull.vertex[v]];
    memcpy(point + hull.vertex_count, all->point + some, (all->count - some) * sizeof *point);
    def = *all;
    def.point = point;
    def.count = hull.vertex_count + all->count - some;
    expect_made(what, b, &def);
    vp_hull_destroy(&hull);
}

/* docs/CONTRACT.md: HUL-12 */
TEST(any_order)
{
    static point_set s;
    for (uint32_t of = 0; of < FAMILIES; of++)
        for (uint32_t n = 0; n < ORDERS; n++) {
            vp_random r = {of * 100 + n};
            point_set_make(&s, &r, of, n == 0 ? 24 : FAMILY_SIZE / 2);
            shuffle(&r, s.point, s.count);
            const vp_hull_def def = {.point = s.point,
                                     .count = s.count,
                                     .tolerance = s.tolerance,
                                     .separate = n == 1,
                                     .contain = n == 2,
                                     .max_vertices = n == 2 ? 12 : 0,
                                     .kernels = &table[(of + n) % tables].kernels};
            vp_hull_def none = def;
            none.point = NULL;
            none.count = 0;
            vp_hull_builder *b = builder_of(&none);
            begin_with_some(s.name, b, &def, def.count / 2 + 1);
            begin_with_some(s.name, b, &def, def.count);
            vp_hull_builder_destroy(b);
        }
}

/* ---- refusals ---- */

TEST(refusals)
{
    vp_vec3 cube[9];
    for (int i = 0; i < 8; i++)
        cube[i] = (vp_vec3){(float)(i % 2), (float)(i / 2 % 2), (float)(i / 4)};
    cube[8] = (vp_vec3){0.5f, 0.5f, NAN};
    vp_hull_def def = {.point = cube, .count = 8, .tolerance = -1.0f};
    vp_hull_builder *b = NULL;
    vp_hull h = {0}, cut = {0};
    assert_refused(vp_hull_builder_create(&def, &b, &error), VP_E_ARGUMENT, "tolerance is -1");
    def.tolerance = 0.0f;
    def.max_vertices = 3;
    assert_refused(vp_hull_builder_create(&def, &b, &error), VP_E_ARGUMENT, "max_vertices is 3");
    def.max_vertices = 0;
    def.count = 9;
    assert_refused(vp_hull_builder_create(&def, &b, &error), VP_E_ARGUMENT, "point[8].z is nan");
    def.point = NULL;
    assert_refused(vp_hull_builder_create(&def, &b, &error), VP_E_ARGUMENT, "point is NULL, count is 9");
    def.count = 0;
    assert_null(b);

    b = builder_of(&def);
    assert_refused(vp_hull_builder_build(b, &h, &error), VP_E_ARGUMENT, "count is 0 points");
    assert_ok(vp_hull_builder_add(b, NULL, 0, &error));
    assert_ok(vp_hull_builder_add(b, cube, 8, &error));
    assert_refused(vp_hull_builder_add(b, cube + 4, 5, &error), VP_E_ARGUMENT, "point[4].z is nan");
    assert_refused(vp_hull_builder_add(b, NULL, 1, &error), VP_E_ARGUMENT, "point is NULL, count is 1");
    assert_refused(vp_hull_builder_add(b, cube, VP_HULL_MAX_POINTS - 7, &error), VP_E_ARGUMENT, "134217729 points");
    expect_made("as it was", b, &(vp_hull_def){.point = cube, .count = 8});

    assert_ok(vp_hull_create(&(vp_hull_def){.point = cube, .count = 8}, &h, &error));
    assert_refused(vp_hull_builder_begin(b, &h, cube, 7, &error), VP_E_ARGUMENT, "vertex 7 of the hull is point 7 of 7");
    assert_refused(vp_hull_builder_begin(b, &h, NULL, 8, &error), VP_E_ARGUMENT, "point is NULL, count is 8");
    assert_refused(vp_hull_builder_begin(b, &h, cube + 1, 8, &error), VP_E_ARGUMENT, "point[7].z is nan");
    vp_vec3 dented[8];
    memcpy(dented, cube, sizeof dented);
    dented[7] = (vp_vec3){0.25f, 0.25f, 0.25f};
    assert_refused(vp_hull_builder_begin(b, &h, dented, 8, &error), VP_E_ARGUMENT, "above it");
    uint32_t triangle[12][3], beside[12][3];
    memcpy(triangle, h.triangle, sizeof triangle);
    memcpy(beside, h.neighbour, sizeof beside);
    cut = h;
    cut.triangle = (const uint32_t(*)[3])triangle;
    cut.neighbour = (const uint32_t(*)[3])beside;
    cut.triangle_count = 11;
    assert_refused(vp_hull_builder_begin(b, &cut, cube, 8, &error), VP_E_ARGUMENT, "8 vertices does not have 11 triangles");
    cut.triangle_count = 12;
    triangle[3][1] = 8;
    assert_refused(vp_hull_builder_begin(b, &cut, cube, 8, &error), VP_E_ARGUMENT, "triangle 3 of the hull has corner 8");
    triangle[3][1] = h.triangle[3][1];
    beside[5][2] = beside[5][0];
    assert_refused(vp_hull_builder_begin(b, &cut, cube, 8, &error), VP_E_ARGUMENT, "shares no edge with its neighbour");
    beside[5][2] = 12;
    assert_refused(vp_hull_builder_begin(b, &cut, cube, 8, &error), VP_E_ARGUMENT, "neighbour 12");
    expect_made("as it was", b, &(vp_hull_def){.point = cube, .count = 8});
    for (int i = 0; i < 8; i++)
        dented[i] = (vp_vec3){(float)i, (float)(i * i), 0.0f}; /* not a solid any more, so that the triangles are ignored */
    assert_ok(vp_hull_builder_begin(b, &h, dented, 8, &error));
    expect_made("in a plane", b, &(vp_hull_def){.point = dented, .count = 8});
    vp_hull_builder_destroy(b);
    vp_hull_builder_destroy(NULL);
    vp_hull_destroy(&h);

    def = (vp_hull_def){.point = cube, .count = 8};
    b = builder_of(&def);
    const uint64_t work = vp_hull_builder_cost_of(b).work;
    vp_hull_builder_destroy(b);
    assert_true(work > 0);
    def.max_work = work;
    b = builder_of(&def);
    assert_ok(vp_hull_builder_build(b, &h, &error));
    assert_int_equal(h.work, work);
    vp_hull_destroy(&h);
    vp_hull_builder_destroy(b);
    def.max_work = work - 1;
    b = builder_of(&def);
    assert_refused(vp_hull_builder_build(b, &h, &error), VP_E_LIMIT, "comparisons");
    vp_hull_builder_destroy(b);
}

int main(void)
{
    tables = test_tables(table);
    return test_run_all(NULL, NULL);
}
