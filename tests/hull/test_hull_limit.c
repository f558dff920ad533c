/* SPDX-License-Identifier: MIT */
/* Hulls with few vertices, and planes around all points. Brute force in long double checks the choice of vertices, the distance of the
 * others, and that the planes contain every point. */
#include "tests/support/check.h"
#include "datasets/generate/points.h"
#include "tests/support/hull_distance.h"
#include "tests/support/hull_families.h"
#include "tests/support/hull_oracle.h"
#include "tests/support/memory.h"

#include <math.h>
#include <stdio.h>

#include <voxphys/voxphys.h>

#ifdef TEST_THIN
enum { MAX_POINTS = TEST_THIN > 1 ? 60 : 100 };
#else
enum { MAX_POINTS = 150 };
#endif

static vp_hull_def def_of(const point_set *s)
{
    return (vp_hull_def){.point = s->point, .count = s->count, .tolerance = s->tolerance};
}

static vp_hull make(const vp_hull_def *def)
{
    vp_hull h = {0};
    assert_ok(vp_hull_create(def, &h, &error));
    return h;
}

static vp_hull limited(const point_set *s, uint32_t max_vertices, float max_error)
{
    vp_hull_def def = def_of(s);
    def.max_vertices = max_vertices;
    def.max_error = max_error;
    return hull_by_all(s->name, def);
}

/* ---- errors ---- */

static bool has(const vp_hull *h, uint32_t point)
{
    for (uint32_t v = 0; v < h->vertex_count; v++)
        if (h->vertex[v] == point)
            return true;
    return false;
}

/* The reported error is a tight upper bound. In a flat set only the corners count. */
static void check_error(const point_set *s, const vp_hull *whole, const vp_hull *h)
{
    real furthest = 0.0L;
    for (uint32_t i = 0; i < s->count && h->dimension >= 2; i++) {
        const real d = h->dimension == 3 || has(whole, i) ? hull_outside(h, s->point, s->point[i]) : 0.0L;
        furthest = d > furthest ? d : furthest;
    }
    if (h->vertex_count == whole->vertex_count && h->error == 0.0 && furthest <= s->longest * 0x1p-60L)
        return;
    if (!((real)h->error >= furthest) || !((real)h->error <= furthest + s->longest * 0x1p-47L))
        fail_msg("%s, %u vertices: error is %.17g, and the furthest point %.17Lg away", s->name, h->vertex_count, h->error, furthest);
}

/* ---- promises ---- */

TEST(counts)
{
    static point_set s;
    static const uint32_t limit[] = {4, 5, 6, 7, 9, 16, 33, 100, 900};
    vp_random r = {1};
    for (uint32_t family = 0; family < FAMILIES; family++) {
        point_set_make(&s, &r, family, 40 + vp_random_below(&r, MAX_POINTS - 40));
        vp_hull whole = limited(&s, 0, 0.0f), less = {0};
        assert_true(whole.error == 0.0);
        assert_int_equal(whole.dimension, s.dimension);
        for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++) {
            vp_hull h = limited(&s, limit[i], 0.0f);
            if (limit[i] >= whole.vertex_count) {
                expect_same_hull(s.name, &h, &whole);
                vp_hull_destroy(&h);
                continue;
            }
            assert_int_equal(h.vertex_count, limit[i]);
            assert_int_equal(h.dimension, whole.dimension);
            if (h.dimension == 3 && !(h.volume > 0.0 && h.volume <= whole.volume * (1.0 + 1e-12)))
                fail_msg("%s, %u vertices: volume %g, of all %g", s.name, h.vertex_count, h.volume, whole.volume);
            for (uint32_t v = 0; v < h.vertex_count; v++)
                if (!has(&whole, h.vertex[v]) || (v > 0 && h.vertex[v] <= h.vertex[v - 1]))
                    fail_msg("%s, %u vertices: %u is none, or not ascending", s.name, limit[i], h.vertex[v]);
            for (uint32_t v = 0; v < less.vertex_count; v++)
                if (!has(&h, less.vertex[v]))
                    fail_msg("%s: %u is among %u vertices, and not among %u", s.name, less.vertex[v], less.vertex_count, limit[i]);
            if (less.vertex_count > 0 && !((real)h.error <= (real)less.error + s.longest * 0x1p-47L))
                fail_msg("%s: %g of %u vertices is more than %g of %u", s.name, h.error, limit[i], less.error, less.vertex_count);
            check_error(&s, &whole, &h);
            vp_hull_destroy(&less);
            less = h;
        }
        vp_hull_destroy(&less);
        vp_hull_destroy(&whole);
    }
}

/* ---- the greedy choice ---- */

/* Each step adds a vertex that is farthest from the hull so far. */
TEST(greedily)
{
    static point_set s;
    vp_random r = {2};
    uint32_t added = 0;
    for (uint32_t family = 0; family < FAMILIES; family++) {
        point_set_make(&s, &r, family, 12 + vp_random_below(&r, 50));
        if (s.dimension < 2)
            continue;
        vp_hull whole = limited(&s, 0, 0.0f), h = limited(&s, 4, 0.0f);
        while (h.vertex_count < whole.vertex_count) {
            vp_hull more = limited(&s, h.vertex_count + 1, 0.0f);
            real furthest = 0.0L, of_added = -1.0L;
            for (uint32_t v = 0; v < whole.vertex_count; v++) {
                if (has(&h, whole.vertex[v]))
                    continue;
                const real d = hull_outside(&h, s.point, s.point[whole.vertex[v]]);
                furthest = d > furthest ? d : furthest;
                if (has(&more, whole.vertex[v]))
                    of_added = d;
            }
            if (!(of_added >= furthest - s.longest * 0x1p-47L))
                fail_msg("%s: vertex %u to be added is %.17Lg away, another %.17Lg", s.name, more.vertex_count, of_added, furthest);
            added++;
            vp_hull_destroy(&h);
            h = more;
        }
        vp_hull_destroy(&h);
        vp_hull_destroy(&whole);
    }
    assert_true(added > 100);
}

