/* SPDX-License-Identifier: MIT */
/* What `voxphys dataset` does with meshes and with the rays and boxes that belong to them: writing as JSON lines, and
   counting. */
#include "tools/dataset/dataset.h"

#include "src/core/error.h"
#include "datasets/import/text.h"
#include "datasets/manifest_data.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A set, and the meshes that it belongs to or is. */
typedef struct mesh_data {
    vp_mesh_set meshes;
    vp_ray_set rays;
    vp_mesh_box_set boxes;
} mesh_data;

static void close_data(mesh_data *data)
{
    vp_mesh_box_set_destroy(&data->boxes);
    vp_ray_set_destroy(&data->rays);
    vp_mesh_set_destroy(&data->meshes);
}

/* @return a failure with nothing left to close */
static vp_status open_data(const vp_manifest *manifest, const char *name, vp_dataset_kind kind, mesh_data *data,
                           vp_error *error)
{
    char owner[80];
    const vp_entry *entry;
    vp_status status = VP_OK;
    *data = (mesh_data){0};
    snprintf(owner, sizeof owner, "%.*s", (int)strcspn(name, "/"), name);
    if (kind != VP_DATASET_MESHES)
        status = vp_manifest_entry_on(manifest, name, kind, &entry, error);
    if (status == VP_OK)
        status = vp_dataset_make_meshes(manifest, owner, &data->meshes, error);
    if (status == VP_OK && kind == VP_DATASET_RAYS)
        status = vp_dataset_rays(manifest, name, &data->meshes, &data->rays, error);
    if (status == VP_OK && kind == VP_DATASET_MESH_BOXES)
        status = vp_dataset_mesh_boxes(manifest, name, &data->meshes, &data->boxes, error);
    if (status != VP_OK)
        close_data(data);
    return status;
}

/* ---- lines ---- */

static void add_vec3(vp_text *to, vp_vec3 v)
{
    vp_text_add(to, "[\"%a\", \"%a\", \"%a\"]", (double)v.x, (double)v.y, (double)v.z);
}

static void add_mesh(vp_text *to, const vp_triangles *mesh, const uint8_t *material)
{
    const uint32_t corners = mesh->quads ? 4 : 3;
    const uint32_t faces = mesh->quads ? mesh->triangle_count / 2 : mesh->triangle_count;
    vp_text_add(to, "{\"vertices\": [");
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        vp_text_add(to, i == 0 ? "" : ", ");
        add_vec3(to, mesh->vertex[i]);
    }
    vp_text_add(to, "], \"%s\": [", mesh->quads ? "quads" : "triangles");
    for (uint32_t i = 0; i < faces; i++) {
        const uint32_t *at = mesh->index + (size_t)i * corners;
        vp_text_add(to, "%s[%u, %u, %u", i == 0 ? "" : ", ", at[0], at[1], at[2]);
        if (mesh->quads)
            vp_text_add(to, ", %u", at[3]);
        vp_text_add(to, "]");
    }
    vp_text_add(to, "], \"materials\": [");
    for (uint32_t i = 0; i < faces; i++)
        vp_text_add(to, "%s%u", i == 0 ? "" : ", ", (unsigned)material[i]);
    vp_text_add(to, "]}\n");
}

static void add_lines(vp_text *to, vp_dataset_kind kind, const mesh_data *data)
{
    for (uint32_t i = 0; kind == VP_DATASET_MESHES && i < data->meshes.count; i++)
        add_mesh(to, &data->meshes.mesh[i], data->meshes.material[i]);
    for (uint32_t i = 0; i < data->rays.count; i++) {
        const vp_ray *ray = &data->rays.ray[i];
        vp_text_add(to, "{\"mesh\": %u, \"origin\": ", data->rays.mesh[i]);
        add_vec3(to, ray->origin);
        vp_text_add(to, ", \"direction\": ");
        add_vec3(to, ray->direction);
        vp_text_add(to, ", \"t_max\": \"%a\"}\n", (double)ray->t_max);
    }
    for (uint32_t i = 0; i < data->boxes.count; i++) {
        vp_text_add(to, "{\"mesh\": %u, \"min\": ", data->boxes.mesh[i]);
        add_vec3(to, data->boxes.box[i].min);
        vp_text_add(to, ", \"max\": ");
        add_vec3(to, data->boxes.box[i].max);
        vp_text_add(to, "}\n");
    }
}

vp_status vp_dataset_make_mesh_lines(const vp_manifest *manifest, const char *name, vp_dataset_kind kind,
                                     const char *path, uint64_t *hash, vp_error *error)
{
    mesh_data data;
    vp_status status = open_data(manifest, name, kind, &data, error);
    if (status != VP_OK)
        return status;
    *hash = kind == VP_DATASET_MESHES ? vp_mesh_set_hash(&data.meshes)
            : kind == VP_DATASET_RAYS ? vp_ray_set_hash(&data.rays)
                                      : vp_mesh_box_set_hash(&data.boxes);
    vp_text lines = {0};
    char *text = NULL;
    add_lines(&lines, kind, &data);
    const size_t size = lines.size;
    status = vp_text_finish(&lines, &text, error);
    if (status == VP_OK)
        status = vp_dataset_put_text(path, text, size, error);
    free(text);
    close_data(&data);
    return status;
}

/* ---- counts ---- */

/* How many meshes a set names at least once. */
static json_int_t distinct(const uint32_t *mesh, uint32_t count, uint8_t *seen)
{
    json_int_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        found += seen[mesh[i]] == 0;
        seen[mesh[i]] = 1;
    }
    return found;
}

vp_status vp_dataset_count_meshes(const vp_manifest *manifest, const char *name, vp_dataset_kind kind,
                                  struct json_t **out, vp_error *error)
{
    mesh_data data;
    vp_status status = open_data(manifest, name, kind, &data, error);
    if (status != VP_OK)
        return status;
    const vp_mesh_set *m = &data.meshes;
    if (kind == VP_DATASET_MESHES) {
        const uint64_t bytes = m->vertex_count * sizeof *m->vertex + m->index_count * sizeof *m->index + m->material_count;
        *out = json_pack("{s:i, s:b, s:I, s:I, s:I}", "meshes", (int)m->count, "chunks", m->chunks, "triangles",
                         (json_int_t)m->triangle_count, "vertices", (json_int_t)m->vertex_count, "bytes",
                         (json_int_t)bytes);
    } else {
        const bool rays = kind == VP_DATASET_RAYS;
        const uint32_t count = rays ? data.rays.count : data.boxes.count;
        const size_t bytes = count * (sizeof(uint32_t) + (rays ? sizeof(vp_ray) : sizeof(vp_aabb)));
        uint8_t *seen = calloc(m->count, 1);
        if (seen != NULL)
            *out = json_pack("{s:i, s:I, s:I}", rays ? "rays" : "boxes", (int)count, "meshes",
                             (json_int_t)distinct(rays ? data.rays.mesh : data.boxes.mesh, count, seen), "bytes",
                             (json_int_t)bytes);
        else
            status = vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory to count its meshes", name);
        free(seen);
    }
    close_data(&data);
    return status;
}
