/* SPDX-License-Identifier: MIT */
/* Cases of a whole terrain. Rays and boxes query all its chunks, whose trees were built by the reference. A variant is a kind of tree and
 * does not change answers. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kd.h>
#include <voxphys/mesh.h>

#include "cases/case.h"
#include "cases/copies.h"
#include "cases/derived.h"
#include "cases/terrain_hits.h"

enum {
    LIST_CAPACITY = 512, /* of a list of triangles, in addition to the total number */
    HITS_CAPACITY = 32   /* of a list of hits */
};

typedef struct terrain_work {
    const vp_data *meshes;
    uint32_t variant;
    vp_terrain_view terrain;
    const vp_ray *ray;
    const vp_aabb *box;
    uint32_t count; /* of rays or boxes */
    uint32_t *found;
    vp_terrain_hit *hit; /* of each ray */
    int32_t *any;
    vp_lists list; /* of each ray or box */
} terrain_work;

static bool takes(const vp_data *data, uint32_t variant)
{
    return vp_has_terrain(data->owner->set);
}

static vp_status begin(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    vp_terrain_view terrain;
    const vp_status status = vp_derive_terrain(data->owner, variant, &terrain, error);
    if (status != VP_OK)
        return status;
    terrain_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(terrain_work));
    w->meshes = data->owner;
    w->variant = variant;
    w->terrain = terrain;
    w->terrain.bits = vp_copy_broadphase(arena, &terrain.bits);
    w->terrain.tree = vp_copy_trees(arena, terrain.tree, (size_t)terrain.bits.chunks.x * terrain.bits.chunks.y * terrain.bits.chunks.z);
    return VP_OK;
}

static void count_terrain(const void *argument, vp_counters *out)
{
    const terrain_work *w = argument;
    double bytes;
    uint64_t triangles;
    vp_error error;
    if (vp_terrain_bytes(w->meshes, w->variant, &bytes, &triangles, &error) == VP_OK)
        vp_count(out, "bytes_per_triangle", bytes);
}

/* ---- rays ---- */

static vp_status begin_rays(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_ray_set *rays;
    vp_status status = vp_terrain_rays(data, &rays, error);
    if (status == VP_OK)
        status = begin(data, variant, arena, out, error);
    terrain_work *w = *out;
    if (status != VP_OK)
        return status;
    w->ray = vp_arena_input(arena, rays->ray, rays->count, sizeof *w->ray, alignof(vp_ray), 0);
    w->count = rays->count;
    return VP_OK;
}

VP_MAKE_OUTPUT(make_rays, begin_rays, terrain_work, hit, vp_terrain_hit, w->count)

VP_RUN_EACH(run_ray, terrain_work, w->count, w->hit[i] = how->kernels->terrain_ray(&w->terrain, &w->ray[i]))
VP_RECORD_EACH(record_hits, terrain_work, w->count, vp_record_words(&w->hit[i], VP_TERRAIN_HIT_WORDS, out))

VP_RUN(run_ray16, terrain_work, w->count,
       for (uint32_t i = 0; i < w->count; i += 16)
           how->kernels->terrain_ray16(&w->terrain, &w->ray[i], w->count - i < 16 ? w->count - i : 16, &w->hit[i]))

/* Uses every fourth ray, because a sphere meets many times the triangles. */
static vp_status make_sweeps(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = begin_rays(data, variant, arena, out, error);
    terrain_work *w = *out;
    if (status != VP_OK)
        return status;
    w->count = (w->count + 3) / 4;
    w->hit = vp_arena_output(arena, w->count, sizeof *w->hit, alignof(vp_terrain_hit), 0);
    return VP_OK;
}

/* A sphere with a radius of half a voxel. */
VP_RUN_EACH(run_sweep, terrain_work, w->count, w->hit[i] = how->kernels->terrain_sphere_sweep(&w->terrain, &w->ray[i * 4], 0.5f))

VP_MAKE_OUTPUT(make_any, begin_rays, terrain_work, any, int32_t, w->count)

VP_RUN_EACH(run_any, terrain_work, w->count, w->any[i] = how->kernels->terrain_ray_any(&w->terrain, &w->ray[i]))
VP_RECORD_EACH(record_any, terrain_work, w->count, vp_record_u32((uint32_t)w->any[i], out))

/* ---- lists of hits ---- */

VP_MAKE_LISTS(make_all, begin_rays, terrain_work, vp_terrain_hit, HITS_CAPACITY, true,
              vp_terrain_ray_all_scalar(&w->terrain, &w->ray[i], NULL, 0))
VP_RUN_EACH(run_all, terrain_work, w->count,
            w->found[i] = how->kernels->terrain_ray_all(&w->terrain, &w->ray[i], VP_LIST(vp_terrain_hit, w->list, i),
                                                        vp_list_room(&w->list, i)))

VP_RECORD_EACH(record_all, terrain_work, w->count,
               vp_record_list(VP_LIST(vp_terrain_hit, w->list, i), VP_TERRAIN_HIT_WORDS *(size_t)vp_list_kept(&w->list, i, w->found[i]),
                              w->found[i], out))

