/* SPDX-License-Identifier: MIT */
/* Making and printing quads and boxes, chunk by chunk. */
#include "tools/blocks/blocks.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "datasets/hash.h"
#include "host/program.h"
#include "host/thread_executor.h"
#include "tools/choices.h"
#include "tools/dataset/dataset.h"

/* ---- chunks ---- */

typedef struct making_work {
    vp_blocks *blocks;
    const vp_ivec3 *chunk;
    const vp_making_of *what;
    vp_chunk_products *out;
} making_work;

static vp_status make_quads(const vp_block_window *window, const vp_making_of *what, vp_chunk_products *m)
{
    const double begin = vp_seconds();
    const vp_block_quads_def def = {.window = *window, .merged = what->merged, .occlusion = what->occlusion};
    VP_RETURN_IF_FAILED(vp_block_quads_create(&def, &m->quads, &m->error));
    m->quads_seconds = vp_seconds() - begin;
    return VP_OK;
}

static vp_status make_boxes(const vp_block_window *window, vp_chunk_products *m)
{
    const double begin = vp_seconds();
    VP_RETURN_IF_FAILED(vp_block_boxes_create(window, NULL, NULL, &m->boxes, &m->error));
    m->boxes_seconds = vp_seconds() - begin;
    return VP_OK;
}

static void make_chunk(void *argument, uint32_t i)
{
    const making_work *w = argument;
    const vp_making_of *what = w->what;
    vp_chunk_products *m = &w->out[i];
    vp_block_around around;
    const double begin = vp_seconds();
    vp_block *cell = malloc(VP_BLOCK_WINDOW_CELLS * sizeof *cell);
    if (cell == NULL) {
        m->status = vp_fail(&m->error, VP_E_MEMORY, "no memory for a window of blocks");
        return;
    }
    vp_blocks_acquire_around(w->blocks, w->chunk[i], &around);
    const vp_block_view view = vp_block_around_view(&around);
    m->status = vp_block_window_fill(&view, w->chunk[i], what->edge, what->alone ? 0 : VP_SIDES_ALL, cell, &m->error);
    const double filled = vp_seconds() - begin;
    const vp_block_window window = {cell, what->edge, view.type, view.type_count};
    if (m->status == VP_OK && what->quads)
        m->status = make_quads(&window, what, m);
    if (m->status == VP_OK && what->boxes)
        m->status = make_boxes(&window, m);
    m->quads_seconds += what->quads ? filled : 0;
    m->boxes_seconds += what->boxes ? filled : 0;
    vp_blocks_release_around(w->blocks, &around);
    free(cell);
}