/* ---- limits of the error ---- */

/* docs/CONTRACT.md: HUL-10 */
TEST(errors)
{
    static point_set s;
    static const float part[] = {2.0f, 0.3f, 0.1f, 0.02f, 1e-3f, 1e-5f, 1e-12f};
    vp_random r = {3};
    for (uint32_t family = 0; family < FAMILIES; family++) {
        point_set_make(&s, &r, family, 40 + vp_random_below(&r, MAX_POINTS - 40));
        if (s.dimension < 2)
            continue;
        vp_hull whole = limited(&s, 0, 0.0f);
        for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
            const float most = part[i] * (float)s.longest;
            if (most == 0.0f)
                continue;
            vp_hull h = limited(&s, 0, most);
            if (h.error > (double)most)
                fail_msg("%s: error %g is more than %g", s.name, h.error, (double)most);
            if (h.vertex_count == whole.vertex_count)
                expect_same_hull(s.name, &h, &whole);
            check_error(&s, &whole, &h);
            const uint32_t least = whole.dimension + 1;
            assert_true(h.vertex_count >= least);
            if (h.vertex_count > (least > 4 ? least : 4)) { /* one fewer exceeds the error, with both limits too */
                vp_hull less = limited(&s, h.vertex_count - 1, 0.0f), both = limited(&s, h.vertex_count - 1, most);
                if (!(less.error > (double)most))
                    fail_msg("%s: %u vertices for %g, but %u have %g", s.name, h.vertex_count, (double)most, less.vertex_count, less.error);
                expect_same_hull(s.name, &both, &less);
                vp_hull_destroy(&less);
                vp_hull_destroy(&both);
            }
            if (part[i] == 2.0f)
                assert_int_equal(h.vertex_count, least);
            vp_hull both = limited(&s, h.vertex_count + 3, most);
            if (both.vertex_count != h.vertex_count)
                fail_msg("%s: %u vertices, though %u are enough", s.name, both.vertex_count, h.vertex_count);
            vp_hull_destroy(&both);
            vp_hull_destroy(&h);
        }
        vp_hull_destroy(&whole);
    }
}

/* ---- refusals ---- */

TEST(refusals)
{
    static point_set s;
    vp_hull h = {0};
    vp_random r = {6};
    point_set_make(&s, &r, 0, 50);
    vp_hull_def def = def_of(&s);
    for (uint32_t n = 1; n < 4; n++) {
        char name[32];
        snprintf(name, sizeof name, "max_vertices is %u", n);
        def.max_vertices = n;
        assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, name);
    }
    def.max_vertices = 4;
    def.max_error = -0.5f;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "max_error is -0.5");
    def.max_error = NAN;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "nan");
    def.max_error = INFINITY;
    assert_refused(vp_hull_create(&def, &h, &error), VP_E_ARGUMENT, "max_error is inf");
    assert_null(h.block);
}

/* Choosing vertices and moving planes counts as work. The work of a hull is enough for it again. Less is refused without a trace,
   wherever it runs out.
 */
TEST(too_little_work)
{
    static point_set s;
    vp_random r = {9};
    for (uint32_t family = 0; family < FAMILIES; family++) {
        point_set_make(&s, &r, family, 300);
        for (int mode = 0; mode < 3; mode++) {
            test_memory memory;
            test_memory_begin(&memory);
            const vp_allocator allocator = test_memory_allocator(&memory);
            vp_hull_def def = def_of(&s);
            def.allocator = &allocator;
            vp_hull plain = make(&def);
            def.max_vertices = mode == 0 ? 10 : 0;
            def.max_error = mode == 1 ? 0x1p-149f : 0.0f; /* usually chooses all vertices */
            def.contain = mode == 2;
            vp_hull want = make(&def), h = {0};
            if (want.work < plain.work || (want.work == plain.work && s.dimension == 3 && plain.vertex_count > 10))
                fail_msg("%s, mode %d: %llu comparisons, without %llu", s.name, mode, (unsigned long long)want.work,
                         (unsigned long long)plain.work);
            const uint64_t live = memory.live_bytes, less[] = {want.work - 1, plain.work + (want.work - plain.work) / 2, plain.work};
            for (size_t i = 0; i < 3; i++) {
                def.max_work = less[i];
                if (less[i] == 0 || less[i] >= want.work)
                    continue;
                assert_refused(vp_hull_create(&def, &h, &error), VP_E_LIMIT, "comparisons");
                assert_null(h.block);
                assert_true(memory.live_bytes == live);
            }
            def.max_work = want.work;
            h = make(&def);
            expect_same_hull(s.name, &h, &want);
            vp_hull_destroy(&h);
            vp_hull_destroy(&want);
            vp_hull_destroy(&plain);
            test_memory_end(&memory);
        }
    }
}
