/* SPDX-License-Identifier: MIT */
/* Players that move through blocks, in worlds made by hand, on all six grounds. */
#include "tests/blocks/worlds.h"

#include <math.h>

/* ---- a world made by hand ---- */

/* Coordinates ahead, up and across, for a world whose ground is any of its six sides. */
typedef struct turned_world {
    world w;
    uint32_t up;
    int axis[3]; /* ahead, up, across */
} turned_world;

static vp_vec3 turned(const turned_world *p, float ahead, float up, float across, bool is_point)
{
    float v[3];
    v[p->axis[0]] = ahead;
    v[p->axis[1]] = p->up % 2 == 1 ? up : is_point ? 32 - up : -up;
    v[p->axis[2]] = across;
    return (vp_vec3){v[0], v[1], v[2]};
}

static void put(turned_world *p, int32_t ahead, int32_t up, int32_t across, vp_block type)
{
    int32_t v[3];
    v[p->axis[0]] = ahead;
    v[p->axis[1]] = p->up % 2 == 1 ? up : 31 - up;
    v[p->axis[2]] = across;
    p->w.block[(v[1] * 32 + v[2]) * 32 + v[0]] = type;
}

/* Moves a player. Centre and move are ahead, up, across. */
static vp_block_move_result walk(const turned_world *p, float step, const float from[3], const float move[3])
{
    const vp_vec3 half = turned(p, 0.3f, p->up % 2 == 1 ? 0.9f : -0.9f, 0.3f, false);
    const vp_block_mover mover = {half, p->up, step, NULL};
    vp_block_move_result moved;
    assert_ok(vp_block_move(&p->w.view, &mover, turned(p, from[0], from[1], from[2], true), turned(p, move[0], move[1], move[2], false),
                            &moved, &error));
    return moved;
}

static void expect_at(const turned_world *p, const vp_block_move_result *moved, float ahead, float up, float across)
{
    const vp_vec3 want = turned(p, ahead, up, across, true);
    for (int a = 0; a < 3; a++)
        if (fabsf(get(moved->centre, a) - get(want, a)) > 4e-6f)
            fail_msg("up %u: %g is not %g on axis %d", p->up, (double)get(moved->centre, a), (double)get(want, a), a);
}

