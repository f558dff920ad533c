/* SPDX-License-Identifier: MIT */
/* How good and how small trees of the wide form stay when their objects move, and how much one call builds anew. */
#include <math.h>
#include <stdlib.h>

#include <voxphys/spheretree.h>

#include "tests/spheretree/structure.h"
#include "tests/support/samples.h"

static uint64_t count_visited(const vp_spheretree *tree, const vp_sphere *sphere, uint32_t count)
{
    vp_spheretree_cost cost = {0, 0};
    const vp_spheretree_query query = {.mask = UINT32_MAX, .cost = &cost};
    uint32_t found;
    for (uint32_t i = 0; i < count; i += 8)
        assert_ok(vp_spheretree_sphere(tree, &sphere[i], &query, NULL, 0, &found, &error));
    return cost.nodes;
}

/* A tree whose objects have all moved, in batches of 1 %, is nearly as good and as small as a new one. The space is 64 per object. */
static void check_quality(uint32_t objects, float step, uint32_t times, double most, uint32_t bytes)
{
    enum { OBJECTS = 72000, MOST_LEAVES = 1 << 16 };
    const float side = 2 * cbrtf((float)objects);
    const vp_vec3 low = {-side, -side, -side}, high = {side, side, side}, back = {-step, -step, -step}, forth = {step, step, step};
    static vp_spheretree_object object[OBJECTS];
    static vp_sphere sphere[OBJECTS];
    static uint32_t id[OBJECTS];
    const uint32_t at_once = objects / 100;
    vp_random r = {5};
    vp_spheretree *tree = new_wide(NULL, 0), *fresh = new_wide(NULL, 0);
    for (uint32_t i = 0; i < objects; i++)
        object[i] = (vp_spheretree_object){{vp_random_vec3(&r, low, high), vp_random_between(&r, 0.5f, 1.5f)}, i, 1, 0};
    assert_ok(vp_spheretree_insert_batch(tree, object, objects, id, &error));
    for (uint32_t i = 0; i < times * objects; i += at_once) {
        const uint32_t first = i % objects;
        for (uint32_t k = first; k < first + at_once; k++) {
            vp_vec3 *at = &object[k].sphere.centre;
            *at = step > 0 ? vp_vec3_add(*at, vp_random_vec3(&r, back, forth)) : vp_random_vec3(&r, low, high);
            sphere[k] = object[k].sphere;
        }
        const int32_t before = tree->wide.credit;
        assert_ok(vp_spheretree_move_batch(tree, id + first, sphere + first, at_once, &error));
        assert_true(before - tree->wide.credit <= MOST_LEAVES * VP_WIDE_LEAF_CREDIT); /* what one call builds anew */
    }
    assert_ok(vp_spheretree_build(fresh, object, objects, &error));
    const uint64_t visited = count_visited(tree, sphere, objects), least = count_visited(fresh, sphere, objects);
    assert_true((double)visited <= most * (double)least);
    assert_in_range(vp_spheretree_stats_of(fresh).bytes, 1, 48u * objects);
    assert_in_range(vp_spheretree_stats_of(tree).bytes, 1, bytes * objects);
    vp_spheretree_destroy(tree);
    vp_spheretree_destroy(fresh);
}

TEST(quality_stays)
{
    check_quality(1000, 0, 6, 1.25, 51);
    check_quality(4000, 0, 2, 1.2, 48);
    check_quality(4000, 2, 20, 1.8, 48);
    check_quality(36000, 0, 3, 1.2, 48);
    check_quality(72000, 0, 3, 1.25, 48);
}

