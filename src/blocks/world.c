/* SPDX-License-Identifier: MIT */
/* Worlds of blocks, their parts and their lifetimes. Article "Les bases d'un voxel engine", "Diviser pour mieux régner"
   and "Accès concurrents". */
#define _POSIX_C_SOURCE 200809L
#include "src/blocks/blocks_internal.h"

#include "src/core/error.h"
#include "src/core/executor.h"
#include "src/core/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

void *vp_blocks_allocate(vp_blocks *b, size_t count, size_t size)
{
    void *block = vp_allocate(&b->allocator, count, size);
    b->bytes += block != NULL ? count * size : 0;
    return block;
}

void vp_blocks_free_memory(vp_blocks *b, void *block, size_t count, size_t size)
{
    if (block == NULL)
        return;
    b->bytes -= count * size;
    vp_release(&b->allocator, block, count, size);
}

static uint32_t part_size(uint32_t part)
{
    return (uint32_t)VP_FIRST_PART << part;
}

/* ---- the table ---- */

vp_block_slot *vp_block_find(vp_blocks *b, vp_ivec3 chunk)
{
    vp_block_slot_table *t = atomic_load_explicit(&b->table, memory_order_acquire);
    if (t == NULL)
        return NULL;
    for (uint32_t at = vp_block_hash(chunk);; at++) {
        vp_block_slot *s = atomic_load_explicit(&t->slot[at & (t->places - 1)], memory_order_acquire);
        if (s == NULL || (s->chunk.x == chunk.x && s->chunk.y == chunk.y && s->chunk.z == chunk.z))
            return s;
    }
}

static void insert_slot(vp_block_slot_table *t, vp_block_slot *slot)
{
    uint32_t at = vp_block_hash(slot->chunk) & (t->places - 1);
    while (atomic_load_explicit(&t->slot[at], memory_order_relaxed) != NULL)
        at = (at + 1) & (t->places - 1);
    atomic_store_explicit(&t->slot[at], slot, memory_order_release);
}

static size_t table_bytes(uint32_t places)
{
    return sizeof(vp_block_slot_table) + places * sizeof(_Atomic(vp_block_slot *));
}

/* Makes room for one more slot. Old tables stay, because a reader may be in them. In total they are as large as
   the new one. */
static bool grow_table(vp_blocks *b)
{
    vp_block_slot_table *old = atomic_load_explicit(&b->table, memory_order_relaxed);
    const uint32_t places = old == NULL ? VP_FIRST_PART : old->places * 2;
    if (old != NULL && b->slots < old->places / 4 * 3)
        return true;
    vp_block_slot_table *t = vp_blocks_allocate(b, 1, table_bytes(places));
    if (t == NULL)
        return false;
    t->older = old;
    t->places = places;
    for (uint32_t i = 0; i < places; i++)
        atomic_init(&t->slot[i], NULL);
    for (uint32_t i = 0; i < b->slots; i++)
        insert_slot(t, vp_block_slot_at(b, i));
    atomic_store_explicit(&b->table, t, memory_order_release);
    return true;
}

vp_block_slot *vp_block_slot_at(vp_blocks *b, uint32_t i)
{
    uint32_t at;
    const uint32_t part = vp_part_of(i, &at);
    return b->slot[part] + at;
}

/* ---- slots ---- */

static vp_gate *make_gate(vp_blocks *b)
{
    vp_gate *gate = vp_blocks_allocate(b, 1, sizeof *gate);
    if (gate != NULL && !vp_gate_begin(gate)) {
        vp_blocks_free_memory(b, gate, 1, sizeof *gate);
        return NULL;
    }
    return gate;
}

