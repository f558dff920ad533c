/* SPDX-License-Identifier: MIT */
/* The importers' common face: which format a file has, and its bytes. */
#include "datasets/import/import.h"

#include <stdlib.h>
#include <string.h>

#include <voxphys/world_file.h>

#include "src/core/error.h"
#include "src/core/file.h"
#include "src/core/memory.h"

/* Files that are read whole: .vox, PNG and raw heightmaps. The largest raw one has 8 MiB. */
#define FILE_LIMIT ((uint64_t)256 << 20)

static bool begins(const uint8_t *bytes, size_t size, const char *with, size_t with_size)
{
    return size >= with_size && memcmp(bytes, with, with_size) == 0;
}

static vp_import_format format_of(const uint8_t *bytes, size_t size)
{
    if (begins(bytes, size, "\x89VPW", 4))
        return VP_IMPORT_VPW;
    if (begins(bytes, size, "SQLite format 3", 16))
        return VP_IMPORT_LUANTI;
    if (begins(bytes, size, "VOX ", 4))
        return VP_IMPORT_VOX;
    return begins(bytes, size, "\x89PNG", 4) ? VP_IMPORT_PNG : VP_IMPORT_AUTO;
}

static vp_status load(const char *path, const vp_allocator *allocator, vp_world **out, char **note, vp_error *error)
{
    vp_blob text = {0};
    vp_world *world = NULL;
    vp_status status = vp_world_load(path, allocator, &world, &text, error);
    if (status == VP_E_FORMAT)
        vp_name_file(error, "", path);
    if (status == VP_OK && note != NULL) {
        *note = malloc(text.size + 1);
        if (*note == NULL)
            status = vp_fail(error, VP_E_MEMORY, "no memory for a note of %zu bytes", text.size);
        else
            memcpy(*note, text.bytes, text.size + 1);
    }
    vp_blob_destroy(&text);
    if (status != VP_OK) {
        vp_world_destroy(world);
        return status;
    }
    *out = world;
    return VP_OK;
}

/* Reads the first bytes alone: a map can be larger than what is read whole. */
vp_status vp_import_format_of(const char *path, vp_import_format *format, vp_error *error)
{
    uint8_t start[16] = {0};
    size_t size = 0;
    vp_status status = vp_file_read_start(path, start, sizeof start, &size, error);
    if (status != VP_OK)
        return status;
    vp_import_format found = format_of(start, size);
    if (found == VP_IMPORT_AUTO)
        return vp_fail(error, VP_E_FORMAT,
                       "%s begins like no format that is imported (VPW, map.sqlite, .vox, PNG); a raw heightmap must be "
                       "named as one",
                       vp_show_path(path).text);
    *format = found;
    return VP_OK;
}

vp_status vp_import_file(const char *path, const vp_import_options *options, vp_world **out, char **note, vp_error *error)
{
    vp_import_options defaults = vp_import_defaults();
    if (options == NULL)
        options = &defaults;
    vp_import_format format = options->format;
    vp_status status = VP_OK;
    if (format == VP_IMPORT_AUTO)
        status = vp_import_format_of(path, &format, error);
    if (status != VP_OK)
        return status;
    if (format == VP_IMPORT_VPW)
        return load(path, options->allocator, out, note, error);
    if (format == VP_IMPORT_LUANTI)
        return vp_import_luanti(path, options, out, note, error);

    vp_allocator allocator = vp_allocator_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    status = vp_file_read(path, FILE_LIMIT, &allocator, &bytes, &size, error);
    if (status != VP_OK)
        return status;
    switch (format) {
    case VP_IMPORT_VOX:
        status = vp_import_vox(bytes, size, options, out, note, error);
        break;
    case VP_IMPORT_PNG:
        status = vp_import_png(bytes, size, options, out, note, error);
        break;
    case VP_IMPORT_RAW:
        status = vp_import_raw(bytes, size, options, out, note, error);
        break;
    default:
        status = vp_fail(error, VP_E_ARGUMENT, "import format %d is unknown", (int)format);
        break;
    }
    vp_release(&allocator, bytes, size, 1);
    if (status != VP_OK)
        vp_name_file(error, "", path);
    return status;
}
