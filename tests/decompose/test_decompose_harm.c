/* SPDX-License-Identifier: MIT */
/* Nothing leaks or hangs after allocation failures or cancelling at any time (docs/CONTRACT.md: DEC-8, DEC-10). fuzz/decompose.c has random
 * triangles. */
#include "tests/decompose/shapes.h"
#include "tests/support/memory.h"

#include "datasets/generate/shapes.h"

#ifdef TEST_THIN
enum { EVERY = 5 };
#else
enum { EVERY = 1 };
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
static void refuse_memory(const small_mesh *m, float reach, bool exact, uint64_t every)
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
    def.exact = exact;
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

TEST(refused_memory)
{
    static small_mesh m;
    make_small(&m);
    refuse_memory(&m, 0.0f, false, EVERY);
    refuse_memory(&m, 0.0f, true, EVERY);
    refuse_memory(&m, 300.0f, false, EVERY);
    make_void(&m);
    refuse_memory(&m, 0.0f, false, 11 * EVERY);
    refuse_memory(&m, 0.0f, true, 11 * EVERY);
    refuse_memory(&m, 100.0f, false, 23 * EVERY);
    make_groove(&m);
    add_box(&m, (vp_vec3){-50, -50, -50}, (vp_vec3){50, 50, 50}, false); /* cuts its faces */
    refuse_memory(&m, 0.0f, true, EVERY);
    make_shape("solid-l", 125, 1.0, &m); /* temporary arrays do not fit on the stack */
    refuse_memory(&m, 0.0f, false, 61 * EVERY);
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
static uint64_t cancel(const small_mesh *m, uint64_t edges, bool surface_only, bool exact)
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
    def.exact = exact;
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

TEST(cancelled)
{
    static small_mesh m;
    add_box(&m, (vp_vec3){0, 0, 0}, (vp_vec3){1, 2, 3}, false);
    make_void(&m);
    assert_true(cancel(&m, 37, false, false) > cancel(&m, 37, true, false)); /* also while the inside is filled */
    m = (small_mesh){0};
    add_box(&m, (vp_vec3){0, 0, 0}, (vp_vec3){2, 2, 2}, false);
    add_box(&m, (vp_vec3){1, 1, 1}, (vp_vec3){3, 3, 3}, false);
    assert_true(cancel(&m, 36, false, true) > cancel(&m, 36, false, false)); /* also while the surface is cut */
}
