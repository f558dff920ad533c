/* SPDX-License-Identifier: MIT */
/* Sets of boxes, the query sets of a world. A box's centre is a random point of a random MIXED chunk, where a query has
 * work to do. Boxes in empty air or deep rock are answered by the tag alone.
 *
 * Centres and half extents are whole multiples of 1/256 voxel. The corners are therefore exact in binary32, and some of
 * them fall on voxel borders. */
#include "datasets/manifest_data.h"

#include "src/core/error.h"
#include "datasets/fuzz.h"
#include "datasets/hash.h"
#include "datasets/text.h"
#include "datasets/random.h"

#include <voxphys/broadphase.h>

#include <stdlib.h>

/* ---- where there is something to touch ---- */

vp_status vp_mixed_chunks(const vp_world *world, const char *name, uint32_t **chunks, uint32_t *count, vp_error *error)
{
    const vp_kernels scalar = vp_scalar_kernels();
    vp_broadphase *broadphase = NULL;
    VP_RETURN_IF_FAILED(vp_broadphase_create(&(vp_broadphase_def){.world = world, .kernels = &scalar}, &broadphase, error));
    vp_dims n = vp_world_chunks(world);
    uint32_t mixed = vp_broadphase_memory_use(broadphase).chunks[VP_CHUNK_MIXED], found = 0;
    uint32_t *list = mixed == 0 ? NULL : malloc(mixed * sizeof *list);
    for (uint32_t c = 0; list != NULL && c < n.x * n.y * n.z; c++) {
        vp_ivec3 chunk = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
        if (vp_broadphase_chunk_class(broadphase, chunk) == VP_CHUNK_MIXED)
            list[found++] = c;
    }
    vp_broadphase_destroy(broadphase);
    if (mixed == 0)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.60s\": the world of %u x %u x %u chunks has no mixed chunk", name, n.x, n.y, n.z);
    if (list == NULL)
        return vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for the list of %u chunks", name, mixed);
    *chunks = list;
    *count = found;
    return vp_succeed(error);
}

/* ---- query sets ---- */

/* Boxes around random points of MIXED chunks. Extents are whole multiples of 1/128 voxel. */
typedef struct vp_boxes_params {
    float least, most; /* extent along an axis, voxels */
} vp_boxes_params;

/* A whole multiple of 1/256 voxel, as a coordinate within a chunk. */
static float coordinate(uint32_t chunk, uint32_t part)
{
    return (float)(chunk * 2048 + part) / 256.0f;
}

static vp_aabb random_box(vp_random *random, vp_dims n, uint32_t c, const vp_boxes_params *params)
{
    uint32_t least = (uint32_t)(params->least * 128.0f), most = (uint32_t)(params->most * 128.0f);
    const uint32_t chunk[3] = {c % n.x, c / n.x / n.z, c / n.x % n.z};
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        float middle = coordinate(chunk[axis], vp_random_below(random, 2048));
        float half = (float)(least + vp_random_below(random, most - least + 1)) / 256.0f;
        low[axis] = middle - half;
        high[axis] = middle + half;
    }
    return (vp_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

static vp_status make(const vp_making *from, void **set, vp_error *error)
{
    uint32_t *mixed = NULL, mixed_count = 0;
    vp_box_set *boxes = *set;
    vp_status status = vp_mixed_chunks(from->owner->set, from->name, &mixed, &mixed_count, error);
    if (status == VP_OK)
        status = vp_box_set_create(from->dataset->count, boxes, error);
    if (status == VP_OK) {
        vp_random random = {from->seed};
        for (uint32_t i = 0; i < boxes->count; i++) {
            uint32_t chunk = mixed[vp_random_below(&random, mixed_count)];
            boxes->box[i] = random_box(&random, vp_world_chunks(from->owner->set), chunk, from->params);
        }
        vp_box_set_split(boxes);
    }
    free(mixed);
    return status;
}

/* ---- the kind ---- */

static const char *check(const void *params, const char **must)
{
    const vp_boxes_params *p = params;
    *must = "at most \"most\"";
    return p->least > p->most ? "least" : NULL;
}

/* Hashes the number of boxes and their corners. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_box_set *boxes = set;
    vp_hash_u32(h, boxes->count);
    vp_hash_words(h, boxes->box, (size_t)boxes->count * 6);
}

static void lines(const void *set, vp_text *to)
{
    const vp_box_set *boxes = set;
    for (uint32_t i = 0; i < boxes->count; i++) {
        vp_text_add_vec3(to, "{\"min\": ", boxes->box[i].min);
        vp_text_add_vec3(to, ", \"max\": ", boxes->box[i].max);
        vp_text_add(to, "}\n");
    }
}

VP_KIND_DROP(vp_box_set_destroy)

static const vp_param params[] = {VP_PARAM(vp_boxes_params, least, 0, 256), VP_PARAM(vp_boxes_params, most, 0, 256), {0}};
static const vp_generator generators[] = {{.name = "boxes", .param = params, .make = make, .check = check}, {0}};

const vp_kind vp_kind_boxes = {
    .name = "boxes",
    .words = "boxes of worlds",
    .bytes = sizeof(vp_box_set),
    .owner = &vp_kind_world,
    .member = (const char *const[]){"count", "params", "hashes", NULL},
    .generator = generators,
    .fuzz = vp_fuzz_of_stream,
    .count = vp_set_count,
    .hash = hash,
    .lines = lines,
    .drop = drop,
};
