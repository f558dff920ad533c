/* SPDX-License-Identifier: MIT */
/* Nothing leaks or hangs after allocation failures, cancelling at any time, or random triangles (docs/CONTRACT.md: DEC-8, DEC-10). */
#include "tests/decompose/shapes.h"
#include "tests/support/memory.h"

#include "datasets/generate/shapes.h"
#include "datasets/random.h"

#include <float.h>

#ifdef TEST_THIN
enum { SOUPS = 60, EVERY = 5 };
#else
enum { SOUPS = 400, EVERY = 1 };
#endif

static void count_step(void *user, const vp_decomposition_step *step)
{
    ++*(uint64_t *)user;
    assert_true(step->part[0].vertex_count > 0);
}

/* A tent next to a triangle, with a duplicate, a needle and a point, so that every allocation happens. */
static void make_small(small_mesh *m)
{
    m->points = m->triangles = 0;
    add_point(m, 0, 0, 0);
    add_point(m, 4, 0, 0);
    add_point(m, 0, 4, 0);
    add_point(m, 0, 0, 4);
    add_point(m, 2, 0, 0);
    add_triangle(m, 0, 2, 1);
    add_triangle(m, 0, 3, 2);
    add_triangle(m, 1, 2, 3);
    add_triangle(m, 0, 1, 4);
    add_triangle(m, 2, 1, 0);
    add_triangle(m, 3, 3, 3);
}

/* A box with a void, whose hulls leave gaps, and a triangle of two sides, whose hull gets a point. */
static void make_void(small_mesh *m)
{
    m->points = m->triangles = 0;
    add_box(m, (vp_vec3){0, 0, 0}, (vp_vec3){9, 9, 9}, false);
    add_box(m, (vp_vec3){3, 3, 3}, (vp_vec3){6, 6, 6}, true);
    const uint32_t a = add_point(m, 10, 1, 1), b = add_point(m, 10, 5, 1), c = add_point(m, 11, 1, 5);
    add_triangle(m, a, b, c);
    add_triangle(m, a, c, b);
}

/* Refuses one allocation in `every`. */
static void refuse_memory(const small_mesh *m, float reach, uint64_t every)
{
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    uint64_t steps = 0, reported;
    const vp_decomposition_watch watch = {.user = &steps, .on_step = count_step};
    vp_decomposition_def def = def_of(m);
    def.allocator = &allocator;
    def.watch = &watch;
    def.spacing = 200.0f;
    def.reach = reach;
    vp_decomposition d;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    const uint64_t want = digest_of(&d);
    reported = steps;
    assert_true(reported == d.counts.collapses + d.counts.drops && reported > 1);
    vp_decomposition_destroy(&d);
    assert_int_equal(memory.live_bytes, 0);
    uint64_t refused = 0;
    for (int only = 0; only < 2; only++)
        for (uint64_t n = 1;; n += every) {
            memory.only_one = only == 1;
            test_memory_fail_at(&memory, n);
            vp_error error;
            d = (vp_decomposition){.hull_count = 5};
            const vp_status status = vp_decomposition_create(&def, &d, &error);
            if (status == VP_OK) {
                assert_true(digest_of(&d) == want);
                vp_decomposition_destroy(&d);
                assert_true(memory.requests < n);
                break;
            }
            refused++;
            assert_int_equal(status, VP_E_MEMORY);
            assert_non_null(strstr(error.message, "no memory"));
            assert_int_equal(d.hull_count, 5);
            assert_int_equal(memory.live_bytes, 0);
        }
    assert_true(refused > 60 / every);
    test_memory_end(&memory);
}

static void refused_memory(void **state)
{
    static small_mesh m;
    (void)state;
    make_small(&m);
    refuse_memory(&m, 0.0f, EVERY);
    refuse_memory(&m, 300.0f, EVERY);
    make_void(&m);
    refuse_memory(&m, 0.0f, 11 * EVERY);
    refuse_memory(&m, 100.0f, 23 * EVERY);
    make_shape("solid-l", 125, 1.0, &m); /* temporary arrays do not fit on the stack */
    refuse_memory(&m, 0.0f, 61 * EVERY);
}

/* ---- cancelling ---- */

typedef struct stop {
    uint64_t calls, at, last, total;
} stop;

static bool go_on(void *user, uint64_t done, uint64_t total)
{
    stop *s = user;
    assert_true(done >= s->last && done <= total && (s->calls == 0 || total == s->total));
    s->last = done;
    s->total = total;
    return s->calls++ != s->at;
}

