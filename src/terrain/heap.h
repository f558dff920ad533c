/* SPDX-License-Identifier: MIT */
/* The trees that a terrain keeps, by when they were used: a pairing heap whose links lie in the trees' own blocks, so that
 * nothing is ever allocated for it.
 *
 * Uses do not touch the heap, they only write the time into the block (vp_kept.used); a tree lies in the heap at the time
 * that it had when it was put there, which is never later. So if the least in the heap has not been used since, it is the one that
 * was used least recently; if it has, it goes back to where it belongs by now. */
#ifndef VP_TERRAIN_HEAP_H
#define VP_TERRAIN_HEAP_H

#include <stdatomic.h>

#include <voxphys/kernel/kd.h>

/* A block of memory with the tree of one chunk; the tree's arrays lie behind it. */
typedef struct vp_kept {
    vp_kd_view view;                       /* first: who has the view has the block */
    atomic_uint_least64_t used;            /* the cache's clock at the last use */
    uint64_t place;                        /* `used` when it was put into the heap */
    struct vp_kept *child, *next, *before; /* of the heap: first child, next sibling, previous sibling or parent */
    uint32_t chunk, entry;
    size_t bytes; /* of the whole block */
} vp_kept;

/* Puts a tree into a heap, of which the least one is given (NULL: the heap is empty), at its `place`. @return the least one then.
   Least is the earliest place, then the lowest chunk, then the lowest entry. O(1). */
vp_kept *vp_heap_put(vp_kept *least, vp_kept *kept);
/* Takes out any one. @return the least one of what is left; NULL: none is. O(log n), amortised. */
vp_kept *vp_heap_take(vp_kept *least, vp_kept *kept);

#endif
