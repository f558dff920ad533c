/* SPDX-License-Identifier: MIT */
/* edit_to_ray/<isa>[-form]/<edit>: an edit of a terrain of which all trees are there, and one ray that comes to the place: voxels,
 * broadphase, top level, and of the chunks that the ray comes to mesh and tree. Chunks that are stale and that no ray has come to
 * wait for the next one. A round has all edits of the plan (edit_plan.h); answers must be the reference's before the time is
 * taken and after.
 *
 * edit_to_ray/<isa>-parts/voxel: the same with a clock around each part, so it is slower. The kernels of mesh and tree are
 * called through functions that look at the clock; what an edit does is done once more, part by part, to a world of its own. */
#include "bench/edits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/terrain.h"
#include "src/core/error.h"
#include "src/terrain/top.h"

static const char *const world_name = "terrain-230k";

/* ---- plans ---- */

struct vp_edit_plans {
    vp_suite *suite;
    vp_edit_plan plan[VP_DIG_KINDS];
    bool tried[VP_DIG_KINDS];
    vp_error error[VP_DIG_KINDS];
};

static void drop_plans(void *entry)
{
    vp_edit_plans *plans = entry;
    for (int k = 0; k < VP_DIG_KINDS; k++)
        vp_edit_plan_destroy(&plans->plan[k]);
}

vp_edit_plans *vp_edit_plans_create(vp_suite *suite)
{
    vp_edit_plans *plans = vp_suite_entry(suite, sizeof *plans, drop_plans);
    plans->suite = suite;
    return plans;
}

const vp_world *vp_edit_world_of(vp_edit_plans *plans, vp_error *error)
{
    vp_suite_set workload;
    return vp_suite_open(plans->suite, world_name, NULL, &workload, error) == VP_OK ? workload.world : NULL;
}

const vp_edit_plan *vp_edit_plan_of(vp_edit_plans *plans, vp_dig_kind kind, vp_error *error)
{
    if (!plans->tried[kind]) {
        const vp_world *world = vp_edit_world_of(plans, &plans->error[kind]);
        if (world != NULL)
            vp_edit_plan_create(world, kind, &plans->plan[kind], &plans->error[kind]);
        plans->tried[kind] = true;
    }
    if (plans->plan[kind].count != 0)
        return &plans->plan[kind];
    *error = plans->error[kind];
    return NULL;
}

/* ---- a run ---- */

typedef struct entry {
    vp_suite *suite;
    vp_edit_plans *plans;
    vp_kernels kernels;
    vp_kd_form form;
    vp_dig_kind kind;
    char who[32]; /* for messages */
} entry;

typedef struct job {
    const entry *entry;
    const vp_edit_plan *plan;
    vp_world *world; /* its own */
    vp_terrain *terrain;
    vp_terrain_hit *hit;
} job;

static vp_status play_round(job *j, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < j->plan->count; i++) {
        const vp_edit_step *step = &j->plan->step[i];
        status = vp_edit_terrain(j->plan, step, j->terrain, error);
        if (status == VP_OK)
            status = vp_terrain_raycast(j->terrain, VP_SURFACE_SOLID, &step->ray, &j->hit[i], error);
    }
    return status;
}

static vp_status check(const job *j, vp_error *error)
{
    const vp_asked_terrain rays = {.count = j->plan->count, .want = j->plan->want};
    return vp_terrain_compare(&rays, j->hit, j->entry->who, error);
}

