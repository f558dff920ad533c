/* SPDX-License-Identifier: MIT */
#include "host/mesh_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/file.h"
#include "host/program.h"

bool vp_mesh_format_of(const char *path, vp_mesh_format *out)
{
    static const char *const ends[VP_MESH_FORMATS] = {".obj", ".ply", ".gltf"};
    const size_t format = vp_ending_of(path, ends, VP_MESH_FORMATS);
    *out = format < VP_MESH_FORMATS ? (vp_mesh_format)format : *out;
    return format < VP_MESH_FORMATS;
}

vp_file_name vp_mesh_materials_file(const char *path)
{
    vp_file_name beside;
    snprintf(beside.text, sizeof beside.text, "%.*s.mtl", (int)strlen(path) - 4, path);
    return beside;
}

const char *vp_name_in_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

vp_status vp_obj_save(const char *path, vp_bytes *obj, vp_bytes *materials, vp_error *error)
{
    const vp_file_name beside = vp_mesh_materials_file(path);
    const vp_new_file files[] = {{beside.text, materials->at, materials->size}, {path, obj->at, obj->size}};
    const vp_status status = obj->failed || materials->failed
                                 ? vp_fail(error, VP_E_MEMORY, "no memory for the bytes of %s", vp_show_path(path).text)
                                 : vp_file_replace_all(files, 2, error);
    free(materials->at);
    free(obj->at);
    return status;
}

static vp_status write_obj(const char *path, const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_error *error)
{
    vp_bytes materials = {0}, bytes = {0};
    vp_mesh_obj_materials(mesh, count, looks, &materials);
    vp_mesh_obj(mesh, count, looks, vp_name_in_folder(vp_mesh_materials_file(path).text), &bytes);
    return vp_obj_save(path, &bytes, &materials, error);
}

vp_status vp_mesh_file_write(const char *path, vp_mesh_format format, const vp_named_mesh *mesh, size_t count, const vp_looks *looks,
                             vp_error *error)
{
    if (format == VP_MESH_OBJ)
        return write_obj(path, mesh, count, looks, error);
    vp_bytes bytes = {0};
    if (format == VP_MESH_PLY)
        vp_mesh_ply(mesh, count, looks, &bytes);
    else
        vp_mesh_gltf(mesh, count, looks, &bytes);
    return vp_bytes_save(&bytes, path, error);
}
