/* SPDX-License-Identifier: MIT */
/* Refusals, limits, failing allocations, thousands of regions, and the shapes of regions. */
#include "tests/support/check.h"
#include "tests/support/memory.h"

#include <math.h>

#include <voxphys/voxphys.h>

#include "datasets/random.h"

static const vp_voxel rock = {7, 255}, air = {0, 0};

static vp_world *empty_world(vp_dims size)
{
    vp_world *world = NULL;
    assert_ok(vp_world_create(&(vp_world_def){.size = size}, &world, &error));
    return world;
}

/* ---- refusals ---- */

/* docs/CONTRACT.md: REG-5 */
TEST(bad_input)
{
    vp_world *world = empty_world((vp_dims){8, 8, 8});
    vp_terrain *t = NULL;
    vp_chunk_set other;
    vp_regions r = {.region_count = 77};
    const vp_ivec3 at[2] = {{1, 1, 1}, {1, 8, 1}};
    const vp_voxel voxel[2] = {{5, 5}, {5, 5}};
    const vp_regions_def usual = {0}, bits = {.anchors = 8}, mask = {.anchors = VP_ANCHOR_MASK}, small = {.small = (vp_regions_small)2};
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &t, &error));
    assert_ok(vp_chunk_set_create((vp_dims){2, 1, 1}, NULL, &other, &error));
    assert_refused(vp_regions_find(&bits, world, at, NULL, 1, &r, &error), VP_E_ARGUMENT, "0x8");
    assert_refused(vp_regions_find(&mask, world, at, NULL, 1, &r, &error), VP_E_ARGUMENT, "VP_ANCHOR_MASK");
    assert_refused(vp_regions_find(&small, world, at, NULL, 1, &r, &error), VP_E_ARGUMENT, "2");
    assert_refused(vp_regions_find(&usual, world, NULL, NULL, 3, &r, &error), VP_E_ARGUMENT, "at is NULL, count is 3");
    assert_refused(vp_regions_find(&usual, world, at, NULL, 2, &r, &error), VP_E_ARGUMENT, "voxel 1 at (1, 8, 1)");
    assert_refused(vp_regions_label(&bits, world, &r, &error), VP_E_ARGUMENT, "0x8");
    assert_refused(vp_regions_edit(&bits, t, at, voxel, 1, NULL, &r, &error), VP_E_ARGUMENT, "0x8");
    assert_refused(vp_regions_edit(&usual, t, at, voxel, 2, NULL, &r, &error), VP_E_ARGUMENT, "(1, 8, 1)");
    assert_refused(vp_regions_edit(&usual, t, at, voxel, 1, &other, &r, &error), VP_E_ARGUMENT, "2 x 1 x 1");
    assert_refused(vp_regions_edit(&usual, t, at, NULL, 1, NULL, &r, &error), VP_E_ARGUMENT, "NULL");
    const vp_vec3 nowhere = {NAN, 1, 1}, middle = {4, 4, 4};
    const vp_ivec3 one = {1, 1, 1}, three = {3, 3, 3};
    assert_refused(vp_regions_fill_sphere(&usual, t, nowhere, 1.0f, rock, NULL, &r, &error), VP_E_ARGUMENT, "nan");
    assert_refused(vp_regions_fill_sphere(&usual, t, middle, -2.0f, rock, NULL, &r, &error), VP_E_ARGUMENT, "-2");
    assert_refused(vp_regions_fill_box(&usual, t, three, one, rock, NULL, &r, &error), VP_E_ARGUMENT, "(3, 3, 3)");
    assert_refused(vp_regions_fill_box(&bits, t, one, three, rock, NULL, &r, &error), VP_E_ARGUMENT, "0x8");
    vp_terrain_reader reader = {0};
    vp_terrain_acquire_reader(t, &reader);
    assert_refused(vp_regions_edit(&usual, t, at, voxel, 1, NULL, &r, &error), VP_E_ARGUMENT, "read");
    vp_terrain_release_reader(&reader);
    assert_int_equal(r.region_count, 77);
    assert_int_equal(vp_world_voxel(world, at[0]).material, VP_AIR);

    assert_ok(vp_world_set_voxel(world, at[0], rock, NULL, &error));
    assert_ok(vp_regions_label(&usual, world, &r, &error));
    assert_int_equal(r.region_count, 1);
    assert_refused(vp_regions_remove(&r, world, &other, &error), VP_E_ARGUMENT, "2 x 1 x 1");
    r.at[0].x = 9;
    assert_refused(vp_regions_remove(&r, world, NULL, &error), VP_E_ARGUMENT, "(9, 1, 1)");
    vp_regions_destroy(&r);
    vp_regions_destroy(&r); /* all zero bytes */
    vp_chunk_set_destroy(&other);
    vp_terrain_destroy(t);
    vp_world_destroy(world);
}

