/* SPDX-License-Identifier: MIT */
/* The cases of data made of blocks. For each chunk of a world, one per step: its faces, rectangles and boxes. For the whole world: the
 * connected components of blocks that collide. The judges examine the blocks around each block one by one. Each face and cell must
 * occur exactly once. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/block_shapes.h>

#include "cases/block_judge.h"
#include "cases/case.h"
#include "cases/copies.h"
#include "datasets/block_sets.h"
#include "datasets/hash.h"
#include "src/core/error.h"

enum { EDGE = VP_BLOCK_EDGE, CHUNKS_MOST = 1000 };

typedef struct blocks_work {
    const vp_block_view *view;
    uint32_t chunks;
    const vp_block **cell;     /* window of each chunk */
    const vp_block_type *type; /* the table of types */
    vp_faces_job faces;        /* outputs */
    vp_boxes_job boxes;
    uint32_t *boxes_made;             /* output, number of boxes */
    int32_t (*right)[VP_BLOCK_CELLS]; /* the judge's faces of a side, for the step before `judged` */
    uint32_t judged;
    uint64_t made, all; /* triangles of all steps, and of this one */
} blocks_work;

static bool takes_windows(const vp_data *data, uint32_t variant)
{
    return vp_view_chunks(((const vp_block_set *)data->set)->view) <= CHUNKS_MOST;
}

static vp_status begin(const vp_data *data, vp_arena *arena, void **out, vp_error *error)
{
    blocks_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(blocks_work));
    const vp_block_view *v = w->view = ((const vp_block_set *)data->set)->view;
    w->chunks = vp_view_chunks(v);
    w->cell = vp_arena_keep(arena, w->chunks, sizeof *w->cell, alignof(const vp_block *));
    w->type = vp_arena_input(arena, v->type, v->type_count, sizeof *v->type, alignof(vp_block_type), 0);
    for (uint32_t c = 0; c < w->chunks; c++) {
        vp_block *cell = vp_arena_keep(arena, VP_BLOCK_WINDOW_CELLS, sizeof *cell, alignof(vp_block));
        const vp_status status = vp_block_window_fill(v, vp_view_chunk_at(v, c), EDGE, VP_SIDES_ALL, cell, error);
        if (status != VP_OK)
            return status;
        w->cell[c] = vp_arena_input(arena, cell, VP_BLOCK_WINDOW_CELLS, sizeof *cell, alignof(vp_block), 0);
    }
    return VP_OK;
}

static vp_block_window window_of(const blocks_work *w, uint32_t chunk)
{
    return (vp_block_window){w->cell[chunk], EDGE, w->type, w->view->type_count};
}

static uint32_t steps_of(const void *argument)
{
    return ((const blocks_work *)argument)->chunks;
}

static vp_status rewind_all(const vp_setting *how, void *argument, vp_error *error)
{
    blocks_work *w = argument;
    w->made = w->all = 0;
    return VP_OK;
}

/* ---- faces and rectangles ---- */

static vp_status make_faces(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = begin(data, arena, out, error);
    blocks_work *w = *out;
    w->faces.occlusion = variant == 1;
    w->right = vp_arena_keep(arena, VP_SIDE_COUNT, sizeof *w->right, alignof(int32_t));
    w->faces.quad = vp_arena_output(arena, vp_block_max_faces(EDGE), sizeof *w->faces.quad, alignof(vp_block_quad), 0);
    w->faces.first = vp_arena_output(arena, VP_SIDE_COUNT + 1, sizeof *w->faces.first, alignof(uint32_t), 0);
    return status;
}

static vp_status run_quads(vp_faces_fn *kernel, blocks_work *w, uint32_t step, uint64_t *items)
{
    w->faces.window = window_of(w, step);
    kernel(&w->faces);
    w->made += 2 * (uint64_t)w->faces.first[VP_SIDE_COUNT];
    w->all++;
    *items = 1;
    return VP_OK;
}

static vp_status run_faces(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    return run_quads(how->kernels->faces, argument, step, items);
}

static vp_status run_merged(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    return run_quads(how->kernels->greedy_quads, argument, step, items);
}

