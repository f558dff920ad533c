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

/** @file blocks.h
 *  Worlds of blocks (third article, "Diviser pour mieux régner" and "Accès concurrents"): chunks of 32 x 32 x 32, by signed index, that
 *  are there once something is put into them. What is absent is nothing (type 0). A block is a byte while all types of its chunk are below
 *  256, else two; a chunk of one type alone is a tag.
 *
 *  **Snapshots.** Who reads takes a chunk as it is now, and gives it back. An edit makes a new chunk, and leaves the old one to those who
 *  have taken it. Taking is one look-up and one atomic addition: it never waits, neither for edits nor for other readers. Chunks that are
 *  edited at once are each whole, but a reader on another thread may take some of before and some of after.
 *
 *  **Locks**, the article's way, for comparison: edits write in place, and a chunk that is taken is locked until it is given back. A thread
 *  that has taken a chunk must neither take it again nor do what waits for edits. A chunk stays as wide as edits have made it.
 *
 *  Any number of threads may use a world at once. Those that change, list or measure it wait for each other. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_BLOCKS_EDITED_MOST = 1 << 20, /**< Chunks that edits of one call may meet, each counted for each edit. */
    VP_BLOCK_SELF = 13               /**< A chunk's own place among 27: (dy + 1)*9 + (dz + 1)*3 + dx + 1. */
};

/** Bits of vp_block_change.seen: the six chunks with a face in common, and the chunk itself. */
#define VP_BLOCK_SEEN_FACES UINT32_C(0x00417410)
/** The same of all 26. */
#define VP_BLOCK_SEEN_ALL UINT32_C(0x07ffffff)

/* ---- worlds ---- */

/** A world of blocks. */
typedef struct vp_blocks vp_blocks;

/** How readers and edits share a chunk. */
typedef enum vp_blocks_form { VP_BLOCKS_SNAPSHOTS = 0, VP_BLOCKS_LOCKS = 1 } vp_blocks_form;

