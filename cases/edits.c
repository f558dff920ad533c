/* SPDX-License-Identifier: MIT */
/* edit_to_ray: an edit of a terrain whose trees all exist, then one ray to the place. This updates voxels, broadphase and top level, and
 * the mesh and tree of the chunks that the ray reaches. Stale chunks that no ray has reached wait for the next one. A run is a round over
 * all edits of the plan (edit_plan.h), which ends in the state in which it began.
 *
 * "parts" is the same with a clock around each part, so it is slower. The kernels of mesh and tree are called through functions that read
 * the clock. The parts of an edit are repeated one by one on a separate world. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#endif
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <voxphys/terrain.h>

#include "cases/case.h"
#include "cases/edit_plan.h"
#include "cases/derived.h"
#include "src/core/error.h"
#include "src/terrain/top.h"

/* ---- parts ---- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Kernels have no argument for the counters, so they are global. One benchmark runs at a time. */
static struct {
    const vp_kernels *real;
    double mesh, tree; /* seconds */
    uint32_t built;
} timed;

static void timed_mesh(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, vp_chunk_mesh *out)
{
    const double begin = seconds();
    timed.real->mesh_chunk(world, cx, cy, cz, surface, out);
    timed.mesh += seconds() - begin;
    timed.built++;
}

static vp_kd_build_result timed_tree(const vp_kd_build_job *build)
{
    const double begin = seconds();
    const vp_kd_build_result built = timed.real->kd_build(build);
    timed.tree += seconds() - begin;
    return built;
}

typedef struct edit_seconds {
    double edit, voxels, top, mesh, tree, ray; /* seconds, ray includes mesh and tree */
    uint64_t edits, built;
} edit_seconds;

/* Longer edits, in seconds, were interrupted and are not counted. */
#define INTERRUPTED 0.0005

/* A world that is edited part by part, without a terrain. */
typedef struct apart {
    vp_world *world;
    vp_broadphase *broadphase;
    vp_terrain_top top;
    vp_chunk_set stale;
} apart;

typedef struct edits_work {
    const vp_data *data;
    const vp_edit_plan *plan;
    vp_kd_form form;
    bool by_parts;
    vp_world *world; /* its own copy */
    vp_terrain *terrain;
    vp_terrain_hit *hit;
    bool spoilt;     /* a round failed */
    uint64_t rounds; /* since all trees were made, without the first round */
    vp_terrain_stats before;
    apart apart;
    edit_seconds sum;
} edits_work;

static vp_status begin_apart(const vp_setting *how, const vp_world *world, apart *a, vp_error *error)
{
    const vp_allocator allocator = vp_allocator_default();
    vp_status status = vp_world_copy(world, &a->world, error);
    if (status != VP_OK)
        return status;
    const vp_dims n = vp_world_chunks(a->world);
    const vp_broadphase_def def = {.world = a->world, .kernels = how->kernels};
    status = vp_broadphase_create(&def, &a->broadphase, error);
    if (status == VP_OK)
        status = vp_chunk_set_create(n, NULL, &a->stale, error);
    if (status == VP_OK && !vp_terrain_top_create(VP_SURFACE_SOLID, (vp_ivec3){0, 0, 0}, n, &allocator, &a->top))
        status = vp_fail(error, VP_E_MEMORY, "no memory for a top level");
    if (status == VP_OK) {
        const vp_top_source source = {vp_broadphase_bits(a->broadphase), vp_world_voxels(a->world)};
        vp_terrain_top_derive(&a->top, &source);
    }
    return status;
}

static void end_apart(apart *a)
{
    if (a->top.node != NULL)
        vp_terrain_top_destroy(&a->top);
    vp_chunk_set_destroy(&a->stale);
    vp_broadphase_destroy(a->broadphase);
    vp_world_destroy(a->world);
    *a = (apart){0};
}

static vp_status edit_apart(const edits_work *j, const vp_edit_step *step, apart *a, edit_seconds *p, vp_error *error)
{
    const double begin = seconds();
    vp_status status = vp_edit_world(j->plan, step, a->world, &a->stale, error);
    if (status == VP_OK)
        status = vp_broadphase_update(a->broadphase, a->world, &a->stale, error);
    p->voxels = seconds() - begin;
    const vp_top_source source = {vp_broadphase_bits(a->broadphase), vp_world_voxels(a->world)};
    const uint32_t first = vp_chunk_set_next(&a->stale, 0); /* a terrain knows them from the edit */
    uint32_t last = first;
    for (uint32_t c = first; c != UINT32_MAX; c = vp_chunk_set_next(&a->stale, c + 1))
        last = c;
    const double middle = seconds();
    if (first != UINT32_MAX)
        vp_terrain_top_update(&a->top, &source, &a->stale, first, last);
    p->top = seconds() - middle;
    vp_chunk_set_clear(&a->stale);
    return status;
}

