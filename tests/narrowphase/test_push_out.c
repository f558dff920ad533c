/* SPDX-License-Identifier: MIT */
/* Centres pushed out of solid voxels, against trying every voxel: centres are on a lattice of 1/1024, so distances are whole numbers. */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>

#include <voxphys/voxphys.h>

#include "datasets/random.h"

#ifdef TEST_THIN
enum { WORLDS = 4, CENTRES = 40 };
#else
enum { WORLDS = 24, CENTRES = 120 };
#endif

enum { UNIT = 1024 };

static const vp_voxel STONE = {VP_FIRST_SOLID, 255}, AIR = {VP_AIR, 0};

static int32_t floor_of(int64_t at)
{
    return (int32_t)(at >= 0 ? at / UNIT : -((-at + UNIT - 1) / UNIT));
}

static bool is_solid(const vp_world *world, vp_ivec3 at)
{
    return vp_world_voxel(world, at).material >= VP_FIRST_SOLID;
}

/* From a coordinate to a voxel's interval, in units. */
static int64_t away(int64_t at, int32_t voxel)
{
    const int64_t low = (int64_t)voxel * UNIT;
    return at < low ? low - at : at > low + UNIT ? at - low - UNIT : 0;
}

static bool is_closed(const vp_world *world, vp_ivec3 v, uint32_t closed)
{
    const vp_dims size = vp_world_size(world);
    const bool out[6] = {v.x < 0, v.x >= (int32_t)size.x, v.y < 0, v.y >= (int32_t)size.y, v.z < 0, v.z >= (int32_t)size.z};
    for (uint32_t side = 0; side < 6; side++)
        if (out[side] && (closed >> side & 1u))
            return true;
    return false;
}

/* The order of ties is the loops': from the highest y down, then z and x upwards. */
static vp_push_end try_all(const vp_world *world, const int64_t at[3], int32_t n, uint32_t closed, vp_ivec3 *voxel, int64_t *square)
{
    const vp_ivec3 from = {floor_of(at[0]), floor_of(at[1]), floor_of(at[2])};
    *square = (int64_t)n * n * UNIT * UNIT;
    vp_push_end end = is_solid(world, from) ? VP_PUSH_DEEP : VP_PUSH_FREE;
    for (int32_t y = from.y + n + 1; end != VP_PUSH_FREE && y >= from.y - n - 1; y--)
        for (int32_t z = from.z - n - 1; z <= from.z + n + 1; z++)
            for (int32_t x = from.x - n - 1; x <= from.x + n + 1; x++) {
                const int64_t d[3] = {away(at[0], x), away(at[1], y), away(at[2], z)}, s = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                const vp_ivec3 v = {x, y, z};
                if (s >= *square || is_solid(world, v) || is_closed(world, v, closed))
                    continue;
                *square = s;
                *voxel = v;
                end = VP_PUSH_OUT;
            }
    return end;
}

static vp_push_out ask(const vp_world *world, const vp_broadphase *broadphase, const int64_t at[3], uint32_t n, uint32_t closed)
{
    const vp_vec3 centre = {(float)at[0] / UNIT, (float)at[1] / UNIT, (float)at[2] / UNIT};
    vp_push_out out, without;
    memset(&out, 0xa5, sizeof out);
    memset(&without, 0xa5, sizeof without);
    assert_ok(vp_push_out_of_world(world, broadphase, centre, n, closed, &out, &error));
    assert_ok(vp_push_out_of_world(world, NULL, centre, n, closed, &without, &error));
    assert_memory_equal(&out, &without, sizeof out);
    return out;
}

/* What must hold of any answer, and the one that trying all gives. @return how it ends */
static vp_push_end compare(const vp_world *world, const vp_broadphase *broadphase, const int64_t at[3], int32_t n, uint32_t closed)
{
    vp_ivec3 voxel = {0, 0, 0};
    int64_t square;
    const vp_push_end end = try_all(world, at, n, closed, &voxel, &square);
    const vp_push_out got = ask(world, broadphase, at, (uint32_t)n, closed);
    assert_int_equal(got.end, end);
    if (end != VP_PUSH_OUT) {
        const vp_push_out none = {.end = end};
        assert_memory_equal(&got, &none, sizeof none);
        return end;
    }
    assert_int_equal(got.voxel.x, voxel.x);
    assert_int_equal(got.voxel.y, voxel.y);
    assert_int_equal(got.voxel.z, voxel.z);
    assert_true(fabs(got.distance - sqrt((double)square) / UNIT) <= 1e-12);
    const double by[3] = {(double)got.by.x, (double)got.by.y, (double)got.by.z},
                 way[3] = {(double)got.direction.x, (double)got.direction.y, (double)got.direction.z};
    const int32_t v[3] = {voxel.x, voxel.y, voxel.z};
    double length = 0.0;
    for (int a = 0; a < 3; a++) {
        const double to = (double)at[a] / UNIT + by[a]; /* exact: lattice and edges of voxels are */
        assert_true(to >= (double)v[a] && to <= (double)v[a] + 1.0);
        length += way[a] * way[a];
        if (square > 0)
            assert_true(fabs(way[a] * got.distance - by[a]) <= 1e-6 * (1.0 + got.distance));
        else
            assert_true(by[a] == 0.0 && ((way[a] > 0.0) - (way[a] < 0.0)) == (v[a] > floor_of(at[a])) - (v[a] < floor_of(at[a])));
    }
    assert_true(fabs(length - 1.0) <= 1e-6);
    return end;
}

