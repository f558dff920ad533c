/* SPDX-License-Identifier: MIT */
/* Normals of slivers, and refused arguments of trees. The cases have empty meshes (docs/CONTRACT.md: TRE-2, RAY-7, BOX-2). */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdio.h>

#include <voxphys/voxphys.h>

/* Forms that hold every mesh of these tests. */
static const vp_kd_form forms[] = {VP_KD_WIDE, VP_KD_PACKED, VP_KD_PUBLISHED, VP_KD_SLAB};
enum { FORMS = sizeof forms / sizeof forms[0] };

static vp_kd *tree_of(const vp_triangles *t, vp_kd_form form)
{
    vp_kd *tree;
    assert_ok(vp_kd_create(&(vp_kd_def){.triangles = *t, .form = form}, &tree, &error));
    return tree;
}

/* Normals of slivers, for which a binary32 cross product is zero or on the wrong side. Also of triangles so small that their squares
 * underflow. The expected normals are computed with exact fractions. */
TEST(normals_are_right)
{
    static const struct {
        const char *name;
        vp_vec3 corner[3];
        double right[3];
    } thin[] = {
        {"turned over",
         {{0x1.cde7p+7f, 0x1.2187p+7f, 0x1.4345p+7f},
          {0x1.35b6p+6f, 0x1.b9a8p+5f, 0x1.1b38p+5f},
          {0x1.4555aep+6f, 0x1.cbe25cp+5f, 0x1.34e95cp+5f}},
         {-0.68891580857, 0.592550638969, 0.417467063309}},
        {"lost",
         {{0x1.8494p+5f, 0x1.12bap+6f, 0x1.620ap+6f},
          {0x1.a317p+7f, 0x1.a858p+7f, 0x1.5ae9p+7f},
          {0x1.92c6a4p+7f, 0x1.99cd36p+7f, 0x1.524d22p+7f}},
         {0.120804270321, 0.401835059718, -0.90770860580}},
        {"tiny", {{0, 0, 0}, {0, 0, 1e-23f}, {1e-23f, 0, 0}}, {0, 1, 0}},
    };
    const uint32_t index[3] = {0, 1, 2};
    uint32_t wrong = 0;
    for (size_t i = 0; i < sizeof thin / sizeof thin[0]; i++) {
        const vp_vec3 *v = thin[i].corner;
        vp_kd *tree = tree_of(&(vp_triangles){v, index, 3, 1, false}, VP_KD_WIDE);
        const vp_ray ray = {v[0], {1, 0, 0}, 1};
        const vp_hit hit = {0, 0, 0, 0};
        const vp_vec3 n = vp_kd_surface(tree, &ray, &hit).normal;
        const double *right = thin[i].right;
        if (!(fabs(n.x - right[0]) < 1e-6 && fabs(n.y - right[1]) < 1e-6 && fabs(n.z - right[2]) < 1e-6)) {
            print_error("%s: the normal is (%g, %g, %g), not (%g, %g, %g)\n", thin[i].name, (double)n.x, (double)n.y, (double)n.z, right[0],
                        right[1], right[2]);
            wrong++;
        }
        vp_kd_destroy(tree);
    }
    assert_int_equal(wrong, 0);
}

/* ---- refused arguments ---- */

