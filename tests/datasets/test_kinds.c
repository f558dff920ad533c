/* SPDX-License-Identifier: MIT */
/* Stores open each set once. Also parts of sets, and names of sets that do not exist. */
#include "tests/support/check.h"

#include "datasets/datasets.h"
#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"

static vp_manifest *manifest;

static vp_store *open_store(uint64_t seed)
{
    vp_store *store = NULL;
    if (manifest == NULL)
        assert_ok(vp_manifest_open(NULL, &manifest, &error));
    assert_ok(vp_store_create(manifest, seed, &store, &error));
    return store;
}

static int close_manifest(void **state)
{
    (void)state;
    if (manifest != NULL)
        vp_manifest_close(manifest);
    return 0;
}

static void each_set_is_opened_once(void **state)
{
    (void)state;
    vp_store *store = open_store(1);
    const vp_data *small, *large, *again, *world, *mesh;
    assert_ok(vp_store_open(store, &vp_kind_boxes, "terrain-l2/boxes-small", &small, &error));
    assert_ok(vp_store_open(store, &vp_kind_boxes, "terrain-l2/boxes-large", &large, &error));
    assert_ok(vp_store_open_any(store, "terrain-l2/boxes-small", &again, &error));
    assert_ok(vp_store_open_any(store, "terrain-l2", &world, &error));
    assert_ptr_equal(small, again);
    assert_ptr_not_equal(small, large);
    assert_ptr_equal(small->owner, world);
    assert_ptr_equal(large->owner, world);
    assert_ptr_equal(world->kind, &vp_kind_world);
    assert_null(world->owner);
    assert_true(small->checked && world->checked);
    assert_string_equal(small->name, "terrain-l2/boxes-small");
    assert_int_equal(small->kind->count(small->set), 65536);
    assert_int_equal(world->kind->count(world->set), 64 * 64 * 64);

    /* The mesh is made from a world that is already in the store. */
    assert_ok(vp_store_open_any(store, "world-230k", &mesh, &error));
    assert_ok(vp_store_open_any(store, "terrain-230k", &world, &error));
    assert_ptr_equal(((const vp_mesh_set *)mesh->set)->world, world->set);
    vp_store_empty(store);
    assert_ok(vp_store_open_any(store, "terrain-l2", &world, &error));
    vp_store_destroy(store);
    vp_store_destroy(NULL);
}

static void a_part_is_evenly_spread(void **state)
{
    (void)state;
    vp_store *store = open_store(1);
    const vp_data *rays, *part, *again, *less, *world, *boxes;
    assert_ok(vp_store_open(store, &vp_kind_rays, "fuzz-2", &rays, &error));
    const vp_ray_set *whole = rays->set;
    assert_int_equal(whole->count, 400);
    assert_ok(vp_data_part(rays, 400, &part, &error));
    assert_ptr_equal(part, rays);
    assert_ok(vp_data_part(rays, 150, &part, &error)); /* every third */
    const vp_ray_set *set = part->set;
    assert_int_equal(set->count, 134);
    for (uint32_t i = 0; i < set->count; i++) {
        assert_memory_equal(&set->ray[i], &whole->ray[i * 3], sizeof *set->ray);
        assert_int_equal(set->mesh[i], whole->mesh[i * 3]);
    }
    assert_ptr_equal(part->owner, rays->owner);
    assert_string_equal(part->name, "fuzz-2");
    assert_ok(vp_data_part(rays, 150, &again, &error));
    assert_ptr_equal(part, again);
    assert_ok(vp_data_part(part, 1, &less, &error));
    assert_int_equal(((const vp_ray_set *)less->set)->count, 1);
    assert_refused(vp_data_part(rays, 0, &less, &error), VP_E_ARGUMENT, "a part of 0 rays");
    assert_ok(vp_store_open(store, &vp_kind_rays, "fuzz-2", &again, &error)); /* unchanged */
    assert_ptr_equal(again, rays);
    assert_ok(vp_store_open(store, &vp_kind_mesh_boxes, "fuzz-2", &boxes, &error));
    assert_ok(vp_data_part(boxes, 7, &part, &error));
    assert_int_equal(part->kind->count(part->set), 7);
    assert_ok(vp_store_open(store, &vp_kind_world, "fuzz-2", &world, &error));
    assert_ok(vp_data_part(world, 1, &part, &error)); /* worlds have no parts */
    assert_ptr_equal(part, world);
    vp_store_destroy(store);
}

