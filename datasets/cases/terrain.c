/* SPDX-License-Identifier: MIT */
/* Cases of a whole terrain: rays and boxes that are asked of all its chunks, whose trees the reference has built. Answers do
 * not depend on the trees' form. */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "datasets/cases/records.h"
#include "datasets/hash.h"

enum {
    LIST_CAPACITY = 512, /* of a list of triangles; the number of all is kept too */
    HITS_CAPACITY = 32,  /* of a list of hits */
    WORLD_HIT_BYTES = VP_HIT_BYTES + 4
};

typedef struct work {
    const char *name;
    vp_terrain_view terrain;
    const vp_ray *ray;
    const vp_aabb *box;
    uint32_t count; /* of rays or boxes */
    uint32_t *found;
    vp_terrain_hit *hit; /* of each ray; of terrain_ray_all HITS_CAPACITY of each */
    int32_t *any;
    vp_terrain_triangle_id *list; /* of each box LIST_CAPACITY */
} work;

static void drop(void *argument)
{
    work *w = argument;
    if (w == NULL)
        return;
    free(w->found);
    free(w->hit);
    free(w->any);
    free(w->list);
    free(w);
}

static vp_status no_memory(const work *w, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", w->name);
}

static vp_status begin(const vp_workload *workload, void **out, vp_error *error)
{
    work *w = calloc(1, sizeof *w);
    *out = w;
    if (w == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
    w->name = workload->name;
    return vp_workload_terrain(workload, &w->terrain, error);
}

/* ---- rays ---- */

static vp_status make_rays(const vp_workload *workload, void **out, vp_error *error)
{
    const vp_ray_set *rays = workload->terrain_rays.count != 0 ? &workload->terrain_rays : &workload->rays;
    vp_status status = begin(workload, out, error);
    work *w = *out;
    if (status != VP_OK)
        return status;
    w->ray = rays->ray;
    w->count = rays->count;
    w->hit = vp_spoilt(w->count, sizeof *w->hit);
    w->any = vp_spoilt(w->count, sizeof *w->any);
    return w->hit != NULL && w->any != NULL ? VP_OK : no_memory(w, error);
}

static uint64_t run_ray(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->count; i++)
        w->hit[i] = table->terrain_ray(&w->terrain, &w->ray[i]);
    return w->count;
}

static uint64_t run_ray16(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->count; i += 16)
        table->terrain_ray16(&w->terrain, &w->ray[i], w->count - i < 16 ? w->count - i : 16, &w->hit[i]);
    return w->count;
}

static uint64_t run_ray_any(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->count; i++)
        w->any[i] = table->terrain_ray_any(&w->terrain, &w->ray[i]);
    return w->count;
}

/* Of every fourth ray: a sphere meets many times the triangles. */
static vp_status make_sweeps(const vp_workload *workload, void **out, vp_error *error)
{
    vp_status status = make_rays(workload, out, error);
    work *w = *out;
    if (status == VP_OK)
        w->count = (w->count + 3) / 4;
    return status;
}

/* Of a sphere of half a voxel. */
static uint64_t run_sweep(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->count; i++)
        w->hit[i] = table->terrain_sphere_sweep(&w->terrain, &w->ray[i * 4], 0.5f);
    return w->count;
}

static void put_world_hit(uint8_t *at, const vp_terrain_hit *hit)
{
    vp_put_hit(at, &hit->hit);
    vp_put_u32(at + VP_HIT_BYTES, hit->chunk);
}

static vp_status hit_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    vp_status status = vp_records_create(WORLD_HIT_BYTES, w->count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < w->count; i++)
        put_world_hit(out->bytes + (size_t)i * WORLD_HIT_BYTES, &w->hit[i]);
    return status;
}

static vp_status any_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    vp_status status = vp_records_create(4, w->count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < w->count; i++)
        vp_put_u32(out->bytes + (size_t)i * 4, (uint32_t)w->any[i]);
    return status;
}

/* ---- lists of hits ---- */

static vp_status make_lists_of_hits(const vp_workload *workload, void **out, vp_error *error)
{
    vp_status status = make_rays(workload, out, error);
    work *w = *out;
    if (status != VP_OK)
        return status;
    free(w->hit);
    w->hit = vp_spoilt((size_t)w->count * HITS_CAPACITY, sizeof *w->hit);
    w->found = vp_spoilt(w->count, sizeof *w->found);
    return w->hit != NULL && w->found != NULL ? VP_OK : no_memory(w, error);
}

