/* SPDX-License-Identifier: MIT */
/* Makes the worlds of the manifest, or reads them from their files, and checks that they are what they should be. */
#include "datasets/manifest_data.h"

#include "src/core/error.h"

#include <voxphys/world_file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static vp_status load_file(const vp_manifest *manifest, const vp_dataset *d, vp_world **out, vp_error *error)
{
    const char *folder = vp_manifest_folder(manifest);
    size_t bytes = strlen(folder) + strlen(d->source) + 2;
    char *path = malloc(bytes);
    if (path == NULL)
        return vp_fail(error, VP_E_MEMORY, "data set \"%s\": no memory", d->name);
    snprintf(path, bytes, "%s/%s", folder, d->source);
    vp_world *world = NULL;
    vp_status status = vp_world_load(path, NULL, &world, NULL, error);
    if (status == VP_E_FORMAT) { /* the message tells the byte, not the file */
        char before[100];
        snprintf(before, sizeof before, "data set \"%.80s\": ", d->name);
        vp_name_file(error, before, path);
    }
    free(path);
    if (status != VP_OK)
        return status;
    vp_dims s = vp_world_size(world);
    if (s.x != d->size.x || s.y != d->size.y || s.z != d->size.z) {
        vp_world_destroy(world);
        return vp_fail(error, VP_E_FORMAT, "data set \"%s\" is %u x %u x %u voxels, but the manifest says %u x %u x %u",
                       d->name, s.x, s.y, s.z, d->size.x, d->size.y, d->size.z);
    }
    *out = world;
    return VP_OK;
}

static vp_status make(const vp_manifest *manifest, const vp_entry *entry, const vp_generate_progress *progress,
                      vp_world **out, vp_error *error)
{
    const vp_dataset *d = &entry->dataset;
    switch (entry->generator) {
    case VP_GENERATOR_TERRAIN:
        return vp_generate_terrain(&entry->params.terrain, d->seed, d->size, progress, out, error);
    case VP_GENERATOR_RANDOM:
        return vp_generate_random(&entry->params.random, d->seed, d->size, progress, out, error);
    case VP_GENERATOR_CHECKER:
        return vp_generate_checker(&entry->params.checker, d->seed, d->size, progress, out, error);
    case VP_GENERATOR_FILE: return load_file(manifest, d, out, error);
    default: break;
    }
    return vp_fail(error, VP_E_ARGUMENT, "data set \"%s\" is not a world", d->name);
}

vp_status vp_dataset_world_watched(const vp_manifest *manifest, const char *name,
                                   const vp_generate_progress *progress, vp_world **out, vp_error *error)
{
    const vp_entry *entry;
    vp_world *world = NULL;
    vp_status status = vp_manifest_entry_of(manifest, name, VP_DATASET_WORLD, &entry, error);
    if (status == VP_OK)
        status = make(manifest, entry, progress, &world, error);
    if (status == VP_OK)
        status = vp_manifest_check(manifest, name, vp_world_hash(world), error);
    if (status == VP_OK)
        *out = world;
    else
        vp_world_destroy(world);
    return status;
}

vp_status vp_dataset_world(const vp_manifest *manifest, const char *name, vp_world **out, vp_error *error)
{
    return vp_dataset_world_watched(manifest, name, NULL, out, error);
}
