/* SPDX-License-Identifier: MIT */
/* Ties, limits, borders and edits of centres that are pushed out of the surface. The case push_out judges any centre with all triangles of
 * the closed mesh. */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>

#include <voxphys/voxphys.h>

static const vp_voxel STONE = {VP_FIRST_SOLID, 255}, AIR = {VP_AIR, 0};

static vp_push_out ask_world(const vp_world *world, vp_vec3 centre, uint32_t voxels, uint32_t closed)
{
    vp_push_out out;
    memset(&out, 0xa5, sizeof out);
    assert_ok(vp_push_out_of_world(world, centre, voxels, closed, &out, &error));
    return out;
}

/* docs/CONTRACT.md: PSH-1. Among equally near places up comes before down, then the lowest z, then the lowest x. The surface of a single
 * empty voxel is 42.5/256 from its middle along each axis. */
TEST(test_ties)
{
    vp_world *world = test_world(2, 2, 2, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){16, 16, 16}, STONE, NULL, &error));
    const vp_ivec3 order[] = {{8, 11, 8}, {8, 8, 5}, {5, 8, 8}, {11, 8, 8}, {8, 8, 11}, {8, 5, 8}};
    for (int i = 5; i >= 0; i--) { /* the preferred one is dug last */
        assert_ok(vp_world_set_voxel(world, order[i], AIR, NULL, &error));
        const vp_push_out out = ask_world(world, (vp_vec3){8.5f, 8.5f, 8.5f}, 4, 0);
        assert_memory_equal(&out.voxel, &order[i], sizeof order[i]);
        assert_true(out.distance == 3.0f - 42.5f / 256.0f);
    }
    vp_world_destroy(world);
}

/* docs/CONTRACT.md: PSH-2. A distance equal to the limit is not within it. */
TEST(test_limits)
{
    vp_world *world = test_world(32, 32, 32, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){256, 256, 256}, STONE, NULL, &error));
    assert_ok(vp_world_fill_box(world, (vp_ivec3){100, 131, 100}, (vp_ivec3){156, 140, 156}, AIR, NULL, &error));
    const float floor_at = 131.0f + 1.0f / 512.0f; /* floor of the hall */
    assert_int_equal(ask_world(world, (vp_vec3){128, floor_at - 2.5f, 128}, 2, 0).end, VP_PUSH_OUT_DEEP);
    assert_int_equal(ask_world(world, (vp_vec3){128, floor_at - 2.5f, 128}, 3, 0).end, VP_PUSH_OUT_FOUND);
    assert_int_equal(ask_world(world, (vp_vec3){128, floor_at - 3.0f, 128}, 3, 0).end, VP_PUSH_OUT_DEEP);
    assert_int_equal(ask_world(world, (vp_vec3){128, floor_at - 3.0f, 128}, 4, 0).end, VP_PUSH_OUT_FOUND);
    assert_int_equal(ask_world(world, (vp_vec3){128, floor_at - 3.0f, 128}, 0, 0).end, VP_PUSH_OUT_DEEP); /* reports only */
    const vp_push_out out64 = ask_world(world, (vp_vec3){128, floor_at - 63.0f, 128}, VP_PUSH_OUT_MAX_VOXELS, 0);
    assert_true(out64.end == VP_PUSH_OUT_FOUND && out64.distance == 63.0f);
    assert_int_equal(ask_world(world, (vp_vec3){128, floor_at - 64.0f, 128}, VP_PUSH_OUT_MAX_VOXELS, 0).end, VP_PUSH_OUT_DEEP);
    vp_push_out out;
    assert_refused(vp_push_out_of_world(world, (vp_vec3){1, 1, 1}, VP_PUSH_OUT_MAX_VOXELS + 1, 0, &out, &error), VP_E_ARGUMENT, "65");
    assert_refused(vp_push_out_of_world(world, (vp_vec3){1, NAN, 1}, 3, 0, &out, &error), VP_E_ARGUMENT, "centre.y is nan");
    assert_refused(vp_push_out_of_world(world, (vp_vec3){1, 1, INFINITY}, 3, 0, &out, &error), VP_E_ARGUMENT, "centre.z is inf");
    assert_refused(vp_push_out_of_world(world, (vp_vec3){1, 1, 1}, 3, 64, &out, &error), VP_E_ARGUMENT, "0x40");
    vp_world_destroy(world);
}

/* docs/CONTRACT.md: PSH-1. Outside the world is air, for any finite coordinates. Closed sides are not crossed. */
TEST(test_borders)
{
    vp_world *world = test_world(2, 2, 2, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){16, 16, 16}, STONE, NULL, &error));
    const float far[] = {-1e-30f, -0.5f, 17.0f, 3e9f, -3e9f, 3.4e38f, -3.4e38f};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
        for (int a = 0; a < 3; a++) {
            const vp_vec3 centre = {a == 0 ? far[i] : 8.0f, a == 1 ? far[i] : 8.0f, a == 2 ? far[i] : 8.0f};
            assert_int_equal(ask_world(world, centre, 9, 0).end, VP_PUSH_OUT_FREE);
        }
    const vp_vec3 low = {0.25f, 1.25f, 8.0f};
    vp_push_out out = ask_world(world, low, 9, 0);
    assert_true(out.end == VP_PUSH_OUT_FOUND && out.voxel.x == -1 && out.direction.x < -0.99f && out.distance <= 0.25f);
    out = ask_world(world, low, 9, 1u << VP_SIDE_X_LOW);
    assert_true(out.end == VP_PUSH_OUT_FOUND && out.voxel.y == -1 && low.x + out.by.x >= 0.0f);
    out = ask_world(world, low, 9, 1u << VP_SIDE_X_LOW | 1u << VP_SIDE_Y_LOW);
    assert_true(out.end == VP_PUSH_OUT_FOUND && (out.voxel.z == -1 || out.voxel.z == 16));
    assert_int_equal(ask_world(world, low, 64, VP_SIDES_ALL).end, VP_PUSH_OUT_DEEP);
    vp_world_destroy(world);
}

/* A terrain answers like its world, also after an edit. */
TEST(test_terrain)
{
    vp_world *world = test_world(3, 3, 3, NULL);
    vp_terrain *terrain = NULL;
    vp_push_out out;
    const vp_vec3 centre = {12.5f, 12.5f, 12.5f};
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){24, 24, 24}, STONE, NULL, &error));
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &terrain, &error));
    assert_ok(vp_push_out_of_terrain(terrain, centre, 8, 0, &out, &error));
    assert_int_equal(out.end, VP_PUSH_OUT_DEEP);
    assert_ok(vp_terrain_set_voxel(terrain, (vp_ivec3){9, 12, 12}, AIR, NULL, &error));
    assert_ok(vp_push_out_of_terrain(terrain, centre, 8, 0, &out, &error));
    assert_true(out.end == VP_PUSH_OUT_FOUND && out.distance == 3.0f - 42.5f / 256.0f && out.voxel.x == 9 && out.direction.x == -1.0f);
    const vp_voxel half = {VP_FIRST_SOLID, 127}; /* has no surface, so it is in front of one */
    assert_ok(vp_terrain_set_voxel(terrain, (vp_ivec3){9, 12, 12}, half, NULL, &error));
    assert_ok(vp_push_out_of_terrain(terrain, centre, 8, 0, &out, &error));
    assert_true(out.end == VP_PUSH_OUT_FOUND && out.distance > 2.9f && out.voxel.x == 9);
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
}