static vp_status play_step(edits_work *j, uint32_t i, apart *a, edit_seconds *p, vp_error *error)
{
    const vp_edit_step *step = &j->plan->step[i];
    timed.mesh = timed.tree = 0;
    timed.built = 0;
    const double begin = seconds();
    vp_status status = vp_edit_terrain(j->plan, step, j->terrain, error);
    const double middle = seconds();
    if (status == VP_OK)
        status = vp_terrain_raycast(j->terrain, VP_SURFACE_SOLID, &step->ray, &j->hit[i], error);
    p->edit = middle - begin;
    p->ray = seconds() - middle;
    p->mesh = timed.mesh;
    p->tree = timed.tree;
    p->built = timed.built;
    return status == VP_OK ? edit_apart(j, step, a, p, error) : status;
}

static vp_status play_parts(edits_work *j, vp_error *error)
{
    edit_seconds *sum = &j->sum;
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < j->plan->count; i++) {
        edit_seconds p = {0};
        status = play_step(j, i, &j->apart, &p, error);
        if (p.edit + p.voxels + p.top + p.ray > INTERRUPTED)
            continue;
        sum->edits++;
        sum->built += p.built;
        sum->edit += p.edit;
        sum->voxels += p.voxels;
        sum->top += p.top;
        sum->mesh += p.mesh;
        sum->tree += p.tree;
        sum->ray += p.ray;
    }
    return status;
}

/* The cost of reading the clock. */
static double clock_seconds(void)
{
    enum { LOOKS = 1000 };
    const double begin = seconds();
    for (int i = 0; i < LOOKS - 1; i++)
        (void)seconds();
    return (seconds() - begin) / LOOKS;
}

/* ---- rounds ---- */

enum { FORMS = VP_KD_FORM_COUNT, PARTS = VP_DIG_KINDS * FORMS };

static bool takes(const vp_data *data, uint32_t variant)
{
    return vp_can_be_edited(data->set);
}

/* Variants are all forms of trees, default first, for each kind of edit. */
static vp_status make(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    static const vp_kd_form form[FORMS] = {VP_KD_WIDE, VP_KD_SLAB, VP_KD_PUBLISHED, VP_KD_PACKED, VP_KD_IMPLIED};
    const vp_dig_kind kind = variant == PARTS ? VP_DIG_VOXEL : (vp_dig_kind)(variant / FORMS);
    const vp_edit_plan *plan;
    const vp_status status = vp_derive_edits(data, kind, &plan, error);
    if (status != VP_OK)
        return status;
    edits_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(edits_work));
    w->data = data;
    w->plan = plan;
    w->form = form[variant % FORMS];
    w->by_parts = variant == PARTS;
    w->hit = vp_arena_output(arena, plan->count, sizeof *w->hit, alignof(vp_terrain_hit), 0);
    return VP_OK;
}

static void drop(void *argument)
{
    edits_work *w = argument;
    end_apart(&w->apart);
    vp_terrain_destroy(w->terrain);
    vp_world_destroy(w->world);
    w->terrain = NULL;
    w->world = NULL;
}

static vp_status play_round(edits_work *w, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < w->plan->count; i++) {
        const vp_edit_step *step = &w->plan->step[i];
        status = vp_edit_terrain(w->plan, step, w->terrain, error);
        if (status == VP_OK)
            status = vp_terrain_raycast(w->terrain, VP_SURFACE_SOLID, &step->ray, &w->hit[i], error);
    }
    return status;
}

/* Makes the terrain with all its trees and plays one round, after which every round begins alike. */
static vp_status rewind_edits(const vp_setting *how, void *argument, vp_error *error)
{
    edits_work *w = argument;
    vp_kernels kernels = *how->kernels;
    if (w->terrain != NULL && !w->spoilt)
        return VP_OK;
    drop(w);
    if (w->by_parts) {
        kernels.mesh_chunk = timed_mesh;
        kernels.kd_build = timed_tree;
        timed.real = how->kernels;
    }
    vp_status status = vp_world_copy(w->data->set, &w->world, error);
    const vp_terrain_def def = {.world = w->world, .form = w->form, .budget = VP_TERRAIN_NO_LIMIT, .kernels = &kernels};
    if (status == VP_OK)
        status = vp_terrain_create(&def, &w->terrain, error);
    if (status == VP_OK)
        status = vp_terrain_prepare(w->terrain, error);
    if (status == VP_OK)
        status = play_round(w, error);
    if (status == VP_OK && w->by_parts)
        status = begin_apart(how, w->data->set, &w->apart, error);
    if (status == VP_OK)
        w->before = vp_terrain_stats_of(w->terrain);
    w->spoilt = status != VP_OK;
    w->rounds = 0;
    return status;
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    edits_work *w = argument;
    timed.real = how->kernels;
    const vp_status status = w->by_parts ? play_parts(w, error) : play_round(w, error);
    w->spoilt = status != VP_OK;
    w->rounds++;
    *items = w->plan->count;
    return status;
}

