/* SPDX-License-Identifier: MIT */
/* Each data set has the hash of the manifest, which detects any changed bit. */
#include "tests/support/check.h"

#include "datasets/datasets.h"
#include "datasets/hash.h"
#include "datasets/kinds/kind.h"
#include "datasets/mesh_sets.h"

#include <jansson.h>
#include <stdio.h>

static vp_manifest *manifest;
static vp_store *store;

static int open_all(void **state)
{
    (void)state;
    assert_ok(vp_manifest_open(NULL, &manifest, &error));
    assert_ok(vp_store_create(manifest, 1, &store, &error));
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    vp_store_destroy(store);
    vp_manifest_close(manifest);
    return 0;
}

/* ---- every set ---- */

static void open_checked(const char *name)
{
    const vp_data *data;
    assert_ok(vp_store_open_any(store, name, &data, &error));
    if (!data->checked)
        fail_msg("%s has no hash", name);
}

/* All sets of a world, or of meshes. A single mesh has no chunk per ray. */
static void open_owned(const vp_dataset *owner)
{
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const vp_dataset *d = vp_manifest_entry(manifest, i);
        char name[100];
        snprintf(name, sizeof name, "%s/%s", owner->name, d->name);
        if (d->kind->owner == owner->kind && (strcmp(d->name, "cold") != 0 || strncmp(owner->name, "world-", 6) != 0))
            open_checked(name);
    }
}

/* Larger worlds, sets made on demand, and sets larger than their usual count are checked when they are used. */
TEST(every_set_has_its_hash)
{
    uint32_t opened = 0;
    for (size_t i = 0; i < vp_manifest_count(manifest); i++) {
        const vp_dataset *d = vp_manifest_entry(manifest, i);
        uint64_t hash;
        if (d->kind->owner == NULL && !vp_manifest_hash(manifest, d->name, &hash))
            fail_msg("%s has no hash", d->name);
        if (d->kind->owner != NULL || d->on_demand || (uint64_t)d->size.x * d->size.y * d->size.z > 1u << 23)
            continue;
        open_checked(d->name);
        open_owned(d);
        opened++;
        vp_store_empty(store);
    }
    open_checked("solid-torus/large-far");
    open_checked("cone/1000");
    open_checked("churn/1000");
    assert_true(opened > 110);
}

/* ---- parts of sets ---- */

TEST(edits_are_applied)
{
    vp_world *world = NULL;
    size_t filled = 0;
    assert_ok(vp_world_create(&(vp_world_def){.size = {16, 16, 16}}, &world, &error));
    const vp_edit of[] = {{.shape = VP_EDIT_VOXEL, .low = {1, 2, 3}, .voxel = {7, 255}},
                          {.shape = VP_EDIT_BOX, .low = {4, -2, 4}, .high = {6, 1, 7}, .voxel = {8, 255}},
                          {.shape = VP_EDIT_SPHERE, .centre = {10, 10, 10}, .radius = 1, .voxel = {9, 255}}};
    for (size_t i = 0; i < 3; i++)
        assert_ok(vp_edit_apply(&of[i], world, NULL, &error));
    for (int32_t i = 0; i < 16 * 16 * 16; i++)
        filled += vp_world_voxel(world, (vp_ivec3){i % 16, i / 256, i / 16 % 16}).material != VP_AIR;
    assert_int_equal(filled, 1 + 2 * 3 + 8);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){1, 2, 3}).material, 7);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){5, 0, 6}).material, 8);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){9, 10, 9}).material, 9);
    assert_refused(vp_edit_apply(&(vp_edit){.shape = 3}, NULL, NULL, &error), VP_E_ARGUMENT, "3");
    vp_world_destroy(world);
}

int main(void)
{
    return test_run_all(open_all, close_all);
}
