/* SPDX-License-Identifier: MIT */
/* The world of blocks that a command works on. */
#ifndef VP_TOOLS_SOURCES_BLOCK_SOURCE_H
#define VP_TOOLS_SOURCES_BLOCK_SOURCE_H

#include <stdio.h>

#include <voxphys/block_store.h>

#include "host/looks.h"
#include "tools/sources/world_source.h"

/* The world of a command. */
typedef struct vp_block_source_world {
    const char *name;
    vp_blocks *blocks;
    vp_looks looks; /* types below 256 */
    vp_content content;
    vp_manifest *manifest; /* NULL if it was not needed */
    struct vp_store *store;
    vp_ivec3 *chunk; /* existing chunks, in the order of vp_blocks_list_chunks */
    uint32_t chunks;
} vp_block_source_world;

/* A type's name: "grass", or "type-300". */
typedef struct vp_block_name {
    char text[48];
} vp_block_name;

static inline vp_block_name vp_block_type_name(const vp_block_source_world *world, vp_block type)
{
    vp_block_name n;
    if (type < 256 && world->looks.of[type].name[0] != '\0')
        snprintf(n.text, sizeof n.text, "%s", world->looks.of[type].name);
    else
        snprintf(n.text, sizeof n.text, "type-%u", type);
    return n;
}

/* Folders of region files. */

/* Finds a codec by name: "raw" or "zlib". @return false for others. A build without zlib has "raw" only */
bool vp_block_codec_named(const char *name, vp_block_codec *out);

/* The content of a folder. */
typedef struct vp_block_folder {
    vp_ivec3 *region; /* ascending by y, z, x */
    uint32_t regions;
    uint64_t bytes;                      /* total size of the files */
    char codec[VP_CODEC_NAME_BYTES + 1]; /* codec of the first file, "" = no file */
} vp_block_folder;

bool vp_is_folder(const char *path);
/* Lists a folder. Drop it, also after a failure. @return VP_E_IO if it can't be read, VP_E_FORMAT for a file that is too short */
vp_status vp_block_folder_look(const char *path, vp_block_folder *out, vp_error *error);
void vp_block_folder_drop(vp_block_folder *folder);

/* Saves a world into a folder, which is created if it does not exist. The folder then has exactly its chunks, and
   types.json with the table.
   codec  NULL = that of existing files, otherwise "raw" */
vp_status vp_block_folder_save(vp_block_source_world *world, const char *path, const char *codec, vp_error *error);

/* Calls `found` for each chunk in the files. @param cell  room for one chunk */
typedef vp_status vp_block_found_fn(void *user, vp_ivec3 chunk, vp_block *cell, vp_error *error);

/* Orders vp_ivec3 by y, z, x, for qsort. */
int vp_by_place(const void *a, const void *b);

static inline vp_ivec3 vp_block_region_of(vp_ivec3 c)
{
    return (vp_ivec3){(c.x - (c.x & 7)) / 8, (c.y - (c.y & 7)) / 8, (c.z - (c.z & 7)) / 8};
}

/* Worlds of blocks for `voxphys blocks`, from data sets, folders of region files, worlds of voxels. */

/* Help text about WORLD. */
#define VP_BLOCK_SOURCE_HELP                                                                                                               \
    "WORLD is a data set of blocks ('planet'), a folder of region files, a world of voxels (a data set's name, or\n"                       \
    "a .vpw file), MagicaVoxel's .vox or Luanti's map.sqlite."

/* Opens the world that an argument names. `command` is for messages. Close it, also after a failure. */
vp_status vp_block_source_open(const char *command, const char *name, vp_block_source_world *out, vp_error *error);
/* Makes a planet. Close it, also after a failure. */
vp_status vp_block_source_planet(const vp_block_planet_def *def, const vp_executor *executor, vp_block_source_world *out, vp_error *error);
/* Lists the chunks again, after edits. */
vp_status vp_block_source_list(vp_block_source_world *world, vp_error *error);
/* All chunks as one view. @return VP_E_ARGUMENT if there are none */
vp_status vp_block_source_hold(const vp_block_source_world *world, vp_block_held *out, vp_error *error);
void vp_block_source_close(vp_block_source_world *world);

#endif
