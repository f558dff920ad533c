/* SPDX-License-Identifier: MIT */
/* Acquires and releases chunks, for readers. Only VP_BLOCKS_LOCKS waits. */
#include "src/blocks/blocks_internal.h"

#include "src/blocks/look.h"
#include "src/core/error.h"
#include "src/core/memory.h"

/* Moves a slot's count to its chunk, which the caller has acquired. */
static void move_count(vp_block_slot *slot, vp_block_chunk *c)
{
    uint_least64_t word = atomic_load_explicit(&slot->word, memory_order_relaxed);
    while (word >> 32 == c->number && (uint32_t)word >= VP_SLOT_FULL) {
        const int_least64_t count = (int_least64_t)(uint32_t)word;
        atomic_fetch_add_explicit(&c->count, count, memory_order_relaxed); /* first, so that the count never seems to reach 0 */
        if (atomic_compare_exchange_strong_explicit(&slot->word, &word, (uint64_t)c->number << 32, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return;
        atomic_fetch_sub_explicit(&c->count, count, memory_order_relaxed); /* the caller's own count remains */
    }
}

/* Returns NULL if the chunk is absent. */
static vp_block_chunk *acquire_chunk(vp_blocks *b, vp_block_slot *slot)
{
    if (atomic_load_explicit(&slot->word, memory_order_relaxed) >> 32 == 0)
        return NULL;
    const uint64_t word = atomic_fetch_add_explicit(&slot->word, 1, memory_order_acq_rel);
    if (word >> 32 == 0)
        return NULL;
    vp_block_chunk *c = vp_chunk_numbered(b, (uint32_t)(word >> 32));
    if ((uint32_t)word >= VP_SLOT_FULL)
        move_count(slot, c);
    return c;
}

static void release_chunk(vp_blocks *b, vp_block_chunk *c)
{
    if (atomic_fetch_sub_explicit(&c->count, 1, memory_order_acq_rel) != 1)
        return;
    uint_least32_t first = atomic_load_explicit(&b->left, memory_order_relaxed);
    do
        atomic_store_explicit(&c->next, first, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&b->left, &first, c->number, memory_order_acq_rel, memory_order_relaxed));
}

void vp_blocks_acquire(vp_blocks *b, vp_ivec3 chunk, vp_block_snapshot *out)
{
    *out = (vp_block_snapshot){0};
    vp_block_slot *slot = vp_block_find(b, chunk);
    if (slot == NULL)
        return;
    vp_block_chunk *c;
    if (b->form == VP_BLOCKS_LOCKS) {
        vp_gate_enter_read(slot->gate);
        c = vp_block_now(b, slot);
        out->held = slot;
    } else {
        c = acquire_chunk(b, slot);
        out->held = c;
    }
    if (c != NULL) {
        out->cells = c->cells;
        out->version = c->version;
    }
}

void vp_blocks_release(vp_blocks *b, vp_block_snapshot *snapshot)
{
    if (snapshot->held == NULL)
        return;
    if (b->form == VP_BLOCKS_LOCKS)
        vp_gate_leave_read(((vp_block_slot *)snapshot->held)->gate);
    else
        release_chunk(b, snapshot->held);
    snapshot->held = NULL;
}

void vp_block_take_again(const vp_block_snapshot *snapshot)
{
    vp_block_chunk *c = snapshot->held;
    if (c != NULL)
        atomic_fetch_add_explicit(&c->count, 1, memory_order_relaxed); /* the caller's own count keeps it above 0 */
}

static vp_ivec3 chunk_of_block(vp_ivec3 at)
{
    return (vp_ivec3){(at.x - (at.x & 31)) / 32, (at.y - (at.y & 31)) / 32, (at.z - (at.z & 31)) / 32};
}

vp_block vp_blocks_get(vp_blocks *b, vp_ivec3 at)
{
    vp_block_snapshot s;
    vp_blocks_acquire(b, chunk_of_block(at), &s);
    const vp_block block = vp_block_at(&s.cells, at.x & 31, at.y & 31, at.z & 31);
    vp_blocks_release(b, &s);
    return block;
}

/* ---- 27 ---- */

void vp_blocks_acquire_around(vp_blocks *b, vp_ivec3 chunk, vp_block_around *out)
{
    out->chunk = chunk;
    out->type = b->type;
    out->type_count = b->type_count;
    for (int k = 0; k < 27; k++) {
        const vp_ivec3 to = {k % 3 - 1, k / 9 - 1, k / 3 % 3 - 1};
        out->of[k] = (vp_block_snapshot){0};
        if (vp_block_index_ok(chunk)) /* a neighbour out of range is still a number, and absent */
            vp_blocks_acquire(b, (vp_ivec3){chunk.x + to.x, chunk.y + to.y, chunk.z + to.z}, &out->of[k]);
        out->cells[k] = out->of[k].cells;
    }
}

void vp_blocks_release_around(vp_blocks *b, vp_block_around *around)
{
    for (int k = 0; k < 27; k++)
        vp_blocks_release(b, &around->of[k]);
}

/* index - 1, or index if it is INT32_MIN, where no block exists. */
static int32_t block_before(int32_t index)
{
    return index > INT32_MIN ? index - 1 : index;
}

vp_block_view vp_block_around_view(const vp_block_around *a)
{
    return (vp_block_view){.chunk = a->cells,
                           .low = {block_before(a->chunk.x), block_before(a->chunk.y), block_before(a->chunk.z)},
                           .size = {3, 3, 3},
                           .type = a->type,
                           .type_count = a->type_count};
}

void vp_block_around_window(const vp_block_around *a, vp_block *cell)
{
    const vp_block_view view = vp_block_around_view(a);
    vp_block_look_around(&view, a->chunk, VP_SIDES_ALL, cell);
}

/* ---- boxes ---- */

vp_status vp_blocks_acquire_box(vp_blocks *b, vp_ivec3 low, vp_dims size, vp_block_held *out, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "blocks, out", b, out);
    VP_RETURN_IF_FAILED(vp_block_check_box(low, size, (uint64_t)1 << 27, error));
    const size_t count = (size_t)size.x * size.y * size.z;
    vp_block_held h = {.allocator = b->allocator};
    h.cells = vp_allocate(&b->allocator, count, sizeof *h.cells);
    h.of = vp_allocate(&b->allocator, count, sizeof *h.of);
    if (count != 0 && (h.cells == NULL || h.of == NULL)) {
        vp_release(&b->allocator, h.cells, count, sizeof *h.cells);
        vp_release(&b->allocator, h.of, count, sizeof *h.of);
        return vp_fail(error, VP_E_MEMORY, "no memory to hold %zu chunks", count);
    }
    for (size_t i = 0; i < count; i++) {
        vp_blocks_acquire(b, vp_block_chunk_of_box(low, size, (uint32_t)i), &h.of[i]);
        h.cells[i] = h.of[i].cells;
    }
    h.view = (vp_block_view){h.cells, low, size, b->type, b->type_count};
    *out = h;
    return vp_succeed(error);
}

void vp_blocks_release_box(vp_blocks *b, vp_block_held *h)
{
    const size_t count = (size_t)h->view.size.x * h->view.size.y * h->view.size.z;
    for (size_t i = 0; i < count; i++)
        vp_blocks_release(b, &h->of[i]);
    vp_release(&h->allocator, h->cells, count, sizeof *h->cells);
    vp_release(&h->allocator, h->of, count, sizeof *h->of);
    *h = (vp_block_held){0};
}
