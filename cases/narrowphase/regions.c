/* SPDX-License-Identifier: MIT */
/* regions: spheres are dug out of a world one after the other, and the parts that each cuts off are found and removed. The search starts at
 * the edit, or ("whole") labels the whole world. In small worlds every fourth edit adds voxels. The corpus and unit.regions judge answers.
 */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/regions.h>

#include "cases/case.h"
#include "cases/edit_plan.h"
#include "datasets/random.h"
#include "src/core/error.h"

enum { VARIANTS = 5, WHOLE = 4, REACH = 5, BOX = 11 * 11 * 11, SEED = 51 };
static const char *const variants[VARIANTS + 1] = {"voxel", "r1.5", "r3", "r5", "r3-whole", NULL};
static const float radius_of[VARIANTS] = {0, 1.5f, 3, 5, 3};
static const uint32_t edits_of[VARIANTS] = {1024, 1024, 512, 256, 4};

typedef struct regions_work {
    const vp_data *data;
    bool small, whole;
    float radius;
    uint32_t count;
    vp_ivec3 *centre;
    vp_world *world;
    vp_arena *arena;
    vp_regions *found; /* of each edit */
    uint32_t done;     /* edits that found regions */
} regions_work;

static vp_voxel written(const regions_work *w, uint32_t edit)
{
    return w->small && edit % 4 == 3 ? (vp_voxel){9, 200} : (vp_voxel){VP_AIR, 0};
}

/* Lists the voxels of an edit in the world. @return their number */
static size_t voxels_of(const regions_work *w, uint32_t edit, vp_dims size, vp_ivec3 *at)
{
    const vp_ivec3 c = w->centre[edit];
    size_t count = 0;
    for (int32_t dy = -REACH; dy <= REACH; dy++)
        for (int32_t dz = -REACH; dz <= REACH; dz++)
            for (int32_t dx = -REACH; dx <= REACH; dx++) {
                const vp_ivec3 v = {c.x + dx, c.y + dy, c.z + dz};
                const bool in = v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x < (int32_t)size.x && v.y < (int32_t)size.y && v.z < (int32_t)size.z;
                if (in && (float)(dx * dx + dy * dy + dz * dz) <= w->radius * w->radius)
                    at[count++] = v;
            }
    return count;
}

/* A solid voxel, the highest of a column or the highest below a random height. In a world without any, an arbitrary place. */
static vp_ivec3 some_place(vp_random *r, const vp_world *world)
{
    const vp_dims size = vp_world_size(world);
    vp_ivec3 at = {0, 0, 0};
    for (int tries = 0; tries < 20; tries++) {
        at.x = (int32_t)vp_random_below(r, size.x);
        at.z = (int32_t)vp_random_below(r, size.z);
        at.y = (int32_t)(vp_random_below(r, 2) == 0 ? size.y - 1 : vp_random_below(r, size.y));
        while (at.y > 0 && vp_world_voxel(world, at).material < VP_FIRST_SOLID)
            at.y--;
        if (at.y > 0)
            break;
    }
    return at;
}

static vp_status make(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    regions_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(regions_work));
    w->data = data;
    w->arena = arena;
    w->small = strncmp(data->name, "fuzz-", 5) == 0;
    w->whole = variant == WHOLE;
    w->radius = radius_of[variant];
    w->count = w->small ? 8 : edits_of[variant];
    w->centre = vp_arena_keep(arena, w->count, sizeof *w->centre, alignof(vp_ivec3));
    w->found = vp_arena_keep(arena, w->count, sizeof *w->found, alignof(vp_regions));
    vp_random r = {SEED + variant};
    for (uint32_t i = 0; i < w->count; i++)
        w->centre[i] = some_place(&r, data->set);
    return VP_OK;
}

static void drop(void *argument)
{
    regions_work *w = argument;
    for (uint32_t i = 0; i < w->done; i++)
        vp_regions_destroy(&w->found[i]);
    w->done = 0;
    vp_world_destroy(w->world);
    w->world = NULL;
}

