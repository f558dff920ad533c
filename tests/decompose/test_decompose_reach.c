/* SPDX-License-Identifier: MIT */
/* Hulls whose reach is limited (docs/CONTRACT.md: DEC-13). The judge, which shares no code with src/decompose, measures each hull's reach
 * from below. The stated bound is between that and the limit. */
#include "conformance/judge_decompose/check.h"
#include "tests/decompose/shapes.h"
#include "tests/support/threads.h"

static small_mesh m, other;

/* @param above  how far a bound may be above the judge's own bound from above */
static void expect_bounds_within(const char *what, const vp_decomposition *d, double limit, double above)
{
    vp_judged_hull *hull = calloc(d->hull_count, sizeof *hull);
    vp_decomposition_verdict v;
    assert_non_null(hull);
    for (uint32_t h = 0; h < d->hull_count; h++)
        hull[h] = (vp_judged_hull){.point = d->hull[h].point, .points = d->hull[h].point_count};
    const vp_decomposition_question asked = {
        .mesh = {.vertex = m.point, .index = m.triangle[0], .vertex_count = m.points, .triangle_count = m.triangles},
        .hull = hull,
        .hulls = d->hull_count,
        .s = d->lengths.quantization,
        .tolerance = limit / 16,
        .parts = VP_JUDGE_REACH};
    assert_ok(vp_decomposition_judge(&asked, &v, &error));
    for (uint32_t h = 0; h < d->hull_count; h++)
        if (!(v.hull[h].reach.low <= d->hull[h].reach + 1e-9 * v.extent && d->hull[h].reach <= limit &&
              d->hull[h].reach <= v.hull[h].reach.high + above))
            fail_msg("%s: hull %u reaches %.9g to %.9g far, bound %.9g, limit %g", what, h, v.hull[h].reach.low, v.hull[h].reach.high,
                     d->hull[h].reach, limit);
    vp_decomposition_drop(&v);
    free(hull);
}

static void expect_bounds(const char *what, const vp_decomposition *d, double limit)
{
    expect_bounds_within(what, d, limit, INFINITY);
}

static uint64_t hash_of(const vp_decomposition *d)
{
    uint64_t hash = digest_of(d);
    for (uint32_t h = 0; h < d->hull_count; h++)
        hash = hash_bytes(hash, &d->hull[h].reach, sizeof d->hull[h].reach);
    return hash;
}

static const struct {
    const char *name;
    double grain;
    float limit;
    uint32_t hulls; /* 0 = any number */
} shapes[] = {{"solid-l", 125, 10, 2},
              {"solid-cross", 1000, 10, 3},
              /* one hull each by rays, which leave through the plate's side */
              {"solid-plate-l", 1000, 10, 2},
              {"solid-plate-t", 1000, 10, 2},
              {"solid-plate-u", 1000, 10, 3},
              /* a crack's walls are near, so it may be filled */
              {"solid-crack", 1000, 10, 1},
              {"solid-hollow", 1000, 10, 0},
              {"solid-ring", 250, 40, 0},
              {"solid-anchor", 500, 10, 0},
              {"solid-lidless", 500, 10, 0},
              {"solid-inside-out", 500, 10, 0}};

TEST(reach_is_bounded)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i += IS_THIN ? 3 : 1) {
        make_shape(shapes[i].name, shapes[i].grain, 1.0, &m);
        vp_decomposition_def def = def_of(&m);
        def.unit = VP_DECOMPOSITION_WORLD;
        def.reach = shapes[i].limit;
        def.spacing = 30.0f;
        vp_decomposition d, again;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        if (shapes[i].hulls != 0 && d.hull_count != shapes[i].hulls)
            fail_msg("%s: %u hulls, not %u", shapes[i].name, d.hull_count, shapes[i].hulls);
        expect_bounds(shapes[i].name, &d, (double)shapes[i].limit);
        vp_random random = {3};
        shuffle(&m, &random, &other); /* other orders, kernels and threads change nothing */
        vp_kernels scalar;
        assert_ok(vp_kernels_named("scalar", &scalar, &error));
        const vp_executor executor = test_threads(2);
        vp_decomposition_def changed = def;
        changed.point = other.point;
        changed.triangle = (const uint32_t(*)[3])(uintptr_t)other.triangle;
        changed.kernels = &scalar;
        changed.executor = &executor;
        assert_ok(vp_decomposition_create(&changed, &again, &error));
        assert_true(hash_of(&again) == hash_of(&d));
        vp_decomposition_destroy(&again);
        vp_decomposition_destroy(&d);
    }
}

