/* SPDX-License-Identifier: MIT */
/* Edits. First the chunks that each edit meets are listed, and the list is sorted by chunk. So a chunk is copied once,
 * and gets all of its edits in their order. Then all memory is allocated, and only then anything is changed.
 *
 * Article "Les bases d'un voxel engine", "Diviser pour mieux régner": a block at a chunk's border is seen from the
 * other side. The article's program took z = 0 for the top and the last z for the bottom, and so left holes. Here a bit
 * of `seen` is a direction, and nothing else. */
#define _POSIX_C_SOURCE 200809L
#include "src/blocks/blocks_internal.h"

#include "src/core/error.h"
#include "src/core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Blocks from low to high, excluding high. Empty unless low < high on each axis. */
typedef struct block_range {
    int64_t low[3], high[3]; /* x, y, z */
} block_range;

typedef struct chunk_edit {
    vp_ivec3 chunk;
    uint32_t edit;
} chunk_edit;

/* A chunk and its edits. */
typedef struct edited_chunk {
    const chunk_edit *first;
    uint32_t count;
    vp_block_slot *slot;
    vp_block_chunk *old;       /* NULL = absent */
    vp_block_chunk *new_chunk; /* NULL = the old one is written in place */
    uint32_t seen;
} edited_chunk;

static const int64_t edge = VP_BLOCK_EDGE, reach = (int64_t)VP_BLOCKS_REACH * VP_BLOCK_EDGE;

/* ---- the blocks of an edit ---- */

static block_range span_of(const vp_block_edit *e)
{
    block_range s = {{e->low.x, e->low.y, e->low.z}, {(int64_t)e->low.x + 1, (int64_t)e->low.y + 1, (int64_t)e->low.z + 1}};
    const float centre[3] = {e->centre.x, e->centre.y, e->centre.z};
    const int64_t high[3] = {e->high.x, e->high.y, e->high.z};
    for (int a = 0; a < 3 && e->shape != VP_BLOCK_ONE; a++) {
        if (e->shape == VP_BLOCK_BOX) {
            s.high[a] = high[a];
            continue;
        }
        s.low[a] = (int64_t)floor((double)centre[a] - (double)e->radius) - 1;
        s.high[a] = (int64_t)ceil((double)centre[a] + (double)e->radius) + 1;
    }
    return s;
}

static vp_status check_edit(const vp_blocks *b, const vp_block_edit *e, size_t i, vp_error *error)
{
    if (e->shape != VP_BLOCK_ONE && e->shape != VP_BLOCK_BOX && e->shape != VP_BLOCK_SPHERE)
        return vp_fail(error, VP_E_ARGUMENT, "edit %zu: shape is %d; must be a vp_block_edit_shape", i, (int)e->shape);
    if (e->block >= b->type_count)
        return vp_fail(error, VP_E_ARGUMENT, "edit %zu: block is %u; must be a type, 0 to %u", i, e->block, b->type_count - 1);
    if (e->shape == VP_BLOCK_SPHERE) {
        const float all[4] = {e->centre.x, e->centre.y, e->centre.z, e->radius};
        for (int k = 0; k < 4; k++) /* finite values far out of range are rejected too */
            if (!(fabsf(all[k]) < 0x1p31f) || (k == 3 && all[k] < 0))
                return vp_fail(error, VP_E_ARGUMENT,
                               "edit %zu: centre (%g, %g, %g) and radius %g must be finite and below 2^31, radius >= 0", i, (double)all[0],
                               (double)all[1], (double)all[2], (double)all[3]);
    }
    const block_range s = span_of(e);
    for (int a = 0; a < 3; a++) {
        if (s.low[a] > s.high[a])
            return vp_fail(error, VP_E_ARGUMENT, "edit %zu: a box from %lld to %lld along %c; must be low <= high", i, (long long)s.low[a],
                           (long long)s.high[a], "xyz"[a]);
        if (s.low[a] < -reach || s.high[a] > reach)
            return vp_fail(error, VP_E_ARGUMENT, "edit %zu: blocks %lld to %lld along %c; must be within %lld to %lld", i,
                           (long long)s.low[a], (long long)s.high[a] - 1, "xyz"[a], (long long)-reach, (long long)reach - 1);
    }
    return VP_OK;
}

