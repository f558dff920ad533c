/* SPDX-License-Identifier: MIT */
/* Bodies that move along flat floors and walls, in corners and shafts. A body moves freely on an axis without an obstacle, and never goes
 * through a block. The tests find obstacles block by block. */
#include "tests/blocks/worlds.h"

#include <math.h>

enum { WALKS = IS_DEEP ? 100000 : 2000 / THIN_BY };
enum { TICKS = 40 };

/* Positive, negative and large coordinates. */
static const vp_ivec3 lows[3] = {{0, 0, 0}, {-1, -1, -1}, {156, -156, 3}};

static vp_vec3 vector(const float v[3])
{
    return (vp_vec3){v[0], v[1], v[2]};
}

static void fill(world *w, const int32_t at[3], vp_block type)
{
    int32_t i[3] = {0};
    for (int a = 0; a < 3; a++) {
        i[a] = at[a] - lowest(w, a);
        if (i[a] < 0 || i[a] >= extent(w, a))
            return;
    }
    w->block[((size_t)i[1] * (size_t)extent(w, 2) + (size_t)i[2]) * (size_t)extent(w, 0) + (size_t)i[0]] = type;
}

/* ---- boxes whose sides lie on block borders ---- */

typedef struct flush_box {
    int32_t low[3], high[3]; /* whole blocks */
} flush_box;

/* Whether no block obstructs a move of less than a block. */
static bool is_free(const world *w, const flush_box *box, const int way[3])
{
    int32_t from[3], to[3];
    for (int a = 0; a < 3; a++) {
        from[a] = box->low[a] - (way[a] < 0);
        to[a] = box->high[a] + (way[a] > 0);
    }
    for (int32_t y = from[1]; y < to[1]; y++)
        for (int32_t z = from[2]; z < to[2]; z++)
            for (int32_t x = from[0]; x < to[0]; x++)
                if (has(block_at(w, x, y, z), VP_BLOCK_COLLIDES))
                    return false;
    return true;
}

