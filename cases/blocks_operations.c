/* SPDX-License-Identifier: MIT */
/* Block worlds as programs use them: edited tick by tick, saved to region files, and loaded. Edits are judged block by block on a copy in
 * an array. The chunks that see a change are found by testing all 26 places around each changed block. Files are judged by their bytes,
 * loaded worlds by the set. Files are in memory, because disk time is not measured. */
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/block_store.h>

#include "cases/block_judge.h"
#include "cases/case.h"
#include "datasets/block_sets.h"
#include "datasets/hash.h"
#include "datasets/random.h"
#include "src/core/bytes.h"
#include "src/core/error.h"

static void record_cells(const vp_block_cells *c, vp_records *out)
{
    uint8_t bytes[VP_BLOCK_CELLS * 2], *at = bytes;
    for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++)
        at = vp_put_halves(at, &(vp_block){vp_cells_block(c, i)}, 1);
    vp_records_put_hash(out, bytes, sizeof bytes);
}

/* Makes a world with the set's blocks. */
static vp_status make_world(const vp_block_view *from, vp_blocks_form form, const vp_allocator *allocator, bool filled, vp_blocks **out,
                            vp_error *error)
{
    const vp_blocks_def def = {.type = from->type, .type_count = from->type_count, .form = form, .allocator = allocator};
    vp_status status = vp_blocks_create(&def, out, error);
    for (uint32_t i = 0; filled && status == VP_OK && i < vp_view_chunks(from); i++)
        status = vp_blocks_set_chunk(*out, vp_view_chunk_at(from, i), &from->chunk[i], error);
    return status;
}

/* ---- edits ---- */

enum { TICKS = 6, EDITS_MOST = 8 };
static const char *const edit_variants[] = {"snapshots", "locks", NULL};

typedef struct tick {
    vp_block_edit edit[EDITS_MOST];
    uint32_t count;
} tick;

typedef struct edit_work {
    const vp_block_view *view;
    vp_blocks_form form;
    const vp_allocator *allocator;
    vp_blocks *world;
    vp_block_changes changes;
    tick tick[TICKS];
    /* the judge's range: chunks of the view and those around them */
    vp_ivec3 low;
    vp_dims size;
    vp_block *model; /* in rows */
    uint32_t *seen;  /* of each chunk */
} edit_work;

/* The first ticks have one block each, like a player's edits. Later ones have more, with some boxes and spheres. */
static void draw_ticks(const vp_data *data, edit_work *w)
{
    vp_random r = {vp_hash64(data->name, strlen(data->name))};
    for (uint32_t t = 0; t < TICKS; t++) {
        w->tick[t].count = t < TICKS / 2 ? 1 : t * EDITS_MOST / (TICKS - 1);
        for (uint32_t i = 0; i < w->tick[t].count; i++) {
            vp_block_edit *e = &w->tick[t].edit[i];
            const uint32_t form = t < TICKS / 2 ? 0 : vp_random_below(&r, 4), type = vp_random_below(&r, w->view->type_count);
            *e = (vp_block_edit){.shape = form == 2   ? VP_BLOCK_BOX
                                          : form == 3 ? VP_BLOCK_SPHERE
                                                      : VP_BLOCK_ONE,
                                 .block = (vp_block)(vp_random_below(&r, 2) == 0 ? 0 : type),
                                 .low = vp_draw_block(&r, w->view)};
            const uint32_t x = vp_random_below(&r, 12), y = vp_random_below(&r, 12), z = vp_random_below(&r, 12);
            e->high = (vp_ivec3){e->low.x + (int32_t)x, e->low.y + (int32_t)y, e->low.z + (int32_t)z};
            e->centre = (vp_vec3){(float)e->low.x + 0.25f, (float)e->low.y + 0.5f, (float)e->low.z + 0.75f};
            e->radius = (float)x * 0.5f;
        }
    }
}

static vp_status make_edits(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    edit_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(edit_work));
    w->view = ((const vp_block_set *)data->set)->view;
    w->form = variant == 0 ? VP_BLOCKS_SNAPSHOTS : VP_BLOCKS_LOCKS;
    w->allocator = vp_arena_allocator(arena);
    w->low = (vp_ivec3){w->view->low.x - 1, w->view->low.y - 1, w->view->low.z - 1};
    w->size = (vp_dims){w->view->size.x + 2, w->view->size.y + 2, w->view->size.z + 2};
    const size_t chunks = (size_t)w->size.x * w->size.y * w->size.z;
    w->model = vp_arena_keep(arena, chunks * VP_BLOCK_CELLS, sizeof *w->model, alignof(vp_block));
    w->seen = vp_arena_keep(arena, chunks, sizeof *w->seen, alignof(uint32_t));
    draw_ticks(data, w);
    return VP_OK;
}

