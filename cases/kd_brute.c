/* SPDX-License-Identifier: MIT */
/* The case of brute force. Each mesh's triangles are arrays, and each ray is tested against all of them. */
#include <stdalign.h>
#include <stdlib.h>

#include <voxphys/kernel/kd.h>

#include "cases/case.h"
#include "cases/copies.h"
#include "cases/kd_sizes.h"
#include "datasets/mesh_sets.h"
#include "src/core/error.h"

typedef struct soa_set {
    vp_triangle_soa *of; /* of each mesh */
    float *corners;      /* nine arrays for each mesh, one after the other */
} soa_set;

static void drop_soa(void *derived)
{
    soa_set *set = derived;
    if (set == NULL)
        return;
    free(set->of);
    free(set->corners);
    free(set);
}

/* Fills nine arrays from `at` on. @return their total number of floats */
static size_t fill_soa(const vp_triangles *mesh, float *at, vp_triangle_soa *out)
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

static vp_status make_soa(const vp_data *from, uint32_t variant, void **out, vp_error *error)
{
    const vp_mesh_set *meshes = from->set;
    const size_t floats = 9 * ((size_t)meshes->triangle_count + (size_t)meshes->count * VP_TRIANGLE_SOA_SLACK);
    soa_set *set = calloc(1, sizeof *set);
    if (set != NULL) {
        set->of = calloc(meshes->count + 1u, sizeof *set->of);
        set->corners = malloc((floats + 1) * sizeof *set->corners);
    }
    if (set == NULL || set->of == NULL || set->corners == NULL) {
        drop_soa(set);
        return vp_fail(error, VP_E_MEMORY, "no memory for the triangles of %s", from->name);
    }
    memset(set->corners, 0xff, floats * sizeof *set->corners); /* NaN for the arrays' slack */
    size_t at = 0;
    for (uint32_t m = 0; m < meshes->count; m++)
        at += fill_soa(&meshes->mesh[m], set->corners + at, &set->of[m]);
    *out = set;
    return VP_OK;
}

typedef struct brute_work {
    const vp_triangle_soa *soa; /* of each mesh */
    const vp_ray *ray;
    const uint32_t *mesh;
    uint32_t count;
    vp_hit *hit;
} brute_work;

static bool takes_brute(const vp_data *data, uint32_t variant)
{
    return ((const vp_mesh_set *)data->owner->set)->chunks;
}

static const vp_triangle_soa *copy_soa(const soa_set *from, uint32_t count, vp_arena *arena)
{
    if (!vp_arena_copies(arena))
        return from->of;
    vp_triangle_soa *soa = vp_arena_keep(arena, count, sizeof *soa, alignof(vp_triangle_soa));
    for (uint32_t m = 0; m < count; m++) {
        soa[m].count = from->of[m].count;
        for (int i = 0; i < 9; i++)
            soa[m].corner[i / 3][i % 3] =
                vp_arena_input(arena, from->of[m].corner[i / 3][i % 3], soa[m].count, sizeof(float), alignof(float), VP_TRIANGLE_SOA_SLACK);
    }
    return soa;
}

static vp_status make_brute(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    static const vp_derivation triangles = {"triangle-soa", make_soa, drop_soa};
    const vp_ray_set *rays = data->set;
    const void *soa;
    const vp_status status = vp_data_derive(data->owner, &triangles, 0, &soa, error);
    if (status != VP_OK)
        return status;
    brute_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(brute_work));
    w->soa = copy_soa(soa, ((const vp_mesh_set *)data->owner->set)->count, arena);
    w->ray = vp_arena_input(arena, rays->ray, rays->count, sizeof *w->ray, alignof(vp_ray), 0);
    w->mesh = rays->mesh;
    w->count = rays->count;
    w->hit = vp_arena_output(arena, rays->count, sizeof *w->hit, alignof(vp_hit), 0);
    return VP_OK;
}

VP_RUN_EACH(run_brute, brute_work, w->count, w->hit[i] = how->kernels->brute_ray(&w->soa[w->mesh[i]], &w->ray[i]))
VP_RECORD_EACH(record_brute, brute_work, w->count, vp_record_words(&w->hit[i], 4, out))

static const vp_measured brute[] = {VP_ON("chunks/coherent", 1, VP_TIMED),
                                    VP_ON("chunks/cold", 1, VP_TIMED),
                                    VP_ON("chunks-luanti/coherent", 1, VP_TIMED),
                                    VP_ON("chunks-luanti/cold", 1, VP_TIMED),
                                    OF_SIZES,
                                    {.data = NULL}};

const vp_case vp_case_brute_ray = {.kind = &vp_kind_rays,
                                   .takes = takes_brute,
                                   .reads = "rays of meshes that are chunks'",
                                   .make = make_brute,
                                   .run = run_brute,
                                   .records = record_brute,
                                   .measured = brute};