static void record_quads(const void *argument, vp_records *out)
{
    const blocks_work *w = argument;
    const uint32_t count = w->faces.first[VP_SIDE_COUNT] <= vp_block_max_faces(EDGE) ? w->faces.first[VP_SIDE_COUNT] : 0;
    vp_hasher h;
    vp_hash_begin(&h);
    for (uint32_t i = 0; i < count; i++) {
        const vp_block_quad *q = &w->faces.quad[i];
        const uint8_t record[8] = {q->x, q->y, q->z, q->u, q->v, q->occlusion, (uint8_t)q->type, (uint8_t)(q->type >> 8)};
        vp_hash_bytes(&h, record, sizeof record);
    }
    const uint64_t hash = vp_hash_end(&h);
    vp_records_put_words(out, w->faces.first, VP_SIDE_COUNT + 1);
    vp_records_put_longs(out, &hash, 1);
    vp_records_end(out);
}

/* By block. */
static void faces_of(const blocks_work *w, const vp_block *cell, uint32_t side, int32_t *face)
{
    for (int i = 0; i < VP_BLOCK_CELLS; i++)
        face[i] = vp_judge_face(w->view, cell, (const int[3]){i % 32, i / 1024, i / 32 % 32}, side, w->faces.occlusion);
}

/* Removes a rectangle's faces from the remaining ones. @return VP_E_FORMAT if they differ or are missing */
static vp_status take_quad(const vp_block_quad *q, uint32_t side, uint32_t step, int32_t *face, vp_error *error)
{
    uint32_t axis, u, v;
    vp_side_axes(side, &axis, &u, &v);
    for (uint32_t j = 0; j < q->v; j++)
        for (uint32_t i = 0; i < q->u; i++) {
            uint32_t at[3] = {q->x, q->y, q->z};
            at[u] += i, at[v] += j;
            if (at[0] > 31 || at[1] > 31 || at[2] > 31 ||
                face[(at[1] * 32 + at[2]) * 32 + at[0]] != (int32_t)((uint32_t)q->occlusion << 16 | q->type))
                return vp_fail(error, VP_E_FORMAT,
                               "chunk %u: there is no face at (%u, %u, %u) of type %u and light 0x%02x on side %u, or not once more", step,
                               at[0], at[1], at[2], q->type, q->occlusion, side);
            face[(at[1] * 32 + at[2]) * 32 + at[0]] = -1;
        }
    return VP_OK;
}

/* Checks that rectangles are as large as the documented method makes them. One that begins at a face covers all faces that could be
 * merged with it. */
static vp_status judge_size(const vp_block_quad *q, uint32_t side, uint32_t step, bool merged, const int32_t *left, vp_error *error)
{
    uint32_t axis, u, v, at[3] = {q->x, q->y, q->z};
    const int32_t face = (int32_t)((uint32_t)q->occlusion << 16 | q->type);
    const bool alone = !merged || q->occlusion % 0x55 != 0; /* light that differs at its corners */
    uint32_t wide = 1, high = 1;
    vp_side_axes(side, &axis, &u, &v);
    const uint32_t stride[3] = {1, 1024, 32}, first = at[1] * 1024 + at[2] * 32 + at[0];
    while (!alone && at[u] + wide < 32 && left[first + wide * stride[u]] == face)
        wide++;
    for (bool fits = true; !alone && fits && at[v] + high < 32; high += fits)
        for (uint32_t i = 0; i < wide; i++)
            fits = fits && left[first + high * stride[v] + i * stride[u]] == face;
    return wide == q->u && high == q->v
               ? VP_OK
               : vp_fail(error, VP_E_FORMAT, "chunk %u: a rectangle on side %u at (%u, %u, %u) is %u x %u, not %u x %u", step, side, at[0],
                         at[1], at[2], q->u, q->v, wide, high);
}

/* The sort key of a side's rectangles. */
static uint32_t order_of(const vp_block_quad *q, uint32_t side, bool merged)
{
    uint32_t axis, u, v;
    const uint32_t at[3] = {q->x, q->y, q->z};
    vp_side_axes(side, &axis, &u, &v);
    return merged ? (at[axis] * 32 + at[v]) * 32 + at[u] : (at[1] * 32 + at[2]) * 32 + at[0];
}

