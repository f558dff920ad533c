/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "conformance/shared/shared.h"

enum {
    MAX_CELLS = 1 << 22,
    MAX_EXTENT = 1 << 16, /* along an axis */
    MAX_PLACE = 1 << 24   /* limit of the lowest cell's coordinates */
};

/* ---- words ---- */

static vp_status read(vp_reader *r, const vp_part *of, void *part)
{
    vp_query_grid *q = part;
    const size_t each = of == &vp_part_grid || of == &vp_part_placed_grid ? 1 : 2; /* letters of a cell */
    const char *word;
    size_t length;
    const vp_status status = vp_part_read(r, of, part);
    if (status != VP_OK)
        return status;
    q->placed = of == &vp_part_placed_grid || of == &vp_part_placed_types;
    const int64_t layer = (int64_t)q->extents.x * q->extents.y;
    const size_t cells = vp_grid_cells(q);
    if (layer > MAX_CELLS || layer * q->extents.z > MAX_CELLS)
        return vp_fail(r->error, VP_E_FORMAT, "a grid of %u x %u x %u has more than %d cells", q->extents.x, q->extents.y, q->extents.z,
                       MAX_CELLS);
    if (!vp_word_next(r->words, &word, &length) || length != cells * each)
        return vp_fail(r->error, VP_E_FORMAT, "the cells of a grid of %u x %u x %u are %zu letters, not %zu", q->extents.x, q->extents.y,
                       q->extents.z, length, cells * each);
    void *room = malloc(cells + 1);
    if (room == NULL)
        return vp_fail(r->error, VP_E_MEMORY, "no memory for %zu cells", cells);
    if (each == 2) {
        q->full = room;
        for (size_t i = 0; i < cells; i++) {
            const int high = vp_digit_of(word[2 * i]), low = vp_digit_of(word[2 * i + 1]);
            if (high < 0 || low < 0)
                return vp_fail(r->error, VP_E_FORMAT, "cell %zu is '%.2s', not two hexadecimal digits", i, word + 2 * i);
            q->full[i] = (uint8_t)(high * 16 + low);
        }
        return VP_OK;
    }
    q->cells = room;
    memcpy(q->cells, word, cells);
    q->cells[cells] = '\0';
    const size_t good = strspn(q->cells, ".#~");
    return good == cells ? VP_OK : vp_fail(r->error, VP_E_FORMAT, "cell %zu is '%c', none of . # ~", good, q->cells[good]);
}

static void write(const vp_part *of, void *part, FILE *to)
{
    const vp_query_grid *q = part;
    vp_part_write(of, part, to);
    if (q->cells != NULL)
        fprintf(to, " %s", q->cells);
    for (size_t i = 0; q->full != NULL && i < vp_grid_cells(q); i++)
        fprintf(to, i == 0 ? " %02x" : "%02x", q->full[i]);
}

static bool copy(void *part)
{
    vp_query_grid *q = part;
    const bool full = q->full != NULL;
    void *to = malloc(vp_grid_cells(q) + 1);
    if (to != NULL)
        memcpy(to, full ? (const void *)q->full : q->cells, vp_grid_cells(q) + (full ? 0 : 1));
    q->full = full ? to : NULL;
    q->cells = full ? NULL : to;
    return to != NULL;
}

static void drop(void *part)
{
    vp_query_grid *q = part;
    free(q->cells);
    free(q->full);
}

/* ---- reduction ---- */

static bool is_air(const vp_query_grid *q, size_t cell)
{
    return q->full != NULL ? q->full[cell] == 0 : q->cells[cell] == '.';
}

static size_t count(const vp_part *of, void *part)
{
    const vp_query_grid *q = part;
    size_t out = 0;
    for (size_t i = 0; i < vp_grid_cells(q); i++)
        out += !is_air(q, i);
    return out;
}

static bool leave_out(const vp_part *of, void *part, size_t from, size_t to)
{
    const vp_query_grid *q = part;
    size_t number = 0;
    for (size_t i = 0; i < vp_grid_cells(q); i++) {
        if (is_air(q, i))
            continue;
        if (number >= from && number < to && q->full != NULL)
            q->full[i] = 0;
        else if (number >= from && number < to)
            q->cells[i] = '.';
        number++;
    }
    return true;
}

static bool crop(void *part, int axis, bool first, vp_vec3 *by)
{
    vp_query_grid *q = part;
    const vp_dims n = q->extents, m = {n.x - (axis == 0), n.y - (axis == 1), n.z - (axis == 2)};
    const uint32_t from[3] = {axis == 0 && first, axis == 1 && first, axis == 2 && first};
    size_t at = 0;
    if (m.x == 0 || m.y == 0 || m.z == 0)
        return false;
    for (uint32_t y = 0; y < m.y; y++)
        for (uint32_t z = 0; z < m.z; z++)
            for (uint32_t x = 0; x < m.x; x++, at++) {
                const size_t of = ((size_t)(y + from[1]) * n.z + z + from[2]) * n.x + x + from[0];
                if (q->full != NULL)
                    q->full[at] = q->full[of];
                else
                    q->cells[at] = q->cells[of];
            }
    if (q->cells != NULL)
        q->cells[at] = '\0';
    q->extents = m;
    *by = (vp_vec3){0.0f, 0.0f, 0.0f};
    if (q->placed)
        q->first = (vp_ivec3){q->first.x + (int32_t)from[0], q->first.y + (int32_t)from[1], q->first.z + (int32_t)from[2]};
    else
        *by = (vp_vec3){-(float)from[0], -(float)from[1], -(float)from[2]};
    return true;
}