/* First removes parts that were loose from the start. */
static vp_status rewind_world(const vp_setting *how, void *argument, vp_error *error)
{
    regions_work *w = argument;
    vp_regions loose = {0};
    drop(w);
    vp_status status = vp_world_copy(w->data->set, &w->world, error);
    const vp_regions_def all = {.kernels = how->kernels, .max_regions = UINT32_MAX, .max_voxels = UINT32_MAX};
    if (status == VP_OK)
        status = vp_regions_label(&all, w->world, &loose, error);
    if (status == VP_OK)
        status = vp_regions_remove(&loose, w->world, NULL, error);
    vp_regions_destroy(&loose);
    return status;
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    regions_work *w = argument;
    vp_ivec3 at[BOX];
    vp_voxel before[BOX];
    vp_status status = VP_OK;
    const vp_regions_def def = {.kernels = how->kernels, .allocator = vp_arena_allocator(w->arena)};
    for (uint32_t i = 0; status == VP_OK && i < w->count; i++) {
        const size_t count = voxels_of(w, i, vp_world_size(w->world), at);
        const vp_voxel voxel = written(w, i);
        for (size_t k = 0; status == VP_OK && k < count; k++) {
            before[k] = vp_world_voxel(w->world, at[k]);
            status = vp_world_set_voxel(w->world, at[k], voxel, NULL, error);
        }
        if (status == VP_OK)
            status = w->whole ? vp_regions_label(&def, w->world, &w->found[i], error)
                              : vp_regions_find(&def, w->world, at, before, count, &w->found[i], error);
        if (status == VP_OK) {
            w->done++;
            status = vp_regions_remove(&w->found[i], w->world, NULL, error);
        }
    }
    *items = w->count;
    return status;
}

/* For each edit the number of regions, and each region's voxels, mass, centre and inertia. */
static void record(const void *argument, vp_records *out)
{
    const regions_work *w = argument;
    for (uint32_t i = 0; i < w->done; i++) {
        vp_record_u32(w->found[i].region_count, out);
        for (uint32_t k = 0; k < w->found[i].region_count; k++) {
            const vp_region *r = &w->found[i].region[k];
            for (uint32_t v = 0; v < r->count; v++) {
                vp_records_put_words(out, &r->at[v], 3);
                vp_records_put(out, (const uint8_t[2]){r->voxel[v].material, r->voxel[v].occupancy}, 2);
            }
            vp_records_put_longs(out, &r->mass.mass, 1);
            vp_records_put_longs(out, r->mass.centre, 3);
            double moments[6];
            vp_moments_of(&r->mass, moments);
            vp_records_put_longs(out, moments, 6);
            vp_records_end(out);
        }
    }
}

static void count_looks(const void *argument, vp_counters *out)
{
    const regions_work *w = argument;
    uint64_t seen = 0, regions = 0, taken = 0;
    for (uint32_t i = 0; i < w->done; i++) {
        seen += w->found[i].visited;
        regions += w->found[i].region_count;
        taken += w->found[i].voxel_count;
    }
    vp_count(out, "voxels_seen_per_edit", (double)seen / w->count);
    vp_count(out, "regions_per_edit", (double)regions / w->count);
    vp_count(out, "voxels_cut_off_per_edit", (double)taken / w->count);
}

/* Each run copies the world. */
static bool takes(const vp_data *data, uint32_t variant)
{
    const vp_dims size = vp_world_size(data->set);
    return (uint64_t)size.x * size.y * size.z <= 1u << 22 && (variant != WHOLE || size.x > 8);
}

static const vp_measured measured[] = {
    VP_ON("terrain-230k", (1u << VARIANTS) - 1, VP_TIMED), VP_ON("terrain-l2", 1, VP_VERIFIED), {.data = NULL}};
#define NOTE ", each with what it cuts off, found and taken out"
static const char *const notes[VARIANTS] = {NOTE, NOTE, NOTE, NOTE, ", after each of which the whole world is labelled"};

const vp_case vp_case_regions = {.kind = &vp_kind_world,
                                 .variant = variants,
                                 .questions = true,
                                 .takes = takes,
                                 .reads = "worlds of 4,194,304 voxels at most",
                                 .make = make,
                                 .rewind = rewind_world,
                                 .run = run,
                                 .records = record,
                                 .counters = count_looks,
                                 .drop = drop,
                                 .notes = notes,
                                 .measured = measured};