static vp_status judge_side(const blocks_work *w, uint32_t step, uint32_t side, bool merged, int32_t *face, vp_error *error)
{
    const uint32_t *first = w->faces.first;
    uint32_t least = 0;
    if (first[side + 1] < first[side] || first[side + 1] > vp_block_max_faces(EDGE))
        return vp_fail(error, VP_E_FORMAT, "chunk %u: side %u goes from %u to %u", step, side, first[side], first[side + 1]);
    memcpy(face, w->right[side], sizeof w->right[side]);
    for (uint32_t i = first[side]; i < first[side + 1]; i++) {
        const vp_block_quad *q = &w->faces.quad[i];
        if (q->x > 31 || q->y > 31 || q->z > 31 || q->u == 0 || q->v == 0 || order_of(q, side, merged) < least)
            return vp_fail(error, VP_E_FORMAT, "chunk %u: side %u: number %u is out of order or none", step, side, i);
        least = order_of(q, side, merged) + 1;
        vp_status status = judge_size(q, side, step, merged, face, error);
        if (status == VP_OK)
            status = take_quad(q, side, step, face, error);
        if (status != VP_OK)
            return status;
    }
    for (int i = 0; i < VP_BLOCK_CELLS; i++)
        if (face[i] >= 0)
            return vp_fail(error, VP_E_FORMAT, "chunk %u: side %u: no face of block (%d, %d, %d)", step, side, i % 32, i / 1024,
                           i / 32 % 32);
    return VP_OK;
}

static vp_status judge_quads(blocks_work *w, uint32_t step, bool merged, vp_error *error)
{
    int32_t *face = vp_must(malloc(VP_BLOCK_CELLS * sizeof *face), VP_BLOCK_CELLS * sizeof *face);
    vp_status status = VP_OK;
    if (w->faces.first[0] != 0)
        status = vp_fail(error, VP_E_FORMAT, "chunk %u: the first face is number %u", step, w->faces.first[0]);
    for (uint32_t side = 0; side < VP_SIDE_COUNT && w->judged != step + 1; side++)
        faces_of(w, w->cell[step], side, w->right[side]);
    w->judged = step + 1;
    for (uint32_t side = 0; side < VP_SIDE_COUNT && status == VP_OK; side++)
        status = judge_side(w, step, side, merged, face, error);
    free(face);
    return status;
}

static vp_status judge_faces(const void *argument, uint32_t step, vp_error *error)
{
    return judge_quads(vp_unconst(argument), step, false, error);
}

static vp_status judge_merged(const void *argument, uint32_t step, vp_error *error)
{
    return judge_quads(vp_unconst(argument), step, true, error);
}

static void count_triangles(const void *argument, vp_counters *out)
{
    const blocks_work *w = argument;
    vp_count(out, "triangles_per_chunk", (double)w->made / (double)w->all);
}

static const char *const light_variants[] = {"plain", "light", NULL};
enum { BOTH = 3, WORLDS = VP_TIMED | VP_ENDS };
static const vp_measured quads_measured[] = {VP_ON("planet", BOTH, WORLDS),
                                             VP_ON("planet-caves", 1, WORLDS),
                                             VP_ON("blocks-random", BOTH, WORLDS),
                                             VP_ON("blocks-luanti", BOTH, WORLDS),
                                             {.data = NULL}};

const vp_case vp_case_faces = {.kind = &vp_kind_blocks,
                               .variant = light_variants,
                               .questions = true,
                               .takes = takes_windows,
                               .make = make_faces,
                               .steps = steps_of,
                               .rewind = rewind_all,
                               .run = run_faces,
                               .records = record_quads,
                               .judge = judge_faces,
                               .counters = count_triangles,
                               .measured = quads_measured};
const vp_case vp_case_greedy_quads = {.kind = &vp_kind_blocks,
                                      .variant = light_variants,
                                      .questions = true,
                                      .takes = takes_windows,
                                      .make = make_faces,
                                      .steps = steps_of,
                                      .rewind = rewind_all,
                                      .run = run_merged,
                                      .records = record_quads,
                                      .judge = judge_merged,
                                      .counters = count_triangles,
                                      .measured = quads_measured};

/* ---- boxes ---- */

static vp_status make_boxes(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_status status = begin(data, arena, out, error);
    blocks_work *w = *out;
    w->boxes.scratch = vp_arena_scratch(arena, VP_BLOCK_CELLS, sizeof *w->boxes.scratch, alignof(uint16_t));
    w->boxes_made = vp_arena_output(arena, 1, sizeof *w->boxes_made, alignof(uint32_t), 0);
    w->boxes.box = vp_arena_output(arena, VP_BLOCK_CELLS, sizeof *w->boxes.box, alignof(vp_block_box), 0);
    return status;
}

