/* SPDX-License-Identifier: MIT */
/* Decides which chunks are in memory: those near given points, and others as long as there is room. Article "Les bases
   d'un voxel engine", "Diviser pour mieux régner". */
#define _POSIX_C_SOURCE 200809L
#include <voxphys/block_store.h>

#include "src/blocks/blocks_internal.h"
#include "src/core/error.h"
#include "src/core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A chunk, and how far it is from the nearest point, squared. */
typedef struct chunk_distance {
    vp_ivec3 chunk;
    uint32_t bytes; /* size when it was counted as idle */
    uint64_t square_distance;
} chunk_distance;

typedef struct residency_visit {
    vp_blocks *blocks;
    const vp_block_residency *settings;
    const vp_block_source *source;
    vp_ivec3 *point; /* their chunks */
    chunk_distance *wanted, *idle;
    size_t wanted_room, wanted_count;
    uint32_t idle_room, idle_count, next_idle;
    vp_block *cell;
    vp_block_change *changes; /* chunks that came, and that went */
    uint32_t change_room, change_count;
    bool idle_saved;
    vp_block_residency_result result;
} residency_visit;

static int compare_chunks(const void *a, const void *b)
{
    const chunk_distance *p = a, *q = b;
    const int order = vp_block_index_order(p->chunk, q->chunk);
    return order != 0 ? order : p->square_distance < q->square_distance ? -1 : p->square_distance > q->square_distance;
}

static int compare_near(const void *a, const void *b)
{
    const chunk_distance *p = a, *q = b;
    return p->square_distance != q->square_distance ? (p->square_distance < q->square_distance ? -1 : 1)
                                                    : vp_block_index_order(p->chunk, q->chunk);
}

static int compare_far(const void *a, const void *b)
{
    const chunk_distance *p = a, *q = b;
    return p->square_distance != q->square_distance ? (p->square_distance > q->square_distance ? -1 : 1)
                                                    : vp_block_index_order(p->chunk, q->chunk);
}

static int compare_changes(const void *a, const void *b)
{
    return vp_block_index_order(((const vp_block_change *)a)->chunk, ((const vp_block_change *)b)->chunk);
}

static uint64_t square_distance(vp_ivec3 a, vp_ivec3 b)
{
    const int64_t x = (int64_t)a.x - b.x, y = (int64_t)a.y - b.y, z = (int64_t)a.z - b.z;
    return (uint64_t)(x * x + y * y + z * z);
}

static uint64_t bytes_of(const vp_block_cells *cells)
{
    return VP_RESIDENT_CHUNK_BYTES + (uint64_t)cells->width * VP_BLOCK_CELLS;
}

/* ---- wanted and idle chunks ---- */

static vp_status check_residency(const vp_block_residency *how, vp_error *error)
{
    const uint64_t edge = 2 * (uint64_t)how->radius + 1;
    if (how->point_count > VP_RESIDENT_POINTS)
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_residency.point_count is %u; must be at most %d", how->point_count,
                       VP_RESIDENT_POINTS);
    if (how->radius > VP_RESIDENT_RADIUS)
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_residency.radius is %u chunks; must be at most %d", how->radius, VP_RESIDENT_RADIUS);
    if (how->point_count * edge * edge * edge > VP_RESIDENT_MAX_CHUNKS)
        return vp_fail(error, VP_E_ARGUMENT, "%u points and a radius of %u are %llu chunks to look at; must be at most %d",
                       how->point_count, how->radius, (unsigned long long)(how->point_count * edge * edge * edge), VP_RESIDENT_MAX_CHUNKS);
    const float max = (float)VP_BLOCKS_REACH * VP_BLOCK_EDGE;
    for (uint32_t i = 0; i < how->point_count; i++) {
        const float at[3] = {how->point[i].x, how->point[i].y, how->point[i].z};
        for (int a = 0; a < 3; a++)
            if (!(at[a] >= -max && at[a] < max))
                return vp_fail(error, VP_E_ARGUMENT, "point[%u].%c is %.9g; must be at least -2^30 and less than 2^30", i, "xyz"[a],
                               (double)at[a]);
    }
    return VP_OK;
}