vp_status vp_block_slot_of(vp_blocks *b, vp_ivec3 chunk, vp_block_slot **out, vp_error *error)
{
    *out = vp_block_find(b, chunk);
    if (*out != NULL)
        return VP_OK;
    uint32_t at;
    const uint32_t part = vp_part_of(b->slots, &at);
    if (part >= VP_PARTS)
        return vp_fail(error, VP_E_MEMORY, "chunk (%d, %d, %d): a world remembers at most %u chunks", (int)chunk.x, (int)chunk.y,
                       (int)chunk.z, b->slots);
    if (b->slot[part] == NULL)
        b->slot[part] = vp_blocks_allocate(b, part_size(part), sizeof *b->slot[part]);
    vp_gate *gate = NULL;
    const bool has = b->slot[part] != NULL && grow_table(b) && (b->form != VP_BLOCKS_LOCKS || (gate = make_gate(b)) != NULL);
    if (!has)
        return vp_fail(error, VP_E_MEMORY, "no memory for chunk (%d, %d, %d)", (int)chunk.x, (int)chunk.y, (int)chunk.z);
    vp_block_slot *s = b->slot[part] + at;
    s->chunk = chunk;
    atomic_init(&s->word, 0);
    s->saved = 0;
    s->gate = gate;
    b->slots++;
    insert_slot(atomic_load_explicit(&b->table, memory_order_relaxed), s);
    *out = s;
    return VP_OK;
}

vp_block_chunk *vp_block_now(vp_blocks *b, const vp_block_slot *slot)
{
    const uint32_t number = (uint32_t)(atomic_load_explicit(&slot->word, memory_order_relaxed) >> 32);
    return number != 0 ? vp_chunk_numbered(b, number) : NULL;
}

/* ---- chunks ---- */

/* Takes a free number, or a new one. */
static vp_block_chunk *allocate_number(vp_blocks *b)
{
    if (b->free != 0) {
        vp_block_chunk *c = vp_chunk_numbered(b, b->free);
        b->free = (uint32_t)atomic_load_explicit(&c->next, memory_order_relaxed);
        return c;
    }
    uint32_t at;
    const uint32_t part = vp_part_of(b->chunks + 1, &at);
    if (part >= VP_PARTS)
        return NULL;
    vp_block_chunk *all = atomic_load_explicit(&b->chunk[part], memory_order_relaxed);
    if (all == NULL) {
        all = vp_blocks_allocate(b, part_size(part), sizeof *all);
        if (all == NULL)
            return NULL;
        atomic_store_explicit(&b->chunk[part], all, memory_order_release);
    }
    b->chunks++;
    all[at].number = b->chunks;
    atomic_init(&all[at].count, 0);
    atomic_init(&all[at].next, 0);
    return &all[at];
}

vp_status vp_block_chunk_create(vp_blocks *b, uint8_t width, vp_block all, vp_block_chunk **out, vp_error *error)
{
    vp_blocks_collect(b);
    void *own = NULL;
    if (width != 0)
        own = vp_blocks_allocate(b, VP_BLOCK_CELLS, width);
    vp_block_chunk *c = width == 0 || own != NULL ? allocate_number(b) : NULL;
    if (c == NULL) {
        vp_blocks_free_memory(b, own, VP_BLOCK_CELLS, width);
        return vp_fail(error, VP_E_MEMORY, "no memory for a chunk of %d bytes", VP_BLOCK_CELLS * width);
    }
    c->cells = (vp_block_cells){own, width, width == 0 ? all : 0};
    c->own = own;
    c->version = 0;
    *out = c;
    return VP_OK;
}

void vp_block_chunk_drop(vp_blocks *b, vp_block_chunk *c)
{
    vp_blocks_free_memory(b, c->own, VP_BLOCK_CELLS, c->cells.width);
    c->own = NULL;
    atomic_store_explicit(&c->next, b->free, memory_order_relaxed);
    b->free = c->number;
}

static void copy_narrow(uint8_t *to, const uint16_t *from)
{
    for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++)
        to[i] = (uint8_t)from[i];
}

static void narrow_chunk(vp_blocks *b, vp_block_chunk *c)
{
    const uint16_t *wide = c->own;
    uint32_t i = 0;
    while (i < VP_BLOCK_CELLS && wide[i] < 256)
        i++;
    uint8_t *own = i == VP_BLOCK_CELLS ? vp_blocks_allocate(b, VP_BLOCK_CELLS, 1) : NULL;
    if (own == NULL)
        return;
    copy_narrow(own, wide);
    vp_blocks_free_memory(b, c->own, VP_BLOCK_CELLS, 2);
    c->own = own;
    c->cells = (vp_block_cells){own, 1, 0};
}

