/* SPDX-License-Identifier: MIT */
/* Rays and boxes: trees return bit for bit the hits of testing every triangle. So do packets of rays with more possible hits than a packet
 * has room for. The cases compare packets of any rays, and the corpus has exact hits
 * (docs/CONTRACT.md: RAY-1, RAY-2, RAY-3, RAY-4, RAY-10, RAY-11, BOX-1, BOX-3, BOX-4, ALL-4). */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

enum { THIN = IS_THIN ? 3 * THIN_BY : 1 }; /* one in this many */

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

TEST(trees_find_what_there_is)
{
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

TEST(boxes_find_what_there_is)
{
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

/* ---- packets ---- */

enum { MAX = 16 };
static test_table table[TEST_TABLES_MAX];
static size_t tables;

/* Traces one packet with every version in every form. */
static void ask(vp_kd *const *tree, int trees, const vp_ray *ray, const vp_hit *want, uint32_t count, uint64_t seed)
{
    for (size_t t = 0; t < tables; t++)
        for (int i = 0; i < trees; i++)
            for (int width = count <= 8 ? 8 : 16; width <= 16; width += 8) {
                const vp_kd_view *view = vp_kd_view_of(tree[i]);
                vp_hit got[MAX + 1];
                memset(got, 0xa5, sizeof got);
                (width == 8 ? table[t].kernels.kd_ray8 : table[t].kernels.kd_ray16)(view, ray, count, got);
                for (uint32_t k = 0; k < count; k++)
                    expect_same(&got[k], &want[k], seed, k, (int)view->form);
                assert_int_equal(((unsigned char *)&got[count])[0], 0xa5);
            }
}

/* The reference's trees, in each form that can hold the mesh. @return number of trees */
static int make_trees(const vp_triangles *t, vp_kd *tree[TEST_MAX_TREES])
{
    int trees = 0;
    for (int f = 0; f < VP_KD_FORM_COUNT; f++) {
        const vp_kd_def def = {.triangles = *t, .form = (vp_kd_form)f, .kernels = &table[0].kernels};
        const bool made = vp_kd_create(&def, &tree[trees], NULL) == VP_OK;
        assert_true(made || f == VP_KD_PACKED || f == VP_KD_IMPLIED); /* packed and implied trees cannot hold every mesh */
        trees += made;
    }
    return trees;
}

/* ---- overlapping layers of triangles ---- */

/* Layers of two quads each that meet on a line shared by all layers. The nearer half of the layers is larger than the others. Float signs
 * never decide a ray on the line, so each possible hit is kept for the exact test. There are more than a packet has room for. */
static void layers(uint32_t count, test_triangles *out)
{
    out->vertex = malloc((size_t)count * 6 * sizeof *out->vertex);
    out->index = malloc((size_t)count * 8 * sizeof *out->index);
    assert_non_null(out->vertex);
    assert_non_null(out->index);
    for (uint32_t i = 0; i < count; i++) {
        static const uint32_t corner[8] = {0, 1, 4, 3, 1, 2, 5, 4};
        const float edge = i < count / 2 ? 2.0f : 1.0f;
        for (uint32_t k = 0; k < 6; k++)
            out->vertex[6 * i + k] = (vp_vec3){edge * ((float)(k % 3) - 1.0f), k < 3 ? -1.0f : 1.0f, (float)i};
        for (uint32_t k = 0; k < 8; k++)
            out->index[8 * i + k] = 6 * i + corner[k];
    }
    out->view = (vp_triangles){out->vertex, out->index, count * 6, count * 4, true};
}

TEST(long_lists_are_settled)
{
    vp_kd *tree[TEST_MAX_TREES];
    vp_random r = {3};
    test_triangles t;
    layers(400, &t);
    const int trees = make_trees(&t.view, tree);
    for (int i = 0; i < 40; i++) {
        vp_ray ray[MAX];
        vp_hit want[MAX];
        const bool from_behind = i % 2 != 0, all_on_line = i % 4 < 2;
        for (int k = 0; k < MAX; k++) {
            const float x = all_on_line || k % 4 != 0 ? 0.0f : vp_random_between(&r, -1.5f, 1.5f);
            ray[k] = (vp_ray){{x, vp_random_between(&r, -1.0f, 1.0f), from_behind ? 500.0f : -1.0f},
                              {0.0f, 0.0f, from_behind ? -2.0f : 1.0f},
                              k % 3 == 0 ? 80.0f : INFINITY};
            if (i % 8 >= 4) /* outside the first layers, so the hits are far away */
                ray[k].origin.y += 3.0f;
            if (i % 8 >= 6)
                ray[k].direction.y = from_behind ? -0.01f : -0.007f;
            want[k] = test_closest(&t.view, &ray[k]);
            if (i % 3 == 2) { /* no further than that */
                ray[k].t_max = want[k].t;
                want[k] = test_closest(&t.view, &ray[k]);
            }
        }
        ask(tree, trees, ray, want, MAX, (uint64_t)i);
    }
    test_trees_free(tree, trees);
    test_triangles_free(&t);
}

int main(void)
{
    tables = test_tables(table);
    return test_run_all(NULL, NULL);
}
