/* SPDX-License-Identifier: MIT */
/* Rays and boxes: trees return bit for bit the hits of testing every triangle. The corpus has exact hits, and
 * rays that must not slip through a closed surface (docs/CONTRACT.md: RAY-1, RAY-2, RAY-10, BOX-1, BOX-3, BOX-4). */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/triangles.h"

#include <float.h>
#include <math.h>

#include <voxphys/voxphys.h>

#ifdef TEST_THIN /* one in this many */
enum { THIN = 3 * TEST_THIN };
#else
enum { THIN = 1 };
#endif

/* ---- trees, against every triangle ---- */

enum { MAX_HITS = 4096 };

static void expect_same(const vp_hit *got, const vp_hit *want, uint64_t seed, uint32_t ray, int tree)
{
    if (memcmp(got, want, sizeof *got) != 0)
        fail_msg("seed %llu ray %u tree %d: triangle %d t %.9g u %.9g v %.9g, by every triangle %d %.9g %.9g %.9g",
                 (unsigned long long)seed, ray, tree, got->triangle, (double)got->t, (double)got->u, (double)got->v, want->triangle,
                 (double)want->t, (double)want->u, (double)want->v);
}

static uint32_t ask_rays(const vp_triangles *t, uint64_t seed, uint32_t rays)
{
    static vp_hit all[MAX_HITS], want_all[MAX_HITS];
    vp_random r = {seed};
    vp_kd *tree[TEST_MAX_TREES];
    uint32_t hits = 0;
    int trees = test_trees(t, tree);
    for (uint32_t i = 0; i < rays; i++) {
        vp_ray ray = test_ray(&r, t);
        vp_hit want = test_closest(t, &ray);
        uint32_t want_count = test_all(t, &ray, want_all, MAX_HITS), few = vp_random_below(&r, 4);
        hits += want.triangle >= 0;
        for (int f = 0; f < trees; f++) {
            vp_hit got;
            bool any;
            uint32_t count;
            assert_ok(vp_kd_raycast(tree[f], &ray, &got, &error));
            expect_same(&got, &want, seed, i, f);
            assert_ok(vp_kd_raycast_any(tree[f], &ray, &any, &error));
            assert_int_equal(any, want.triangle >= 0);
            assert_ok(vp_kd_raycast_all(tree[f], &ray, all, MAX_HITS, &count, &error));
            assert_int_equal(count, want_count);
            for (uint32_t k = 0; k < count; k++)
                expect_same(&all[k], &want_all[k], seed, i, f);
            if (count != 0) /* at equal parameters */
                assert_true(all[0].t == got.t && (all[0].triangle == got.triangle || got.t < FLT_MIN));
            memset(all, 0xa5, sizeof *all * 4);
            assert_ok(vp_kd_raycast_all(tree[f], &ray, all, few, &count, &error));
            assert_int_equal(count, want_count);
            for (uint32_t k = 0; k < count && k < few; k++)
                expect_same(&all[k], &want_all[k], seed, i, f);
            assert_int_equal(((unsigned char *)&all[few])[0], 0xa5); /* nothing is written past the capacity */
        }
    }
    test_trees_free(tree, trees);
    return hits;
}

static void trees_find_what_there_is(void **state)
{
    (void)state;
    uint32_t hits = 0, rays = 0;
    for (uint64_t seed = 1; seed <= 9 / THIN; seed++) {
        test_triangles mesh[TEST_MESHES];
        test_meshes(seed, mesh);
        for (int m = 0; m < TEST_MESHES; m++)
            hits += ask_rays(&mesh[m].view, seed, 130);
        test_meshes_free(mesh);
        rays += TEST_MESHES * 130;
    }
    assert_in_range(hits, rays / 8, rays * 7 / 8); /* both happen often */
}

/* A list contains all expected triangles, each once. */
static void expect_each_once(const uint32_t *list, uint32_t found, const uint32_t *want, uint32_t count)
{
    static unsigned char seen[8192];
    memset(seen, 0, sizeof seen);
    for (uint32_t k = 0; k < found; k++) {
        assert_false(seen[list[k]]);
        seen[list[k]] = 1;
    }
    for (uint32_t k = 0; k < count; k++)
        assert_true(seen[want[k]]);
}

static void boxes_find_what_there_is(void **state)
{
    (void)state;
    static uint32_t got[8192], want[8192];
    for (uint64_t seed = 1; seed <= 7 / THIN; seed++) {
        vp_random r = {seed};
        test_triangles mesh[TEST_MESHES];
        test_meshes(seed, mesh);
        for (int m = 0; m < TEST_MESHES; m++) {
            const vp_triangles *t = &mesh[m].view;
            vp_kd *tree[TEST_MAX_TREES];
            int trees = test_trees(t, tree);
            for (uint32_t i = 0; i < 200; i++) {
                vp_ray ray = test_ray(&r, t);
                vp_aabb box = {ray.origin, ray.origin};
                box.max.x += vp_random_between(&r, 0.0f, 4.0f);
                box.max.y += vp_random_below(&r, 3) == 0 ? 0.0f : vp_random_between(&r, 0.0f, 4.0f);
                box.min.x -= vp_random_below(&r, 20) == 0 ? INFINITY : 0.0f;
                box.max.z += vp_random_below(&r, 9) == 0 ? INFINITY : vp_random_between(&r, 0.0f, 4.0f);
                uint32_t count = test_overlapping(t, &box, want);
                for (int f = 0; f < trees; f++) {
                    uint32_t found;
                    assert_ok(vp_kd_gather(tree[f], &box, got, 8192, &found, &error));
                    assert_int_equal(found, count);
                    expect_each_once(got, found, want, count);
                    /* the visited leaves contain these, and each triangle once */
                    found = vp_kd_gather_leaves_scalar(vp_kd_view_of(tree[f]), &box, got, 8192);
                    expect_each_once(got, found, want, count);
                    uint32_t few = count / 2;
                    got[few] = 0xa5a5a5a5;
                    assert_ok(vp_kd_gather(tree[f], &box, got, few, &found, &error));
                    assert_int_equal(found, count);
                    assert_int_equal(got[few], 0xa5a5a5a5);
                }
            }
            test_trees_free(tree, trees);
        }
        test_meshes_free(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_find_what_there_is),
        cmocka_unit_test(boxes_find_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
