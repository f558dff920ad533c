/* SPDX-License-Identifier: MIT */
/* vp_terrain_inside against the winding number of the whole, closed mesh, in integers (docs/CONTRACT.md: INS-1 to INS-4). */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdio.h>

#include <voxphys/voxphys.h>

#include "cases/narrowphase/push_out.h"

enum { POINTS = IS_DEEP ? 100000 : IS_THIN ? 1000 : 8000 };

static const vp_voxel STONE = {VP_FIRST_SOLID, 255};

/* Numbers of answers in one test. */
typedef struct inside_counts {
    uint32_t inside, front, on, folded; /* folded = where the surface overlaps itself, so that its winding number is neither 0 nor 1 */
} inside_counts;

static float on_lattice(double at)
{
    const float f = (float)at; /* from 1 on, at most 24 fractional bits */
    return (float)((double)(int64_t)((double)f * VP_CLOSED_UNIT) / VP_CLOSED_UNIT);
}

/* A point on a vertex, an edge or a face of a random triangle, or 2^-24 to 1 voxel from it. Sometimes a random point, or one on the lattice
 * of voxels' centres and faces. */
static vp_vec3 some_point(vp_random *r, const vp_closed_surface *o, vp_dims size)
{
    const uint32_t extent[3] = {size.x, size.y, size.z}, kind = vp_random_below(r, 16);
    const double off = vp_random_below(r, 3) == 0 ? 0.0 : ldexp(1.0, -(int)vp_random_below(r, 25));
    double at[3], w[3] = {1.0, 0.0, 0.0};
    for (int a = 0; a < 3; a++)
        at[a] = (double)vp_random_between(r, -1.5f, (float)extent[a] + 1.5f);
    if (kind == 1)
        for (int a = 0; a < 3; a++)
            at[a] = floor(at[a] * 2.0) / 2.0 + (vp_random_below(r, 4) == 0 ? off / 4.0 : 0.0);
    if (kind > 1 && o->triangle_count != 0) {
        const int32_t(*c)[3] = (const int32_t(*)[3])o->corner[vp_random_below(r, o->triangle_count)];
        if (kind > 4) {
            w[1] = (double)vp_random_below(r, 257) / 256.0;
            w[2] = kind > 8 ? (1.0 - w[1]) * (double)vp_random_below(r, 129) / 128.0 : 0.0;
            w[0] = 1.0 - w[1] - w[2];
        }
        for (int a = 0; a < 3; a++)
            at[a] = (w[0] * c[0][a] + w[1] * c[1][a] + w[2] * c[2][a]) / 512.0 + ((int)vp_random_below(r, 3) - 1) * off;
    }
    return (vp_vec3){on_lattice(at[0]), on_lattice(at[1]), on_lattice(at[2])};
}

static void compare(vp_terrain *terrain, vp_surface surface, const vp_closed_surface *o, vp_vec3 point, inside_counts *n)
{
    bool on, inside = true;
    const int winding = vp_closed_surface_winding(o, point, &on);
    assert_ok(vp_terrain_inside(terrain, surface, point, &inside, &error));
    if (inside != (winding > 0 && !on))
        fail_msg("(%.9g, %.9g, %.9g): told %d, the winding number is %d%s", (double)point.x, (double)point.y, (double)point.z, inside,
                 winding, on ? ", on the surface" : "");
    n->inside += inside;
    n->front += !inside && !on;
    n->on += on;
    n->folded += winding < 0 || winding > 1;
}

static void compare_world(vp_world *world, vp_surface surface, uint32_t points, vp_random *r, inside_counts *n)
{
    vp_closed_surface o;
    vp_terrain *terrain = NULL;
    assert_ok(vp_closed_surface_make(world, surface, &o, &error));
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world, .surfaces = VP_TERRAIN_SOLID | VP_TERRAIN_WATER}, &terrain, &error));
    for (uint32_t i = 0; i < points; i++)
        compare(terrain, surface, &o, some_point(r, &o, vp_world_size(world)), n);
    vp_terrain_destroy(terrain);
    vp_closed_surface_free(&o);
}

/* A world in which neighbouring voxels are as different as possible. */
static vp_voxel hostile_voxel(vp_random *r, uint32_t kind, vp_ivec3 at)
{
    static const uint8_t around_half[] = {126, 127, 128, 129};
    const bool odd = (at.x + at.y + at.z) % 2 != 0;
    switch (kind) {
    case 0: /* full voxels across corners and edges */
        return odd ? STONE : (vp_voxel){VP_AIR, 0};
    case 1: /* the thinnest crossings next to the thickest */
        return (vp_voxel){odd ? VP_FIRST_SOLID : VP_WATER, vp_random_below(r, 2) == 0 ? 255 : 128};
    case 2: /* full or nearly without a surface */
        return (vp_voxel){VP_FIRST_SOLID, around_half[vp_random_below(r, 4)]};
    case 3: /* single voxels */
        return vp_random_below(r, 9) == 0 ? (vp_voxel){VP_FIRST_SOLID, (uint8_t)vp_random_below(r, 256)} : (vp_voxel){VP_AIR, 0};
    case 4: /* solid, with a surface at all six borders of the world */
        return vp_random_below(r, 20) == 0 ? (vp_voxel){VP_AIR, 0} : STONE;
    default:
        return (vp_voxel){(uint8_t)vp_random_below(r, 4), (uint8_t)vp_random_below(r, 256)};
    }
}

enum { KINDS = 6 };

