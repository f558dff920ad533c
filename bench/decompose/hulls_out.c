/* SPDX-License-Identifier: MIT */
#include "bench/decompose/hulls_out.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "datasets/datasets.h"
#include "datasets/solid_sets.h"
#include "host/hulls/hulls.h"
#include "host/mesh_load.h"
#include "host/program.h"
#include "host/subprocess.h"
#include "src/core/error.h"

enum { SECONDS = 60 };

typedef struct job {
    const vp_peer *peer;
    const char *out;
    vp_hulls_format format;
    const vp_data *data;
    void *work;
    bool ran;
    double seconds;
} job;

/* What comes back from the process of its own. */
typedef struct written {
    vp_error error;
    uint32_t hulls;
    uint64_t points, triangles;
    double seconds;
} written;

static void work(void *argument)
{
    job *j = argument;
    j->work = j->peer->make(j->peer, j->data);
    if (j->work != NULL) {
        const clock_t begin = clock();
        j->ran = vp_peer_run(j->peer, j->work, 0);
        j->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    }
}

/* A hull without triangles is that of its points. */
static void take(const vp_peer_answers *got, vp_hulls *hulls)
{
    for (uint32_t h = 0; h < got->hulls; h++) {
        vp_hulls_begin(hulls);
        for (uint32_t p = got->first[h][0]; p < got->first[h + 1][0]; p++)
            vp_hulls_point(hulls, got->place[p]);
        for (uint32_t t = got->first[h][1]; t < got->first[h + 1][1]; t++)
            vp_hulls_triangle(hulls, got->triangle[t][0], got->triangle[t][1], got->triangle[t][2]);
    }
}

static void look(void *argument, void *answer)
{
    const job *j = argument;
    written w = {.seconds = j->seconds};
    vp_hulls hulls = {0};
    vp_peer_answers got;
    if (!j->ran || !vp_peer_answers_of(j->peer, j->work, 0, &got) || got.hulls == 0) {
        vp_fail(&w.error, VP_E_UNSUPPORTED, "%s makes nothing of it", j->peer->name);
    } else {
        take(&got, &hulls);
        w.hulls = hulls.count;
        w.points = hulls.points;
        w.triangles = hulls.triangles;
        vp_hulls_write(j->out, j->format, &hulls, j->peer->name, &w.error);
    }
    vp_hulls_destroy(&hulls);
    memcpy(answer, &w, sizeof w);
}

static vp_status decompose(job *j, const char *name, vp_error *error)
{
    const vp_apart apart = {.name = j->peer->name, .context = j, .work = work, .look = look, .answer_bytes = sizeof(written)};
    written w = {.hulls = 0};
    vp_apart_end end;
    int signal;
    const vp_status status = vp_apart_run(&apart, SECONDS, &w, &end, &signal, error);
    if (status != VP_OK)
        return status;
    if (end == VP_APART_LATE)
        return vp_fail(error, VP_E_LIMIT, "%s takes more than %d s for %.200s", j->peer->name, SECONDS, name);
    if (end != VP_APART_ENDED)
        return vp_fail(error, VP_E_UNSUPPORTED, "%s crashes on %.200s (signal %d)", j->peer->name, name, signal);
    if (w.error.status != VP_OK) {
        *error = w.error;
        return w.error.status;
    }
    printf("%s: %u hulls of %llu points and %llu triangles, in %.3g s: %s\n", j->peer->name, w.hulls, (unsigned long long)w.points,
           (unsigned long long)w.triangles, w.seconds, j->out);
    return VP_OK;
}

static vp_status of_file(job *j, const char *name, vp_error *error)
{
    static vp_looks looks;
    vp_loaded_mesh mesh = {0};
    const vp_status status = vp_mesh_load(name, j->out, &mesh, &looks, error);
    if (status != VP_OK)
        return status;
    vp_solid solid = {.mesh = mesh.triangles};
    const vp_solid_set set = {1, &solid};
    const vp_data data = {.kind = &vp_kind_solids, .name = "mesh", .set = &set};
    j->data = &data;
    const vp_status made = decompose(j, name, error);
    vp_loaded_mesh_destroy(&mesh);
    return made;
}

static vp_status of_set(job *j, const char *name, vp_error *error)
{
    vp_manifest *manifest;
    vp_store *store = NULL;
    vp_status status = vp_manifest_open(NULL, &manifest, error);
    if (status != VP_OK)
        return status;
    status = vp_store_create(manifest, 0, &store, error);
    if (status == VP_OK)
        status = vp_store_open(store, &vp_kind_solids, name, &j->data, error);
    if (status == VP_OK && ((const vp_solid_set *)j->data->set)->count != 1)
        status = vp_fail(error, VP_E_ARGUMENT, "\"%.60s\" is several solids; one is needed, as solid-gear is", name);
    if (status == VP_OK)
        status = decompose(j, name, error);
    vp_store_destroy(store);
    vp_manifest_close(manifest);
    return status;
}

int vp_peer_write_hulls(const vp_peer *peer, const char *name, const char *out)
{
    job j = {.peer = peer, .out = out};
    vp_error error;
    vp_status status;
    if (!vp_hulls_format_of(out, &j.format))
        status = vp_fail(&error, VP_E_ARGUMENT, "%.200s does not end with .obj, .glb or .json", out);
    else
        status = vp_is_mesh_file(name) ? of_file(&j, name, &error) : of_set(&j, name, &error);
    if (status == VP_OK)
        return VP_EXIT_DONE;
    fprintf(stderr, "voxphys-peer: %s\n", error.message);
    return status == VP_E_ARGUMENT || status == VP_E_FORMAT ? VP_EXIT_USAGE : VP_EXIT_FAILED;
}
