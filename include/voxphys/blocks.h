/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_BLOCKS_H
#define VOXPHYS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

/** @file
 *  Worlds of blocks: chunks of 32 x 32 x 32 blocks, edits, snapshots, planets.
 *
 *      vp_blocks_create(&(vp_blocks_def){0}, &blocks, &error);
 *      vp_blocks_set(blocks, (vp_ivec3){3, 0, 3}, VP_BLOCK_STONE, NULL, &error);
 *      vp_blocks_acquire_box(blocks, (vp_ivec3){-1, -1, -1}, (vp_dims){3, 3, 3}, &held, &error);
 *      query(&held.view); // block_shapes.h, narrowphase.h, casts.h
 *      vp_blocks_release_box(blocks, &held);
 *      vp_blocks_destroy(blocks);
 *
 *  Absent chunks are type 0. Readers hold versions of chunks and do not wait. A reader can see some chunks before an edit and some
 *  after it. With VP_BLOCKS_LOCKS edits write in place, and edits and holders of a chunk wait for each other. A thread must not hold a
 *  chunk twice. Threads can share a world. Details: docs/kernels/blocks.md and docs/CONTRACT.md, BLK. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_BLOCKS_MAX_EDITED_CHUNKS = 1 << 20, /**< Maximum chunks of a call, summed over edits. */
    VP_BLOCK_SELF = 13                     /**< Middle chunk of 27. Index (dy + 1)*9 + (dz + 1)*3 + dx + 1. */
};

/** vp_block_change.stale of a chunk and its face neighbours. */
#define VP_BLOCK_STALE_FACES UINT32_C(0x00417410)
/** vp_block_change.stale of a chunk and all neighbours. */
#define VP_BLOCK_STALE_ALL UINT32_C(0x07ffffff)

/** World of blocks. */
typedef struct vp_blocks vp_blocks;

/** Sharing of chunks. */
typedef enum vp_blocks_form { VP_BLOCKS_SNAPSHOTS = 0, VP_BLOCKS_LOCKS = 1 } vp_blocks_form;

/** World settings. */
typedef struct vp_blocks_def {
    const vp_block_type *type; /**< Copied. NULL = vp_block_types_default. [type_count] */
    uint32_t type_count;       /**< 1 to VP_BLOCK_TYPES_MAX. */
    vp_blocks_form form;
    const vp_allocator *allocator;
} vp_blocks_def;

/** Creates a world without chunks.
 *  @return VP_E_ARGUMENT for a type 0 with bits, or a fluid that collides */
VP_API vp_status vp_blocks_create(const vp_blocks_def *def, vp_blocks **out, vp_error *error);
/** Destroys a world. No chunk may be held. */
VP_API void vp_blocks_destroy(vp_blocks *blocks);
/** Returns the types. */
VP_API const vp_block_type *vp_blocks_types(const vp_blocks *blocks, uint32_t *count);

/** Replaces a chunk by a copy of blocks.
 *  @return VP_E_ARGUMENT for an index beyond VP_BLOCKS_REACH or an unknown type */
VP_API vp_status vp_blocks_set_chunk(vp_blocks *blocks, vp_ivec3 chunk, const vp_block_cells *cells, vp_error *error);
/** Removes a chunk, except for about 60 bytes. */
VP_API void vp_blocks_remove_chunk(vp_blocks *blocks, vp_ivec3 chunk);

/** Fills a chunk. Element (y*32 + z)*32 + x is block (x, y, z). Several threads can call it. */
typedef void vp_block_fill_fn(const void *user, vp_ivec3 chunk, vp_block *cell);

/** Replaces all chunks of a box with the result of a function.
 *  @return errors of vp_blocks_set_chunk. Chunks before the failed one are replaced
 *          VP_E_ARGUMENT for more than VP_BLOCKS_MAX_EDITED_CHUNKS chunks */
