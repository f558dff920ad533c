/* SPDX-License-Identifier: MIT */
/* The world of blocks that a command works on. */
#ifndef VP_TOOLS_SOURCES_BLOCK_WORLD_H
#define VP_TOOLS_SOURCES_BLOCK_WORLD_H

#include <stdio.h>

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
    vp_ivec3 *chunk; /* those that are there, as vp_blocks_list_chunks has them */
    uint32_t chunks;
} vp_block_source_world;

/* What a type is called: "grass", or "type-300". */
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
