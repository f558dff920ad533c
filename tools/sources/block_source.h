/* SPDX-License-Identifier: MIT */
/* Where the worlds of blocks of `voxphys blocks` come from, and where they go: data sets, folders of region files, worlds of voxels. */
#ifndef VP_TOOLS_SOURCES_BLOCK_SOURCE_H
#define VP_TOOLS_SOURCES_BLOCK_SOURCE_H

#include <voxphys/block_store.h>

#include "host/looks.h"
#include "tools/sources/world_source.h"

/* What a command works on. */
typedef struct vp_block_source_world {
    const char *name;
    vp_blocks *blocks;
    vp_looks looks; /* of types below 256 */
    vp_content content;
    vp_manifest *manifest; /* where it was needed */
    struct vp_store *store;
    vp_ivec3 *chunk; /* those that are there, as vp_blocks_list has them */
    uint32_t chunks;
} vp_block_source_world;

/* The lines of help that say what WORLD is. */
#define VP_BLOCK_SOURCE_HELP                                                                                                               \
    "WORLD is a data set of blocks ('planet'), a folder of region files, a world of voxels (a data set's name, or\n"                       \
    "a .vpw file), MagicaVoxel's .vox or Luanti's map.sqlite."

/* Opens what an argument names; `command` is for messages. Close it, also after a failure. */
vp_status vp_block_source_open(const char *command, const char *name, vp_block_source_world *out, vp_error *error);
/* The same of a planet that is made here. */
vp_status vp_block_source_planet(const vp_block_planet_def *def, const vp_executor *executor, vp_block_source_world *out, vp_error *error);
/* Lists the chunks anew, after edits. */
vp_status vp_block_source_list(vp_block_source_world *world, vp_error *error);
void vp_block_source_close(vp_block_source_world *world);

/* What a type is called: "grass", or "type-300". */
typedef struct vp_block_name {
    char text[48];
} vp_block_name;
vp_block_name vp_block_type_name(const vp_block_source_world *world, vp_block type);

/* ---- folders of region files ---- */

/* "raw" or "zlib" as vp_block_codec. @return false for another name; a build without zlib has one alone */
bool vp_block_codec_named(const char *name, vp_block_codec *out);

/* What is in a folder. */
typedef struct vp_block_folder {
    vp_ivec3 *region; /* by ascending y, z, x */
    uint32_t regions;
    uint64_t bytes;                      /* of their files */
    char codec[VP_CODEC_NAME_BYTES + 1]; /* of the first; "" of none */
} vp_block_folder;

bool vp_is_folder(const char *path);
/* VP_E_IO for one that can't be read; VP_E_FORMAT for a file that is too short. Drop it, also after a failure. */
vp_status vp_block_folder_look(const char *path, vp_block_folder *out, vp_error *error);
void vp_block_folder_drop(vp_block_folder *folder);

/* Makes a folder hold a world: its chunks, none else, and types.json, their table. A folder that is not there is made.
   codec  NULL: that of the files that are there; "raw" */
vp_status vp_block_folder_save(vp_block_source_world *world, const char *path, const char *codec, vp_error *error);

#endif
