/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "src/terrain/cache.h"

#include <string.h>

#include "src/core/clock.h"
#include "src/core/memory.h"

/* ---- entries and pins ---- */

static const vp_kd_view *tree_in_entry(const vp_kd_view *word)
{
    return (const vp_kd_view *)((uintptr_t)word & ~(uintptr_t)VP_PIN_BITS);
}

static uint32_t pins_in_entry(const vp_kd_view *word)
{
    return (uint32_t)((uintptr_t)word & VP_PIN_BITS);
}

static const vp_kd_view *add_pins(const vp_kd_view *word, int pins)
{
    return (const vp_kd_view *)((uintptr_t)word + (uintptr_t)(intptr_t)pins);
}

static bool is_empty_tree(const vp_tree_cache *c, const vp_kd_view *tree)
{
    return tree == c->empty;
}

/* A block begins with its view. */
static vp_kept *kept_of(const vp_kd_view *tree)
{
    return (vp_kept *)(uintptr_t)tree;
}

/* Records that a pinned tree is used now. Most calls find the current time recorded already. */
static void touch_tree(vp_tree_cache *c, const vp_kd_view *tree)
{
    vp_kept *k = kept_of(tree);
    const uint64_t now = atomic_load_explicit(&c->clock, memory_order_relaxed);
    uint64_t used = atomic_load_explicit(&k->used, memory_order_relaxed);
    while (used < now && !atomic_compare_exchange_weak_explicit(&k->used, &used, now, memory_order_relaxed, memory_order_relaxed))
        ;
}

/* Reads an entry, and pins its tree if the budget is limited. @return the tree, NULL if there is none */
static const vp_kd_view *pin_tree(vp_tree_user *user, vp_tree_entry *entry)
{
    vp_tree_cache *c = user->cache;
    const vp_kd_view *word = atomic_load_explicit(entry, memory_order_acquire);
    while (word != NULL) {
        const vp_kd_view *tree = tree_in_entry(word);
        if (!c->limited || is_empty_tree(c, tree))
            return tree;
        if (pins_in_entry(word) == VP_PIN_BITS) { /* the count is full, but readers never block, so one ends soon */
            sched_yield();
            word = atomic_load_explicit(entry, memory_order_acquire);
        } else if (atomic_compare_exchange_weak_explicit(entry, &word, add_pins(word, 1), memory_order_acquire, memory_order_acquire)) {
            user->pinned = entry;
            user->tree = tree;
            touch_tree(c, tree);
            return tree;
        }
    }
    return NULL;
}

static void unpin_tree(vp_tree_user *user)
{
    if (user->pinned == NULL)
        return;
    const vp_kd_view *word = atomic_load_explicit(user->pinned, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(user->pinned, &word, add_pins(word, -1), memory_order_release, memory_order_relaxed))
        ;
    user->pinned = NULL;
}

/* ---- the lock ---- */

/* Spins before it sleeps, because the lock is held for a few dozen instructions, less than sleeping and waking cost. */
static void lock_cache(vp_tree_cache *c)
{
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; i++)
        if (pthread_mutex_trylock(&c->lock) == 0)
            return;
    pthread_mutex_lock(&c->lock);
}

static void unlock_cache(vp_tree_cache *c)
{
    pthread_mutex_unlock(&c->lock);
}

/* ---- keeping within the budget, under the lock ---- */

static void free_tree(vp_tree_cache *c, vp_kept *k)
{
    c->stats.bytes -= k->bytes;
    c->stats.kept--;
    c->stats.triangles -= k->head.view.triangles.triangle_count;
    vp_release(&c->allocator, k, k->bytes, 1);
}

/* Evicts the least recently used tree that is not pinned.
 * @return false if all trees are pinned or there are none */
static bool evict_tree(vp_tree_cache *c)
{
    vp_kept *pinned = NULL;
    bool done = false;
    while (!done && c->oldest != NULL) {
        vp_kept *k = c->oldest;
        const uint64_t used = atomic_load_explicit(&k->used, memory_order_relaxed);
        const vp_kd_view *word = &k->head.view;
        c->oldest = vp_heap_take(k, k);
        if (used != k->place) {
            k->place = used;
            c->oldest = vp_heap_put(c->oldest, k);
        } else if (atomic_compare_exchange_strong_explicit(&c->entry[k->entry], &word, NULL, memory_order_acquire, memory_order_relaxed)) {
            free_tree(c, k);
            c->stats.evictions++;
            done = true;
        } else {
            k->next = pinned;
            pinned = k;
        }
    }
    while (pinned != NULL) {
        vp_kept *next = pinned->next;
        c->oldest = vp_heap_put(c->oldest, pinned);
        pinned = next;
    }
    return done;
}

