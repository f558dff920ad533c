/* SPDX-License-Identifier: MIT */
/* Sets of the manifest for a test, each from a separate store. */
#ifndef VP_TESTS_SETS_H
#define VP_TESTS_SETS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/datasets.h"
#include "datasets/kinds/kind.h"

/* Opens a set and takes it. `owner` is the world or the meshes named before the slash. NULL = the manifest's
   own, or none. */
static inline void *take_made(const vp_manifest *manifest, const vp_kind *kind, const char *name, const void *owner, vp_error *error)
{
    char of[VP_DATA_NAME_BYTES];
    vp_store *store = NULL;
    const vp_data *data;
    void *set = NULL;
    vp_status status = vp_store_create(manifest, 1, &store, error);
    snprintf(of, sizeof of, "%.*s", (int)strcspn(name, "/"), name);
    if (status == VP_OK && owner != NULL)
        status = vp_store_lend(store, kind->owner, of, owner, error);
    if (status == VP_OK)
        status = vp_store_open(store, kind, name, &data, error);
    if (status == VP_OK)
        set = vp_store_take(store, data);
    vp_store_destroy(store);
    return set;
}

static inline vp_status take_world(const vp_manifest *manifest, const char *name, vp_world **out, vp_error *error)
{
    vp_world *world = take_made(manifest, &vp_kind_world, name, NULL, error);
    if (world == NULL)
        return error->status;
    *out = world;
    return VP_OK;
}

/* Copies a set to `out`. Free its contents. */
static inline vp_status take_set(const vp_manifest *manifest, const vp_kind *kind, const char *name, const void *owner, void *out,
                                 size_t bytes, vp_error *error)
{
    void *set = take_made(manifest, kind, name, owner, error);
    if (set == NULL)
        return error->status;
    memcpy(out, set, bytes);
    free(set);
    return VP_OK;
}

#define TAKE(kind, manifest, name, owner, out, error) take_set(manifest, &vp_kind_##kind, name, owner, out, sizeof *(out), error)

#endif
