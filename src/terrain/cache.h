/* SPDX-License-Identifier: MIT */
/* Cache of the trees of a terrain's chunks. A tree is built on first use, by one thread, and kept within a budget.
 *
 * Each chunk and surface has an *entry* of 8 bytes: NULL or the address of its tree. Trees are 64-byte aligned, so the
 * low six bits of the address are free. If the budget is limited, they count the *pins*, the users that are reading the
 * tree. Eviction replaces an entry with no pins by NULL in one atomic step. So no reader loses its tree, and a lookup
 * takes no lock. With an unlimited budget nothing is dropped while there are readers, nothing is pinned, and kernels
 * read the entries directly (vp_terrain_view.tree).
 *
 * The cache does not exclude edits. Users are inside the terrain's gate, and vp_cache_drop and vp_cache_set_budget are
 * called only while no user is active. */
#ifndef VP_TERRAIN_CACHE_H
#define VP_TERRAIN_CACHE_H

#include <stdbool.h>

#include <voxphys/terrain.h>

#include "src/core/locks.h"
#include "src/terrain/chunk_tree.h"
#include "src/terrain/heap.h"

typedef _Atomic(const vp_kd_view *) vp_tree_entry;

/* Box of the triangles of a chunk whose tree was built, for the top level. */
typedef struct vp_built_tree {
    uint32_t entry;
    bool empty;
    vp_aabb box;
} vp_built_tree;

enum { VP_MADE_MAX = 64 };

/* Memory in which a tree is built. The scratch follows this header. */
typedef struct vp_workshop {
    struct vp_workshop *next;
    vp_chunk_tree tree;
} vp_workshop;

typedef struct vp_tree_cache {
    vp_kernels kernels;
    vp_voxels voxels;
    vp_kd_form form;
    uint32_t chunks, entries;             /* entries: first surface's chunks, then the second's */
    vp_surface surface[VP_SURFACE_COUNT]; /* surface of each half of the entries */
    vp_tree_entry *entry;
    const vp_kd_view *empty; /* tree of every chunk without triangles */
    size_t workshop_bytes;
    bool limited;
    uint64_t first_edit; /* the time at creation, so that numbers of edits differ between terrains */
    uint64_t edits;      /* number of the last edit of a chunk */
    uint32_t *edit;      /* [chunks] low half of the number of each chunk's last edit, 0 = none since the high half changed */
    atomic_uint_least64_t clock; /* number of trees built, the time of the LRU order */
    atomic_uint_least64_t hits;
    atomic_bool has_pending; /* the list of built trees is full */
    vp_allocator allocator;
    pthread_mutex_t lock;         /* protects all members below */
    pthread_cond_t tree_finished; /* signalled when a tree that others wait for is finished */
    uint32_t waiting;
    struct vp_tree_user *makers; /* users that are building a tree */
    vp_workshop *idle;
    uint64_t *reported; /* one bit per entry: reported to the top level, and not edited since */
    vp_built_tree pending[VP_MADE_MAX];
    uint32_t pending_count;
    uint32_t overflow_first, overflow_end; /* range that contains the entries of trees built while the list was full */
    vp_kept *oldest;                       /* tree with the oldest `place`, the heap's root */
    vp_terrain_stats stats;                /* without hits and fixed_bytes */
} vp_tree_cache;

/* A query's access to the trees of one surface, from one thread. */
typedef struct vp_tree_user {
    vp_tree_cache *cache;
    uint32_t first; /* entry of chunk 0 */
    vp_surface surface;
    bool preparing;    /* evicts nothing, and does not want trees that cannot be kept */
    bool full, failed; /* no room, while preparing, or no memory */
    uint32_t failed_chunk;
    uint64_t hits, misses;
    vp_tree_entry *pinned;      /* entry of the pinned tree */
    const vp_kd_view *tree;     /* the pinned tree */
    vp_workshop *held_workshop; /* workshop of a tree that is not kept */
    uint32_t in_work;           /* entry whose tree the user builds or holds */
    struct vp_tree_user *next_maker;
} vp_tree_user;

/* Bits of an entry that count pins. */
enum { VP_PIN_BITS = 63 };

/* Creates a cache without trees. The caller has filled in `kernels` to `surface`. surface_count is 1 or 2.
 * @return false without memory */
bool vp_cache_begin(vp_tree_cache *cache, uint32_t surface_count, size_t budget, const vp_allocator *allocator);
void vp_cache_end(vp_tree_cache *cache);
/* Bytes of the cache's tables. */
size_t vp_cache_fixed_bytes(const vp_tree_cache *cache);

/* Starts a query on surface number `which` of the cache. The result may be copied before its first use. */
void vp_cache_enter(vp_tree_cache *cache, uint32_t which, vp_tree_user *user);
/* Ends a query, and adds its hits and misses to the statistics. */
void vp_cache_leave(vp_tree_user *user);

/* `find` and `make` of vp_terrain_view, with a vp_tree_user. A tree stays valid until the user's next call or its end. */
vp_chunk_tree_fn vp_cache_find;
vp_chunk_tree_fn vp_cache_make;

/* Drops the trees of an edited chunk, for all surfaces. No user may be active. */
void vp_cache_drop(vp_tree_cache *cache, uint32_t chunk);
static inline uint64_t vp_cache_edits(const vp_tree_cache *cache)
{
    return cache->edits;
}
/* Whether a chunk may have been edited since vp_cache_edits returned `since`. */
static inline bool vp_cache_is_edited(const vp_tree_cache *cache, uint32_t chunk, uint64_t since)
{
    return since < cache->first_edit || cache->edits >> 32 != since >> 32 || cache->edit[chunk] > (uint32_t)since;
}
/* Returns the boxes of chunks built since the last call, each once until the chunk is edited. No user may be active.
 * @param overflow_first,overflow_end  range of entries of further trees, built while the list was full. vp_cache_next_unreported
 *                                     finds those that still exist. Equal if there are none.
 * @return number of boxes */
uint32_t vp_cache_take_pending(vp_tree_cache *cache, vp_built_tree out[VP_MADE_MAX], uint32_t *overflow_first, uint32_t *overflow_end);
/* Returns the first entry of [from, end) that has a tree not yet reported, and marks it as reported. No user may be
 * active. O(end - from).
 * @return false if there is none */
bool vp_cache_next_unreported(vp_tree_cache *cache, uint32_t from, uint32_t end, vp_built_tree *out);

/* Sets the budget, and evicts trees until they fit. No user may be active. */
void vp_cache_set_budget(vp_tree_cache *cache, size_t budget);

vp_terrain_stats vp_cache_stats(vp_tree_cache *cache);

#endif
