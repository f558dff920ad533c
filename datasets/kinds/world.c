/* SPDX-License-Identifier: MIT */
/* Worlds, generated or read from a file. */
#include "datasets/manifest_data.h"

#include "src/core/error.h"
#include "datasets/fuzz.h"
#include "datasets/hash.h"

#include <voxphys/broadphase.h>
#include <voxphys/world_file.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const vp_param terrain_params[] = {
    VP_PARAM(vp_terrain_params, base, 0, VP_WORLD_MAX_Y),
    VP_PARAM(vp_terrain_params, relief, 0, VP_WORLD_MAX_Y),
    VP_PARAM(vp_terrain_params, wavelength, 8, 4096),
    VP_PARAM(vp_terrain_params, overhang, 0, VP_WORLD_MAX_Y),
    VP_PARAM(vp_terrain_params, overhang_wavelength, 8, 4096),
    VP_PARAM(vp_terrain_params, cave_wavelength, 8, 4096),
    VP_PARAM(vp_terrain_params, cave_radius, 0.125, 64),
    VP_PARAM(vp_terrain_params, cavern_wavelength, 8, 4096),
    VP_PARAM(vp_terrain_params, cavern_level, -4, 4),
    VP_PARAM(vp_terrain_params, water_level, 0, VP_WORLD_MAX_Y),
    VP_PARAM(vp_terrain_params, cave_water_level, 0, VP_WORLD_MAX_Y),
    VP_PARAM(vp_terrain_params, snow_level, 0, VP_WORLD_MAX_Y),
    {0},
};
static const vp_param random_params[] = {VP_PARAM(vp_random_params, filled, 0, 1), VP_PARAM(vp_random_params, water, 0, 1), {0}};
static const vp_param checker_params[] = {VP_PARAM_WHOLE(vp_checker_params, edge, 1, 64), {0}};

static const vp_param forest_params[] = {VP_PARAM(vp_forest_params, base, 0, VP_WORLD_MAX_Y),
                                         VP_PARAM(vp_forest_params, relief, 0, VP_WORLD_MAX_Y),
                                         VP_PARAM(vp_forest_params, wavelength, 8, 4096),
                                         VP_PARAM_WHOLE(vp_forest_params, spacing, 4, 256),
                                         VP_PARAM(vp_forest_params, redwoods, 0, 1),
                                         VP_PARAM(vp_forest_params, oaks, 0, 1),
                                         {0}};

/* Passes a world on through a void pointer. */
#define MAKE(call)                                                                                                                         \
    const vp_dataset *d = from->dataset;                                                                                                   \
    vp_world *world = NULL;                                                                                                                \
    const vp_status status = call;                                                                                                         \
    *set = world;                                                                                                                          \
    return status

static vp_status make_terrain(const vp_making *from, void **set, vp_error *error)
{
    MAKE(vp_generate_terrain(from->params, d->seed, d->size, from->progress, &world, error));
}

static vp_status make_random(const vp_making *from, void **set, vp_error *error)
{
    MAKE(vp_generate_random(from->params, d->seed, d->size, from->progress, &world, error));
}

static vp_status make_checker(const vp_making *from, void **set, vp_error *error)
{
    MAKE(vp_generate_checker(from->params, d->seed, d->size, from->progress, &world, error));
}

static vp_status make_forest(const vp_making *from, void **set, vp_error *error)
{
    MAKE(vp_generate_forest(from->params, d->seed, d->size, from->progress, &world, error));
}

static vp_status make_file(const vp_making *from, void **set, vp_error *error)
{
    const vp_dataset *d = from->dataset;
    char *path = vp_manifest_path(vp_store_manifest(from->store), d->source);
    if (path == NULL)
        return vp_fail(error, VP_E_MEMORY, "data set \"%s\": no memory", d->name);
    vp_world *world = NULL;
    vp_status status = vp_world_load(path, NULL, &world, NULL, error);
    if (status == VP_E_FORMAT) { /* the message contains the byte offset, but not the file */
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
        return vp_fail(error, VP_E_FORMAT, "data set \"%s\" is %u x %u x %u voxels, but the manifest says %u x %u x %u", d->name, s.x, s.y,
                       s.z, d->size.x, d->size.y, d->size.z);
    }
    *set = world;
    return VP_OK;
}

static uint64_t count(const void *set)
{
    const vp_dims s = vp_world_size(set);
    return (uint64_t)s.x * s.y * s.z;
}

/* Hashes the size and the bricks (materials, then occupancy). */
static void hash(const void *set, vp_hasher *h)
{
    const vp_dims s = vp_world_size(set);
    vp_hash_u32(h, s.x);
    vp_hash_u32(h, s.y);
    vp_hash_u32(h, s.z);
    vp_hash_bytes(h, vp_world_bricks(set).material, (size_t)count(set));
    vp_hash_bytes(h, vp_world_occupancy(set), (size_t)count(set));
}

/* Counts a world's content. */
static vp_status contents(const vp_data *data, json_t **out, vp_error *error)
{
    const vp_world *world = data->set;
    vp_broadphase *broadphase;
    VP_RETURN_IF_FAILED(vp_broadphase_create(&(vp_broadphase_def){.world = world}, &broadphase, error));
    vp_broadphase_memory memory = vp_broadphase_memory_use(broadphase);
    vp_broadphase_destroy(broadphase);
    uint64_t of[256];
    vp_count_materials(world, of);
    json_t *materials = json_object();
    for (int m = 0; m < 256; m++)
        if (of[m] != 0) {
            char key[8];
            snprintf(key, sizeof key, "%d", m);
            json_object_set_new(materials, key, json_integer((json_int_t)of[m]));
        }
    *out = json_pack("{s:I, s:I, s:I, s:o, s:i, s:i, s:i, s:i, s:I}", "air", (json_int_t)of[VP_AIR], "water", (json_int_t)of[VP_WATER],
                     "solid", (json_int_t)(count(world) - of[VP_AIR] - of[VP_WATER]), "materials", materials, "chunks_empty",
                     (int)memory.chunks[VP_CHUNK_EMPTY], "chunks_full_solid", (int)memory.chunks[VP_CHUNK_FULL_SOLID], "chunks_full_water",
                     (int)memory.chunks[VP_CHUNK_FULL_WATER], "chunks_mixed", (int)memory.chunks[VP_CHUNK_MIXED], "broadphase_mask_bytes",
                     (json_int_t)memory.mask_bytes);
    return VP_OK;
}

static void drop(void *set)
{
    vp_world_destroy(set);
}

static const vp_generator generators[] = {{.name = "terrain", .param = terrain_params, .make = make_terrain},
                                          {.name = "random", .param = random_params, .make = make_random},
                                          {.name = "checker", .param = checker_params, .make = make_checker},
                                          {.name = "forest", .param = forest_params, .make = make_forest},
                                          {.name = "file", .make = make_file, .file = true},
                                          {0}};

const vp_kind vp_kind_world = {
    .name = "world",
    .words = "worlds",
    .one = "world",
    .alone = "a world stands alone; after the slash comes a set of boxes or edits, as in "
             "terrain-l2/boxes-small",
    .member = (const char *const[]){"size", "params", "source", "on_demand", "hash", NULL},
    .generator = generators,
    .fuzz = vp_fuzz_world,
    .count = count,
    .hash = hash,
    .contents = contents,
    .drop = drop,
};
