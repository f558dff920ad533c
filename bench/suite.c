/* SPDX-License-Identifier: MIT */
#include "bench/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/core/error.h"

/* The expected answer of a kernel on a data set. */
typedef struct expected_answer {
    vp_row_id row;
    uint32_t variant;
    char name[VP_SUITE_NAME_BYTES];
    vp_records records;
    struct expected_answer *next;
} expected_answer;

/* Answers to a question that were right in an earlier process. */
typedef struct kept_answers {
    char question[VP_SUITE_NAME_BYTES];
    vp_agreed answers;
    struct kept_answers *next;
} kept_answers;

typedef struct owned_object {
    struct owned_object *next;
    void (*drop)(void *entry);
    max_align_t payload[];
} owned_object;

struct vp_suite {
    vp_manifest *manifest;
    vp_store *store;
    expected_answer *answers;
    kept_answers *kept;
    FILE *kept_file;
    owned_object *entries;
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
    for (expected_answer *a = suite->answers, *next; a != NULL; a = next) {
        next = a->next;
        vp_records_destroy(&a->records);
        free(a);
    }
    for (kept_answers *k = suite->kept, *next; k != NULL; k = next) {
        next = k->next;
        free(k);
    }
    if (suite->kept_file != NULL)
        fclose(suite->kept_file);
    for (owned_object *e = suite->entries, *next; e != NULL; e = next) {
        next = e->next;
        if (e->drop != NULL)
            e->drop(e->payload);
        free(e);
    }
    vp_store_destroy(suite->store);
    if (suite->manifest != NULL)
        vp_manifest_close(suite->manifest);
    free(suite);
}

void *vp_suite_entry(vp_suite *suite, size_t bytes, void (*drop)(void *entry))
{
    owned_object *e = calloc(1, sizeof *e + bytes);
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

static vp_status make_store(vp_suite *suite, vp_error *error)
{
    vp_status status = VP_OK;
    if (suite->manifest == NULL)
        status = vp_manifest_open(NULL, &suite->manifest, error);
    if (status == VP_OK && suite->store == NULL)
        status = vp_store_create(suite->manifest, 0, &suite->store, error);
    return status;
}

static void join(const char *name, const char *of, char out[VP_SUITE_NAME_BYTES])
{
    snprintf(out, VP_SUITE_NAME_BYTES, "%s%s%s", name, of != NULL ? "/" : "", of != NULL ? of : "");
}

vp_status vp_suite_data(vp_suite *suite, const vp_kind *kind, const char *name, const char *of, const vp_data **out, vp_error *error)
{
    char full[VP_SUITE_NAME_BYTES];
    const vp_status status = make_store(suite, error);
    join(name, of, full);
    return status == VP_OK ? vp_store_open(suite->store, kind, full, out, error) : status;
}

static vp_status add(const vp_data *data, vp_suite_set *to, vp_error *error)
{
    if (data->kind == &vp_kind_world) {
        to->world = data->set;
        return vp_derive_broadphase(data, &to->broadphase, error);
    }
    if (data->kind == &vp_kind_meshes) {
        to->of_meshes = data;
        memcpy(&to->meshes, data->set, sizeof to->meshes);
    } else if (data->kind == &vp_kind_points) {
        memcpy(&to->points, data->set, sizeof to->points);
    } else if (data->kind == &vp_kind_rays) {
        memcpy(&to->rays, data->set, sizeof to->rays);
    } else if (data->kind == &vp_kind_mesh_boxes) {
        memcpy(&to->mesh_boxes, data->set, sizeof to->mesh_boxes);
    }
    return VP_OK;
}

vp_status vp_suite_open(vp_suite *suite, const char *name, const char *of, vp_suite_set *out, vp_error *error)
{
    const vp_data *data;
    vp_suite_set set = {.name = ""};
    vp_status status = make_store(suite, error);
    join(name, of, set.name);
    if (status == VP_OK)
        status = vp_store_open_any(suite->store, set.name, &data, error);
    if (status == VP_OK && data->owner != NULL)
        status = add(data->owner, &set, error);
    if (status == VP_OK)
        status = add(data, &set, error);
    if (status == VP_OK)
        *out = set;
    return status;
}

vp_status vp_suite_reference(vp_suite *suite, vp_row_id row, const vp_data *data, uint32_t variant, const vp_records **out, vp_error *error)
{
    expected_answer *a = suite->answers;
    if (vp_cases[row]->same != 0)
        variant = vp_cases[row]->same - 1;
    while (a != NULL && (a->row != row || a->variant != variant || strcmp(a->name, data->name) != 0))
        a = a->next;
    if (a == NULL) {
        vp_kernels reference;
        vp_check check;
        a = calloc(1, sizeof *a);
        if (a == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for the reference's answers on %s", data->name);
        vp_kernels_best(&reference, 0);
        vp_status status = vp_case_reference(vp_cases[row], &reference, data, variant, false, &a->records, &check, error);
        if (status == VP_OK && check.mismatches != 0)
            status = vp_fail(error, VP_E_ARGUMENT, "on %s, the reference of %s %.150s", data->name, vp_rows[row].name, check.why.message);
        if (status != VP_OK) {
            vp_records_destroy(&a->records);
            free(a);
            return status;
        }
        a->row = row;
        a->variant = variant;
        snprintf(a->name, sizeof a->name, "%s", data->name);
        a->next = suite->answers;
        suite->answers = a;
    }
    *out = &a->records;
    return VP_OK;
}

/* ---- answers of earlier processes ---- */

bool vp_suite_open_answers(vp_suite *suite, const char *path)
{
    char line[64 + VP_SUITE_NAME_BYTES];
    suite->kept_file = fopen(path, "a+");
    if (suite->kept_file == NULL)
        return false;
    setvbuf(suite->kept_file, NULL, _IOLBF, BUFSIZ); /* a line each write, for other writers, and in case a library crashes */
    rewind(suite->kept_file);
    while (fgets(line, sizeof line, suite->kept_file) != NULL) {
        kept_answers *k = calloc(1, sizeof *k);
        if (k == NULL)
            return false;
        if (sscanf(line, "%16" SCNx64 " %16" SCNx64 " %lf %127[^\n]", &k->answers.all, &k->answers.last, &k->answers.seconds, k->question) != 4)
            k->question[0] = '\0'; /* a damaged line answers no question */
        k->next = suite->kept;
        suite->kept = k;
    }
    return true;
}

bool vp_suite_find_answers(const vp_suite *suite, const char *question, vp_agreed *out)
{
    const kept_answers *k = suite->kept;
    while (k != NULL && strcmp(k->question, question) != 0)
        k = k->next;
    if (k != NULL)
        *out = k->answers;
    return k != NULL;
}

void vp_suite_keep_answers(vp_suite *suite, const char *question, const vp_agreed *answers)
{
    if (suite->kept_file != NULL)
        fprintf(suite->kept_file, "%016" PRIx64 " %016" PRIx64 " %.6f %s\n", answers->all, answers->last, answers->seconds, question);
}

/* ---- time and threads ---- */

vp_executor vp_suite_executor(uint32_t threads)
{
#ifdef VP_BENCH_OPENMP
    return vp_executor_openmp(threads);
#else
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
