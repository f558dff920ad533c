/* SPDX-License-Identifier: MIT */
/* Centres pushed out of the surface, against all triangles of the closed mesh. */
#include "tests/narrowphase/manifold_scene.h"
#include "tests/support/samples.h"

#include "cases/narrowphase/push_out.h"

enum { WORLDS = IS_DEEP ? 120 : IS_THIN ? 7 : 28, CENTRES = IS_DEEP ? 1000 : IS_THIN ? 60 : 150 };

static const vp_voxel STONE = {VP_FIRST_SOLID, 255}, AIR = {VP_AIR, 0};

static vp_push_out ask_world(const vp_world *world, vp_vec3 centre, uint32_t voxels, uint32_t closed)
{
    vp_push_out out;
    memset(&out, 0xa5, sizeof out);
    assert_ok(vp_push_out_of_world(world, centre, voxels, closed, &out, &error));
    return out;
}

/* Coordinates anywhere, on a border of voxels or of chunks, or in the middle, where many places are equally near. */
static float coordinate(vp_random *r, uint32_t extent)
{
    const float voxel = (float)vp_random_below(r, extent);
    switch (vp_random_below(r, 4)) {
    case 0:
        return voxel;
    case 1:
        return floorf(voxel / 8.0f) * 8.0f + (vp_random_below(r, 2) == 0 ? 0.0f : 1023.0f / 1024.0f);
    case 2:
        return voxel + 0.5f;
    default:
        return voxel + (float)vp_random_below(r, 1024) / 1024.0f;
    }
}

/* Solid with no, few, many or mostly holes, hills, half of a checkerboard, or random. */
static vp_world *some_world(vp_random *r, uint32_t kind)
{
    enum { HOLES = 4 };
    const uint32_t holes[HOLES] = {0, 3, 40, 1500};
    vp_world *world = test_world(4, 3, 5, NULL);
    const vp_dims size = vp_world_size(world);
    for (int32_t y = 0; y < (int32_t)size.y; y++)
        for (int32_t z = 0; z < (int32_t)size.z; z++)
            for (int32_t x = 0; x < (int32_t)size.x; x++) {
                const double fill = hills(x, z) + 4.0 - y;
                vp_voxel v = STONE;
                if (kind == HOLES)
                    v = fill <= 0.0 ? AIR : (vp_voxel){VP_FIRST_SOLID, (uint8_t)(fill >= 1.0 ? 255.0 : fill * 255.0)};
                if (kind == HOLES + 1 && x > 16)
                    v = (x + y + z) % 2 != 0 ? STONE : AIR;
                if (kind == HOLES + 2)
                    v = (vp_voxel){(uint8_t)vp_random_below(r, 5), (uint8_t)vp_random_below(r, 256)};
                assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, y, z}, v, NULL, &error));
            }
    for (uint32_t i = 0; kind < HOLES && i < holes[kind]; i++) {
        const vp_ivec3 at = {(int32_t)vp_random_below(r, size.x), (int32_t)vp_random_below(r, size.y), (int32_t)vp_random_below(r, size.z)};
        const int32_t edge = (int32_t)vp_random_below(r, 3) + 1;
        const vp_voxel hole = {(uint8_t)vp_random_below(r, 3), (uint8_t)vp_random_below(r, 128)}; /* air, water, or less than half full */
        assert_ok(vp_world_fill_box(world, at, (vp_ivec3){at.x + edge, at.y + edge, at.z + edge}, hole, NULL, &error));
    }
    return world;
}

/* docs/CONTRACT.md: PSH-1, PSH-2, PSH-3 */
TEST(test_against_all)
{
    vp_random r = {1};
    uint32_t ends[3] = {0, 0, 0};
    for (uint32_t w = 0; w < WORLDS; w++) {
        vp_world *world = some_world(&r, w % 7);
        vp_closed_surface surface;
        assert_ok(vp_closed_surface_make(world, VP_SURFACE_SOLID, &surface, &error));
        const vp_dims size = vp_world_size(world);
        for (int i = 0; i < CENTRES; i++) {
            const vp_vec3 at = {coordinate(&r, size.x), coordinate(&r, size.y), coordinate(&r, size.z)};
            const uint32_t closed = vp_random_below(&r, 3) == 0 ? vp_random_below(&r, 64) : i % 2 == 0 ? 63u : 0u;
            const vp_push_out_query query = {size, at, vp_random_below(&r, i % 16 == 0 ? 20 : 9), closed};
            const vp_push_out out = ask_world(world, at, query.voxels, closed);
            assert_ok(vp_push_out_judge(&surface, &query, &out, &error));
            ends[out.end]++;
        }
        vp_closed_surface_free(&surface);
        vp_world_destroy(world);
    }
    for (int e = 0; e < 3; e++)
        assert_true(ends[e] > 0);
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
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
}

int main(void)
{
    return test_run_all(begin, end);
}
