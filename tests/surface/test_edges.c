/* SPDX-License-Identifier: MIT */
/* The chunks whose edge flags an edit affects, the limit of flat, triangles without area, and refused input. test_connect.c compares the
 * flags of meshes and chunks of random worlds with those of triangles that are connected by their corners (docs/CONTRACT.md: EDG-1, EDG-3).
 */
#include <voxphys/kernels.h>
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

static vp_mesh mesh_of(const vp_world *world, vp_surface surface, const vp_allocator *allocator)
{
    vp_mesh mesh = {0};
    vp_mesh_def def = {.world = world, .surface = surface, .allocator = allocator};
    assert_ok(vp_mesh_create(&def, &mesh, &error));
    return mesh;
}

static vp_ivec3 chunk_at(vp_dims n, uint32_t c)
{
    return (vp_ivec3){(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
}

static void set(vp_world *world, int x, int y, int z, uint8_t material, uint8_t occupancy)
{
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, y, z}, (vp_voxel){material, occupancy}, NULL, &error));
}

/* ---- edits ---- */

typedef struct flagged {
    vp_chunk_mesh_room room;
    vp_chunk_mesh mesh;
    uint8_t flags[2 * VP_CHUNK_MESH_QUADS + VP_EDGE_FLAGS_SLACK];
} flagged;

static void flag_chunk(const vp_world *world, uint32_t c, flagged *out)
{
    vp_voxels voxels = vp_world_voxels(world);
    vp_ivec3 at = chunk_at(voxels.chunks, c);
    out->mesh = vp_chunk_mesh_in(&out->room);
    vp_mesh_chunk_scalar(&voxels, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, VP_SURFACE_SOLID, &out->mesh);
    vp_edge_flags_scalar(&voxels, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, VP_SURFACE_SOLID, &out->mesh, out->flags);
}

/* Whether an edit from low to high, clipped to the world, contains one of the 12^3 voxels around a chunk. */
static bool concerns(vp_ivec3 low, vp_ivec3 high, vp_dims size, vp_ivec3 chunk)
{
    for (int y = chunk.y * 8 - 2; y < chunk.y * 8 + 10; y++)
        for (int z = chunk.z * 8 - 2; z < chunk.z * 8 + 10; z++)
            for (int x = chunk.x * 8 - 2; x < chunk.x * 8 + 10; x++)
                if (x >= low.x && x < high.x && y >= low.y && y < high.y && z >= low.z && z < high.z && x >= 0 && y >= 0 && z >= 0 &&
                    x < (int)size.x && y < (int)size.y && z < (int)size.z)
                    return true;
    return false;
}

TEST(edits)
{
    vp_random r = {4005};
    vp_dims n = {3, 2, 2}, size = {24, 16, 16};
    enum { CHUNKS = 12 };
    flagged *before = malloc(CHUNKS * sizeof *before), *after = malloc(sizeof *after);
    assert_non_null(before);
    assert_non_null(after);
    vp_chunk_set stale, meshes;
    assert_ok(vp_chunk_set_create(n, NULL, &stale, &error));
    assert_ok(vp_chunk_set_create(n, NULL, &meshes, &error));
    vp_world *world = test_world(n.x, n.y, n.z, NULL);
    /* Nearly level ground, where many edges are nearly flat, with edits mostly of the ground. */
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){24, 7, 16}, (vp_voxel){5, 255}, NULL, &error));
    for (int i = 0; i < 24 * 16; i++)
        set(world, i % 24, 7, i / 24, 5, (uint8_t)(110 + vp_random_below(&r, 40)));
    for (uint32_t c = 0; c < CHUNKS; c++)
        flag_chunk(world, c, &before[c]);
    uint32_t flags_alone = 0;
    for (int i = 0; i < 600; i++) {
        vp_ivec3 low, high;
        low.x = (int)vp_random_below(&r, 34) - 5;
        low.y = (int)vp_random_below(&r, 26) - 5;
        low.z = (int)vp_random_below(&r, 26) - 5;
        high = low;
        bool one = i % 4 != 0, ground = i % 8 != 1;
        low.y = ground ? 6 + (int)vp_random_below(&r, 3) : low.y;
        high.y = low.y;
        vp_voxel voxel = ground ? (vp_voxel){5, (uint8_t)(100 + vp_random_below(&r, 60))} : test_random_voxel(&r);
        high.x += one ? 1 : (int)vp_random_below(&r, 5);
        high.y += one ? 1 : (int)vp_random_below(&r, 5);
        high.z += one ? 1 : (int)vp_random_below(&r, 5);
        vp_chunk_set_clear(&stale);
        vp_chunk_set_clear(&meshes);
        assert_ok(vp_world_fill_box(world, low, high, voxel, &meshes, &error));
        assert_ok(vp_edge_flags_stale(low, high, &stale, &error));
        for (uint32_t c = 0; c < CHUNKS; c++) {
            if (vp_chunk_set_has(&stale, c) != concerns(low, high, size, chunk_at(n, c)))
                fail_msg("edit %d of (%d, %d, %d) to (%d, %d, %d): chunk %u is %sin the set", i, low.x, low.y, low.z, high.x, high.y,
                         high.z, c, vp_chunk_set_has(&stale, c) ? "" : "not ");
            flag_chunk(world, c, after);
            const bool same = before[c].mesh.quad_count == after->mesh.quad_count &&
                              memcmp(before[c].flags, after->flags, 2 * (size_t)after->mesh.quad_count) == 0;
            assert_true(same || vp_chunk_set_has(&stale, c));
            flags_alone += !same && !vp_chunk_set_has(&meshes, c);
            before[c] = *after;
            before[c].mesh.vertex = before[c].room.vertex;
        }
    }
    assert_true(flags_alone > 10); /* the 10^3 voxels around a chunk would not be enough */

    vp_chunk_set_clear(&stale);
    vp_ivec3 least = {INT32_MIN, INT32_MIN, INT32_MIN}, most = {INT32_MAX, INT32_MAX, INT32_MAX};
    assert_ok(vp_edge_flags_stale(most, most, &stale, &error));
    assert_ok(vp_edge_flags_stale(least, least, &stale, &error));
    assert_int_equal(vp_chunk_set_count(&stale), 0);
    assert_ok(vp_edge_flags_stale(least, most, &stale, &error));
    assert_int_equal(vp_chunk_set_count(&stale), CHUNKS);
    vp_chunk_set_destroy(&stale);
    vp_chunk_set_destroy(&meshes);
    vp_world_destroy(world);
    free(before);
    free(after);
}

