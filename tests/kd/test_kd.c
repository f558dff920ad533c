/* SPDX-License-Identifier: MIT */
/* Trees: small and odd meshes, refused arguments, many threads (docs/CONTRACT.md: TRE-2, RAY-5, RAY-7, BOX-2). */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/threads.h"
#include "tests/support/triangles.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include <voxphys/voxphys.h>

static vp_kd *tree_of(const vp_triangles *t, vp_kd_form form)
{
    vp_kd *tree;
    assert_ok(vp_kd_create(&(vp_kd_def){.triangles = *t, .form = form}, &tree, &error));
    return tree;
}

/* ---- empty and tiny meshes ---- */

static void empty_trees_answer(void **state)
{
    (void)state; /* docs/CONTRACT.md: RAY-5 */
    const vp_vec3 v = {0, 0, 0};
    const uint32_t index[4] = {0, 0, 0, 0};
    for (int f = 0; f < VP_KD_IMPLIED; f++)
        for (uint32_t count = 0; count < 2; count++) {
            vp_kd *tree = tree_of(&(vp_triangles){&v, index, 1, count, false}, (vp_kd_form)f);
            vp_ray ray = {{-1, 0, 0}, {1, 0, 0}, INFINITY};
            vp_aabb all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
            vp_hit hit;
            bool any = true;
            uint32_t found = 9;
            assert_ok(vp_kd_raycast(tree, &ray, &hit, &error));
            assert_int_equal(hit.triangle, VP_NO_HIT);
            assert_true(hit.t == INFINITY);
            assert_ok(vp_kd_raycast_any(tree, &ray, &any, &error));
            assert_false(any);
            assert_ok(vp_kd_raycast_all(tree, &ray, NULL, 0, &found, &error));
            assert_int_equal(found, 0);
            assert_ok(vp_kd_gather(tree, &all, NULL, 0, &found, &error));
            assert_int_equal(found, count); /* a triangle whose corners are one point has no hit, but has a box */
            vp_kd_destroy(tree);
        }
    vp_kd_destroy(NULL);
}

static void surfaces_are_told(void **state)
{
    (void)state;
    const vp_vec3 v[4] = {{0, 0, 0}, {0, 0, 2}, {2, 0, 2}, {2, 0, 0}};
    const uint32_t quad[4] = {0, 1, 2, 3};
    const uint8_t material = 42;
    vp_kd *tree;
    vp_kd_def def = {.triangles = {v, quad, 4, 2, true}, .material = &material, .form = VP_KD_WIDE};
    assert_ok(vp_kd_create(&def, &tree, &error));
    vp_ray ray = {{1.5f, 3.0f, 0.5f}, {0, -2, 0}, 10};
    vp_hit hit;
    assert_ok(vp_kd_raycast(tree, &ray, &hit, &error));
    assert_int_equal(hit.triangle, 1);
    assert_true(hit.t == 1.5f && hit.u == 0.25f && hit.v == 0.5f);
    vp_surface_point p = vp_kd_surface(tree, &ray, &hit);
    assert_true(p.point.x == 1.5f && p.point.y == 0.0f && p.point.z == 0.5f);
    assert_true(p.normal.x == 0.0f && p.normal.y == 1.0f && p.normal.z == 0.0f);
    assert_int_equal(p.material, 42);
    vp_kd_destroy(tree);
}

/* Normals of slivers, for which a binary32 cross product is zero or on the wrong side. Also of triangles so small that their squares
 * underflow. The expected normals are computed with exact fractions. */
