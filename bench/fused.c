/* SPDX-License-Identifier: MIT */
/* kd_ray/avx2-fma/...: the fused variant of optimized/kd/fused.c, with the number of answers that differ from the reference's. */
#include "bench/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kd.h>

#include "src/core/error.h"
#include <voxphys/kernels.h>
#include "datasets/hash.h"
#include "optimized/kd/fused.h"

static const char *const questions[][2] = {
    {"chunks", "coherent"}, {"chunks", "cold"}, {"world-230k", "coherent"}, {"world-230k", "incoherent"}};

typedef struct fused_entry {
    vp_suite *suite;
    const char *meshes, *rays;
    vp_kd *const *tree;
    vp_hit *hit;
    bool checked;
    vp_error verdict;
    uint32_t differ, lost; /* answers with any different bit; hits that only one of the two found */
} fused_entry;

static vp_status make(fused_entry *e, const vp_suite_set *w, vp_error *error)
{
    e->hit = calloc(w->rays.count + 1u, sizeof *e->hit);
    return e->hit != NULL ? vp_derive_trees(w->of_meshes, 0, &e->tree, error)
                          : vp_fail(error, VP_E_MEMORY, "no memory for hits of %s", w->name);
}

/* Compares the last run's hits with the reference's. Different hits in more than one of a hundred rays are a fault, not rounding. */
static bool agrees(fused_entry *e, const vp_suite_set *w)
{
    e->differ = e->lost = 0;
    for (uint32_t i = 0; i < w->rays.count; i++) {
        const vp_hit want = vp_kd_ray_scalar(vp_kd_view_of(e->tree[w->rays.mesh[i]]), &w->rays.ray[i]);
        e->differ += memcmp(&want, &e->hit[i], sizeof want) != 0;
        e->lost += (want.triangle >= 0) != (e->hit[i].triangle >= 0);
    }
    if (e->lost * UINT64_C(100) <= w->rays.count) {
        vp_succeed(&e->verdict);
        return true;
    }
    vp_fail(&e->verdict, VP_E_ARGUMENT, "kd_ray of avx2-fma hits or misses on %s where the reference does not: %u of %u rays", w->name,
            e->lost, w->rays.count);
    return false;
}

static void run_all(fused_entry *e, const vp_suite_set *w)
{
    for (uint32_t i = 0; i < w->rays.count; i++)
        e->hit[i] = vp_kd_ray_avx2_fma(vp_kd_view_of(e->tree[w->rays.mesh[i]]), &w->rays.ray[i]);
}

static void run_fused(vp_bench_state *state, void *context)
{
    fused_entry *e = context;
    vp_suite_set w;
    vp_error error;
    if (vp_suite_open(e->suite, e->meshes, e->rays, &w, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    if (!e->checked && make(e, &w, &e->verdict) == VP_OK) {
        run_all(e, &w);
        agrees(e, &w);
    }
    e->checked = true;
    if (e->verdict.status == VP_OK) {
        memset(e->hit, 0xa5, w.rays.count * sizeof *e->hit);
        while (vp_bench_next(state))
            run_all(e, &w);
    }
    if (e->verdict.status != VP_OK || !agrees(e, &w)) {
        vp_suite_refuse(e->suite, state, &e->verdict);
        return;
    }
    vp_bench_items(state, vp_bench_iterations(state) * w.rays.count);
    vp_bench_counter(state, "differ", e->differ);
    vp_bench_counter(state, "lost", e->lost);
    vp_suite_label(state, "rays, not exact", vp_hash64(e->hit, w.rays.count * sizeof *e->hit));
}

static void drop(void *entry)
{
    fused_entry *e = entry;
    free(e->hit);
}

void vp_suite_add_fused(vp_suite *suite)
{
    if (!vp_kd_fused_usable())
        return;
    for (size_t q = 0; q < sizeof questions / sizeof questions[0]; q++) {
        fused_entry *e = vp_suite_entry(suite, sizeof *e, drop);
        *e = (fused_entry){.suite = suite, .meshes = questions[q][0], .rays = questions[q][1]};
        char name[VP_SUITE_NAME_BYTES];
        snprintf(name, sizeof name, "kd_ray/avx2-fma/%s/%s", e->meshes, e->rays);
        vp_bench_register(name, run_fused, e);
    }
}
