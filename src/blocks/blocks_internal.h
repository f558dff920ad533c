/* SPDX-License-Identifier: MIT */
/* Internals of a world of blocks.
 *
 * A table finds the slot of a chunk, and a slot the current chunk. Slots and tables do not move until the world is
 * destroyed, so readers look them up without a lock. Chunks are freed, so they are counted. A slot is one word: the
 * number of the chunk, and the count of readers that took it from this slot. A reader adds 1, so it reads the number
 * and counts itself in one step. When a writer stores another word, it adds the old word's count to the chunk's own
 * count. Each reader that returns the chunk subtracts 1 from the chunk's own count, which is 0 when all have returned
 * it. A reader that reaches 0 leaves the chunk to writers, because only they allocate and free. */
#ifndef VP_BLOCKS_INTERNAL_H
#define VP_BLOCKS_INTERNAL_H

#include <stdatomic.h>

#include <voxphys/blocks.h>

#include "src/core/gate.h"
#include "src/core/locks.h"

/* Offset of a chunk's count while a slot has it. It exceeds the number of readers that ever hold a chunk. */
#define VP_CHUNK_IN_SLOT ((int_least64_t)1 << 62)
/* The count at which a slot's count is moved to its chunk, long before it overflows. */
#define VP_SLOT_FULL UINT32_C(0x80000000)

typedef struct vp_block_chunk {
    atomic_int_least64_t count;
    atomic_uint_least32_t next; /* list of chunks that are left to writers, or free; 0 = last */
    uint32_t number;            /* its own; 0 = no chunk */
    vp_block_cells cells;
    void *own; /* cells.cell */
    uint64_t version;
} vp_block_chunk;

typedef struct vp_block_slot {
    vp_ivec3 chunk;
    atomic_uint_least64_t word; /* number << 32 | count */
    uint64_t saved;             /* version that is saved; for writers */
    vp_gate *gate;              /* of VP_BLOCKS_LOCKS */
} vp_block_slot;

/* Places for slots, at most three quarters of them used. The number of places is a power of 2. */
typedef struct vp_block_slot_table {
    struct vp_block_slot_table *older;
    uint32_t places;
    _Atomic(vp_block_slot *) slot[];
} vp_block_slot_table;

enum { VP_FIRST_PART = 64, VP_PARTS = 24 }; /* part p of an array that does not move has 64 << p elements */

struct vp_blocks {
    vp_allocator allocator;
    vp_block_type *type;
    uint32_t type_count;
    vp_blocks_form form;
    _Atomic(vp_block_slot_table *) table;
    _Atomic(vp_block_chunk *) chunk[VP_PARTS]; /* element 0 is unused */
    atomic_uint_least32_t left;                /* chunks that all readers have returned */
    atomic_uint_least64_t version;
    pthread_mutex_t lock; /* writers' lock over the following fields */
    vp_block_slot *slot[VP_PARTS];
    uint32_t slots, chunks, free;
    uint64_t bytes;
};

/* The part, and the place in it, of element i of such an array. */
static inline uint32_t vp_part_of(uint32_t i, uint32_t *at)
{
    uint32_t part = 0, first = 0;
    while (i - first >= (uint32_t)VP_FIRST_PART << part)
        first += (uint32_t)VP_FIRST_PART << part++;
    *at = i - first;
    return part;
}

static inline vp_block_chunk *vp_chunk_numbered(vp_blocks *b, uint32_t number)
{
    uint32_t at;
    const uint32_t part = vp_part_of(number, &at);
    return atomic_load_explicit(&b->chunk[part], memory_order_acquire) + at;
}

static inline bool vp_block_index_ok(vp_ivec3 c)
{
    return c.x >= -VP_BLOCKS_REACH && c.x < VP_BLOCKS_REACH && c.y >= -VP_BLOCKS_REACH && c.y < VP_BLOCKS_REACH &&
           c.z >= -VP_BLOCKS_REACH && c.z < VP_BLOCKS_REACH;
}

