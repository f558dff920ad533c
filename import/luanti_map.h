/* SPDX-License-Identifier: MIT */
/* The database of a Luanti map, for reading blocks. */
#ifndef VP_IMPORT_LUANTI_MAP_H
#define VP_IMPORT_LUANTI_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

enum { VP_LUANTI_LOWEST = -2048, VP_LUANTI_HIGHEST = 2047 }; /* range of block coordinates in a map's keys */

/* An open map.sqlite. Messages in `error` do not name the file. */
typedef struct vp_luanti_map {
    struct sqlite3 *database;
    struct sqlite3_stmt *get; /* query for a block by coordinates */
    bool three_keys;          /* columns x, y, z instead of pos */
    uint64_t file_bytes;
    uint64_t steps, steps_max; /* steps of sqlite, and the most that a valid map needs */
    uint64_t pages, pages_max; /* pages that sqlite read, from the file or its cache, and the most that a valid map needs */
    vp_error *error;
} vp_luanti_map;

/* Opens a map. Later writes to the file are not seen. The address of `map` must stay. Close it also if this fails. */
vp_status vp_luanti_map_open(vp_luanti_map *map, const char *path, uint64_t file_bytes, const vp_allocator *allocator, vp_error *error);
void vp_luanti_map_close(vp_luanti_map *map);

/* Finds the bounds, in blocks, of everything stored, as low x, y, z and high x, y, z. */
vp_status vp_luanti_map_bounds(vp_luanti_map *map, int64_t bounds[6], bool *found);

/* Returns the bytes of a block if it is stored. They are valid until the next call. For a stored block, call
   vp_luanti_map_block_end afterwards, which refuses a map that stores the block twice. */
vp_status vp_luanti_map_block(vp_luanti_map *map, vp_ivec3 block, bool *stored, const void **bytes, size_t *size);
vp_status vp_luanti_map_block_end(vp_luanti_map *map, vp_ivec3 block);

#endif