/* Moves a box towards each of the 26 neighbours. It moves where nothing obstructs it, and no axis is stopped without need. */
static void move_all_ways(const world *w, const flush_box *box)
{
    for (int n = 0; n < 27; n++) {
        const int way[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        const float speed[3] = {0.125f, 0.75f, 0.25f};
        float half[3], centre[3], move[3];
        for (int a = 0; a < 3; a++) {
            half[a] = (float)(box->high[a] - box->low[a]) / 2;
            centre[a] = (float)box->low[a] + half[a];
            move[a] = (float)way[a] * speed[(a + n) % 3];
        }
        const vp_block_mover mover = {.half = vector(half), .up = VP_SIDE_Y_HIGH};
        vp_block_move_result moved;
        assert_ok(vp_block_move(&w->view, &mover, vector(centre), vector(move), &moved, &error));
        int went[3];
        uint32_t sides = 0;
        for (int a = 0; a < 3; a++) {
            went[a] = get(moved.centre, a) == centre[a] ? 0 : way[a];
            assert_true(get(moved.centre, a) == centre[a] + (went[a] != 0 ? move[a] : 0));
            sides |= went[a] != way[a] ? 1u << (2 * a + (way[a] < 0)) : 0;
        }
        assert_int_equal(moved.sides, sides);
        assert_true(is_free(w, box, went));
        for (int a = 0; a < 3; a++) {
            int more[3] = {went[0], went[1], went[2]};
            more[a] = way[a];
            if (went[a] != way[a] && is_free(w, box, more))
                fail_msg("towards (%d, %d, %d): stopped along %c, where nothing is in the way", way[0], way[1], way[2], "xyz"[a]);
        }
    }
}

/* docs/CONTRACT.md: BSH-11. All blocks that a box of one block can meet, over its faces, edges and corners, filled in all 2^7 ways, equal
 * on all sides. */
TEST(every_neighbourhood)
{
    vp_random r = {1};
    for (int place = 0; place < 3; place++) {
        world w;
        world_begin(&w, &r, EMPTY, lows[place], (vp_dims){1, 1, 1});
        flush_box box;
        for (int a = 0; a < 3; a++) {
            box.low[a] = lowest(&w, a) + 16;
            box.high[a] = box.low[a] + 1;
        }
        for (uint32_t ways = 0; ways < 1u << 7; ways++) {
            for (int n = 0; n < 27; n++) {
                const int32_t d[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1},
                              at[3] = {box.low[0] + d[0], box.low[1] + d[1], box.low[2] + d[2]};
                const uint32_t axes = (uint32_t)(d[0] != 0) | (uint32_t)(d[1] != 0) << 1 | (uint32_t)(d[2] != 0) << 2;
                fill(&w, at, axes != 0 && (ways >> (axes - 1) & 1) != 0 ? STONE : 0);
            }
            world_lay(&w);
            move_all_ways(&w, &box);
        }
        world_end(&w);
    }
}

/* ---- walks ---- */

/* A body and its move in each tick. */
typedef struct walker {
    vp_block_mover mover;
    float centre[3], half[3], move[3];
} walker;

static float any_of(vp_random *r, const float *value, uint32_t count)
{
    return value[vp_random_below(r, count)];
}

static const float halves[] = {0.3f, 0.25f, 0.4f, 0.5f, 0.9f, 1, 0.1f, 0.45f};
static const float speeds[] = {0.1f, 0.05f, 0.0625f, 0.125f, 0.21f, 4.317f / 20, 5 / 60.0f, 0.3f, 0.5f, 0.08f, 0.001f};
static const float steps[] = {0, 0.6f, 1.05f};

static float any_speed(vp_random *r)
{
    const float speed = vp_random_below(r, 4) == 0 ? vp_random_between(r, 0, 0.3f) : any_of(r, speeds, sizeof speeds / sizeof *speeds);
    return vp_random_below(r, 2) == 0 ? speed : -speed;
}

/* A coordinate, often a block border, a sixteenth or a tenth. */
static float any_place(vp_random *r, float low, float high)
{
    const float at = vp_random_between(r, low, high), unit = (float)(vp_random_below(r, 2) == 0 ? 16 : 10);
    return vp_random_below(r, 4) == 0 ? at : floorf(at * unit) / unit;
}

static walker any_walker(vp_random *r)
{
    walker w = {.mover = {.up = VP_SIDE_Y_HIGH, .step = any_of(r, steps, 3)}};
    const bool is_cube = vp_random_below(r, 4) == 0;
    for (int a = 0; a < 3; a++) {
        w.half[a] = is_cube && a > 0 ? w.half[0] : any_of(r, halves, sizeof halves / sizeof *halves);
        w.move[a] = any_speed(r);
    }
    if (vp_random_below(r, 2) == 0) /* values of games */
        w.move[1] = -0.08f;
    if (vp_random_below(r, 3) == 0)
        w.move[2 * vp_random_below(r, 2)] = 0;
    w.mover.half = vector(w.half);
    return w;
}

static vp_block_move_result walk(const world *w, walker *b)
{
    vp_block_move_result moved;
    assert_ok(vp_block_move(&w->view, &b->mover, vector(b->centre), vector(b->move), &moved, &error));
    assert_false(moved.inside);
    assert_false(is_in_blocks(w, moved.centre, b->mover.half));
    for (int a = 0; a < 3; a++)
        b->centre[a] = get(moved.centre, a);
    return moved;
}

/* More than the rounding of a move. */
static double slack(const walker *b, int axis)
{
    return 0x1p-21 * (fabs((double)b->centre[axis]) + 4);
}

/* docs/CONTRACT.md: BSH-11. A room with some flat sides: floors, walls, ceilings, corners and shafts. On each axis a body gets the whole
 * move or reaches the side. */
TEST(in_rooms)
{
    vp_random r = {3};
    uint32_t stopped = 0, slid = 0;
    for (int i = 0; i < WALKS / 50; i++) {
        world w;
        int32_t low[3], high[3]; /* of the room */
        world_begin(&w, &r, FULL, lows[i % 3], (vp_dims){1, 1, 1});
        for (int a = 0; a < 3; a++) {
            const bool is_open = vp_random_below(&r, 3) == 0; /* open to the end of the world */
            low[a] = lowest(&w, a) + (is_open ? 0 : 8 + (int32_t)vp_random_below(&r, 4));
            high[a] = is_open ? lowest(&w, a) + 32 : low[a] + 2 + (int32_t)vp_random_below(&r, 12);
        }
        for (int32_t k = 0; k < 32 * 32 * 32; k++) {
            const int32_t at[3] = {lowest(&w, 0) + k % 32, lowest(&w, 1) + k / 1024, lowest(&w, 2) + k / 32 % 32};
            bool inside = true;
            for (int a = 0; a < 3; a++)
                inside = inside && at[a] >= low[a] && at[a] < high[a];
            if (inside)
                fill(&w, at, 0);
        }
        world_lay(&w);
        for (int k = 0; k < 50; k++) {
            walker b = any_walker(&r);
            for (int a = 0; a < 3; a++)
                b.centre[a] = any_place(&r, (float)low[a] + b.half[a], (float)high[a] - b.half[a]);
            if (is_in_blocks(&w, vector(b.centre), b.mover.half)) /* rounded into a block, or not in the room */
                continue;
            for (int t = 0; t < TICKS; t++) {
                const walker before = b;
                uint32_t sides = 0, free_axes = 0;
                bool leaves = false;
                for (int a = 0; a < 3; a++)
                    leaves =
                        leaves || b.centre[a] - b.half[a] < (float)lowest(&w, a) + 1 || b.centre[a] + b.half[a] > (float)lowest(&w, a) + 31;
                if (leaves)
                    break;
                const vp_block_move_result moved = walk(&w, &b);
                for (int a = 0; a < 3; a++) {
                    const double to = (double)before.centre[a] + (double)b.move[a], h = (double)b.half[a];
                    const double want = fmin(fmax(to, low[a] + h), high[a] - h);
                    if (fabs((double)b.centre[a] - want) > slack(&b, a))
                        fail_msg("room (%d to %d, %d to %d, %d to %d), half (%g, %g, %g), from (%.9g, %.9g, %.9g) by (%.9g, %.9g, %.9g): "
                                 "%c is %.9g, "
                                 "not %.9g",
                                 low[0], high[0], low[1], high[1], low[2], high[2], (double)b.half[0], (double)b.half[1], (double)b.half[2],
                                 (double)before.centre[0], (double)before.centre[1], (double)before.centre[2], (double)b.move[0],
                                 (double)b.move[1], (double)b.move[2], "xyz"[a], (double)b.centre[a], want);
                    free_axes += to == want && b.move[a] != 0;
                    sides |= to < want - slack(&b, a) ? 1u << (2 * a + 1) : to > want + slack(&b, a) ? 1u << 2 * a : 0;
                }
                assert_int_equal(moved.sides & sides, sides);
                stopped += sides != 0;
                slid += sides != 0 && free_axes > 0;
            }
        }
        world_end(&w);
    }
    assert_true(stopped > WALKS && slid > WALKS / 2);
}