/* docs/CONTRACT.md: BSH-11 */
TEST(on_all_six_grounds)
{
    static const int axes[3][3] = {{1, 0, 2}, {0, 1, 2}, {0, 2, 1}};
    for (uint32_t up = 0; up < VP_SIDE_COUNT; up++) {
        turned_world p = {.up = up, .axis = {axes[up / 2][0], axes[up / 2][1], axes[up / 2][2]}};
        vp_random r = {1};
        const uint32_t side_up = up, ahead_low = 2 * (uint32_t)p.axis[0], across_low = 2 * (uint32_t)p.axis[2];
        world_begin(&p.w, &r, EMPTY, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
        for (int i = 0; i < 32; i++)
            for (int j = 0; j < 32; j++)
                put(&p, i, 0, j, EARTH);
        for (int j = 0; j < 32; j++)
            put(&p, 10, 1, j, STONE); /* a step */
        for (int j = 0; j < 32; j++) {
            put(&p, 20, 1, j, STONE); /* a wall of two blocks */
            put(&p, 20, 2, j, STONE);
        }
        put(&p, 5, 1, 20, WATER);
        world_lay(&p.w);
        /* falls and stands */
        vp_block_move_result m = walk(&p, 0, (float[3]){3, 5, 3}, (float[3]){0, -10, 0});
        expect_at(&p, &m, 3, 1.9f, 3);
        assert_true(m.ground == EARTH && m.sides == 1u << side_up && m.fluid == 0 && !m.stepped && !m.inside);
        /* in the air */
        m = walk(&p, 1.1f, (float[3]){3, 5, 3}, (float[3]){1, -1, 2});
        expect_at(&p, &m, 4, 4, 5);
        assert_true(m.ground == 0 && m.sides == 0);
        /* onto the ground, then along it for the rest of the move */
        m = walk(&p, 0, (float[3]){3, 2.9f, 3}, (float[3]){2, -2, 1});
        expect_at(&p, &m, 5, 1.9f, 4);
        /* a wall stops it ahead, not across */
        m = walk(&p, 0, (float[3]){9, 1.9f, 3}, (float[3]){2, -0.1f, 1});
        expect_at(&p, &m, 9.7f, 1.9f, 4);
        assert_true(m.sides == (1u << side_up | 1u << ahead_low) && !m.stepped);
        /* up the step, if the mover may */
        m = walk(&p, 1.1f, (float[3]){9, 1.9f, 3}, (float[3]){2, -0.1f, 1});
        expect_at(&p, &m, 11, 2.9f, 4);
        assert_true(m.stepped && m.ground == STONE && (m.sides & 1u << ahead_low) == 0);
        m = walk(&p, 0.9f, (float[3]){9, 1.9f, 3}, (float[3]){2, -0.1f, 1}); /* the step is too high */
        expect_at(&p, &m, 9.7f, 1.9f, 4);
        m = walk(&p, 1.1f, (float[3]){9, 2.0f, 3}, (float[3]){2, 0, 1}); /* the player does not stand */
        expect_at(&p, &m, 9.7f, 2.0f, 4);
        m = walk(&p, 1.1f, (float[3]){19, 1.9f, 3}, (float[3]){2, -0.1f, 0}); /* two blocks are too high */
        expect_at(&p, &m, 19.7f, 1.9f, 3);
        m = walk(&p, 2.1f, (float[3]){19, 1.9f, 3}, (float[3]){1, -0.1f, 0}); /* but not for a higher step */
        expect_at(&p, &m, 20, 3.9f, 3);
        for (int j = 0; j < 32; j++)
            put(&p, 9, 3, j, STONE); /* a beam above leaves no room to go up */
        world_lay(&p.w);
        m = walk(&p, 1.1f, (float[3]){9, 1.9f, 3}, (float[3]){2, -0.1f, 0});
        expect_at(&p, &m, 9.7f, 1.9f, 3);
        assert_false(m.stepped);
        /* through water, which the result reports */
        m = walk(&p, 0, (float[3]){3, 1.9f, 20.5f}, (float[3]){4, 0, 0});
        expect_at(&p, &m, 7, 1.9f, 20.5f);
        assert_true(m.fluid == WATER && m.sides == 0);
        /* water that it leaves before the end of the move is reported too */
        put(&p, 15, 5, 10, WATER);
        world_lay(&p.w);
        m = walk(&p, 0, (float[3]){15.5f, 8, 10.5f}, (float[3]){1, -10, 0});
        expect_at(&p, &m, 16.5f, 1.9f, 10.5f);
        assert_int_equal(m.fluid, WATER);
        /* a corner stops all three axes */
        for (int i = 0; i < 32; i++)
            for (int k = 1; k < 8; k++)
                put(&p, i, k, 31, STONE);
        world_lay(&p.w);
        m = walk(&p, 1.1f, (float[3]){18, 1.95f, 29}, (float[3]){5, -3, 5});
        expect_at(&p, &m, 19.7f, 1.9f, 30.7f);
        assert_true(m.sides == (1u << side_up | 1u << ahead_low | 1u << across_low));
        /* an axis that a beam stopped stays stopped after the body has fallen below the beam */
        for (int j = 0; j < 32; j++)
            put(&p, 25, 3, j, STONE);
        world_lay(&p.w);
        m = walk(&p, 0, (float[3]){24, 3.9f, 10}, (float[3]){2, -3, 0});
        expect_at(&p, &m, 24.7f, 1.9f, 10);
        assert_true(m.sides == (1u << side_up | 1u << ahead_low));
        /* begins in the ground */
        m = walk(&p, 1.1f, (float[3]){3, 1.5f, 3}, (float[3]){1, 0, 0});
        assert_true(m.inside && m.sides == 0);
        expect_at(&p, &m, 3, 1.5f, 3);
        world_end(&p.w);
    }
}

/* docs/CONTRACT.md: BSH-11. Rounding puts a trailing side back before a corner that the body just clears. */
TEST(past_a_corner)
{
    vp_random r = {1};
    world w;
    vp_block_move_result moved;
    world_begin(&w, &r, EMPTY, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    w.block[0] = STONE;
    world_lay(&w);
    const vp_vec3 from = {1.13610053f, 0.5f, -0.531622887f}, by = {0.163899586f, 0, 0.231622994f};
    const vp_block_mover mover = {.half = {0.3f, 0.45f, 0.3f}, .up = VP_SIDE_Y_HIGH};
    assert_ok(vp_block_move(&w.view, &mover, from, by, &moved, &error));
    assert_false(is_in_blocks(&w, moved.centre, mover.half));
    world_end(&w);
}

TEST(bad_input)
{
    vp_random r = {1};
    world w;
    vp_block_move_result moved = {.sides = 77};
    world_begin(&w, &r, SPARSE, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    const vp_vec3 at = {1, 2, 3}, by = {1, 0, 0};
    const vp_block_mover good = {{0.3f, 0.9f, 0.3f}, VP_SIDE_Y_HIGH, 1, NULL};
    vp_block_mover m = good;
    assert_refused(vp_block_move(&w.view, &m, (vp_vec3){1, NAN, 2}, by, &moved, &error), VP_E_ARGUMENT, "centre.y is nan");
    assert_refused(vp_block_move(&w.view, &m, at, (vp_vec3){1, 0, INFINITY}, &moved, &error), VP_E_ARGUMENT, "move.z is inf");
    assert_refused(vp_block_move(&w.view, &m, (vp_vec3){-3e12f, 0, 0}, by, &moved, &error), VP_E_ARGUMENT,
                   "centre.x is -3e+12; must be finite and -2^40 to 2^40");
    assert_refused(vp_block_move(&w.view, &m, (vp_vec3){1e9f, 0, 0}, by, &moved, &error), VP_E_ARGUMENT, "no extent along x");
    m.half.z = 0;
    assert_refused(vp_block_move(&w.view, &m, at, by, &moved, &error), VP_E_ARGUMENT, "vp_block_mover.half.z is 0; must be > 0");
    m.half.z = NAN;
    assert_refused(vp_block_move(&w.view, &m, at, by, &moved, &error), VP_E_ARGUMENT, "half.z is nan");
    m = good, m.up = 6;
    assert_refused(vp_block_move(&w.view, &m, at, by, &moved, &error), VP_E_ARGUMENT, "vp_block_mover.up is 6");
    m = good, m.step = -0.5f;
    assert_refused(vp_block_move(&w.view, &m, at, by, &moved, &error), VP_E_ARGUMENT, "vp_block_mover.step is -0.5; must be 0 to 2^40");
    m.step = NAN;
    assert_refused(vp_block_move(&w.view, &m, at, by, &moved, &error), VP_E_ARGUMENT, "vp_block_mover.step is nan");
    assert_int_equal(moved.sides, 77);
    world_end(&w);
}