static vp_status run_boxes(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    blocks_work *w = argument;
    w->boxes.window = window_of(w, step);
    *w->boxes_made = how->kernels->greedy_boxes(&w->boxes);
    *items = 1;
    return VP_OK;
}

static void record_boxes(const void *argument, vp_records *out)
{
    const blocks_work *w = argument;
    const uint32_t made = *w->boxes_made <= VP_BLOCK_CELLS ? *w->boxes_made : 0;
    uint8_t *bytes = vp_must(malloc((size_t)made * 10 + 1), (size_t)made * 10 + 1), *at = bytes;
    for (uint32_t i = 0; i < made; i++)
        at = vp_put_block_box(at, &w->boxes.box[i]);
    vp_records_put_words(out, w->boxes_made, 1);
    vp_records_put_hash(out, bytes, (size_t)(at - bytes));
    vp_records_end(out);
    free(bytes);
}

/* Whether a box is the largest possible at its start among the remaining blocks. Removes its blocks. */
static bool take_box(const vp_block_box *b, bool *left)
{
    static const int order[3] = {0, 2, 1};
    int size[3] = {1, 1, 1};
    for (int i = 0; i < 3; i++)
        for (bool fits = true; fits;) {
            const int a = order[i];
            int by[3] = {size[0], size[1], size[2]};
            by[a]++;
            fits = b->low[a] + by[a] <= 32;
            for (int y = 0; fits && y < by[1]; y++)
                for (int z = 0; z < by[2]; z++)
                    for (int x = 0; x < by[0]; x++)
                        fits = fits && left[((b->low[1] + y) * 32 + b->low[2] + z) * 32 + b->low[0] + x];
            size[a] += fits;
        }
    for (int y = 0; y < size[1]; y++)
        for (int z = 0; z < size[2]; z++)
            memset(left + ((b->low[1] + y) * 32 + b->low[2] + z) * 32 + b->low[0], 0, (size_t)size[0]);
    return size[0] == b->size[0] && size[1] == b->size[1] && size[2] == b->size[2];
}

/* The expected marks of a box from the blocks beyond its sides. `owner` is -1 where there is no block. */
static void right_marks(const blocks_work *w, const vp_block *cell, const int32_t *owner, const vp_block_box *b, uint32_t *beyond,
                        uint32_t *edges)
{
    *beyond = *edges = 0;
    for (uint32_t side = 0; side < VP_SIDE_COUNT; side++) {
        uint32_t axis, u, v;
        vp_side_axes(side, &axis, &u, &v);
        for (int j = 0; j < b->size[v]; j++)
            for (int i = 0; i < b->size[u]; i++) {
                int at[3] = {b->low[0], b->low[1], b->low[2]};
                at[u] += i, at[v] += j;
                at[axis] += side % 2 == 1 ? b->size[axis] : -1;
                if (!vp_judge_is(w->view, vp_judge_block(cell, at), VP_BLOCK_COLLIDES)) {
                    *beyond |= (uint32_t)VP_BOX_EXPOSED << 2 * side;
                    continue;
                }
                *beyond |= (uint32_t)VP_BOX_COVERED << 2 * side;
                const bool outside = at[axis] < 0 || at[axis] > 31;
                const vp_block_box *o = outside ? NULL : &w->boxes.box[owner[(at[1] * 32 + at[2]) * 32 + at[0]]];
                for (uint32_t end = 0; end < VP_SIDE_COUNT; end++) { /* ends of the face past which the other box continues */
                    const uint32_t a = end / 2;
                    if (a == axis)
                        continue;
                    const bool ends = o == NULL || (end % 2 == 0 ? o->low[a] < b->low[a] : o->low[a] + o->size[a] > b->low[a] + b->size[a]);
                    *edges |= (uint32_t)ends << vp_block_box_edge(side, end);
                }
            }
    }
}