/* Coordinates anywhere, on a border of voxels or of chunks, or in the middle, where many are equally near. */
static int64_t coordinate(vp_random *r, uint32_t extent)
{
    const int64_t voxel = vp_random_below(r, extent);
    switch (vp_random_below(r, 4)) {
    case 0:
        return voxel * UNIT;
    case 1:
        return voxel / 8 * 8 * UNIT + (vp_random_below(r, 2) == 0 ? 0 : UNIT - 1);
    case 2:
        return voxel * UNIT + UNIT / 2;
    default:
        return voxel * UNIT + vp_random_below(r, UNIT);
    }
}

/* Solid with holes: seldom, often, or in whole chunks; or none at all. */
static vp_world *solid_with_holes(vp_random *r, uint32_t kind)
{
    vp_world *world = test_world(4, 3, 5, NULL);
    const vp_dims size = vp_world_size(world);
    const uint32_t holes[] = {0, 3, 40, 1500};
    assert_ok(
        vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){(int32_t)size.x, (int32_t)size.y, (int32_t)size.z}, STONE, NULL, &error));
    for (uint32_t i = 0; i < holes[kind]; i++) {
        const vp_ivec3 at = {(int32_t)vp_random_below(r, size.x), (int32_t)vp_random_below(r, size.y), (int32_t)vp_random_below(r, size.z)};
        const int32_t edge = (int32_t)vp_random_below(r, 3) + 1;
        const vp_voxel hole = {(uint8_t)vp_random_below(r, 2), 0}; /* air or water */
        assert_ok(vp_world_fill_box(world, at, (vp_ivec3){at.x + edge, at.y + edge, at.z + edge}, hole, NULL, &error));
    }
    return world;
}

/* docs/CONTRACT.md: PSH-1, PSH-2, PSH-3 */
static void test_against_all(void **state)
{
    (void)state;
    vp_random r = {1};
    uint32_t ends[3] = {0, 0, 0};
    for (uint32_t w = 0; w < WORLDS; w++) {
        vp_world *world = solid_with_holes(&r, w % 4);
        vp_broadphase *broadphase = NULL;
        assert_ok(vp_broadphase_create(&(vp_broadphase_def){.world = world}, &broadphase, &error));
        const vp_dims size = vp_world_size(world);
        for (int i = 0; i < CENTRES; i++) {
            const int64_t at[3] = {coordinate(&r, size.x), coordinate(&r, size.y), coordinate(&r, size.z)};
            const uint32_t closed = vp_random_below(&r, 3) == 0 ? vp_random_below(&r, 64) : i % 2 == 0 ? 63u : 0u;
            ends[compare(world, broadphase, at, (int32_t)vp_random_below(&r, i % 16 == 0 ? 20 : 9), closed)]++;
        }
        vp_broadphase_destroy(broadphase);
        vp_world_destroy(world);
    }
    for (int e = 0; e < 3; e++)
        assert_true(ends[e] > 0);
    print_message("%u free, %u pushed out, %u too deep\n", ends[0], ends[1], ends[2]);
}

/* Of equally near ones: up before down, then the lowest z, then the lowest x. */
static void test_ties(void **state)
{
    (void)state;
    vp_world *world = test_world(2, 2, 2, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){16, 16, 16}, STONE, NULL, &error));
    const int64_t middle[3] = {8 * UNIT + UNIT / 2, 8 * UNIT + UNIT / 2, 8 * UNIT + UNIT / 2};
    const vp_ivec3 order[] = {{8, 11, 8}, {8, 8, 5}, {5, 8, 8}, {11, 8, 8}, {8, 8, 11}, {8, 5, 8}};
    for (int i = 5; i >= 0; i--) { /* the one that counts most is dug last */
        assert_ok(vp_world_set_voxel(world, order[i], AIR, NULL, &error));
        const vp_push_out out = ask(world, NULL, middle, 4, 0);
        assert_memory_equal(&out.voxel, &order[i], sizeof order[i]);
        assert_true(out.distance == 2.5);
    }
    vp_world_destroy(world);
}

