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

int main(void)
{
    return test_run_all(open_all, close_all);
}