static void normals_are_right(void **state)
{
    (void)state;
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

static void bad_triangles_are_refused(void **state)
{
    (void)state; /* docs/CONTRACT.md: TRE-2 */
    vp_vec3 v[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t index[6] = {0, 1, 2, 0, 1, 2};
    vp_kd *tree = NULL;
    vp_kd_def def = {.triangles = {v, index, 3, 1, false}, .form = (vp_kd_form)5};
    assert_refused(vp_kd_create(&def, &tree, &error), VP_E_ARGUMENT, "form 5");
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

static void bad_questions_are_refused(void **state)
{
    (void)state; /* docs/CONTRACT.md: RAY-7, BOX-2 */
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
    for (int f = 0; f < VP_KD_IMPLIED; f++) {
        vp_kd *tree = tree_of(&(vp_triangles){v, index, 3, 1, false}, (vp_kd_form)f);
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

/* Only the vertices that triangles use are checked. A mesh may have any number of other vertices. */
static void vertices_without_triangles_do_not_matter(void **state)
{
    (void)state;
    static vp_vec3 v[40] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {NAN, 0, 0}};
    const uint32_t index[3] = {0, 1, 2};
    v[39].z = INFINITY;
    for (uint32_t vertices = 3; vertices <= 40; vertices += vertices == 4 ? 36 : 1)
        for (int f = 0; f < VP_KD_IMPLIED; f++) {
            vp_kd *tree = tree_of(&(vp_triangles){v, index, vertices, 1, false}, (vp_kd_form)f);
            vp_hit hit;
            assert_ok(vp_kd_raycast(tree, &(vp_ray){{0.25f, 0.25f, 1}, {0, 0, -1}, 2}, &hit, &error));
            assert_int_equal(hit.triangle, 0);
            assert_true(hit.t == 1.0f);
            vp_kd_destroy(tree);
        }
}

/* ---- threads ---- */

enum { ASKED = 600 };

typedef struct crowd {
    vp_kd *tree[TEST_MAX_TREES];
    int trees;
    const vp_ray *ray;
    vp_hit want[ASKED];
    uint32_t found[ASKED]; /* in a box around its origin */
    atomic_uint wrong;
} crowd;

static vp_aabb around(vp_vec3 p)
{
    return (vp_aabb){{p.x - 3.0f, p.y - 3.0f, p.z - 3.0f}, {p.x + 3.0f, p.y + 3.0f, p.z + 3.0f}};
}

/* Traces one ray in all trees. */
static void ask_one(void *argument, uint32_t i)
{
    crowd *c = argument;
    const vp_aabb box = around(c->ray[i].origin);
    for (int f = 0; f < c->trees; f++) {
        vp_hit hit, all[4], many[20];
        uint32_t found, count, list[64];
        bool any;
        bool right = vp_kd_raycast(c->tree[f], &c->ray[i], &hit, NULL) == VP_OK && memcmp(&hit, &c->want[i], sizeof hit) == 0;
        right = right && vp_kd_raycast_any(c->tree[f], &c->ray[i], &any, NULL) == VP_OK && any == (hit.triangle >= 0);
        right = right && vp_kd_raycast_all(c->tree[f], &c->ray[i], all, 4, &count, NULL) == VP_OK &&
                (count == 0 || memcmp(&all[0], &c->want[i], sizeof hit) == 0);
        const uint32_t rays = ASKED - i < 20 ? ASKED - i : 20;
        right = right && vp_kd_raycast_many(c->tree[f], &c->ray[i], rays, many, NULL) == VP_OK &&
                memcmp(many, &c->want[i], rays * sizeof hit) == 0;
        right = right && vp_kd_gather(c->tree[f], &box, list, 64, &found, NULL) == VP_OK && found == c->found[i];
        if (!right)
            atomic_fetch_add(&c->wrong, 1);
    }
}

/* Any number of threads may query one tree. */
static void threads_ask_at_once(void **state)
{
    (void)state;
    static crowd c;
    static vp_ray ray[ASKED];
    vp_random r = {77};
    test_triangles t;
    test_heap(&r, 50, &t);
    c.trees = test_trees(&t.view, c.tree);
    c.ray = ray;
    atomic_init(&c.wrong, 0);
    for (uint32_t i = 0; i < ASKED; i++) {
        static uint32_t list[8192];
        const vp_vec3 from = {vp_random_between(&r, 0.0f, 24.0f), vp_random_between(&r, 0.0f, 24.0f), 12.0f};
        ray[i] = (vp_ray){from, {vp_random_between(&r, -1.0f, 1.0f), vp_random_between(&r, -1.0f, 1.0f), 0.25f}, 64.0f};
        const vp_aabb box = around(from);
        c.want[i] = test_closest(&t.view, &ray[i]);
        c.found[i] = test_overlapping(&t.view, &box, list);
    }
    vp_executor threads = test_threads(4);
    threads.parallel_for(threads.user, ASKED, ask_one, &c);
    assert_int_equal(atomic_load(&c.wrong), 0);
    test_trees_free(c.tree, c.trees);
    test_triangles_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_trees_answer),
        cmocka_unit_test(surfaces_are_told),
        cmocka_unit_test(bad_triangles_are_refused),
        cmocka_unit_test(bad_questions_are_refused),
        cmocka_unit_test(threads_ask_at_once),
        cmocka_unit_test(normals_are_right),
        cmocka_unit_test(vertices_without_triangles_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
