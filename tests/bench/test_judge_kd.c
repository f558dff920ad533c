/* SPDX-License-Identifier: MIT */
/* The reference's answers, and the differences from them that the judge counts, on two quads one above the other. All
   answers are typed by hand. */
#include <math.h>

#include "bench/peers/judge.h"
#include "tests/support/check.h"

/* Triangles 0 (z >= x) and 1 at y = 0, triangles 2 (z >= x) and 3 at y = 2. */
static const vp_vec3 vertex[] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 4}, {4, 0, 0}, {0, 2, 0}, {0, 2, 4}, {4, 2, 4}, {4, 2, 0}};
static const uint32_t quad[] = {0, 1, 2, 3, 4, 5, 6, 7};
static vp_triangles mesh = {vertex, quad, 8, 4, true};

/* Downwards, 2 voxels per unit of t. */
enum { ABOVE, BETWEEN, ON_UPPER, ON_LOWER, BESIDE, RAYS };
static vp_ray ray[RAYS] = {{{1, 4, 3}, {0, -2, 0}, 10},
                           {{3, 1, 1}, {0, -2, 0}, 10},
                           {{3, 2, 1}, {0, -2, 0}, 10},
                           {{1, 0, 3}, {0, -2, 0}, 10},
                           {{9, 4, 9}, {0, -2, 0}, 10}};
static uint32_t of_ray[RAYS];
static const vp_peer_hit right[RAYS] = {{1, 2}, {0.5f, 1}, {0, 3}, {0, 0}, {10, VP_NO_HIT}};

enum { LOWER, BOTH, NOTHING, BOXES };
static vp_aabb box[BOXES] = {{{0.5f, -1, 3}, {1, 1, 3.5f}}, {{0, 0, 0}, {1, 2, 1}}, {{0, 0.5f, 0}, {4, 1, 4}}};
static uint32_t of_box[BOXES];

static vp_mesh_set meshes = {.count = 1, .mesh = &mesh, .triangle_count = 4};
static const vp_ray_set rays = {RAYS, ray, of_ray};
static const vp_mesh_box_set boxes = {BOXES, box, of_box};

/* The set of meshes, in a separate store. */
static vp_store *store;
static vp_data ray_data = {.name = "quads/down", .set = &rays}, box_data = {.name = "quads/boxes", .set = &boxes};

static int open_sets(void **state)
{
    const vp_data *owner;
    (void)state;
    if (vp_store_create(NULL, 0, &store, NULL) != VP_OK || vp_store_lend(store, &vp_kind_meshes, "quads", &meshes, NULL) != VP_OK ||
        vp_store_open(store, &vp_kind_meshes, "quads", &owner, NULL) != VP_OK)
        return -1;
    ray_data.owner = box_data.owner = owner;
    ray_data.kind = &vp_kind_rays;
    box_data.kind = &vp_kind_mesh_boxes;
    return 0;
}

static int close_sets(void **state)
{
    (void)state;
    vp_store_destroy(store);
    return 0;
}

/* ---- rays ---- */

/* The differences if ray i has this answer and the others the right one. */
static vp_ray_differences with(vp_row_id row, int i, float t, int32_t triangle)
{
    void *a = NULL;
    assert_ok(vp_ray_answers_derivation.make(&ray_data, VP_RAYS_ALL, &a, &error));
    vp_peer_hit hit[RAYS];
    memcpy(hit, right, sizeof hit);
    hit[i] = (vp_peer_hit){t, triangle};
    vp_ray_differences d = vp_compare_rays(a, &meshes, hit, row == VP_KERNEL_kd_ray_any);
    vp_ray_answers_derivation.drop(a);
    return d;
}

static void expect(vp_ray_differences got, uint64_t lost, uint64_t gained, uint64_t moved, uint64_t neighbour, uint64_t at_origin)
{
    const vp_ray_differences wanted = {5, 4, lost, gained, moved, neighbour, at_origin};
    assert_memory_equal(&got, &wanted, sizeof got);
}

