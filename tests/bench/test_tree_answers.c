/* SPDX-License-Identifier: MIT */
/* What the reference is said to answer, and how answers are told to differ from it, on two quads one above the other: all of it
   typed by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <setjmp.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bench/trees/tree_answers.h"

/* At y = 0 triangles 0 (z >= x) and 1, at y = 2 triangles 2 (z >= x) and 3. */
static const vp_vec3 vertex[] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 4}, {4, 0, 0}, {0, 2, 0}, {0, 2, 4}, {4, 2, 4}, {4, 2, 0}};
static const uint32_t quad[] = {0, 1, 2, 3, 4, 5, 6, 7};
static vp_triangles mesh = {vertex, quad, 8, 4, true};

/* Downwards, two voxels a unit of t. */
enum { ABOVE, BETWEEN, ON_UPPER, ON_LOWER, BESIDE, RAYS };
static vp_ray ray[RAYS] = {{{1, 4, 3}, {0, -2, 0}, 10},
                           {{3, 1, 1}, {0, -2, 0}, 10},
                           {{3, 2, 1}, {0, -2, 0}, 10},
                           {{1, 0, 3}, {0, -2, 0}, 10},
                           {{9, 4, 9}, {0, -2, 0}, 10}};
static uint32_t of_ray[RAYS];
static const vp_tree_hit right[RAYS] = {{1, 2}, {0.5f, 1}, {0, 3}, {0, 0}, {10, VP_NO_HIT}};

enum { LOWER, BOTH, NOTHING, BOXES };
static vp_aabb box[BOXES] = {{{0.5f, -1, 3}, {1, 1, 3.5f}}, {{0, 0, 0}, {1, 2, 1}}, {{0, 0.5f, 0}, {4, 1, 4}}};
static uint32_t of_box[BOXES];

static vp_suite_set workload = {.name = "quads",
                               .meshes = {.count = 1, .mesh = &mesh, .triangle_count = 4},
                               .rays = {RAYS, ray, of_ray},
                               .mesh_boxes = {BOXES, box, of_box}};

/* ---- rays ---- */

static void test_rays_are_answered(void **state)
{
    (void)state;
    vp_tree_answers a;
    assert_int_equal(vp_tree_answer_rays(&workload, &a, NULL), VP_OK);
    for (int i = 0; i < RAYS; i++) {
        assert_int_equal(a.hit[i].triangle, right[i].triangle);
        assert_true(a.hit[i].t == right[i].t);
    }
    assert_int_equal(a.beyond[ON_UPPER].triangle, 1);
    assert_true(a.beyond[ON_UPPER].t == 1.0f);
    assert_int_equal(a.beyond[ON_LOWER].triangle, VP_NO_HIT);
    vp_tree_answers_destroy(&a);
}

/* The differences when one ray has another answer than the right one. */
static vp_tree_differences with(vp_tree_question question, int i, float t, int32_t triangle)
{
    vp_tree_answers a;
    vp_tree_hit hit[RAYS];
    assert_int_equal(vp_tree_answer_rays(&workload, &a, NULL), VP_OK);
    memcpy(hit, right, sizeof hit);
    hit[i] = (vp_tree_hit){t, triangle};
    vp_tree_asked asked = {.question = question, .rays = &workload.rays, .hit = hit};
    vp_tree_differences d = vp_tree_compare_rays(&a, &workload.meshes, &asked);
    vp_tree_answers_destroy(&a);
    return d;
}

static void expect(vp_tree_differences got, uint64_t lost, uint64_t gained, uint64_t moved, uint64_t neighbour, uint64_t at_origin)
{
    assert_int_equal(got.rays, 5);
    assert_int_equal(got.hits, 4);
    assert_int_equal(got.lost, lost);
    assert_int_equal(got.gained, gained);
    assert_int_equal(got.moved, moved);
    assert_int_equal(got.neighbour, neighbour);
    assert_int_equal(got.at_origin, at_origin);
}

