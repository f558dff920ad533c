/* SPDX-License-Identifier: MIT */
/* The trees of a terrain's chunks: made when they are asked for, by one thread each, and kept within a budget.
 *
 * Each chunk and surface has an *entry* of 8 bytes: NULL, or the address of its tree. Trees lie at multiples of 64, so the address's
 * low six bits are free; where there is a budget they count the *pins*, the users who are reading the tree now.
 * A tree is dropped for the budget by changing its entry from "no pins" to NULL in one step, so it never goes from under a
 * reader, and finding one takes no lock. Without a budget nothing is dropped while there are readers, nothing is pinned, and
 * kernels read the entries themselves (vp_terrain_view.tree).
 *
 * Nothing here keeps out edits: who asks is inside the terrain's gate, and vp_cache_drop and vp_cache_set_budget are called
 * when nobody else is. */
#ifndef VP_TERRAIN_CACHE_H
#define VP_TERRAIN_CACHE_H

#include <stdbool.h>

#include <voxphys/terrain.h>

#include "src/core/locks.h"
#include "src/terrain/chunk_tree.h"
#include "src/terrain/heap.h"

typedef _Atomic(const vp_kd_view *) vp_tree_entry;

/* Where the triangles of a chunk are that was made, for the top level to learn. */
typedef struct vp_made {
    uint32_t entry;
    bool empty;
    vp_aabb box;
} vp_made;

enum { VP_MADE_MAX = 64 };

/* What a tree is made in; the scratch lies behind it. */
typedef struct vp_workshop {
    struct vp_workshop *next;
    vp_chunk_tree tree;
} vp_workshop;

typedef struct vp_tree_cache {
    vp_kernels kernels;
    vp_voxels voxels;
    vp_kd_form form;
    uint32_t chunks, entries;             /* entries are those of the first surface's chunks, then the second's */
    vp_surface surface[VP_SURFACE_COUNT]; /* of the first and the second */
    vp_tree_entry *entry;
    bool limited;
    atomic_uint_least64_t clock; /* trees that were made */
    atomic_uint_least64_t hits;
    atomic_bool has_news; /* the list of them is full */
    vp_allocator allocator;
    pthread_mutex_t lock; /* over all that follows */
    pthread_cond_t made;  /* for those who wait for a tree that another makes */
    uint32_t waiting;
    struct vp_tree_user *makers; /* who is making a tree */
    vp_workshop *idle;
    uint64_t *told; /* a bit an entry: what was made of it has been among the news, and no edit has changed it since */
    vp_made news[VP_MADE_MAX];
    uint32_t news_count;
    uint32_t lost_first, lost_end; /* between these are the entries of what was made while the list was full */
    vp_kept *least;                /* the heap */
    vp_terrain_stats stats;        /* but for hits and fixed_bytes */
} vp_tree_cache;

/* Who asks for trees of one surface, from one thread: a query. */
typedef struct vp_tree_user {
    vp_tree_cache *cache;
    uint32_t first; /* entry of chunk 0 */
    vp_surface surface;
    bool preparing;    /* nothing is dropped for what it makes, and what there is no room for is not wanted */
    bool full, failed; /* there was no room, while preparing; there was no memory */
    uint32_t failed_chunk;
    uint64_t hits, misses;
    vp_tree_entry *pinned;  /* the entry of the tree that is read now */
    const vp_kd_view *tree; /* and the tree */
    vp_workshop *held;      /* where a tree is that is not kept */
    uint32_t in_work;       /* the entry whose tree it makes, or has in what it holds */
    struct vp_tree_user *next_maker;
} vp_tree_user;

/* What an entry's low bits are. */
enum { VP_PIN_BITS = 63 };

/* Makes a cache without trees. kernels to surface are filled in; surface_count is 1 or 2. @return false without memory */
bool vp_cache_begin(vp_tree_cache *cache, uint32_t surface_count, size_t budget, const vp_allocator *allocator);
void vp_cache_end(vp_tree_cache *cache);
/* Of its tables. */
size_t vp_cache_fixed_bytes(const vp_tree_cache *cache);

/* Begins to ask; `which` of the cache's surfaces. */
void vp_cache_enter(vp_tree_cache *cache, uint32_t which, vp_tree_user *user);
/* Ends it, and counts. */
void vp_cache_leave(vp_tree_user *user);

/* find and make of vp_terrain_view, of a vp_tree_user. A tree stays until the user asks for the next, or ends. */
vp_chunk_tree_fn vp_cache_find;
vp_chunk_tree_fn vp_cache_make;

/* Forgets a chunk, of both surfaces: it was edited. Nobody is asking. */
void vp_cache_drop(vp_tree_cache *cache, uint32_t chunk);
/* Hands over what is known of chunks that were made and not handed over before, each once until it is edited. Nobody is asking.
   @param lost_first,lost_end  others were made too, whose entries are between these: those that are still there are found by
                               vp_cache_untold. Equal if there are none.
   @return how many */
uint32_t vp_cache_news(vp_tree_cache *cache, vp_made out[VP_MADE_MAX], uint32_t *lost_first, uint32_t *lost_end);
/* The first entry of [from, end) that has a tree and has not been among the news; it has been now. Nobody is asking. O(end - from).
   @return false if there is none */
bool vp_cache_untold(vp_tree_cache *cache, uint32_t from, uint32_t end, vp_made *out);

/* Nobody is asking. */
void vp_cache_set_budget(vp_tree_cache *cache, size_t budget);

vp_terrain_stats vp_cache_stats(vp_tree_cache *cache);

#endif