static vp_status judge_boxes(const void *argument, uint32_t step, vp_error *error)
{
    const blocks_work *w = argument;
    const vp_block *cell = w->cell[step];
    bool *left = vp_must(malloc(VP_BLOCK_CELLS * sizeof *left), VP_BLOCK_CELLS * sizeof *left);
    int32_t *owner = vp_must(malloc(VP_BLOCK_CELLS * sizeof *owner), VP_BLOCK_CELLS * sizeof *owner);
    vp_status status = VP_OK;
    int first = 0; /* a block that is in no box */
    for (int i = 0; i < VP_BLOCK_CELLS; i++) {
        const int at[3] = {i % 32, i / 1024, i / 32 % 32};
        left[i] = vp_judge_is(w->view, vp_judge_block(cell, at), VP_BLOCK_COLLIDES);
        owner[i] = -1;
    }
    for (uint32_t k = 0; k < *w->boxes_made && status == VP_OK; k++) {
        const vp_block_box *b = &w->boxes.box[k];
        while (first < VP_BLOCK_CELLS && !left[first])
            first++;
        if (first == VP_BLOCK_CELLS || b->low[0] != first % 32 || b->low[1] != first / 1024 || b->low[2] != first / 32 % 32 ||
            !take_box(b, left))
            status = vp_fail(error, VP_E_FORMAT, "chunk %u: box %u is at (%u, %u, %u), %u x %u x %u blocks, which is wrong", step, k,
                             b->low[0], b->low[1], b->low[2], b->size[0], b->size[1], b->size[2]);
        for (int i = 0; status == VP_OK && i < b->size[0] * b->size[1] * b->size[2]; i++)
            owner[((b->low[1] + i / b->size[0] / b->size[2]) * 32 + b->low[2] + i / b->size[0] % b->size[2]) * 32 + b->low[0] +
                  i % b->size[0]] = (int32_t)k;
    }
    for (int i = 0; status == VP_OK && i < VP_BLOCK_CELLS; i++)
        if (left[i])
            status = vp_fail(error, VP_E_FORMAT, "chunk %u: block (%d, %d, %d) is in no box", step, i % 32, i / 1024, i / 32 % 32);
    for (uint32_t k = 0; k < *w->boxes_made && status == VP_OK; k++) {
        const vp_block_box *b = &w->boxes.box[k];
        uint32_t beyond, edges;
        right_marks(w, cell, owner, b, &beyond, &edges);
        if (beyond != b->beyond || edges != b->edges)
            status = vp_fail(error, VP_E_FORMAT, "chunk %u: box %u has marks 0x%03x and 0x%03x, not 0x%03x and 0x%03x", step, k, b->beyond,
                             b->edges, beyond, edges);
    }
    free(left);
    free(owner);
    return status;
}

/* Counts all chunks with the reference, because steps keep only the last one. */
static void count_boxes(const void *argument, vp_counters *out)
{
    const blocks_work *w = argument;
    vp_boxes_job job = {.box = vp_must(malloc(VP_BLOCK_CELLS * sizeof *job.box), VP_BLOCK_CELLS * sizeof *job.box)};
    uint64_t boxes = 0, marks = 0;
    job.scratch = vp_must(malloc(VP_BLOCK_CELLS * sizeof *job.scratch), VP_BLOCK_CELLS * sizeof *job.scratch);
    for (uint32_t c = 0; c < w->chunks; c++) {
        job.window = window_of(w, c);
        const uint32_t count = vp_greedy_boxes_scalar(&job);
        boxes += count;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t e = job.box[i].edges; e != 0; e &= e - 1)
                marks++;
    }
    vp_count(out, "boxes_per_chunk", (double)boxes / w->chunks);
    vp_count(out, "t_edges_per_chunk", (double)marks / w->chunks);
    free(job.box);
    free(job.scratch);
}

static const vp_measured boxes_measured[] = {VP_ON("planet", 1, WORLDS),
                                             VP_ON("planet-caves", 1, WORLDS),
                                             VP_ON("blocks-random", 1, WORLDS),
                                             VP_ON("blocks-luanti", 1, WORLDS),
                                             {.data = NULL}};

const vp_case vp_case_greedy_boxes = {.kind = &vp_kind_blocks,
                                      .takes = takes_windows,
                                      .make = make_boxes,
                                      .steps = steps_of,
                                      .run = run_boxes,
                                      .records = record_boxes,
                                      .judge = judge_boxes,
                                      .counters = count_boxes,
                                      .measured = boxes_measured};

/* ---- components ---- */

typedef struct grid_work {
    vp_components_job job;
    size_t cells;
    uint8_t *cell;
    uint64_t *bits;
    uint32_t count;
    uint32_t *right; /* the judge's labels, made on first use */
    uint32_t right_count;
    bool judged;
} grid_work;

enum { BITS = 1 };

