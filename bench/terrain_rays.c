/* SPDX-License-Identifier: MIT */
/* Whole terrains as a program has them: vp_terrain, with its locks, its cache and its budget.
 *
 *   terrain_ray/<isa>-object/<data>/<rays>            one ray a call, every tree there: beside terrain_ray/<isa>, what the object costs
 *   terrain_ray/<isa>-pinned/<data>/<rays>            the same with a budget that holds everything: each tree is pinned while it is read
 *   terrain_ray/<isa>-object/<data>/<rays>/threads-n  all rays in one call
 *   terrain_ray/<isa>-budget-nMiB/<data>/wander       so many bytes of meshes and trees are kept, and rays wander over the world
 *   terrain_ray/<isa>-budget-nMiB-many/<data>/wander  the same, all rays in one call, which sorts them
 *   terrain_ray/<isa>-cold/<data>/<rays>              a sixteenth of the rays, of a terrain that has no mesh and no tree as yet
 *   terrain_prepare/<isa>/<data>/threads-n          all meshes and trees of a world
 *
 * Answers are compared with the reference's before the time is taken and after. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/terrain.h"
#include "src/core/error.h"

typedef enum mode { OBJECT, PINNED, MANY, BUDGET, BUDGET_MANY, COLD, PREPARE } mode;

/* Rounds before the time is taken, after which what is kept hardly changes from one to the next: the top level learns from the meshes
   of one round where the next one's rays need not look. */
enum { WANDERINGS = 4 };

enum { MIB = 1024 * 1024, PLENTY = 1024 * MIB };

typedef struct entry {
    vp_suite *suite;
    vp_terrain_answers *answers;
    vp_kernels kernels;
    mode mode;
    const char *data, *set;
    uint32_t threads;
    size_t budget;
    char who[40]; /* for messages */
} entry;

/* All that a run of a benchmark works with. */
typedef struct job {
    const entry *entry;
    const vp_asked_terrain *all;
    vp_asked_terrain rays; /* these, or some of them, in arrays of their own */
    vp_ray *some;
    vp_terrain_hit *some_want;
    vp_executor executor;
    vp_counted counted;
    vp_allocator allocator;
    vp_terrain *terrain;
    vp_terrain_hit *hit;
    uint64_t digest; /* of the answers that are wanted */
    double seconds; /* of what was timed; of threads by the clock on the wall */
} job;

static bool is_budget(mode m)
{
    return m == BUDGET || m == BUDGET_MANY;
}

/* ---- what is timed ---- */

static vp_status create(job *j, vp_error *error)
{
    const entry *e = j->entry;
    const vp_terrain_def def = {.world = (vp_world *)(uintptr_t)j->rays.world, .first = j->rays.first, .chunks = j->rays.chunks, .form = VP_KD_WIDE,
                                .budget = e->budget, .kernels = &e->kernels, .executor = &j->executor,
                                .allocator = is_budget(e->mode) ? &j->allocator : NULL};
    return vp_terrain_create(&def, &j->terrain, error);
}

static vp_status create_anew(job *j, vp_error *error)
{
    vp_terrain_destroy(j->terrain);
    j->terrain = NULL;
    return create(j, error);
}

static vp_status cast_one_by_one(job *j, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < j->rays.count; i++)
        status = vp_terrain_raycast(j->terrain, VP_SURFACE_SOLID, &j->rays.ray[i], &j->hit[i], error);
    return status;
}

static vp_status cast_all(job *j, vp_error *error)
{
    return vp_terrain_raycast_many(j->terrain, VP_SURFACE_SOLID, j->rays.ray, j->rays.count, j->hit, error);
}

static vp_status work(job *j, vp_error *error)
{
    switch (j->entry->mode) {
    case PREPARE: return vp_terrain_prepare(j->terrain, error);
    case MANY:
    case BUDGET_MANY: return cast_all(j, error);
    default: return cast_one_by_one(j, error);
    }
}

/* ---- what it must have done ---- */

/* Whether a prepared terrain has all triangles, none more, and answers the rays without making any. */
static vp_status check_prepared(job *j, vp_error *error)
{
    const vp_terrain_stats before = vp_terrain_stats_of(j->terrain);
    if (before.triangles != j->rays.triangles)
        return vp_fail(error, VP_E_ARGUMENT, "%s prepared %" PRIu64 " triangles of %s, the reference %" PRIu64, j->entry->who,
                       before.triangles, j->entry->data, j->rays.triangles);
    vp_terrain_spoil(j->hit, j->rays.count);
    vp_status status = cast_all(j, error);
    if (status == VP_OK && vp_terrain_stats_of(j->terrain).built != before.built)
        return vp_fail(error, VP_E_ARGUMENT, "%s left meshes of %s unmade", j->entry->who, j->entry->data);
    return status;
}

