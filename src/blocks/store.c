/* SPDX-License-Identifier: MIT */
/* A folder of region files. */
#include <voxphys/block_store.h>

#include "src/blocks/blocks_internal.h"
#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/memory.h"

#include <stdio.h>
#include <string.h>

enum { FOLDER_MOST = 4000, NAME_BYTES = 48, PATH_BYTES = FOLDER_MOST + NAME_BYTES + 2 };
/* The largest file that is read. 512 chunks of two bytes a block take 33.6 million bytes. */
#define FILE_LIMIT ((uint64_t)1 << 26)

struct vp_block_store {
    vp_allocator allocator;
    char *folder;
    size_t folder_bytes;
    vp_block_files files;
    vp_block_codec codec;
    bool has_codec;
    bool known; /* `last` is the content of `region`'s file */
    vp_ivec3 region;
    vp_blob last; /* bytes NULL = no such file */
};

/* ---- files of a folder ---- */

static void path_of(const vp_block_store *s, const char *name, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%s", s->folder, name);
}

static vp_status read_disk(void *user, const char *name, const vp_allocator *allocator, vp_blob *out, vp_error *error)
{
    char path[PATH_BYTES];
    const vp_block_store *s = user;
    path_of(s, name, path);
    if (vp_file_is_missing(path)) /* a missing file means new chunks, but only if the folder exists */
        return vp_file_is_missing(s->folder) ? vp_fail(error, VP_E_IO, "the folder %s doesn't exist", s->folder) : VP_OK;
    vp_blob file = {.allocator = *allocator};
    const vp_status status = vp_file_read(path, FILE_LIMIT, allocator, &file.bytes, &file.size, error);
    file.capacity = file.size;
    if (status == VP_OK && file.bytes == NULL)
        return vp_fail(error, VP_E_FORMAT, "byte 0: the file is empty");
    if (status == VP_OK)
        *out = file;
    return status;
}

static vp_status replace_disk(void *user, const char *name, const uint8_t *bytes, size_t size, vp_error *error)
{
    char path[PATH_BYTES];
    path_of(user, name, path);
    return vp_file_replace(path, bytes, size, error);
}

/* ---- stores ---- */

vp_status vp_block_store_create(const vp_block_store_def *def, vp_block_store **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    const size_t length = def->folder != NULL ? strlen(def->folder) : 0;
    if (def->files == NULL && (length == 0 || length > FOLDER_MOST))
        return vp_fail(error, VP_E_ARGUMENT, "a store of blocks in a folder whose name has %zu bytes; it must have 1 to %d", length,
                       FOLDER_MOST);
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    vp_block_store *s = vp_allocate_zero(&allocator, 1, sizeof *s);
    char *folder = def->files == NULL && s != NULL ? vp_allocate(&allocator, length + 1, 1) : NULL;
    if (s == NULL || (def->files == NULL && folder == NULL)) {
        vp_release(&allocator, s, 1, sizeof *s);
        return vp_fail(error, VP_E_MEMORY, "no memory for a store of blocks");
    }
    s->allocator = allocator;
    s->files = def->files != NULL ? *def->files : (vp_block_files){s, read_disk, replace_disk};
    s->has_codec = def->codec != NULL;
    if (s->has_codec)
        s->codec = *def->codec;
    if (folder != NULL) {
        memcpy(folder, def->folder, length + 1);
        s->folder = folder;
        s->folder_bytes = length + 1;
    }
    *out = s;
    return vp_succeed(error);
}

static void forget_file(vp_block_store *s)
{
    vp_blob_destroy(&s->last);
    s->known = false;
}

void vp_block_store_destroy(vp_block_store *s)
{
    if (s == NULL)
        return;
    forget_file(s);
    vp_release(&s->allocator, s->folder, s->folder_bytes, 1);
    const vp_allocator allocator = s->allocator;
    vp_release(&allocator, s, 1, sizeof *s);
}

static vp_ivec3 region_of(vp_ivec3 c)
{
    return (vp_ivec3){(c.x - (c.x & 7)) / 8, (c.y - (c.y & 7)) / 8, (c.z - (c.z & 7)) / 8};
}

static void name_of(vp_ivec3 region, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%d.%d.%d.vpb", (int)region.x, (int)region.y, (int)region.z);
}

/* Puts the file's name before a message about its content. */
static vp_status name_file(vp_status status, vp_ivec3 region, vp_error *error)
{
    char name[NAME_BYTES];
    name_of(region, name);
    if (status == VP_E_FORMAT)
        vp_name_file(error, "", name);
    return status;
}

