/* SPDX-License-Identifier: MIT */
/* Cases of a whole terrain. Rays and boxes query all its chunks, whose trees were built by the reference. A variant is a kind of tree and
 * does not change answers. */
#include <inttypes.h>
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kd.h>
#include <voxphys/mesh.h>
#include <voxphys/terrain.h>

#include "cases/case.h"
#include "cases/copies.h"
#include "cases/derived.h"
#include "datasets/random.h"
#include "src/core/error.h"

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

/* Whole terrains as a program uses them: vp_terrain with its locks, its cache and its budget.
 *
 * terrain_prepare:  Makes all meshes and trees of a world, which must then answer rays without making any.
 * terrain_cast:     Casts rays, one a call or all in one ("many"). All trees exist. Or a budget that holds everything makes each tree
 *                   pinned while it is read. Or no mesh and no tree exists yet ("cold").
 * terrain_wander:   Casts rays that wander over a world with a budget for meshes and trees. */

enum {
    MIB = 1024 * 1024,
    /* Rounds before the time is taken. Afterwards the cache hardly changes between rounds, because the top level has learned from the
     * meshes of one round where the next round's rays need not look. */
    WANDERINGS = 4
};

/* A counting allocator on top of C's, for one thread. */
typedef struct counted {
    size_t bytes, most;
} counted;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    counted *c = user;
    const vp_allocator below = vp_allocator_default();
    void *block = below.allocate(below.user, bytes, alignment);
    if (block != NULL && (c->bytes += bytes) > c->most)
        c->most = c->bytes;
    return block;
}

static void release(void *user, void *block, size_t bytes)
{
    counted *c = user;
    const vp_allocator below = vp_allocator_default();
    c->bytes -= bytes;
    below.release(below.user, block, bytes);
}

/* Terrains allocate from C itself. Without memory they keep less, which is no failure. */
typedef struct terrain_operation_work {
    const vp_data *data; /* a world, or meshes that belong to one */
    const vp_world *world;
    vp_surface surface;
    vp_ivec3 first; /* the box of chunks */
    vp_dims chunks;
    size_t budget;
    bool many;    /* all rays in one call */
    bool cold;    /* each run begins without meshes and trees */
    int rounds;   /* number before a run, for terrains with the counting allocator */
    uint64_t all; /* number of triangles to prepare */
    const vp_ray *ray;
    uint32_t count;
    vp_terrain_hit *hit; /* NULL for prepare, which casts them for its records */
    vp_terrain *terrain;
    counted memory;
    vp_allocator allocator;
    bool spoilt;   /* a run failed */
    uint64_t runs; /* since it was made */
    vp_terrain_stats before;
} terrain_operation_work;

/* ---- common parts ---- */

static vp_status create(const vp_setting *how, terrain_operation_work *w, vp_error *error)
{
    vp_terrain_destroy(w->terrain);
    w->terrain = NULL;
    w->runs = 0;
    w->spoilt = false;
    w->allocator = (vp_allocator){&w->memory, allocate, release};
    const vp_terrain_def def = {.world = (vp_world *)(uintptr_t)w->world,
                                .surfaces = 1u << w->surface,
                                .first = w->first,
                                .chunks = w->chunks,
                                .form = VP_KD_WIDE,
                                .budget = w->budget,
                                .kernels = how->kernels,
                                .executor = how->executor,
                                .allocator = w->rounds != 0 ? &w->allocator : NULL};
    const vp_status status = vp_terrain_create(&def, &w->terrain, error);
    w->memory.most = w->memory.bytes; /* exclude the peak of making it */
    return status;
}

static vp_status cast(terrain_operation_work *w, vp_error *error)
{
    vp_status status = VP_OK;
    if (w->many)
        return vp_terrain_raycast_many(w->terrain, w->surface, w->ray, w->count, w->hit, error);
    for (uint32_t i = 0; status == VP_OK && i < w->count; i++)
        status = vp_terrain_raycast(w->terrain, w->surface, &w->ray[i], &w->hit[i], error);
    return status;
}

