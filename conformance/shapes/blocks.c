/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "conformance/shapes/shapes.h"

enum { MAX_TYPES = UINT8_MAX, ALL_BITS = VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE | VP_BLOCK_FLUID };

/* ---- words ---- */

static vp_status read(vp_reader *r, const vp_part *of, void *part)
{
    vp_asked_chunk *q = part;
    int64_t types = 0, number = 0;
    (void)of;
    vp_status status = vp_reader_whole(r, 0, UINT32_MAX - 1, &types, "how many types there are");
    if (status == VP_OK && (size_t)types > strlen(r->words->at) / 2) /* what is not there gets no memory */
        status = vp_fail(r->error, VP_E_FORMAT, "the line is too short for %u types", (uint32_t)types);
    if (status == VP_OK)
        status = vp_reader_whole(r, 0, UINT32_MAX - 1, &number, "the chunk's edge");
    if (status != VP_OK)
        return status;
    q->edge = (uint32_t)number;
    q->type_count = (uint32_t)types + 1;
    q->type = calloc(q->type_count, sizeof *q->type);
    if (q->type == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for %u types", (uint32_t)types);
    for (uint32_t i = 1; status == VP_OK && i < q->type_count; i++) {
        status = vp_reader_whole(r, 0, UINT32_MAX - 1, &number, "the bits of a type");
        q->type[i].is = (uint32_t)number;
    }
    return status;
}

static void write(const vp_part *of, const void *part, FILE *to)
{
    const vp_asked_chunk *q = part;
    (void)of;
    fprintf(to, " %u %u", q->type_count - 1, q->edge);
    for (uint32_t i = 1; i < q->type_count; i++)
        fprintf(to, " %u", q->type[i].is);
}

static void drop(void *part)
{
    free(((vp_asked_chunk *)part)->type);
}

static const vp_value types = {.type = JSON_ARRAY, .part = &vp_is_whole};
static const vp_member members[] = {{.name = "edge", .is = &vp_is_whole}, {.name = "is", .is = &types, .counted = true}, {.name = NULL}};
const vp_part vp_part_chunk = {.size = sizeof(vp_asked_chunk), .members = members, .read = read, .write = write, .drop = drop};

/* ---- what it is ---- */

static const char *fault_of(const vp_question *question)
{
    const vp_asked_grid *grid = question->part[0];
    const vp_asked_chunk *q = question->part[1];
    const int64_t low[3] = {grid->first.x, grid->first.y, grid->first.z}, n[3] = {grid->extents.x, grid->extents.y, grid->extents.z};
    if (q->edge < 1 || q->edge > VP_BLOCK_EDGE)
        return "no chunk has such an edge";
    for (int a = 0; a < 3; a++)
        if (low[a] < -1 || low[a] + n[a] > (int64_t)q->edge + 1)
            return "blocks beyond the layer around the chunk";
    if (q->type_count > MAX_TYPES + 1)
        return "too many types";
    for (uint32_t i = 0; i < q->type_count; i++)
        if (q->type[i].is > ALL_BITS)
            return "a bit of a type that there is not";
    return NULL;
}

bool vp_blocks_refused(const vp_question *q)
{
    return fault_of(q) != NULL;
}

json_t *vp_blocks_unsound(const vp_question *q)
{
    return fault_of(q) != NULL ? json_pack("{s:b}", "refused", 1) : NULL;
}

vp_status vp_blocks_window(const vp_question *question, vp_block_window *out, vp_block **cell, vp_error *error)
{
    const vp_asked_grid *grid = question->part[0];
    const vp_asked_chunk *q = question->part[1];
    const char *fault = fault_of(question);
    *cell = NULL;
    *out = (vp_block_window){.edge = q->edge, .type = q->type, .type_count = q->type_count};
    if (fault != NULL)
        return vp_fail(error, VP_E_ARGUMENT, "%s", fault);
    const size_t w = (size_t)q->edge + 2;
    *cell = calloc(w * w * w, sizeof **cell);
    if (*cell == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a chunk of edge %u", q->edge);
    const vp_dims n = grid->extents;
    for (size_t i = 0; i < vp_grid_cells(grid); i++) {
        const int32_t x = (int32_t)(i % n.x), y = (int32_t)(i / n.x / n.z), z = (int32_t)(i / n.x % n.z);
        (*cell)[vp_block_window_at(q->edge, grid->first.x + x, grid->first.y + y, grid->first.z + z)] = grid->full[i];
    }
    out->cell = *cell;
    return VP_OK;
}

/* ---- answers in rows of numbers ---- */

uint32_t *vp_rows_of(const json_t *rows, uint32_t each, uint32_t *count)
{
    *count = (uint32_t)json_array_size(rows);
    uint32_t *out = malloc(((size_t)*count * each + 1) * sizeof *out);
    for (size_t i = 0; out != NULL && i < (size_t)*count * each; i++)
        out[i] = (uint32_t)json_integer_value(json_array_get(json_array_get(rows, i / each), i % each));
    return out;
}

json_t *vp_rows_json(const uint32_t *number, uint32_t count, uint32_t each)
{
    json_t *rows = json_array();
    for (size_t i = 0; rows != NULL && i < count; i++) {
        json_t *row = vp_numbers_json(number + i * each, each);
        if (row == NULL || json_array_append_new(rows, row) != 0) {
            json_decref(rows);
            return NULL;
        }
    }
    return rows;
}