/* A quad whose first triangle is degenerate, and a neighbour at a right angle. Without a normal there is no correction. */
TEST(no_area)
{
    static const int16_t whole[6][3] = {{246, 216, 100}, {266, 236, 100}, {296, 266, 100},
                                        {200, 300, 100}, {300, 150, 300}, {200, 200, 300}};
    vp_vec3 vertex[6];
    for (int i = 0; i < 6; i++)
        vertex[i] = (vp_vec3){((float)whole[i][0] + 128.5f) / 256.0f, ((float)whole[i][1] + 128.5f) / 256.0f,
                              ((float)whole[i][2] + 128.5f) / 256.0f};
    /* Around an edge along z, and one along y, which share the side from 0 to 1. */
    uint32_t quad[2][4] = {{0, 1, 2, 3}, {0, 5, 4, 1}};
    uint8_t flags[4];
    vp_mesh mesh = {.vertex = vertex, .quad = quad, .vertex_count = 6, .quad_count = 2, .allocator = vp_allocator_default()};
    assert_ok(vp_mesh_edge_flags(&mesh, flags, &error));
    assert_int_equal(flags[0], VP_EDGE_CONVEX | VP_EDGE_OPEN << 2 | VP_EDGE_CONVEX << 4);
    assert_int_equal(flags[1], VP_EDGE_CONVEX | VP_EDGE_OPEN << 2 | VP_EDGE_OPEN << 4);
    assert_int_equal(flags[3] >> 4, VP_EDGE_CONVEX);
}

/* ---- refused arguments ---- */

