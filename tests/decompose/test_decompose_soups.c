/* SPDX-License-Identifier: MIT */
/* Soups of triangles (docs/CONTRACT.md: DEC-3, DEC-5, DEC-8, DEC-10): whatever they are, the judge of anybody's hulls finds every triangle
 * in its hull; the answer is the same for another order and on several threads; and decomposing may be cancelled, or refused memory, at any
 * time. */
#include "conformance/judge_decompose/check.h"
#include "datasets/generate/soup.h"
#include "tests/decompose/meshes.h"
#include "tests/support/memory.h"
#include "tests/support/threads.h"

#ifdef TEST_THIN
enum { SOUPS = 12, MOST = 60, TRIES = 2 };
#else
enum { SOUPS = 80, MOST = 160, TRIES = 6 };
#endif

static void make_soup(uint32_t kind, vp_random *random, mesh *out)
{
    vp_model model = {0};
    do {
        vp_model_drop(&model);
        model = (vp_model){0};
        vp_soup_make(&model, kind, random);
        assert_false(model.failed);
    } while (model.triangles == 0 || model.triangles > MOST);
    out->points = out->triangles = 0;
    for (uint32_t i = 0; i < model.points; i++)
        add_point(out, (float)model.point[i][0], (float)model.point[i][1], (float)model.point[i][2]);
    for (uint32_t t = 0; t < model.triangles; t++)
        add_triangle(out, model.triangle[t][0], model.triangle[t][1], model.triangle[t][2]);
    vp_model_drop(&model);
}

static vp_decomposition_def soup_def(const mesh *m, vp_random *random)
{
    vp_decomposition_def def = def_of(m);
    def.concavity = vp_random_below(random, 2) == 0 ? 0.0f : 200.0f;
    def.spacing = 100.0f;
    def.min_hulls = vp_random_below(random, 4);
    return def;
}

/* What says the judge of hulls by anybody? */
static void expect_judged(uint32_t soup, const mesh *m, const vp_decomposition *d)
{
    vp_judged_hull *hull = calloc(d->hull_count, sizeof *hull);
    uint32_t *owner = calloc(m->triangles, sizeof *owner);
    vp_decomposition_verdict v;
    assert_true(hull != NULL && owner != NULL);
    for (uint32_t h = 0; h < d->hull_count; h++) {
        hull[h] = (vp_judged_hull){.point = d->hull[h].point, .points = d->hull[h].point_count};
        for (uint32_t k = 0; k < d->hull[h].triangle_count; k++)
            owner[d->hull[h].triangle[k]] = h;
    }
    const vp_decomposition_question asked = {
        .mesh = {.vertex = m->point, .index = &m->triangle[0][0], .vertex_count = m->points, .triangle_count = m->triangles},
        .owner = owner,
        .hull = hull,
        .hulls = d->hull_count,
        .s = 3 * d->lengths.quantization,
        .max_work = 256,
        .parts = VP_JUDGE_SURFACE};
    assert_ok(vp_decomposition_judge(&asked, &v, &error));
    if (v.lost != 0 || v.invalid != 0 || v.away.low > asked.s)
        fail_msg("soup %u: %u triangles are lost, triangle %u by %g; %u hulls are none; %g away", soup, v.lost, v.lost_triangle, v.lost_by,
                 v.invalid, v.away.low);
    assert_int_equal(v.owned, m->triangles);
    vp_decomposition_drop(&v);
    free(hull);
    free(owner);
}

static void nothing_is_lost(void **state)
{
    static mesh m, other;
    vp_random random = {37};
    uint32_t solid = 0, open = 0, crowded = 0;
    (void)state;
    for (uint32_t i = 0; i < SOUPS; i++) {
        make_soup(i, &random, &m);
        vp_decomposition_def def = soup_def(&m, &random);
        vp_decomposition d, again;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        expect_judged(i, &m, &d);
        for (uint32_t h = 0; h < d.hull_count; h++)
            solid += d.hull[h].hull.dimension == 3;
        open += d.input.open_edges != 0;
        crowded += d.input.crowded_edges != 0;
        shuffle(&m, &random, &other);
        const vp_executor executor = test_threads(i % 8 == 0 ? 16 : 2);
        def.point = other.point;
        def.triangle = (const uint32_t(*)[3])(uintptr_t)other.triangle;
        def.executor = &executor;
        assert_ok(vp_decomposition_create(&def, &again, &error));
        if (digest_of(&again) != digest_of(&d))
            fail_msg("soup %u: another answer for another order, on threads", i);
        vp_decomposition_destroy(&again);
        vp_decomposition_destroy(&d);
    }
    assert_true(solid > SOUPS / 2 && open > SOUPS / 4 && crowded > SOUPS / 8);
}

typedef struct stop {
    uint64_t calls, at;
} stop;

static bool go_on(void *user, uint64_t done, uint64_t total)
{
    stop *s = user;
    (void)done, (void)total;
    return s->calls++ != s->at;
}

/* Without memory from a request on, or cancelled at some call, both at random, on two threads too. */
static void stopped_at_random(void **state)
{
    static mesh m;
    vp_random random = {38};
    uint32_t refused = 0, cancelled = 0;
    test_memory memory;
    (void)state;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    const vp_executor executor = test_threads(2);
    for (uint32_t i = 0; i < SOUPS; i++) {
        make_soup(i, &random, &m);
        stop s = {.at = UINT64_MAX};
        const vp_decomposition_watch watch = {.user = &s, .progress = go_on};
        vp_decomposition_def def = soup_def(&m, &random);
        def.watch = &watch;
        def.allocator = &allocator;
        def.executor = i % 4 == 0 ? &executor : NULL;
        test_memory_fail_at(&memory, 0);
        vp_decomposition d;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        const uint64_t want = digest_of(&d), requests = memory.requests, calls = s.calls;
        vp_decomposition_destroy(&d);
        for (int k = 0; k < 2 * TRIES; k++) {
            const bool stops = k % 2 == 1;
            s = (stop){.at = stops ? vp_random_below(&random, (uint32_t)calls) : UINT64_MAX};
            memory.only_one = vp_random_below(&random, 2) == 0;
            test_memory_fail_at(&memory, stops ? 0 : 1 + vp_random_below(&random, (uint32_t)requests));
            vp_error error;
            const vp_status status = vp_decomposition_create(&def, &d, &error);
            assert_true(status == (stops ? VP_E_LIMIT : VP_E_MEMORY) || (status == VP_OK && !stops));
            if (status == VP_OK) { /* on two threads there may be fewer requests */
                assert_true(digest_of(&d) == want);
                vp_decomposition_destroy(&d);
            }
            refused += status == VP_E_MEMORY;
            cancelled += status == VP_E_LIMIT;
            assert_int_equal(memory.live_bytes, 0);
        }
    }
    assert_true(refused > SOUPS && cancelled == SOUPS * TRIES);
    test_memory_end(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost), cmocka_unit_test(stopped_at_random)};
    return cmocka_run_group_tests_name("soups", tests, NULL, NULL);
}