static vp_world *hostile_world(vp_random *r, uint32_t kind)
{
    vp_world *world = test_world(2, 1, 2, NULL);
    for (int32_t y = 0; y < 8; y++)
        for (int32_t z = 0; z < 16; z++)
            for (int32_t x = 0; x < 16; x++)
                assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, y, z}, hostile_voxel(r, kind, (vp_ivec3){x, y, z}), NULL, &error));
    return world;
}

static void print_counts(const char *what, const inside_counts *n)
{
    print_message("%s: %u inside, %u in front, %u on the surface; %u in folds\n", what, n->inside, n->front, n->on, n->folded);
    assert_true(n->inside > 0 && n->front > 0 && n->on > 0);
}

/* docs/CONTRACT.md: INS-1, INS-2 */
TEST(test_hostile)
{
    vp_random r = {31};
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        static const char *const name[KINDS] = {"checkerboard", "thin and thick", "around half", "single voxels", "holes", "anything"};
        inside_counts n = {0, 0, 0, 0};
        for (int times = 0; times < 4; times++) {
            vp_world *world = hostile_world(&r, kind);
            compare_world(world, VP_SURFACE_SOLID, POINTS / 4, &r, &n);
            if (kind == KINDS - 1)
                compare_world(world, VP_SURFACE_WATER, POINTS / 4, &r, &n);
            vp_world_destroy(world);
        }
        print_counts(name[kind], &n);
    }
}

/* docs/CONTRACT.md: INS-3. Coordinates near 0 count as the nearest multiple of 2^-24, far ones are outside. */
TEST(test_coordinates)
{
    vp_world *world = test_world(2, 2, 2, NULL);
    vp_terrain *terrain = NULL;
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){16, 16, 16}, STONE, NULL, &error));
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &terrain, &error));
    const float outside[] = {-3.4e38f, -3e9f, -1.0f, -0.5f, -1e-30f, -0.0f, 0.0f, 1e-30f, 0x1p-10f, 16.5f, 17.0f, 3e9f, 3.4e38f};
    const float within[] = {0x1p-8f, 0.25f, 0.5f, 8.0f, 15.5f, 16.0f};
    for (int a = 0; a < 3; a++)
        for (size_t i = 0; i < sizeof outside / sizeof *outside + sizeof within / sizeof *within; i++) {
            const bool expected = i >= sizeof outside / sizeof *outside;
            float at[3] = {7.25f, 7.25f, 7.25f};
            bool inside = !expected;
            at[a] = expected ? within[i - sizeof outside / sizeof *outside] : outside[i];
            assert_ok(vp_terrain_inside(terrain, VP_SURFACE_SOLID, (vp_vec3){at[0], at[1], at[2]}, &inside, &error));
            assert_int_equal(inside, expected);
        }
    /* The surface lies at 1/512. A point 2^-26 beyond it counts as on it, and 3 * 2^-26 beyond as inside. */
    bool inside = true;
    assert_ok(vp_terrain_inside(terrain, VP_SURFACE_SOLID, (vp_vec3){0x1p-9f + 0x1p-26f, 7.25f, 7.25f}, &inside, &error));
    assert_false(inside);
    assert_ok(vp_terrain_inside(terrain, VP_SURFACE_SOLID, (vp_vec3){0x1p-9f + 0x3p-26f, 7.25f, 7.25f}, &inside, &error));
    assert_true(inside);
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
}

/* docs/CONTRACT.md: INS-4, INS-5. A reader sees its own version, an edit takes effect at once, and a box of chunks changes nothing. */
TEST(test_versions)
{
    vp_world *world = test_world(3, 2, 3, NULL);
    vp_terrain *terrain = NULL;
    vp_terrain_reader reader = {.terrain = NULL};
    const vp_vec3 point = {4.5f, 4.5f, 4.5f};
    bool inside = true;
    const vp_terrain_def def = {.world = world, .first = {1, 0, 1}, .chunks = {1, 1, 1}};
    assert_ok(vp_terrain_create(&def, &terrain, &error));
    assert_ok(vp_terrain_inside(terrain, VP_SURFACE_SOLID, point, &inside, &error));
    assert_false(inside);
    assert_ok(vp_terrain_set_voxel(terrain, (vp_ivec3){4, 4, 4}, (vp_voxel){VP_FIRST_SOLID, 127}, NULL, &error));
    assert_ok(vp_terrain_inside(terrain, VP_SURFACE_SOLID, point, &inside, &error));
    assert_false(inside); /* half a voxel has no surface */
    assert_ok(vp_terrain_set_voxel(terrain, (vp_ivec3){4, 4, 4}, (vp_voxel){VP_FIRST_SOLID, 128}, NULL, &error));
    vp_terrain_acquire_reader(terrain, &reader);
    assert_ok(vp_terrain_reader_inside(&reader, VP_SURFACE_SOLID, point, &inside, &error));
    assert_true(inside);

    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 9; k++) {
        vp_vec3 at = {1.0f, 1.0f, 1.0f};
        char reported[32];
        (&at.x)[k / 3] = bad[k % 3];
        snprintf(reported, sizeof reported, "point.%c is %g", "xyz"[k / 3], (double)bad[k % 3]);
        assert_refused(vp_terrain_inside(terrain, VP_SURFACE_SOLID, at, &inside, &error), VP_E_ARGUMENT, reported);
    }
    assert_refused(vp_terrain_reader_inside(&reader, VP_SURFACE_WATER, point, &inside, &error), VP_E_ARGUMENT, "water");
    vp_terrain_release_reader(&reader);
    assert_refused(vp_terrain_reader_inside(&reader, VP_SURFACE_SOLID, point, &inside, &error), VP_E_ARGUMENT, "reader");
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
}