/* The terrain with all its trees, and two rounds: the first ends as all later ones begin, the second is compared. */
static vp_status begin(const entry *e, const vp_kernels *kernels, job *j, vp_error *error)
{
    *j = (job){.entry = e};
    j->plan = vp_edit_plan_of(e->plans, e->kind, error);
    const vp_world *world = j->plan != NULL ? vp_edit_world_of(e->plans, error) : NULL;
    if (world == NULL)
        return error->status;
    j->hit = malloc(j->plan->count * sizeof *j->hit);
    if (j->hit == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the answers of edits");
    vp_status status = vp_world_copy(world, &j->world, error);
    const vp_terrain_def def = {.world = j->world, .form = e->form, .budget = VP_TERRAIN_NO_LIMIT, .kernels = kernels};
    if (status == VP_OK)
        status = vp_terrain_create(&def, &j->terrain, error);
    if (status == VP_OK)
        status = vp_terrain_prepare(j->terrain, error);
    if (status == VP_OK)
        status = play_round(j, error);
    vp_terrain_spoil(j->hit, j->plan->count);
    if (status == VP_OK)
        status = play_round(j, error);
    if (status == VP_OK)
        status = check(j, error);
    vp_terrain_spoil(j->hit, j->plan->count);
    return status;
}

static void end(job *j)
{
    vp_terrain_destroy(j->terrain);
    vp_world_destroy(j->world);
    free(j->hit);
}

static void show(vp_bench_state *state, const job *j, double rounds, const vp_terrain_stats *before)
{
    const vp_terrain_stats now = vp_terrain_stats_of(j->terrain);
    const double edits = rounds * j->plan->count;
    vp_bench_items(state, vp_bench_iterations(state) * j->plan->count);
    vp_suite_label(state, "edits, each with a ray; in it: voxels, broadphase, top level, mesh, tree, ray", j->plan->digest);
    vp_bench_counter(state, "built_per_edit", (double)(now.built - before->built) / edits);
    vp_bench_counter(state, "dropped_per_edit", (double)(now.invalidations - before->invalidations) / edits);
}

static void run(vp_bench_state *state, void *context)
{
    const entry *e = context;
    vp_error error;
    job j;
    vp_status status = begin(e, &e->kernels, &j, &error);
    if (status == VP_OK) {
        const vp_terrain_stats before = vp_terrain_stats_of(j.terrain);
        while (vp_bench_next(state))
            status = status == VP_OK ? play_round(&j, &error) : status;
        if (status == VP_OK)
            status = check(&j, &error);
        if (status == VP_OK)
            show(state, &j, (double)vp_bench_iterations(state), &before);
    }
    if (status != VP_OK)
        vp_suite_refuse(e->suite, state, &error);
    end(&j);
}

/* ---- parts ---- */

/* Kernels have no argument for whoever counts: this file alone knows, and one benchmark runs at a time. */
static struct {
    const vp_kernels *real;
    double mesh, tree; /* seconds */
    uint32_t built;
} timed;

static void timed_mesh(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, vp_chunk_mesh *out)
{
    const double begin = vp_suite_seconds();
    timed.real->mesh_chunk(world, cx, cy, cz, surface, out);
    timed.mesh += vp_suite_seconds() - begin;
    timed.built++;
}

static vp_kd_build_result timed_tree(const vp_kd_build_job *build)
{
    const double begin = vp_suite_seconds();
    const vp_kd_build_result built = timed.real->kd_build(build);
    timed.tree += vp_suite_seconds() - begin;
    return built;
}

typedef struct parts {
    double edit, voxels, top, mesh, tree, ray; /* seconds; ray: with mesh and tree */
    uint64_t edits, built;
} parts;

/* What takes longer than this, in seconds, was interrupted by somebody else, and is not counted. */
#define INTERRUPTED 0.0005

/* A world that is edited part by part, without a terrain. */
typedef struct apart {
    vp_world *world;
    vp_broadphase *broadphase;
    vp_terrain_top top;
    vp_chunk_set stale;
} apart;

static vp_status begin_apart(const entry *e, apart *a, vp_error *error)
{
    const vp_world *world = vp_edit_world_of(e->plans, error);
    const vp_allocator allocator = vp_allocator_default();
    *a = (apart){0};
    if (world == NULL)
        return error->status;
    vp_status status = vp_world_copy(world, &a->world, error);
    if (status != VP_OK)
        return status;
    const vp_dims n = vp_world_chunks(a->world);
    const vp_broadphase_def def = {.world = a->world, .kernels = &e->kernels};
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
}

static vp_status edit_apart(const job *j, const vp_edit_step *step, apart *a, parts *p, vp_error *error)
{
    const double begin = vp_suite_seconds();
    vp_status status = vp_edit_world(j->plan, step, a->world, &a->stale, error);
    if (status == VP_OK)
        status = vp_broadphase_update(a->broadphase, a->world, &a->stale, error);
    p->voxels = vp_suite_seconds() - begin;
    const vp_top_source source = {vp_broadphase_bits(a->broadphase), vp_world_voxels(a->world)};
    const uint32_t first = vp_chunk_set_next(&a->stale, 0); /* a terrain knows them from the edit */
    uint32_t last = first;
    for (uint32_t c = first; c != UINT32_MAX; c = vp_chunk_set_next(&a->stale, c + 1))
        last = c;
    const double middle = vp_suite_seconds();
    if (first != UINT32_MAX)
        vp_terrain_top_update(&a->top, &source, &a->stale, first, last);
    p->top = vp_suite_seconds() - middle;
    vp_chunk_set_clear(&a->stale);
    return status;
}

static vp_status play_step(job *j, uint32_t i, apart *a, parts *p, vp_error *error)
{
    const vp_edit_step *step = &j->plan->step[i];
    timed.mesh = timed.tree = 0;
    timed.built = 0;
    const double begin = vp_suite_seconds();
    vp_status status = vp_edit_terrain(j->plan, step, j->terrain, error);
    const double middle = vp_suite_seconds();
    if (status == VP_OK)
        status = vp_terrain_raycast(j->terrain, VP_SURFACE_SOLID, &step->ray, &j->hit[i], error);
    p->edit = middle - begin;
    p->ray = vp_suite_seconds() - middle;
    p->mesh = timed.mesh;
    p->tree = timed.tree;
    p->built = timed.built;
    return status == VP_OK ? edit_apart(j, step, a, p, error) : status;
}

static vp_status play_parts(job *j, apart *a, parts *sum, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < j->plan->count; i++) {
        parts p = {0};
        status = play_step(j, i, a, &p, error);
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

/* What looking at the clock takes. */
static double clock_seconds(void)
{
    enum { LOOKS = 1000 };
    const double begin = vp_suite_seconds();
    for (int i = 0; i < LOOKS - 1; i++)
        (void)vp_suite_seconds();
    return (vp_suite_seconds() - begin) / LOOKS;
}

static void show_parts(vp_bench_state *state, const job *j, const parts *p, const vp_terrain_stats *before)
{
    const double edits = (double)p->edits, look = clock_seconds() * 1e9, built = (double)p->built / edits;
    const double mesh = p->mesh * 1e9 / edits - built * look, tree = p->tree * 1e9 / edits - built * look;
    show(state, j, (double)vp_bench_iterations(state), before);
    vp_suite_label(state, "edits, each with a ray, with a clock around each part, which makes them slower", j->plan->digest);
    vp_bench_counter(state, "edit_ns", p->edit * 1e9 / edits - look);
    vp_bench_counter(state, "voxels_ns", p->voxels * 1e9 / edits - look); /* and broadphase */
    vp_bench_counter(state, "top_ns", p->top * 1e9 / edits - look);
    vp_bench_counter(state, "mesh_ns", mesh);
    vp_bench_counter(state, "tree_ns", tree);
    vp_bench_counter(state, "ray_ns", p->ray * 1e9 / edits - (1 + 4 * built) * look - mesh - tree); /* the walk, and keeping what was made */
}

static void run_parts(vp_bench_state *state, void *context)
{
    const entry *e = context;
    vp_kernels kernels = e->kernels;
    vp_error error;
    job j;
    apart a;
    parts p = {0};
    kernels.mesh_chunk = timed_mesh;
    kernels.kd_build = timed_tree;
    timed.real = &e->kernels;
    vp_status status = begin(e, &kernels, &j, &error);
    if (status == VP_OK)
        status = begin_apart(e, &a, &error);
    else
        a = (apart){0};
    if (status == VP_OK) {
        const vp_terrain_stats before = vp_terrain_stats_of(j.terrain);
        while (vp_bench_next(state))
            status = status == VP_OK ? play_parts(&j, &a, &p, &error) : status;
        if (status == VP_OK)
            status = check(&j, &error);
        if (status == VP_OK)
            show_parts(state, &j, &p, &before);
    }
    if (status != VP_OK)
        vp_suite_refuse(e->suite, state, &error);
    end_apart(&a);
    end(&j);
}

/* ---- registration ---- */

static void add(vp_suite *suite, vp_edit_plans *plans, const vp_terrain_table *table, vp_kd_form form, vp_dig_kind kind, bool by_parts)
{
    entry *e = vp_suite_entry(suite, sizeof *e, NULL);
    *e = (entry){.suite = suite, .plans = plans, .kernels = table->kernels, .form = form, .kind = kind};
    snprintf(e->who, sizeof e->who, "%.12s%s", table->name, by_parts ? "-parts" : vp_terrain_form_suffix(form));
    char name[VP_SUITE_NAME_BYTES];
    snprintf(name, sizeof name, "edit_to_ray/%s/%s", e->who, vp_edit_names[kind]);
    vp_bench_register(name, by_parts ? run_parts : run, e);
}

void vp_suite_add_edits(vp_suite *suite)
{
    vp_terrain_table table[VP_TERRAIN_TABLES];
    const size_t tables = vp_terrain_tables(table);
    vp_edit_plans *plans = vp_edit_plans_create(suite);
    for (size_t t = 0; t < tables; t++) {
        for (vp_dig_kind kind = 0; kind < VP_DIG_KINDS; kind++)
            for (vp_kd_form form = 0; form < VP_KD_FORM_COUNT; form++)
                if (t != 0 || form == VP_KD_WIDE)
                    add(suite, plans, &table[t], form, kind, false);
        add(suite, plans, &table[t], VP_KD_WIDE, VP_DIG_VOXEL, true);
    }
}
