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
 *  Worlds from files of other programs: Luanti (Minetest) maps, MagicaVoxel models, heightmaps. Link voxphys-import.
 *
 *      vp_import_def def = vp_import_defaults();
 *      vp_world *world = NULL;
 *      vp_blob note = {0};
 *      def.luanti_low = (vp_ivec3){-128, -32, -128};
 *      def.luanti_size = (vp_dims){256, 128, 256};
 *      if (vp_import_file("map.sqlite", &def, &world, &note, &error) != VP_OK)
 *          return fail(error.message);
 *      print((const char *)note.bytes);
 *      vp_blob_destroy(&note);
 *
 *  Files may be damaged or hostile. Memory and work are bounded, and messages name the fault and its byte. Calls share nothing.
 *  docs/FORMATS.md describes the formats and how each becomes materials. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_IMPORT_FILE_BYTES = 1 << 28 /**< Largest model or heightmap that vp_import_file reads. Maps and world files may be larger. */
};

/** Format of a file. */
typedef enum vp_import_format {
    VP_IMPORT_AUTO,   /**< Chosen by the first bytes of the file. */
    VP_IMPORT_VPW,    /**< World file of this library, see world_file.h. */
    VP_IMPORT_LUANTI, /**< Map of a Luanti or Minetest world, map.sqlite. Needs sqlite3, and zlib or zstd for its blocks. */
    VP_IMPORT_VOX,    /**< MagicaVoxel model. */
    VP_IMPORT_PNG,    /**< Heightmap: grey PNG of 8 or 16 bits. Needs libpng. */
    VP_IMPORT_RAW     /**< Heightmap: samples of 16 bits without a head. VP_IMPORT_AUTO never chooses it. */
} vp_import_format;

/** How samples of a heightmap become terrain. A column is height_base + sample * height_scale voxels high. */
typedef struct vp_import_heights {
    double height_scale;   /**< Voxels a step of a sample, > 0, at most 1e6. */
    double height_base;    /**< Height of sample 0, voxels, -1e6 to 1e6. Negative heights become 0. */
    uint32_t water_level;  /**< Water fills the air below this y, 0 to 256. 0 = no water. */
    uint32_t soil_depth;   /**< Voxels of soil under the top voxel. Rock is below. */
    uint8_t top_material;  /**< Material of the top voxel, 2 to 255. */
    uint8_t soil_material; /**< Material of soil, 2 to 255. */
    uint8_t rock_material; /**< Material of rock, 2 to 255. */
    uint32_t raw_width;    /**< Samples of a raw file along x, 1 to 2048. */
    uint32_t raw_height;   /**< Samples of a raw file along z, 1 to 2048. */
    bool raw_big_endian;   /**< Whether the high byte of a raw sample comes first. */
    bool raw_signed;       /**< Whether raw samples are two's complement. */
} vp_import_heights;

/** What to import, and how. Fields of other formats than the file's are ignored. */
typedef struct vp_import_def {
    vp_import_format format;       /**< Format of the file. */
    uint64_t max_voxels;           /**< Memory limit: voxels of the world, at two bytes each. 0 = 2048 * 256 * 2048. */
    vp_ivec3 luanti_low;           /**< Lowest node of the region, in the map's coordinates. */
    vp_dims luanti_size;           /**< Nodes of the region, at most 2048 x 256 x 2048. 0 x 0 x 0 = everything stored. */
    uint32_t vox_water_colour;     /**< Palette index of water, 1 to 255. 0 = no water. */
    vp_import_heights heights;     /**< Heightmaps. */
    const vp_allocator *allocator; /**< Allocator of the world, the note and all work memory. NULL = malloc and free. The libraries
                                        sqlite3, zlib, zstd and libpng use malloc in any case. */
} vp_import_def;

/** Returns the default definition. Its format is VP_IMPORT_AUTO, its region everything, its height scale 1. Its columns have a top voxel of
 *  material 4, 3 voxels of material 3, and material 2 below. */
VP_API vp_import_def vp_import_defaults(void);

/** Finds the format of a file by its first bytes.
 *  @return VP_E_FORMAT if no format begins like that, VP_E_IO. `format` is unchanged then */
VP_API vp_status vp_import_find_format(const char *path, vp_import_format *format, vp_error *error);

/** Imports a file of any format. Extents are rounded up to multiples of 8 with air. On failure `out` and `note` are unchanged.
 *  @param def   NULL = vp_import_defaults()
 *  @param note  receives the source and the names of the materials, UTF-8 with a terminating zero that `size` does not count. May be NULL.
 *               The caller frees it with vp_blob_destroy
 *  @return VP_E_FORMAT for a damaged file; VP_E_ARGUMENT for an invalid field and for a world that is too large; VP_E_LIMIT beyond
 *          max_voxels; VP_E_MEMORY; VP_E_IO; VP_E_UNSUPPORTED, with the name of the library, if this build lacks one. Messages name the
 *          file */
VP_API vp_status vp_import_file(const char *path, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);

/** Imports a Luanti map. Like vp_import_file with VP_IMPORT_LUANTI. A server may be running: one transaction reads the map. */
VP_API vp_status vp_import_luanti(const char *path, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);

/** Imports a MagicaVoxel model from memory. Like vp_import_file, but messages name no file.
 *  @param bytes  content of the .vox file [size] */
VP_API vp_status vp_import_vox(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note, vp_error *error);

/** Imports a heightmap from memory. Like vp_import_file, but messages name no file.
 *  @param bytes  content of the file [size]: samples if def->format is VP_IMPORT_RAW, a PNG if it is VP_IMPORT_PNG or VP_IMPORT_AUTO
 *  @return also VP_E_ARGUMENT for other formats */
VP_API vp_status vp_import_heightmap(const void *bytes, size_t size, const vp_import_def *def, vp_world **out, vp_blob *note,
                                     vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