/* The hulls of a gear's teeth reach 1.9 beyond large flat sides. Pieces are cut at these sides, so bounds are near that. */
TEST(bounds_over_large_sides_are_tight)
{
    make_shape("solid-gear", 500, 1.0, &m);
    vp_decomposition_def def = def_of(&m);
    def.unit = VP_DECOMPOSITION_WORLD;
    def.reach = 10.0f;
    vp_decomposition d;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    expect_bounds_within("solid-gear", &d, 10, 10.0 / 8);
    vp_decomposition_destroy(&d);
}

/* A bar whose groove has walls of slope 1/5 and is 20 deep. Its hull's farthest point is over the middle, 20 cos(atan(1/5)) from both. */
TEST(a_groove_is_filled_if_its_reach_is_allowed)
{
    const double reach = 20 / sqrt(1.04);
    make_groove(&m);
    for (float limit = 15.0f; limit < 25.0f; limit += IS_THIN ? 4.0f : 1.0f) {
        vp_decomposition_def def = def_of(&m);
        vp_decomposition d;
        def.reach = limit;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        assert_int_equal(d.hull_count == 1, (double)limit * (63.0 / 64) > reach);
        expect_bounds("groove", &d, (double)limit);
        vp_decomposition_destroy(&d);
    }
}

/* Two faces of a tetrahedron of thickness 15. The opposite edge is farthest from them, in its middle. */
TEST(a_flat_hull_counts_its_thickness)
{
    m.points = m.triangles = 0;
    add_point(&m, 0, 0, 0);
    add_point(&m, 1000, 0, 15);
    add_point(&m, 1000, 1000, 0);
    add_point(&m, 0, 1000, 15);
    add_triangle(&m, 0, 1, 2);
    add_triangle(&m, 0, 2, 3);
    vp_decomposition_def def = def_of(&m);
    vp_decomposition d;
    def.quantization = 40.0f;
    def.reach = 100.0f;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_int_equal(d.hull_count, 1);
    assert_int_equal(d.hull[0].hull.dimension, 2);
    assert_true(d.hull[0].reach >= 14.99 && d.hull[0].reach <= 100.0);
    vp_decomposition_destroy(&d);
    m.point[1] = (vp_vec3){1000, 0, 0}; /* needles that are a segment; (450, 2.5, 2.5) is between them */
    m.point[2] = (vp_vec3){300, 5, 0};
    m.point[3] = (vp_vec3){600, 0, 5};
    memcpy(m.triangle[1], (uint32_t[3]){1, 0, 3}, sizeof *m.triangle);
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_int_equal(d.hull_count, 1);
    assert_int_equal(d.hull[0].hull.dimension, 1);
    assert_true(d.hull[0].reach >= 2.5 && d.hull[0].reach <= 100.0);
    vp_decomposition_destroy(&d);
}