static uint32_t count_ticks(const void *argument)
{
    return TICKS;
}

static void drop_edits(void *argument)
{
    edit_work *w = argument;
    vp_blocks_destroy(w->world);
    w->world = NULL;
    vp_block_changes_destroy(&w->changes);
}

static vp_status rewind_edits(const vp_setting *how, void *argument, vp_error *error)
{
    edit_work *w = argument;
    drop_edits(w);
    return make_world(w->view, w->form, w->allocator, true, &w->world, error);
}

static vp_status run_edits(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    edit_work *w = argument;
    *items = w->tick[step].count;
    return vp_blocks_edit(w->world, w->tick[step].edit, w->tick[step].count, &w->changes, error);
}

static void record_edits(const void *argument, vp_records *out)
{
    const edit_work *w = argument;
    for (uint32_t i = 0; i < w->changes.count; i++) {
        const vp_block_change *c = &w->changes.change[i];
        vp_block_snapshot s;
        vp_records_put_words(out, &c->chunk, 3);
        vp_blocks_acquire(w->world, c->chunk, &s);
        record_cells(&s.cells, out);
        vp_blocks_release(w->world, &s);
        vp_record_u32(c->stale, out);
    }
}

static int32_t chunk_with(int32_t block)
{
    return block >= 0 ? block / 32 : -((31 - block) / 32);
}

static uint32_t number_of(const edit_work *w, int32_t x, int32_t y, int32_t z)
{
    return ((uint32_t)(y - w->low.y) * w->size.z + (uint32_t)(z - w->low.z)) * w->size.x + (uint32_t)(x - w->low.x);
}

static void begin_model(const edit_work *w)
{
    memset(w->model, 0, (size_t)w->size.x * w->size.y * w->size.z * VP_BLOCK_CELLS * sizeof *w->model);
    for (uint32_t c = 0; c < vp_view_chunks(w->view); c++) {
        const vp_ivec3 at = vp_view_chunk_at(w->view, c);
        for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++)
            w->model[(size_t)number_of(w, at.x, at.y, at.z) * VP_BLOCK_CELLS + i] = vp_cells_block(&w->view->chunk[c], i);
    }
}

static bool is_of(const vp_block_edit *e, int32_t x, int32_t y, int32_t z)
{
    if (e->shape == VP_BLOCK_ONE)
        return x == e->low.x && y == e->low.y && z == e->low.z;
    if (e->shape == VP_BLOCK_BOX)
        return x >= e->low.x && x < e->high.x && y >= e->low.y && y < e->high.y && z >= e->low.z && z < e->high.z;
    const double dx = x + 0.5 - (double)e->centre.x, dy = y + 0.5 - (double)e->centre.y, dz = z + 0.5 - (double)e->centre.z;
    return dx * dx + dy * dy + dz * dz <= (double)e->radius * (double)e->radius; /* exact for these numbers */
}

/* Applies an edit to all blocks near it, one by one. */
static void edit_model(const edit_work *w, const vp_block_edit *e)
{
    for (int32_t y = e->low.y - 14; y <= e->low.y + 14; y++)
        for (int32_t z = e->low.z - 14; z <= e->low.z + 14; z++)
            for (int32_t x = e->low.x - 14; x <= e->low.x + 14; x++) {
                if (!is_of(e, x, y, z))
                    continue;
                const int32_t cx = chunk_with(x), cy = chunk_with(y), cz = chunk_with(z);
                const uint32_t n = number_of(w, cx, cy, cz), i = (uint32_t)(((y & 31) * 32 + (z & 31)) * 32 + (x & 31));
                vp_block *block = &w->model[(size_t)n * VP_BLOCK_CELLS + i];
                if (*block == e->block)
                    continue;
                *block = e->block;
                for (int k = 0; k < 27; k++) {
                    const int dx = chunk_with(x + k % 3 - 1) - cx, dy = chunk_with(y + k / 9 - 1) - cy,
                              dz = chunk_with(z + k / 3 % 3 - 1) - cz;
                    w->seen[n] |= 1u << ((dy + 1) * 9 + (dz + 1) * 3 + dx + 1);
                }
            }
}

