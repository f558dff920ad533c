/* SPDX-License-Identifier: MIT */
/* Paths through blocks. A library's time is right if it lies between those of a slightly larger and a slightly smaller box, which
 * vp_block_sweep_scalar finds. The row's case judges that function. Rays have no smaller box, so the ray's own time is the latest. */
#include "bench/peers/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/block_shapes.h>

#include "bench/peers/blocks.h"
#include "cases/block_paths.h"
#include "cases/case.h"
#include "datasets/block_sets.h"
#include "src/core/error.h"

/* Distance in voxels within which a box touches. Bullet stops at 0.001. */
#define TOUCHES 0.002f

typedef struct block_question {
    vp_block_samples asked;
    const vp_block_view *view;
    vp_block_path path[VP_BLOCK_PATHS];
    vp_block_line line[VP_BLOCK_PATHS];
    vp_aabb *box;
} block_question;

static void drop_question(void *derived)
{
    if (derived != NULL)
        free(((block_question *)derived)->box);
    free(derived);
}

/* Adds the boxes of a chunk. */
static vp_status add_boxes(block_question *q, vp_ivec3 chunk, vp_block *cell, vp_error *error)
{
    const vp_block_window window = {cell, VP_BLOCK_EDGE, q->view->type, q->view->type_count};
    vp_block_boxes made = {.count = 0};
    vp_status status = vp_block_window_fill(q->view, chunk, VP_BLOCK_EDGE, VP_SIDES_ALL, cell, error);
    if (status == VP_OK)
        status = vp_block_boxes_create(&window, NULL, NULL, &made, error);
    vp_aabb *box = status == VP_OK ? realloc(q->box, (q->asked.boxes + made.count + 1u) * sizeof *box) : NULL;
    if (status == VP_OK && box == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for boxes of blocks");
    q->box = box != NULL ? box : q->box;
    for (uint32_t i = 0; status == VP_OK && i < made.count; i++) {
        const uint8_t *low = made.box[i].low, *size = made.box[i].size;
        const vp_vec3 min = {(float)(32 * chunk.x + low[0]), (float)(32 * chunk.y + low[1]), (float)(32 * chunk.z + low[2])};
        box[q->asked.boxes++] = (vp_aabb){min, vp_vec3_add(min, (vp_vec3){(float)size[0], (float)size[1], (float)size[2]})};
    }
    vp_block_boxes_destroy(&made);
    return status;
}

static vp_status make_question(const vp_data *data, uint32_t variant, void **out, vp_error *error)
{
    block_question *q = *out = calloc(1, sizeof *q);
    vp_block *cell = malloc(VP_BLOCK_WINDOW_CELLS * sizeof *cell);
    vp_status status = q == NULL || cell == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for paths") : VP_OK;
    if (status == VP_OK) {
        q->view = ((const vp_block_set *)data->set)->view;
        q->asked = (vp_block_samples){.path = q->path, .line = q->line, .paths = vp_block_paths_draw(data, variant, q->path, q->line)};
    }
    for (uint32_t i = 0; status == VP_OK && i < vp_view_chunks(q->view); i++)
        status = add_boxes(q, vp_view_chunk_at(q->view, i), cell, error);
    if (status == VP_OK)
        q->asked.box = q->box;
    free(cell);
    return status;
}

static const vp_derivation derivation = {"paths", make_question, drop_question};

/* @param set  like "planet/by-1" */
static vp_status open_paths(vp_suite *suite, const char *set, vp_contest *out, vp_error *error)
{
    const vp_case *c = vp_cases[out->peer->row];
    const size_t length = strcspn(set, "/");
    char name[VP_DATA_NAME_BYTES];
    uint32_t variant = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, set);
    while (strcmp(vp_case_question(c, variant), set + length + 1) != 0)
        variant++;
    vp_status status = vp_suite_data(suite, &vp_kind_blocks, name, NULL, &out->data, error);
    if (status == VP_OK)
        status = vp_data_derive(out->data, &derivation, variant, &out->right, error);
    if (status != VP_OK)
        return status;
    out->own = *out->data;
    out->own.set = &((const block_question *)out->right)->asked;
    out->data = &out->own;
    out->items = ((const block_question *)out->right)->asked.paths;
    return VP_OK;
}

/* Returns the hit of a path's box that is larger by some voxels on each side. */
static vp_block_hit sweep(const block_question *q, uint32_t i, bool is_ray, float more)
{
    const vp_aabb point = {q->line[i].origin, q->line[i].origin}, box = is_ray ? point : q->path[i].box;
    const vp_vec3 by = {more, more, more};
    const vp_block_path path = {{vp_vec3_sub(box.min, by), vp_vec3_add(box.max, by)}, q->path[i].move};
    vp_block_hit hit;
    if (is_ray && more < 0.0f)
        vp_scalar_kernels().block_ray(q->view, &q->line[i], &hit);
    else
        vp_scalar_kernels().block_sweep(q->view, &path, &hit);
    return hit;
}

static void look(const vp_contest *c, vp_verdict *out)
{
    const block_question *q = c->right;
    const bool is_ray = c->peer->row == VP_KERNEL_block_ray;
    uint32_t hits = 0, missed = 0, invented = 0, off = 0;
    vp_peer_answers got;
    if (!vp_peer_answers_of(c->peer, c->work, 0, &got))
        return;
    for (uint32_t i = 0; i < q->asked.paths; i++) {
        const vp_block_hit first = sweep(q, i, is_ray, TOUCHES), last = sweep(q, i, is_ray, -TOUCHES);
        const vp_vec3 move = q->path[i].move;
        const double t = (double)got.time[i], slack = (double)TOUCHES / sqrt((double)vp_vec3_dot(move, move));
        hits += t < 1.0;
        if (t >= 1.0)
            missed += last.end != VP_BLOCK_PASSES;
        else if (first.end == VP_BLOCK_PASSES)
            invented++;
        else
            off += !(t >= first.t - slack && t <= last.t + slack);
    }
    vp_verdict_count(out, "hits", (double)hits / q->asked.paths);
    vp_verdict_count(out, "boxes", q->asked.boxes);
    vp_verdict_count(out, "missed", missed);
    vp_verdict_count(out, "invented", invented);
    vp_verdict_count(out, "off", off);
    out->outcome = missed + invented + off == 0 ? VP_PEER_RIGHT : VP_PEER_FAULTY;
    snprintf(out->text, sizeof out->text, "%s wrong=%u of %u", vp_rows[c->peer->row].unit, missed + invented + off, q->asked.paths);
}

#define SETS                                                                                                                               \
    {                                                                                                                                      \
        "planet/by-1", "planet/by-20", "planet/by-100", "blocks-sparse/by-1", "blocks-sparse/by-20", "blocks-sparse/by-100",               \
            "blocks-luanti/by-1", "blocks-luanti/by-5"                                                                                     \
    }
static const vp_contested measured[] = {{.row = VP_KERNEL_block_sweep, .set = SETS}, {.row = VP_KERNEL_block_ray, .set = SETS}};
static const vp_judge vp_judge_paths = {VP_CONTESTED(measured), .apart = true,      .seconds = 60,
                                        .version = true,        .open = open_paths, .look = look};

const vp_judge *const vp_judges_blocks[] = {&vp_judge_paths, NULL};
