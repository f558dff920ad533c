/* SPDX-License-Identifier: MIT */
/* The mesher of one chunk, in every version that this machine runs, against hand-made literals and the oracle (docs/CONTRACT.md: MSH-1,
 * MSH-2, MSH-3). */
#include "tests/support/check.h"
#include "tests/support/mesh_oracle.h"
#include "tests/support/samples.h"

#include <stdio.h>

#include <voxphys/voxphys.h>

static test_table table[TEST_TABLES_MAX];
static size_t tables;

/* Every chunk of a world, both surfaces, all versions. @return total number of quads */
static uint64_t check_world(const vp_world *world, const char *what)
{
    static vp_chunk_mesh_room room, own;
    const vp_dims n = vp_world_chunks(world);
    uint64_t quads = 0;
    for (uint32_t c = 0; c < n.x * n.y * n.z; c++)
        for (vp_surface s = VP_SURFACE_SOLID; s <= VP_SURFACE_WATER; s++) {
            const vp_ivec3 at = {(int32_t)(c % n.x), (int32_t)(c / n.x / n.z), (int32_t)(c / n.x % n.z)};
            vp_chunk_mesh want = vp_chunk_mesh_in(&room);
            oracle_chunk_mesh(world, at, s, &want);
            quads += want.quad_count;
            for (size_t t = 0; t < tables; t++) {
                char name[160];
                vp_chunk_mesh mesh = vp_chunk_mesh_in(&own);
                snprintf(name, sizeof name, "%s, %s", what, table[t].name);
                assert_ok(vp_mesh_chunk(world, &table[t].kernels, at, s, &mesh, &error));
                expect_same_chunk_mesh(name, at, s, &mesh, &want);
            }
        }
    return quads;
}

/* ---- literals ---- */

static void set(vp_world *world, int x, int y, int z, uint8_t material, uint8_t occupancy)
{
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, y, z}, (vp_voxel){material, occupancy}, NULL, &error));
}

/* One full voxel in air: eight cells, each with three crossings at the middle of an edge. At the low cell of an axis two of them lie at 1:
 * (1/2 + 2)/3 = 5/6, which is in the 213th 1/256. At the high cell (1/2)/3 = 1/6 is in the 42nd. */
static void one_voxel(void **state)
{
    (void)state; /* docs/CONTRACT.md: MSH-1 */
    vp_world *world = test_world(1, 1, 1, NULL);
    set(world, 3, 4, 5, 7, 255);
    static vp_chunk_mesh_room room;
    for (size_t t = 0; t < tables; t++) {
        vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
        assert_ok(vp_mesh_chunk(world, &table[t].kernels, (vp_ivec3){0, 0, 0}, VP_SURFACE_SOLID, &mesh, &error));
        assert_int_equal(mesh.vertex_count, 8);
        assert_int_equal(mesh.quad_count, 6);
        for (int v = 0; v < 8; v++) {
            float low = 0.5f + 213.5f / 256.0f - 1.0f, high = 0.5f + 42.5f / 256.0f;
            assert_true(mesh.vertex[v].x == 3.0f + ((v & 1) != 0 ? high : low));
            assert_true(mesh.vertex[v].z == 5.0f + ((v & 2) != 0 ? high : low));
            assert_true(mesh.vertex[v].y == 4.0f + ((v & 4) != 0 ? high : low));
        }
        /* By rows (y, z) of the lower voxel: (3, 5) bottom. (4, 4) front. (4, 5) left, right, top, back. Vertices are numbered x + 2*z +
         * 4*y. */
        static const uint16_t expected[6][4] = {
            {0, 1, 3, 2}, /* bottom: seen from there, x then z */
            {0, 4, 5, 1}, /* front, at z = 4: y then x */
            {0, 2, 6, 4}, /* left: z then y */
            {1, 5, 7, 3}, /* right: y then z */
            {4, 6, 7, 5}, /* top: z then x */
            {2, 3, 7, 6}, /* back: x then y */
        };
        for (int q = 0; q < 6; q++) {
            for (int i = 0; i < 4; i++)
                assert_int_equal(mesh.quad[q][i], expected[q][i]);
            assert_int_equal(mesh.material[q], 7);
        }
        mesh = vp_chunk_mesh_in(&room);
        assert_ok(vp_mesh_chunk(world, &table[t].kernels, (vp_ivec3){0, 0, 0}, VP_SURFACE_WATER, &mesh, &error));
        assert_int_equal(mesh.vertex_count + mesh.quad_count, 0);
    }
    vp_world_destroy(world);
}

/* ---- all signs, many values ---- */

static const uint8_t insides[] = {128, 129, 200, 254, 255}, outsides[] = {0, 1, 64, 126, 127};