/* Casting changes the cache, but no answer. */
static vp_status rewind_terrain(const vp_setting *how, void *argument, vp_error *error)
{
    terrain_operation_work *w = argument;
    if (w->terrain != NULL && !w->cold && !w->spoilt)
        return VP_OK;
    vp_status status = create(how, w, error);
    if (status == VP_OK && !w->cold && w->rounds == 0)
        status = vp_terrain_prepare(w->terrain, error);
    for (int round = 0; status == VP_OK && round < w->rounds; round++)
        status = cast(w, error);
    if (status == VP_OK)
        w->before = vp_terrain_stats_of(w->terrain);
    return status;
}

static vp_status run_cast(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    terrain_operation_work *w = argument;
    const vp_status status = cast(w, error);
    const vp_terrain_stats stats = vp_terrain_stats_of(w->terrain);
    w->spoilt = status != VP_OK;
    *items = w->count;
    w->runs++;
    if (status == VP_OK && stats.peak_bytes > stats.budget)
        return vp_fail(error, VP_E_FORMAT, "%zu bytes were kept, and the budget is %zu", stats.peak_bytes, stats.budget);
    return status;
}

VP_RECORD_EACH(record_cast, terrain_operation_work, w->count, vp_record_words(&w->hit[i], VP_TERRAIN_HIT_WORDS, out))

/* Compares with the reference's kernels, which use no cache and no lock, and trees that all exist. */
static vp_status judge_of(const terrain_operation_work *w, const vp_data *terrain, const vp_terrain_hit *hit, vp_error *error)
{
    vp_terrain_view view;
    const vp_kernels scalar = vp_scalar_kernels();
    vp_status status = vp_derive_terrain(terrain, 0, &view, error);
    for (uint32_t i = 0; status == VP_OK && i < w->count; i++) {
        const vp_terrain_hit want = scalar.terrain_ray(&view, &w->ray[i]);
        if (memcmp(&want.in_chunk, &hit[i].in_chunk, sizeof want.in_chunk) != 0 || want.chunk != hit[i].chunk)
            status = vp_fail(error, VP_E_FORMAT, "ray %u meets something else than by the kernels alone", i);
    }
    return status;
}

static vp_status judge_cast(const void *argument, uint32_t step, vp_error *error)
{
    const terrain_operation_work *w = argument;
    return judge_of(w, w->data, w->hit, error);
}

static void drop(void *argument)
{
    vp_terrain_destroy(((terrain_operation_work *)argument)->terrain);
}

/* Selects the rays that a kernel accepts. The others have no hit.
 * @param out  NULL = only count */
static uint32_t choose_rays(const vp_ray_set *rays, bool some, vp_ray *out)
{
    const vp_triangle_soa nothing = {.count = 0};
    const uint32_t count = some ? vp_cold_rays(rays->count) : rays->count;
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < count; i++) {
        const vp_ray *ray = &rays->ray[some ? vp_cold_ray(i) : i];
        if (vp_brute_ray_scalar(&nothing, ray).triangle == VP_RAY_INVALID)
            continue;
        if (out != NULL)
            out[chosen] = *ray;
        chosen++;
    }
    return chosen;
}

/* @param some  of many rays, those that vp_cold_ray selects */
static terrain_operation_work *begin_operation(const vp_data *data, const vp_ray_set *rays, bool some, vp_arena *arena, void **out)
{
    some = some && vp_cold_rays(rays->count) != 0;
    const uint32_t count = choose_rays(rays, some, NULL);
    vp_ray *ray = vp_arena_keep(arena, count, sizeof *ray, alignof(vp_ray));
    terrain_operation_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(terrain_operation_work));
    w->data = data;
    w->budget = VP_TERRAIN_NO_LIMIT;
    w->count = count;
    w->ray = ray;
    choose_rays(rays, some, ray);
    if (data->kind == &vp_kind_world) {
        w->world = data->set;
        w->chunks = vp_world_chunks(w->world);
    } else {
        const vp_mesh_set *m = data->set;
        w->world = m->world;
        w->surface = m->surface;
        w->first = m->first;
        w->chunks = m->chunk_box;
    }
    return w;
}

/* ---- terrain_cast ---- */

