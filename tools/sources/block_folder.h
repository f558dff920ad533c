/* SPDX-License-Identifier: MIT */
/* Between block_source.c, which opens worlds, and block_folder.c, which knows region files. */
#ifndef VP_TOOLS_SOURCES_BLOCK_FOLDER_H
#define VP_TOOLS_SOURCES_BLOCK_FOLDER_H

#include "tools/sources/block_source.h"

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
