/* SPDX-License-Identifier: MIT */
/* Centres pushed out of the surface, against all triangles of the closed mesh. Bodies that walk, roll and are buried. */
#include "tests/narrowphase/manifold_scene.h"
#include "tests/support/samples.h"

#include "cases/narrowphase/closed_surface.h"

#ifdef TEST_DEEP
enum { WORLDS = 120, CENTRES = 1000 };
#elif defined TEST_THIN
enum { WORLDS = 7, CENTRES = 60 };
#else
enum { WORLDS = 28, CENTRES = 150 };
#endif

static const vp_voxel STONE = {VP_FIRST_SOLID, 255}, AIR = {VP_AIR, 0};

static vp_push_out ask_world(const vp_world *world, vp_vec3 centre, uint32_t voxels, uint32_t closed)
{
    vp_push_out out;
    memset(&out, 0xa5, sizeof out);
    assert_ok(vp_push_out_of_world(world, centre, voxels, closed, &out, &error));
    if (out.end != VP_PUSH_OUT_FOUND) {
        const vp_push_out none = {.end = out.end};
        assert_memory_equal(&out, &none, sizeof none);
    }
    return out;
}

static double length_of(vp_vec3 v)
{
    const double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return sqrt(x * x + y * y + z * z);
}

static bool is_closed(vp_vec3 place, vp_dims size, uint32_t closed)
{
    const bool past[6] = {place.x<0.0f, place.x>(float) size.x, place.y<0.0f, place.y>(float) size.y, place.z<0.0f, place.z>(float) size.z};
    for (uint32_t side = 0; side < 6; side++)
        if (past[side] && (closed >> side & 1u))
            return true;
    return false;
}

static bool is_behind(const vp_closed_surface *surface, vp_vec3 point)
{
    bool on;
    return vp_closed_surface_winding(surface, point, &on) > 0 && !on;
}

static bool is_free_voxel(const vp_world *world, vp_ivec3 at)
{
    const vp_voxel v = vp_world_voxel(world, at);
    return v.material < VP_FIRST_SOLID || v.occupancy <= 127;
}

