/* SPDX-License-Identifier: MIT */
/* The database of a Luanti map: where its blocks are. */
#ifndef VP_IMPORT_LUANTI_MAP_H
#define VP_IMPORT_LUANTI_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

enum { VP_LUANTI_LOWEST = -2048, VP_LUANTI_HIGHEST = 2047 }; /* the coordinates of blocks that a map's keys can say */

/* An open map.sqlite. Failures are told in `error`; they do not name the file. */
typedef struct vp_luanti_map {
    struct sqlite3 *database;
    struct sqlite3_stmt *get; /* the block at some coordinates */
    bool three_keys;          /* columns x, y, z instead of pos */
    uint64_t file_bytes;
    uint64_t steps, steps_max; /* of sqlite: what was done, and what a sound map needs at most */
    uint64_t pages, pages_max; /* that it read, from the file or from its memory; likewise */
    vp_error *error;
} vp_luanti_map;

/* Opens a map, as it is now: until it is closed, the same is read. Its address must stay. Close it also if this fails. */
vp_status vp_luanti_map_open(vp_luanti_map *map, const char *path, uint64_t file_bytes, const vp_allocator *allocator, vp_error *error);
void vp_luanti_map_close(vp_luanti_map *map);

/* The bounds, in blocks, of everything that is stored: low x y z, high x y z. */
vp_status vp_luanti_map_bounds(vp_luanti_map *map, int64_t bounds[6], bool *found);

/* The bytes of a block, if it is stored; they are there until the next call. If it is, the end must follow, which refuses
   a map that stores the block once more. */
vp_status vp_luanti_map_block(vp_luanti_map *map, vp_ivec3 block, bool *stored, const void **bytes, size_t *size);
vp_status vp_luanti_map_block_end(vp_luanti_map *map, vp_ivec3 block);

#endif