VP_API vp_status vp_blocks_fill(vp_blocks *blocks, vp_ivec3 low, vp_dims size, vp_block_fill_fn *fill, const void *user,
                                const vp_executor *executor, vp_error *error);

/** Lists the chunks by y, z, x. Unspecified if there are more than `capacity`.
 *  @return number of chunks */
VP_API uint32_t vp_blocks_list_chunks(vp_blocks *blocks, vp_ivec3 *chunk, uint32_t capacity);

/** Memory of a world. */
typedef struct vp_blocks_memory {
    uint32_t chunks;
    uint32_t uniform; /**< With one type. */
    uint32_t wide;    /**< With types above 255, two bytes a block. */
    uint64_t cells;   /**< Bytes of blocks. */
    uint64_t bytes;   /**< Total, with held versions. */
} vp_blocks_memory;

/** Returns a world's memory. */
VP_API vp_blocks_memory vp_blocks_memory_use(vp_blocks *blocks);

/** Returns a digest of all blocks (BLK-3). */
VP_API uint64_t vp_blocks_digest(vp_blocks *blocks);

/** Returns the number of calls that changed the world, without waiting. */
VP_API uint64_t vp_blocks_version(const vp_blocks *blocks);

/** Held version of a chunk. */
typedef struct vp_block_snapshot {
    vp_block_cells cells; /**< Constant until released. All 0 for an absent chunk. */
    uint64_t version;     /**< vp_blocks_version after its change. 0 = absent. */
    void *held;
} vp_block_snapshot;

/** Holds the current version of a chunk, absent beyond VP_BLOCKS_REACH. */
VP_API void vp_blocks_acquire(vp_blocks *blocks, vp_ivec3 chunk, vp_block_snapshot *out);
/** Releases a held chunk, once. */
VP_API void vp_blocks_release(vp_blocks *blocks, vp_block_snapshot *snapshot);

/** Returns the type of a block, 0 beyond VP_BLOCKS_REACH. */
VP_API vp_block vp_blocks_get(vp_blocks *blocks, vp_ivec3 at);

/** Held chunk with its 26 neighbours. */
typedef struct vp_block_around {
    vp_ivec3 chunk;           /**< Middle chunk. */
    vp_block_snapshot of[27]; /**< Indexed as VP_BLOCK_SELF. */
    vp_block_cells cells[27];
    const vp_block_type *type; /**< [type_count] */
    uint32_t type_count;
} vp_block_around;

/** Holds a chunk and its neighbours. */
VP_API void vp_blocks_acquire_around(vp_blocks *blocks, vp_ivec3 chunk, vp_block_around *out);
/** Releases the chunks. */
VP_API void vp_blocks_release_around(vp_blocks *blocks, vp_block_around *around);
/** Returns a view of held chunks. */
VP_API vp_block_view vp_block_around_view(const vp_block_around *around);
/** Copies a chunk and one layer around it. Block (x, y, z) is element ((y + 1)*34 + z + 1)*34 + x + 1.
 *  @param cell  [VP_BLOCK_WINDOW_CELLS] */
VP_API void vp_block_around_window(const vp_block_around *around, vp_block *cell);

/** Held box of chunks. */
typedef struct vp_block_held {
    vp_block_view view;
    vp_block_cells *cells;
    vp_block_snapshot *of; /**< By chunk of the view. */
    vp_allocator allocator;
} vp_block_held;

/** Holds a box, counted in chunks.
 *  @return VP_E_ARGUMENT for a box beyond VP_BLOCKS_REACH or of more than 2^27 chunks */
VP_API vp_status vp_blocks_acquire_box(vp_blocks *blocks, vp_ivec3 low, vp_dims size, vp_block_held *out, vp_error *error);
/** Releases a box. */
VP_API void vp_blocks_release_box(vp_blocks *blocks, vp_block_held *held);

