/* SPDX-License-Identifier: MIT */
/* The formats that are imported: their names, their options, and an importer each. */
#ifndef VP_IMPORT_FORMATS_H
#define VP_IMPORT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/status.h>
#include <voxphys/world.h>

typedef enum vp_import_format {
    VP_IMPORT_AUTO,   /* by the first bytes of the file */
    VP_IMPORT_VPW,    /* the project's own world file */
    VP_IMPORT_LUANTI, /* map.sqlite of a Luanti or Minetest world */
    VP_IMPORT_VOX,    /* MagicaVoxel */
    VP_IMPORT_PNG,    /* heightmap: grey, 8 or 16 bits */
    VP_IMPORT_RAW     /* heightmap: 16 bits a sample, nothing else; never chosen by VP_IMPORT_AUTO */
} vp_import_format;

/* How samples of a heightmap become terrain. A sample v stands for a height of height_base + v*height_scale
   voxels; the highest voxel of a column is filled in part (occupancy), those below it in full. */
typedef struct vp_import_heights {
    double height_scale;  /* voxels a step */
    double height_base;   /* voxels; negative heights are cut to 0 */
    uint32_t water_level; /* what is not terrain below this y is water; 0: none */
    uint32_t soil_depth;  /* voxels of soil under the top voxel */
    uint8_t top_material, soil_material, rock_material;
    uint32_t raw_width, raw_height; /* of a raw file: samples along x and along z */
    bool raw_big_endian;
    bool raw_signed; /* two's complement */
} vp_import_heights;

typedef struct vp_import_options {
    vp_import_format format;
    /* Luanti: the nodes to read, in the map's own coordinates. A size of 0 x 0 x 0: everything that is
     * stored. */
    vp_ivec3 region_low;
    vp_dims region_size;
    const vp_allocator *allocator; /* of the world; NULL: C's own */
    uint32_t vox_water_colour;     /* MagicaVoxel: the palette index, 1..255, that is water; 0: none */
    vp_import_heights heights;
} vp_import_options;

/* What NULL for options means: the format by its first bytes, everything, one voxel a step, no water, a top
   voxel of material 4 on 3 voxels of material 3 on material 2. */
vp_import_options vp_import_defaults(void);

/* "auto", "vpw", "luanti", "vox", "png", "raw". @return false, and *format as it was, for any other name */
bool vp_import_format_named(const char *name, vp_import_format *format);

/* vp_import_file (import.h) for one format, from memory; Luanti needs a file. */
vp_status vp_import_vox(const void *bytes, size_t size, const vp_import_options *options, vp_world **out, char **note, vp_error *error);
vp_status vp_import_png(const void *bytes, size_t size, const vp_import_options *options, vp_world **out, char **note, vp_error *error);
vp_status vp_import_raw(const void *bytes, size_t size, const vp_import_options *options, vp_world **out, char **note, vp_error *error);
vp_status vp_import_luanti(const char *path, const vp_import_options *options, vp_world **out, char **note, vp_error *error);

#endif