static uint8_t *level(void *part, size_t i)
{
    const vp_query_grid *q = part;
    return i < vp_grid_cells(q) ? &q->full[i] : NULL;
}

static bool is_even(json_t *value)
{
    return json_string_length(value) % 2 == 0;
}

static const vp_value cells_value = {.type = JSON_STRING, .letters = ".#~"},
                      full_value = {.type = JSON_STRING, .letters = "0123456789abcdef", .also = is_even};
#define EXTENTS                                                                                                                            \
    .name = "extents", .is = &vp_is_three, .what = "an extent", .at = offsetof(vp_query_grid, extents), .least = 1, .most = MAX_EXTENT
#define FIRST                                                                                                                              \
    .name = "first", .is = &vp_is_cell, .otherwise = " 0 0 0", .what = "the place of the lowest cell",                                     \
    .at = offsetof(vp_query_grid, first), .least = -MAX_PLACE, .most = MAX_PLACE
static const vp_member grid_members[] = {{EXTENTS}, {.name = "cells", .is = &cells_value}, {.name = NULL}},
                       placed_members[] = {{EXTENTS}, {FIRST}, {.name = "cells", .is = &cells_value}, {.name = NULL}},
                       full_members[] = {{EXTENTS}, {.name = "full", .is = &full_value}, {.name = NULL}},
                       typed_members[] = {{EXTENTS}, {.name = "types", .is = &full_value}, {.name = NULL}},
                       placed_types_members[] = {{EXTENTS}, {FIRST}, {.name = "types", .is = &full_value}, {.name = NULL}};

#define GRID                                                                                                                               \
    .size = sizeof(vp_query_grid), .read = read, .write = write, .copy = copy, .drop = drop, .unit = "voxels", .count = count,             \
    .leave_out = leave_out, .crop = crop
const vp_part vp_part_grid = {GRID, .members = grid_members};
const vp_part vp_part_placed_grid = {GRID, .members = placed_members};
const vp_part vp_part_full_grid = {GRID, .members = full_members, .level = level};
const vp_part vp_part_typed_grid = {GRID, .members = typed_members};
const vp_part vp_part_placed_types = {GRID, .members = placed_types_members};

/* ---- worlds ---- */

vp_ivec3 vp_grid_place(const vp_query_grid *q, size_t cell)
{
    const vp_dims n = q->extents;
    return (vp_ivec3){(int32_t)(cell % n.x), (int32_t)(cell / n.x / n.z), (int32_t)(cell / n.x % n.z)};
}

size_t vp_grid_number(const vp_query_grid *q, int64_t x, int64_t y, int64_t z)
{
    const vp_dims n = q->extents;
    const bool inside = x >= 0 && y >= 0 && z >= 0 && x < n.x && y < n.y && z < n.z;
    return inside ? ((size_t)y * n.z + (size_t)z) * n.x + (size_t)x : SIZE_MAX;
}

static uint32_t whole_chunks(uint32_t extent)
{
    return (extent + VP_CHUNK_EDGE - 1) / VP_CHUNK_EDGE * VP_CHUNK_EDGE;
}

vp_status vp_grid_world(const vp_query_grid *q, uint32_t border, uint8_t material, vp_world **out, vp_error *error)
{
    const size_t cells = vp_grid_cells(q);
    const vp_world_def def = {.size = {whole_chunks(q->extents.x + 2 * border), whole_chunks(q->extents.y + 2 * border),
                                       whole_chunks(q->extents.z + 2 * border)}};
    uint8_t *is = malloc(cells), *occupancy = malloc(cells);
    vp_status status =
        is == NULL || occupancy == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %zu cells", cells) : vp_world_create(&def, out, error);
    if (status == VP_OK) {
        for (size_t i = 0; i < cells; i++) {
            occupancy[i] = q->full != NULL ? q->full[i] : q->cells[i] != '.' ? 255 : 0;
            is[i] = occupancy[i] == 0 ? VP_AIR : q->full != NULL ? material : q->cells[i] == '#' ? VP_FIRST_SOLID : VP_WATER;
        }
        const vp_ivec3 low = {(int32_t)border, (int32_t)border, (int32_t)border};
        status = vp_world_write_rows(*out, low, q->extents, is, occupancy, NULL, error);
    }
    free(is);
    free(occupancy);
    return status;
}

vp_status vp_grid_broadphase(const vp_query_grid *q, const vp_kernels *kernels, vp_world **world, vp_broadphase **out, vp_error *error)
{
    const vp_status status = vp_grid_world(q, 0, VP_WATER, world, error);
    if (status != VP_OK)
        return status;
    const vp_broadphase_def def = {.world = *world, .kernels = kernels};
    return vp_broadphase_create(&def, out, error);
}
