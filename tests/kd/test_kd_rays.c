/* SPDX-License-Identifier: MIT */
/* Packets of rays with more possible hits than a packet has room for, and short lists. The cases compare all other rays and boxes with the
 * reference, the digests of brute force with those of trees, test_terrain.c trees with all triangles, and the corpus has exact hits
 * (docs/CONTRACT.md: RAY-11). */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

enum { MAX = 16 };

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
    test_table table[TEST_TABLES_MAX];
    const size_t tables = test_tables(table);
    vp_kd *tree[TEST_MAX_TREES];
    vp_random r = {3};
    test_triangles t;
    layers(400, &t);
    const int trees = test_trees(&t.view, tree);
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
        for (size_t k = 0; k < tables; k++)
            for (int f = 0; f < trees; f++) {
                vp_hit got[MAX];
                memset(got, 0xa5, sizeof got);
                table[k].kernels.kd_ray16(vp_kd_view_of(tree[f]), ray, MAX, got);
                assert_memory_equal(got, want, sizeof got);
            }
    }
    test_trees_free(tree, trees);
    test_triangles_free(&t);
}

/* docs/CONTRACT.md: RAY-10, BOX-3. Nothing is written past a list's capacity, and all that is found is counted. */
TEST(lists_keep_their_capacity)
{
    enum { LAYERS = 40, FEW = 3 };
    const vp_ray ray = {{0.5f, 0.25f, -1.0f}, {0.0f, 0.0f, 1.0f}, INFINITY};
    const vp_aabb box = {{-9.0f, -9.0f, -9.0f}, {9.0f, 9.0f, 99.0f}};
    test_table table[TEST_TABLES_MAX];
    const size_t tables = test_tables(table);
    vp_kd *tree[TEST_MAX_TREES];
    test_triangles t;
    layers(LAYERS, &t);
    const int trees = test_trees(&t.view, tree);
    for (size_t k = 0; k < tables; k++)
        for (int f = 0; f < trees; f++) {
            vp_hit hit[FEW + 1] = {[FEW] = {.triangle = 77}};
            uint32_t list[FEW + 1] = {[FEW] = 77};
            assert_int_equal(table[k].kernels.kd_ray_all(vp_kd_view_of(tree[f]), &ray, hit, FEW), LAYERS);
            assert_true(hit[0].t == 1.0f && hit[FEW - 1].t == (float)FEW && hit[FEW].triangle == 77);
            assert_int_equal(table[k].kernels.kd_gather(vp_kd_view_of(tree[f]), &box, list, FEW), t.view.triangle_count);
            assert_int_equal(list[FEW], 77);
        }
    test_trees_free(tree, trees);
    test_triangles_free(&t);
}
