/* SPDX-License-Identifier: MIT */
/* The format of a file, and its bytes. */

#include <string.h>

#include "import/def.h"
#include "import/heights.h"
#include "src/core/bytes.h"
#include "src/core/file.h"
#include "src/core/memory.h"

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

/* ---- world files ---- */

/* Checks the extents in the header before memory is allocated for the world. vp_world_load reports a damaged header. */
static vp_status check_world_file(const char *path, const vp_import_def *def, vp_error *error)
{
    uint8_t start[24];
    size_t size = 0;
    VP_RETURN_IF_FAILED(vp_file_read_start(path, start, sizeof start, &size, error));
    if (size < sizeof start || def->max_voxels == 0)
        return VP_OK;
    const vp_dims extents = {vp_get_le32(start + 12), vp_get_le32(start + 16), vp_get_le32(start + 20)};
    if (extents.x > VP_WORLD_MAX_XZ || extents.y > VP_WORLD_MAX_Y || extents.z > VP_WORLD_MAX_XZ)
        return VP_OK;
    return vp_import_check_size(def, extents, error);
}

static vp_status load(const char *path, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error)
{
    vp_status status = check_world_file(path, def, error);
    if (status == VP_OK)
        status = vp_world_load(path, def->allocator, out, note, error);
    if (status != VP_OK && status != VP_E_IO) /* its message names the file */
        vp_name_file(error, "", path);
    return status;
}

/* ---- files that are read whole ---- */

static vp_status read_file(const char *path, vp_import_format format, const vp_import_def *def, vp_world **out, vp_blob *note,
                           vp_error *error)
{
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    uint8_t *bytes = NULL;
    size_t size = 0;
    VP_RETURN_IF_FAILED(vp_file_read(path, VP_IMPORT_FILE_BYTES, &allocator, &bytes, &size, error));
    vp_import_def of_format = *def;
    of_format.format = format;
    vp_status status = format == VP_IMPORT_VOX ? vp_import_vox(bytes, size, def, out, note, error)
                                               : vp_import_heightmap(bytes, size, &of_format, out, note, error);
    vp_release(&allocator, bytes, size, 1);
    if (status != VP_OK)
        vp_name_file(error, "", path);
    return status;
}

vp_status vp_import_heightmap(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error)
{
    VP_RETURN_IF_NULL(error, out);
    VP_RETURN_IF_ARRAY_NULL(error, bytes, size);
    const vp_import_def chosen = vp_import_def_or_default(def);
    VP_RETURN_IF_FAILED(vp_heights_check(&chosen.heights, error));
    switch (chosen.format) {
    case VP_IMPORT_RAW:
        return vp_import_raw(bytes, size, &chosen, out, note, error);
    case VP_IMPORT_AUTO:
    case VP_IMPORT_PNG:
        return vp_import_png(bytes, size, &chosen, out, note, error);
    default:
        return vp_fail(error, VP_E_ARGUMENT, "import format %d is not that of a heightmap", (int)chosen.format);
    }
}

/* ---- all formats ---- */

/* Reads the first bytes alone, because a map can be larger than VP_IMPORT_FILE_BYTES. */
vp_status vp_import_find_format(const char *path, vp_import_format *format, vp_error *error)
{
    VP_RETURN_IF_NULL(error, path, format);
    uint8_t start[16] = {0};
    size_t size = 0;
    VP_RETURN_IF_FAILED(vp_file_read_start(path, start, sizeof start, &size, error));
    vp_import_format found = format_of(start, size);
    if (found == VP_IMPORT_AUTO)
        return vp_fail(error, VP_E_FORMAT,
                       "%s begins like no format that is imported (VPW, map.sqlite, .vox, PNG); a raw heightmap must be "
                       "named as one",
                       vp_show_path(path).text);
    *format = found;
    return VP_OK;
}

vp_status vp_import_file(const char *path, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error)
{
    VP_RETURN_IF_NULL(error, path, out);
    const vp_import_def chosen = vp_import_def_or_default(def);
    vp_import_format format = chosen.format;
    if (format == VP_IMPORT_AUTO)
        VP_RETURN_IF_FAILED(vp_import_find_format(path, &format, error));
    switch (format) {
    case VP_IMPORT_VPW:
        return load(path, &chosen, out, note, error);
    case VP_IMPORT_LUANTI:
        return vp_import_luanti(path, &chosen, out, note, error);
    case VP_IMPORT_VOX:
    case VP_IMPORT_PNG:
    case VP_IMPORT_RAW:
        return read_file(path, format, &chosen, out, note, error);
    default:
        return vp_fail(error, VP_E_ARGUMENT, "import format %d is unknown", (int)format);
    }
}