/* ---- boxes ---- */

static vp_status begin_boxes(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_aabb *box;
    uint32_t count;
    vp_status status = vp_terrain_boxes(data, &box, &count, error);
    if (status == VP_OK)
        status = begin(data, variant, arena, out, error);
    terrain_work *w = *out;
    if (status != VP_OK)
        return status;
    w->box = vp_arena_input(arena, box, count, sizeof *w->box, alignof(vp_aabb), 0);
    w->count = count;
    return VP_OK;
}

/* Many lists are full, and may then have any of the triangles. */
VP_MAKE_LISTS(make_boxes, begin_boxes, terrain_work, vp_terrain_triangle_id, LIST_CAPACITY, false,
              vp_terrain_gather_scalar(&w->terrain, &w->box[i], NULL, 0))

VP_RUN_EACH(run_gather, terrain_work, w->count,
            w->found[i] = how->kernels->terrain_gather(&w->terrain, &w->box[i], VP_LIST(vp_terrain_triangle_id, w->list, i),
                                                       vp_list_room(&w->list, i)))

static int ascending(const void *a, const void *b)
{
    vp_terrain_triangle_id one, two;
    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    const int by_chunk = (one.chunk > two.chunk) - (one.chunk < two.chunk);
    return by_chunk != 0 ? by_chunk : (one.triangle > two.triangle) - (one.triangle < two.triangle);
}

/* As for the boxes of one tree: the hash of the sorted list and its length, or only the length if the list did not fit. */
static void record_lists(const void *argument, vp_records *out)
{
    const terrain_work *w = argument;
    for (uint32_t i = 0; i < w->count; i++) {
        vp_terrain_triangle_id sorted[LIST_CAPACITY];
        const uint32_t kept = w->found[i] <= vp_list_room(&w->list, i) ? w->found[i] : 0;
        memcpy(sorted, VP_LIST(const vp_terrain_triangle_id, w->list, i), kept * sizeof *sorted);
        qsort(sorted, kept, sizeof *sorted, ascending);
        vp_record_list(sorted, 2 * (size_t)kept, w->found[i], out);
    }
}

/* Bits of variants for every form of tree except the default. */
enum { FORMS = 2 | 4 | 8 | 16 };

/* All forms of trees, and plain triangles compared with the quads that they form. */
#define EVERY_FORM(set) VP_ON(set, 1 | FORMS, VP_TIMED), VP_ON(set, 32, VP_TIMED), VP_AS(set, 1, VP_TIMED, "quads", NULL)
static const vp_measured nearest[] = {EVERY_FORM("world-230k/coherent"),
                                      EVERY_FORM("world-230k/incoherent"),
                                      EVERY_FORM("world-230k/mixed"),
                                      EVERY_FORM("world-luanti/coherent"),
                                      EVERY_FORM("world-luanti/incoherent"),
                                      EVERY_FORM("world-luanti/mixed"),
                                      {.data = NULL}};
static const vp_measured packets[] = {VP_ON("world-230k/coherent", 1, VP_TIMED),
                                      VP_ON("world-230k/incoherent", 1, VP_TIMED),
                                      VP_ON("world-230k/mixed", 1, VP_TIMED),
                                      VP_ON("world-luanti/coherent", 1, VP_TIMED),
                                      VP_ON("world-luanti/incoherent", 1, VP_TIMED),
                                      VP_ON("world-luanti/mixed", 1, VP_TIMED),
                                      {.data = NULL}};
static const vp_measured others[] = {VP_ON("world-230k/coherent", 1, VP_TIMED), {.data = NULL}};
static const vp_measured gathered[] = {
    EVERY_FORM("world-230k/box-1.5"), EVERY_FORM("world-230k/box-6"), EVERY_FORM("world-luanti/box-1.5"), {.data = NULL}};

#define TERRAIN(kind_, words, make_, run_, records_, measured_)                                                                            \
    {                                                                                                                                      \
        .kind = &(kind_), .variant = vp_tree_names, .takes = takes, .reads = (words), .make = (make_), .run = (run_),                      \
        .records = (records_), .counters = count_terrain, .same = true, .measured = (measured_)                                            \
    }
#define RAYS(make_, run_, records_, measured_) TERRAIN(vp_kind_rays, "rays of meshes that are a world's", make_, run_, records_, measured_)
const vp_case vp_case_terrain_ray = RAYS(make_rays, run_ray, record_hits, nearest);
const vp_case vp_case_terrain_ray16 = RAYS(make_rays, run_ray16, record_hits, packets);
const vp_case vp_case_terrain_ray_any = RAYS(make_any, run_any, record_any, others);
const vp_case vp_case_terrain_ray_all = RAYS(make_all, run_all, record_all, others);
const vp_case vp_case_terrain_sphere_sweep = RAYS(make_sweeps, run_sweep, record_hits, others);
const vp_case vp_case_terrain_gather =
    TERRAIN(vp_kind_mesh_boxes, "boxes of meshes that are a world's", make_boxes, run_gather, record_lists, gathered);
