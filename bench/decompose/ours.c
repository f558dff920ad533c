/* SPDX-License-Identifier: MIT */
#include "bench/decompose/ours.h"

#include <stdlib.h>
#include <string.h>

#include <voxphys/version.h>

#include "datasets/solid_sets.h"

/* ---- hulls ---- */

bool vp_hulls_ours_make(const vp_decomposition *from, uint32_t triangles, vp_hulls_ours *out)
{
    size_t places = 0, made = 0;
    for (uint32_t h = 0; h < from->hull_count; h++) {
        places += from->hull[h].hull.vertex_count;
        made += from->hull[h].hull.triangle_count;
    }
    *out = (vp_hulls_ours){.place = malloc((places + 1) * sizeof *out->place),
                           .triangle = malloc((made + 1) * sizeof *out->triangle),
                           .first = malloc(((size_t)from->hull_count + 1) * sizeof *out->first),
                           .owner = malloc(((size_t)triangles + 1) * sizeof *out->owner)};
    if (out->place == NULL || out->triangle == NULL || out->first == NULL || out->owner == NULL)
        return false;
    uint32_t place = 0, triangle = 0;
    for (uint32_t t = 0; t < triangles; t++)
        out->owner[t] = UINT32_MAX;
    for (uint32_t h = 0; h < from->hull_count; h++) {
        const vp_decomposition_hull *its = &from->hull[h];
        out->first[h][0] = place;
        out->first[h][1] = triangle;
        for (uint32_t v = 0; v < its->hull.vertex_count; v++)
            out->place[place++] = its->point[its->hull.vertex[v]];
        for (uint32_t t = 0; t < its->hull.triangle_count; t++)
            memcpy(out->triangle[triangle++], its->hull.triangle[t], sizeof *out->triangle);
        for (uint32_t t = 0; t < its->triangle_count; t++)
            out->owner[its->triangle[t]] = h;
    }
    out->first[from->hull_count][0] = place;
    out->first[from->hull_count][1] = triangle;
    out->reported = (vp_peer_answers){.place = out->place,
                                      .triangle = (const uint32_t(*)[3])out->triangle,
                                      .places = place,
                                      .triangles = triangle,
                                      .first = (const uint32_t(*)[2])out->first,
                                      .hulls = from->hull_count,
                                      .owner = out->owner,
                                      .predictions = from->counts.predictions};
    return true;
}

void vp_hulls_ours_drop(vp_hulls_ours *hulls)
{
    free(hulls->place);
    free(hulls->triangle);
    free(hulls->first);
    free(hulls->owner);
    *hulls = (vp_hulls_ours){0};
}

/* ---- as a library ---- */

typedef struct setting {
    const char *name; /* of the peer */
    uint32_t rows;
    vp_decomposition_flat flat;
} setting;
static const setting settings[] = {{"voxphys", 0, VP_DECOMPOSITION_FLAT_AREA},
                                   {"voxphys-rows-1", 1, VP_DECOMPOSITION_FLAT_AREA},
                                   {"voxphys-rows-2", 2, VP_DECOMPOSITION_FLAT_AREA},
                                   {"voxphys-rows-4", 4, VP_DECOMPOSITION_FLAT_AREA},
                                   {"voxphys-no-flat", 0, VP_DECOMPOSITION_FLAT_RAYS}};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

typedef struct decomposition_work {
    const vp_solid_set *set;
    const setting *with;
    vp_decomposition *answer; /* of each solid */
    vp_hulls_ours reported;   /* of the solid that was asked for last */
    vp_kernels scalar;
} decomposition_work;

static void drop(void *argument)
{
    decomposition_work *w = argument;
    if (w == NULL)
        return;
    for (uint32_t i = 0; w->answer != NULL && i < w->set->count; i++)
        vp_decomposition_destroy(&w->answer[i]);
    vp_hulls_ours_drop(&w->reported);
    free(w->answer);
    free(w);
}

static void *make(const vp_peer *peer, const vp_data *data)
{
    decomposition_work *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->set = data->set;
    w->with = settings;
    while (strcmp(w->with->name, peer->name) != 0)
        w->with++;
    w->answer = calloc((size_t)w->set->count + 1, sizeof *w->answer);
    if (w->answer != NULL && vp_kernels_named("scalar", &w->scalar, NULL) == VP_OK)
        return w;
    drop(w);
    return NULL;
}

static bool run(void *argument, uint32_t step)
{
    decomposition_work *w = argument;
    const vp_triangles *mesh = &w->set->solid[step].mesh;
    const vp_decomposition_def def = {.point = mesh->vertex,
                                      .point_count = mesh->vertex_count,
                                      .triangle = (const uint32_t(*)[3])(uintptr_t)mesh->index,
                                      .triangle_count = mesh->triangle_count,
                                      .rows = w->with->rows,
                                      .flat = w->with->flat,
                                      .kernels = &w->scalar};
    vp_decomposition_destroy(&w->answer[step]);
    w->answer[step] = (vp_decomposition){0};
    return vp_decomposition_create(&def, &w->answer[step], NULL) == VP_OK;
}

static bool answers(void *argument, uint32_t step, vp_peer_answers *out)
{
    decomposition_work *w = argument;
    vp_hulls_ours_drop(&w->reported);
    const bool good = vp_hulls_ours_make(&w->answer[step], w->set->solid[step].mesh.triangle_count, &w->reported);
    *out = w->reported.reported;
    return good;
}

#define OURS(name)                                                                                                                         \
    {                                                                                                                                      \
        name, VP_VERSION_STRING, "ours", VP_OPERATION_decompose, true, false, make, NULL, run, answers, drop                               \
    }
static const vp_peer ours[SETTINGS] = {OURS("voxphys"), OURS("voxphys-rows-1"), OURS("voxphys-rows-2"), OURS("voxphys-rows-4"),
                                       OURS("voxphys-no-flat")};

const vp_peer *vp_decompose_ours_at(size_t i)
{
    return i < SETTINGS ? &ours[i] : NULL;
}
