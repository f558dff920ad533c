/* SPDX-License-Identifier: MIT */
/* The sphere tree through its public API: maximum depth, tests of objects, and bad input. The scene cases judge all
 * queries by brute force, also after changes, and the corpus has exact answers (docs/CONTRACT.md: SPH-2, SPH-3, SPH-4, SPH-5, SPH-7). */
#include <math.h>
#include <stdlib.h>

#include <voxphys/spheretree.h>

#include "datasets/random.h"
#include "src/kd/ray_triangle.h"
#include "tests/spheretree/structure.h"

enum { ROUNDS = IS_THIN ? 200 / THIN_BY : 500, DEPTH = IS_THIN ? 10000 / (THIN_BY * THIN_BY) : 5000 };

static vp_spheretree *new_tree(vp_spheretree_rule rule)
{
    const vp_spheretree_def def = {.rule = rule};
    vp_spheretree *tree = NULL;
    assert_ok(vp_spheretree_create(&def, &tree, &error));
    return tree;
}

static uint32_t insert(vp_spheretree *tree, vp_sphere sphere, uint32_t mask)
{
    const vp_spheretree_object object = {sphere, 77, mask, 0};
    uint32_t id = VP_SPHERETREE_NONE;
    assert_ok(vp_spheretree_insert(tree, &object, &id, &error));
    return id;
}

/* ---- the worst trees ---- */

static void asked_of_deep_trees(const vp_spheretree *tree, uint32_t count)
{
    const vp_sphere point = {{3, 5, 7}, 0};
    const vp_ray ray = {{3, 5, 7}, {0, 0, 1}, INFINITY};
    uint32_t found;
    vp_spheretree_hit hit;
    assert_ok(vp_spheretree_sphere(tree, &point, NULL, NULL, 0, &found, &error));
    assert_int_equal(found, count);
    assert_ok(vp_spheretree_ray_all(tree, &ray, NULL, NULL, 0, &found, &error));
    assert_int_equal(found, count);
    assert_ok(vp_spheretree_ray(tree, &ray, NULL, &hit, &error));
    assert_true(hit.t == 0 && hit.item.object == 0);
}

/* docs/CONTRACT.md: SPH-2. By either rule and in either order, all objects form one chain. */
TEST(concentric)
{
    for (int order = 0; order < 2; order++) {
        vp_spheretree *tree = new_tree(order == 0 ? VP_SPHERETREE_SMALLER : VP_SPHERETREE_LEAST);
        for (uint32_t i = 0; i < DEPTH; i++)
            insert(tree, (vp_sphere){{3, 5, 7}, order == 0 ? (float)(DEPTH - i) : (float)(i + 1)}, 1);
        asked_of_deep_trees(tree, DEPTH);
        const vp_spheretree_stats stats = vp_spheretree_stats_of(tree);
        assert_int_equal(stats.objects, DEPTH);
        assert_int_equal(stats.depth, DEPTH);
        for (uint32_t i = 0; i < DEPTH; i += 2)
            assert_ok(vp_spheretree_remove(tree, i, &error));
        uint32_t found;
        const vp_sphere point = {{3, 5, 7}, 0};
        assert_ok(vp_spheretree_sphere(tree, &point, NULL, NULL, 0, &found, &error));
        assert_int_equal(found, DEPTH / 2);
        vp_spheretree_destroy(tree);
    }
}

/* ---- properties of objects ---- */

static bool odd_ones(void *user, uint32_t object, uint64_t data, float *t)
{
    assert_true(data == 77);
    ++*(uint32_t *)user;
    *t += 2;
    return object % 2 == 1;
}