vp_status vp_make_chunks(vp_blocks *blocks, const vp_ivec3 *chunk, uint32_t count, const vp_making_of *what, uint32_t threads,
                         const char *bar, vp_chunk_products **out, vp_error *error)
{
    *out = calloc((size_t)count + 1, sizeof **out);
    if (*out == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for the results of %u chunks", count);
    making_work w = {blocks, chunk, what, *out};
    vp_watched watched;
    vp_executor executor = vp_watch(&watched, vp_thread_executor(threads), bar, 1);
    executor.parallel_for(executor.user, count, make_chunk, &w);
    vp_progress("", 1, 1);
    for (uint32_t i = 0; i < count; i++)
        if ((*out)[i].status != VP_OK)
            return vp_fail(error, (*out)[i].status, "%s", (*out)[i].error.message);
    return VP_OK;
}

void vp_made_drop(vp_chunk_products *made, uint32_t count)
{
    for (uint32_t i = 0; made != NULL && i < count; i++) {
        vp_block_quads_destroy(&made[i].quads);
        vp_block_boxes_destroy(&made[i].boxes);
    }
    free(made);
}

static void hash_quads(vp_hasher *h, const vp_block_quads *q)
{
    vp_hash_words(h, q->first, VP_SIDE_COUNT + 1);
    for (uint32_t i = 0; i < q->first[VP_SIDE_COUNT]; i++) {
        const vp_block_quad *a = &q->quad[i];
        const uint8_t bytes[8] = {a->x, a->y, a->z, a->u, a->v, a->occlusion, (uint8_t)a->type, (uint8_t)(a->type >> 8)};
        vp_hash_bytes(h, bytes, sizeof bytes);
    }
}

static void hash_boxes(vp_hasher *h, const vp_block_boxes *b)
{
    vp_hash_u32(h, b->count);
    for (uint32_t i = 0; i < b->count; i++) {
        const vp_block_box *a = &b->box[i];
        const uint8_t bytes[10] = {a->low[0],          a->low[1],
                                   a->low[2],          a->size[0],
                                   a->size[1],         a->size[2],
                                   (uint8_t)a->beyond, (uint8_t)(a->beyond >> 8),
                                   (uint8_t)a->edges,  (uint8_t)(a->edges >> 8)};
        vp_hash_bytes(h, bytes, sizeof bytes);
    }
}

vp_made_sum vp_made_sum_of(const vp_chunk_products *made, const vp_ivec3 *chunk, uint32_t count)
{
    vp_made_sum s = {.seconds = 0};
    vp_hasher h;
    vp_hash_begin(&h);
    for (uint32_t i = 0; i < count; i++) {
        const vp_chunk_products *m = &made[i];
        const uint32_t quads = m->quads.first[VP_SIDE_COUNT], at[3] = {(uint32_t)chunk[i].x, (uint32_t)chunk[i].y, (uint32_t)chunk[i].z};
        vp_hash_words(&h, at, 3);
        hash_quads(&h, &m->quads);
        hash_boxes(&h, &m->boxes);
        for (uint32_t side = 0; side < VP_SIDE_COUNT; side++)
            s.quads[side] += m->quads.first[side + 1] - m->quads.first[side];
        s.quads[VP_SIDE_COUNT] += quads;
        s.boxes += m->boxes.count;
        s.most_quads = quads > s.most_quads ? quads : s.most_quads;
        s.most_boxes = m->boxes.count > s.most_boxes ? m->boxes.count : s.most_boxes;
        s.empty += quads == 0 && m->boxes.count == 0;
        s.seconds += m->quads_seconds + m->boxes_seconds;
        for (uint32_t b = 0; b < m->boxes.count; b++) {
            for (uint32_t side = 0; side < VP_SIDE_COUNT; side++)
                s.beyond[vp_block_box_side(&m->boxes.box[b], side)]++;
            for (uint32_t e = 0; e < 12; e++)
                s.edges += m->boxes.box[b].edges >> e & 1u;
        }
    }
    s.digest = vp_hash_end(&h);
    return s;
}

/* ---- options and output ---- */

static vp_status check_file(const vp_block_source_world *w, const char *path, vp_error *error)
{
    if (w->manifest != NULL)
        return vp_dataset_check_out(w->manifest, w->name, path, error);
    return vp_same_file(w->name, path) ? vp_fail(error, VP_E_ARGUMENT, "-o %s is the file or folder that is read", vp_show_path(path).text)
                                       : VP_OK;
}

vp_status vp_blocks_check_out(const vp_block_source_world *w, const char *path, vp_error *error)
{
    vp_mesh_format format;
    VP_RETURN_IF_FAILED(check_file(w, path, error));
    if (!vp_mesh_format_of(path, &format) || format != VP_MESH_OBJ)
        return VP_OK;
    return check_file(w, vp_mesh_materials_file(path).text, error);
}

vp_vec3 vp_blocks_middle(const vp_block_source_world *w)
{
    vp_ivec3 low = {INT32_MAX, INT32_MAX, INT32_MAX}, high = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (uint32_t i = 0; i < w->chunks; i++) {
        const vp_ivec3 c = w->chunk[i];
        low = (vp_ivec3){c.x < low.x ? c.x : low.x, c.y < low.y ? c.y : low.y, c.z < low.z ? c.z : low.z};
        high = (vp_ivec3){c.x > high.x ? c.x : high.x, c.y > high.y ? c.y : high.y, c.z > high.z ? c.z : high.z};
    }
    return w->chunks == 0
               ? (vp_vec3){0, 0, 0}
               : (vp_vec3){16.0f * (float)(low.x + high.x + 1), 16.0f * (float)(low.y + high.y + 1), 16.0f * (float)(low.z + high.z + 1)};
}

static uint64_t count_blocks(vp_block_source_world *w)
{
    uint64_t count = 0;
    for (uint32_t c = 0; c < w->chunks; c++) {
        vp_block_snapshot s;
        vp_blocks_acquire(w->blocks, w->chunk[c], &s);
        for (uint32_t i = 0; i < VP_BLOCK_CELLS; i++)
            count += vp_block_at(&s.cells, i % 32, i / 1024, i / 32 % 32) != VP_BLOCK_NOTHING;
        vp_blocks_release(w->blocks, &s);
    }
    return count;
}

bool vp_blocks_codec(const char *command, const char *codec)
{
    vp_block_codec known;
    if (codec == NULL || vp_block_codec_named(codec, &known))
        return true;
    return VP_REFUSE(command, "--codec '%s': must be raw, or zlib if this program was built with it", codec);
}

json_t *vp_blocks_world_json(vp_block_source_world *w)
{
    const vp_blocks_memory m = vp_blocks_memory_use(w->blocks);
    return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:o}", "source", vp_json_name(w->name), "hash_checked",
                     vp_json_checked(w->content), "chunks", (json_int_t)m.chunks, "uniform", (json_int_t)m.uniform, "wide",
                     (json_int_t)m.wide, "blocks", (json_int_t)count_blocks(w), "bytes", (json_int_t)m.bytes, "digest",
                     vp_json_hex(vp_blocks_digest(w->blocks)));
}

void vp_blocks_print_world(vp_block_source_world *w)
{
    const vp_blocks_memory m = vp_blocks_memory_use(w->blocks);
    printf("world      %s: %u chunk%s, %u of one type; %" PRIu64 " blocks; %.0f bytes a chunk; digest %016" PRIx64 "\n", w->name, m.chunks,
           vp_plural(m.chunks), m.uniform, count_blocks(w), m.chunks > 0 ? (double)m.bytes / m.chunks : 0, vp_blocks_digest(w->blocks));
}