static vp_status judge_chunk(const edit_work *w, vp_ivec3 at, uint32_t *next, vp_error *error)
{
    const uint32_t n = number_of(w, at.x, at.y, at.z);
    vp_block_snapshot s;
    uint32_t wrong = VP_BLOCK_CELLS;
    vp_blocks_acquire(w->world, at, &s);
    for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++)
        if (vp_cells_block(&s.cells, i) != w->model[(size_t)n * VP_BLOCK_CELLS + i])
            wrong = i;
    vp_blocks_release(w->world, &s);
    if (wrong != VP_BLOCK_CELLS)
        return vp_fail(error, VP_E_FORMAT, "block %u of chunk (%d, %d, %d) is not what the edits make it", wrong, (int)at.x, (int)at.y,
                       (int)at.z);
    if (w->seen[n] == 0)
        return VP_OK;
    const vp_block_change *c = *next < w->changes.count ? &w->changes.change[*next] : NULL;
    if (c == NULL || c->chunk.x != at.x || c->chunk.y != at.y || c->chunk.z != at.z || c->stale != w->seen[n])
        return vp_fail(error, VP_E_FORMAT, "chunk (%d, %d, %d) was changed, and is seen by 0x%x, which change %u does not say", (int)at.x,
                       (int)at.y, (int)at.z, w->seen[n], *next);
    (*next)++;
    return VP_OK;
}

static vp_status judge_edits(const void *argument, uint32_t step, vp_error *error)
{
    const edit_work *w = argument;
    vp_status status = VP_OK;
    uint32_t next = 0;
    if (step == 0)
        begin_model(w);
    memset(w->seen, 0, (size_t)w->size.x * w->size.y * w->size.z * sizeof *w->seen);
    for (uint32_t i = 0; i < w->tick[step].count; i++)
        edit_model(w, &w->tick[step].edit[i]);
    for (uint32_t i = 0; status == VP_OK && i < w->size.x * w->size.y * w->size.z; i++) /* in the order of changes, y, z, x */
        status = judge_chunk(w, vp_nth_cell(w->low, w->size, i), &next, error);
    if (status == VP_OK && next != w->changes.count)
        status = vp_fail(error, VP_E_FORMAT, "%u chunks are said to be changed, and %u were", w->changes.count, next);
    return status;
}

static void count_edits(const void *argument, vp_counters *out)
{
    const edit_work *w = argument;
    const vp_blocks_memory m = vp_blocks_memory_use(w->world);
    vp_count(out, "bytes_per_chunk", (double)m.bytes / (double)(m.chunks == 0 ? 1 : m.chunks));
    vp_count(out, "uniform_chunks", m.uniform);
}

static const vp_measured edit_sets[] = {VP_ON("planet", 3, VP_TIMED),
                                        VP_ON("blocks-luanti", 3, VP_TIMED),
                                        VP_ON("blocks-random", 3, VP_VERIFIED),
                                        VP_ON("planet", 1, VP_VERIFIED),
                                        {.data = NULL}};

const vp_case vp_case_block_edit = {.kind = &vp_kind_blocks,
                                    .variant = edit_variants,
                                    .make = make_edits,
                                    .steps = count_ticks,
                                    .rewind = rewind_edits,
                                    .run = run_edits,
                                    .records = record_edits,
                                    .judge = judge_edits,
                                    .counters = count_edits,
                                    .drop = drop_edits,
                                    .same = true,
                                    .measured = edit_sets};

/* ---- files in memory ---- */

enum { FILES_MOST = 64 };

typedef struct stored_file {
    char name[48];
    uint8_t *bytes;
    size_t size;
} stored_file;

typedef struct folder {
    stored_file file[FILES_MOST];
    uint32_t count;
} folder;

static stored_file *find_file(folder *f, const char *name)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (strcmp(f->file[i].name, name) == 0)
            return &f->file[i];
    return NULL;
}

