/* SPDX-License-Identifier: MIT */
/* Players that move through blocks, in worlds made by hand, on all six grounds. A random player never gets into a block. */
#include "tests/blocks/worlds.h"

#include <math.h>

#ifdef TEST_THIN
enum { WALKS = 40, STEPS = 100 };
#else
enum { WALKS = 160, STEPS = 200 };
#endif

static void nobody_gets_into_a_block(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-11 */
    vp_random r = {31};
    uint32_t steps = 0, stops = 0, stands = 0, wet = 0, inside = 0;
    for (int i = 0; i < WALKS; i++) {
        world w;
        const world_kind kind = i % 2 == 1 ? HILLS : (world_kind)(i / 2 % WORLD_KINDS);
        world_begin(&w, &r, kind, (vp_ivec3){i % 3 == 2 ? 5000 : -1, i % 3 == 1 ? -3 : 0, 0}, (vp_dims){1, 1, 1});
        const vp_block_mover mover = {
            {vp_random_between(&r, 0.05f, 0.4f), vp_random_between(&r, 0.1f, 0.9f), vp_random_between(&r, 0.05f, 0.4f)},
            i % 5 == 0 ? vp_random_below(&r, VP_SIDE_COUNT) : VP_SIDE_Y_HIGH,
            i % 2 == 0 ? 0 : vp_random_between(&r, 0.5f, 1.25f),
            NULL};
        const vp_vec3 low = {(float)lowest(&w, 0), (float)lowest(&w, 1), (float)lowest(&w, 2)};
        vp_vec3 at = {low.x + 16, low.y + 16, low.z + 16};
        for (int s = 0; s < STEPS; s++) {
            if (s % 50 == 0) /* jumps to another place, free if one is found */
                for (int tries = 0; tries < 200; tries++) {
                    at = (vp_vec3){low.x + vp_random_between(&r, 0, 32), low.y + vp_random_between(&r, 0, 32),
                                   low.z + vp_random_between(&r, 0, 32)};
                    if (!is_in_blocks(&w, at, mover.half))
                        break;
                }
            const float size = ldexpf(1, (int)vp_random_below(&r, 10) - 6);
            vp_vec3 move = {size * vp_random_between(&r, -1, 1), size * vp_random_between(&r, -1, 1), size * vp_random_between(&r, -1, 1)};
            if (s % 4 == 0)
                move.y = 0;
            if (s % 3 != 0)
                move.y = kind == HILLS ? -0.6f : -0.1f;
            const int along = s % 5 == 4 ? (s + i) % 3 : 3; /* along a single axis it gets as far as possible */
            if (along < 3)
                move = (vp_vec3){along == 0 ? move.x : 0, along == 1 ? move.y : 0, along == 2 ? move.z : 0};
            const bool was_in = is_in_blocks(&w, at, mover.half);
            vp_block_move_result moved;
            assert_ok(vp_block_move(&w.view, &mover, at, move, &moved, &error));
            assert_int_equal(moved.inside, was_in);
            if (was_in)
                assert_true(moved.centre.x == at.x && moved.centre.y == at.y && moved.centre.z == at.z && moved.sides == 0);
            else
                assert_false(is_in_blocks(&w, moved.centre, mover.half));
            for (int a = 0; a < 3; a++) { /* never backwards or too far, except up and down a step */
                const double way = (double)get(moved.centre, a) - (double)get(at, a), asked = (double)get(move, a);
                const double slack = 1e-6 * fabs((double)get(at, a)) + 1e-6;
                if (!moved.stepped || a != (int)mover.up / 2)
                    assert_true(asked >= 0 ? way >= 0 && way <= asked + slack : way <= 0 && way >= asked - slack);
                else
                    assert_true(fabs(way) <= (double)mover.step + fabs(asked) + slack);
            }
            if (along < 3 && !was_in && !moved.stepped) {
                const double asked = (double)get(move, along), room = room_along(&w, at, mover.half, along, asked > 0, fabs(asked));
                const double ulp = 0x1p-22 * (fabs((double)get(at, along)) + fabs((double)get(moved.centre, along)) + 1);
                assert_true(fabs(fabs((double)get(moved.centre, along) - (double)get(at, along)) - room) <= ulp);
            }
            stops += moved.sides != 0;
            steps += moved.stepped;
            stands += moved.ground != 0;
            wet += moved.fluid != 0;
            inside += was_in;
            at = moved.centre;
        }
        world_end(&w);
    }
    assert_true(steps > WALKS / 4 && stops > WALKS / 2 && stands > WALKS / 2 && wet > WALKS / 8 && inside > WALKS / 16);
}

/* ---- a world made by hand ---- */

