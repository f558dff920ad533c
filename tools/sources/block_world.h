/* SPDX-License-Identifier: MIT */
/* The world of blocks that a command works on. */
#ifndef VP_TOOLS_SOURCES_BLOCK_WORLD_H
#define VP_TOOLS_SOURCES_BLOCK_WORLD_H

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

#endif