static vp_status read_memory(void *user, const char *name, const vp_allocator *allocator, vp_blob *out, vp_error *error)
{
    const stored_file *f = find_file(user, name);
    if (f == NULL)
        return VP_OK;
    uint8_t *bytes = allocator->allocate(allocator->user, f->size, 64);
    if (bytes == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to read %s", name);
    memcpy(bytes, f->bytes, f->size);
    *out = (vp_blob){bytes, f->size, f->size, *allocator};
    return VP_OK;
}

static vp_status replace_memory(void *user, const char *name, const uint8_t *bytes, size_t size, vp_error *error)
{
    folder *to = user;
    stored_file *f = find_file(to, name);
    if (f == NULL && to->count == FILES_MOST)
        return vp_fail(error, VP_E_LIMIT, "%s is one file more than %d", name, FILES_MOST);
    if (f == NULL) {
        f = &to->file[to->count++];
        strncpy(f->name, name, sizeof f->name - 1);
    }
    f->bytes = vp_must(realloc(f->bytes, size), size);
    memcpy(f->bytes, bytes, size);
    f->size = size;
    return VP_OK;
}

static void empty_folder(folder *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        free(f->file[i].bytes);
    memset(f, 0, sizeof *f);
}

typedef struct region_work {
    const vp_block_view *view;
    const vp_allocator *allocator;
    vp_block_saved *chunk; /* the whole view */
    vp_block *cell;
    folder folder;
    vp_blocks *world; /* the loaded one */
} region_work;

static vp_status open_store(region_work *w, const vp_allocator *allocator, vp_block_store **out, vp_error *error)
{
    const vp_block_files files = {&w->folder, read_memory, replace_memory};
    return vp_block_store_create(&(vp_block_store_def){.files = &files, .allocator = allocator}, out, error);
}

static vp_status save_all(region_work *w, const vp_allocator *allocator, vp_error *error)
{
    vp_block_store *store;
    vp_status status = open_store(w, allocator, &store, error);
    if (status != VP_OK)
        return status;
    status = vp_block_store_save(store, w->chunk, vp_view_chunks(w->view), error);
    vp_block_store_destroy(store);
    return status;
}

static vp_status make_regions(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    region_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(region_work));
    w->view = ((const vp_block_set *)data->set)->view;
    w->allocator = vp_arena_allocator(arena);
    w->chunk = vp_arena_keep(arena, vp_view_chunks(w->view), sizeof *w->chunk, alignof(vp_block_saved));
    w->cell = vp_arena_keep(arena, VP_BLOCK_CELLS, sizeof *w->cell, alignof(vp_block));
    for (uint32_t i = 0; i < vp_view_chunks(w->view); i++)
        w->chunk[i] = (vp_block_saved){vp_view_chunk_at(w->view, i), w->view->chunk[i]};
    return VP_OK;
}

static vp_status make_saved(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = make_regions(data, variant, arena, out, error);
    return status == VP_OK ? save_all(*out, NULL, error) : status;
}

static void drop_regions(void *argument)
{
    region_work *w = argument;
    vp_blocks_destroy(w->world);
    w->world = NULL;
    empty_folder(&w->folder);
}

/* ---- saving ---- */

static vp_status rewind_save(const vp_setting *how, void *argument, vp_error *error)
{
    drop_regions(argument);
    return VP_OK;
}

static vp_status run_save(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    region_work *w = argument;
    *items = vp_view_chunks(w->view);
    return save_all(w, w->allocator, error);
}

static void record_save(const void *argument, vp_records *out)
{
    const region_work *w = argument;
    for (uint32_t i = 0; i < w->folder.count; i++) {
        vp_records_put(out, w->folder.file[i].name, strlen(w->folder.file[i].name));
        vp_records_put_hash(out, w->folder.file[i].bytes, w->folder.file[i].size);
        vp_records_end(out);
    }
}

/* Whether a chunk is in its file as specified in docs/FORMATS.md. */
static bool is_saved(folder *f, const vp_block_saved *chunk)
{
    char name[48];
    const vp_ivec3 c = chunk->chunk;
    const int32_t r[3] = {c.x >> 3, c.y >> 3, c.z >> 3};
    snprintf(name, sizeof name, "%d.%d.%d.vpb", (int)r[0], (int)r[1], (int)r[2]);
    const stored_file *in = find_file(f, name);
    if (in == NULL || in->size < 44 + 512 * 16)
        return false;
    const uint8_t *entry = in->bytes + 44 + 16 * (((c.y & 7) * 8 + (c.z & 7)) * 8 + (c.x & 7));
    const uint32_t at = vp_get_le32(entry), bytes = vp_get_le32(entry + 4), form = vp_get_le16(entry + 12), all = vp_get_le16(entry + 14);
    if (form == 0 || form > 3 || (form > 1 && (at > in->size || bytes > in->size - at || bytes != VP_BLOCK_CELLS * (form - 1))))
        return false;
    for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++)
        if (vp_cells_block(&chunk->cells, i) != (form == 1   ? all
                                                 : form == 2 ? in->bytes[at + i]
                                                             : vp_get_le16(in->bytes + at + 2 * (size_t)i)))
            return false;
    return true;
}

