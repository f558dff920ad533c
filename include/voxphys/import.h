/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_IMPORT_H
#define VOXPHYS_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>
#include <voxphys/world.h>
#include <voxphys/world_file.h>

/** @file
 *  Worlds from Luanti (Minetest) maps, MagicaVoxel models and heightmaps. Link voxphys-import.
 *
 *      vp_import_def def = vp_import_defaults();
 *      def.luanti_size = (vp_dims){256, 128, 256};
 *      vp_import_file("map.sqlite", &def, &world, NULL, &error);
 *
 *  Files may be hostile, so memory and work are bounded. All functions have errors of vp_import_file. Formats: docs/FORMATS.md. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_IMPORT_FILE_BYTES = 1 << 28 /**< Maximum of models and heightmaps. */
};

/** Format of a file. */
typedef enum vp_import_format {
    VP_IMPORT_AUTO, /**< From its content. */
    VP_IMPORT_VPW,
    VP_IMPORT_LUANTI, /**< map.sqlite. Needs sqlite3, and zlib or zstd. */
    VP_IMPORT_VOX,
    VP_IMPORT_PNG, /**< Grey heightmap of 8 or 16 bits. Needs libpng. */
    VP_IMPORT_RAW  /**< Heightmap of 16 bits without a head. Not automatic. */
} vp_import_format;

/** Heightmap. Columns are height_base + sample * height_scale voxels high. */
typedef struct vp_import_heights {
    double height_scale;  /**< Above 0, up to 1e6. */
    double height_base;   /**< -1e6 to 1e6. Negative heights become 0. */
    uint32_t water_level; /**< Air below this y is water. 0 = none. */
    uint32_t soil_depth;  /**< Between top and rock, voxels. */
    uint8_t top_material; /**< 2 to 255, as for soil and rock. */
    uint8_t soil_material;
    uint8_t rock_material;
    uint32_t raw_width;  /**< Along x, 1 to 2048. */
    uint32_t raw_height; /**< Along z, 1 to 2048. */
    bool raw_big_endian;
    bool raw_signed;
} vp_import_heights;

/** Import settings. */
typedef struct vp_import_def {
    vp_import_format format;
    uint64_t max_voxels; /**< 0 = 2048 * 256 * 2048. Two bytes each. */
    vp_ivec3 luanti_low;
    vp_dims luanti_size;       /**< Nodes. All 0 = everything. */
    uint32_t vox_water_colour; /**< Palette index, 1 to 255. 0 = no water. */
    vp_import_heights heights;
    const vp_allocator *allocator; /**< Other libraries use malloc. */
} vp_import_def;

/** Returns the defaults: everything, height scale 1, top material 4, soil material 3, 3 deep, rock 2. */
VP_API vp_import_def vp_import_defaults(void);

/** Finds a file's format. VP_E_FORMAT for an unknown one, VP_E_IO. */
VP_API vp_status vp_import_find_format(const char *path, vp_import_format *format, vp_error *error);

/** Imports a file of any format. Extents are rounded up to multiples of 8.
 *  @param def   NULL = defaults
 *  @param note  source and materials, UTF-8. Freed by vp_blob_destroy. Can be NULL
 *  @return VP_E_FORMAT for a damaged file
 *          VP_E_ARGUMENT for an invalid field or a world that is too large
 *          VP_E_LIMIT beyond max_voxels
 *          VP_E_UNSUPPORTED if this build lacks a library
 *          VP_E_IO */
VP_API vp_status vp_import_file(const char *path, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);

/** Imports a Luanti map, also of a running server. */
VP_API vp_status vp_import_luanti(const char *path, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);

/** Imports a MagicaVoxel model from memory. */
VP_API vp_status vp_import_vox(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);

/** Imports a heightmap from memory.
 *  @param bytes  samples for VP_IMPORT_RAW, otherwise a PNG [size]
 *  @return VP_E_ARGUMENT for other formats */
VP_API vp_status vp_import_heightmap(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note,
                                     vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
