/* SPDX-License-Identifier: MIT */
/* Folders of region files. */
#ifndef VP_TOOLS_SOURCES_BLOCK_FOLDER_H
#define VP_TOOLS_SOURCES_BLOCK_FOLDER_H

#include "tools/sources/block_world.h"

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

/* Opens the store of a listed folder. @param codec  NULL = that of its files @return VP_E_FORMAT, VP_E_ARGUMENT for an unknown one */
vp_status vp_block_folder_open(const char *path, const vp_block_folder *folder, const char *codec, vp_block_store **out, vp_error *error);

/* Calls `found` for each chunk in the files. @param cell  room for one chunk */
typedef vp_status vp_block_found_fn(void *user, vp_ivec3 chunk, vp_block *cell, vp_error *error);
vp_status vp_block_folder_each(const vp_block_folder *folder, vp_block_store *store, vp_block *cell, vp_block_found_fn *found, void *user,
                               vp_error *error);

/* Orders vp_ivec3 by y, z, x, for qsort. */
int vp_by_place(const void *a, const void *b);

static inline vp_ivec3 vp_block_region_of(vp_ivec3 c)
{
    return (vp_ivec3){(c.x - (c.x & 7)) / 8, (c.y - (c.y & 7)) / 8, (c.z - (c.z & 7)) / 8};
}

#endif
