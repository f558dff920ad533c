/* SPDX-License-Identifier: MIT */
#include "bench/decompose/hulls_out.h"

#include <stdio.h>

#include "bench/peers/judge.h"
#include "datasets/datasets.h"
#include "datasets/solid_sets.h"
#include "host/hulls/hulls.h"
#include "host/mesh_load.h"
#include "host/program.h"
#include "src/core/error.h"

enum { SECONDS = 60 };

typedef struct hulls_job {
    const vp_peer *peer;
    const char *out;
    vp_hulls_format format;
    const vp_data *data;
} hulls_job;

/* A hull without triangles is the hull of its points. */
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

/* A judge that writes the hulls to the file. */
static void write_hulls(const vp_contest *c, vp_verdict *out)
{
    const hulls_job *j = c->right;
    vp_hulls hulls = {0};
    vp_peer_answers got;
    vp_error error;
    if (c->refused != 0 || !vp_peer_answers_of(c->peer, c->work, 0, &got) || got.hulls == 0)
        return;
    take(&got, &hulls);
    vp_verdict_count(out, "hulls", hulls.count);
    vp_verdict_count(out, "points", (double)hulls.points);
    vp_verdict_count(out, "triangles", (double)hulls.triangles);
    const bool written = vp_hulls_write(j->out, j->format, &hulls, j->peer->name, &error) == VP_OK;
    out->outcome = written ? VP_PEER_RIGHT : VP_PEER_WRONG;
    snprintf(out->text, sizeof out->text, "%s", written ? "" : error.message);
    vp_hulls_destroy(&hulls);
}

static vp_status decompose(hulls_job *j, const char *name, vp_error *error)
{
    static const vp_judge writer = {.look = write_hulls};
    const vp_contest contest = {.judge = &writer, .peer = j->peer, .data = j->data, .right = j, .steps = 1};
    vp_verdict v;
    const vp_status status = vp_contest_try(&contest, SECONDS, &v, error);
    if (status != VP_OK)
        return status;
    if (v.outcome == VP_PEER_LATE)
        return vp_fail(error, VP_E_LIMIT, "%s takes more than %d s for %.200s", j->peer->name, SECONDS, name);
    if (v.outcome == VP_PEER_CRASHES)
        return vp_fail(error, VP_E_UNSUPPORTED, "%s crashes on %.200s (signal %d)", j->peer->name, name, v.signal);
    if (v.outcome == VP_PEER_WRONG)
        return vp_fail(error, VP_E_IO, "%s", v.text);
    if (v.outcome != VP_PEER_RIGHT)
        return vp_fail(error, VP_E_UNSUPPORTED, "%s makes nothing of it", j->peer->name);
    printf("%s: %.0f hulls of %.0f points and %.0f triangles, in %.3g s: %s\n", j->peer->name, v.counter[0].value, v.counter[1].value,
           v.counter[2].value, v.seconds, j->out);
    return VP_OK;
}

static vp_status of_file(hulls_job *j, const char *name, vp_error *error)
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

static vp_status of_set(hulls_job *j, const char *name, vp_error *error)
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
    hulls_job j = {.peer = peer, .out = out};
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
