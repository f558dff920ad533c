/* SPDX-License-Identifier: MIT */
/* Folders of region files. */
#ifndef VP_TOOLS_SOURCES_BLOCK_FOLDER_H
#define VP_TOOLS_SOURCES_BLOCK_FOLDER_H

#include "tools/sources/block_world.h"

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

/* The store of a folder that was looked at. codec: NULL: that of its files. @return VP_E_FORMAT, VP_E_ARGUMENT for one that there is not */
vp_status vp_block_folder_open(const char *path, const vp_block_folder *folder, const char *codec, vp_block_store **out, vp_error *error);

/* Calls `found` for each chunk that the files have. cell: room for one. */
typedef vp_status vp_block_found_fn(void *user, vp_ivec3 chunk, vp_block *cell, vp_error *error);
vp_status vp_block_folder_each(const vp_block_folder *folder, vp_block_store *store, vp_block *cell, vp_block_found_fn *found, void *user,
                               vp_error *error);

static inline vp_ivec3 vp_block_region_of(vp_ivec3 c)
{
    return (vp_ivec3){(c.x - (c.x & 7)) / 8, (c.y - (c.y & 7)) / 8, (c.z - (c.z & 7)) / 8};
}

#endif