static vp_status check(job *j, vp_error *error)
{
    vp_status status = j->entry->mode == PREPARE ? check_prepared(j, error) : VP_OK;
    if (status == VP_OK)
        status = vp_terrain_compare(&j->rays, j->hit, j->entry->who, error);
    const vp_terrain_stats stats = vp_terrain_stats_of(j->terrain);
    if (status == VP_OK && stats.most_bytes > stats.budget)
        return vp_fail(error, VP_E_ARGUMENT, "%s kept %zu bytes, and its budget is %zu", j->entry->who, stats.most_bytes,
                       stats.budget);
    return status;
}

/* ---- a run ---- */

static bool is_anew(mode m)
{
    return m == COLD || m == PREPARE;
}

/* Some rays from all over the set. */
static vp_status choose_cold(job *j, vp_error *error)
{
    j->rays.count = vp_cold_rays(j->all->count);
    j->some = malloc((j->rays.count + 1u) * sizeof *j->some);
    j->some_want = malloc((j->rays.count + 1u) * sizeof *j->some_want);
    if (j->some == NULL || j->some_want == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for rays of %s", j->entry->data);
    for (uint32_t i = 0; i < j->rays.count; i++) {
        j->some[i] = j->all->ray[vp_cold_ray(i)];
        j->some_want[i] = j->all->want[vp_cold_ray(i)];
    }
    j->rays.ray = j->some;
    j->rays.want = j->some_want;
    return VP_OK;
}

static vp_status begin(const entry *e, job *j, vp_error *error)
{
    *j = (job){.entry = e, .executor = e->threads > 1 ? vp_suite_executor(e->threads) : vp_executor_serial()};
    j->allocator = vp_counted_allocator(&j->counted);
    j->all = vp_terrain_rays_of(e->answers, e->data, e->set, error);
    if (j->all == NULL)
        return error->status;
    j->rays = *j->all;
    vp_status status = e->mode == COLD ? choose_cold(j, error) : VP_OK;
    if (status != VP_OK)
        return status;
    j->hit = malloc((j->rays.count + 1u) * sizeof *j->hit);
    if (j->hit == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for answers on %s", e->data);
    status = vp_terrain_hits_digest(j->rays.want, j->rays.count, &j->digest, error);
    if (status == VP_OK)
        status = create(j, error);
    j->counted.most = j->counted.bytes; /* what it took to make it is another matter */
    if (status == VP_OK && !is_anew(e->mode) && !is_budget(e->mode))
        status = vp_terrain_prepare(j->terrain, error);
    for (int round = 1; round < WANDERINGS && status == VP_OK && is_budget(e->mode); round++)
        status = work(j, error);
    vp_terrain_spoil(j->hit, j->rays.count);
    if (status == VP_OK)
        status = work(j, error); /* untimed: to be compared, and so that code and data are there */
    if (status == VP_OK)
        status = check(j, error);
    vp_terrain_spoil(j->hit, j->rays.count);
    return status;
}

static vp_status time_it(vp_bench_state *state, job *j, vp_error *error)
{
    vp_status status = VP_OK;
    while (vp_bench_next(state)) {
        if (is_anew(j->entry->mode)) {
            vp_bench_pause(state);
            status = status == VP_OK ? create_anew(j, error) : status;
            vp_bench_resume(state);
        }
        const double begin = vp_suite_seconds();
        if (status == VP_OK)
            status = work(j, error);
        j->seconds += vp_suite_seconds() - begin;
    }
    return status;
}

static void show(vp_bench_state *state, const job *j, const vp_terrain_stats *before)
{
    static const char *const label[] = {
        [OBJECT] = "rays, one a call, all trees there",
        [PINNED] = "rays, one a call, all trees there and within a budget",
        [MANY] = "rays, all in one call, all trees there",
        [BUDGET] = "rays, one a call, meshes and trees within the budget",
        [BUDGET_MANY] = "rays, all in one call and sorted there, meshes and trees within the budget",
        [COLD] = "rays, one a call; in it: the meshes and trees of the chunks that they come to, from voxels",
        [PREPARE] = "chunks, with triangles; in it: their meshes and trees, from voxels",
    };
    const vp_terrain_stats now = vp_terrain_stats_of(j->terrain);
    const double runs = (double)vp_bench_iterations(state);
    const bool limited = j->entry->budget != VP_TERRAIN_NO_LIMIT;
    const mode m = j->entry->mode;
    const mode told = m == BUDGET && !limited ? OBJECT : m;
    const uint64_t items = m == PREPARE ? now.kept : j->rays.count;
    if (m == MANY || m == PREPARE)
        vp_bench_counter(state, "items_per_second", (double)items * runs / j->seconds);
    else
        vp_bench_items(state, vp_bench_iterations(state) * items);
    vp_suite_label(state, label[told], j->digest);
    if (is_anew(m)) {
        vp_bench_counter(state, "chunks_built", (double)now.built);
        vp_bench_counter(state, "kept_bytes", (double)now.bytes);
    }
    if (!is_budget(m))
        return;
    vp_bench_counter(state, "kept_bytes", (double)now.bytes);
    vp_bench_counter(state, "most_bytes", (double)now.most_bytes);
    vp_bench_counter(state, "peak_bytes", (double)j->counted.most);
    if (limited) /* else it is not counted */
        vp_bench_counter(state, "hits_per_run", (double)(now.hits - before->hits) / runs);
    vp_bench_counter(state, "misses_per_run", (double)(now.misses - before->misses) / runs);
    vp_bench_counter(state, "evictions_per_run", (double)(now.evictions - before->evictions) / runs);
    vp_bench_counter(state, "built_per_run", (double)(now.built - before->built) / runs);
}

static void run(vp_bench_state *state, void *context)
{
    const entry *e = context;
    vp_error error;
    job j;
    vp_status status = begin(e, &j, &error);
    if (status == VP_OK) {
        const vp_terrain_stats before = vp_terrain_stats_of(j.terrain);
        status = time_it(state, &j, &error);
        if (status == VP_OK)
            status = check(&j, &error);
        if (status == VP_OK)
            show(state, &j, &before);
    }
    if (status != VP_OK)
        vp_suite_refuse(e->suite, state, &error);
    vp_terrain_destroy(j.terrain);
    free(j.hit);
    free(j.some);
    free(j.some_want);
}

/* ---- registration ---- */

static const char *const worlds[] = {"world-230k", "world-luanti"};
static const char *const sets[] = {"coherent", "incoherent", "mixed"};
static const size_t budgets[] = {1, 16, 256}; /* MiB */

/* @param suffix  of who, e.g. "-object" */
static void add(vp_suite *suite, vp_terrain_answers *answers, const vp_terrain_table *table, mode m, const char *suffix,
                const char *data, const char *set, uint32_t threads, size_t budget)
{
    entry *e = vp_suite_entry(suite, sizeof *e, NULL);
    *e = (entry){.suite = suite, .answers = answers, .kernels = table->kernels, .mode = m, .data = data, .set = set,
                 .threads = threads, .budget = budget};
    snprintf(e->who, sizeof e->who, "%.12s%.24s", table->name, suffix);
    char name[VP_SUITE_NAME_BYTES], behind[24] = "";
    if (threads != 0)
        snprintf(behind, sizeof behind, "/threads-%u", threads);
    if (m == PREPARE)
        snprintf(name, sizeof name, "terrain_prepare/%s/%.20s%s", e->who, data, behind);
    else
        snprintf(name, sizeof name, "terrain_ray/%s/%.20s/%.12s%s", e->who, data, set, behind);
    vp_bench_register(name, run, e);
}

static void add_table(vp_suite *suite, vp_terrain_answers *answers, const vp_terrain_table *table, bool is_scalar)
{
    const uint32_t most_threads = vp_suite_most_threads();
    for (size_t w = 0; w < 2; w++) {
        for (size_t s = 0; s < 3; s++) {
            add(suite, answers, table, OBJECT, "-object", worlds[w], sets[s], 0, VP_TERRAIN_NO_LIMIT);
            add(suite, answers, table, COLD, "-cold", worlds[w], sets[s], 0, VP_TERRAIN_NO_LIMIT);
            for (uint32_t t = 1; !is_scalar && s < 2 && t <= most_threads; t *= 2)
                add(suite, answers, table, MANY, "-object", worlds[w], sets[s], t, VP_TERRAIN_NO_LIMIT);
            if (!is_scalar && s < 2)
                add(suite, answers, table, PINNED, "-pinned", worlds[w], sets[s], 0, PLENTY);
        }
        for (uint32_t t = 1; t <= most_threads; t *= 2)
            add(suite, answers, table, PREPARE, "", worlds[w], "coherent", t, VP_TERRAIN_NO_LIMIT);
    }
    if (is_scalar)
        return;
    add(suite, answers, table, BUDGET, "-object", "terrain-dram", "wander", 0, VP_TERRAIN_NO_LIMIT);
    for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++) {
        char suffix[32];
        snprintf(suffix, sizeof suffix, "-budget-%zuMiB", budgets[b]);
        add(suite, answers, table, BUDGET, suffix, "terrain-dram", "wander", 0, budgets[b] * MIB);
        snprintf(suffix, sizeof suffix, "-budget-%zuMiB-many", budgets[b]);
        add(suite, answers, table, BUDGET_MANY, suffix, "terrain-dram", "wander", 0, budgets[b] * MIB);
    }
}

void vp_suite_add_terrain(vp_suite *suite)
{
    vp_terrain_table table[VP_TERRAIN_TABLES];
    const size_t tables = vp_terrain_tables(table);
    vp_terrain_answers *answers = vp_terrain_answers_create(suite);
    for (size_t t = 0; t < tables; t++)
        add_table(suite, answers, &table[t], t == 0);
}