static vp_status judge_save(const void *argument, uint32_t step, vp_error *error)
{
    const region_work *w = argument;
    folder f = w->folder;
    for (uint32_t i = 0; i < vp_view_chunks(w->view); i++)
        if (!is_saved(&f, &w->chunk[i]))
            return vp_fail(error, VP_E_FORMAT, "chunk %u is not in its file as it is", i);
    return VP_OK;
}

static void count_save(const void *argument, vp_counters *out)
{
    const region_work *w = argument;
    double bytes = 0;
    for (uint32_t i = 0; i < w->folder.count; i++)
        bytes += (double)w->folder.file[i].size;
    vp_count(out, "bytes_per_chunk", bytes / (double)vp_view_chunks(w->view));
}

static const vp_measured region_sets[] = {VP_ON("planet", 1, VP_TIMED | VP_VERIFIED), VP_ON("blocks-luanti", 1, VP_TIMED), {.data = NULL}};

const vp_case vp_case_region_save = {.kind = &vp_kind_blocks,
                                     .make = make_regions,
                                     .rewind = rewind_save,
                                     .run = run_save,
                                     .records = record_save,
                                     .judge = judge_save,
                                     .counters = count_save,
                                     .drop = drop_regions,
                                     .measured = region_sets};

/* ---- loading ---- */

static vp_status rewind_load(const vp_setting *how, void *argument, vp_error *error)
{
    region_work *w = argument;
    vp_blocks_destroy(w->world);
    w->world = NULL;
    return VP_OK;
}

static vp_status run_load(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    region_work *w = argument;
    vp_block_store *store = NULL;
    *items = vp_view_chunks(w->view);
    vp_status status = open_store(w, w->allocator, &store, error);
    if (status == VP_OK)
        status = make_world(w->view, VP_BLOCKS_SNAPSHOTS, w->allocator, false, &w->world, error);
    for (uint32_t i = 0; status == VP_OK && i < vp_view_chunks(w->view); i++) {
        const vp_block_cells cells = {w->cell, 2, 0};
        bool found = false;
        status = vp_block_store_load(store, w->chunk[i].chunk, w->cell, &found, error);
        if (status == VP_OK && found)
            status = vp_blocks_set_chunk(w->world, w->chunk[i].chunk, &cells, error);
    }
    vp_block_store_destroy(store);
    return status;
}

static void record_load(const void *argument, vp_records *out)
{
    const region_work *w = argument;
    const uint64_t digest = vp_blocks_digest(w->world);
    vp_records_put_longs(out, &digest, 1);
    vp_records_end(out);
}

static vp_status judge_load(const void *argument, uint32_t step, vp_error *error)
{
    const region_work *w = argument;
    for (uint32_t i = 0; i < vp_view_chunks(w->view); i++) {
        vp_block_snapshot s;
        uint32_t wrong = 0;
        vp_blocks_acquire(w->world, w->chunk[i].chunk, &s);
        for (uint32_t k = 0; k < VP_BLOCK_CELLS; k++)
            wrong += vp_cells_block(&s.cells, k) != vp_cells_block(&w->view->chunk[i], k);
        vp_blocks_release(w->world, &s);
        if (wrong != 0)
            return vp_fail(error, VP_E_FORMAT, "chunk %u: %u blocks are others than those that were saved", i, wrong);
    }
    return VP_OK;
}

static void count_load(const void *argument, vp_counters *out)
{
    const region_work *w = argument;
    const vp_blocks_memory m = vp_blocks_memory_use(w->world);
    vp_count(out, "bytes_per_chunk", (double)m.bytes / (double)m.chunks);
}

const vp_case vp_case_region_load = {.kind = &vp_kind_blocks,
                                     .make = make_saved,
                                     .rewind = rewind_load,
                                     .run = run_load,
                                     .records = record_load,
                                     .judge = judge_load,
                                     .counters = count_load,
                                     .drop = drop_regions,
                                     .measured = region_sets};