/* Coordinates ahead, up and across, for a world whose ground is any of its six sides. */
typedef struct place {
    world w;
    uint32_t up;
    int axis[3]; /* ahead, up, across */
} place;

static vp_vec3 turned(const place *p, float ahead, float up, float across, bool is_point)
{
    float v[3];
    v[p->axis[0]] = ahead;
    v[p->axis[1]] = p->up % 2 == 1 ? up : is_point ? 32 - up : -up;
    v[p->axis[2]] = across;
    return (vp_vec3){v[0], v[1], v[2]};
}

static void put(place *p, int32_t ahead, int32_t up, int32_t across, vp_block type)
{
    int32_t v[3];
    v[p->axis[0]] = ahead;
    v[p->axis[1]] = p->up % 2 == 1 ? up : 31 - up;
    v[p->axis[2]] = across;
    p->w.block[(v[1] * 32 + v[2]) * 32 + v[0]] = type;
}

/* Moves a player. Centre and move are ahead, up, across. */
static vp_block_move_result walk(const place *p, float step, const float from[3], const float move[3])
{
    const vp_vec3 half = turned(p, 0.3f, p->up % 2 == 1 ? 0.9f : -0.9f, 0.3f, false);
    const vp_block_mover mover = {half, p->up, step, NULL};
    vp_block_move_result moved;
    assert_ok(vp_block_move(&p->w.view, &mover, turned(p, from[0], from[1], from[2], true), turned(p, move[0], move[1], move[2], false),
                            &moved, &error));
    return moved;
}

static void expect_at(const place *p, const vp_block_move_result *moved, float ahead, float up, float across)
{
    const vp_vec3 want = turned(p, ahead, up, across, true);
    for (int a = 0; a < 3; a++)
        if (fabsf(get(moved->centre, a) - get(want, a)) > 4e-6f)
            fail_msg("up %u: %g is not %g on axis %d", p->up, (double)get(moved->centre, a), (double)get(want, a), a);
}

static void on_all_six_grounds(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-11 */
    static const int axes[3][3] = {{1, 0, 2}, {0, 1, 2}, {0, 2, 1}};
    for (uint32_t up = 0; up < VP_SIDE_COUNT; up++) {
        place p = {.up = up, .axis = {axes[up / 2][0], axes[up / 2][1], axes[up / 2][2]}};
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
        /* begins in the ground */
        m = walk(&p, 1.1f, (float[3]){3, 1.5f, 3}, (float[3]){1, 0, 0});
        assert_true(m.inside && m.sides == 0);
        expect_at(&p, &m, 3, 1.5f, 3);
        world_end(&p.w);
    }
}

static void bad_input(void **state)
{
    (void)state;
    vp_random r = {1};
    world w;
    vp_block_move_result moved = {.sides = 77};
    world_begin(&w, &r, SPARSE, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    const vp_vec3 at = {1, 2, 3}, by = {1, 0, 0};
    const vp_block_mover good = {{0.3f, 0.9f, 0.3f}, VP_SIDE_Y_HIGH, 1, NULL};
    vp_block_mover m = good;
    assert_refused(vp_block_move(&w.view, &m, (vp_vec3){1, NAN, 2}, by, &moved, &error), VP_E_ARGUMENT, "the centre: y is nan");
    assert_refused(vp_block_move(&w.view, &m, at, (vp_vec3){1, 0, INFINITY}, &moved, &error), VP_E_ARGUMENT, "the move: z is inf");
    assert_refused(vp_block_move(&w.view, &m, (vp_vec3){-3e12f, 0, 0}, by, &moved, &error), VP_E_ARGUMENT, "too far");
    assert_refused(vp_block_move(&w.view, &m, (vp_vec3){1e9f, 0, 0}, by, &moved, &error), VP_E_ARGUMENT, "no extent along x");
    m.half.z = 0;
    assert_refused(vp_block_move(&w.view, &m, at, by, &moved, &error), VP_E_ARGUMENT, "z is 0");
    m.half.z = NAN;
    assert_refused(vp_block_move(&w.view, &m, at, by, &moved, &error), VP_E_ARGUMENT, "z is nan");
    m = good, m.up = 6;
    assert_refused(vp_block_move(&w.view, &m, at, by, &moved, &error), VP_E_ARGUMENT, "side 6");
    m = good, m.step = -0.5f;
    assert_refused(vp_block_move(&w.view, &m, at, by, &moved, &error), VP_E_ARGUMENT, "-0.5");
    m.step = NAN;
    assert_refused(vp_block_move(&w.view, &m, at, by, &moved, &error), VP_E_ARGUMENT, "nan");
    assert_int_equal(moved.sides, 77);
    world_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_all_six_grounds), cmocka_unit_test(nobody_gets_into_a_block),
                                       cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