static void list_wanted(residency_visit *v)
{
    const int32_t r = (int32_t)v->settings->radius;
    for (uint32_t i = 0; i < v->settings->point_count; i++)
        for (int32_t y = -r; y <= r; y++)
            for (int32_t z = -r; z <= r; z++)
                for (int32_t x = -r; x <= r; x++) {
                    const vp_ivec3 p = v->point[i], c = {p.x + x, p.y + y, p.z + z};
                    if (x * x + y * y + z * z <= r * r && vp_block_index_ok(c))
                        v->wanted[v->wanted_count++] = (chunk_distance){c, 0, (uint64_t)(x * x + y * y + z * z)};
                }
    if (v->wanted_count == 0)
        return;
    qsort(v->wanted, v->wanted_count, sizeof *v->wanted, compare_chunks);
    size_t kept = 1; /* the nearest of several points decides */
    for (size_t i = 1; i < v->wanted_count; i++)
        if (vp_block_index_order(v->wanted[i].chunk, v->wanted[kept - 1].chunk) != 0)
            v->wanted[kept++] = v->wanted[i];
    v->wanted_count = kept;
    qsort(v->wanted, v->wanted_count, sizeof *v->wanted, compare_near);
}

/* Under the lock. Measures all chunks, and lists the idle ones, which no point wants. */
static void list_idle(residency_visit *v)
{
    const uint64_t r = (uint64_t)v->settings->radius * v->settings->radius;
    for (uint32_t i = 0; i < v->blocks->slots; i++) {
        const vp_block_slot *s = vp_block_slot_at(v->blocks, i);
        const vp_block_chunk *c = vp_block_now(v->blocks, s);
        if (c == NULL)
            continue;
        v->result.bytes += bytes_of(&c->cells);
        uint64_t far = UINT64_MAX;
        for (uint32_t p = 0; p < v->settings->point_count; p++) {
            const uint64_t d = square_distance(s->chunk, v->point[p]);
            far = d < far ? d : far;
        }
        if (far > r)
            v->idle[v->idle_count++] = (chunk_distance){s->chunk, (uint32_t)bytes_of(&c->cells), far};
    }
    if (v->idle_count != 0)
        qsort(v->idle, v->idle_count, sizeof *v->idle, compare_far);
}

/* ---- saving and forgetting ---- */

static bool is_edited(vp_blocks *b, vp_ivec3 chunk)
{
    pthread_mutex_lock(&b->lock);
    const vp_block_slot *s = vp_block_find(b, chunk);
    const vp_block_chunk *c = s != NULL ? vp_block_now(b, s) : NULL;
    const bool edited = c != NULL && c->version != s->saved;
    pthread_mutex_unlock(&b->lock);
    return edited;
}

static void mark_saved(vp_blocks *b, vp_ivec3 chunk, uint64_t version)
{
    pthread_mutex_lock(&b->lock);
    vp_block_slot *s = vp_block_find(b, chunk);
    if (s != NULL)
        s->saved = version;
    pthread_mutex_unlock(&b->lock);
}

/* Saves those of `count` chunks that were edited. They are held while they are saved, so their version is the saved
   one. Nothing waits for writers between the first acquisition and the last release, because writers of VP_BLOCKS_LOCKS
   may wait for these chunks. */