/* Fleets move a little, so that large nodes leave their parents last. No part above 65,536 leaves is built anew after that. */
TEST(large_parts_are_limited)
{
    enum { FLEETS = 3000, SHIPS = 100, OBJECTS = FLEETS * SHIPS, LARGE = 1 << 16 };
    const vp_vec3 low = {-100, -100, -100}, high = {100, 100, 100}, back = {-4.6f, -4.6f, -4.6f}, forth = {4.6f, 4.6f, 4.6f};
    vp_spheretree_object *object = calloc(OBJECTS, sizeof *object);
    vp_sphere *to = calloc(OBJECTS, sizeof *to);
    uint32_t *id = calloc(OBJECTS, sizeof *id);
    assert_true(object != NULL && to != NULL && id != NULL);
    vp_random r = {1};
    for (uint32_t fleet = 0; fleet < FLEETS; fleet++) {
        const vp_vec3 at = vp_random_vec3(&r, low, high),
                      step = vp_random_vec3(&r, (vp_vec3){-0.7f, -0.7f, -0.7f}, (vp_vec3){0.7f, 0.7f, 0.7f});
        for (uint32_t i = fleet * SHIPS; i < (fleet + 1) * SHIPS; i++) {
            const vp_vec3 ship = vp_vec3_add(at, vp_random_vec3(&r, back, forth));
            object[i] = (vp_spheretree_object){{ship, vp_random_between(&r, 0.5f, 1.5f)}, i, 1, 0};
            to[i] = (vp_sphere){vp_vec3_add(ship, step), object[i].sphere.radius};
        }
    }
    vp_spheretree *tree = new_wide(NULL, 0);
    assert_ok(vp_spheretree_insert_batch(tree, object, OBJECTS, id, &error));
    assert_ok(vp_spheretree_move_batch(tree, id, to, OBJECTS, &error));
    assert_true(tree->wide.credit < VP_WIDE_PART_CREDIT && tree->wide.credit >= -LARGE * VP_WIDE_LEAF_CREDIT);
    vp_spheretree_destroy(tree);
    free(object);
    free(to);
    free(id);
}

/* After the upper levels of a large tree, calls that change nothing build each of its leaves anew once. */
TEST(pending_children_follow)
{
    enum { OBJECTS = 72000, AT_ONCE = OBJECTS / 100, MOST_BATCHES = 400, CHILDREN = 16 };
    const vp_vec3 low = {-80, -80, -80}, high = {80, 80, 80};
    vp_spheretree_object *object = calloc(OBJECTS, sizeof *object);
    vp_sphere *sphere = calloc(OBJECTS, sizeof *sphere);
    uint32_t *id = calloc(OBJECTS, sizeof *id), batches = 0, calls = 0;
    assert_true(object != NULL && sphere != NULL && id != NULL);
    vp_random r = {3};
    vp_spheretree *tree = new_wide(NULL, 0);
    for (uint32_t i = 0; i < OBJECTS; i++)
        object[i] = (vp_spheretree_object){{vp_random_vec3(&r, low, high), 1}, i, 1, 0};
    assert_ok(vp_spheretree_insert_batch(tree, object, OBJECTS, id, &error));
    for (; tree->wide.pending == VP_SPHERETREE_NONE && batches < MOST_BATCHES; batches++) {
        const uint32_t first = batches % 100 * AT_ONCE;
        for (uint32_t i = first; i < first + AT_ONCE; i++)
            sphere[i] = (vp_sphere){vp_random_vec3(&r, low, high), 1};
        assert_ok(vp_spheretree_move_batch(tree, id + first, sphere + first, AT_ONCE, &error));
    }
    assert_in_range(batches, 1, MOST_BATCHES - 1);
    const int32_t before = tree->wide.credit;
    for (; tree->wide.pending != VP_SPHERETREE_NONE && calls <= CHILDREN; calls++)
        assert_ok(vp_spheretree_move(tree, id[0], &sphere[0], &error));
    assert_in_range(calls, 2, CHILDREN);
    assert_int_equal(before - tree->wide.credit, OBJECTS * VP_WIDE_LEAF_CREDIT);
    vp_spheretree_destroy(tree);
    free(object);
    free(sphere);
    free(id);
}