static int64_t floor_div(int64_t v)
{
    return (v - (v & (edge - 1))) / edge;
}

/* The chunks of a span, from low to high, excluding high. @return their number */
static uint64_t chunks_of(const block_range *s, int64_t low[3], int64_t high[3])
{
    uint64_t count = 1;
    for (int a = 0; a < 3; a++) {
        low[a] = floor_div(s->low[a]);
        high[a] = s->high[a] > s->low[a] ? floor_div(s->high[a] - 1) + 1 : low[a];
        const uint64_t n = (uint64_t)(high[a] - low[a]);
        count = n != 0 && count > UINT64_MAX / n ? UINT64_MAX : count * n;
    }
    return count;
}

/* Checks all edits. *meetings receives the number of pairs of an edit and a chunk. */
static vp_status check_edits(const vp_blocks *b, const vp_block_edit *edit, size_t count, uint32_t *meetings, vp_error *error)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t low[3], high[3];
        VP_RETURN_IF_FAILED(check_edit(b, &edit[i], i, error));
        const block_range s = span_of(&edit[i]);
        const uint64_t more = chunks_of(&s, low, high);
        if (more > VP_BLOCKS_MAX_EDITED_CHUNKS - sum)
            return vp_fail(error, VP_E_ARGUMENT, "edit %zu meets %lld x %lld x %lld chunks; the edits of one call meet at most %d", i,
                           (long long)(high[0] - low[0]), (long long)(high[1] - low[1]), (long long)(high[2] - low[2]),
                           VP_BLOCKS_MAX_EDITED_CHUNKS);
        sum += more;
    }
    *meetings = (uint32_t)sum;
    return VP_OK;
}

/* ---- chunks and their edits ---- */

static int compare_meetings(const void *a, const void *b)
{
    const chunk_edit *m = a, *n = b;
    const int by_chunk = vp_block_index_order(m->chunk, n->chunk);
    return by_chunk != 0 ? by_chunk : m->edit < n->edit ? -1 : 1;
}

static void list_meetings(const vp_block_edit *edit, size_t count, chunk_edit *out)
{
    chunk_edit *m = out;
    for (size_t i = 0; i < count; i++) {
        int64_t low[3], high[3];
        const block_range s = span_of(&edit[i]);
        if (chunks_of(&s, low, high) == 0)
            continue;
        for (int64_t y = low[1]; y < high[1]; y++)
            for (int64_t z = low[2]; z < high[2]; z++)
                for (int64_t x = low[0]; x < high[0]; x++)
                    *m++ = (chunk_edit){{(int32_t)x, (int32_t)y, (int32_t)z}, (uint32_t)i};
    }
    if (m != out)
        qsort(out, (size_t)(m - out), sizeof *out, compare_meetings);
}

/* @return the number of chunks */
static uint32_t list_works(const chunk_edit *m, uint32_t meetings, edited_chunk *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < meetings; i++) {
        if (i == 0 || vp_block_index_order(m[i - 1].chunk, m[i].chunk) != 0)
            out[count++] = (edited_chunk){.first = &m[i]};
        out[count - 1].count++;
    }
    return count;
}

/* Prepares a chunk's slot, and the memory for its new cells, with the largest width they may need. */
static vp_status prepare_chunk(vp_blocks *b, const vp_block_edit *edit, edited_chunk *w, vp_error *error)
{
    bool something = false;
    uint8_t width = 1;
    for (uint32_t i = 0; i < w->count; i++) {
        something |= edit[w->first[i].edit].block != 0;
        width = edit[w->first[i].edit].block >= 256 ? 2 : width;
    }
    w->slot = vp_block_find(b, w->first->chunk);
    w->old = w->slot != NULL ? vp_block_now(b, w->slot) : NULL;
    if (w->old == NULL && !something)
        return VP_OK; /* an absent chunk stays absent */
    if (w->old != NULL && (w->old->cells.width == 2 || (w->old->own == NULL && w->old->cells.all >= 256)))
        width = 2;
    VP_RETURN_IF_FAILED(vp_block_slot_of(b, w->first->chunk, &w->slot, error));
    if (b->form == VP_BLOCKS_LOCKS && w->old != NULL && w->old->cells.width == width)
        return VP_OK;
    return vp_block_chunk_create(b, width, 0, &w->new_chunk, error);
}

