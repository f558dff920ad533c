/* SPDX-License-Identifier: MIT */
/* Laying and editing an automaton in a world step by step gives the same cells as laying the final state (docs/CONTRACT.md: AUT-5). */
#include "tests/support/check.h"

#include <stdlib.h>

#include <voxphys/automaton.h>

enum { FIRST = 20, OFFSET_X = 5, OFFSET_Y = 8, OFFSET_Z = 11 };

/* Hills of stone under the trees, in a world that is larger than the automaton. */
static vp_world *make_world(void)
{
    vp_world *world = NULL;
    assert_ok(vp_world_create(&(vp_world_def){.size = {48, 48, 48}}, &world, &error));
    for (int32_t z = 0; z < 48; z++)
        for (int32_t x = 0; x < 48; x++)
            assert_ok(vp_world_fill_box(world, (vp_ivec3){x, 0, z}, (vp_ivec3){x + 1, 10 + (x / 8 + z / 8) % 3, z + 1}, (vp_voxel){2, 255},
                                        NULL, &error));
    return world;
}

static vp_automaton *make_garden(const vp_world *world, vp_automaton_material_map *laying)
{
    const vp_ivec3 low = {OFFSET_X, OFFSET_Y, OFFSET_Z};
    vp_automaton_ground ground = {{VP_CELL_EMPTY}};
    vp_automaton *a = NULL;
    for (int m = 1; m < 256; m++)
        ground.type[m] = VP_AUTOMATON_GROUND;
    *laying = vp_automaton_material_map_builtin(FIRST);
    laying->low = low;
    assert_ok(vp_automaton_create(&(vp_automaton_def){.size = {33, 37, 31}, .seed = 21}, &a, &error));
    assert_ok(vp_automaton_read_world(a, world, low, &ground, &error));
    for (int i = 0; i < 12; i++) {
        vp_ivec3 at = {3 + i * 5 % 27, 0, 3 + i * 7 % 25};
        assert_ok(vp_automaton_find_top(a, at.x, at.z, &at.y, &error));
        assert_int_equal(at.y, 10 + ((at.x + OFFSET_X) / 8 + (at.z + OFFSET_Z) / 8) % 3 - OFFSET_Y);
        at.y += i < 4 ? 0 : 9;
        assert_ok(vp_automaton_plant(a, (uint8_t)(i < 4 ? VP_AUTOMATON_REDWOOD + i : VP_AUTOMATON_BEETLE + i % 6), at, false, &error));
    }
    return a;
}

static void expect_same(const vp_world *a, const vp_world *b)
{
    const vp_dims s = vp_world_size(a);
    const size_t voxels = (size_t)s.x * s.y * s.z;
    assert_memory_equal(vp_world_bricks(a).material, vp_world_bricks(b).material, voxels);
    assert_memory_equal(vp_world_occupancy(a), vp_world_occupancy(b), voxels);
}

#ifdef TEST_THIN
enum { STEPS = 15, RAYS = 8 };
#else
enum { STEPS = 70, RAYS = 24 };
#endif

/* docs/CONTRACT.md: AUT-5 */
TEST(edits_are_a_rebuild)
{
    vp_world *world = make_world(), *whole = NULL;
    vp_automaton_material_map laying;
    vp_automaton *a = make_garden(world, &laying);
    assert_ok(vp_automaton_write_world(a, &laying, world, NULL, &error));
    size_t edits = 0;
    for (int step = 0; step < STEPS; step++) {
        uint32_t changes;
        size_t count;
        assert_ok(vp_automaton_run(a, 1, NULL, &error));
        vp_automaton_changes(a, &changes);
        vp_ivec3 *at = malloc((changes + 1) * sizeof *at);
        vp_voxel *voxel = malloc((changes + 1) * sizeof *voxel);
        assert_ok(vp_automaton_list_edits(a, &laying, at, voxel, &count, &error));
        assert_true(count <= changes);
        assert_ok(vp_world_set_voxels(world, at, voxel, count, NULL, &error));
        edits += count;
        free(at);
        free(voxel);
    }
    whole = make_world();
    assert_ok(vp_automaton_write_world(a, &laying, whole, NULL, &error));
    expect_same(world, whole);
    assert_true(edits > (size_t)STEPS * 5);
    /* set by hand, so the ground is unchanged and wood is at its place */
    uint32_t wood = 0;
    for (int32_t y = 0; y < 48; y++)
        for (int32_t z = 0; z < 48; z++)
            for (int32_t x = 0; x < 48; x++) {
                const vp_automaton_cell c = vp_automaton_cell_at(a, (vp_ivec3){x - OFFSET_X, y - OFFSET_Y, z - OFFSET_Z});
                const uint8_t m = vp_world_voxel(whole, (vp_ivec3){x, y, z}).material, stone = y < 10 + (x / 8 + z / 8) % 3 ? 2 : 0;
                assert_int_equal(m,
                                 c.type < VP_AUTOMATON_BEETLE || c.type == VP_CELL_OUTSIDE ? stone : FIRST + c.type - VP_AUTOMATON_BEETLE);
                wood += c.type >= VP_AUTOMATON_REDWOOD && c.type < VP_AUTOMATON_BUILTIN_TYPES;
            }
    assert_true(wood > 10);
    vp_automaton_destroy(a);
    vp_world_destroy(world);
    vp_world_destroy(whole);
}

TEST(what_is_refused)
{
    vp_world *world = make_world();
    vp_automaton_material_map laying;
    vp_automaton *a = make_garden(world, &laying);
    const vp_automaton_ground odd = {{0, 0, 99}};
    vp_ivec3 at[1];
    vp_voxel voxel[1];
    size_t count;
    assert_refused(vp_automaton_read_world(a, world, laying.low, &odd, &error), VP_E_ARGUMENT, "type 99");
    assert_refused(vp_automaton_read_world(a, world, (vp_ivec3){0, INT32_MAX, 0}, &odd, &error), VP_E_ARGUMENT, "type 99");
    assert_refused(vp_automaton_read_world(a, world, (vp_ivec3){0, INT32_MAX, 0}, &(vp_automaton_ground){{0}}, &error), VP_E_ARGUMENT,
                   "2147483647");
    laying.low.x = 16; /* to 49 */
    assert_refused(vp_automaton_write_world(a, &laying, world, NULL, &error), VP_E_ARGUMENT, "voxel (48, ");
    laying.low.x = INT32_MAX - 2;
    assert_refused(vp_automaton_list_edits(a, &laying, at, voxel, &count, &error), VP_E_ARGUMENT, "2147483645");
    laying.low.x = -1;
    assert_refused(vp_automaton_write_world(a, &laying, world, NULL, &error), VP_E_ARGUMENT, "voxel (-1, ");
    laying.low.x = 0;
    laying.material[3] = 257;
    assert_refused(vp_automaton_write_world(a, &laying, world, NULL, &error), VP_E_ARGUMENT, "material 257");
    assert_refused(vp_automaton_list_edits(a, &laying, at, voxel, &count, &error), VP_E_ARGUMENT, "material 257");
    laying.material[3] = VP_AUTOMATON_MAP_NOTHING;
    vp_chunk_set other;
    assert_ok(vp_chunk_set_create((vp_dims){1, 1, 1}, NULL, &other, &error));
    assert_int_equal(vp_automaton_write_world(a, &laying, world, &other, NULL), VP_E_ARGUMENT);
    vp_world *same = make_world(); /* nothing was laid */
    expect_same(world, same);
    vp_chunk_set_destroy(&other);
    vp_automaton_destroy(a);
    vp_world_destroy(world);
    vp_world_destroy(same);
}
