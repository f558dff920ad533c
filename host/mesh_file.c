/* SPDX-License-Identifier: MIT */
#include "host/mesh_file.h"

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

static vp_status no_memory(const char *path, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for the bytes of %s", vp_show_path(path).text);
}

char *vp_mesh_materials_file(const char *path)
{
    size_t length = strlen(path);
    char *beside = malloc(length + 1);
    if (beside != NULL) {
        memcpy(beside, path, length + 1);
        memcpy(beside + length - 4, ".mtl", 4);
    }
    return beside;
}

/* An OBJ's own file names that of its materials as it is called in the same folder. */
static vp_status write_obj(const char *path, const vp_named_mesh *mesh, size_t count, const vp_looks *looks, vp_error *error)
{
    char *beside = vp_mesh_materials_file(path);
    if (beside == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a file name");
    const char *slash = strrchr(beside, '/');
    vp_bytes materials = {0}, bytes = {0};
    vp_mesh_obj_materials(mesh, count, looks, &materials);
    vp_mesh_obj(mesh, count, looks, slash != NULL ? slash + 1 : beside, &bytes);
    const vp_new_file files[] = {{beside, materials.at, materials.size}, {path, bytes.at, bytes.size}};
    vp_status status = bytes.failed       ? no_memory(path, error)
                       : materials.failed ? no_memory(beside, error)
                                          : vp_file_replace_all(files, 2, error);
    free(materials.at);
    free(bytes.at);
    free(beside);
    return status;
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
