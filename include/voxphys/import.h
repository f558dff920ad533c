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

/** @file import.h
 *  Worlds from Luanti (Minetest) maps, MagicaVoxel models and heightmaps. Link voxphys-import.
 *
 *      vp_import_def def = vp_import_defaults();
 *      def.luanti_low = (vp_ivec3){-128, -32, -128};
 *      def.luanti_size = (vp_dims){256, 128, 256};
 *      if (vp_import_file("map.sqlite", &def, &world, NULL, &error) != VP_OK)
 *          return fail(error.message);
 *
 *  Files may be damaged or hostile. Memory and work are bounded, and messages name the fault and its byte. Formats: docs/FORMATS.md. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_IMPORT_FILE_BYTES = 1 << 28 /**< Largest model or heightmap of vp_import_file, bytes. */
};

/** Format of a file. */
typedef enum vp_import_format {
    VP_IMPORT_AUTO,   /**< By the first bytes of the file. */
    VP_IMPORT_VPW,    /**< See world_file.h. */
    VP_IMPORT_LUANTI, /**< Map of a Luanti world, map.sqlite. Needs sqlite3, and zlib or zstd for its blocks. */
    VP_IMPORT_VOX,    /**< MagicaVoxel model. */
    VP_IMPORT_PNG,    /**< Heightmap, grey PNG of 8 or 16 bits. Needs libpng. */
    VP_IMPORT_RAW     /**< Heightmap, samples of 16 bits without a head. Never chosen by VP_IMPORT_AUTO. */
} vp_import_format;

/** Terrain of a heightmap. A column is height_base + sample * height_scale voxels high. */
typedef struct vp_import_heights {
    double height_scale;   /**< Above 0, up to 1e6. */
    double height_base;    /**< -1e6 to 1e6. Negative heights become 0. */
    uint32_t water_level;  /**< Water fills the air below this y, 0 to 256. 0 = none. */
    uint32_t soil_depth;   /**< Voxels of soil under the top voxel. Rock is below. */
    uint8_t top_material;  /**< 2 to 255. */
    uint8_t soil_material; /**< 2 to 255. */
    uint8_t rock_material; /**< 2 to 255. */
    uint32_t raw_width;    /**< Samples along x, 1 to 2048. */
    uint32_t raw_height;   /**< Samples along z, 1 to 2048. */
    bool raw_big_endian;   /**< Whether the high byte comes first. */
    bool raw_signed;       /**< Whether samples are two's complement. */
} vp_import_heights;

/** Settings. Fields of other formats are ignored. */
typedef struct vp_import_def {
    vp_import_format format;       /**< Format of the file. */
    uint64_t max_voxels;           /**< Maximum voxels of the world, two bytes each. 0 = 2048 * 256 * 2048. */
    vp_ivec3 luanti_low;           /**< Lowest node of the region. */
    vp_dims luanti_size;           /**< Nodes of the region, up to 2048 x 256 x 2048. All 0 = everything. */
    uint32_t vox_water_colour;     /**< Palette index, 1 to 255. 0 = no water. */
    vp_import_heights heights;     /**< Heightmaps. */
    const vp_allocator *allocator; /**< NULL = default. The other libraries use malloc in any case. */
} vp_import_def;

/** Returns the default settings: everything, height scale 1, top material 4, 3 voxels of soil 3, rock 2. */
VP_API vp_import_def vp_import_defaults(void);

/** Finds the format of a file by its first bytes.
 *  @return VP_E_FORMAT for an unknown format
 *          VP_E_IO */
VP_API vp_status vp_import_find_format(const char *path, vp_import_format *format, vp_error *error);

/** Imports a file of any format. Extents are rounded up to multiples of 8 with air. `out` and `note` are unchanged after an error.
 *  @param def   NULL = vp_import_defaults()
 *  @param note  source and names of materials, UTF-8 with a zero that `size` does not count. Can be NULL. Freed by vp_blob_destroy
 *  @return VP_E_FORMAT for a damaged file
 *          VP_E_ARGUMENT for an invalid field or a world that is too large
 *          VP_E_LIMIT beyond max_voxels
 *          VP_E_UNSUPPORTED if this build lacks a library
 *          VP_E_MEMORY, VP_E_IO */
VP_API vp_status vp_import_file(const char *path, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);

/** Imports a Luanti map, in one transaction, so a server can be running. Errors as vp_import_file. */
VP_API vp_status vp_import_luanti(const char *path, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);

/** Imports a MagicaVoxel model from memory. Errors as vp_import_file. */
VP_API vp_status vp_import_vox(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);

/** Imports a heightmap from memory.
 *  @param bytes  samples for VP_IMPORT_RAW, a PNG for VP_IMPORT_PNG and VP_IMPORT_AUTO [size]
 *  @return errors of vp_import_file, VP_E_ARGUMENT for other formats */
VP_API vp_status vp_import_heightmap(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note,
                                     vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