/* Orders by y, then z, then x. */
static inline int vp_block_index_order(vp_ivec3 a, vp_ivec3 b)
{
    if (a.y != b.y)
        return a.y < b.y ? -1 : 1;
    if (a.z != b.z)
        return a.z < b.z ? -1 : 1;
    return a.x == b.x ? 0 : a.x < b.x ? -1 : 1;
}

/* Hash for tables. */
static inline uint32_t vp_block_hash(vp_ivec3 c)
{
    uint64_t h = (uint32_t)c.x * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 29 ^ (uint32_t)c.y) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 31 ^ (uint32_t)c.z) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(h >> 32);
}

/* The chunks that touch block (x, y, z) of a chunk, with the bits of vp_block_change.seen. */
static inline uint32_t vp_block_seen_from(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t at[3] = {x, y, z};
    uint32_t along[3]; /* bit d + 1 is the neighbour in direction d */
    for (int a = 0; a < 3; a++)
        along[a] = 2u | (at[a] == 0 ? 1u : 0u) | (at[a] == VP_BLOCK_EDGE - 1 ? 4u : 0u);
    uint32_t seen = 0;
    for (uint32_t k = 0; k < 27; k++)
        if ((along[0] >> k % 3 & along[1] >> k / 9 & along[2] >> k / 3 % 3 & 1u) != 0)
            seen |= 1u << k;
    return seen;
}

/* Returns NULL if the chunk never had a slot. Safe on any thread. */
vp_block_slot *vp_block_find(vp_blocks *b, vp_ivec3 chunk);

/* Acquires a snapshot once more, even if its chunk is no longer the current one. VP_BLOCKS_SNAPSHOTS only. */
void vp_block_take_again(const vp_block_snapshot *snapshot);

/* Checks that a box of chunks is in range and has at most `most` chunks. The second function returns its i-th chunk. */
vp_status vp_block_check_box(vp_ivec3 low, vp_dims size, uint64_t most, vp_error *error);
vp_ivec3 vp_block_chunk_of_box(vp_ivec3 low, vp_dims size, uint32_t i);

/* Stores a loaded chunk, unless an edit of another thread has created it in the meantime. */
vp_status vp_block_put_absent(vp_blocks *b, vp_ivec3 chunk, const vp_block_cells *cells, bool *put_it, vp_error *error);

/* ---- for writers, which hold the lock ---- */

/* Allocates counted memory. Returns NULL on failure. */
void *vp_blocks_allocate(vp_blocks *b, size_t count, size_t size);
void vp_blocks_free_memory(vp_blocks *b, void *block, size_t count, size_t size);
/* Finds or creates the slot of a chunk. */
vp_status vp_block_slot_of(vp_blocks *b, vp_ivec3 chunk, vp_block_slot **out, vp_error *error);
/* Creates a chunk that is in no slot. It has one type, or undefined cells of a width. */
vp_status vp_block_chunk_create(vp_blocks *b, uint8_t width, vp_block all, vp_block_chunk **out, vp_error *error);
/* Frees a chunk that never was in a slot. */
void vp_block_chunk_drop(vp_blocks *b, vp_block_chunk *chunk);
/* Turns a chunk whose blocks are all equal into a uniform one. Turns one of two bytes a block into one of one byte if
 * that is enough, and memory is available. */
void vp_block_chunk_simplify(vp_blocks *b, vp_block_chunk *chunk);
/* Stores a chunk in a slot, with the next version, which the caller then counts up. The slot's old chunk is freed when
   all readers have returned it. NULL makes the chunk absent. */
void vp_block_publish(vp_blocks *b, vp_block_slot *slot, vp_block_chunk *chunk);
/* The current chunk of a slot. NULL = absent. */
vp_block_chunk *vp_block_now(vp_blocks *b, const vp_block_slot *slot);
/* The i-th slot, below b->slots. */
vp_block_slot *vp_block_slot_at(vp_blocks *b, uint32_t i);
/* Frees the chunks that all readers have returned. */
void vp_blocks_collect(vp_blocks *b);

#endif