static void test_differences_of_rays_are_told_apart(void **state)
{
    (void)state;
    expect(with(VP_KERNEL_kd_ray, ABOVE, 1, 2), 0, 0, 0, 0, 0);
    expect(with(VP_KERNEL_kd_ray, ABOVE, 10, VP_NO_HIT), 1, 0, 0, 0, 0);
    expect(with(VP_KERNEL_kd_ray, BESIDE, 10, 0), 0, 1, 0, 0, 0);
    expect(with(VP_KERNEL_kd_ray, ABOVE, 1.00009f, 2), 0, 0, 0, 0, 0); /* at distance 2, off by less than 0.0002 */
    expect(with(VP_KERNEL_kd_ray, ABOVE, 1.00011f, 2), 0, 0, 1, 0, 0);
    expect(with(VP_KERNEL_kd_ray, ABOVE, 0.9998f, 2), 0, 0, 1, 0, 0);
    expect(with(VP_KERNEL_kd_ray, BETWEEN, 0.50006f, 1), 0, 0, 1, 0, 0); /* at distance 1 */
    expect(with(VP_KERNEL_kd_ray, ABOVE, NAN, 2), 0, 0, 1, 0, 0);
    expect(with(VP_KERNEL_kd_ray, ABOVE, 2, 0), 0, 0, 1, 0, 0); /* the triangle below */
    expect(with(VP_KERNEL_kd_ray, ABOVE, 1, 3), 0, 0, 0, 1, 0);
    expect(with(VP_KERNEL_kd_ray, ABOVE, 1, 4), 0, 0, 1, 0, 0); /* no such triangle */
    expect(with(VP_KERNEL_kd_ray, ABOVE, 1, VP_RAY_INVALID), 0, 0, 1, 0, 0);
    expect(with(VP_KERNEL_kd_ray, BESIDE, 10, VP_RAY_INVALID), 0, 0, 1, 0, 0);
}

static void test_hits_at_the_origin_may_be_left_out(void **state)
{
    (void)state;
    expect(with(VP_KERNEL_kd_ray, ON_UPPER, 1, 1), 0, 0, 0, 0, 1);
    expect(with(VP_KERNEL_kd_ray, ON_LOWER, 10, VP_NO_HIT), 0, 0, 0, 0, 1);
    /* but the next hit must be right */
    expect(with(VP_KERNEL_kd_ray, ON_UPPER, 10, VP_NO_HIT), 1, 0, 0, 0, 0);
    expect(with(VP_KERNEL_kd_ray, ON_UPPER, 0.5f, 1), 0, 0, 1, 0, 0);
    expect(with(VP_KERNEL_kd_ray, ON_LOWER, 3, 2), 0, 0, 1, 0, 0);
}

static void test_whether_there_is_a_hit(void **state)
{
    (void)state;
    expect(with(VP_KERNEL_kd_ray_any, ABOVE, 77, 0), 0, 0, 0, 0, 0); /* t and the triangle do not count */
    expect(with(VP_KERNEL_kd_ray_any, ABOVE, 1, VP_NO_HIT), 1, 0, 0, 0, 0);
    expect(with(VP_KERNEL_kd_ray_any, BESIDE, 1, 0), 0, 1, 0, 0, 0);
    expect(with(VP_KERNEL_kd_ray_any, ON_LOWER, 0, VP_NO_HIT), 0, 0, 0, 0, 1);
    expect(with(VP_KERNEL_kd_ray_any, ON_UPPER, 0, VP_NO_HIT), 1, 0, 0, 0, 0);
    expect(with(VP_KERNEL_kd_ray_any, ABOVE, 0, VP_RAY_INVALID), 0, 0, 1, 0, 0);
}

static void test_few_may_differ(void **state)
{
    (void)state;
    assert_true(vp_rays_acceptable(&(vp_ray_differences){.rays = 1000, .hits = 900, .at_origin = 500}));
    assert_true(vp_rays_acceptable(&(vp_ray_differences){.rays = 9000, .hits = 1000, .lost = 2, .gained = 1, .moved = 1, .neighbour = 2}));
    assert_false(vp_rays_acceptable(&(vp_ray_differences){.rays = 9000, .hits = 1000, .lost = 3, .gained = 1, .moved = 1, .neighbour = 2}));
    assert_false(vp_rays_acceptable(&(vp_ray_differences){.rays = 9000, .hits = 1000, .neighbour = 7}));
    assert_false(vp_rays_acceptable(&(vp_ray_differences){.rays = 9000, .gained = 5}));
}

static void test_text(void **state)
{
    (void)state;
    char text[160];
    vp_ray_differences_text(&(vp_ray_differences){.rays = 9, .hits = 5}, text, sizeof text);
    assert_string_equal(text, "hits=equal");
    vp_ray_differences_text(&(vp_ray_differences){.rays = 99, .lost = 12, .gained = 3}, text, sizeof text);
    assert_string_equal(text, "hits differ: 12 of 99 lost, 3 gained");
    vp_ray_differences_text(&(vp_ray_differences){.rays = 99, .moved = 1, .neighbour = 2, .at_origin = 3}, text, sizeof text);
    assert_string_equal(text, "hits differ: 1 of 99 moved, 2 of a neighbour, 3 at their origin left out");
}