static vp_status save_edited(vp_blocks *b, const chunk_distance *chunk, uint32_t count, const vp_block_source *source, uint32_t *saved,
                             vp_error *error)
{
    uint32_t edited = 0;
    for (uint32_t i = 0; i < count; i++)
        edited += is_edited(b, chunk[i].chunk);
    if (edited == 0)
        return VP_OK;
    if (source->save == NULL)
        return VP_OK; /* all of them stay */
    vp_block_saved *save = vp_allocate(&b->allocator, count, sizeof *save);
    vp_block_snapshot *of = vp_allocate(&b->allocator, count, sizeof *of);
    vp_status status = VP_OK;
    uint32_t n = 0;
    if (save == NULL || of == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory to save %u chunks", count);
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        if (is_edited(b, chunk[i].chunk))
            save[n++].chunk = chunk[i].chunk;
    const uint32_t listed = n;
    n = 0;
    for (uint32_t i = 0; i < listed; i++) {
        vp_blocks_acquire(b, save[i].chunk, &of[n]);
        if (of[n].version == 0) { /* another thread has removed it in the meantime */
            vp_blocks_release(b, &of[n]);
            continue;
        }
        save[n] = (vp_block_saved){save[i].chunk, of[n].cells};
        n++;
    }
    if (status == VP_OK)
        status = source->save(source->user, save, n, error);
    for (uint32_t i = 0; i < n; i++)
        vp_blocks_release(b, &of[i]);
    for (uint32_t i = 0; status == VP_OK && i < n; i++)
        mark_saved(b, save[i].chunk, of[i].version);
    *saved += status == VP_OK ? n : 0;
    vp_release(&b->allocator, save, count, sizeof *save);
    vp_release(&b->allocator, of, count, sizeof *of);
    return status;
}

/* @return whether it was removed; an edited chunk stays */
static bool forget_saved(vp_blocks *b, vp_ivec3 chunk)
{
    pthread_mutex_lock(&b->lock);
    vp_block_slot *s = vp_block_find(b, chunk);
    const vp_block_chunk *c = s != NULL ? vp_block_now(b, s) : NULL;
    const bool goes = c != NULL && c->version == s->saved;
    if (goes) {
        vp_block_publish(b, s, NULL);
        atomic_fetch_add_explicit(&b->version, 1, memory_order_acq_rel);
    }
    pthread_mutex_unlock(&b->lock);
    return goes;
}

/* Makes room for that many bytes, as far as chunks are idle. */
static vp_status make_room(residency_visit *v, uint64_t bytes, vp_error *error)
{
    while (v->next_idle < v->idle_count && v->result.bytes + bytes > v->settings->budget) {
        if (!v->idle_saved) {
            VP_RETURN_IF_FAILED(save_edited(v->blocks, v->idle, v->idle_count, v->source, &v->result.saved, error));
            v->idle_saved = true;
        }
        const chunk_distance *idle = &v->idle[v->next_idle++];
        if (forget_saved(v->blocks, idle->chunk)) {
            v->changes[v->change_count++] = (vp_block_change){idle->chunk, VP_BLOCK_STALE_ALL};
            v->result.bytes -= idle->bytes;
            v->result.forgotten++;
        }
    }
    return VP_OK;
}

/* ---- bringing chunks in ---- */

static bool is_resident(vp_blocks *b, vp_ivec3 chunk)
{
    pthread_mutex_lock(&b->lock);
    const vp_block_slot *s = vp_block_find(b, chunk);
    const bool there = s != NULL && vp_block_now(b, s) != NULL;
    pthread_mutex_unlock(&b->lock);
    return there;
}

/* The narrowest form of the cells. */
static vp_block_cells cells_of(const vp_block *cell)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++)
        highest = cell[i] > highest ? cell[i] : highest;
    if (memcmp(cell, cell + 1, (VP_BLOCK_CELLS - 1) * sizeof *cell) == 0)
        return (vp_block_cells){NULL, 0, cell[0]};
    return (vp_block_cells){cell, highest < 256 ? 1 : 2, 0};
}

/* @param done receives whether the room was enough */
static vp_status load_chunk(residency_visit *v, vp_ivec3 chunk, bool *done, vp_error *error)
{
    bool found = false;
    VP_RETURN_IF_FAILED(v->source->load != NULL ? v->source->load(v->source->user, chunk, v->cell, &found, error) : VP_OK);
    if (!found && v->source->fill != NULL)
        v->source->fill(v->source->maker, chunk, v->cell);
    else if (!found)
        memset(v->cell, 0, VP_BLOCK_CELLS * sizeof *v->cell);
    vp_block_cells cells = cells_of(v->cell);
    const uint64_t bytes = bytes_of(&cells);
    vp_status status = make_room(v, bytes, error);
    *done = v->result.bytes + bytes <= v->settings->budget;
    if (status != VP_OK || !*done)
        return status;
    cells.width = cells.cell != NULL ? 2 : 0; /* with its current width */
    bool put;
    status = vp_block_put_absent(v->blocks, chunk, &cells, &put, error);
    if (status != VP_OK)
        return status;
    v->result.bytes += put ? bytes : 0; /* otherwise an edit of another thread has created it in the meantime */
    v->changes[v->change_count++] = (vp_block_change){chunk, VP_BLOCK_STALE_ALL};
    v->result.loaded += found;
    v->result.generated += !found;
    return VP_OK;
}

static vp_status load_wanted(residency_visit *v, vp_error *error)
{
    vp_status status = VP_OK;
    bool room = true;
    for (size_t i = 0; i < v->wanted_count; i++) {
        if (is_resident(v->blocks, v->wanted[i].chunk))
            continue;
        const bool more = v->settings->max_chunks == 0 || v->result.loaded + v->result.generated < v->settings->max_chunks;
        if (status == VP_OK && room && more)
            status = load_chunk(v, v->wanted[i].chunk, &room, error);
        if (status != VP_OK || !room || !more)
            v->result.missing++;
    }
    return status != VP_OK ? status : make_room(v, 0, error);
}

/* ---- the public functions ---- */

static void end_visit(residency_visit *v)
{
    const vp_allocator *a = &v->blocks->allocator;
    vp_release(a, v->point, v->settings->point_count, sizeof *v->point);
    vp_release(a, v->wanted, v->wanted_room, sizeof *v->wanted);
    vp_release(a, v->idle, v->idle_room, sizeof *v->idle);
    vp_release(a, v->cell, VP_BLOCK_CELLS, sizeof *v->cell);
    vp_release(a, v->changes, v->change_room, sizeof *v->changes);
}

