/* SPDX-License-Identifier: MIT */
/* Random triangle soups (docs/CONTRACT.md: DEC-3, DEC-5, DEC-8, DEC-10). The judge finds every triangle in its hull. The result is the same
 * in another order and on several threads. */
#include "conformance/judge_decompose/check.h"
#include "datasets/generate/soup.h"
#include "tests/decompose/meshes.h"
#include "tests/support/threads.h"

#ifdef TEST_THIN
enum { SOUPS = 12, MOST = 60 };
#else
enum { SOUPS = 80, MOST = 160 };
#endif

static void make_soup(uint32_t kind, vp_random *random, small_mesh *out)
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

static vp_decomposition_def soup_def(const small_mesh *m, vp_random *random)
{
    vp_decomposition_def def = def_of(m);
    def.concavity = vp_random_below(random, 2) == 0 ? 0.0f : 200.0f;
    def.spacing = 100.0f;
    def.min_hulls = vp_random_below(random, 4);
    return def;
}

/* The judge must accept the decomposition. */
static void expect_judged(uint32_t soup, const small_mesh *m, const vp_decomposition *d)
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
    static small_mesh m, other;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost)};
    return cmocka_run_group_tests_name("soups", tests, NULL, NULL);
}