/* All 256 patterns of inside corners of a cell, in air and in solid, with all kinds of occupancies. */
static void all_signs(void **state)
{
    (void)state; /* docs/CONTRACT.md: MSH-2 */
    uint64_t quads = 0;
    for (uint32_t round = 0; round < 2; round++) {
        vp_random r = {7 + round};
        for (int signs = 0; signs < 256; signs++) {
            vp_world *world = test_world(1, 1, 1, NULL);
            if (round == 1)
                assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){8, 8, 8}, (vp_voxel){9, 255}, NULL, &error));
            for (int i = 0; i < 8; i++) {
                uint32_t pick = vp_random_below(&r, 6);
                bool inside = (signs >> i & 1) != 0, air = !inside && pick == 5;
                uint8_t occupancy = inside ? insides[pick % 5] : outsides[pick % 5];
                set(world, 3 + (i & 1), 3 + (i >> 2), 3 + (i >> 1 & 1), air ? VP_AIR : (uint8_t)(2 + i), occupancy);
            }
            char what[40];
            snprintf(what, sizeof what, "signs %d, round %u", signs, round);
            quads += check_world(world, what);
            vp_world_destroy(world);
        }
    }
    assert_true(quads > 10000);
}

/* All pairs of an inside and an outside value on one edge, which give every possible fraction. */
static void all_crossings(void **state)
{
    (void)state; /* docs/CONTRACT.md: MSH-2 */
    vp_world *world = test_world(5, 4, 5, NULL);
    int inside = 128, outside = -1;
    uint32_t pairs = 0;
    while (inside < 256) { /* a pair at every second voxel along x, in air, so its cells have other crossings too */
        for (int i = 0; i < 20 * 16 * 40 && inside < 256; i++) {
            int x = i % 20 * 2, z = i / 20 % 40, y = i / 800 * 2;
            set(world, x, y, z, VP_FIRST_SOLID, (uint8_t)inside);
            set(world, x + 1, y, z, outside < 0 ? VP_AIR : VP_FIRST_SOLID, outside < 0 ? 0 : (uint8_t)outside);
            pairs++;
            if (++outside == 128) {
                outside = -1;
                inside++;
            }
        }
        check_world(world, "all crossings");
    }
    assert_int_equal(pairs, 128 * 129);
    vp_world_destroy(world);
}

/* ---- worlds ---- */

/* In noise most cells have a vertex. In a checkerboard all cells have one, and every edge has a quad. */
static void noise(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 4; round++) {
        vp_random r = {200 + round};
        vp_world *world = test_world(2, 2, 3, NULL);
        for (int i = 0; i < 16 * 16 * 24; i++) {
            int x = i % 16, z = i / 16 % 24, y = i / 16 / 24;
            vp_voxel v = test_random_voxel(&r);
            if (round == 1) /* of one class and air */
                v.material = vp_random_below(&r, 3) == 0 ? VP_AIR : VP_FIRST_SOLID;
            if (round == 2)
                v = (vp_voxel){(x + y + z) % 2 == 0 ? VP_AIR : (uint8_t)(1 + vp_random_below(&r, 2)), 255};
            if (round == 3)
                v = (vp_voxel){(x + y + z) % 2 == 0 ? VP_AIR : VP_FIRST_SOLID, 255};
            set(world, x, y, z, v.material, v.occupancy);
        }
        char what[40];
        snprintf(what, sizeof what, "noise, round %u", round);
        uint64_t quads = check_world(world, what);
        if (round == 3) { /* the middle chunks have all quads. So have those at a high face, because outside is air */
            static vp_chunk_mesh_room room;
            vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
            assert_ok(vp_mesh_chunk(world, NULL, (vp_ivec3){0, 0, 1}, VP_SURFACE_SOLID, &mesh, &error));
            assert_int_equal(mesh.vertex_count, VP_CHUNK_MESH_VERTICES); /* the cell at (-1, -1, -1) is in no quad */
            assert_int_equal(mesh.quad_count, VP_CHUNK_MESH_QUADS);
            assert_true(quads > 10 * 1400);
        }
        vp_world_destroy(world);
    }
}

/* Surfaces exactly between two chunks belong to the lower chunk, and the upper one has none. */
static void between_chunks(void **state)
{
    (void)state; /* docs/CONTRACT.md: MSH-3 */
    static vp_chunk_mesh_room room;
    for (int axis = 0; axis < 3; axis++)
        for (int upper_inside = 0; upper_inside < 2; upper_inside++) {
            vp_world *world = test_world(2, 2, 2, NULL);
            vp_ivec3 low = {0, 0, 0}, high = {16, 16, 16}, lower = {0, 0, 0}, upper = {axis == 0, axis == 1, axis == 2};
            int32_t *bound[2][3] = {{&high.x, &high.y, &high.z}, {&low.x, &low.y, &low.z}};
            *bound[upper_inside][axis] = 8;
            assert_ok(vp_world_fill_box(world, low, high, (vp_voxel){5, 255}, NULL, &error));
            check_world(world, "between chunks");
            vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
            assert_ok(vp_mesh_chunk(world, NULL, lower, VP_SURFACE_SOLID, &mesh, &error));
            assert_int_equal(mesh.quad_count, 64);
            assert_int_equal(mesh.vertex_count, 81);
            assert_ok(vp_mesh_chunk(world, NULL, upper, VP_SURFACE_SOLID, &mesh, &error));
            assert_int_equal(mesh.quad_count, upper_inside == 1 ? 64 : 0); /* the world's border is next to it */
            vp_world_destroy(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_voxel), cmocka_unit_test(all_signs),      cmocka_unit_test(all_crossings),
        cmocka_unit_test(noise),     cmocka_unit_test(between_chunks),
    };
    tables = test_tables(table);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