/* Writes a chunk's old blocks to the new one. */
static void copy_blocks(const vp_block_chunk *old, vp_block_chunk *later)
{
    uint8_t *narrow = later->own;
    uint16_t *wide = later->own;
    if (old != NULL && old->cells.width == later->cells.width) {
        memcpy(later->own, old->own, (size_t)VP_BLOCK_CELLS * old->cells.width);
        return;
    }
    const uint8_t *from = old != NULL ? old->own : NULL;
    const vp_block all = old != NULL ? old->cells.all : 0;
    if (later->cells.width == 1)
        memset(narrow, all, VP_BLOCK_CELLS);
    for (uint32_t i = 0; later->cells.width == 2 && i < VP_BLOCK_CELLS; i++)
        wide[i] = from != NULL ? from[i] : all;
}

/* ---- writing ---- */

static bool is_in_sphere(const vp_block_edit *e, int64_t x, int64_t y, int64_t z)
{
    const float dx = ((float)x + 0.5f) - e->centre.x, dy = ((float)y + 0.5f) - e->centre.y, dz = ((float)z + 0.5f) - e->centre.z;
    return (dx * dx + dy * dy) + dz * dz <= e->radius * e->radius;
}

/* @return the bits of `seen` */
static uint32_t apply_edit(const vp_block_edit *e, vp_ivec3 chunk, void *own, uint8_t width)
{
    const block_range s = span_of(e);
    const int64_t origin[3] = {chunk.x * edge, chunk.y * edge, chunk.z * edge};
    int64_t low[3], high[3];
    uint32_t seen = 0;
    for (int a = 0; a < 3; a++) {
        low[a] = s.low[a] > origin[a] ? s.low[a] - origin[a] : 0;
        high[a] = s.high[a] < origin[a] + edge ? s.high[a] - origin[a] : edge;
    }
    for (int64_t y = low[1]; y < high[1]; y++)
        for (int64_t z = low[2]; z < high[2]; z++)
            for (int64_t x = low[0]; x < high[0]; x++) {
                const int64_t i = (y * edge + z) * edge + x;
                uint8_t *narrow = own;
                uint16_t *wide = own;
                if (e->shape == VP_BLOCK_SPHERE && !is_in_sphere(e, origin[0] + x, origin[1] + y, origin[2] + z))
                    continue;
                if ((width == 1 ? narrow[i] : wide[i]) == e->block)
                    continue;
                if (width == 1)
                    narrow[i] = (uint8_t)e->block;
                else
                    wide[i] = e->block;
                const bool border = x == 0 || x == edge - 1 || y == 0 || y == edge - 1 || z == 0 || z == edge - 1;
                seen |= border ? vp_block_seen_from((uint32_t)x, (uint32_t)y, (uint32_t)z) : 1u << VP_BLOCK_SELF;
            }
    return seen;
}

/* Applies all edits of a chunk. Nothing can fail any more. */
static void write_chunk(vp_blocks *b, const vp_block_edit *edit, edited_chunk *w)
{
    vp_block_chunk *c = w->new_chunk != NULL ? w->new_chunk : w->old;
    if (c == NULL)
        return;
    if (w->new_chunk != NULL)
        copy_blocks(w->old, w->new_chunk);
    else
        vp_gate_enter_write(w->slot->gate);
    for (uint32_t i = 0; i < w->count; i++)
        w->seen |= apply_edit(&edit[w->first[i].edit], w->first->chunk, c->own, c->cells.width);
    if (w->new_chunk == NULL) {
        if (w->seen != 0)
            c->version = atomic_load_explicit(&b->version, memory_order_relaxed) + 1;
        vp_gate_leave_write(w->slot->gate);
    } else if (w->seen == 0) {
        vp_block_chunk_drop(b, c);
    } else {
        vp_block_chunk_simplify(b, c);
        vp_block_publish(b, w->slot, c);
    }
}

