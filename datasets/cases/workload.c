/* SPDX-License-Identifier: MIT */
/* Workloads: what a store has opened under one name. */
#include "datasets/cases/cases.h"

#include <stdio.h>
#include <string.h>

#include "datasets/fuzz.h"
#include "src/core/error.h"

/* Takes what was opened for the workload's. */
static vp_status fill(const vp_data *data, vp_workload *w, vp_error *error)
{
    vp_status status = VP_OK;
    if (data->kind == &vp_kind_world) {
        w->of_world = data;
        w->world = data->set;
        status = vp_derive_rows(data, &w->rows, error);
        if (status == VP_OK)
            status = vp_derive_broadphase(data, &w->broadphase, error);
    } else if (data->kind == &vp_kind_boxes) {
        memcpy(&w->boxes, data->set, sizeof w->boxes);
    } else if (data->kind == &vp_kind_points) {
        memcpy(&w->points, data->set, sizeof w->points);
    } else if (data->kind == &vp_kind_meshes) {
        w->of_meshes = data;
        memcpy(&w->meshes, data->set, sizeof w->meshes);
        w->terrain = vp_has_terrain(data->set);
    } else if (data->kind == &vp_kind_rays) {
        w->of_rays = data;
        w->of_mesh_boxes = NULL;
        memcpy(&w->rays, data->set, sizeof w->rays);
    } else if (data->kind == &vp_kind_mesh_boxes) {
        w->of_mesh_boxes = data;
        memcpy(&w->mesh_boxes, data->set, sizeof w->mesh_boxes);
    }
    return status;
}

static vp_status open_fuzz(const char *name, vp_workload *w, vp_error *error)
{
    const vp_ray_set *rays = NULL;
    vp_status status = VP_OK;
    for (const vp_kind *const *kind = vp_kinds; status == VP_OK && *kind != NULL; kind++) {
        const vp_data *data;
        if ((*kind)->fuzz == NULL)
            continue;
        status = vp_store_open(w->store, *kind, name, &data, error);
        if (status == VP_OK)
            status = fill(data, w, error);
    }
    if (status == VP_OK)
        status = vp_fuzz_terrain_rays(w->store, name, &rays, error);
    if (status == VP_OK)
        w->terrain_rays = *rays;
    return status;
}

static vp_status open_set(const char *name, vp_workload *w, vp_error *error)
{
    const vp_data *data;
    vp_status status = vp_store_open_any(w->store, name, &data, error);
    if (status == VP_OK && data->owner != NULL)
        status = fill(data->owner, w, error);
    return status != VP_OK ? status : fill(data, w, error);
}

vp_status vp_workload_in(vp_store *store, const char *name, vp_workload *out, vp_error *error)
{
    vp_workload w = {.store = store, .lent = true};
    uint64_t number;
    if (strlen(name) >= sizeof w.name)
        return vp_fail(error, VP_E_ARGUMENT, "data set name \"%.40s...\" is too long", name);
    memcpy(w.name, name, strlen(name) + 1);
    const vp_status status =
        vp_is_fuzz(name, &number) ? open_fuzz(name, &w, error) : open_set(name, &w, error);
    if (status == VP_OK)
        *out = w;
    return status;
}

vp_status vp_workload_open(const vp_manifest *manifest, const char *name, uint64_t seed, vp_workload *out,
                           vp_error *error)
{
    vp_store *store = NULL;
    vp_status status = vp_store_create(manifest, seed, &store, error);
    if (status == VP_OK)
        status = vp_workload_in(store, name, out, error);
    if (status == VP_OK)
        out->lent = false;
    else
        vp_store_destroy(store);
    return status;
}

vp_status vp_workload_set_boxes(const vp_manifest *manifest, const char *boxes, vp_workload *workload,
                                vp_error *error)
{
    char name[sizeof workload->name];
    (void)manifest;
    if ((size_t)snprintf(name, sizeof name, "%.*s/%s", (int)strcspn(workload->name, "/"), workload->name,
                         boxes) >= sizeof name)
        return vp_fail(error, VP_E_ARGUMENT, "data set name \"%.40s...\" is too long", boxes);
    workload->rays = (vp_ray_set){0};
    workload->mesh_boxes = (vp_mesh_box_set){0};
    const vp_status status = open_set(name, workload, error);
    if (status == VP_OK)
        memcpy(workload->name, name, sizeof name);
    return status;
}

void vp_workload_set_kind(vp_workload *workload, const vp_tree_kind *kind)
{
    workload->form = kind->form;
    workload->plain = kind->plain;
}

const vp_tree_kind *vp_workload_kind(const vp_workload *workload)
{
    const vp_tree_kind *kind = vp_tree_kinds;
    while (kind->form != workload->form || kind->plain != workload->plain)
        kind++;
    return kind;
}

static uint32_t kind_number(const vp_workload *workload)
{
    return (uint32_t)(vp_workload_kind(workload) - vp_tree_kinds);
}

bool vp_workload_has_kind(const vp_workload *workload, const vp_tree_kind *kind)
{
    return vp_has_trees(&workload->meshes, (uint32_t)(kind - vp_tree_kinds));
}

vp_status vp_workload_surfaces(const vp_workload *workload, const vp_surface_set **out, vp_error *error)
{
    return vp_derive_surfaces(workload->of_world, workload->most_surfaces, out, error);
}

vp_status vp_workload_trees(const vp_workload *workload, vp_kd *const **out, vp_error *error)
{
    return vp_derive_trees(workload->of_meshes, kind_number(workload), out, error);
}

vp_status vp_workload_terrain(const vp_workload *workload, vp_terrain_view *out, vp_error *error)
{
    return vp_derive_terrain(workload->of_meshes, kind_number(workload), out, error);
}

double vp_workload_terrain_bytes(const vp_workload *workload)
{
    double bytes;
    uint64_t triangles;
    return vp_terrain_bytes(workload->of_meshes, kind_number(workload), &bytes, &triangles, NULL) == VP_OK
               ? bytes
               : 0.0;
}

uint64_t vp_workload_terrain_triangles(const vp_workload *workload)
{
    double bytes;
    uint64_t triangles;
    return vp_terrain_bytes(workload->of_meshes, kind_number(workload), &bytes, &triangles, NULL) == VP_OK
               ? triangles
               : 0;
}

void vp_workload_thin(vp_workload *workload, uint32_t most)
{
    const vp_data *part;
    if (workload->of_rays != NULL && vp_data_part(workload->of_rays, most, &part, NULL) == VP_OK) {
        workload->of_rays = part;
        memcpy(&workload->rays, part->set, sizeof workload->rays);
    }
    if (workload->of_mesh_boxes != NULL &&
        vp_data_part(workload->of_mesh_boxes, most, &part, NULL) == VP_OK) {
        workload->of_mesh_boxes = part;
        memcpy(&workload->mesh_boxes, part->set, sizeof workload->mesh_boxes);
    }
}

void vp_workload_close(vp_workload *workload)
{
    if (!workload->lent)
        vp_store_destroy(workload->store);
    *workload = (vp_workload){0};
}
