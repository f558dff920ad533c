/* SPDX-License-Identifier: MIT */
/* Sequences of edits, as a player or a bulldozer makes them: single voxels, boxes and spheres, dug out, filled in or
   flooded, around random points of chunks that have something in them. */
#include "datasets/manifest_data.h"

#include "src/core/error.h"
#include "datasets/random.h"

#include <stdlib.h>

/* Half of the edits dig, three eighths build, one eighth pours water. */
static vp_voxel random_voxel(vp_random *random)
{
    uint32_t what = vp_random_below(random, 8);
    uint32_t material = VP_FIRST_SOLID + vp_random_below(random, VP_GENERATED_MATERIALS - VP_FIRST_SOLID);
    uint32_t occupancy = vp_random_below(random, 4) == 0 ? vp_random_below(random, 256) : 255;
    if (what < 4)
        return (vp_voxel){VP_AIR, 0};
    return (vp_voxel){what < 7 ? (uint8_t)material : VP_WATER, (uint8_t)occupancy};
}

/* An edit around a voxel of the world. Voxels stay inside it; boxes and spheres may reach out. */
static vp_edit random_edit(vp_random *random, vp_ivec3 at, const vp_edits_params *params)
{
    vp_edit e = {.shape = VP_EDIT_VOXEL, .low = at};
    uint32_t longest = (uint32_t)params->box, quarters = (uint32_t)(params->radius * 4.0f);
    int32_t edge[3];
    for (int axis = 0; axis < 3; axis++)
        edge[axis] = 1 + (int32_t)vp_random_below(random, longest);
    float radius = (float)(1 + vp_random_below(random, quarters)) / 4.0f;
    float part = (float)vp_random_below(random, 4) / 4.0f;
    switch (vp_random_below(random, 4)) {
    case 0:
    case 1: break;
    case 2:
        e.shape = VP_EDIT_BOX;
        e.low = (vp_ivec3){at.x - edge[0] / 2, at.y - edge[1] / 2, at.z - edge[2] / 2};
        e.high = (vp_ivec3){e.low.x + edge[0], e.low.y + edge[1], e.low.z + edge[2]};
        break;
    default:
        e.shape = VP_EDIT_SPHERE;
        e.low = (vp_ivec3){0, 0, 0};
        e.centre = (vp_vec3){(float)at.x + part, (float)at.y + part, (float)at.z + part};
        e.radius = radius;
        break;
    }
    e.voxel = random_voxel(random);
    return e;
}

vp_status vp_dataset_edits(const vp_manifest *manifest, const char *name, const vp_world *world, vp_edit_set *out,
                           vp_error *error)
{
    const vp_entry *entry;
    uint32_t *mixed = NULL, mixed_count = 0;
    vp_status status = vp_manifest_entry_on(manifest, name, VP_DATASET_EDITS, &entry, error);
    if (status == VP_OK)
        status = vp_mixed_chunks(world, name, &mixed, &mixed_count, error);
    if (status != VP_OK)
        return status;

    vp_edit_set set = {entry->dataset.count, malloc(entry->dataset.count * sizeof(vp_edit))};
    if (set.edit == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for %u edits", name, set.count);
    } else {
        vp_random random = {entry->dataset.seed};
        vp_dims n = vp_world_chunks(world);
        for (uint32_t i = 0; i < set.count; i++) {
            uint32_t c = mixed[vp_random_below(&random, mixed_count)];
            uint32_t x = c % n.x * 8 + vp_random_below(&random, 8); /* draws in a stated order: one a statement */
            uint32_t y = c / n.x / n.z * 8 + vp_random_below(&random, 8);
            uint32_t z = c / n.x % n.z * 8 + vp_random_below(&random, 8);
            vp_ivec3 at = {(int32_t)x, (int32_t)y, (int32_t)z};
            set.edit[i] = random_edit(&random, at, &entry->params.edits);
        }
        status = vp_manifest_check(manifest, name, vp_edit_set_hash(&set), error);
    }
    free(mixed);
    if (status == VP_OK)
        *out = set;
    else
        vp_edit_set_destroy(&set);
    return status;
}

void vp_edit_set_destroy(vp_edit_set *set)
{
    free(set->edit);
    *set = (vp_edit_set){0};
}

vp_status vp_edit_apply(const vp_edit *edit, vp_world *world, vp_chunk_set *stale, vp_error *error)
{
    switch (edit->shape) {
    case VP_EDIT_VOXEL: return vp_world_set_voxel(world, edit->low, edit->voxel, stale, error);
    case VP_EDIT_BOX: return vp_world_fill_box(world, edit->low, edit->high, edit->voxel, stale, error);
    case VP_EDIT_SPHERE:
        return vp_world_fill_sphere(world, edit->centre, edit->radius, edit->voxel, stale, error);
    }
    return vp_fail(error, VP_E_ARGUMENT, "edit of unknown shape %d", (int)edit->shape);
}
