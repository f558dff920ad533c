/* SPDX-License-Identifier: MIT */
/* Solids of blocks, as boxes for way_out.h and as the triangles that the library makes of them. */
#ifndef VP_TESTS_NARROWPHASE_SOLIDS_H
#define VP_TESTS_NARROWPHASE_SOLIDS_H

#include <voxphys/narrowphase.h>

#include "tests/narrowphase/way_out.h"
#include "tests/support/check.h"

typedef enum solid { PLATFORM, ROW, BANK, STAIRS, PILLARS, RANDOM, CRATE } solid;
/* The source of the triangles. BLOCKS = vp_collide_blocks. MASKED = vp_collide_box_triangles of each block with a mask. ONE_BOX =
   vp_collide_box_triangles of the whole. MESH = a connected mesh with a random point in each side. */
typedef enum form { BLOCKS, MASKED, ONE_BOX, MESH } form;

enum { SOLID_REACH = 6, SOLID_SIDE = 2 * SOLID_REACH, SOLID_CHUNKS = 8, SOLID_ROOM = 8192 };

static uint8_t solid_cell[SOLID_CHUNKS][VP_BLOCK_CELLS];
static vp_block_cells solid_chunk[SOLID_CHUNKS];
static const vp_block_type solid_type[] = {{0, 0}, {VP_BLOCK_COLLIDES, 0}};
static const vp_block_view solid_view = {.chunk = solid_chunk, .low = {-1, -1, -1}, .size = {2, 2, 2}, .type = solid_type, .type_count = 2};
static bool solid_filled[SOLID_SIDE][SOLID_SIDE][SOLID_SIDE], solid_done[SOLID_SIDE][SOLID_SIDE][SOLID_SIDE];
static way_solid boxes;

static inline bool solid_has(solid s, int x, int y, int z, vp_random *r)
{
    switch (s) {
    case PLATFORM:
        return x >= -4 && x < 4 && y >= -4 && y < 0 && z >= -4 && z < 4;
    case ROW:
        return x >= -1 && x < 2 && y == -1 && z == 0;
    case BANK:
        return y < -1 || (y < 0 && x < 0);
    case STAIRS:
        return y < x;
    case PILLARS:
        return y < -2 || (y < 0 && (x + 30) % 3 == 0 && (z + 30) % 3 == 0);
    default:
        return x >= -3 && x < 3 && y >= -3 && y < 3 && z >= -3 && z < 3 && vp_random_below(r, 2) == 0;
    }
}

static inline bool is_filled(int x, int y, int z)
{
    const int a = x + SOLID_REACH, b = y + SOLID_REACH, c = z + SOLID_REACH;
    return a >= 0 && a < SOLID_SIDE && b >= 0 && b < SOLID_SIDE && c >= 0 && c < SOLID_SIDE && solid_filled[a][b][c];
}

/* Whether all cells are filled and not in a box yet. */
static inline bool solid_is_open(const int low[3], const int high[3], bool mark)
{
    bool open = true;
    for (int x = low[0]; x < high[0]; x++)
        for (int y = low[1]; y < high[1]; y++)
            for (int z = low[2]; z < high[2]; z++) {
                open = open && is_filled(x, y, z) && !solid_done[x + SOLID_REACH][y + SOLID_REACH][z + SOLID_REACH];
                if (mark)
                    solid_done[x + SOLID_REACH][y + SOLID_REACH][z + SOLID_REACH] = true;
            }
    return open;
}

/* The largest box whose lowest cell is this one. */
static inline void solid_add_box(int x, int y, int z)
{
    int low[3] = {x, y, z}, high[3] = {x + 1, y + 1, z + 1};
    for (int a = 0; a < 3; a++) {
        int from[3] = {low[0], low[1], low[2]};
        do
            from[a] = high[a]++;
        while (solid_is_open(from, high, false));
        high[a]--;
    }
    solid_is_open(low, high, true);
    assert_true(boxes.count < WAY_BOXES);
    for (int a = 0; a < 3; a++) {
        boxes.low[boxes.count][a] = low[a];
        boxes.high[boxes.count][a] = high[a];
    }
    boxes.count++;
}

