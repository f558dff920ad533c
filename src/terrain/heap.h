/* SPDX-License-Identifier: MIT */
/* The trees that a terrain keeps, ordered by last use: a pairing heap whose links lie in the trees' own blocks, so that
 * it never allocates.
 *
 * A use only writes the time into the block (vp_kept.used) and does not touch the heap. A tree's key in the heap is its
 * last use at insertion, which is never later than its last use now. If the heap's minimum has not been used since, it
 * is the least recently used tree. Otherwise it is inserted again with its new key. */
#ifndef VP_TERRAIN_HEAP_H
#define VP_TERRAIN_HEAP_H

#include <stdatomic.h>

#include "src/terrain/chunk_tree.h"

/* Block with the tree of one chunk. The tree's arrays follow this header. */
typedef struct vp_kept {
    vp_chunk_view head;                    /* first member, so that a pointer to the view is a pointer to the block */
    atomic_uint_least64_t used;            /* cache's clock at the last use */
    uint64_t place;                        /* `used` at insertion into the heap */
    struct vp_kept *child, *next, *before; /* heap links: first child, next sibling, previous sibling or parent */
    uint32_t chunk, entry;
    size_t bytes; /* size of the whole block */
} vp_kept;

/* Inserts a tree with key `place`.
 * @param least  the heap's minimum, NULL if the heap is empty.
 * @return the new minimum. Keys compare by place, then chunk, then entry. O(1). */
vp_kept *vp_heap_put(vp_kept *least, vp_kept *kept);
/* Removes any tree from the heap. @return the new minimum, NULL if the heap is empty. O(log n), amortised. */
vp_kept *vp_heap_take(vp_kept *least, vp_kept *kept);

#endif