enum { OBJECT, PINNED, MANY, COLD };
static const char *const cast_variants[] = {"object", "pinned", "many", "cold", NULL};
static const char *const cast_notes[] = {", one a call, all trees there", ", one a call, all trees there and within a budget",
                                         ", all in one call, all trees there",
                                         ", one a call; in it: the meshes and trees of the chunks that they come to, from voxels"};

static bool takes_rays(const vp_data *data, uint32_t variant)
{
    return vp_has_terrain(data->owner->set);
}

static vp_status make_cast(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_ray_set *rays;
    const vp_status status = vp_terrain_rays(data, &rays, error);
    if (status != VP_OK)
        return status;
    terrain_operation_work *w = begin_operation(data->owner, rays, variant == COLD, arena, out);
    w->hit = vp_arena_output(arena, w->count, sizeof *w->hit, alignof(vp_terrain_hit), 0);
    w->many = variant == MANY;
    w->cold = variant == COLD;
    w->budget = variant == PINNED ? (size_t)1024 * MIB : VP_TERRAIN_NO_LIMIT;
    return VP_OK;
}

static void count_cast(const void *argument, vp_counters *out)
{
    const terrain_operation_work *w = argument;
    const vp_terrain_stats now = vp_terrain_stats_of(w->terrain);
    if (!w->cold)
        return;
    vp_count(out, "chunks_built", (double)now.built);
    vp_count(out, "kept_bytes", (double)now.bytes);
}

#define ASKED(set) VP_AS(set, 1 << OBJECT, VP_TIMED, "object", NULL), VP_AS(set, 1 << COLD, VP_TIMED, "object", "cold")
#define ASKED_MORE(set)                                                                                                                    \
    ASKED(set), VP_ON(set, 1 << PINNED, VP_TIMED | VP_NOT_SCALAR),                                                                         \
        VP_AS(set, 1 << MANY, VP_TIMED | VP_NOT_SCALAR | VP_THREADS, "object", NULL)
static const vp_measured cast_measured[] = {ASKED_MORE("world-230k/coherent"),
                                            ASKED_MORE("world-230k/incoherent"),
                                            ASKED("world-230k/mixed"),
                                            ASKED_MORE("world-luanti/coherent"),
                                            ASKED_MORE("world-luanti/incoherent"),
                                            ASKED("world-luanti/mixed"),
                                            {.data = NULL}};

const vp_case vp_case_terrain_cast = {.kind = &vp_kind_rays,
                                      .variant = cast_variants,
                                      .takes = takes_rays,
                                      .reads = "rays of meshes that are a world's",
                                      .make = make_cast,
                                      .rewind = rewind_terrain,
                                      .run = run_cast,
                                      .records = record_cast,
                                      .judge = judge_cast,
                                      .counters = count_cast,
                                      .drop = drop,
                                      .notes = cast_notes,
                                      .beside = "terrain_ray",
                                      .measured = cast_measured};

/* ---- terrain_prepare ---- */

static bool takes_meshes(const vp_data *data, uint32_t variant)
{
    return vp_has_terrain(data->set);
}

/* The rays of "world-230k" are "world-230k/coherent". */
static vp_status make_prepare(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    char name[VP_DATA_NAME_BYTES];
    const vp_data *rays;
    const vp_ray_set *set = NULL;
    double bytes;
    uint64_t all = 0;
    snprintf(name, sizeof name, "%.64s%s", data->name, strncmp(data->name, "fuzz-", 5) == 0 ? "" : "/coherent");
    vp_status status = vp_store_open(data->store, &vp_kind_rays, name, &rays, error);
    if (status == VP_OK)
        status = vp_terrain_rays(rays, &set, error);
    if (status == VP_OK)
        status = vp_terrain_bytes(data, 0, &bytes, &all, error);
    if (status != VP_OK)
        return status;
    terrain_operation_work *w = begin_operation(data, set, false, arena, out);
    w->all = all;
    w->cold = true;
    return VP_OK;
}

/* All triangles must exist, and no others. */
static vp_status run_prepare(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    terrain_operation_work *w = argument;
    const vp_status status = vp_terrain_prepare(w->terrain, error);
    const vp_terrain_stats stats = vp_terrain_stats_of(w->terrain);
    *items = stats.kept;
    if (status == VP_OK && stats.triangles != w->all)
        return vp_fail(error, VP_E_FORMAT, "%" PRIu64 " triangles were prepared, not %" PRIu64, stats.triangles, w->all);
    return status;
}