/* Far from the origin, such a limit is below the rounding of coordinates. Pieces that cannot be cut any more would fill the stack. */
TEST(a_limit_below_rounding_ends)
{
    static const float corner[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    m.points = m.triangles = 0;
    for (int i = 0; i < 12; i++) {
        const float x = corner[i % 6][0], y = corner[i % 6][1], z = i < 6 ? 0 : 1;
        add_point(&m, 1e6f + (3 * x - y + z), 1e6f + (2 * x + 5 * y), 1e6f + (4 * z + x));
    }
    for (uint32_t i = 0; i < 4; i++) {
        add_triangle(&m, 0, i + 2, i + 1);
        add_triangle(&m, 6, i + 7, i + 8);
    }
    for (uint32_t i = 0; i < 6; i++) {
        add_triangle(&m, i, (i + 1) % 6, (i + 1) % 6 + 6);
        add_triangle(&m, i, (i + 1) % 6 + 6, i + 6);
    }
    vp_decomposition_def def = def_of(&m);
    vp_decomposition d;
    def.quantization = 1e-9f;
    def.reach = 2.1e-9f;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    expect_bounds("far", &d, d.lengths.concavity);
    vp_decomposition_destroy(&d);
}

TEST(bad_input_is_refused)
{
    make_shape("solid-box", 1000, 1.0, &m);
    vp_decomposition_def def = def_of(&m);
    vp_decomposition d;
    const struct {
        float reach, concavity, min_volume;
        uint32_t max_hulls;
        const char *message;
    } row[] = {{NAN, 0, 0, 0, "reach is nan"},
               {-1, 0, 0, 0, "reach is -1"},
               {INFINITY, 0, 0, 0, "reach is inf"},
               {0.15f, 0, 0, 0, "reach is 0.15; must be at least twice the quantization, 0.1"},
               {10, 5, 0, 0, "concavity is 5; must be 0 with reach"},
               {10, 0, 3, 0, "min_volume is 3; must be 0 with reach"},
               {10, 0, 0, 4, "max_hulls is 4; must be 0 with reach"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        def.reach = row[i].reach;
        def.concavity = row[i].concavity;
        def.min_volume = row[i].min_volume;
        def.max_hulls = row[i].max_hulls;
        assert_refused(vp_decomposition_create(&def, &d, &error), VP_E_ARGUMENT, row[i].message);
    }
}

typedef struct counted_executor {
    vp_executor inner;
    uint32_t calls;
} counted_executor;

static void count_call(void *user, uint32_t count, vp_task_fn *task, void *argument)
{
    counted_executor *counted = user;
    counted->calls++;
    counted->inner.parallel_for(counted->inner.user, count, task, argument);
}

/* Threads help with long work only, and change nothing. */
TEST(threads_help_if_work_is_long)
{
    for (int is_long = 0; is_long < 2; is_long++)
        for (int mode = 0; mode < 3; mode++) { /* by samples, by reach, by exact errors */
            const bool by_reach = mode == 1;
            counted_executor counted = {.inner = test_threads(2)};
            const vp_executor executor = {.user = &counted, .parallel_for = count_call, .thread_count = 2};
            m.points = m.triangles = 0;
            if (is_long) {
                make_shape("solid-torus", 80, 1.0, &m);
            } else {
                for (uint32_t i = 0; i < 4; i++)
                    add_point(&m, (float)(i == 1), (float)(i == 2), (float)(i == 3));
                add_triangle(&m, 0, 2, 1);
                add_triangle(&m, 0, 1, 3);
                add_triangle(&m, 0, 3, 2);
                add_triangle(&m, 1, 2, 3);
            }
            vp_decomposition_def def = def_of(&m);
            def.reach = by_reach ? 10.0f : 0.0f;
            def.exact = mode == 2;
            vp_decomposition alone, together;
            assert_ok(vp_decomposition_create(&def, &alone, &error));
            def.executor = &executor;
            assert_ok(vp_decomposition_create(&def, &together, &error));
            assert_true(digest_of(&together) == digest_of(&alone));
            for (uint32_t h = 0; h < alone.hull_count; h++)
                assert_true(together.hull[h].reach == alone.hull[h].reach);
            if (!is_long || by_reach) /* without a reach a fast machine is done too soon */
                assert_int_equal(counted.calls != 0, is_long);
            vp_decomposition_destroy(&together);
            vp_decomposition_destroy(&alone);
        }
}