/* docs/CONTRACT.md: SPH-4, SPH-5, SPH-7 */
TEST(object_level_tests)
{
    vp_spheretree *tree = new_tree(VP_SPHERETREE_SMALLER);
    uint32_t asked = 0, count, id;
    vp_spheretree_cost cost = {0, 0};
    vp_spheretree_item item[8];
    vp_spheretree_hit hit;
    for (int i = 0; i < 4; i++)
        insert(tree, (vp_sphere){{10 * (float)(i + 1), 0, 0}, 1}, 1u << i);
    const vp_spheretree_query query = {.mask = 0xf, .test = odd_ones, .user = &asked, .cost = &cost};
    const vp_sphere sphere = {{20, 0, 0}, 15};
    const vp_ray ray = {{0, 0, 0}, {1, 0, 0}, INFINITY};
    assert_ok(vp_spheretree_sphere(tree, &sphere, &query, item, 8, &count, &error));
    assert_int_equal(asked, 3); /* the fourth is not touched */
    assert_true(count == 1 && item[0].object == 1);
    assert_true(cost.tests >= 3 && cost.nodes >= 7 - 2);
    assert_ok(vp_spheretree_ray(tree, &ray, &query, &hit, &error));
    assert_true(hit.item.object == 1 && hit.t == 21);
    const vp_spheretree_query masked = {.mask = 1u << 3};
    assert_ok(vp_spheretree_ray(tree, &ray, &masked, &hit, &error));
    assert_true(hit.item.object == 3 && hit.t == 39);

    /* a mesh: two triangles, one and one. Ids are reused */
    assert_ok(vp_spheretree_insert_mesh(tree, &mesh, 5, 16, &id, &error));
    assert_int_equal(id, 4);
    assert_int_equal(vp_spheretree_stats_of(tree).leaves, 4 + 7); /* (0 1) (2 3) 4 5 6 7 8 */
    vp_spheretree_object object;
    assert_true(vp_spheretree_find(tree, id, &object) && object.data == 5 && object.mask == 16 && object.sphere.radius == 0);
    assert_ok(vp_spheretree_remove(tree, 1, &error));
    assert_false(vp_spheretree_find(tree, 1, &object));
    assert_int_equal(insert(tree, sphere, 1), 1);
    assert_true(vp_spheretree_find(tree, 1, &object) && object.data == 77 && memcmp(&object.sphere, &sphere, sizeof sphere) == 0);
    const vp_vec3 triangle[3] = {{1, 1, 249}, {1, 1, 251}, {1.5f, 1, 250}};
    assert_ok(vp_spheretree_triangle(tree, triangle, NULL, item, 8, &count, &error));
    assert_int_equal(count, 3); /* triangles 0, 2 and 6 */
    check_tree(tree);
    vp_spheretree_destroy(tree);
    vp_spheretree_destroy(NULL);
}

/* The corners of an equilateral triangle. The sphere of two has to grow for the third, to (1 + sqrt(3))/2. Around the middle of their box
 * it is sqrt(7/4). There are two nodes, and the other is as small as possible. */
TEST(looseness)
{
    vp_spheretree *tree = new_tree(VP_SPHERETREE_SMALLER);
    const float x[3] = {-1, 1, 0}, y[3] = {0, 0, 1.7320508f};
    for (int i = 0; i < 3; i++)
        insert(tree, (vp_sphere){{x[i], y[i], 0}, 0}, 1);
    const double ratio = (1 + sqrt(3.0)) / 2 / sqrt(1.75);
    assert_true(fabs(vp_spheretree_stats_of(tree).excess - (ratio * ratio * ratio - 1) / 2) < 1e-5);
    vp_spheretree_destroy(tree);
}

/* ---- refused arguments ---- */

TEST(refusals)
{
    vp_spheretree *tree = new_tree(VP_SPHERETREE_SMALLER), *none = NULL;
    vp_spheretree_object object = {{{0, 0, 0}, -1}, 0, 1, 0};
    uint32_t id = 9, count = 9;
    vp_spheretree_hit hit;
    bool any;
    assert_refused(vp_spheretree_create(&(vp_spheretree_def){.rule = (vp_spheretree_rule)7}, &none, &error), VP_E_ARGUMENT,
                   "vp_spheretree_def.rule is 7");
    assert_refused(vp_spheretree_create(&(vp_spheretree_def){.capacity = VP_SPHERETREE_MAX_LEAVES + 1u}, &none, &error), VP_E_ARGUMENT,
                   "1073741825");
    assert_refused(vp_spheretree_insert(tree, &object, &id, &error), VP_E_ARGUMENT, "-1");
    object.sphere.radius = NAN;
    assert_refused(vp_spheretree_insert(tree, &object, &id, &error), VP_E_ARGUMENT, "nan");
    object.sphere.radius = INFINITY;
    assert_refused(vp_spheretree_insert(tree, &object, &id, &error), VP_E_ARGUMENT, "inf");
    object.sphere.radius = 1;
    object.sphere.centre.y = 2e18f;
    assert_refused(vp_spheretree_insert(tree, &object, &id, &error), VP_E_ARGUMENT, "y = 2e+18");
    object.sphere.centre.y = NAN;
    assert_refused(vp_spheretree_build(tree, &object, 1, &error), VP_E_ARGUMENT, "y = nan");
    object.sphere.centre.y = 0;
    assert_int_equal(id, 9);
    assert_refused(vp_spheretree_remove(tree, 0, &error), VP_E_ARGUMENT, "object 0");
    assert_ok(vp_spheretree_insert(tree, &object, &id, &error));
    assert_refused(vp_spheretree_move(tree, 1, &object.sphere, &error), VP_E_ARGUMENT, "object 1");
    const vp_sphere far = {{0, 0, -INFINITY}, 1}, negative = {{0, 0, 0}, -3};
    assert_refused(vp_spheretree_move(tree, 0, &far, &error), VP_E_ARGUMENT, "z = -inf");
    assert_refused(vp_spheretree_sphere(tree, &negative, NULL, NULL, 0, &count, &error), VP_E_ARGUMENT, "-3");
    assert_refused(vp_spheretree_box(tree, &(vp_aabb){{1, 0, 0}, {0, 0, 0}}, NULL, NULL, 0, &count, &error), VP_E_ARGUMENT, "from 1 to 0");
    const vp_vec3 corner[3] = {{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}};
    assert_refused(vp_spheretree_triangle(tree, corner, NULL, NULL, 0, &count, &error), VP_E_ARGUMENT, "corner 2 has y = nan");
    const vp_ray still = {{0, 0, 0}, {0, 0, 0}, 1}, lost = {{NAN, 0, 0}, {1, 0, 0}, 1};
    assert_refused(vp_spheretree_ray(tree, &still, NULL, &hit, &error), VP_E_ARGUMENT, "(0, 0, 0)");
    assert_refused(vp_spheretree_ray_any(tree, &lost, NULL, &any, &error), VP_E_ARGUMENT, "nan");
    assert_refused(vp_spheretree_ray_all(tree, &lost, NULL, NULL, 0, &count, &error), VP_E_ARGUMENT, "nan");
    assert_int_equal(count, 9);
    assert_ok(vp_spheretree_insert_mesh(tree, &mesh, 0, 1, &id, &error));
    assert_refused(vp_spheretree_move(tree, id, &object.sphere, &error), VP_E_ARGUMENT, "object 1 is a mesh");
    check_tree(tree);
    vp_spheretree_destroy(tree);
}