/* A post that holds a plate. Single voxels hang from the plate, except at x = 0. @return their number */
static uint32_t put_plate(vp_world *world, int32_t side)
{
    uint32_t below = 0;
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){1, 7, 1}, rock, NULL, &error));
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 7, 0}, (vp_ivec3){side, 8, side}, rock, NULL, &error));
    for (int32_t z = 0; z < side; z += 2)
        for (int32_t x = 2; x < side; x += 2, below++)
            assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, 6, z}, rock, NULL, &error));
    return below;
}

static uint64_t checksum(const vp_world *world)
{
    const vp_dims c = vp_world_chunks(world);
    const vp_voxels v = vp_world_voxels(world);
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)c.x * c.y * c.z * VP_CHUNK_VOXELS; i++)
        sum = sum * 31 + v.material[i] * 256u + v.occupancy[i];
    return sum;
}

/* Digging the whole plate away drops 4,032 single voxels at once. Limits that are too low by one are reported. */
TEST(limits)
{
    enum { SIDE = 128, BITS = SIDE / 2 * (SIDE / 2 - 1) };
    static vp_ivec3 at[SIDE * SIDE];
    static vp_voxel voxel[SIDE * SIDE];
    vp_world *world = empty_world((vp_dims){SIDE, 8, SIDE});
    vp_terrain *t = NULL;
    vp_regions r = {0};
    assert_int_equal(put_plate(world, SIDE), BITS);
    for (int i = 0; i < SIDE * SIDE; i++) {
        at[i] = (vp_ivec3){i % SIDE, 7, i / SIDE};
        voxel[i] = air;
    }
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world}, &t, &error));
    const uint64_t before = checksum(world);
    const vp_regions_def regions = {.max_regions = BITS - 1}, voxels = {.max_voxels = BITS - 1}, seen = {.max_visited = BITS / 2},
                         enough = {.max_regions = BITS, .max_voxels = BITS, .max_visited = 2 * BITS},
                         small = {.min_voxels = 2, .max_regions = 1};
    assert_refused(vp_regions_edit(&regions, t, at, voxel, SIDE * SIDE, NULL, &r, &error), VP_E_LIMIT, "max_regions is 4031");
    assert_refused(vp_regions_edit(&voxels, t, at, voxel, SIDE * SIDE, NULL, &r, &error), VP_E_LIMIT, "max_voxels, 4031");
    assert_refused(vp_regions_edit(&seen, t, at, voxel, SIDE * SIDE, NULL, &r, &error), VP_E_LIMIT, "2016 voxels, which is max_visited");
    assert_true(checksum(world) == before);
    assert_ok(vp_regions_edit(&enough, t, at, voxel, SIDE * SIDE, NULL, &r, &error));
    assert_int_equal(r.region_count, BITS);
    vp_regions_destroy(&r);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){2, 6, 0}).material, VP_AIR);
    put_plate(world, SIDE);
    assert_ok(vp_regions_edit(&small, t, at, voxel, SIDE * SIDE, NULL, &r, &error));
    assert_int_equal(r.region_count, 0);
    assert_int_equal(r.vanished, BITS);
    vp_regions_destroy(&r);
    vp_terrain_destroy(t);
    vp_world_destroy(world);
}

/* ---- memory ---- */

typedef struct harm_scene {
    vp_world *world;
    vp_terrain *terrain;
    vp_region region;
} harm_scene;

typedef enum act { EDIT, LABEL, PARTS, ACTS } act;

static vp_status do_act(act what, const harm_scene *s, const vp_allocator *allocator, vp_error *error)
{
    static const vp_ivec3 cut_at[3] = {{1, 7, 0}, {0, 7, 1}, {1, 7, 1}};
    static const vp_voxel cut_to[3] = {{0, 0}, {0, 0}, {0, 0}};
    static const uint64_t mask[64 * 64 * 8 / 64];
    const vp_region_shape_def parts = {.parts = true, .decompose = {.spacing = 200}, .allocator = allocator};
    vp_regions_def def = {.allocator = allocator};
    vp_regions r = {0};
    vp_region_shape shape = {0};
    vp_status status;
    if (what == PARTS) {
        status = vp_region_shape_create(&parts, &s->region, &shape, error);
    } else if (what == EDIT) {
        status = vp_regions_edit(&def, s->terrain, cut_at, cut_to, 3, NULL, &r, error);
    } else {
        def.anchors = VP_ANCHOR_MASK;
        def.mask = mask;
        status = vp_regions_label(&def, s->world, &r, error);
    }
    assert_true(status != VP_OK || what == PARTS || r.region_count == 1);
    vp_regions_destroy(&r);
    vp_region_shape_destroy(&shape);
    return status;
}

