/* SPDX-License-Identifier: MIT */
#include "bench/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/core/error.h"

const char *const vp_suite_mesh_sets[VP_SUITE_MESH_SETS] = {"chunks", "chunks-luanti", "world-230k", "world-luanti"};

/* A loaded set, or why it could not be loaded. */
typedef struct cached {
    char name[VP_SUITE_NAME_BYTES];
    vp_status status;
    vp_error error;
    vp_workload owner; /* of a world or of meshes: without what belongs to it */
    vp_box_set boxes;
    vp_ray_set rays;
    vp_mesh_box_set mesh_boxes;
    struct cached *next;
} cached;

/* What a kernel must answer on a data set. */
typedef struct answered {
    vp_kernel_id kernel;
    char name[VP_SUITE_NAME_BYTES];
    vp_records records;
    struct answered *next;
} answered;

typedef struct entry {
    struct entry *next;
    void (*drop)(void *entry);
    max_align_t payload[];
} entry;

struct vp_suite {
    vp_manifest *manifest;
    cached *data;
    answered *answers;
    entry *entries;
    uint64_t refusals;
};

vp_suite *vp_suite_create(void)
{
    return calloc(1, sizeof(vp_suite));
}

void vp_suite_destroy(vp_suite *suite)
{
    if (suite == NULL)
        return;
    for (cached *c = suite->data, *next; c != NULL; c = next) {
        next = c->next;
        vp_box_set_destroy(&c->boxes);
        vp_ray_set_destroy(&c->rays);
        vp_mesh_box_set_destroy(&c->mesh_boxes);
        vp_workload_close(&c->owner);
        free(c);
    }
    for (answered *a = suite->answers, *next; a != NULL; a = next) {
        next = a->next;
        vp_records_destroy(&a->records);
        free(a);
    }
    for (entry *e = suite->entries, *next; e != NULL; e = next) {
        next = e->next;
        if (e->drop != NULL)
            e->drop(e->payload);
        free(e);
    }
    if (suite->manifest != NULL)
        vp_manifest_close(suite->manifest);
    free(suite);
}

void *vp_suite_entry(vp_suite *suite, size_t bytes, void (*drop)(void *entry))
{
    entry *e = calloc(1, sizeof *e + bytes);
    if (e == NULL) {
        fputs("voxphys-bench: no memory to register the benchmarks\n", stderr);
        exit(1);
    }
    e->drop = drop;
    e->next = suite->entries;
    suite->entries = e;
    return e->payload;
}

/* ---- data ---- */

static vp_status load(vp_suite *suite, cached *c, const vp_workload *of)
{
    if (suite->manifest == NULL) {
        vp_status status = vp_manifest_open(NULL, &suite->manifest, &c->error);
        if (status != VP_OK)
            return status;
    }
    if (of == NULL)
        return vp_workload_open(suite->manifest, c->name, 0, &c->owner, &c->error);
    if (of->world != NULL)
        return vp_dataset_boxes(suite->manifest, c->name, of->world, &c->boxes, &c->error);
    const vp_dataset *set = vp_manifest_find(suite->manifest, strchr(c->name, '/') + 1);
    return set != NULL && set->kind == VP_DATASET_MESH_BOXES
               ? vp_dataset_mesh_boxes(suite->manifest, c->name, &of->meshes, &c->mesh_boxes, &c->error)
               : vp_dataset_rays(suite->manifest, c->name, &of->meshes, &c->rays, &c->error);
}

/* The world or the meshes of that name or, where `of` is one of them, the boxes or rays. NULL, with a message, if it cannot be
   had. */
static const cached *find(vp_suite *suite, const char *name, const vp_workload *of, vp_error *error)
{
    cached *c = suite->data;
    while (c != NULL && strcmp(c->name, name) != 0)
        c = c->next;
    if (c == NULL) {
        c = calloc(1, sizeof *c);
        if (c == NULL) {
            vp_fail(error, VP_E_MEMORY, "no memory for data set %s", name);
            return NULL;
        }
        snprintf(c->name, sizeof c->name, "%s", name);
        c->status = load(suite, c, of);
        c->next = suite->data;
        suite->data = c;
    }
    if (c->status != VP_OK) {
        *error = c->error;
        return NULL;
    }
    return c;
}

vp_status vp_suite_workload(vp_suite *suite, const char *world, const char *boxes, vp_workload *out, vp_error *error)
{
    char points[VP_SUITE_NAME_BYTES];
    const bool counted = boxes != NULL && boxes[0] >= '0' && boxes[0] <= '9'; /* "ball/1000" belongs to nothing */
    snprintf(points, sizeof points, "%s/%s", world, counted ? boxes : "");
    const cached *loaded = find(suite, counted ? points : world, NULL, error);
    if (loaded == NULL)
        return error->status;
    *out = loaded->owner;
    if (boxes == NULL || counted)
        return VP_OK;
    snprintf(out->name, sizeof out->name, "%s/%s", world, boxes);
    const cached *set = find(suite, out->name, &loaded->owner, error);
    if (set == NULL)
        return error->status;
    out->boxes = set->boxes;
    out->rays = set->rays;
    out->mesh_boxes = set->mesh_boxes;
    return VP_OK;
}

vp_status vp_suite_reference(vp_suite *suite, vp_kernel_id kernel, const vp_workload *workload, const vp_records **out,
                             vp_error *error)
{
    answered *a = suite->answers;
    while (a != NULL && (a->kernel != kernel || strcmp(a->name, workload->name) != 0))
        a = a->next;
    if (a == NULL) {
        a = calloc(1, sizeof *a);
        if (a == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for the reference's answers on %s", workload->name);
        const vp_status status = vp_reference_records(kernel, workload, &a->records, error);
        if (status != VP_OK) {
            free(a);
            return status;
        }
        a->kernel = kernel;
        snprintf(a->name, sizeof a->name, "%s", workload->name);
        a->next = suite->answers;
        suite->answers = a;
    }
    *out = &a->records;
    return VP_OK;
}

/* ---- time and threads ---- */

double vp_suite_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

vp_executor vp_suite_executor(uint32_t threads)
{
#ifdef VP_BENCH_OPENMP
    return vp_executor_openmp(threads);
#else
    (void)threads;
    return vp_executor_serial();
#endif
}

uint32_t vp_suite_most_threads(void)
{
#ifdef VP_BENCH_OPENMP
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return cpus < 2 ? 2 : cpus > 64 ? 64 : (uint32_t)cpus;
#else
    return 1;
#endif
}

/* ---- results ---- */

void vp_suite_refuse(vp_suite *suite, vp_bench_state *state, const vp_error *error)
{
    suite->refusals++;
    vp_bench_skip(state, error->message);
}

uint64_t vp_suite_refusals(const vp_suite *suite)
{
    return suite->refusals;
}

void vp_suite_label(vp_bench_state *state, const char *text, uint64_t digest)
{
    char label[256];
    snprintf(label, sizeof label, "%.200s digest=%016" PRIx64, text, digest);
    vp_bench_label(state, label);
}

void vp_suite_memory(vp_bench_state *state, const vp_broadphase *broadphase)
{
    vp_broadphase_memory use = vp_broadphase_memory_use(broadphase);
    uint64_t chunks = (uint64_t)use.chunks[0] + use.chunks[1] + use.chunks[2] + use.chunks[3];
    double voxels = (double)(chunks * VP_CHUNK_VOXELS);
    vp_bench_counter(state, "bits_per_voxel", (double)use.mask_bytes * 8 / voxels);
    vp_bench_counter(state, "bits_per_voxel_total", (double)use.total_bytes * 8 / voxels);
}