static vp_status make_components(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    grid_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(grid_work));
    const vp_block_view *v = ((const vp_block_set *)data->set)->view;
    const vp_dims s = w->job.size = (vp_dims){v->size.x * EDGE, v->size.y * EDGE, v->size.z * EDGE};
    w->cells = (size_t)s.x * s.y * s.z;
    const size_t words = w->cells / 64;
    w->cell = vp_arena_keep(arena, w->cells, 1, 1);
    w->bits = vp_arena_keep(arena, words, sizeof *w->bits, alignof(uint64_t));
    w->right = vp_arena_keep(arena, w->cells, sizeof *w->right, alignof(uint32_t));
    vp_view_mark_colliding(v, w->cell);
    for (size_t i = 0; i < w->cells; i++)
        w->bits[i / 64] |= (uint64_t)w->cell[i] << i % 64;
    if (variant == BITS)
        w->job.bits = vp_arena_input(arena, w->bits, words, sizeof *w->bits, alignof(uint64_t), 0);
    else
        w->job.cell = vp_arena_input(arena, w->cell, w->cells, 1, 1, 0);
    w->job.scratch = vp_arena_scratch(arena, w->cells, sizeof *w->job.scratch, alignof(uint32_t));
    w->job.label = vp_arena_output(arena, w->cells, sizeof *w->job.label, alignof(uint32_t), 0);
    return VP_OK;
}

VP_RUN(run_components, grid_work, w->cells, w->count = how->kernels->components(&w->job))

static void record_components(const void *argument, vp_records *out)
{
    const grid_work *w = argument;
    vp_hasher h;
    vp_hash_begin(&h);
    vp_hash_words(&h, w->job.label, w->cells);
    const uint64_t hash = vp_hash_end(&h);
    vp_records_put_words(out, &w->count, 1);
    vp_records_put_longs(out, &hash, 1);
    vp_records_end(out);
}

/* The lowest cell known to be connected with a cell. */
static uint32_t root_of(uint32_t *joined, uint32_t i)
{
    while (joined[i] != i)
        i = joined[i] = joined[joined[i]];
    return i;
}

/* Connects each cell with those before it. Then each cell gets the number of its lowest connected cell. */
static void find_right(grid_work *w)
{
    const size_t stride[3] = {1, (size_t)w->job.size.x * w->job.size.z, w->job.size.x};
    uint32_t *joined = w->right;
    for (size_t i = 0; i < w->cells; i++) {
        const bool before[3] = {i % w->job.size.x != 0, i >= stride[1], i / w->job.size.x % w->job.size.z != 0};
        joined[i] = (uint32_t)i;
        for (int a = 0; w->cell[i] != 0 && a < 3; a++) {
            if (!before[a] || w->cell[i - stride[a]] == 0)
                continue;
            const uint32_t one = root_of(joined, (uint32_t)i), other = root_of(joined, (uint32_t)(i - stride[a]));
            joined[one > other ? one : other] = one > other ? other : one;
        }
    }
    w->right_count = 0;
    for (size_t i = 0; i < w->cells; i++) /* the lower cell already has its label */
        joined[i] = w->cell[i] == 0 ? VP_NO_COMPONENT : joined[i] == i ? w->right_count++ : joined[joined[i]];
    w->judged = true;
}

static vp_status judge_components(const void *argument, uint32_t step, vp_error *error)
{
    const grid_work *w = argument;
    if (!w->judged)
        find_right(vp_unconst(w));
    if (w->count != w->right_count)
        return vp_fail(error, VP_E_FORMAT, "%u components, not %u", w->count, w->right_count);
    for (size_t i = 0; i < w->cells; i++)
        if (w->job.label[i] != w->right[i])
            return vp_fail(error, VP_E_FORMAT, "cell %zu has label %u, not %u", i, w->job.label[i], w->right[i]);
    return VP_OK;
}

static void count_components(const void *argument, vp_counters *out)
{
    vp_count(out, "components", ((const grid_work *)argument)->count);
}

static const char *const grid_variants[] = {"bytes", "bits", NULL};
static const vp_measured grid_measured[] = {VP_ON("planet", BOTH, WORLDS),
                                            VP_ON("planet-caves", 1, WORLDS),
                                            VP_ON("blocks-random", BOTH, WORLDS),
                                            VP_ON("blocks-luanti", 1, WORLDS),
                                            {.data = NULL}};

const vp_case vp_case_components = {.kind = &vp_kind_blocks,
                                    .variant = grid_variants,
                                    .make = make_components,
                                    .run = run_components,
                                    .records = record_components,
                                    .judge = judge_components,
                                    .counters = count_components,
                                    .same = true,
                                    .measured = grid_measured};
