/* SPDX-License-Identifier: MIT */
#include "tools/sources/world_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "datasets/manifest_data.h"
#include "host/program.h"

bool vp_hash_checked(const char *command, const vp_manifest *manifest, const char *name)
{
    uint64_t hash;
    bool checked = vp_manifest_hash(manifest, name, &hash);
    if (!checked) {
        vp_progress_hide();
        fprintf(stderr, "voxphys %s: data set \"%s\": the manifest has no hash of it, so its content is not checked\n", command, name);
    }
    return checked;
}

bool vp_is_file_name(const char *name, const char *suffix)
{
    size_t length = strlen(name), suffix_length = strlen(suffix);
    return strchr(name, '/') != NULL || (length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0);
}

vp_content vp_content_of(const char *command, const vp_manifest *manifest, const char *name)
{
    return vp_hash_checked(command, manifest, name) ? VP_CONTENT_CHECKED : VP_CONTENT_NOT_CHECKED;
}

static vp_status load(const char *path, vp_world **out, vp_blob *note, vp_error *error)
{
    vp_status status = vp_world_load(path, NULL, out, note, error);
    if (status == VP_E_FORMAT) /* the message has the byte but not the file */
        vp_name_file(error, "", path);
    return status;
}

vp_status vp_world_note(const vp_manifest *manifest, const char *name, vp_blob *note, vp_error *error)
{
    const vp_dataset *d = vp_manifest_find(manifest, name);
    vp_world *world = NULL;
    if (d == NULL || d->source[0] == '\0')
        return VP_OK;
    char *path = vp_manifest_path(manifest, d->source);
    if (path == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a file name");
    vp_status status = load(path, &world, note, error);
    vp_world_destroy(world);
    free(path);
    return status;
}

/* Opens a world of the manifest. Destroy it. */
static vp_status open_set(const vp_manifest *manifest, const char *name, vp_world **out, vp_error *error)
{
    vp_store *store = NULL;
    const vp_data *data;
    vp_status status = vp_store_create(manifest, 0, &store, error);
    if (status == VP_OK)
        status = vp_store_open(store, &vp_kind_world, name, &data, error);
    if (status == VP_OK)
        *out = vp_store_take(store, data);
    vp_store_destroy(store);
    return status;
}

vp_status vp_world_open(const char *command, const char *name, vp_manifest **manifest, vp_world **out, vp_content *content, vp_blob *note,
                        vp_error *error)
{
    *content = VP_CONTENT_OF_FILE;
    if (vp_is_file_name(name, ".vpw"))
        return load(name, out, note, error);
    VP_RETURN_IF_FAILED(*manifest == NULL ? vp_manifest_open(NULL, manifest, error) : VP_OK);
    VP_RETURN_IF_FAILED(open_set(*manifest, name, out, error));
    *content = vp_content_of(command, *manifest, name);
    return note != NULL ? vp_world_note(*manifest, name, note, error) : VP_OK;
}

vp_status vp_explain_name(const vp_manifest *manifest, const char *name, const char *ends, vp_error *error)
{
    if (manifest == NULL || error->status != VP_E_ARGUMENT || vp_manifest_find(manifest, name) != NULL ||
        (strchr(name, '.') == NULL && strcmp(name, "-") != 0 && access(name, F_OK) != 0))
        return error->status;
    return vp_fail(error, VP_E_ARGUMENT,
                   "%s is not a data set, and file names end with %s; to read another name as a world file, write ./NAME",
                   vp_show_path(name).text, ends);
}

vp_status vp_named_world_open(const char *command, const char *name, vp_named_world *out, vp_error *error)
{
    *out = (vp_named_world){.name = name};
    vp_status status = vp_world_open(command, name, &out->manifest, &out->world, &out->content, &out->note, error);
    if (status != VP_OK)
        return vp_explain_name(out->manifest, name, ".vpw", error);
    vp_looks_of((const char *)out->note.bytes, &out->looks);
    return VP_OK;
}

void vp_named_world_close(vp_named_world *w)
{
    vp_blob_destroy(&w->note);
    vp_world_destroy(w->world);
    vp_manifest_close(w->manifest);
}

/* Copies one layer of chunks at a time. */
static vp_status copy_layers(const vp_world *from, vp_world *to, vp_ivec3 shift, vp_error *error)
{
    const vp_dims size = vp_world_size(from), layer = {size.x, VP_CHUNK_EDGE, size.z};
    const size_t bytes = (size_t)layer.x * layer.y * layer.z;
    uint8_t *material = malloc(bytes), *occupancy = malloc(bytes);
    vp_status status = material != NULL && occupancy != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory to copy a world");
    for (uint32_t y = 0; status == VP_OK && y < size.y; y += VP_CHUNK_EDGE) {
        status = vp_world_read_rows(from, (vp_ivec3){0, (int32_t)y, 0}, layer, material, occupancy, error);
        if (status == VP_OK)
            status = vp_world_write_rows(to, (vp_ivec3){shift.x, (int32_t)y + shift.y, shift.z}, layer, material, occupancy, NULL, error);
    }
    free(material);
    free(occupancy);
    return status;
}

vp_status vp_world_enlarge(const vp_world *world, vp_dims size, vp_ivec3 shift, vp_world **out, vp_error *error)
{
    vp_world *larger = NULL;
    vp_status status = vp_world_create(&(vp_world_def){.size = size}, &larger, error);
    if (status == VP_OK)
        status = copy_layers(world, larger, shift, error);
    if (status == VP_OK)
        *out = larger;
    else
        vp_world_destroy(larger);
    return status;
}