VP_RECORD_EACH(record, edits_work, w->plan->count, vp_record_words(&w->hit[i], VP_TERRAIN_HIT_WORDS, out))

/* Compares with the brute-force hits of the plan. */
static vp_status judge(const void *argument, uint32_t step, vp_error *error)
{
    const edits_work *w = argument;
    for (uint32_t i = 0; i < w->plan->count; i++) {
        const vp_terrain_hit *want = &w->plan->want[i];
        if (memcmp(&want->in_chunk, &w->hit[i].in_chunk, sizeof want->in_chunk) != 0 || want->chunk != w->hit[i].chunk)
            return vp_fail(error, VP_E_FORMAT, "the ray of edit %u meets something else than by brute force", i);
    }
    return VP_OK;
}

static void count_parts(const edit_seconds *p, vp_counters *out)
{
    const double edits = (double)p->edits, look = clock_seconds() * 1e9, built = (double)p->built / edits;
    const double mesh = p->mesh * 1e9 / edits - built * look, tree = p->tree * 1e9 / edits - built * look;
    vp_count(out, "edit_ns", p->edit * 1e9 / edits - look);
    vp_count(out, "voxels_ns", p->voxels * 1e9 / edits - look); /* and broadphase */
    vp_count(out, "top_ns", p->top * 1e9 / edits - look);
    vp_count(out, "mesh_ns", mesh);
    vp_count(out, "tree_ns", tree);
    /* the walk, and storing new meshes and trees */
    vp_count(out, "ray_ns", p->ray * 1e9 / edits - (1 + 4 * built) * look - mesh - tree);
}

static void count(const void *argument, vp_counters *out)
{
    const edits_work *w = argument;
    const vp_terrain_stats now = vp_terrain_stats_of(w->terrain);
    const double edits = (double)w->rounds * w->plan->count;
    vp_count(out, "built_per_edit", (double)(now.built - w->before.built) / edits);
    vp_count(out, "dropped_per_edit", (double)(now.invalidations - w->before.invalidations) / edits);
    if (w->by_parts)
        count_parts(&w->sum, out);
}

/* ---- measurements ---- */

static const char *const variants[] = {"voxel",       "voxel/slab",  "voxel/published",  "voxel/packed",  "voxel/implied",
                                       "brush8",      "brush8/slab", "brush8/published", "brush8/packed", "brush8/implied",
                                       "chunk",       "chunk/slab",  "chunk/published",  "chunk/packed",  "chunk/implied",
                                       "voxel/parts", NULL};
#define NOTE ", each with a ray; in it: voxels, broadphase, top level, mesh, tree, ray"
static const char *const notes[] = {
    NOTE, NOTE, NOTE, NOTE, NOTE, NOTE, NOTE, NOTE,
    NOTE, NOTE, NOTE, NOTE, NOTE, NOTE, NOTE, ", each with a ray, with a clock around each part, which makes them slower"};

/* Names contain the kind of edit instead of the world. */
#define EDIT(bit, does, named, of) VP_AS("terrain-230k", 1u << (bit), VP_TIMED | VP_UNNAMED | (does), named, of)
#define EDITS(kind, of)                                                                                                                    \
    EDIT((kind)*FORMS, 0, "", of), EDIT((kind)*FORMS + 1, VP_NOT_SCALAR, "slab", of),                                                      \
        EDIT((kind)*FORMS + 2, VP_NOT_SCALAR, "published", of), EDIT((kind)*FORMS + 3, VP_NOT_SCALAR, "packed", of),                       \
        EDIT((kind)*FORMS + 4, VP_NOT_SCALAR, "implied", of)
static const vp_measured measured[] = {EDITS(VP_DIG_VOXEL, "voxel"),     EDITS(VP_DIG_BRUSH8, "brush8"),      EDITS(VP_DIG_CHUNK, "chunk"),
                                       EDIT(PARTS, 0, "parts", "voxel"), VP_ON("terrain-l2", 1, VP_VERIFIED), {.data = NULL}};

const vp_case vp_case_edit_to_ray = {.kind = &vp_kind_world,
                                     .variant = variants,
                                     .takes = takes,
                                     .reads = "worlds with ground",
                                     .make = make,
                                     .rewind = rewind_edits,
                                     .run = run,
                                     .records = record,
                                     .judge = judge,
                                     .counters = count,
                                     .drop = drop,
                                     .notes = notes,
                                     .measured = measured};