void vp_block_chunk_simplify(vp_blocks *b, vp_block_chunk *c)
{
    if (c->own == NULL)
        return;
    const size_t bytes = (size_t)VP_BLOCK_CELLS * c->cells.width;
    if (memcmp(c->own, (const uint8_t *)c->own + c->cells.width, bytes - c->cells.width) != 0) {
        if (c->cells.width == 2)
            narrow_chunk(b, c);
        return;
    }
    const vp_block all = vp_block_at(&c->cells, 0, 0, 0);
    vp_blocks_free_memory(b, c->own, VP_BLOCK_CELLS, c->cells.width);
    c->own = NULL;
    c->cells = (vp_block_cells){NULL, 0, all};
}

void vp_blocks_collect(vp_blocks *b)
{
    uint32_t number = (uint32_t)atomic_exchange_explicit(&b->left, 0, memory_order_acquire);
    while (number != 0) {
        vp_block_chunk *c = vp_chunk_numbered(b, number);
        number = (uint32_t)atomic_load_explicit(&c->next, memory_order_relaxed);
        vp_block_chunk_drop(b, c);
    }
}

void vp_block_publish(vp_blocks *b, vp_block_slot *slot, vp_block_chunk *c)
{
    uint64_t word = 0;
    if (c != NULL) {
        c->version = atomic_load_explicit(&b->version, memory_order_relaxed) + 1;
        atomic_store_explicit(&c->count, VP_CHUNK_IN_SLOT, memory_order_relaxed);
        word = (uint64_t)c->number << 32;
    }
    if (slot->gate != NULL)
        vp_gate_enter_write(slot->gate);
    const uint64_t old = atomic_exchange_explicit(&slot->word, word, memory_order_acq_rel);
    if (slot->gate != NULL)
        vp_gate_leave_write(slot->gate);
    if (old >> 32 == 0)
        return;
    vp_block_chunk *gone = vp_chunk_numbered(b, (uint32_t)(old >> 32));
    const int_least64_t more = (int_least64_t)(uint32_t)old - VP_CHUNK_IN_SLOT;
    if (atomic_fetch_add_explicit(&gone->count, more, memory_order_acq_rel) == -more)
        vp_block_chunk_drop(b, gone);
}

/* ---- worlds ---- */

static vp_status check_def(const vp_blocks_def *def, vp_error *error)
{
    if (def->form != VP_BLOCKS_SNAPSHOTS && def->form != VP_BLOCKS_LOCKS)
        return vp_fail(error, VP_E_ARGUMENT, "vp_blocks_def.form is %d; must be a vp_blocks_form", (int)def->form);
    if (def->type == NULL)
        return VP_OK;
    if (def->type_count == 0 || def->type_count > VP_BLOCK_TYPES_MAX)
        return vp_fail(error, VP_E_ARGUMENT, "vp_blocks_def.type_count is %u; must be 1 to %d", def->type_count, VP_BLOCK_TYPES_MAX);
    if (def->type[0].flags != 0)
        return vp_fail(error, VP_E_ARGUMENT, "type 0 is nothing, and can't have bits 0x%x", def->type[0].flags);
    for (uint32_t i = 0; i < def->type_count; i++) {
        const vp_block_type *t = &def->type[i];
        if (t->flags > (VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE | VP_BLOCK_FLUID))
            return vp_fail(error, VP_E_ARGUMENT, "type %u has bits 0x%x; must have only the bits 0x7", i, t->flags);
        if ((t->flags & VP_BLOCK_COLLIDES) != 0 && (t->flags & VP_BLOCK_FLUID) != 0)
            return vp_fail(error, VP_E_ARGUMENT, "type %u, of bits 0x%x, collides and is a fluid", i, t->flags);
        if (t->colour > 0xffffff)
            return vp_fail(error, VP_E_ARGUMENT, "type %u has colour 0x%x, which is beyond 0xffffff", i, t->colour);
    }
    return VP_OK;
}