/* docs/CONTRACT.md: REG-5 */
TEST(refused_memory)
{
    const vp_ivec3 at[3] = {{5, 5, 5}, {6, 5, 5}, {6, 6, 5}};
    const vp_voxel voxel[3] = {{5, 255}, {5, 0}, {6, 99}};
    for (act a = EDIT; a < ACTS; a++)
        for (uint64_t n = 1;; n++) {
            harm_scene s = {.world = empty_world((vp_dims){64, 8, 64}), .region = {at, voxel, 3, {5, 5, 5}, {7, 7, 6}, {0}}};
            put_plate(s.world, a == EDIT && n == 1 ? 64 : 16);
            assert_ok(vp_terrain_create(&(vp_terrain_def){.world = s.world}, &s.terrain, &error));
            const uint64_t before = checksum(s.world);
            test_memory memory;
            test_memory_begin(&memory);
            const vp_allocator allocator = test_memory_allocator(&memory);
            test_memory_fail_at(&memory, n);
            vp_error why = {VP_OK, ""};
            const vp_status status = do_act(a, &s, &allocator, &why);
            const bool refused = memory.requests >= n;
            assert_int_equal(status, refused ? VP_E_MEMORY : VP_OK);
            if (refused)
                assert_true(why.status == VP_E_MEMORY && why.message[0] != '\0');
            if (refused || a != EDIT)
                assert_true(checksum(s.world) == before);
            test_memory_end(&memory);
            vp_terrain_destroy(s.terrain);
            vp_world_destroy(s.world);
            if (!refused) {
                assert_true(n > 5);
                break;
            }
        }
}

/* ---- shapes ---- */

/* docs/CONTRACT.md: REG-6. Random walks of voxels. */
TEST(shapes)
{
    vp_random random = {77};
    uint32_t surfaces = 0;
    for (int i = 0; i < 12; i++) {
        vp_world *world = empty_world((vp_dims){32, 32, 32});
        vp_regions r;
        vp_region_shape one, parts;
        int32_t at[3] = {16, 16, 16};
        for (int k = 0; k < 1 + 3 * i; k++) {
            assert_ok(vp_world_set_voxel(world, (vp_ivec3){at[0], at[1], at[2]},
                                         (vp_voxel){(uint8_t)(2 + i), (uint8_t)vp_random_below(&random, 256)}, NULL, &error));
            at[vp_random_below(&random, 3)] += vp_random_below(&random, 2) == 0 ? 1 : -1;
        }
        assert_ok(vp_regions_label(&(vp_regions_def){0}, world, &r, &error));
        assert_int_equal(r.region_count, 1);
        const vp_region *region = &r.region[0];
        assert_ok(vp_region_shape_create(&(vp_region_shape_def){0}, region, &one, &error));
        assert_ok(vp_region_shape_create(&(vp_region_shape_def){.parts = true, .decompose = {.spacing = 100}}, region, &parts, &error));
        assert_memory_equal(one.mesh.vertex, parts.mesh.vertex, one.mesh.vertex_count * sizeof(vp_vec3));
        bool surface = false;
        for (uint32_t k = 0; k < region->count; k++)
            surface = surface || region->voxel[k].occupancy >= 128;
        assert_true(surface == (one.mesh.quad_count != 0));
        surfaces += surface;
        const vp_ivec3 origin = {region->low.x - 1, region->low.y - 1, region->low.z - 1};
        assert_memory_equal(&one.origin, &origin, sizeof origin);
        for (uint32_t v = 0; v < one.mesh.vertex_count; v++) { /* within half a voxel of the region's box, and in the hull */
            const vp_vec3 p = one.mesh.vertex[v];
            assert_true(p.x >= 0.5f && p.y >= 0.5f && p.z >= 0.5f);
            assert_true(p.x <= (float)(region->high.x - origin.x) + 0.5f && p.y <= (float)(region->high.y - origin.y) + 0.5f &&
                        p.z <= (float)(region->high.z - origin.z) + 0.5f);
            for (uint32_t f = 0; f < one.hull.face_count; f++) {
                const double *n = one.hull.plane[f];
                assert_true(n[0] * (double)p.x + n[1] * (double)p.y + n[2] * (double)p.z <= n[3] + 1e-5);
            }
        }
        assert_int_equal(one.hull.dimension, surface ? 3 : 0);
        assert_int_equal(one.parts.hull_count, 0);
        assert_true((parts.parts.hull_count >= 1) == surface);
        uint32_t triangles = 0;
        for (uint32_t h = 0; h < parts.parts.hull_count; h++)
            triangles += parts.parts.hull[h].triangle_count;
        assert_int_equal(triangles, 2 * parts.mesh.quad_count);
        vp_region_shape_destroy(&one);
        vp_region_shape_destroy(&parts);
        vp_region_shape_destroy(&parts); /* all zero bytes */
        vp_regions_destroy(&r);
        vp_world_destroy(world);
    }
    assert_true(surfaces > 0 && surfaces < 12);
    const vp_ivec3 ends[2] = {{0, 0, 0}, {0, 254, 0}};
    const vp_voxel both[2] = {{5, 5}, {5, 5}};
    const vp_region tall = {.at = ends, .voxel = both, .count = 2, .low = {0, 0, 0}, .high = {1, 255, 1}};
    vp_region_shape none;
    assert_refused(vp_region_shape_create(&(vp_region_shape_def){0}, &tall, &none, &error), VP_E_LIMIT, "1 x 255 x 1");
}
