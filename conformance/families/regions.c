/* SPDX-License-Identifier: MIT */
/* regions: the solid cells that are not connected to an anchor, and their connected parts. Answered by labelling the whole world and by
 * searches from every cell, which must agree. */
#include <stdlib.h>
#include <string.h>

#include "conformance/shared/shared.h"

enum { DIGITS = 6 /* letters of a cell in an answer */, BOTTOM = 0, BORDER };

static const char *const anchors[] = {"bottom", "border", NULL};
static const vp_value anchors_value = {.type = JSON_STRING, .choice = &(const vp_choice){.names = anchors}};
static const vp_member anchors_members[] = {{.name = "anchors", .is = &anchors_value}, {.name = NULL}};
static const vp_part part_anchors = {.size = sizeof(uint32_t), .members = anchors_members};

/* ---- answering ---- */

/* A mask marks the grid's border, because the world may be larger than the grid. `at` lists all cells of the grid in order. */
static void list_cells(const vp_query_grid *grid, vp_dims world, uint64_t *mask, vp_ivec3 *at)
{
    const vp_dims n = grid->extents;
    for (uint32_t i = 0; i < vp_grid_cells(grid); i++) {
        const uint32_t x = i % n.x, z = i / n.x % n.z, y = i / n.x / n.z, cell = (y * world.z + z) * world.x + x;
        at[i] = (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z};
        if (x == 0 || y == 0 || z == 0 || x == n.x - 1 || y == n.y - 1 || z == n.z - 1)
            mask[cell / 64] |= UINT64_C(1) << cell % 64;
    }
}

static bool are_same(const vp_regions *a, const vp_regions *b)
{
    bool same = a->region_count == b->region_count && a->voxel_count == b->voxel_count;
    for (uint32_t i = 0; same && i < a->region_count; i++)
        same = a->region[i].count == b->region[i].count;
    return same && (a->voxel_count == 0 || memcmp(a->at, b->at, a->voxel_count * sizeof *a->at) == 0);
}

static void write_regions(const vp_query_grid *grid, const vp_regions *r, uint32_t *number, FILE *to)
{
    const vp_dims n = grid->extents;
    for (uint32_t i = 0; i < r->region_count; i++)
        for (uint32_t k = 0; k < r->region[i].count; k++) {
            const vp_ivec3 v = r->region[i].at[k];
            number[((uint32_t)v.y * n.z + (uint32_t)v.z) * n.x + (uint32_t)v.x] = i + 1;
        }
    for (size_t i = 0; i < vp_grid_cells(grid); i++)
        fprintf(to, "%0*x", DIGITS, number[i]);
}

static vp_status answer(const vp_question *question, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    const vp_query_grid *grid = question->part[0];
    const size_t cells = vp_grid_cells(grid);
    vp_world *world = NULL;
    vp_regions labelled = {0}, found = {0};
    vp_status status = vp_grid_world(grid, 0, VP_FIRST_SOLID, &world, error);
    const vp_dims size = status == VP_OK ? vp_world_size(world) : (vp_dims){0};
    uint64_t *mask = calloc((size_t)size.x * size.y * size.z / 64 + 1, sizeof *mask);
    vp_ivec3 *at = malloc(cells * sizeof *at);
    uint32_t *number = calloc(cells, sizeof *number);
    if (status == VP_OK && (mask == NULL || at == NULL || number == NULL))
        status = vp_fail(error, VP_E_MEMORY, "no memory for %zu cells", cells);
    if (status == VP_OK) {
        const bool border = *(const uint32_t *)question->part[1] == BORDER;
        const vp_regions_def def = {.anchors = border ? VP_ANCHOR_MASK : VP_ANCHOR_BOTTOM,
                                    .mask = mask,
                                    .max_regions = UINT32_MAX,
                                    .max_voxels = UINT32_MAX,
                                    .kernels = kernels};
        list_cells(grid, size, mask, at);
        status = vp_regions_label(&def, world, &labelled, error);
        if (status == VP_OK)
            status = vp_regions_find(&def, world, at, NULL, cells, &found, error);
    }
    if (status == VP_OK && !are_same(&labelled, &found))
        status = vp_fail(error, VP_E_FORMAT, "searches find other regions than labelling");
    if (status == VP_OK)
        write_regions(grid, &labelled, number, to);
    vp_regions_destroy(&labelled);
    vp_regions_destroy(&found);
    vp_world_destroy(world);
    free(mask);
    free(at);
    free(number);
    return status;
}

static const vp_value regions = {.type = JSON_STRING, .letters = "0123456789abcdef"};
static const vp_member expected[] = {{.name = "regions", .is = &regions}, {.name = NULL}};

const vp_family vp_family_regions = {VP_FAMILY_OF_WORDS("regions", VP_EXACT, DIGITS), .part = {&vp_part_grid, &part_anchors}};