/* ---- boxes ---- */

/* The number of boxes that differ if BOTH has this list and the others the right one. */
static uint64_t with_list(vp_row_id row, uint32_t found, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    enum { CAPACITY = 5 };
    uint32_t list[BOXES * CAPACITY] = {1, 0}, counts[BOXES] = {2, found, 0};
    memcpy(list + BOTH * CAPACITY, (const uint32_t[]){a, b, c, d, d}, CAPACITY * sizeof *list);
    void *right_lists = NULL;
    assert_int_equal(vp_box_answers_derivation.make(&box_data, 0, &right_lists, NULL), VP_OK);
    const vp_peer_answers got = {.list = list, .found = counts, .capacity = CAPACITY};
    uint64_t differ = vp_compare_boxes(right_lists, &box_data, &got, row == VP_KERNEL_kd_gather_leaves);
    vp_box_answers_derivation.drop(right_lists);
    return differ;
}

static void test_lists_must_be_equal(void **state)
{
    (void)state;
    assert_int_equal(with_list(VP_KERNEL_kd_gather, 4, 0, 1, 2, 3), 0);
    assert_int_equal(with_list(VP_KERNEL_kd_gather, 4, 3, 1, 0, 2), 0);
    assert_int_equal(with_list(VP_KERNEL_kd_gather, 3, 3, 1, 0, 2), 1);
    assert_int_equal(with_list(VP_KERNEL_kd_gather, 4, 3, 1, 1, 2), 1);
    assert_int_equal(with_list(VP_KERNEL_kd_gather, 4, 3, 1, 4, 2), 1);
    assert_int_equal(with_list(VP_KERNEL_kd_gather, 4, 3, 1, UINT32_MAX, 2), 1);
    assert_int_equal(with_list(VP_KERNEL_kd_gather, 5, 3, 1, 0, 2), 1); /* one is there twice */
    assert_int_equal(with_list(VP_KERNEL_kd_gather, 6, 3, 1, 0, 2), 1); /* more than fit */
    assert_int_equal(with_list(VP_KERNEL_kd_gather, UINT32_MAX, 3, 1, 0, 2), 1);
}

static void test_leaves_may_have_more(void **state)
{
    (void)state;
    box[BOTH].max.y = 1; /* wants 0 and 1 of the four */
    assert_int_equal(with_list(VP_KERNEL_kd_gather, 2, 1, 0, 9, 9), 0);
    assert_int_equal(with_list(VP_KERNEL_kd_gather, 3, 1, 0, 2, 9), 1);
    assert_int_equal(with_list(VP_KERNEL_kd_gather_leaves, 2, 1, 0, 9, 9), 0);
    assert_int_equal(with_list(VP_KERNEL_kd_gather_leaves, 4, 3, 1, 2, 0), 0);
    assert_int_equal(with_list(VP_KERNEL_kd_gather_leaves, 3, 3, 1, 2, 9), 1); /* without 0 */
    assert_int_equal(with_list(VP_KERNEL_kd_gather_leaves, 3, 1, 0, 9, 9), 1); /* no such triangle */
    assert_int_equal(with_list(VP_KERNEL_kd_gather_leaves, 4, 1, 0, 3, 3), 1); /* twice */
    box[BOTH].max.y = 2;
}

/* ---- the list of peers ---- */

static void test_each_peer_is_judged(void **state)
{
    const vp_peer *peer;
    (void)state;
    for (size_t i = 0; (peer = vp_peer_at(i)) != NULL; i++) {
        assert_non_null(vp_judge_of(peer->row));
        assert_ptr_equal(vp_peer_named(peer->name, peer->row), peer); /* no two have the same name */
        assert_true(peer->make != NULL && peer->run != NULL && peer->answers != NULL && peer->drop != NULL);
        assert_true(peer->rewind != NULL || !peer->consumes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences_of_rays_are_told_apart),
        cmocka_unit_test(test_hits_at_the_origin_may_be_left_out),
        cmocka_unit_test(test_whether_there_is_a_hit),
        cmocka_unit_test(test_few_may_differ),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_lists_must_be_equal),
        cmocka_unit_test(test_leaves_may_have_more),
        cmocka_unit_test(test_each_peer_is_judged),
    };
    return cmocka_run_group_tests(tests, open_sets, close_sets);
}