static void test_differences_of_rays_are_told_apart(void **state)
{
    (void)state;
    expect(with(VP_TREE_RAY, ABOVE, 1, 2), 0, 0, 0, 0, 0);
    expect(with(VP_TREE_RAY, ABOVE, 10, VP_NO_HIT), 1, 0, 0, 0, 0);
    expect(with(VP_TREE_RAY, BESIDE, 10, 0), 0, 1, 0, 0, 0);
    expect(with(VP_TREE_RAY, ABOVE, 1.00009f, 2), 0, 0, 0, 0, 0); /* at a distance of 2, and by less than 0.0002 */
    expect(with(VP_TREE_RAY, ABOVE, 1.00011f, 2), 0, 0, 1, 0, 0);
    expect(with(VP_TREE_RAY, ABOVE, 0.9998f, 2), 0, 0, 1, 0, 0);
    expect(with(VP_TREE_RAY, BETWEEN, 0.50006f, 1), 0, 0, 1, 0, 0); /* at a distance of 1 */
    expect(with(VP_TREE_RAY, ABOVE, NAN, 2), 0, 0, 1, 0, 0);
    expect(with(VP_TREE_RAY, ABOVE, 2, 0), 0, 0, 1, 0, 0); /* the triangle below */
    expect(with(VP_TREE_RAY, ABOVE, 1, 3), 0, 0, 0, 1, 0);
    expect(with(VP_TREE_RAY, ABOVE, 1, 4), 0, 0, 1, 0, 0); /* which there is not */
    expect(with(VP_TREE_RAY, ABOVE, 1, VP_RAY_INVALID), 0, 0, 1, 0, 0);
    expect(with(VP_TREE_RAY, BESIDE, 10, VP_RAY_INVALID), 0, 0, 1, 0, 0);
}

static void test_hits_at_the_origin_may_be_left_out(void **state)
{
    (void)state;
    expect(with(VP_TREE_RAY, ON_UPPER, 1, 1), 0, 0, 0, 0, 1);
    expect(with(VP_TREE_RAY, ON_LOWER, 10, VP_NO_HIT), 0, 0, 0, 0, 1);
    /* but what is behind them must be right */
    expect(with(VP_TREE_RAY, ON_UPPER, 10, VP_NO_HIT), 1, 0, 0, 0, 0);
    expect(with(VP_TREE_RAY, ON_UPPER, 0.5f, 1), 0, 0, 1, 0, 0);
    expect(with(VP_TREE_RAY, ON_LOWER, 3, 2), 0, 0, 1, 0, 0);
}

static void test_whether_there_is_a_hit(void **state)
{
    (void)state;
    expect(with(VP_TREE_RAY_ANY, ABOVE, 77, 0), 0, 0, 0, 0, 0); /* t and number are of no matter */
    expect(with(VP_TREE_RAY_ANY, ABOVE, 1, VP_NO_HIT), 1, 0, 0, 0, 0);
    expect(with(VP_TREE_RAY_ANY, BESIDE, 1, 0), 0, 1, 0, 0, 0);
    expect(with(VP_TREE_RAY_ANY, ON_LOWER, 0, VP_NO_HIT), 0, 0, 0, 0, 1);
    expect(with(VP_TREE_RAY_ANY, ON_UPPER, 0, VP_NO_HIT), 1, 0, 0, 0, 0);
    expect(with(VP_TREE_RAY_ANY, ABOVE, 0, VP_RAY_INVALID), 0, 0, 1, 0, 0);
}

static void test_few_may_differ(void **state)
{
    (void)state;
    assert_true(vp_tree_acceptable(&(vp_tree_differences){.rays = 1000, .hits = 900, .at_origin = 500}));
    assert_true(vp_tree_acceptable(&(vp_tree_differences){.rays = 9000, .hits = 1000, .lost = 2, .gained = 1, .moved = 1, .neighbour = 2}));
    assert_false(vp_tree_acceptable(&(vp_tree_differences){.rays = 9000, .hits = 1000, .lost = 3, .gained = 1, .moved = 1, .neighbour = 2}));
    assert_false(vp_tree_acceptable(&(vp_tree_differences){.rays = 9000, .hits = 1000, .neighbour = 7}));
    assert_false(vp_tree_acceptable(&(vp_tree_differences){.rays = 9000, .gained = 5}));
}