/* Checks an answer. @param far_steps counts the answers whose step past the surface is more than 1/1024 of a voxel */
static vp_push_out_end compare(const vp_world *world, const vp_closed_surface *surface, vp_vec3 centre, uint32_t voxels, uint32_t closed,
                               uint32_t *far_steps)
{
    const vp_push_out got = ask_world(world, centre, voxels, closed);
    if (!is_behind(surface, centre)) {
        assert_int_equal(got.end, VP_PUSH_OUT_FREE);
        return got.end;
    }
    const double distance = vp_closed_surface_distance(surface, centre, closed, voxels);
    if (fabs(distance - voxels) > 1e-9)
        assert_int_equal(got.end, distance < voxels ? VP_PUSH_OUT_FOUND : VP_PUSH_OUT_DEEP);
    if (got.end != VP_PUSH_OUT_FOUND)
        return got.end;
    const vp_vec3 place = vp_vec3_add(centre, got.by);
    assert_true(got.distance == (float)distance);
    bool on;
    assert_true(vp_closed_surface_winding(surface, place, &on) <= 0 && !on);
    assert_false(is_closed(place, vp_world_size(world), closed));
    assert_true(is_free_voxel(world, got.voxel));
    assert_true(length_of(got.by) >= distance && length_of(got.by) <= distance + 1.8); /* at most to the middle of the voxel in front */
    assert_true(fabs(length_of(got.direction) - 1.0) <= 1e-6);
    assert_true(length_of(vp_vec3_sub(got.by, vp_vec3_scale(got.direction, (float)length_of(got.by)))) <= 1e-6 * (1.0 + distance));
    *far_steps += length_of(got.by) > distance + 0x1p-9;
    return got.end;
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
static void test_against_all(void **state)
{
    (void)state;
    vp_random r = {1};
    uint32_t ends[3] = {0, 0, 0}, far_steps = 0;
    for (uint32_t w = 0; w < WORLDS; w++) {
        vp_world *world = some_world(&r, w % 7);
        vp_closed_surface surface;
        assert_ok(vp_closed_surface_make(world, VP_SURFACE_SOLID, &surface, &error));
        const vp_dims size = vp_world_size(world);
        for (int i = 0; i < CENTRES; i++) {
            const vp_vec3 at = {coordinate(&r, size.x), coordinate(&r, size.y), coordinate(&r, size.z)};
            const uint32_t closed = vp_random_below(&r, 3) == 0 ? vp_random_below(&r, 64) : i % 2 == 0 ? 63u : 0u;
            ends[compare(world, &surface, at, vp_random_below(&r, i % 16 == 0 ? 20 : 9), closed, &far_steps)]++;
        }
        vp_closed_surface_free(&surface);
        vp_world_destroy(world);
    }
    for (int e = 0; e < 3; e++)
        assert_true(ends[e] > 0);
    print_message("%u free, %u pushed out (%u of them by more than 1/512 beyond the surface), %u too deep\n", ends[0], ends[1], far_steps,
                  ends[2]);
}

/* docs/CONTRACT.md: PSH-1. Among equally near places up comes before down, then the lowest z, then the lowest x. The surface of a single
 * empty voxel is 42.5/256 from its middle along each axis. */
static void test_ties(void **state)
{
    (void)state;
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
static void test_limits(void **state)
{
    (void)state;
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
    assert_refused(vp_push_out_of_world(NULL, (vp_vec3){1, 1, 1}, 3, 0, &out, &error), VP_E_ARGUMENT, "world");
    assert_refused(vp_push_out_of_world(world, (vp_vec3){1, 1, 1}, 3, 0, NULL, &error), VP_E_ARGUMENT, "result pointer");
    assert_refused(vp_push_out_of_terrain(NULL, (vp_vec3){1, 1, 1}, 3, 0, &out, &error), VP_E_ARGUMENT, "terrain");
    vp_world_destroy(world);
}

/* docs/CONTRACT.md: PSH-1. Outside the world is air, for any finite coordinates. Closed sides are not crossed. */
static void test_borders(void **state)
{
    (void)state;
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
static void test_terrain(void **state)
{
    (void)state;
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

/* ---- bodies ---- */

/* A centre a little in front of the surface is free. One a little below it comes out in front. */
static void test_slopes(void **state)
{
    (void)state;
    vp_random r = {7};
    scene s;
    uint32_t in_cube = 0;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    for (int i = 0; i < 20 * CENTRES; i++) {
        vp_vec3 normal, at = {vp_random_between(&r, 4.0f, SIDE - 4.0f), 0.0f, vp_random_between(&r, 4.0f, SIDE - 4.0f)};
        bool inside;
        at.y = surface_at(&s, at.x, at.z, &normal);
        const vp_vec3 above = {at.x, at.y + 0.01f, at.z}, below = {at.x, at.y - vp_random_between(&r, 0.01f, 1.5f), at.z};
        const vp_push_out free = ask_world(s.world, above, 8, 0), out = ask_world(s.world, below, 8, 0);
        assert_int_equal(free.end, VP_PUSH_OUT_FREE);
        assert_ok(vp_terrain_reader_inside(&s.reader, VP_SURFACE_SOLID, below, &inside, &error));
        assert_int_equal(out.end, inside ? VP_PUSH_OUT_FOUND : VP_PUSH_OUT_FREE); /* from below it may come out of an overhang */
        assert_ok(vp_terrain_reader_inside(&s.reader, VP_SURFACE_SOLID, vp_vec3_add(below, out.by), &inside, &error));
        assert_false(inside);
        in_cube +=
            vp_world_voxel(s.world, (vp_ivec3){(int32_t)above.x, (int32_t)floorf(above.y), (int32_t)above.z}).material >= VP_FIRST_SOLID;
    }
    print_message("%u of %d places in front of the surface are in solid voxels\n", in_cube, 20 * CENTRES);
    assert_true(in_cube > CENTRES);
    close_scene(&s);
}

/* Moves a body out along its deepest contact, several times. @return whether it stands */
static bool move_out(const scene *s, vp_manifold_body *body)
{
    bool stands = false;
    const vp_manifold_def def = {.margin = 0.02f, .whole = true};
    for (int i = 0; i < 4; i++) {
        vp_manifold m;
        uint32_t made;
        assert_ok(vp_manifold_terrain(&def, body, &s->reader, &scratch, &m, 1, &made, &error));
        if (made == 0 || m.count == 0)
            return stands;
        for (uint32_t p = 0; p < m.count; p++)
            stands = stands || m.point[p].normal.y > 0.5f;
        if (m.point[0].distance >= 0.0f)
            return stands;
        body->pose.position = vp_vec3_add(body->pose.position, vp_vec3_scale(m.point[0].normal, -m.point[0].distance));
    }
    return stands;
}

/* A capsule with a low centre walks over hills for 30 seconds, and is never pushed out. */
static void test_walk(void **state)
{
    (void)state;
    enum { FRAMES = 1800 };
    scene s;
    uint32_t pushed = 0, in_cube = 0, standing = 0;
    float fall = 0.0f, walked = 0.0f;
    vp_vec3 normal, way = {0.8f, 0.0f, 0.6f};
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    const vp_collide_shape shape = vp_collide_capsule(0.3f, 0.1f);
    vp_manifold_body body = {&shape, vp_pose_at((vp_vec3){8.0f, 0.0f, 8.0f})};
    body.pose.position.y = surface_at(&s, 8.0f, 8.0f, &normal) + 0.5f;
    for (int f = 0; f < FRAMES; f++) {
        vp_vec3 *at = &body.pose.position;
        const vp_vec3 before = *at;
        way.x = at->x < 5.0f ? fabsf(way.x) : at->x > SIDE - 5.0f ? -fabsf(way.x) : way.x;
        way.z = at->z < 5.0f ? fabsf(way.z) : at->z > SIDE - 5.0f ? -fabsf(way.z) : way.z;
        fall -= 10.0f / 60.0f;
        *at = vp_vec3_add(*at, (vp_vec3){way.x * 4.0f / 60.0f, fall / 60.0f, way.z * 4.0f / 60.0f});
        if (move_out(&s, &body)) {
            fall = 0.0f;
            standing++;
        }
        const vp_push_out out = ask_world(s.world, *at, 8, 0);
        pushed += out.end != VP_PUSH_OUT_FREE;
        in_cube += vp_world_voxel(s.world, (vp_ivec3){(int32_t)at->x, (int32_t)floorf(at->y), (int32_t)at->z}).material >= VP_FIRST_SOLID;
        *at = vp_vec3_add(*at, out.by);
        const float step = hypotf(at->x - before.x, at->z - before.z);
        if (step < 1.0f / 60.0f) /* at a cliff it turns by a little more than a right angle */
            way = (vp_vec3){-0.96f * way.z + 0.28f * way.x, 0.0f, 0.96f * way.x + 0.28f * way.z};
        walked += step;
    }
    print_message("walked %.1f voxels, stood in %u frames, centre in a solid voxel in %u, pushed out in %u\n", (double)walked, standing,
                  in_cube, pushed);
    assert_int_equal(pushed, 0);
    assert_true(in_cube > 100 && standing > FRAMES / 3 && walked > 60.0f);
    close_scene(&s);
}

/* A buried ball comes out. In a gap narrower than the ball, contacts with one wall may move its centre into the other. Then it is pushed
 * out again, at most 7 times. */
static void test_buried(void **state)
{
    (void)state;
    vp_random r = {9};
    scene s;
    open_scene(&s, hills, (vp_ivec3){0, 0, 0}, NULL);
    const vp_collide_shape shape = vp_collide_sphere(0.5f);
    for (int i = 0; i < 4 * CENTRES; i++) {
        vp_vec3 normal, at = {vp_random_between(&r, 6.0f, SIDE - 6.0f), 0.0f, vp_random_between(&r, 6.0f, SIDE - 6.0f)};
        at.y = surface_at(&s, at.x, at.z, &normal) - vp_random_between(&r, 0.1f, 5.0f);
        bool inside;
        assert_ok(vp_terrain_reader_inside(&s.reader, VP_SURFACE_SOLID, at, &inside, &error));
        const vp_push_out out = ask_world(s.world, at, 8, 1u << VP_SIDE_Y_LOW);
        assert_int_equal(out.end, inside ? VP_PUSH_OUT_FOUND : VP_PUSH_OUT_FREE);
        vp_manifold_body body = {&shape, vp_pose_at(at)};
        vp_push_out again = out;
        for (int frame = 0; frame < 8 && again.end == VP_PUSH_OUT_FOUND; frame++) {
            body.pose.position = vp_vec3_add(body.pose.position, again.by);
            move_out(&s, &body);
            again = ask_world(s.world, body.pose.position, 8, 1u << VP_SIDE_Y_LOW);
        }
        assert_int_equal(again.end, VP_PUSH_OUT_FREE);
    }
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all), cmocka_unit_test(test_ties),   cmocka_unit_test(test_limits), cmocka_unit_test(test_borders),
        cmocka_unit_test(test_terrain),     cmocka_unit_test(test_slopes), cmocka_unit_test(test_walk),   cmocka_unit_test(test_buried),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