/* Reserves bytes for a tree that will be kept, evicting others if allowed. @return false if they do not fit */
static bool make_room(vp_tree_cache *c, size_t bytes, bool may_evict)
{
    if (bytes > c->stats.budget)
        return false;
    while (c->stats.bytes > c->stats.budget - bytes)
        if (!may_evict || !evict_tree(c))
            return false;
    c->stats.bytes += bytes;
    if (c->stats.bytes > c->stats.peak_bytes)
        c->stats.peak_bytes = c->stats.bytes;
    return true;
}

/* ---- who builds which tree ---- */

/* Whether another thread is building the tree of an entry. Under the lock. */
static bool is_in_work(const vp_tree_cache *c, uint32_t entry)
{
    for (const vp_tree_user *m = c->makers; m != NULL; m = m->next_maker)
        if (m->in_work == entry)
            return true;
    return false;
}

/* Whether threads wait for each other's trees. With a budget of 0 nothing is kept, so each thread builds its own. */
static bool has_turns(const vp_tree_cache *c)
{
    return c->stats.budget != 0;
}

/* Waits until an entry has a tree, or until nobody is building it and the user can. Call under the lock, which is
 * released meanwhile.
 * @return the tree, pinned as by pin_tree, or NULL if the user must build it */
static const vp_kd_view *wait_for_tree(vp_tree_user *user, uint32_t entry)
{
    vp_tree_cache *c = user->cache;
    const vp_kd_view *tree;
    while ((tree = pin_tree(user, &c->entry[entry])) == NULL && has_turns(c) && is_in_work(c, entry)) {
        enum { LOOKS = 200 }; /* takes about as long as building a tree */
        unlock_cache(c);
        for (int i = 0; i < LOOKS && atomic_load_explicit(&c->entry[entry], memory_order_relaxed) == NULL; i++)
            if (i % 16 == 15)
                sched_yield();
        lock_cache(c);
        if (atomic_load_explicit(&c->entry[entry], memory_order_relaxed) == NULL && is_in_work(c, entry)) {
            c->waiting++;
            pthread_cond_wait(&c->tree_finished, &c->lock);
            c->waiting--;
        }
    }
    return tree;
}

static void begin_work(vp_tree_user *user, uint32_t entry)
{
    user->in_work = entry;
    if (has_turns(user->cache)) {
        user->next_maker = user->cache->makers;
        user->cache->makers = user;
    }
}

static void end_work(vp_tree_user *user)
{
    vp_tree_cache *c = user->cache;
    vp_tree_user **at = &c->makers;
    while (*at != NULL && *at != user)
        at = &(*at)->next_maker;
    if (*at != NULL)
        *at = user->next_maker;
    if (c->waiting != 0)
        pthread_cond_broadcast(&c->tree_finished);
}

static void return_workshop(vp_tree_cache *c, vp_workshop *shop)
{
    shop->next = c->idle;
    c->idle = shop;
}

/* Returns the workshop that the user holds, an idle one, or a new one. Call under the lock, which is released while a
 * new one is allocated.
 * @return NULL without memory */
static vp_workshop *acquire_workshop(vp_tree_user *user)
{
    vp_tree_cache *c = user->cache;
    vp_workshop *shop = user->held_workshop;
    user->held_workshop = NULL;
    if (shop == NULL && (shop = c->idle) != NULL)
        c->idle = shop->next;
    if (shop == NULL) {
        unlock_cache(c);
        shop = vp_allocate(&c->allocator, c->workshop_bytes, 1);
        lock_cache(c);
        c->stats.scratch_bytes += shop != NULL ? c->workshop_bytes : 0;
    }
    return shop;
}

/* ---- building ---- */

enum { HEADER_BYTES = (sizeof(vp_kept) + 63) / 64 * 64, SHOP_HEADER_BYTES = (sizeof(vp_workshop) + 63) / 64 * 64 };

/* Copies the tree of a workshop into a block of its own. Not under the lock. @return NULL without memory */
static vp_kept *copy_tree(vp_tree_cache *c, uint32_t entry, const vp_chunk_tree *tree, size_t bytes)
{
    vp_kept *k = vp_allocate(&c->allocator, bytes, 1);
    if (k == NULL)
        return NULL;
    memset(k, 0, sizeof *k);
    k->chunk = entry % c->chunks;
    k->entry = entry;
    k->bytes = bytes;
    vp_chunk_tree_place(tree, (char *)k + HEADER_BYTES, &k->head);
    return k;
}