static void test_text(void **state)
{
    (void)state;
    char text[160];
    vp_tree_differences_text(&(vp_tree_differences){.rays = 9, .hits = 5}, text, sizeof text);
    assert_string_equal(text, "hits=equal");
    vp_tree_differences_text(&(vp_tree_differences){.rays = 99, .lost = 12, .gained = 3}, text, sizeof text);
    assert_string_equal(text, "hits differ: 12 of 99 lost, 3 gained");
    vp_tree_differences_text(&(vp_tree_differences){.rays = 99, .moved = 1, .neighbour = 2, .at_origin = 3}, text, sizeof text);
    assert_string_equal(text, "hits differ: 1 of 99 moved, 2 of a neighbour, 3 at their origin left out");
}

/* ---- boxes ---- */

/* How many boxes differ when BOTH has this list, and the others the right one. */
static uint64_t with_list(vp_tree_question question, uint32_t found, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    enum { CAPACITY = 5 };
    uint32_t list[BOXES * CAPACITY] = {1, 0}, counts[BOXES] = {2, found, 0};
    memcpy(list + BOTH * CAPACITY, (const uint32_t[]){a, b, c, d, d}, CAPACITY * sizeof *list);
    vp_tree_answers answers;
    assert_int_equal(vp_tree_answer_boxes(&workload, &answers, NULL), VP_OK);
    vp_tree_asked asked = {.question = question, .boxes = &workload.mesh_boxes, .list = list, .found = counts, .capacity = CAPACITY};
    uint64_t differ = vp_tree_compare_boxes(&answers, &workload.meshes, &asked);
    vp_tree_answers_destroy(&answers);
    return differ;
}

static void test_lists_must_be_equal(void **state)
{
    (void)state;
    assert_int_equal(with_list(VP_TREE_BOX, 4, 0, 1, 2, 3), 0);
    assert_int_equal(with_list(VP_TREE_BOX, 4, 3, 1, 0, 2), 0);
    assert_int_equal(with_list(VP_TREE_BOX, 3, 3, 1, 0, 2), 1);
    assert_int_equal(with_list(VP_TREE_BOX, 4, 3, 1, 1, 2), 1);
    assert_int_equal(with_list(VP_TREE_BOX, 4, 3, 1, 4, 2), 1);
    assert_int_equal(with_list(VP_TREE_BOX, 4, 3, 1, UINT32_MAX, 2), 1);
    assert_int_equal(with_list(VP_TREE_BOX, 5, 3, 1, 0, 2), 1); /* one twice */
    assert_int_equal(with_list(VP_TREE_BOX, 6, 3, 1, 0, 2), 1); /* more than there is room for */
    assert_int_equal(with_list(VP_TREE_BOX, UINT32_MAX, 3, 1, 0, 2), 1);
}

static void test_leaves_may_have_more(void **state)
{
    (void)state;
    workload.mesh_boxes.box[BOTH].max.y = 1; /* of the four, only 0 and 1 are wanted */
    assert_int_equal(with_list(VP_TREE_BOX, 2, 1, 0, 9, 9), 0);
    assert_int_equal(with_list(VP_TREE_BOX, 3, 1, 0, 2, 9), 1);
    assert_int_equal(with_list(VP_TREE_BOX_LEAVES, 2, 1, 0, 9, 9), 0);
    assert_int_equal(with_list(VP_TREE_BOX_LEAVES, 4, 3, 1, 2, 0), 0);
    assert_int_equal(with_list(VP_TREE_BOX_LEAVES, 3, 3, 1, 2, 9), 1); /* 0 lacks */
    assert_int_equal(with_list(VP_TREE_BOX_LEAVES, 3, 1, 0, 9, 9), 1); /* there is no triangle 9 */
    assert_int_equal(with_list(VP_TREE_BOX_LEAVES, 4, 1, 0, 3, 3), 1); /* twice */
    workload.mesh_boxes.box[BOTH].max.y = 2;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rays_are_answered),
        cmocka_unit_test(test_differences_of_rays_are_told_apart),
        cmocka_unit_test(test_hits_at_the_origin_may_be_left_out),
        cmocka_unit_test(test_whether_there_is_a_hit),
        cmocka_unit_test(test_few_may_differ),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_lists_must_be_equal),
        cmocka_unit_test(test_leaves_may_have_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