/** Shape of an edit. */
typedef enum vp_block_shape {
    VP_BLOCK_ONE,   /**< The block `low`. */
    VP_BLOCK_BOX,   /**< low <= block < high on each axis. */
    VP_BLOCK_SPHERE /**< Block centres within `radius` of `centre` (BLK-1). */
} vp_block_shape;

/** Edit that writes blocks of one type. */
typedef struct vp_block_edit {
    vp_block_shape shape;
    vp_block block; /**< 0 digs. */
    vp_ivec3 low;
    vp_ivec3 high;
    vp_vec3 centre;
    float radius;
} vp_block_edit;

/** Chunk that edits changed. */
typedef struct vp_block_change {
    vp_ivec3 chunk;
    /** Chunks to rebuild, bits as VP_BLOCK_SELF. Rebuild the faces of VP_BLOCK_STALE_FACES, with occlusion of all bits. */
    uint32_t stale;
} vp_block_change;

/** Changed chunks by y, z, x, each once. All zero = empty. */
typedef struct vp_block_changes {
    vp_block_change *change; /**< [count] */
    uint32_t count;
    uint32_t capacity;
    vp_allocator allocator;
} vp_block_changes;

/** Empties and frees a list. */
VP_API void vp_block_changes_destroy(vp_block_changes *changes);

/** Applies edits in order as one change, or none after an error. Cost: O(blocks in the edits' boxes + blocks of their chunks).
 *  @param changes  receives the changed chunks instead of its former content, if not NULL
 *  @return VP_E_ARGUMENT also above VP_BLOCKS_MAX_EDITED_CHUNKS chunks */
VP_API vp_status vp_blocks_edit(vp_blocks *blocks, const vp_block_edit *edit, size_t count, vp_block_changes *changes, vp_error *error);

/** Writes one block, like vp_blocks_edit. */
VP_API vp_status vp_blocks_set(vp_blocks *blocks, vp_ivec3 at, vp_block block, vp_block_changes *changes, vp_error *error);

/** Types of planets and converted worlds. */
enum {
    VP_BLOCK_NOTHING = 0,
    VP_BLOCK_GRASS = 1, /**< Planet's crust. */
    VP_BLOCK_DIRT = 2,  /**< Below the crust. */
    VP_BLOCK_WATER = 3,
    VP_BLOCK_STONE = 4,
    VP_BLOCK_MOSSY_STONE = 5, /**< One stone in ten. */
    VP_BLOCK_SAND = 6,
    VP_BLOCK_GLASS = 7, /**< Not opaque. */
    VP_BLOCK_STEEL = 8, /**< Platforms' feet. */
    VP_BLOCK_PLANKS = 9 /**< Platforms' floors. */
};

/** Returns these types. */
VP_API const vp_block_type *vp_block_types_default(uint32_t *count);

/** Settings of a planet. */
typedef struct vp_block_planet_def {
    uint32_t seed;
    uint32_t chunks; /**< Along each axis, 3 to 65. */
    bool platforms;  /**< On four sides. */
    bool caves;
} vp_block_planet_def;

/** Cubic planet (docs/kernels/blocks.md). Threads can share it. */
typedef struct vp_block_planet {
    vp_block_planet_def def;
    vp_ivec3 low;          /**< Lowest chunk. */
    vp_ivec3 centre;       /**< Middle block. */
    uint8_t noise[6][256]; /**< Permutations for +z, -y, -z, -x, +x, +y. */
    uint32_t layers[4];    /**< Depth of each platform's feet. */
} vp_block_planet;

/** Creates a planet. VP_E_ARGUMENT for an invalid number of chunks. */
VP_API vp_status vp_block_planet_init(const vp_block_planet_def *def, vp_block_planet *out, vp_error *error);
/** Fills a chunk of a vp_block_planet (vp_block_fill_fn), empty outside. */
VP_API void vp_block_planet_fill(const void *planet, vp_ivec3 chunk, vp_block *cell);

#ifdef __cplusplus
}
#endif

#endif