/* Casts the rays. Returns NULL with a message after a failure, or if a mesh with triangles was made. Chunks without triangles are requested
 * again. The caller frees the hits. */
static vp_terrain_hit *ask(const terrain_operation_work *w, vp_error *error)
{
    const uint64_t kept = vp_terrain_stats_of(w->terrain).kept;
    vp_terrain_hit *hit = vp_must(calloc(w->count + 1u, sizeof *hit), w->count);
    vp_status status = vp_terrain_raycast_many(w->terrain, w->surface, w->ray, w->count, hit, error);
    if (status == VP_OK && vp_terrain_stats_of(w->terrain).kept != kept)
        status = vp_fail(error, VP_E_FORMAT, "meshes were left unmade");
    if (status == VP_OK)
        return hit;
    free(hit);
    return NULL;
}

static void record_prepared(const void *argument, vp_records *out)
{
    const terrain_operation_work *w = argument;
    vp_error error;
    vp_terrain_hit *hit = ask(w, &error);
    for (uint32_t i = 0; hit != NULL && i < w->count; i++)
        vp_record_words(&hit[i], VP_TERRAIN_HIT_WORDS, out);
    free(hit);
}

static vp_status judge_prepared(const void *argument, uint32_t step, vp_error *error)
{
    const terrain_operation_work *w = argument;
    vp_terrain_hit *hit = ask(w, error);
    const vp_status status = hit != NULL ? judge_of(w, w->data, hit, error) : error->status;
    free(hit);
    return status;
}

static const char *const prepare_notes[] = {", with triangles; in it: their meshes and trees, from voxels"};
static const vp_measured prepare_measured[] = {
    VP_ON("world-230k", 1, VP_TIMED | VP_THREADS | VP_VERIFIED), VP_ON("world-luanti", 1, VP_TIMED | VP_THREADS), {.data = NULL}};

const vp_case vp_case_terrain_prepare = {.kind = &vp_kind_meshes,
                                         .takes = takes_meshes,
                                         .reads = "meshes that are a world's",
                                         .make = make_prepare,
                                         .rewind = rewind_terrain,
                                         .run = run_prepare,
                                         .records = record_prepared,
                                         .judge = judge_prepared,
                                         .counters = count_cast,
                                         .drop = drop,
                                         .notes = prepare_notes,
                                         .measured = prepare_measured};

/* ---- terrain_wander ---- */

static const size_t budgets[] = {VP_TERRAIN_NO_LIMIT, MIB, 16 * MIB, 256 * MIB, MIB, 16 * MIB, 256 * MIB};
static const char *const wander_variants[] = {"no-limit",         "budget-1MiB",       "budget-16MiB",       "budget-256MiB",
                                              "budget-1MiB-many", "budget-16MiB-many", "budget-256MiB-many", NULL};
#define WITHIN        ", one a call, meshes and trees within the budget"
#define WITHIN_SORTED ", all in one call and sorted there, meshes and trees within the budget"
static const char *const wander_notes[] = {
    ", one a call, all trees there", WITHIN, WITHIN, WITHIN, WITHIN_SORTED, WITHIN_SORTED, WITHIN_SORTED};

enum {
    FIRST_MANY = 4, /* variant */
    TILE = 8,       /* rays along an edge of a tile */
    TILES = 1024,   /* number over a world, fewer over the small ones of "fuzz-<n>" */
    FEW_TILES = 4,
    SEED = 41
};

