/* SPDX-License-Identifier: MIT */
#include "tools/sources/point_source.h"

#include <stdlib.h>

#include "datasets/point_sets.h"
#include "tools/dataset/dataset.h"
#include "host/mesh_wire.h"
#include "tools/sources/triangle_source.h"

static vp_status copy(const vp_vec3 *point, uint32_t count, vp_points *out, vp_error *error)
{
    if (count > VP_HULL_MAX_POINTS)
        return vp_fail(error, VP_E_ARGUMENT, "%u points are more than %u", count, VP_HULL_MAX_POINTS);
    if (count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "no points; must be at least 1");
    *out = (vp_points){.point = malloc(count * sizeof *point), .count = count, .room = count, .columns = 3};
    if (out->point == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u points", count);
    memcpy(out->point, point, count * sizeof *point);
    return VP_OK;
}

/* Opens a data set of points by its name and a count. */
static vp_status open_set(const char *command, const vp_manifest *manifest, const char *written, vp_point_source *out, vp_error *error)
{
    vp_store *store = NULL;
    const vp_data *data;
    vp_status status = VP_OK;
    if (strchr(out->name, '/') == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "data set \"%.60s\" is many sets of points; one is named with its count: %.60s/1000",
                       out->name, out->name);
    if (written != NULL)
        status = vp_dataset_check_out(manifest, out->name, written, error);
    if (status == VP_OK)
        status = vp_store_create(manifest, 0, &store, error);
    if (status == VP_OK)
        status = vp_store_open(store, &vp_kind_points, out->name, &data, error);
    if (status == VP_OK) {
        const vp_point_sets *sets = data->set;
        status = copy(sets->point, sets->first[sets->count], &out->points, error);
    }
    if (status == VP_OK)
        out->content = vp_content_of(command, manifest, out->name);
    vp_store_destroy(store);
    return status;
}

static vp_status open_mesh(const char *command, const char *written, const vp_kernels *kernels, vp_point_source *out, vp_error *error)
{
    vp_source *source = calloc(1, sizeof *source); /* too large for the stack */
    vp_surface_mesh mesh = {0};
    if (source == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to read %s", vp_show_path(out->name).text);
    vp_status status = vp_source_open(command, out->name, written, source, error);
    if (status == VP_OK)
        status = vp_source_surface(source, VP_SURFACE_SOLID, kernels, 1, &mesh, error);
    if (status == VP_OK)
        status = copy(mesh.triangles.vertex, mesh.triangles.vertex_count, &out->points, error);
    out->content = source->content;
    vp_surface_mesh_destroy(&mesh);
    vp_source_close(source);
    free(source);
    return status;
}

vp_status vp_point_source_open(const char *command, const char *name, const char *written, const vp_kernels *kernels, vp_point_source *out,
                               vp_error *error)
{
    *out = (vp_point_source){.name = name, .content = VP_CONTENT_OF_FILE};
    if (vp_is_point_file(name)) {
        if (written != NULL && vp_same_file(name, written))
            return vp_fail(error, VP_E_ARGUMENT, "FILE '%s' is the file that is read", vp_show_path(written).text);
        return vp_point_file_read(name, &out->points, error);
    }
    vp_manifest *manifest = NULL;
    vp_status status = VP_OK;
    bool is_set = false;
    if (!vp_is_mesh_file(name) && !vp_name_ends(name, ".vpw")) {
        status = vp_manifest_open(NULL, &manifest, error);
        if (status != VP_OK)
            return status;
        const vp_dataset *points = vp_manifest_set_of(manifest, name);
        is_set = points != NULL && points->kind == &vp_kind_points;
        vp_fail(error, VP_E_ARGUMENT, "%s", "");
        if (!is_set && strchr(name, '/') == NULL)
            (void)vp_explain_name(manifest, name, ".points, .obj, .ply, .stl, .off, .gltf, .glb or .vpw", error);
        status = error->message[0] != '\0' ? VP_E_ARGUMENT : VP_OK;
        const vp_dataset *d = vp_manifest_find(manifest, name);
        if (status == VP_OK && !is_set && d != NULL && d->kind != &vp_kind_world && d->kind != &vp_kind_meshes)
            status = vp_fail(error, VP_E_ARGUMENT, "data set \"%.60s\" is of kind %s, which has no points; points, meshes and worlds have",
                             name, d->kind->name);
    }
    if (is_set)
        status = open_set(command, manifest, written, out, error);
    vp_manifest_close(manifest);
    if (!is_set && status == VP_OK)
        status = open_mesh(command, written, kernels, out, error);
    return status;
}

void vp_point_source_close(vp_point_source *source)
{
    vp_points_destroy(&source->points);
}
