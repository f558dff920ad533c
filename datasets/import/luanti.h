/* SPDX-License-Identifier: MIT */
/* The parts of the Luanti importer: the database, one map block from its bytes, and what a node's name means.
   The bytes of a block are described in the game engine's own doc/world_format.txt; FORMATS.md says what is read. */
#ifndef VP_IMPORT_LUANTI_H
#define VP_IMPORT_LUANTI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>
#include <voxphys/status.h>

enum {
    VP_LUANTI_EDGE = 16,
    VP_LUANTI_NODES = 4096,
    VP_LUANTI_NAME_BYTES = 256,
    VP_LUANTI_LOWEST = -2048, /* the coordinates of blocks that a map's keys can say */
    VP_LUANTI_HIGHEST = 2047
};

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
vp_status vp_luanti_map_open(vp_luanti_map *map, const char *path, uint64_t file_bytes, vp_error *error);
void vp_luanti_map_close(vp_luanti_map *map);

/* The bounds, in blocks, of everything that is stored: low x y z, high x y z. */
vp_status vp_luanti_map_bounds(vp_luanti_map *map, int64_t bounds[6], bool *found);

/* The bytes of a block, if it is stored; they are there until the next call. If it is, the end must follow, which refuses
   a map that stores the block once more. */
vp_status vp_luanti_map_block(vp_luanti_map *map, vp_ivec3 block, bool *stored, const void **bytes, size_t *size);
vp_status vp_luanti_map_block_end(vp_luanti_map *map, vp_ivec3 block);

/* A name that a block gives to a number. */
typedef struct vp_luanti_name {
    uint16_t id;
    char name[VP_LUANTI_NAME_BYTES]; /* printable ASCII */
} vp_luanti_name;

/* A map block of 16^3 nodes, node (x, y, z) at (z*16 + y)*16 + x. */
typedef struct vp_luanti_block {
    uint16_t node[VP_LUANTI_NODES]; /* indices into `name` */
    vp_luanti_name *name;
    uint32_t name_count;
    size_t unpacked; /* bytes that were unpacked to find this */
} vp_luanti_block;

/* Decodes a block of version 25 to 29.
   returns VP_E_FORMAT, VP_E_MEMORY, VP_E_UNSUPPORTED (built without zlib or zstd) */
vp_status vp_luanti_block_decode(const void *bytes, size_t size, vp_luanti_block *out, vp_error *error);
void vp_luanti_block_destroy(vp_luanti_block *block);

/* What becomes of a node: VP_AIR, VP_WATER, or VP_FIRST_SOLID for one that gets a solid material of its own. */
uint8_t vp_luanti_class(const char *name);

#endif