/* Cancels at each of the calls. @return their number */
static uint64_t cancel(const small_mesh *m, uint64_t edges, bool surface_only)
{
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    stop s = {.at = UINT64_MAX};
    const vp_decomposition_watch watch = {.user = &s, .progress = go_on};
    vp_decomposition_def def = def_of(m);
    def.allocator = &allocator;
    def.watch = &watch;
    def.surface_only = surface_only;
    vp_decomposition d;
    assert_ok(vp_decomposition_create(&def, &d, &error));
    assert_true(s.last == s.total && s.total == edges);
    const uint64_t calls = s.calls, steps = d.counts.collapses + d.counts.drops + d.counts.predictions;
    vp_decomposition_destroy(&d);
    for (uint64_t at = 0; at < calls; at++) {
        s = (stop){.at = at};
        assert_refused(vp_decomposition_create(&def, &d, &error), VP_E_LIMIT, "cancelled");
        assert_int_equal(s.calls, at + 1);
        assert_int_equal(memory.live_bytes, 0);
    }
    test_memory_end(&memory);
    return calls - steps;
}

static void cancelled(void **state)
{
    static small_mesh m;
    (void)state;
    add_box(&m, (vp_vec3){0, 0, 0}, (vp_vec3){1, 2, 3}, false);
    make_void(&m);
    assert_true(cancel(&m, 37, false) > cancel(&m, 37, true)); /* also while the inside is filled */
}

/* ---- soups ---- */

static float coordinate(vp_random *random, uint32_t kind)
{
    const float unit = vp_random_unit(random) * 2 - 1;
    switch (kind) {
    case 0:
        return (float)vp_random_below(random, 4); /* many coincident or flat */
    case 1:
        return unit; /* none */
    case 2:
        return (float)vp_random_below(random, 3) + unit * 1.5e-4f; /* about the quantization apart */
    case 3:
        return unit * FLT_MAX; /* the largest */
    case 4:
        return (float)vp_random_below(random, 4) * FLT_TRUE_MIN; /* the smallest */
    case 5:
        return vp_random_below(random, 2) == 0 ? unit : unit * 1e-30f; /* both */
    default:
        return 1e6f + (float)vp_random_below(random, 3) * 0.125f * (unit < 0 ? 1 : 2); /* far away */
    }
}

static void soups(void **state)
{
    static small_mesh m;
    vp_random random = {2};
    uint64_t hulls = 0, solid = 0;
    (void)state;
    for (uint32_t i = 0; i < SOUPS; i++) {
        const uint32_t kind = i % 7, points = 1 + vp_random_below(&random, 12), triangles = 1 + vp_random_below(&random, 24);
        const bool flat = vp_random_below(&random, 4) == 0;
        m.points = m.triangles = 0;
        for (uint32_t k = 0; k < points; k++) {
            const float x = coordinate(&random, kind), y = coordinate(&random, kind), z = coordinate(&random, kind);
            add_point(&m, x, y, flat ? 1.0f : z);
        }
        for (uint32_t k = 0; k < triangles; k++) {
            const uint32_t a = vp_random_below(&random, points), b = vp_random_below(&random, points);
            add_triangle(&m, a, b, vp_random_below(&random, points));
        }
        vp_decomposition_def def = def_of(&m);
        def.concavity = vp_random_below(&random, 2) == 0 ? 0.0f : 300.0f;
        if (i % 3 == 0) {
            def.reach = def.concavity > 0.0f ? def.concavity : 20.0f;
            def.concavity = 0.0f;
        }
        def.spacing = vp_random_below(&random, 2) == 0 ? 50.0f : 200.0f;
        vp_decomposition d;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        expect_sound("soup", &def, &d);
        for (uint32_t h = 0; h < d.hull_count; h++)
            assert_true(d.hull[h].reach >= 0.0 && d.hull[h].reach <= d.lengths.concavity);
        hulls += d.hull_count;
        for (uint32_t h = 0; h < d.hull_count; h++)
            solid += d.hull[h].hull.dimension == 3;
        vp_decomposition_destroy(&d);
    }
    assert_true(hulls > SOUPS && solid > SOUPS / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused_memory), cmocka_unit_test(cancelled), cmocka_unit_test(soups)};
    return cmocka_run_group_tests_name("harm", tests, NULL, NULL);
}