/* Makes a block visible to all threads. Under the lock. */
static void publish_tree(vp_tree_user *user, vp_kept *k)
{
    vp_tree_cache *c = user->cache;
    k->place = atomic_load_explicit(&c->clock, memory_order_relaxed);
    atomic_init(&k->used, k->place);
    c->oldest = vp_heap_put(c->oldest, k);
    c->stats.kept++;
    c->stats.triangles += k->head.view.triangles.triangle_count;
    const bool pinned = c->limited && !user->preparing;
    atomic_store_explicit(&c->entry[k->entry], add_pins(&k->head.view, pinned), memory_order_release);
    if (pinned) {
        user->pinned = &c->entry[k->entry];
        user->tree = &k->head.view;
    }
}

/* Records that a chunk has no triangles, which needs no block. Under the lock. */
static const vp_kd_view *publish_empty(vp_tree_cache *c, uint32_t entry)
{
    if (atomic_load_explicit(&c->entry[entry], memory_order_relaxed) == NULL) /* unless another thread did it */
        c->stats.empty++;
    atomic_store_explicit(&c->entry[entry], c->empty, memory_order_release);
    return c->empty;
}

static size_t bytes_of_kept(const vp_chunk_tree *tree)
{
    return HEADER_BYTES + vp_chunk_tree_bytes(tree);
}

/* Keeps the tree of a workshop if the budget allows it. Otherwise the tree stays in the workshop that the user holds.
 * Call under the lock, which is released meanwhile.
 * @param k  the tree's block if it exists already, NULL otherwise
 * @return the tree, or NULL if the user is preparing and the tree was not kept */
static const vp_kd_view *keep_if_room(vp_tree_user *user, uint32_t entry, vp_workshop *shop, vp_kept *k)
{
    vp_tree_cache *c = user->cache;
    const size_t bytes = bytes_of_kept(&shop->tree);
    const bool room = make_room(c, bytes, !user->preparing);
    if (room && k == NULL) {
        unlock_cache(c);
        k = copy_tree(c, entry, &shop->tree, bytes);
        lock_cache(c);
    }
    if (k != NULL) {
        publish_tree(user, k);
        return_workshop(c, shop);
        return &k->head.view;
    }
    c->stats.bytes -= room ? bytes : 0;
    c->stats.transient++;
    if (user->preparing) {
        user->full = !room;
        user->failed = room;
        user->failed_chunk = entry % c->chunks;
        return_workshop(c, shop);
        return NULL;
    }
    user->held_workshop = shop;
    return &shop->tree.head.view;
}

static vp_built_tree made_of(uint32_t entry, const vp_kd_view *tree)
{
    return (vp_built_tree){entry, tree->triangles.triangle_count == 0, tree->box};
}

static bool is_reported(const vp_tree_cache *c, uint32_t entry)
{
    return (c->reported[entry / 64] >> entry % 64 & 1) != 0;
}

/* Adds a tree's box to the list for the top level, or widens the overflow range if the list is full. Under the lock. */
static void append_pending(vp_tree_cache *c, uint32_t entry, const vp_kd_view *tree)
{
    if (is_reported(c, entry))
        return;
    if (c->pending_count == VP_MADE_MAX) {
        c->overflow_first = c->overflow_first == c->overflow_end || entry < c->overflow_first ? entry : c->overflow_first;
        c->overflow_end = entry >= c->overflow_end ? entry + 1 : c->overflow_end;
        return;
    }
    c->reported[entry / 64] |= UINT64_C(1) << entry % 64;
    c->pending[c->pending_count++] = made_of(entry, tree);
    if (c->pending_count == VP_MADE_MAX)
        atomic_store_explicit(&c->has_pending, true, memory_order_relaxed);
}

/* Forgets a reported tree because its chunk was edited. No user may be active. */
static void remove_pending(vp_tree_cache *c, uint32_t entry)
{
    c->reported[entry / 64] &= ~(UINT64_C(1) << entry % 64);
    for (uint32_t i = c->pending_count; i-- > 0;)
        if (c->pending[i].entry == entry)
            c->pending[i] = c->pending[--c->pending_count];
}