vp_status vp_blocks_create(const vp_blocks_def *def, vp_blocks **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    uint32_t count = def->type_count;
    const vp_block_type *type = def->type != NULL ? def->type : vp_block_types_default(&count);
    VP_RETURN_IF_FAILED(check_def(def, error));
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    vp_blocks *b = vp_allocate_zero(&allocator, 1, sizeof *b);
    if (b == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a world of blocks");
    b->allocator = allocator;
    b->form = def->form;
    b->type_count = count;
    b->bytes = sizeof *b;
    atomic_init(&b->table, NULL);
    for (int p = 0; p < VP_PARTS; p++)
        atomic_init(&b->chunk[p], NULL);
    atomic_init(&b->left, 0);
    atomic_init(&b->version, 0);
    b->type = vp_blocks_allocate(b, count, sizeof *type);
    if (b->type == NULL || pthread_mutex_init(&b->lock, NULL) != 0) {
        vp_release(&allocator, b->type, count, sizeof *type);
        vp_release(&allocator, b, 1, sizeof *b);
        return vp_fail(error, VP_E_MEMORY, "no memory for a world of %u types of blocks", count);
    }
    memcpy(b->type, type, count * sizeof *type);
    *out = b;
    return vp_succeed(error);
}

void vp_blocks_destroy(vp_blocks *b)
{
    if (b == NULL)
        return;
    vp_blocks_collect(b);
    for (uint32_t i = 0; i < b->slots; i++) {
        vp_block_slot *s = vp_block_slot_at(b, i);
        vp_block_publish(b, s, NULL);
        if (s->gate != NULL) {
            vp_gate_end(s->gate);
            vp_blocks_free_memory(b, s->gate, 1, sizeof *s->gate);
        }
    }
    for (uint32_t p = 0; p < VP_PARTS; p++) {
        vp_blocks_free_memory(b, b->slot[p], part_size(p), sizeof *b->slot[p]);
        vp_block_chunk *c = atomic_load_explicit(&b->chunk[p], memory_order_relaxed);
        vp_blocks_free_memory(b, c, part_size(p), sizeof *c);
    }
    for (vp_block_slot_table *t = atomic_load_explicit(&b->table, memory_order_relaxed), *older; t != NULL; t = older) {
        older = t->older;
        vp_blocks_free_memory(b, t, 1, table_bytes(t->places));
    }
    vp_blocks_free_memory(b, b->type, b->type_count, sizeof *b->type);
    pthread_mutex_destroy(&b->lock);
    const vp_allocator allocator = b->allocator;
    vp_release(&allocator, b, 1, sizeof *b);
}

const vp_block_type *vp_blocks_types(const vp_blocks *b, uint32_t *count)
{
    *count = b->type_count;
    return b->type;
}

uint64_t vp_blocks_version(const vp_blocks *b)
{
    return atomic_load_explicit(&b->version, memory_order_acquire);
}

/* ---- whole chunks ---- */

static vp_status check_cells(const vp_blocks *b, vp_ivec3 chunk, const vp_block_cells *cells, uint8_t *width, vp_error *error)
{
    if (cells->cell == NULL ? cells->width != 0 : cells->width != 1 && cells->width != 2)
        return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d) has width %u; must be 0 (one type), 1 or 2 bytes a block", (int)chunk.x,
                       (int)chunk.y, (int)chunk.z, cells->width);
    uint32_t highest = cells->all;
    if (cells->cell != NULL) {
        highest = 0;
        for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++) {
            const uint32_t block = cells->width == 1 ? ((const uint8_t *)cells->cell)[i] : ((const uint16_t *)cells->cell)[i];
            highest = block > highest ? block : highest;
        }
    }
    *width = cells->cell == NULL ? 0 : highest < 256 ? 1 : 2;
    if (highest >= b->type_count)
        return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d): a block is of type %u of %u", (int)chunk.x, (int)chunk.y, (int)chunk.z,
                       highest, b->type_count);
    return VP_OK;
}

/* Under the lock. Index and cells are valid. */
static vp_status put_cells(vp_blocks *b, vp_ivec3 chunk, const vp_block_cells *cells, uint8_t width, vp_error *error)
{
    vp_block_slot *slot;
    vp_block_chunk *c;
    VP_RETURN_IF_FAILED(vp_block_slot_of(b, chunk, &slot, error));
    VP_RETURN_IF_FAILED(vp_block_chunk_create(b, width, cells->all, &c, error));
    if (width == cells->width && width != 0)
        memcpy(c->own, cells->cell, (size_t)VP_BLOCK_CELLS * width);
    else if (width != 0)
        copy_narrow(c->own, cells->cell);
    vp_block_chunk_simplify(b, c);
    vp_block_publish(b, slot, c);
    atomic_fetch_add_explicit(&b->version, 1, memory_order_acq_rel);
    return VP_OK;
}