TEST(bad_triangles_are_refused)
{
    vp_vec3 v[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t index[6] = {0, 1, 2, 0, 1, 2};
    vp_kd *tree = NULL;
    vp_kd_def def = {.triangles = {v, index, 3, 1, false}, .form = (vp_kd_form)5};
    assert_refused(vp_kd_create(&def, &tree, &error), VP_E_ARGUMENT, "vp_kd_def.form is 5");
    def.form = VP_KD_SLAB;
    index[1] = 3;
    assert_refused(vp_kd_create(&def, &tree, &error), VP_E_ARGUMENT, "vertex 3 of 3");
    index[1] = 1;
    v[2].y = NAN;
    assert_refused(vp_kd_create(&def, &tree, &error), VP_E_ARGUMENT, "vertex 2 of triangle 0 has y = nan");
    v[2].y = INFINITY;
    assert_refused(vp_kd_create(&def, &tree, &error), VP_E_ARGUMENT, "y = inf");
    v[2].y = 2e12f;
    assert_refused(vp_kd_create(&def, &tree, &error), VP_E_ARGUMENT, "y = 2e+12");
    v[2].y = VP_KD_MAX;
    assert_ok(vp_kd_create(&def, &tree, &error));
    vp_kd_destroy(tree);
    def.triangles.quads = true;
    assert_refused(vp_kd_create(&def, &tree, &error), VP_E_ARGUMENT, "1 triangles");
    def.triangles.quads = false;
    def.triangles.triangle_count = VP_KD_MAX_TRIANGLES + 1u;
    assert_refused(vp_kd_create(&def, &tree, &error), VP_E_ARGUMENT, "67108865");
}

TEST(bad_questions_are_refused)
{
    const vp_vec3 v[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t index[3] = {0, 1, 2};
    const vp_ray good = {{0, 0, -1}, {0, 0, 1}, 2};
    const struct {
        vp_ray ray;
        const char *named;
    } bad[] = {
        {{{NAN, 0, 0}, {0, 0, 1}, 2}, "origin has x = nan"},
        {{{0, -INFINITY, 0}, {0, 0, 1}, 2}, "origin has y = -inf"},
        {{{0, 0, 2e12f}, {0, 0, 1}, 2}, "origin has z = 2e+12"},
        {{{0, 0, 0}, {0, NAN, 1}, 2}, "direction has y = nan"},
        {{{0, 0, 0}, {INFINITY, 0, 1}, 2}, "direction has x = inf"},
        {{{0, 0, 0}, {0, -0.0f, 0}, 2}, "direction is (0, 0, 0)"},
        {{{0, 0, 0}, {0, 0, 1}, NAN}, "t_max is nan"},
        {{{0, 0, 0}, {0, 0, 1}, -1}, "t_max is -1"},
    };
    for (int f = 0; f < FORMS; f++) {
        vp_kd *tree = tree_of(&(vp_triangles){v, index, 3, 1, false}, forms[f]);
        vp_hit hit;
        bool any;
        uint32_t count;
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            char named[64];
            snprintf(named, sizeof named, "%s", bad[i].named);
            if (signbit(bad[i].ray.t_max) == 0 && strstr(named, "nan") != NULL)
                *strstr(named, "nan") = '\0'; /* some C libraries print -nan */
            assert_refused(vp_kd_raycast(tree, &bad[i].ray, &hit, &error), VP_E_ARGUMENT, named);
            assert_refused(vp_kd_raycast_any(tree, &bad[i].ray, &any, &error), VP_E_ARGUMENT, named);
            assert_refused(vp_kd_raycast_all(tree, &bad[i].ray, &hit, 1, &count, &error), VP_E_ARGUMENT, named);
        }
        assert_ok(vp_kd_raycast(tree, &good, &hit, &error));
        assert_int_equal(hit.triangle, 0);
        vp_aabb inverted = {{1, 0, 0}, {0, 1, 1}}, unknown = {{0, NAN, 0}, {1, 1, 1}};
        assert_refused(vp_kd_gather(tree, &inverted, NULL, 0, &count, &error), VP_E_ARGUMENT, "from 1 to 0 along x");
        assert_refused(vp_kd_gather(tree, &unknown, NULL, 0, &count, &error), VP_E_ARGUMENT, "along y");
        test_table table[TEST_TABLES_MAX]; /* the checked function does not call the kernels. Kernels called directly return no overlap */
        const size_t tables = test_tables(table);
        for (size_t k = 0; k < tables; k++) {
            const vp_aabb all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
            uint32_t found[8];
            assert_int_equal(table[k].kernels.kd_gather(vp_kd_view_of(tree), &all, found, 8), 1);
            assert_int_equal(table[k].kernels.kd_gather(vp_kd_view_of(tree), &inverted, found, 8), 0);
            assert_int_equal(table[k].kernels.kd_gather(vp_kd_view_of(tree), &unknown, found, 8), 0);
        }
        vp_kd_destroy(tree);
    }
}
