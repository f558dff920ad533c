/* SPDX-License-Identifier: MIT */
/* The case of brute force: each mesh's triangles as arrays, and each ray against all of its mesh's. */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "datasets/cases/records.h"

typedef struct work {
    const vp_workload *workload;
    vp_triangle_soa *soup;  /* of each mesh */
    float *corners; /* nine arrays a mesh, one behind the other */
    vp_hit *hit;
} work;

static void drop(void *argument)
{
    work *w = argument;
    if (w == NULL)
        return;
    free(w->soup);
    free(w->corners);
    free(w->hit);
    free(w);
}

/* Takes the place of nine arrays from `at` on. @return how many floats those are */
static size_t fill(const vp_triangles *mesh, float *at, vp_triangle_soa *out)
{
    const size_t length = (size_t)mesh->triangle_count + VP_TRIANGLE_SOA_SLACK;
    out->count = mesh->triangle_count;
    for (uint32_t c = 0; c < 3; c++)
        for (uint32_t axis = 0; axis < 3; axis++)
            out->corner[c][axis] = at + (3 * c + axis) * length;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        uint32_t corner[3];
        vp_triangle_corners(mesh, i, corner);
        for (uint32_t c = 0; c < 3; c++) {
            const vp_vec3 v = mesh->vertex[corner[c]];
            at[(3 * c + 0) * length + i] = v.x;
            at[(3 * c + 1) * length + i] = v.y;
            at[(3 * c + 2) * length + i] = v.z;
        }
    }
    return 9 * length;
}

static vp_status make(const vp_workload *workload, void **out, vp_error *error)
{
    const vp_mesh_set *set = &workload->meshes;
    const size_t floats = 9 * ((size_t)set->triangle_count + (size_t)set->count * VP_TRIANGLE_SOA_SLACK);
    work *w = calloc(1, sizeof *w);
    *out = w;
    if (w != NULL) {
        w->workload = workload;
        w->soup = calloc(set->count + 1u, sizeof *w->soup);
        w->corners = malloc((floats + 1) * sizeof *w->corners);
        w->hit = malloc((workload->rays.count + 1u) * sizeof *w->hit);
    }
    if (w == NULL || w->soup == NULL || w->corners == NULL || w->hit == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for brute force on %s", workload->name);
    memset(w->corners, 0xff, floats * sizeof *w->corners); /* NaN, where the arrays' slack is */
    memset(w->hit, 0xa5, workload->rays.count * sizeof *w->hit);
    size_t at = 0;
    for (uint32_t m = 0; m < set->count; m++)
        at += fill(&set->mesh[m], w->corners + at, &w->soup[m]);
    return VP_OK;
}

static uint64_t run(const vp_kernels *table, void *argument)
{
    work *w = argument;
    const vp_ray_set *rays = &w->workload->rays;
    for (uint32_t i = 0; i < rays->count; i++)
        w->hit[i] = table->brute_ray(&w->soup[rays->mesh[i]], &rays->ray[i]);
    return rays->count;
}

static vp_status records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    return vp_hit_records(w->hit, w->workload->rays.count, out, error);
}

const vp_case vp_case_brute_ray = {"rays", VP_FOOD_CHUNK_RAYS, make, run, records, drop};