vp_status vp_blocks_set_chunk(vp_blocks *b, vp_ivec3 chunk, const vp_block_cells *cells, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "blocks, cells", b, cells);
    uint8_t width = 0;
    if (!vp_block_index_ok(chunk))
        return vp_fail(error, VP_E_ARGUMENT, "chunk (%d, %d, %d) is beyond %d on an axis", (int)chunk.x, (int)chunk.y, (int)chunk.z,
                       VP_BLOCKS_REACH);
    VP_RETURN_IF_FAILED(check_cells(b, chunk, cells, &width, error));
    pthread_mutex_lock(&b->lock);
    vp_status status = put_cells(b, chunk, cells, width, error);
    pthread_mutex_unlock(&b->lock);
    return status == VP_OK ? vp_succeed(error) : status;
}

vp_status vp_block_put_absent(vp_blocks *b, vp_ivec3 chunk, const vp_block_cells *cells, bool *put_it, vp_error *error)
{
    uint8_t width = 0;
    VP_RETURN_IF_FAILED(check_cells(b, chunk, cells, &width, error));
    pthread_mutex_lock(&b->lock);
    vp_block_slot *slot = vp_block_find(b, chunk);
    *put_it = slot == NULL || vp_block_now(b, slot) == NULL;
    vp_status status = VP_OK;
    if (*put_it)
        status = put_cells(b, chunk, cells, width, error);
    if (*put_it && status == VP_OK) {
        slot = vp_block_find(b, chunk);
        slot->saved = vp_block_now(b, slot)->version;
    }
    pthread_mutex_unlock(&b->lock);
    return status;
}

void vp_blocks_remove_chunk(vp_blocks *b, vp_ivec3 chunk)
{
    pthread_mutex_lock(&b->lock);
    vp_block_slot *slot = vp_block_find(b, chunk);
    if (slot != NULL && vp_block_now(b, slot) != NULL) {
        vp_block_publish(b, slot, NULL);
        atomic_fetch_add_explicit(&b->version, 1, memory_order_acq_rel);
    }
    vp_blocks_collect(b);
    pthread_mutex_unlock(&b->lock);
}

/* ---- filling boxes ---- */

typedef struct filling {
    vp_block_fill_fn *fill;
    const void *user;
    vp_ivec3 low;
    vp_dims size;
    uint32_t first;
    vp_block *cell;
} filling;

vp_ivec3 vp_block_chunk_of_box(vp_ivec3 low, vp_dims size, uint32_t i)
{
    return (vp_ivec3){low.x + (int32_t)(i % size.x), low.y + (int32_t)(i / size.x / size.z), low.z + (int32_t)(i / size.x % size.z)};
}

static void fill_one(void *argument, uint32_t i)
{
    const filling *f = argument;
    f->fill(f->user, vp_block_chunk_of_box(f->low, f->size, f->first + i), f->cell + (size_t)i * VP_BLOCK_CELLS);
}

vp_status vp_block_check_box(vp_ivec3 low, vp_dims size, uint64_t max, vp_error *error)
{
    const int64_t high[3] = {(int64_t)low.x + size.x - 1, (int64_t)low.y + size.y - 1, (int64_t)low.z + size.z - 1};
    const uint64_t layer = (uint64_t)size.x * size.z;
    const bool beyond = high[0] >= VP_BLOCKS_REACH || high[1] >= VP_BLOCKS_REACH || high[2] >= VP_BLOCKS_REACH;
    if (!vp_block_index_ok(low) || beyond)
        return vp_fail(error, VP_E_ARGUMENT, "chunks (%d, %d, %d) to (%lld, %lld, %lld) are beyond %d on an axis", (int)low.x, (int)low.y,
                       (int)low.z, (long long)high[0], (long long)high[1], (long long)high[2], VP_BLOCKS_REACH);
    if (layer > max || layer * size.y > max)
        return vp_fail(error, VP_E_ARGUMENT, "%u x %u x %u chunks; at most %llu at once", size.x, size.y, size.z, (unsigned long long)max);
    return VP_OK;
}