/* 2.5 away is not within 2, and is within 3; what is 3 away is not within 3. */
static void test_limits(void **state)
{
    (void)state;
    vp_world *world = test_world(32, 32, 32, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){256, 256, 256}, STONE, NULL, &error));
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){128, 131, 128}, AIR, NULL, &error));
    const int64_t half[3] = {128 * UNIT + 512, 128 * UNIT + 512, 128 * UNIT + 512}, whole[3] = {128 * UNIT, 128 * UNIT, 128 * UNIT};
    assert_int_equal(ask(world, NULL, half, 2, 0).end, VP_PUSH_DEEP);
    assert_int_equal(ask(world, NULL, half, 3, 0).end, VP_PUSH_OUT);
    assert_int_equal(ask(world, NULL, whole, 3, 0).end, VP_PUSH_DEEP);
    assert_int_equal(ask(world, NULL, whole, 4, 0).end, VP_PUSH_OUT);
    assert_int_equal(ask(world, NULL, half, 0, 0).end, VP_PUSH_DEEP); /* only asks */
    vp_broadphase *broadphase = NULL;
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){128, 131, 128}, STONE, NULL, &error));
    assert_ok(vp_broadphase_create(&(vp_broadphase_def){.world = world}, &broadphase, &error));
    assert_int_equal(ask(world, broadphase, half, VP_PUSH_OUT_MOST, 0).end, VP_PUSH_DEEP);
    vp_push_out out;
    assert_refused(vp_push_out_of_world(world, broadphase, (vp_vec3){1, 1, 1}, VP_PUSH_OUT_MOST + 1, 0, &out, &error), VP_E_ARGUMENT, "65");
    assert_refused(vp_push_out_of_world(world, broadphase, (vp_vec3){1, NAN, 1}, 3, 0, &out, &error), VP_E_ARGUMENT, "centre.y is nan");
    assert_refused(vp_push_out_of_world(world, broadphase, (vp_vec3){1, 1, INFINITY}, 3, 0, &out, &error), VP_E_ARGUMENT,
                   "centre.z is inf");
    assert_refused(vp_push_out_of_world(world, broadphase, (vp_vec3){1, 1, 1}, 3, 64, &out, &error), VP_E_ARGUMENT, "0x40");
    assert_refused(vp_push_out_of_world(NULL, NULL, (vp_vec3){1, 1, 1}, 3, 0, &out, &error), VP_E_ARGUMENT, "world");
    assert_refused(vp_push_out_of_world(world, NULL, (vp_vec3){1, 1, 1}, 3, 0, NULL, &error), VP_E_ARGUMENT, "answer");
    assert_refused(vp_push_out_of_terrain(NULL, (vp_vec3){1, 1, 1}, 3, 0, &out, &error), VP_E_ARGUMENT, "terrain");
    vp_world *other = test_world(1, 1, 1, NULL);
    assert_refused(vp_push_out_of_world(other, broadphase, (vp_vec3){1, 1, 1}, 3, 0, &out, &error), VP_E_ARGUMENT, "32 x 32 x 32");
    vp_world_destroy(other);
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
}

/* Outside the world is air, as far as numbers go; at its faces a centre is in a voxel or in none. */
static void test_far(void **state)
{
    (void)state;
    vp_world *world = test_world(2, 2, 2, NULL);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){16, 16, 16}, STONE, NULL, &error));
    const float far[] = {-1e-30f, -0.5f, 16.0f, 3e9f, -3e9f, 3.4e38f, -3.4e38f};
    vp_push_out out;
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
        for (int a = 0; a < 3; a++) {
            const vp_vec3 centre = {a == 0 ? far[i] : 8.0f, a == 1 ? far[i] : 8.0f, a == 2 ? far[i] : 8.0f};
            assert_ok(vp_push_out_of_world(world, NULL, centre, 9, 0, &out, &error));
            assert_int_equal(out.end, VP_PUSH_FREE);
        }
    assert_ok(vp_push_out_of_world(world, NULL, (vp_vec3){-0.0f, 8.5f, 8.5f}, 9, 0, &out, &error));
    assert_int_equal(out.end, VP_PUSH_OUT);
    assert_true(out.distance == 0.0 && out.direction.x == -1.0f && out.direction.y == 0.0f && out.voxel.x == -1);
    assert_ok(vp_push_out_of_world(world, NULL, (vp_vec3){1e-30f, 8.5f, 8.5f}, 9, 0, &out, &error));
    assert_true(out.end == VP_PUSH_OUT && out.by.x == -1e-30f && out.direction.x == -1.0f);
    vp_world_destroy(world);
}

/* A terrain answers as its world; also after an edit. */
static void test_terrain(void **state)
{
    (void)state;
    vp_world *world = test_world(3, 3, 3, NULL);
    vp_terrain *terrain = NULL;
    vp_push_out out;
    const vp_vec3 centre = {12.25f, 12.25f, 12.25f};
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){24, 24, 24}, STONE, NULL, &error));
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &terrain, &error));
    assert_ok(vp_push_out_of_terrain(terrain, centre, 8, 0, &out, &error));
    assert_int_equal(out.end, VP_PUSH_DEEP);
    assert_ok(vp_terrain_set_voxel(terrain, (vp_ivec3){9, 12, 12}, AIR, NULL, &error));
    assert_ok(vp_push_out_of_terrain(terrain, centre, 8, 0, &out, &error));
    assert_true(out.end == VP_PUSH_OUT && out.distance == 2.25 && out.voxel.x == 9 && out.direction.x == -1.0f);
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all), cmocka_unit_test(test_ties),    cmocka_unit_test(test_limits),
        cmocka_unit_test(test_far),         cmocka_unit_test(test_terrain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