/* ---- lists of changes ---- */

void vp_block_changes_destroy(vp_block_changes *changes)
{
    if (changes == NULL)
        return;
    vp_release(&changes->allocator, changes->change, changes->capacity, sizeof *changes->change);
    *changes = (vp_block_changes){0};
}

/* The old contents may be lost, but not after a failure. */
static vp_status make_room(const vp_blocks *b, vp_block_changes *changes, uint32_t count, vp_error *error)
{
    if (changes == NULL || changes->capacity >= count)
        return VP_OK;
    vp_block_change *change = vp_allocate(&b->allocator, count, sizeof *change);
    if (change == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a list of %u chunks", count);
    if (changes->count != 0)
        memcpy(change, changes->change, changes->count * sizeof *change);
    const uint32_t kept = changes->count;
    vp_block_changes_destroy(changes);
    *changes = (vp_block_changes){change, kept, count, b->allocator};
    return VP_OK;
}

/* ---- edits ---- */

/* Under the lock. */
static vp_status write_chunks(vp_blocks *b, const vp_block_edit *edit, edited_chunk *w, uint32_t count, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        status = prepare_chunk(b, edit, &w[i], error);
    if (status != VP_OK) {
        for (uint32_t i = 0; i < count; i++)
            if (w[i].new_chunk != NULL)
                vp_block_chunk_drop(b, w[i].new_chunk);
        return status;
    }
    bool changed = false;
    for (uint32_t i = 0; i < count; i++) {
        write_chunk(b, edit, &w[i]);
        changed |= w[i].seen != 0;
    }
    if (changed)
        atomic_fetch_add_explicit(&b->version, 1, memory_order_acq_rel);
    return VP_OK;
}

vp_status vp_blocks_edit(vp_blocks *b, const vp_block_edit *edit, size_t count, vp_block_changes *changes, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "blocks", b);
    VP_RETURN_IF_ARRAY_NULL(error, edit, count);
    uint32_t meetings = 0, works = 0;
    VP_RETURN_IF_FAILED(check_edits(b, edit, count, &meetings, error));
    chunk_edit *m = vp_allocate(&b->allocator, meetings, sizeof *m);
    edited_chunk *w = vp_allocate(&b->allocator, meetings, sizeof *w);
    vp_status status = VP_OK;
    if (meetings != 0 && (m == NULL || w == NULL)) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for edits that meet %u chunks", meetings);
    } else if (meetings != 0) {
        list_meetings(edit, count, m);
        works = list_works(m, meetings, w);
        status = make_room(b, changes, works, error);
    }
    if (status == VP_OK) {
        pthread_mutex_lock(&b->lock);
        status = write_chunks(b, edit, w, works, error);
        pthread_mutex_unlock(&b->lock);
    }
    if (status == VP_OK && changes != NULL) {
        changes->count = 0;
        for (uint32_t i = 0; i < works; i++)
            if (w[i].seen != 0)
                changes->change[changes->count++] = (vp_block_change){w[i].first->chunk, w[i].seen};
    }
    vp_release(&b->allocator, m, meetings, sizeof *m);
    vp_release(&b->allocator, w, meetings, sizeof *w);
    return status == VP_OK ? vp_succeed(error) : status;
}

vp_status vp_blocks_set(vp_blocks *b, vp_ivec3 at, vp_block block, vp_block_changes *changes, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "blocks", b);
    const vp_block_edit edit = {.shape = VP_BLOCK_ONE, .block = block, .low = at};
    return vp_blocks_edit(b, &edit, 1, changes, error);
}