static uint64_t run_ray_all(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->count; i++)
        w->found[i] = table->terrain_ray_all(&w->terrain, &w->ray[i], w->hit + (size_t)i * HITS_CAPACITY, HITS_CAPACITY);
    return w->count;
}

static vp_status list_of_hits_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    vp_status status = vp_records_create(8, w->count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < w->count; i++) {
        uint8_t bytes[HITS_CAPACITY * WORLD_HIT_BYTES + 4];
        uint32_t kept = w->found[i] < HITS_CAPACITY ? w->found[i] : HITS_CAPACITY;
        if (w->found[i] == VP_RAY_ALL_INVALID)
            kept = 0;
        for (uint32_t k = 0; k < kept; k++)
            put_world_hit(bytes + k * WORLD_HIT_BYTES, &w->hit[(size_t)i * HITS_CAPACITY + k]);
        vp_put_u32(bytes + kept * WORLD_HIT_BYTES, w->found[i]);
        vp_put_u64(out->bytes + (size_t)i * 8, vp_hash64(bytes, kept * WORLD_HIT_BYTES + 4));
    }
    return status;
}

/* ---- boxes ---- */

static vp_status make_boxes(const vp_workload *workload, void **out, vp_error *error)
{
    vp_status status = begin(workload, out, error);
    work *w = *out;
    if (status != VP_OK)
        return status;
    w->box = workload->boxes.count != 0 ? workload->boxes.box : workload->mesh_boxes.box;
    w->count = workload->boxes.count != 0 ? workload->boxes.count : workload->mesh_boxes.count;
    w->list = vp_spoilt((size_t)w->count * LIST_CAPACITY, sizeof *w->list);
    w->found = vp_spoilt(w->count, sizeof *w->found);
    return w->list != NULL && w->found != NULL ? VP_OK : no_memory(w, error);
}

static uint64_t run_box(const vp_kernels *table, void *argument)
{
    work *w = argument;
    for (uint32_t i = 0; i < w->count; i++)
        w->found[i] = table->terrain_gather(&w->terrain, &w->box[i], w->list + (size_t)i * LIST_CAPACITY, LIST_CAPACITY);
    return w->count;
}

static int ascending(const void *a, const void *b)
{
    vp_terrain_triangle_id one, two;
    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    const int by_chunk = (one.chunk > two.chunk) - (one.chunk < two.chunk);
    return by_chunk != 0 ? by_chunk : (one.triangle > two.triangle) - (one.triangle < two.triangle);
}

/* As of one tree's boxes: the hash of the sorted list and of its length, or of the length alone if the list did not fit. */
static vp_status list_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    vp_status status = vp_records_create(8, w->count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < w->count; i++) {
        vp_terrain_triangle_id sorted[LIST_CAPACITY];
        uint8_t bytes[LIST_CAPACITY * 8 + 4];
        uint32_t kept = w->found[i] <= LIST_CAPACITY ? w->found[i] : 0;
        memcpy(sorted, w->list + (size_t)i * LIST_CAPACITY, sizeof sorted);
        qsort(sorted, kept, sizeof *sorted, ascending);
        for (uint32_t k = 0; k < kept; k++) {
            vp_put_u32(bytes + 8 * k, sorted[k].chunk);
            vp_put_u32(bytes + 8 * k + 4, sorted[k].triangle);
        }
        vp_put_u32(bytes + 8 * kept, w->found[i]);
        vp_put_u64(out->bytes + (size_t)i * 8, vp_hash64(bytes, 8 * kept + 4));
    }
    return status;
}

const vp_case vp_case_terrain_ray = {"rays", VP_FOOD_TERRAIN_RAYS, make_rays, run_ray, hit_records, drop};
const vp_case vp_case_terrain_ray16 = {"rays", VP_FOOD_TERRAIN_RAYS, make_rays, run_ray16, hit_records, drop};
const vp_case vp_case_terrain_ray_any = {"rays", VP_FOOD_TERRAIN_RAYS, make_rays, run_ray_any, any_records, drop};
const vp_case vp_case_terrain_ray_all = {"rays", VP_FOOD_TERRAIN_RAYS, make_lists_of_hits, run_ray_all, list_of_hits_records, drop};
const vp_case vp_case_terrain_sphere_sweep = {"sweeps", VP_FOOD_TERRAIN_RAYS, make_sweeps, run_sweep, hit_records, drop};
const vp_case vp_case_terrain_gather = {"queries", VP_FOOD_TERRAIN_BOXES, make_boxes, run_box, list_records, drop};