/* A kernel that finds more pairs than it can count. */
static uint32_t too_many(const vp_spheretree_view *tree, const vp_spheretree_query *query, vp_spheretree_pair *out, uint32_t capacity)
{
    vp_pair_list list = {.count = UINT32_MAX - 2, .limit = UINT32_MAX};
    (void)tree, (void)query, (void)out, (void)capacity;
    for (int i = 0; i < 4; i++) {
        vp_pair_add(&list, (vp_spheretree_pair){{0, 0}, {1, 0}});
        assert_true(list.count >= UINT32_MAX - 1);
    }
    return list.count;
}

TEST(too_many_pairs)
{
    vp_kernels kernels;
    assert_ok(vp_kernels_named("scalar", &kernels, &error));
    kernels.scene_pairs = too_many;
    const vp_spheretree_def def = {.kernels = &kernels};
    vp_spheretree *tree = NULL;
    uint32_t count = 0;
    assert_ok(vp_spheretree_create(&def, &tree, &error));
    assert_refused(vp_spheretree_pairs(tree, NULL, NULL, 0, &count, &error), VP_E_LIMIT, "4294967295 pairs or more");
    assert_int_equal(count, UINT32_MAX);
    vp_spheretree_destroy(tree);
}

/* ---- small triangles ---- */

/* docs/CONTRACT.md: SPH-2. A tree returns every hit of its mesh, even if coordinates are so small that every operation rounds to a multiple
 * of 2^-149. The bound of the first triangle begins past the hit. */
TEST(rays_and_tiny_triangles)
{
    static const int first[3][3] = {{0, 0, 7}, {1, 0, 7}, {-29, 11, -6}}, from[3] = {0, 0, 11}, along[3] = {7, 0, -19};
    static const uint32_t index[3] = {0, 1, 2};
    vp_random r = {29};
    uint32_t met = 0;
    for (uint32_t i = 0; i < 4 * ROUNDS; i++) {
        float n[5][3];
        for (int p = 0; p < 5; p++)
            for (int k = 0; k < 3; k++)
                n[p][k] = ldexpf((float)(i > 0    ? (int)vp_random_below(&r, 64) - 32
                                         : p < 3  ? first[p][k]
                                         : p == 3 ? from[k]
                                                  : along[k]),
                                 -149);
        vp_vec3 corner[3], at[2];
        for (int p = 0; p < 5; p++)
            *(p < 3 ? &corner[p] : &at[p - 3]) = (vp_vec3){n[p][0], n[p][1], n[p][2]};
        vp_ray ray = {at[0], i > 0 ? vp_vec3_sub(corner[i % 3], at[0]) : at[1], INFINITY};
        vp_ray_frame frame = {.unscale = 0};
        vp_meeting m;
        if (!vp_ray_frame_of(&ray, &frame) || !vp_ray_meets(&frame, n[0], n[1], n[2], &m))
            continue;
        const vp_triangles small = {.vertex = corner, .index = index, .vertex_count = 3, .triangle_count = 1};
        const vp_spheretree_def def = {.capacity = 1};
        vp_spheretree *tree;
        uint32_t id;
        vp_spheretree_hit hit;
        assert_ok(vp_spheretree_create(&def, &tree, &error));
        assert_ok(vp_spheretree_insert_mesh(tree, &small, 0, 1, &id, &error));
        ray.t_max = m.t; /* so the bound must be hit, and not later than the triangle */
        assert_ok(vp_spheretree_ray(tree, &ray, NULL, &hit, &error));
        assert_true(hit.item.object == id && hit.t == m.t);
        vp_spheretree_destroy(tree);
        met++;
    }
    assert_in_range(met, ROUNDS, 4 * ROUNDS);
}