uint32_t vp_cache_take_pending(vp_tree_cache *cache, vp_built_tree out[VP_MADE_MAX], uint32_t *overflow_first, uint32_t *overflow_end)
{
    const uint32_t count = cache->pending_count;
    memcpy(out, cache->pending, count * sizeof *out);
    *overflow_first = cache->overflow_first;
    *overflow_end = cache->overflow_end;
    cache->pending_count = cache->overflow_first = cache->overflow_end = 0;
    atomic_store_explicit(&cache->has_pending, false, memory_order_relaxed);
    return count;
}

bool vp_cache_next_unreported(vp_tree_cache *cache, uint32_t from, uint32_t end, vp_built_tree *out)
{
    for (uint32_t e = from; e < end; e++) {
        const vp_kd_view *tree = atomic_load_explicit(&cache->entry[e], memory_order_relaxed); /* relaxed, because no user is active */
        if (tree == NULL || is_reported(cache, e))
            continue;
        cache->reported[e / 64] |= UINT64_C(1) << e % 64;
        *out = made_of(e, tree);
        return true;
    }
    return false;
}

const vp_kd_view *vp_cache_make(void *asking, uint32_t chunk)
{
    vp_tree_user *user = asking;
    vp_tree_cache *c = user->cache;
    const uint32_t entry = user->first + chunk;
    unpin_tree(user);
    user->misses++;
    lock_cache(c);
    const vp_kd_view *tree = wait_for_tree(user, entry);
    if (tree == NULL) {
        begin_work(user, entry);
        vp_workshop *shop = acquire_workshop(user);
        if (shop == NULL) {
            user->failed = true;
            user->failed_chunk = chunk;
        } else {
            unlock_cache(c);
            const uint64_t ns =
                vp_chunk_tree_make(&c->kernels, &c->voxels, chunk, user->surface, c->form, (char *)shop + SHOP_HEADER_BYTES, &shop->tree);
            const bool empty = shop->tree.head.view.triangles.triangle_count == 0;
            vp_kept *k = NULL;
            if (!c->limited && !empty) /* with an unlimited budget there is always room */
                k = copy_tree(c, entry, &shop->tree, bytes_of_kept(&shop->tree));
            lock_cache(c);
            c->stats.built++;
            c->stats.build_ns += ns;
            atomic_fetch_add_explicit(&c->clock, 1, memory_order_relaxed);
            append_pending(c, entry, &shop->tree.head.view);
            if (empty) {
                tree = publish_empty(c, entry);
                return_workshop(c, shop);
            } else {
                tree = keep_if_room(user, entry, shop, k);
            }
        }
        end_work(user);
    } else if (user->held_workshop != NULL) {
        return_workshop(c, user->held_workshop);
        user->held_workshop = NULL;
    }
    unlock_cache(c);
    return tree;
}

const vp_kd_view *vp_cache_find(void *asking, uint32_t chunk)
{
    vp_tree_user *user = asking;
    vp_tree_cache *c = user->cache;
    const uint32_t entry = user->first + chunk;
    if (user->pinned == &c->entry[entry]) {
        touch_tree(c, user->tree);
        user->hits++;
        return user->tree;
    }
    unpin_tree(user);
    if (user->held_workshop != NULL && user->in_work == entry) {
        user->hits++;
        return &user->held_workshop->tree.head.view;
    }
    const vp_kd_view *tree = pin_tree(user, &c->entry[entry]);
    user->hits += tree != NULL;
    return tree;
}

/* ---- users, edits, budgets ---- */

void vp_cache_enter(vp_tree_cache *cache, uint32_t which, vp_tree_user *user)
{
    *user = (vp_tree_user){.cache = cache, .first = which * cache->chunks, .surface = cache->surface[which]};
}

void vp_cache_leave(vp_tree_user *user)
{
    vp_tree_cache *c = user->cache;
    unpin_tree(user);
    if (c->limited && user->hits != 0)
        atomic_fetch_add_explicit(&c->hits, user->hits, memory_order_relaxed);
    if (user->held_workshop == NULL && user->misses == 0)
        return;
    lock_cache(c);
    c->stats.misses += user->preparing ? 0 : user->misses;
    if (user->held_workshop != NULL)
        return_workshop(c, user->held_workshop);
    unlock_cache(c);
}