/* Tiles of 8 x 8 rays, like a camera's, from above a world down to it, each from a random place. */
static vp_status derive_rays(const vp_data *world, uint32_t tiles, void **out, vp_error *error)
{
    const vp_dims size = vp_world_size(world->set);
    const float top = (float)size.y;
    vp_random random = {SEED};
    vp_ray *ray = *out = malloc((size_t)tiles * TILE * TILE * sizeof *ray);
    if (ray == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for rays over %s", world->name);
    for (uint32_t t = 0; t < tiles; t++) {
        vp_vec3 eye, aim;
        eye.x = vp_random_between(&random, 0.0f, (float)size.x);
        eye.z = vp_random_between(&random, 0.0f, (float)size.z);
        eye.y = top + 8.0f;
        aim.x = eye.x + vp_random_between(&random, -64.0f, 64.0f);
        aim.z = eye.z + vp_random_between(&random, -64.0f, 64.0f);
        aim.y = top * 0.25f;
        for (int i = 0; i < TILE * TILE; i++) {
            const vp_vec3 at = {aim.x + (float)(i % TILE), aim.y, aim.z + (float)(i / TILE)};
            *ray++ = (vp_ray){eye, vp_vec3_sub(at, eye), 1.5f};
        }
    }
    return VP_OK;
}

/* "fuzz-<n>" is not larger than the smallest budget. */
static bool takes_world(const vp_data *data, uint32_t variant)
{
    return strncmp(data->name, "fuzz-", 5) != 0 || budgets[variant] <= MIB || variant == 0;
}

static vp_status make_wander(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    static const vp_derivation derivation = {"wandering-rays", derive_rays, free};
    const uint32_t tiles = strncmp(data->name, "fuzz-", 5) == 0 ? FEW_TILES : TILES;
    const void *ray;
    const vp_status status = vp_data_derive(data, &derivation, tiles, &ray, error);
    if (status != VP_OK)
        return status;
    const vp_ray_set rays = {.count = tiles * TILE * TILE, .ray = (vp_ray *)(uintptr_t)ray};
    terrain_operation_work *w = begin_operation(data, &rays, false, arena, out);
    w->hit = vp_arena_output(arena, w->count, sizeof *w->hit, alignof(vp_terrain_hit), 0);
    w->many = variant >= FIRST_MANY;
    w->budget = budgets[variant];
    w->rounds = WANDERINGS;
    return VP_OK;
}

/* Uses its own store, to be closed, because the trees are larger than the world. */
static vp_status judge_wander(const void *argument, uint32_t step, vp_error *error)
{
    const terrain_operation_work *w = argument;
    const vp_data *terrain = NULL;
    vp_store *store = NULL;
    vp_status status = vp_store_create(NULL, 0, &store, error);
    if (status == VP_OK)
        status = vp_store_lend(store, &vp_kind_world, "world", w->world, error);
    if (status == VP_OK)
        status = vp_store_open(store, &vp_kind_world, "world", &terrain, error);
    if (status == VP_OK)
        status = judge_of(w, terrain, w->hit, error);
    vp_store_destroy(store);
    return status;
}

static void count_wander(const void *argument, vp_counters *out)
{
    const terrain_operation_work *w = argument;
    const vp_terrain_stats now = vp_terrain_stats_of(w->terrain), *then = &w->before;
    const double runs = (double)w->runs;
    vp_count(out, "kept_bytes", (double)now.bytes);
    vp_count(out, "most_bytes", (double)now.peak_bytes);
    vp_count(out, "peak_bytes", (double)w->memory.most);
    if (w->budget != VP_TERRAIN_NO_LIMIT) /* otherwise not counted */
        vp_count(out, "hits_per_run", (double)(now.hits - then->hits) / runs);
    vp_count(out, "misses_per_run", (double)(now.misses - then->misses) / runs);
    vp_count(out, "evictions_per_run", (double)(now.evictions - then->evictions) / runs);
    vp_count(out, "built_per_run", (double)(now.built - then->built) / runs);
}

static const vp_measured wander_measured[] = {VP_AS("terrain-dram", 1, VP_TIMED | VP_NOT_SCALAR, "object", "wander"),
                                              VP_AS("terrain-dram", 0x7e, VP_TIMED | VP_NOT_SCALAR, NULL, "wander"),
                                              {.data = NULL}};

const vp_case vp_case_terrain_wander = {.kind = &vp_kind_world,
                                        .variant = wander_variants,
                                        .takes = takes_world,
                                        .make = make_wander,
                                        .rewind = rewind_terrain,
                                        .run = run_cast,
                                        .records = record_cast,
                                        .judge = judge_wander,
                                        .counters = count_wander,
                                        .drop = drop,
                                        .same = true,
                                        .notes = wander_notes,
                                        .beside = "terrain_ray",
                                        .measured = wander_measured};