TEST(refusals)
{
    static vp_chunk_mesh_room room;
    static uint8_t flags[2 * VP_CHUNK_MESH_QUADS + VP_EDGE_FLAGS_SLACK];
    vp_world *world = test_world(2, 1, 1, NULL);
    set(world, 3, 3, 3, 7, 255);
    set(world, 5, 3, 3, 7, 255);
    vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
    vp_ivec3 chunk = {0, 0, 0}, right = {1, 0, 0};
    assert_ok(vp_mesh_chunk(world, NULL, chunk, VP_SURFACE_SOLID, &mesh, &error));
    assert_ok(vp_edge_flags(world, NULL, chunk, VP_SURFACE_SOLID, &mesh, flags, &error));
    assert_refused(vp_edge_flags(world, NULL, (vp_ivec3){2, 0, 0}, VP_SURFACE_SOLID, &mesh, flags, &error), VP_E_ARGUMENT, "(2, 0, 0)");
    assert_refused(vp_edge_flags(world, NULL, chunk, (vp_surface)2, &mesh, flags, &error), VP_E_ARGUMENT, "surface is 2");
    assert_refused(vp_edge_flags(world, NULL, right, VP_SURFACE_SOLID, &mesh, flags, &error), VP_E_ARGUMENT, "(1, 0, 0)");
    assert_refused(vp_edge_flags(world, NULL, chunk, VP_SURFACE_WATER, &mesh, flags, &error), VP_E_ARGUMENT, "16 vertices");
    set(world, 3, 3, 3, 7, 200); /* as many, elsewhere */
    assert_refused(vp_edge_flags(world, NULL, chunk, VP_SURFACE_SOLID, &mesh, flags, &error), VP_E_ARGUMENT, "12 quads");

    vp_mesh whole = mesh_of(world, VP_SURFACE_SOLID, NULL);
    assert_int_equal(whole.quad_count, 12);
    assert_ok(vp_mesh_edge_flags(&whole, flags, &error));
    vp_vec3 vertex = whole.vertex[5];
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, -0.75f - 1.0f / 512.0f, 3000.0f + 1.0f / 512.0f, 3.25f, 3.0001f};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        whole.vertex[5].y = bad[i];
        assert_refused(vp_mesh_edge_flags(&whole, flags, &error), VP_E_ARGUMENT, "vertex 5,");
    }
    whole.vertex[5] = vertex;
    whole.vertex[5].x += 1.0f; /* in another cell */
    assert_refused(vp_mesh_edge_flags(&whole, flags, &error), VP_E_ARGUMENT, "quad ");
    whole.vertex[5] = vertex;
    uint32_t corner = whole.quad[7][2];
    whole.quad[7][2] = whole.vertex_count;
    assert_refused(vp_mesh_edge_flags(&whole, flags, &error), VP_E_ARGUMENT, "quad 7 has vertex 16 of 16");
    whole.quad[7][2] = whole.quad[7][0];
    assert_refused(vp_mesh_edge_flags(&whole, flags, &error), VP_E_ARGUMENT, "quad 7 ");
    whole.quad[7][2] = corner;
    assert_ok(vp_mesh_edge_flags(&whole, flags, &error));
    vp_mesh_destroy(&whole);

    /* The same quad thirteen times is more than a cell can have. */
    vp_vec3 corners[4] = {{3 - 1 / 512.0f, 3 - 1 / 512.0f, 3 - 1 / 512.0f},
                          {3 - 1 / 512.0f, 4 - 1 / 512.0f, 3 - 1 / 512.0f},
                          {3 - 1 / 512.0f, 4 - 1 / 512.0f, 4 - 1 / 512.0f},
                          {3 - 1 / 512.0f, 3 - 1 / 512.0f, 4 - 1 / 512.0f}};
    uint32_t quads[13][4];
    for (int i = 0; i < 13; i++)
        for (uint32_t k = 0; k < 4; k++)
            quads[i][k] = k;
    vp_mesh crowd = {.vertex = corners, .quad = quads, .vertex_count = 4, .quad_count = 12, .allocator = vp_allocator_default()};
    assert_ok(vp_mesh_edge_flags(&crowd, flags, &error));
    crowd.quad_count = 13;
    assert_refused(vp_mesh_edge_flags(&crowd, flags, &error), VP_E_ARGUMENT, "26 sides");
    vp_mesh none = {.allocator = vp_allocator_default()};
    assert_ok(vp_mesh_edge_flags(&none, NULL, &error));

    vp_chunk_set stale = {.chunks = {2, 1, 1}};
    assert_refused(vp_edge_flags_stale(chunk, right, &stale, &error), VP_E_ARGUMENT, "vp_chunk_set.word is NULL");
    assert_ok(vp_chunk_set_create((vp_dims){2, 1, 1}, NULL, &stale, &error));
    assert_refused(vp_edge_flags_stale(right, chunk, &stale, &error), VP_E_ARGUMENT, "(1, 0, 0)");
    assert_int_equal(vp_chunk_set_count(&stale), 0);
    vp_chunk_set_destroy(&stale);
    vp_world_destroy(world);
}

/* Level ground that rises or falls by p in q. The flatness limit lies between 41 in 469, 4.996 degrees, and 28 in 320, 5.0006. */
TEST(five_degrees)
{
    static const struct {
        int16_t p, q;
        vp_edge is;
    } slope[] = {{0, 400, VP_EDGE_FLAT},     {41, 469, VP_EDGE_FLAT},     {-41, 469, VP_EDGE_FLAT},  {28, 320, VP_EDGE_CONCAVE},
                 {-28, 320, VP_EDGE_CONVEX}, {100, 300, VP_EDGE_CONCAVE}, {-90, 300, VP_EDGE_CONVEX}};
    for (size_t i = 0; i < sizeof slope / sizeof slope[0]; i++) {
        const int x = 290 + slope[i].q, y = 100 + slope[i].p;
        const int whole[6][3] = {{50, 100, 100}, {50, 100, 400}, {290, 100, 400}, {290, 100, 100}, {x, y, 400}, {x, y, 100}};
        uint32_t quad[2][4] = {{0, 1, 2, 3}, {3, 2, 4, 5}};
        vp_vec3 vertex[6];
        for (int v = 0; v < 6; v++)
            vertex[v] = (vp_vec3){((float)whole[v][0] + 128.5f) / 256.0f, ((float)whole[v][1] + 128.5f) / 256.0f,
                                  ((float)whole[v][2] + 128.5f) / 256.0f};
        uint8_t flags[4];
        vp_mesh mesh = {.vertex = vertex, .quad = quad, .vertex_count = 6, .quad_count = 2, .allocator = vp_allocator_default()};
        assert_ok(vp_mesh_edge_flags(&mesh, flags, &error));
        assert_int_equal(vp_edge_of(flags[1], 1), slope[i].is); /* from corner 2 to 3 of the first quad */
        assert_int_equal(vp_edge_of(flags[2], 0), slope[i].is); /* from corner 0 to 1 of the second */
    }
}
