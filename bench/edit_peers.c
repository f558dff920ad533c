/* SPDX-License-Identifier: MIT */
/* edit_to_ray/peer-<name>/<edit>: what other libraries do of the same: the mesh of the one chunk that the ray meets is given; the tree
 * over it is made, asked that ray, and freed. Voxels, broadphase, the mesh and the rest of the world are not in it. Answers are
 * compared with the reference's as all answers of these libraries are (tree_answers.h), before the time is taken and after. */
#include "bench/edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/trees/tree_answers.h"
#include "bench/trees/tree_meshes.h"
#include "src/core/error.h"

/* The meshes of each kind of edit, as libraries take them. */
typedef struct shared {
    vp_edit_plans *plans;
    vp_tree_meshes meshes[VP_DIG_KINDS];
} shared;

typedef struct entry {
    vp_suite *suite;
    shared *shared;
    const vp_tree_peer *peer;
    vp_dig_kind kind;
} entry;

typedef struct job {
    const entry *entry;
    const vp_edit_plan *plan;
    void *trees;
    vp_tree_answers answers;
    vp_ray_set rays;
    vp_tree_asked asked;
} job;

static void drop_shared(void *argument)
{
    shared *s = argument;
    for (int k = 0; k < VP_DIG_KINDS; k++)
        vp_tree_meshes_destroy(&s->meshes[k]);
}

static vp_status begin(const entry *e, job *j, vp_error *error)
{
    *j = (job){.entry = e};
    j->plan = vp_edit_plan_of(e->shared->plans, e->kind, error);
    if (j->plan == NULL)
        return error->status;
    const vp_edit_plan *p = j->plan;
    vp_tree_meshes *meshes = &e->shared->meshes[e->kind];
    vp_status status = meshes->mesh != NULL ? VP_OK : vp_tree_meshes_create(&p->meshes, "edited chunks", meshes, error);
    if (status != VP_OK)
        return status;
    j->trees = e->peer->make(meshes);
    j->answers.hit = malloc(p->count * sizeof *j->answers.hit);
    j->answers.beyond = malloc(p->count * sizeof *j->answers.beyond);
    j->asked.hit = malloc(p->count * sizeof *j->asked.hit);
    if (j->trees == NULL || j->answers.hit == NULL || j->answers.beyond == NULL || j->asked.hit == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %s on edited chunks", e->peer->name);
    for (uint32_t i = 0; i < p->count; i++)
        j->answers.hit[i] = j->answers.beyond[i] = (vp_tree_hit){p->want[i].hit.t, p->want[i].hit.triangle};
    j->rays = (vp_ray_set){p->count, p->ray, p->mesh};
    j->asked.question = VP_TREE_RAY;
    j->asked.rays = &j->rays;
    return VP_OK;
}

static void end(job *j)
{
    j->entry->peer->drop(j->trees);
    vp_tree_answers_destroy(&j->answers);
    free(j->asked.hit);
}

static bool play_round(job *j)
{
    bool done = true;
    for (uint32_t i = 0; done && i < j->plan->count; i++)
        done = j->entry->peer->once(j->trees, i, &j->plan->ray[i], &j->asked.hit[i]);
    return done;
}

static void spoil(job *j)
{
    memset(j->asked.hit, 0xa5, j->plan->count * sizeof *j->asked.hit);
}

static vp_status check(const job *j, bool done, vp_tree_differences *differences, vp_error *error)
{
    char text[160];
    if (!done)
        return vp_fail(error, VP_E_MEMORY, "no memory for %s on edited chunks", j->entry->peer->name);
    *differences = vp_tree_compare_rays(&j->answers, &j->plan->meshes, &j->asked);
    if (vp_tree_acceptable(differences))
        return VP_OK;
    vp_tree_differences_text(differences, text, sizeof text);
    return vp_fail(error, VP_E_ARGUMENT, "too many rays behind edits (%s) differ by %s from the reference's: %s",
                   vp_edit_names[j->entry->kind], j->entry->peer->name, text);
}

static void show(vp_bench_state *state, const job *j, const vp_tree_differences *d)
{
    char text[160], label[640];
    vp_tree_differences_text(d, text, sizeof text);
    snprintf(label, sizeof label, "edits %s (in it: the tree over the one chunk's mesh, which is given, and the ray); %s", text,
             j->entry->peer->note);
    vp_bench_items(state, vp_bench_iterations(state) * j->plan->count);
    vp_bench_counter(state, "triangles_per_mesh", (double)j->plan->meshes.triangle_count / j->plan->meshes.count);
    vp_bench_counter(state, "hits", (double)d->hits);
    vp_bench_counter(state, "hits_lost", (double)d->lost);
    vp_bench_counter(state, "hits_gained", (double)d->gained);
    vp_bench_counter(state, "hits_moved", (double)d->moved);
    vp_bench_counter(state, "hits_neighbour", (double)d->neighbour);
    vp_bench_counter(state, "hits_at_origin", (double)d->at_origin);
    vp_bench_label(state, label);
}

static void run(vp_bench_state *state, void *context)
{
    const entry *e = context;
    vp_error error;
    vp_tree_differences differences;
    job j;
    vp_status status = begin(e, &j, &error);
    if (status == VP_OK) {
        spoil(&j);
        status = check(&j, play_round(&j), &differences, &error);
    }
    if (status == VP_OK) {
        bool done = true;
        spoil(&j);
        while (vp_bench_next(state))
            done = done && play_round(&j);
        status = check(&j, done, &differences, &error);
        if (status == VP_OK)
            show(state, &j, &differences);
    }
    if (status != VP_OK)
        vp_suite_refuse(e->suite, state, &error);
    end(&j);
}

void vp_suite_add_edit_peers(vp_suite *suite, vp_edit_plans *plans)
{
    shared *s = vp_suite_entry(suite, sizeof *s, drop_shared);
    s->plans = plans;
    for (const vp_tree_peer *const *peer = vp_tree_peers; *peer != NULL; peer++)
        for (vp_dig_kind kind = 0; kind < VP_DIG_KINDS; kind++) {
            entry *e = vp_suite_entry(suite, sizeof *e, NULL);
            *e = (entry){.suite = suite, .shared = s, .peer = *peer, .kind = kind};
            char name[VP_SUITE_NAME_BYTES];
            snprintf(name, sizeof name, "edit_to_ray/peer-%.30s/%s", (*peer)->name, vp_edit_names[kind]);
            vp_bench_register(name, run, e);
        }
}