static inline void fill(solid s, uint64_t seed)
{
    vp_random r = {seed};
    memset(solid_cell, 0, sizeof solid_cell);
    memset(solid_filled, 0, sizeof solid_filled);
    memset(solid_done, 0, sizeof solid_done);
    boxes.count = 0;
    if (s == CRATE) {
        boxes = (way_solid){.low = {{-0.40625, -0.625, -0.5}}, .high = {{0.40625, 0.0, 0.5}}, .count = 1};
        return;
    }
    for (int y = -SOLID_REACH; y < SOLID_REACH; y++)
        for (int z = -SOLID_REACH; z < SOLID_REACH; z++)
            for (int x = -SOLID_REACH; x < SOLID_REACH; x++) {
                if (!solid_has(s, x, y, z, &r))
                    continue;
                solid_cell[((y >= 0) * 2 + (z >= 0)) * 2 + (x >= 0)][((y & 31) * 32 + (z & 31)) * 32 + (x & 31)] = 1;
                solid_filled[x + SOLID_REACH][y + SOLID_REACH][z + SOLID_REACH] = true;
            }
    for (int c = 0; c < SOLID_CHUNKS; c++)
        solid_chunk[c] = (vp_block_cells){.cell = solid_cell[c], .width = 1};
    for (int x = -SOLID_REACH; x < SOLID_REACH; x++)
        for (int y = -SOLID_REACH; y < SOLID_REACH; y++)
            for (int z = -SOLID_REACH; z < SOLID_REACH; z++)
                if (solid_is_open((int[3]){x, y, z}, (int[3]){x + 1, y + 1, z + 1}, false))
                    solid_add_box(x, y, z);
}

/* ---- triangles ---- */

static inline uint32_t gather_masked(const vp_aabb *box, vp_collide_triangle *out)
{
    static const int way[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    uint32_t count = 0;
    for (int y = (int)floorf(box->min.y); y <= (int)floorf(box->max.y); y++)
        for (int z = (int)floorf(box->min.z); z <= (int)floorf(box->max.z); z++)
            for (int x = (int)floorf(box->min.x); x <= (int)floorf(box->max.x); x++) {
                const vp_vec3 low = {(float)x, (float)y, (float)z}, high = {low.x + 1.0f, low.y + 1.0f, low.z + 1.0f};
                uint32_t sides = 0;
                for (int s = 0; s < 6; s++)
                    sides |= is_filled(x + way[s][0], y + way[s][1], z + way[s][2]) ? 0u : 1u << s;
                if (is_filled(x, y, z))
                    count += vp_collide_box_triangles(&(vp_aabb){low, high}, sides, count, out + count);
            }
    return count;
}

static inline uint32_t gather_one_box(vp_collide_triangle *out)
{
    vp_aabb own;
    assert_int_equal(boxes.count, 1);
    for (int a = 0; a < 3; a++) {
        (&own.min.x)[a] = (float)boxes.low[0][a];
        (&own.max.x)[a] = (float)boxes.high[0][a];
    }
    return vp_collide_box_triangles(&own, VP_SIDES_ALL, 0, out);
}

/* Splits each side of a block into four triangles around a point. */
static inline uint32_t gather_mesh(const vp_collide_triangle *side, uint32_t count, vp_random *r, vp_collide_triangle *out)
{
    static uint32_t words[VP_COLLIDE_CONNECT_WORDS(SOLID_ROOM)];
    uint32_t made = 0;
    assert_true(2 * count <= SOLID_ROOM);
    for (uint32_t i = 0; i < count; i += 2) {
        const vp_vec3 p[4] = {side[i].corner[0], side[i].corner[1], side[i].corner[2], side[i + 1].corner[2]};
        const vp_vec3 a = vp_vec3_scale(vp_vec3_sub(p[1], p[0]), vp_random_between(r, 0.1f, 0.9f)),
                      b = vp_vec3_scale(vp_vec3_sub(p[3], p[0]), vp_random_between(r, 0.1f, 0.9f)),
                      middle = vp_vec3_add(p[0], vp_vec3_add(a, b));
        for (int k = 0; k < 4; k++) {
            const vp_vec3 corner[3] = {p[k], p[(k + 1) % 4], middle};
            out[made] = vp_collide_triangle_of(corner, made);
            made++;
        }
    }
    assert_ok(vp_collide_connect(out, made, words, &error));
    return made;
}

/* The surface of the solid near a box. */
static inline uint32_t gather(form f, const vp_aabb *box, vp_random *r, vp_collide_triangle *out)
{
    static vp_collide_triangle side[SOLID_ROOM];
    uint32_t count;
    if (f == MASKED)
        return gather_masked(box, out);
    if (f == ONE_BOX)
        return gather_one_box(out);
    assert_ok(vp_collide_blocks(&solid_view, box, f == BLOCKS ? out : side, SOLID_ROOM, &count, &error));
    assert_true(count <= SOLID_ROOM);
    return f == BLOCKS ? count : gather_mesh(side, count, r, out);
}

#endif