/* Reads a region's file, unless it is loaded already. */
static vp_status load_region_file(vp_block_store *s, vp_ivec3 region, vp_error *error)
{
    char name[NAME_BYTES];
    if (s->known && vp_block_index_order(s->region, region) == 0)
        return VP_OK;
    forget_file(s);
    name_of(region, name);
    const vp_status status = s->files.read(s->files.user, name, &s->allocator, &s->last, error);
    if (status != VP_OK) {
        vp_blob_destroy(&s->last);
        return name_file(status, region, error);
    }
    s->known = true;
    s->region = region;
    return VP_OK;
}

vp_status vp_block_store_load(vp_block_store *s, vp_ivec3 chunk, vp_block *cell, bool *found, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "store, cell, found", s, cell, found);
    if (!vp_block_index_ok(chunk))
        return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d) is beyond %d on an axis", (int)chunk.x, (int)chunk.y, (int)chunk.z,
                       VP_BLOCKS_REACH);
    const vp_ivec3 region = region_of(chunk);
    VP_RETURN_IF_FAILED(load_region_file(s, region, error));
    if (s->last.bytes == NULL) {
        *found = false;
        return vp_succeed(error);
    }
    vp_status status =
        vp_block_region_read(s->last.bytes, s->last.size, chunk, s->has_codec ? &s->codec : NULL, &s->allocator, cell, found, error);
    return name_file(status, region, error);
}

static vp_status save_region(vp_block_store *s, vp_ivec3 region, const vp_block_saved *chunk, size_t count, vp_error *error)
{
    char name[NAME_BYTES];
    vp_blob file = {0};
    vp_status status = load_region_file(s, region, error);
    if (status == VP_OK) {
        status = vp_block_region_write(s->last.bytes, s->last.size, region, chunk, count, s->has_codec ? &s->codec : NULL, &s->allocator,
                                       &file, error);
        status = name_file(status, region, error);
    }
    if (status != VP_OK)
        return status;
    name_of(region, name);
    status = s->files.replace(s->files.user, name, file.bytes, file.size, error);
    forget_file(s); /* after a failure the file is read again */
    if (status != VP_OK) {
        vp_blob_destroy(&file);
        return status;
    }
    s->last = file;
    s->known = true;
    s->region = region;
    return VP_OK;
}

vp_status vp_block_store_save(vp_block_store *s, const vp_block_saved *chunk, size_t count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "store", s);
    VP_RETURN_IF_ARRAY_NULL(error, chunk, count);
    for (size_t i = 0; i < count; i++) {
        const vp_ivec3 c = chunk[i].chunk;
        if (!vp_block_index_ok(c))
            return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d) is beyond %d on an axis", (int)c.x, (int)c.y, (int)c.z,
                           VP_BLOCKS_REACH);
    }
    vp_block_saved *sorted = vp_allocate(&s->allocator, count, sizeof *sorted);
    bool *done = vp_allocate_zero(&s->allocator, count, sizeof *done);
    vp_status status = VP_OK;
    if (count != 0 && (sorted == NULL || done == NULL))
        status = vp_fail(error, VP_E_MEMORY, "no memory to save %zu chunks", count);
    for (size_t i = 0; status == VP_OK && i < count; i++) { /* each region at its first chunk, with all others of that region */
        const vp_ivec3 region = region_of(chunk[i].chunk);
        size_t of = 0;
        for (size_t k = i; k < count && !done[i]; k++)
            if (vp_block_index_order(region_of(chunk[k].chunk), region) == 0) {
                sorted[of++] = chunk[k];
                done[k] = k != i; /* the first is still needed */
            }
        if (of != 0)
            status = save_region(s, region, sorted, of, error);
    }
    vp_release(&s->allocator, sorted, count, sizeof *sorted);
    vp_release(&s->allocator, done, count, sizeof *done);
    return status == VP_OK ? vp_succeed(error) : status;
}

static vp_status load_by_store(void *user, vp_ivec3 chunk, vp_block *cell, bool *found, vp_error *error)
{
    return vp_block_store_load(user, chunk, cell, found, error);
}

static vp_status save_by_store(void *user, const vp_block_saved *chunk, size_t count, vp_error *error)
{
    return vp_block_store_save(user, chunk, count, error);
}

vp_block_source vp_block_store_source(vp_block_store *store, vp_block_fill_fn *fill, const void *maker)
{
    return (vp_block_source){store, load_by_store, save_by_store, fill, maker};
}