/* ---- "fuzz-<n>" ---- */

static void fuzz_is_of_every_kind_that_has_it(void **state)
{
    (void)state;
    for (const vp_kind *const *kind = vp_kinds; *kind != NULL; kind++) {
        vp_store *store = open_store(7), *twin = open_store(7), *other = open_store(8);
        const vp_data *a, *b, *c;
        assert_ptr_equal(vp_kind_named((*kind)->name), *kind);
        if ((*kind)->fuzz == NULL) {
            assert_refused(vp_store_open(store, *kind, "fuzz-3", &a, &error), VP_E_ARGUMENT, (*kind)->words);
        } else {
            assert_ok(vp_store_open(store, *kind, "fuzz-3", &a, &error));
            assert_ok(vp_store_open(twin, *kind, "fuzz-3", &b, &error));
            assert_ok(vp_store_open(other, *kind, "fuzz-3", &c, &error));
            assert_true(vp_set_hash(*kind, a->set) == vp_set_hash(*kind, b->set));
            assert_true(vp_set_hash(*kind, a->set) != vp_set_hash(*kind, c->set));
            assert_ok(vp_store_open(store, *kind, "fuzz-4", &c, &error));
            assert_true(vp_set_hash(*kind, a->set) != vp_set_hash(*kind, c->set));
            assert_false(a->checked);
            assert_true((a->owner != NULL) == ((*kind)->owner != NULL));
        }
        (*kind)->drop(NULL);
        vp_store_destroy(other);
        vp_store_destroy(twin);
        vp_store_destroy(store);
    }
    assert_null(vp_kind_named("beasts"));
}

/* ---- names ---- */

static void names_that_there_are_no_sets_of(void **state)
{
    (void)state;
    vp_store *store = open_store(1), *bare = NULL;
    const vp_data *data;
    char long_name[200];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_refused(vp_store_open(store, &vp_kind_world, long_name, &data, &error), VP_E_ARGUMENT, "is too long");
    assert_refused(vp_store_open_any(store, "nowhere", &data, &error), VP_E_ARGUMENT, "\"nowhere\"");
    assert_refused(vp_store_open(store, &vp_kind_rays, "terrain-l2", &data, &error), VP_E_ARGUMENT, "MESHES/terrain-l2");
    assert_refused(vp_store_open(store, &vp_kind_world, "fuzz-99999999999999999999", &data, &error), VP_E_ARGUMENT, "beyond 64 bits");
    assert_refused(vp_store_open(store, &vp_kind_world, "fuzz-1x", &data, &error), VP_E_ARGUMENT, "\"fuzz-1x\"");
    assert_ok(vp_store_create(NULL, 1, &bare, &error));
    assert_refused(vp_store_open(bare, &vp_kind_world, "terrain-l2", &data, &error), VP_E_ARGUMENT, "\"terrain-l2\"");
    assert_ok(vp_store_open(bare, &vp_kind_world, "fuzz-5", &data, &error));
    vp_store_destroy(bare);
    vp_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_set_is_opened_once),
        cmocka_unit_test(a_part_is_evenly_spread),
        cmocka_unit_test(fuzz_is_of_every_kind_that_has_it),
        cmocka_unit_test(names_that_there_are_no_sets_of),
    };
    return cmocka_run_group_tests(tests, NULL, close_manifest);
}
