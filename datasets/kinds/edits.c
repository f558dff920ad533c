/* SPDX-License-Identifier: MIT */
/* Sequences of edits, like those of a player or a bulldozer. Single voxels, boxes and spheres are dug out, filled in or
 * flooded around random points of chunks that are not empty. */
#include "datasets/manifest_data.h"

#include "src/core/error.h"
#include "datasets/hash.h"
#include "datasets/text.h"
#include "datasets/random.h"

#include <stdlib.h>

/* Edits around random points of MIXED chunks. */
typedef struct vp_edits_params {
    float box;    /* longest edge, voxels */
    float radius; /* largest radius of a sphere, voxels */
} vp_edits_params;

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

/* An edit around a voxel of the world. Voxels stay inside the world. Boxes and spheres may extend past its border. */
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
    case 1:
        break;
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

static vp_status make(const vp_making *from, void **set, vp_error *error)
{
    const vp_world *world = from->owner->set;
    uint32_t *mixed = NULL, mixed_count = 0;
    vp_edit_set *edits = *set;
    VP_RETURN_IF_FAILED(vp_mixed_chunks(world, from->name, &mixed, &mixed_count, error));
    edits->edit = malloc(from->dataset->count * sizeof *edits->edit);
    vp_status status = VP_OK;
    if (edits->edit == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for %u edits", from->name, from->dataset->count);
    } else {
        vp_random random = {from->seed};
        vp_dims n = vp_world_chunks(world);
        edits->count = from->dataset->count;
        for (uint32_t i = 0; i < edits->count; i++) {
            uint32_t c = mixed[vp_random_below(&random, mixed_count)];
            uint32_t x = c % n.x * 8 + vp_random_below(&random, 8); /* draws in a fixed order: one per statement */
            uint32_t y = c / n.x / n.z * 8 + vp_random_below(&random, 8);
            uint32_t z = c / n.x % n.z * 8 + vp_random_below(&random, 8);
            vp_ivec3 at = {(int32_t)x, (int32_t)y, (int32_t)z};
            edits->edit[i] = random_edit(&random, at, from->params);
        }
    }
    free(mixed);
    return status;
}

/* ---- the kind ---- */

/* Hashes the number of edits and their fields. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_edit_set *edits = set;
    vp_hash_u32(h, edits->count);
    for (uint32_t i = 0; i < edits->count; i++) {
        const vp_edit *e = &edits->edit[i];
        vp_hash_u32(h, (uint32_t)e->shape);
        vp_hash_words(h, &e->low, 3);
        vp_hash_words(h, &e->high, 3);
        vp_hash_vec3(h, e->centre);
        vp_hash_float(h, e->radius);
        const uint8_t voxel[2] = {e->voxel.material, e->voxel.occupancy};
        vp_hash_bytes(h, voxel, sizeof voxel);
    }
}

static void add_ivec3(vp_text *to, const char *name, vp_ivec3 v)
{
    vp_text_add(to, "\"%s\": [%d, %d, %d]", name, v.x, v.y, v.z);
}

static void lines(const void *set, vp_text *to)
{
    const vp_edit_set *edits = set;
    for (uint32_t i = 0; i < edits->count; i++) {
        const vp_edit *e = &edits->edit[i];
        static const char *const shapes[] = {"voxel", "box", "sphere"};
        vp_text_add(to, "{\"shape\": \"%s\", ", shapes[e->shape]);
        if (e->shape == VP_EDIT_VOXEL) {
            add_ivec3(to, "at", e->low);
        } else if (e->shape == VP_EDIT_BOX) {
            add_ivec3(to, "low", e->low);
            vp_text_add(to, ", ");
            add_ivec3(to, "high", e->high);
        } else {
            vp_text_add_vec3(to, "\"centre\": ", e->centre);
            vp_text_add(to, ", \"radius\": \"%a\"", (double)e->radius);
        }
        vp_text_add(to, ", \"material\": %d, \"occupancy\": %d}\n", e->voxel.material, e->voxel.occupancy);
    }
}

VP_KIND_DROP(vp_edit_set_destroy)

static const vp_param params[] = {VP_PARAM(vp_edits_params, box, 1, 256), VP_PARAM(vp_edits_params, radius, 0.25, 256), {0}};
static const vp_generator generators[] = {{.name = "edits", .param = params, .make = make}, {0}};

const vp_kind vp_kind_edits = {
    .name = "edits",
    .words = "edits of worlds",
    .bytes = sizeof(vp_edit_set),
    .owner = &vp_kind_world,
    .member = (const char *const[]){"count", "params", "hashes", NULL},
    .generator = generators,
    .count = vp_set_count,
    .hash = hash,
    .lines = lines,
    .drop = drop,
};

vp_status vp_edit_apply(const vp_edit *edit, vp_world *world, vp_chunk_set *stale, vp_error *error)
{
    switch (edit->shape) {
    case VP_EDIT_VOXEL:
        return vp_world_set_voxel(world, edit->low, edit->voxel, stale, error);
    case VP_EDIT_BOX:
        return vp_world_fill_box(world, edit->low, edit->high, edit->voxel, stale, error);
    case VP_EDIT_SPHERE:
        return vp_world_fill_sphere(world, edit->centre, edit->radius, edit->voxel, stale, error);
    }
    return vp_fail(error, VP_E_ARGUMENT, "edit of unknown shape %d", (int)edit->shape);
}
