/* SPDX-License-Identifier: MIT */
/* Entries of the cache, and pinning of trees while they are read: see terrain/cache.h. Only for terrain/cache.c, which
 * enables POSIX. */
#ifndef VP_TERRAIN_PINS_H
#define VP_TERRAIN_PINS_H

#include "src/terrain/cache.h"

static inline const vp_kd_view *vp_entry_tree(const vp_kd_view *word)
{
    return (const vp_kd_view *)((uintptr_t)word & ~(uintptr_t)VP_PIN_BITS);
}

static inline uint32_t vp_entry_pins(const vp_kd_view *word)
{
    return (uint32_t)((uintptr_t)word & VP_PIN_BITS);
}

static inline const vp_kd_view *vp_more_pins(const vp_kd_view *word, int pins)
{
    return (const vp_kd_view *)((uintptr_t)word + (uintptr_t)(intptr_t)pins);
}

static inline bool vp_is_empty_tree(const vp_tree_cache *c, const vp_kd_view *tree)
{
    return tree == c->empty;
}

/* A block begins with its view. */
static inline vp_kept *vp_kept_of(const vp_kd_view *tree)
{
    return (vp_kept *)(uintptr_t)tree;
}

/* Records that a pinned tree is used now. Most calls find the current time recorded already. */
static inline void vp_touch_tree(vp_tree_cache *c, const vp_kd_view *tree)
{
    vp_kept *k = vp_kept_of(tree);
    const uint64_t now = atomic_load_explicit(&c->clock, memory_order_relaxed);
    uint64_t used = atomic_load_explicit(&k->used, memory_order_relaxed);
    while (used < now && !atomic_compare_exchange_weak_explicit(&k->used, &used, now, memory_order_relaxed, memory_order_relaxed))
        ;
}

/* Reads an entry, and pins its tree if the budget is limited. @return the tree, NULL if there is none */
static inline const vp_kd_view *vp_pin(vp_tree_user *user, vp_tree_entry *entry)
{
    vp_tree_cache *c = user->cache;
    const vp_kd_view *word = atomic_load_explicit(entry, memory_order_acquire);
    while (word != NULL) {
        const vp_kd_view *tree = vp_entry_tree(word);
        if (!c->limited || vp_is_empty_tree(c, tree))
            return tree;
        if (vp_entry_pins(word) == VP_PIN_BITS) { /* the count is full, but readers never block, so one ends soon */
            sched_yield();
            word = atomic_load_explicit(entry, memory_order_acquire);
        } else if (atomic_compare_exchange_weak_explicit(entry, &word, vp_more_pins(word, 1), memory_order_acquire, memory_order_acquire)) {
            user->pinned = entry;
            user->tree = tree;
            vp_touch_tree(c, tree);
            return tree;
        }
    }
    return NULL;
}

static inline void vp_unpin(vp_tree_user *user)
{
    if (user->pinned == NULL)
        return;
    const vp_kd_view *word = atomic_load_explicit(user->pinned, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(user->pinned, &word, vp_more_pins(word, -1), memory_order_release, memory_order_relaxed))
        ;
    user->pinned = NULL;
}

#endif