void vp_cache_drop(vp_tree_cache *cache, uint32_t chunk)
{
    if ((uint32_t)++cache->edits == 0)
        memset(cache->edit, 0, cache->chunks * sizeof *cache->edit);
    cache->edit[chunk] = (uint32_t)cache->edits;
    for (uint32_t e = chunk; e < cache->entries; e += cache->chunks) {
        const vp_kd_view *tree = atomic_load_explicit(&cache->entry[e], memory_order_relaxed);
        if (is_reported(cache, e)) /* also if the tree has been dropped since */
            remove_pending(cache, e);
        if (tree == NULL)
            continue;
        lock_cache(cache);
        if (is_empty_tree(cache, tree)) {
            cache->stats.empty--;
        } else {
            cache->oldest = vp_heap_take(cache->oldest, kept_of(tree));
            free_tree(cache, kept_of(tree));
            cache->stats.invalidations++;
        }
        atomic_store_explicit(&cache->entry[e], NULL, memory_order_relaxed);
        unlock_cache(cache);
    }
}

void vp_cache_set_budget(vp_tree_cache *cache, size_t budget)
{
    lock_cache(cache);
    cache->stats.budget = budget;
    cache->limited = budget != VP_TERRAIN_NO_LIMIT;
    while (cache->stats.bytes > budget && evict_tree(cache))
        ;
    unlock_cache(cache);
}

vp_terrain_stats vp_cache_stats(vp_tree_cache *cache)
{
    lock_cache(cache);
    vp_terrain_stats stats = cache->stats;
    unlock_cache(cache);
    stats.hits = atomic_load_explicit(&cache->hits, memory_order_relaxed);
    return stats;
}

/* ---- creating and destroying ---- */

static size_t count_reported_words(const vp_tree_cache *c)
{
    return ((size_t)c->entries + 63) / 64;
}

static void release_tables(vp_tree_cache *c)
{
    vp_release(&c->allocator, c->entry, c->entries, sizeof *c->entry);
    vp_release(&c->allocator, c->reported, count_reported_words(c), sizeof *c->reported);
    vp_release(&c->allocator, c->edit, c->chunks, sizeof *c->edit);
    c->entry = NULL;
    c->reported = NULL;
    c->edit = NULL;
}

bool vp_cache_begin(vp_tree_cache *cache, uint32_t surface_count, size_t budget, const vp_allocator *allocator)
{
    vp_tree_cache *c = cache;
    c->allocator = *allocator;
    c->entries = c->chunks * surface_count;
    c->stats.budget = budget;
    c->limited = budget != VP_TERRAIN_NO_LIMIT;
    c->empty = vp_chunk_tree_empty(c->form);
    c->workshop_bytes = SHOP_HEADER_BYTES + vp_chunk_tree_scratch_bytes(c->form);
    c->entry = vp_allocate(allocator, c->entries, sizeof *c->entry);
    c->reported = vp_allocate_zero(allocator, count_reported_words(c), sizeof *c->reported);
    c->edit = vp_allocate_zero(allocator, c->chunks, sizeof *c->edit);
    c->edits = c->first_edit = vp_nanoseconds();
    if (c->entry == NULL || c->reported == NULL || c->edit == NULL || pthread_mutex_init(&c->lock, NULL) != 0) {
        release_tables(c);
        return false;
    }
    if (pthread_cond_init(&c->tree_finished, NULL) != 0) {
        pthread_mutex_destroy(&c->lock);
        release_tables(c);
        return false;
    }
    for (uint32_t e = 0; e < c->entries; e++)
        atomic_init(&c->entry[e], NULL);
    atomic_init(&c->clock, 0);
    atomic_init(&c->hits, 0);
    atomic_init(&c->has_pending, false);
    return true;
}

void vp_cache_end(vp_tree_cache *cache)
{
    vp_tree_cache *c = cache;
    if (c->entry == NULL)
        return;
    while (c->oldest != NULL) {
        vp_kept *k = c->oldest;
        c->oldest = vp_heap_take(k, k);
        free_tree(c, k);
    }
    while (c->idle != NULL) {
        vp_workshop *shop = c->idle;
        c->idle = shop->next;
        vp_release(&c->allocator, shop, c->workshop_bytes, 1);
    }
    pthread_cond_destroy(&c->tree_finished);
    pthread_mutex_destroy(&c->lock);
    release_tables(c);
}

size_t vp_cache_fixed_bytes(const vp_tree_cache *cache)
{
    return cache->chunks * sizeof *cache->edit + (size_t)cache->entries * sizeof *cache->entry +
           count_reported_words(cache) * sizeof *cache->reported;
}
