/* SPDX-License-Identifier: MIT */
#include "tools/sources/triangle_source.h"

#include "host/program.h"
#include "tools/choices.h"
#include "tools/dataset/dataset.h"
#include "host/mesh_wire.h"
#include "host/thread_executor.h"

/* Opens a data set of meshes. Materials are named as in the world that they come from. */
static vp_status open_meshes(const vp_dataset *d, vp_source *s, vp_error *error)
{
    const vp_data *data;
    vp_blob note = {0};
    if (d->count != 1)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.60s\" is %u meshes; one is needed, as world-230k is", d->name, d->count);
    VP_RETURN_IF_FAILED(vp_dataset_store(s->manifest, 0, &s->store, error));
    VP_RETURN_IF_FAILED(vp_store_open(s->store, &vp_kind_meshes, d->name, &data, error));
    s->meshes = data->set;
    VP_RETURN_IF_FAILED(vp_world_note(s->manifest, d->world, &note, error));
    s->content = vp_content_of(s->command, s->manifest, d->name);
    vp_looks_of((const char *)note.bytes, &s->looks);
    vp_blob_destroy(&note);
    return VP_OK;
}

static vp_status open_solid(const vp_dataset *d, vp_source *s, vp_error *error)
{
    const vp_data *data;
    if (d->count != 1)
        return vp_fail(error, VP_E_ARGUMENT, "\"%.60s\" is %u solids; one is needed, as solid-gear is", d->name, d->count);
    VP_RETURN_IF_FAILED(vp_dataset_store(s->manifest, 0, &s->store, error));
    VP_RETURN_IF_FAILED(vp_store_open(s->store, &vp_kind_solids, s->name, &data, error));
    s->solid = ((const vp_solid_set *)data->set)->solid;
    s->content = vp_content_of(s->command, s->manifest, s->name);
    vp_looks_of(NULL, &s->looks);
    s->looks.of[0] = (vp_look){"solid", {186, 178, 166}, false}; /* the look of files without colours */
    return VP_OK;
}

static vp_status open_world(vp_source *s, vp_error *error)
{
    vp_blob note = {0};
    const vp_status status = vp_world_open(s->command, s->name, &s->manifest, &s->world, &s->content, &note, error);
    vp_looks_of((const char *)note.bytes, &s->looks);
    vp_blob_destroy(&note);
    return status;
}

static vp_status open_source(const char *command, const char *name, const char *written, vp_source *out, vp_error *error)
{
    *out = (vp_source){.command = command, .name = name, .content = VP_CONTENT_OF_FILE};
    if (vp_is_mesh_file(name)) {
        out->kind = VP_SOURCE_FILE;
        vp_looks_of(NULL, &out->looks);
        return vp_mesh_load(name, written, &out->file, &out->looks, error);
    }
    out->kind = VP_SOURCE_WORLD;
    /* "solid-gear/small" has a slash, as paths do */
    if (vp_is_file_name(name, ".vpw") && (vp_name_ends(name, ".vpw") || !vp_is_set_of(name, &vp_kind_solids)))
        return open_world(out, error);
    VP_RETURN_IF_FAILED(vp_manifest_open(NULL, &out->manifest, error));
    const vp_dataset *d = vp_manifest_set_of(out->manifest, name);
    if (d != NULL && d->kind == &vp_kind_solids) {
        out->kind = VP_SOURCE_SOLID;
        return open_solid(d, out, error);
    }
    d = vp_manifest_find(out->manifest, name);
    if (d == NULL || d->kind != &vp_kind_meshes)
        return open_world(out, error);
    out->kind = VP_SOURCE_MESHES;
    return open_meshes(d, out, error);
}

vp_status vp_source_open(const char *command, const char *name, const char *written, vp_source *out, vp_error *error)
{
    vp_status status = open_source(command, name, written, out, error);
    if (status != VP_OK)
        status = vp_explain_name(out->manifest, name, ".vpw, .obj, .ply, .stl, .off, .gltf or .glb", error);
    return status == VP_OK && written != NULL ? vp_check_out(out->manifest, name, written, error) : status;
}

void vp_source_close(vp_source *source)
{
    vp_loaded_mesh_destroy(&source->file);
    vp_store_destroy(source->store);
    vp_world_destroy(source->world);
    vp_manifest_close(source->manifest);
    source->world = NULL;
    source->manifest = NULL;
    source->store = NULL;
}

vp_status vp_source_surface(const vp_source *source, vp_surface surface, const vp_kernels *kernels, uint32_t threads, vp_surface_mesh *out,
                            vp_error *error)
{
    *out = (vp_surface_mesh){0};
    if (source->kind == VP_SOURCE_FILE) {
        out->triangles = source->file.triangles;
        out->material = source->file.material;
        return VP_OK;
    }
    if (source->kind == VP_SOURCE_SOLID) {
        out->triangles = source->solid->mesh;
        return VP_OK;
    }
    if (source->kind == VP_SOURCE_MESHES) {
        out->triangles = source->meshes->mesh[0];
        out->material = source->meshes->material[0];
        return VP_OK;
    }
    vp_watched w;
    vp_executor executor = vp_watch(&w, vp_thread_executor(threads), vp_surface_names[surface], VP_MESH_ROUNDS);
    vp_mesh_def def = {.world = source->world, .surface = surface, .kernels = kernels, .executor = &executor};
    double begin = vp_seconds();
    vp_status status = vp_mesh_create(&def, &out->world_mesh, error);
    out->seconds = vp_seconds() - begin;
    vp_progress("", 1, 1);
    if (status != VP_OK)
        return status;
    if (out->world_mesh.quad_count > VP_KD_MAX_TRIANGLES / 2)
        return vp_fail(error, VP_E_ARGUMENT, "the %s surface has %u quads; a tree has at most %d", vp_surface_names[surface],
                       out->world_mesh.quad_count, VP_KD_MAX_TRIANGLES / 2);
    out->triangles = vp_triangles_of(&out->world_mesh);
    out->material = out->world_mesh.material;
    return VP_OK;
}

void vp_surface_mesh_destroy(vp_surface_mesh *mesh)
{
    vp_mesh_destroy(&mesh->world_mesh);
    *mesh = (vp_surface_mesh){0};
}
