/* SPDX-License-Identifier: MIT */
/* Sweeps and rays by hand, and bad input. The cases block_sweep and block_ray judge paths by all blocks on the way, one by one. */
#include "tests/blocks/worlds.h"

#include <math.h>

static void by_hand(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-6, BSH-7, BSH-8, BSH-9 */
    vp_random r = {1};
    world w;
    vp_block_hit hit;
    world_begin(&w, &r, EMPTY, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    for (size_t i = 0; i < 1024; i++) /* a floor */
        w.block[i] = STONE;
    w.block[5 * 1024] = WATER; /* (0, 5, 0) */
    world_lay(&w);
    const vp_aabb body = {{10.25f, 1, 10.25f}, {10.75f, 2.5f, 10.75f}};
    vp_block_path path = {body, {3, 0, 0}}; /* slides along the floor */
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    path.move = (vp_vec3){3, -1e-30f, 0}; /* pressed to the floor, however little */
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.t == 0 && hit.side == VP_SIDE_Y_HIGH && hit.block.x == 10 && hit.block.y == 0);
    assert_false(signbit(hit.t));
    path.move = (vp_vec3){0, 5, 0}; /* leaves the floor */
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    path.box.min.y = 0.9999999f; /* is in water, even without a move */
    path.move = (vp_vec3){0, 0, 0};
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_INSIDE && hit.t == 0 && hit.side == VP_SIDE_COUNT && hit.block.x == 10 && hit.block.z == 10);
    /* ends exactly at the floor, which is no hit, then a little lower, which is one */
    path = (vp_block_path){{{4, 3, 4}, {5, 4, 5}}, {0, -2, 0}};
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    path.move.y = -2.0000002f;
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.t < 1);
    /* a path of any length takes no longer if it starts and ends in nothing */
    path = (vp_block_path){{{5, 0x1p40f - 0x1p20f, 5}, {6, 0x1p40f, 6}}, {0, -3e38f, 0}};
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.block.y == 0 && hit.side == VP_SIDE_Y_HIGH);
    /* falls through the water, which is reported with its own time, onto the floor */
    path = (vp_block_path){{{0.25f, 8, 0.25f}, {0.75f, 9, 0.75f}}, {0, -16, 0}};
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.t == 7 / 16.0 && hit.fluid == WATER && hit.fluid_t == 2 / 16.0);
    path.move.y = -1.5f; /* ends above the water */
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_PASSES && hit.fluid == 0 && hit.fluid_t == 1);
    path = (vp_block_path){{{-0x1p40f, -0x1p40f, -0x1p40f}, {0x1p40f, 0x1p40f, 0x1p40f}}, {3e38f, 3e38f, 3e38f}};
    assert_ok(vp_block_sweep(&w.view, NULL, &path, &hit, &error));
    assert_true(hit.end == VP_BLOCK_INSIDE && hit.block.x == 0 && hit.fluid == WATER && hit.fluid_t == 0);
    vp_block_line line = {{3, 1, 3}, {5, 0, 5}, VP_BLOCK_COLLIDES}; /* along the floor, whose top is below 1 */
    assert_ok(vp_block_ray(&w.view, NULL, &line, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    line.move = (vp_vec3){0, -0x1p-140f, 0};
    assert_ok(vp_block_ray(&w.view, NULL, &line, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.t == 0 && hit.side == VP_SIDE_Y_HIGH);
    line = (vp_block_line){{0.5f, 0x1p40f, 0.5f}, {0, -3e38f, 0}, 0};
    assert_ok(vp_block_ray(&w.view, NULL, &line, &hit, &error));
    assert_true(hit.end == VP_BLOCK_MEETS && hit.type == WATER && hit.block.y == 5);
    world_end(&w);
    const vp_block_view nothing = {NULL, {0, 0, 0}, {0, 0, 0}, types, TYPES};
    assert_ok(vp_block_sweep(&nothing, NULL, &path, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    assert_ok(vp_block_ray(&nothing, NULL, &line, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
}

static void bad_input(void **state)
{
    (void)state;
    vp_random r = {1};
    world w;
    vp_block_hit hit = {.t = 7};
    world_begin(&w, &r, SPARSE, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    const vp_block_path good = {{{1, 1, 1}, {2, 3, 2}}, {1, 0, 0}};
    vp_block_path path = good;
    path.move.y = NAN;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "move.y is nan");
    path = good, path.move.z = INFINITY;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "move.z is inf; must be finite");
    path = good, path.box.min.x = NAN;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "box.min.x is nan");
    path = good, path.box.max.x = 2e12f;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT,
                   "box.max.x is 2e+12; must be finite and -2^40 to 2^40");
    path = good, path.box.max.y = 1;
    assert_refused(vp_block_sweep(&w.view, NULL, &path, &hit, &error), VP_E_ARGUMENT, "no extent along y: 1 to 1");
    vp_block_line line = {{NAN, 0, 0}, {1, 0, 0}, 0};
    assert_refused(vp_block_ray(&w.view, NULL, &line, &hit, &error), VP_E_ARGUMENT, "origin.x is nan");
    line = (vp_block_line){{0, 0, 0}, {-INFINITY, 0, 0}, 0};
    assert_refused(vp_block_ray(&w.view, NULL, &line, &hit, &error), VP_E_ARGUMENT, "move.x is -inf");
    vp_block_view view = w.view;
    view.low.z = -VP_BLOCKS_REACH - 2;
    assert_refused(vp_block_sweep(&view, NULL, &good, &hit, &error), VP_E_ARGUMENT, "-33554434");
    view = w.view, view.size.y = UINT32_MAX;
    assert_refused(vp_block_sweep(&view, NULL, &good, &hit, &error), VP_E_ARGUMENT, "along y");
    view = w.view, view.type_count = 70000;
    assert_refused(vp_block_ray(&view, NULL, &(vp_block_line){{0, 0, 0}, {1, 0, 0}, 0}, &hit, &error), VP_E_ARGUMENT, "70000");
    assert_true(hit.t == 7);
    /* types past the end of the table have no flags */
    view = w.view, view.type_count = 1;
    assert_ok(vp_block_sweep(&view, NULL, &good, &hit, &error));
    assert_int_equal(hit.end, VP_BLOCK_PASSES);
    world_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