/* Under the lock. */
static vp_status begin_visit(residency_visit *v, vp_error *error)
{
    const vp_allocator *a = &v->blocks->allocator;
    const uint32_t points = v->settings->point_count;
    const size_t edge = 2 * (size_t)v->settings->radius + 1;
    v->wanted_room = points * edge * edge * edge;
    v->idle_room = v->blocks->slots;
    v->change_room = (uint32_t)v->wanted_room + v->idle_room;
    v->point = vp_allocate(a, points, sizeof *v->point);
    v->wanted = vp_allocate(a, v->wanted_room, sizeof *v->wanted);
    v->idle = vp_allocate(a, v->idle_room, sizeof *v->idle);
    v->cell = vp_allocate(a, VP_BLOCK_CELLS, sizeof *v->cell);
    v->changes = vp_allocate(a, v->change_room, sizeof *v->changes);
    if (v->cell == NULL || (points != 0 && (v->point == NULL || v->wanted == NULL)) || (v->idle_room != 0 && v->idle == NULL) ||
        (v->change_room != 0 && v->changes == NULL))
        return vp_fail(error, VP_E_MEMORY, "no memory to look at %u chunks", v->change_room);
    for (uint32_t i = 0; i < points; i++) {
        const vp_vec3 p = v->settings->point[i];
        v->point[i] =
            (vp_ivec3){(int32_t)floorf(p.x / VP_BLOCK_EDGE), (int32_t)floorf(p.y / VP_BLOCK_EDGE), (int32_t)floorf(p.z / VP_BLOCK_EDGE)};
    }
    list_idle(v);
    list_wanted(v);
    return VP_OK;
}

/* Reports the chunks that came and went. */
static void report_changes(residency_visit *v, vp_block_changes *changes)
{
    if (v->change_count != 0)
        qsort(v->changes, v->change_count, sizeof *v->changes, compare_changes);
    vp_block_changes_destroy(changes);
    *changes = (vp_block_changes){v->changes, v->change_count, v->change_room, v->blocks->allocator};
    v->changes = NULL; /* the caller owns it now */
    v->change_room = 0;
}

vp_status vp_blocks_update_residency(vp_blocks *blocks, const vp_block_residency *residency, const vp_block_source *source,
                                     vp_block_residency_result *out, vp_block_changes *changes, vp_error *error)
{
    VP_RETURN_IF_NULL(error, blocks, residency, source, out);
    residency_visit v = {.blocks = blocks, .settings = residency, .source = source};
    vp_status status = check_residency(residency, error);
    *out = v.result;
    if (changes != NULL)
        changes->count = 0;
    if (status != VP_OK)
        return status;
    pthread_mutex_lock(&blocks->lock);
    status = begin_visit(&v, error);
    pthread_mutex_unlock(&blocks->lock);
    if (status == VP_OK) {
        status = load_wanted(&v, error);
        if (changes != NULL)
            report_changes(&v, changes);
        *out = v.result;
    }
    end_visit(&v);
    return status == VP_OK ? vp_succeed(error) : status;
}

vp_status vp_blocks_save(vp_blocks *blocks, const vp_block_source *source, uint32_t *saved, vp_error *error)
{
    VP_RETURN_IF_NULL(error, blocks, source);
    if (source->save == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_block_source.save is NULL");
    pthread_mutex_lock(&blocks->lock);
    const uint32_t room = blocks->slots;
    uint32_t count = 0, done = 0;
    chunk_distance *all = vp_allocate(&blocks->allocator, room, sizeof *all);
    for (uint32_t i = 0; all != NULL && i < room; i++) {
        const vp_block_slot *s = vp_block_slot_at(blocks, i);
        const vp_block_chunk *c = vp_block_now(blocks, s);
        if (c != NULL && c->version != s->saved)
            all[count++] = (chunk_distance){.chunk = s->chunk};
    }
    pthread_mutex_unlock(&blocks->lock);
    vp_status status = VP_OK;
    if (room != 0 && all == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory to list %u chunks", room);
    if (count != 0)
        qsort(all, count, sizeof *all, compare_chunks);
    if (status == VP_OK)
        status = save_edited(blocks, all, count, source, &done, error);
    vp_release(&blocks->allocator, all, room, sizeof *all);
    if (status != VP_OK)
        return status;
    if (saved != NULL)
        *saved = done;
    return vp_succeed(error);
}