/** What a new world is to be. */
typedef struct vp_blocks_def {
    const vp_block_type *type;     /**< The table, which is copied; NULL: vp_block_types_usual. */
    uint32_t type_count;           /**< 1 to VP_BLOCK_TYPES_MAX. */
    vp_blocks_form form;           /**< The usual one is 0. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_blocks_def;

/** Makes a world without chunks.
 *  @return VP_E_ARGUMENT for no types or too many, a type 0 with bits, a type with bits or a colour that there are none of or that is both
 *          fluid and collides, another form; VP_E_MEMORY */
VP_API vp_status vp_blocks_create(const vp_blocks_def *def, vp_blocks **out, vp_error *error);
/** Frees a world; NULL is left alone. Everything that was taken of it must be given back. */
VP_API void vp_blocks_destroy(vp_blocks *blocks);
/** The table. */
VP_API const vp_block_type *vp_blocks_types(const vp_blocks *blocks, uint32_t *count);

/** Puts a chunk in place of what is there. O(blocks of a chunk).
 *  @param cells  copied
 *  @return VP_E_ARGUMENT for an index beyond VP_BLOCKS_REACH, another width than 0, 1 or 2, or one that doesn't fit the pointer, a type
 *          that is not in the table; VP_E_MEMORY */
VP_API vp_status vp_blocks_put(vp_blocks *blocks, vp_ivec3 chunk, const vp_block_cells *cells, vp_error *error);
/** Makes a chunk absent, which it may be already. Some 60 bytes that say where it was stay until the world is destroyed. O(1). */
VP_API void vp_blocks_forget(vp_blocks *blocks, vp_ivec3 chunk);

/** Fills a chunk: element (y*32 + z)*32 + x. May be called from several threads at once, for different chunks. */
typedef void vp_block_fill_fn(const void *user, vp_ivec3 chunk, vp_block *cell);

/** Puts all chunks of a box, filled by a function, on several threads. The result does not depend on them.
 *  @param executor  NULL: the calling thread
 *  @return as vp_blocks_put; the chunks before the one that failed have been put. VP_E_ARGUMENT for a box beyond VP_BLOCKS_REACH or of more
 *          than VP_BLOCKS_EDITED_MOST chunks. */
VP_API vp_status vp_blocks_fill(vp_blocks *blocks, vp_ivec3 low, vp_dims size, vp_block_fill_fn *fill, const void *user,
                                const vp_executor *executor, vp_error *error);

/** Lists the chunks that are there, by ascending y, then z, then x. O(n log n).
 *  @param chunk  room for `room`; means nothing afterwards if there are more. May be NULL if that is 0
 *  @return how many there are */
VP_API uint32_t vp_blocks_list(vp_blocks *blocks, vp_ivec3 *chunk, uint32_t room);

/** What a world takes. */
typedef struct vp_blocks_memory {
    uint32_t chunks;  /**< That are there. */
    uint32_t uniform; /**< Of these, those of one type. */
    uint32_t wide;    /**< Of these, those of two bytes a block. */
    uint64_t cells;   /**< Bytes of their blocks. */
    uint64_t bytes;   /**< Of all memory that it has now, with what readers still have and what is kept for later. */
} vp_blocks_memory;

/** Measures. O(chunks). */
VP_API vp_blocks_memory vp_blocks_memory_use(vp_blocks *blocks);

/** A number of all blocks: equal worlds have equal ones, however they came about and however they are stored. Chunks of nothing count as
 *  absent ones. The same on all machines. O(blocks). */
VP_API uint64_t vp_blocks_digest(vp_blocks *blocks);

/** How often a world has been changed: each call that changed something counts once. O(1), never waits. */
VP_API uint64_t vp_blocks_version(const vp_blocks *blocks);

/* ---- reading ---- */

/** A chunk that is taken. It does not change until it is given back. */
typedef struct vp_block_snapshot {
    vp_block_cells cells; /**< Of an absent one all are 0. */
    uint64_t version;     /**< vp_blocks_version after the change that made it; 0: it is absent. */
    void *held;           /**< The library's. */
} vp_block_snapshot;

/** Takes a chunk; one beyond VP_BLOCKS_REACH is absent. O(1). */
VP_API void vp_blocks_take(vp_blocks *blocks, vp_ivec3 chunk, vp_block_snapshot *out);
/** Gives it back: once. */
VP_API void vp_blocks_give(vp_blocks *blocks, vp_block_snapshot *snapshot);

/** A block as it is now; 0 beyond VP_BLOCKS_REACH. O(1). */
VP_API vp_block vp_blocks_block(vp_blocks *blocks, vp_ivec3 at);

/** A chunk and the 26 around it, taken. */
typedef struct vp_block_around {
    vp_ivec3 chunk;            /**< The one in the middle. */
    vp_block_snapshot of[27];  /**< Chunk + (dx, dy, dz) is (dy + 1)*9 + (dz + 1)*3 + dx + 1. */
    vp_block_cells cells[27];  /**< The same, as views have them. */
    const vp_block_type *type; /**< The world's table. */
    uint32_t type_count;       /**< Its length. */
} vp_block_around;

/** Takes a chunk and those around it, in that order; all are absent if it is beyond VP_BLOCKS_REACH. */
VP_API void vp_blocks_take_around(vp_blocks *blocks, vp_ivec3 chunk, vp_block_around *out);
/** Gives them back. */
VP_API void vp_blocks_give_around(vp_blocks *blocks, vp_block_around *around);
/** What queries take, valid as long as it is. */
VP_API vp_block_view vp_block_around_view(const vp_block_around *around);
/** The chunk and one layer around it: block (x, y, z) of the chunk is element ((y + 1)*34 + z + 1)*34 + x + 1. O(blocks).
 *  @param cell  out: VP_BLOCK_WINDOW_CELLS of them */
VP_API void vp_block_around_window(const vp_block_around *around, vp_block *cell);

/** A box of chunks, taken. */
typedef struct vp_block_held {
    vp_block_view view;     /**< What queries take. */
    vp_block_cells *cells;  /**< view.chunk. */
    vp_block_snapshot *of;  /**< Of each chunk. */
    vp_allocator allocator; /**< Where both come from. */
} vp_block_held;

/** Takes a box of chunks. O(chunks).
 *  @return VP_E_ARGUMENT for a box beyond VP_BLOCKS_REACH or of more than 2^27 chunks, VP_E_MEMORY */
VP_API vp_status vp_blocks_hold(vp_blocks *blocks, vp_ivec3 low, vp_dims size, vp_block_held *out, vp_error *error);
/** Gives them back; one that is all zero bytes is left alone. */
VP_API void vp_blocks_let_go(vp_blocks *blocks, vp_block_held *held);

/* ---- edits ---- */

/** What an edit is of. */
typedef enum vp_block_shape {
    VP_BLOCK_ONE,   /**< Block `low`. */
    VP_BLOCK_BOX,   /**< All with low <= block < high on every axis. */
    VP_BLOCK_SPHERE /**< All whose centre is at most `radius` from `centre`, by the rounding of vp_world_fill_sphere. */
} vp_block_shape;

/** An edit: makes blocks of one type. */
typedef struct vp_block_edit {
    vp_block_shape shape; /**< Which of these members count. */
    vp_block block;       /**< What they become; 0 digs. */
    vp_ivec3 low;         /**< Of one, of a box. */
    vp_ivec3 high;        /**< Of a box. */
    vp_vec3 centre;       /**< Of a sphere. */
    float radius;         /**< Of a sphere. */
} vp_block_edit;

/** A chunk that edits have changed. */
typedef struct vp_block_change {
    vp_ivec3 chunk; /**< Its index. */
    /** Who has to be made anew: bit (dy + 1)*9 + (dz + 1)*3 + dx + 1 is of chunk + (dx, dy, dz). The chunk's own is set; another's is if a
     *  block that was changed touches it: what is made of faces needs `seen & VP_BLOCK_SEEN_FACES`, of occlusion all of it. */
    uint32_t seen;
} vp_block_change;

/** The chunks that edits have changed, each once, by ascending y, then z, then x. All zero bytes is an empty list. */
typedef struct vp_block_changes {
    vp_block_change *change; /**< The list. */
    uint32_t count;          /**< How many. */
    uint32_t room;           /**< How many there is memory for. */
    vp_allocator allocator;  /**< Where it comes from. */
} vp_block_changes;

/** Frees a list; it is empty then. */
VP_API void vp_block_changes_destroy(vp_block_changes *changes);

/** Does edits one after the other, as one change: a tick's. Each chunk is copied once, however many edits meet it. A block that becomes
 *  what it is already isn't changed; one that is changed and changed back counts as changed. O(blocks of the edits' boxes + blocks of the
 *  chunks they meet).
 *  @param edit     `count`; may be NULL if that is 0
 *  @param changes  if not NULL, receives what was changed, in place of what it holds
 *  @return VP_E_ARGUMENT, with the number of the edit, for an unknown shape, a type that is not in the table, low > high, a centre or a
 *          radius that is not finite, a radius below 0, blocks beyond chunks of VP_BLOCKS_REACH; for edits that meet more than
 *          VP_BLOCKS_EDITED_MOST chunks; VP_E_MEMORY. After a failure nothing is changed. */
VP_API vp_status vp_blocks_edit(vp_blocks *blocks, const vp_block_edit *edit, size_t count, vp_block_changes *changes, vp_error *error);

/** One block: vp_blocks_edit of it. */
VP_API vp_status vp_blocks_set(vp_blocks *blocks, vp_ivec3 at, vp_block block, vp_block_changes *changes, vp_error *error);

/* ---- types and planets ---- */

/** Types that planets and converted worlds are made of. */
enum {
    VP_BLOCK_NOTHING = 0,
    VP_BLOCK_GRASS = 1, /**< A planet's crust. */
    VP_BLOCK_DIRT = 2,  /**< Under it. */
    VP_BLOCK_WATER = 3, /**< Fluid. */
    VP_BLOCK_STONE = 4,
    VP_BLOCK_MOSSY_STONE = 5, /**< One block of stone in ten. */
    VP_BLOCK_SAND = 6,
    VP_BLOCK_GLASS = 7, /**< Not opaque. */
    VP_BLOCK_STEEL = 8, /**< What platforms stand on. */
    VP_BLOCK_PLANKS = 9 /**< Their floors. */
};

/** Their table. */
VP_API const vp_block_type *vp_block_types_usual(uint32_t *count);

/** What a planet is to be. */
typedef struct vp_block_planet_def {
    uint32_t seed;   /**< Of its six landscapes. */
    uint32_t chunks; /**< Along an edge of the world: 3 to 65. */
    bool platforms;  /**< Four of them, on four sides. */
    bool caves;      /**< Tunnels through all of it. */
} vp_block_planet_def;

/** A cubic planet (the article's, after the public source of its program): six sides with a landscape each, a shaft from pole to pole, four
 *  platforms. With the centre of the middle block at (0, 0, 0), y upwards and m the largest of |x|, |y|, |z|: what is not nothing has m at
 *  most h - 30, where h is 32 (chunks + 1)/2, rounded down; grass to 6 below that, dirt to 18, stone further in, a tenth of it mossy by
 *  a hash of the position; nothing where |x| and |z| are at most 2. A landscape takes away what is h + 2 - t or more up its axis, with t of
 *  30 to h/2 by four octaves of Perlin's noise of the two other axes, the lower axis first. All in binary64, in a stated order.
 *
 *  A value: it has no memory of its own, and any number of threads may fill chunks by it. */
typedef struct vp_block_planet {
    vp_block_planet_def def; /**< What it was made from. */
    vp_ivec3 low;            /**< The first chunk: the world is `chunks` of them along each axis. */
    vp_ivec3 centre;         /**< The middle block. */
    uint8_t noise[6][256];   /**< Perlin's permutations: towards +z, -y, -z, -x, +x, +y. */
    uint32_t layers[4];      /**< How far each platform's feet go down. */
} vp_block_planet;

/** Makes a planet. @return VP_E_ARGUMENT for a number of chunks that is not allowed */
VP_API vp_status vp_block_planet_make(const vp_block_planet_def *def, vp_block_planet *out, vp_error *error);
/** A vp_block_fill_fn: `planet` is a vp_block_planet; chunks beyond its world are nothing. O(blocks). */
VP_API void vp_block_planet_fill(const void *planet, vp_ivec3 chunk, vp_block *cell);

#ifdef __cplusplus
}
#endif

#endif
