/* SPDX-License-Identifier: MIT */
/* Two by two by two chunks of blocks around the origin. Types 1 and 2 collide. */
#ifndef VP_TESTS_NARROWPHASE_BLOCK_SCENE_H
#define VP_TESTS_NARROWPHASE_BLOCK_SCENE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <voxphys/block_shapes.h>
#include <voxphys/narrowphase.h>

enum { BLOCK_CHUNKS = 8 };

static uint8_t cells[BLOCK_CHUNKS][VP_BLOCK_CELLS];
static vp_block_cells chunks[BLOCK_CHUNKS];
static const vp_block_type types[] = {{0, 0}, {VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE, 0}, {VP_BLOCK_COLLIDES, 0}, {VP_BLOCK_FLUID, 0}};
static const vp_block_view view = {
    .chunk = chunks, .low = {-1, -1, -1}, .size = {2, 2, 2}, .type = types, .type_count = sizeof types / sizeof types[0]};

static inline int chunk_of(int x, int y, int z)
{
    return ((y >= 0) * 2 + (z >= 0)) * 2 + (x >= 0);
}

static inline uint8_t *cell_at(int x, int y, int z)
{
    return &cells[chunk_of(x, y, z)][((y & 31) * 32 + (z & 31)) * 32 + (x & 31)];
}

/* Reads the cells directly, not through the library. */
static inline bool is_solid(int x, int y, int z)
{
    const bool inside = x >= -32 && x < 32 && y >= -32 && y < 32 && z >= -32 && z < 32;
    return inside && (*cell_at(x, y, z) == 1 || *cell_at(x, y, z) == 2);
}

static inline void clear_blocks(void)
{
    memset(cells, 0, sizeof cells);
    for (int c = 0; c < BLOCK_CHUNKS; c++)
        chunks[c] = (vp_block_cells){.cell = cells[c], .width = 1};
}

/* The colliding blocks near a box as boxes of one block, with masks of their uncovered sides. @return the number of triangles */
static inline uint32_t gather_block_boxes(const vp_aabb *box, vp_collide_triangle *out)
{
    uint32_t count = 0;
    for (int y = (int)floorf(box->min.y); y <= (int)floorf(box->max.y); y++)
        for (int z = (int)floorf(box->min.z); z <= (int)floorf(box->max.z); z++)
            for (int x = (int)floorf(box->min.x); x <= (int)floorf(box->max.x); x++) {
                const vp_vec3 low = {(float)x, (float)y, (float)z};
                uint32_t sides = 0;
                for (int s = 0; s < 6; s++) {
                    int before[3] = {x, y, z};
                    before[s / 2] += s % 2 == 0 ? -1 : 1;
                    sides |= is_solid(before[0], before[1], before[2]) ? 0u : 1u << s;
                }
                if (is_solid(x, y, z))
                    count += vp_collide_box_triangles(&(vp_aabb){low, {low.x + 1, low.y + 1, low.z + 1}}, sides, count, out + count);
            }
    return count;
}

#endif