vp_status vp_blocks_fill(vp_blocks *b, vp_ivec3 low, vp_dims size, vp_block_fill_fn *fill, const void *user, const vp_executor *executor,
                         vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "blocks", b);
    vp_status status = vp_block_check_box(low, size, VP_BLOCKS_MAX_EDITED_CHUNKS, error);
    const uint32_t count = status == VP_OK ? size.x * size.y * size.z : 0;
    if (status != VP_OK || count == 0)
        return status == VP_OK ? vp_succeed(error) : status;
    if (fill == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "fill is NULL");
    const vp_executor e = vp_executor_or_serial(executor);
    const uint32_t threads = e.thread_count < 64 ? e.thread_count : 64, max = threads > 1 ? 4 * threads : 1;
    const uint32_t at_once = count < max ? count : max;
    filling f = {fill, user, low, size, 0, vp_allocate(&b->allocator, (size_t)at_once * VP_BLOCK_CELLS, sizeof *f.cell)};
    if (f.cell == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to fill %u chunks at once", at_once);
    for (; status == VP_OK && f.first < count; f.first += at_once) {
        const uint32_t now = count - f.first < at_once ? count - f.first : at_once;
        e.parallel_for(e.user, now, fill_one, &f);
        for (uint32_t i = 0; status == VP_OK && i < now; i++) {
            const vp_block_cells cells = {f.cell + (size_t)i * VP_BLOCK_CELLS, 2, 0};
            status = vp_blocks_set_chunk(b, vp_block_chunk_of_box(low, size, f.first + i), &cells, error);
        }
    }
    vp_release(&b->allocator, f.cell, (size_t)at_once * VP_BLOCK_CELLS, sizeof *f.cell);
    return status;
}

/* ---- contents ---- */

static int compare_chunks(const void *a, const void *b)
{
    return vp_block_index_order(*(const vp_ivec3 *)a, *(const vp_ivec3 *)b);
}

uint32_t vp_blocks_list_chunks(vp_blocks *b, vp_ivec3 *chunk, uint32_t room)
{
    uint32_t count = 0;
    pthread_mutex_lock(&b->lock);
    for (uint32_t i = 0; i < b->slots; i++) {
        const vp_block_slot *s = vp_block_slot_at(b, i);
        if (vp_block_now(b, s) == NULL)
            continue;
        if (count < room)
            chunk[count] = s->chunk;
        count++;
    }
    pthread_mutex_unlock(&b->lock);
    if (count != 0 && count <= room)
        qsort(chunk, count, sizeof *chunk, compare_chunks);
    return count;
}

vp_blocks_memory vp_blocks_memory_use(vp_blocks *b)
{
    vp_blocks_memory m = {0};
    pthread_mutex_lock(&b->lock);
    vp_blocks_collect(b);
    for (uint32_t i = 0; i < b->slots; i++) {
        const vp_block_chunk *c = vp_block_now(b, vp_block_slot_at(b, i));
        if (c == NULL)
            continue;
        m.chunks++;
        m.uniform += c->own == NULL;
        m.wide += c->cells.width == 2;
        m.cells += (uint64_t)c->cells.width * VP_BLOCK_CELLS;
    }
    m.bytes = b->bytes;
    pthread_mutex_unlock(&b->lock);
    return m;
}

/* 0 for an absent chunk. */
static uint64_t digest_of(vp_ivec3 at, const vp_block_cells *cells)
{
    uint64_t h = vp_mix64(vp_mix64(vp_mix64((uint32_t)at.x) + (uint32_t)at.y) + (uint32_t)at.z);
    bool something = false;
    for (uint32_t i = 0; i < VP_BLOCK_CELLS; i += 4) {
        uint64_t four = 0;
        for (uint32_t k = 0; k < 4; k++)
            four |= (uint64_t)vp_block_at(cells, (i + k) % 32, (i + k) / 1024, (i + k) / 32 % 32) << 16 * k;
        something |= four != 0;
        h = (h ^ four) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return something ? vp_mix64(h) : 0;
}

uint64_t vp_blocks_digest(vp_blocks *b)
{
    uint64_t sum = 0;
    pthread_mutex_lock(&b->lock);
    for (uint32_t i = 0; i < b->slots; i++) {
        const vp_block_slot *s = vp_block_slot_at(b, i);
        const vp_block_chunk *c = vp_block_now(b, s);
        sum += c != NULL ? digest_of(s->chunk, &c->cells) : 0;
    }
    pthread_mutex_unlock(&b->lock);
    return sum;
}
