/* SPDX-License-Identifier: MIT */
/* Packets of rays with more possible hits than a packet has room for. The cases compare all other rays and boxes with the reference, the
 * digests of brute force with those of trees, test_terrain.c trees with all triangles, and the corpus has exact hits
 * (docs/CONTRACT.md: RAY-11). */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

static void expect_same(const vp_hit *got, const vp_hit *want, uint64_t seed, uint32_t ray, int tree)
{
    if (memcmp(got, want, sizeof *got) != 0)
        fail_msg("seed %llu ray %u tree %d: triangle %d t %.9g u %.9g v %.9g, by every triangle %d %.9g %.9g %.9g",
                 (unsigned long long)seed, ray, tree, got->triangle, (double)got->t, (double)got->u, (double)got->v, want->triangle,
                 (double)want->t, (double)want->u, (double)want->v);
}

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
