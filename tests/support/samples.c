/* SPDX-License-Identifier: MIT */
#include "tests/support/samples.h"

#include <math.h>

#include "tests/support/check.h"

const vp_dims test_shapes[TEST_SHAPES] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {3, 2, 5},  {7, 1, 3},
                                          {8, 2, 2}, {9, 3, 1}, {5, 4, 5}, {1, 5, 9}, {16, 1, 2}, {17, 2, 1}};

vp_world *test_world(uint32_t chunks_x, uint32_t chunks_y, uint32_t chunks_z, const vp_allocator *allocator)
{
    vp_world_def def = {{chunks_x * 8, chunks_y * 8, chunks_z * 8}, allocator};
    vp_world *world = NULL;
    assert_ok(vp_world_create(&def, &world, &error));
    return world;
}

vp_voxel test_random_voxel(vp_random *r)
{
    static const uint8_t material[8] = {0, 0, 1, 1, 2, 3, 127, 255};
    return (vp_voxel){material[vp_random_below(r, 8)], (uint8_t)vp_random_below(r, 256)};
}

static int32_t about(vp_random *r, uint32_t size)
{
    return (int32_t)vp_random_below(r, size + 8) - 4;
}

static void random_region(vp_random *r, vp_world *world, uint32_t largest, vp_chunk_set *stale)
{
    vp_dims size = vp_world_size(world);
    vp_voxel voxel = test_random_voxel(r);
    vp_ivec3 low = {about(r, size.x), about(r, size.y), about(r, size.z)};
    if (vp_random_below(r, 2) == 0) {
        vp_ivec3 high = {low.x + (int32_t)vp_random_below(r, largest + 1), low.y + (int32_t)vp_random_below(r, largest + 1),
                         low.z + (int32_t)vp_random_below(r, largest + 1)};
        assert_ok(vp_world_fill_box(world, low, high, voxel, stale, &error));
    } else {
        vp_vec3 centre = {(float)low.x + vp_random_unit(r), (float)low.y + vp_random_unit(r), (float)low.z + vp_random_unit(r)};
        float radius = vp_random_between(r, 0, (float)largest * 0.5f);
        assert_ok(vp_world_fill_sphere(world, centre, radius, voxel, stale, &error));
    }
}

static void random_single(vp_random *r, vp_world *world, vp_chunk_set *stale)
{
    vp_dims size = vp_world_size(world);
    vp_ivec3 at = {(int32_t)vp_random_below(r, size.x), (int32_t)vp_random_below(r, size.y), (int32_t)vp_random_below(r, size.z)};
    assert_ok(vp_world_set_voxel(world, at, test_random_voxel(r), stale, &error));
}

vp_world *test_random_world(vp_random *r, vp_dims chunks, const vp_allocator *allocator)
{
    vp_world *world = test_world(chunks.x, chunks.y, chunks.z, allocator);
    uint32_t total = chunks.x * chunks.y * chunks.z;
    for (uint32_t i = 0; i < total / 4 + 4; i++)
        random_region(r, world, 30, NULL);
    bool has_inside = chunks.x > 2 && chunks.y > 2 && chunks.z > 2;
    for (uint8_t material = VP_WATER; has_inside && material <= VP_FIRST_SOLID; material++) {
        /* all of a chunk with its surroundings, and a little more */
        vp_ivec3 low = {(int32_t)vp_random_below(r, chunks.x - 2) * 8 + 7, (int32_t)vp_random_below(r, chunks.y - 2) * 8 + 7,
                        (int32_t)vp_random_below(r, chunks.z - 2) * 8 + 7};
        vp_ivec3 high = {low.x + 10 + (int32_t)vp_random_below(r, 20), low.y + 10 + (int32_t)vp_random_below(r, 20),
                         low.z + 10 + (int32_t)vp_random_below(r, 20)};
        assert_ok(vp_world_fill_box(world, low, high, (vp_voxel){material, 255}, NULL, &error));
    }
    for (uint32_t i = 0; i < total / 4; i++)
        random_single(r, world, NULL);
    return world;
}

void test_random_edit(vp_random *r, vp_world *world, vp_chunk_set *stale)
{
    vp_dims size = vp_world_size(world);
    uint32_t choice = vp_random_below(r, 100);
    if (choice < 50) {
        random_single(r, world, stale);
    } else if (choice < 90) {
        random_region(r, world, 12, stale);
    } else if (choice < 96) { /* rewrites existing voxels */
        vp_ivec3 at = {(int32_t)vp_random_below(r, size.x), (int32_t)vp_random_below(r, size.y), (int32_t)vp_random_below(r, size.z)};
        assert_ok(vp_world_set_voxel(world, at, vp_world_voxel(world, at), stale, &error));
    } else if (choice < 98) {
        random_region(r, world, 40, stale);
    } else {
        vp_ivec3 low = {INT32_MIN, INT32_MIN, INT32_MIN}, high = {INT32_MAX, INT32_MAX, INT32_MAX};
        assert_ok(vp_world_fill_box(world, low, high, test_random_voxel(r), stale, &error));
    }
}

/* A side of a box, mostly near the world, sometimes an integer, sometimes far away. */
static float random_position(vp_random *r, uint32_t size)
{
    static const float special[] = {0.0f,  -0.0f, -1.0f,         1.0f,           8.0f,     -0x1p-149f, 0x1p-149f, 1e9f,
                                    -3e9f, 5e9f,  3.4028235e38f, -3.4028235e38f, INFINITY, -INFINITY,  0x1p24f,   7.9999995f};
    uint32_t choice = vp_random_below(r, 16);
    if (choice == 0)
        return special[vp_random_below(r, sizeof special / sizeof special[0])];
    if (choice < 6)
        return (float)about(r, size);
    return vp_random_between(r, -4, (float)size + 4);
}

static void random_span(vp_random *r, uint32_t size, float *min, float *max)
{
    float a = random_position(r, size), b;
    switch (vp_random_below(r, 8)) {
    case 0:
        b = a;
        break;
    case 1:
        b = random_position(r, size);
        break;
    case 2:
        b = a + (float)vp_random_below(r, 20);
        break;
    default:
        b = a + vp_random_between(r, 0, 6);
        break;
    }
    *min = a < b ? a : b;
    *max = a < b ? b : a;
}

vp_aabb test_random_box(vp_random *r, vp_dims size)
{
    vp_aabb box;
    random_span(r, size.x, &box.min.x, &box.max.x);
    random_span(r, size.y, &box.min.y, &box.max.y);
    random_span(r, size.z, &box.min.z, &box.max.z);
    return box;
}

vp_aabb test_hostile_box(vp_random *r, vp_dims size)
{
    vp_aabb box = test_random_box(r, size);
    float *side[6] = {&box.min.x, &box.min.y, &box.min.z, &box.max.x, &box.max.y, &box.max.z};
    uint32_t choice = vp_random_below(r, 8);
    if (choice == 0) {
        *side[vp_random_below(r, 6)] = NAN;
    } else if (choice == 1) {
        uint32_t axis = vp_random_below(r, 3);
        float min = *side[axis];
        *side[axis] = *side[axis + 3];
        *side[axis + 3] = min;
    }
    return box;
}

bool test_isa(vp_isa isa)
{
#ifdef TEST_EMULATED
    if (vp_isa_via(isa) != VP_VIA_NATIVE)
        return false;
#endif
    return vp_isa_usable(isa);
}

size_t test_tables(test_table out[TEST_TABLES_MAX])
{
    static const char *const name[] = {"scalar", "plain", "avx2", "avx512", "neon", "simd128", "avx2-simde", "neon-simde", "simd128-simde"};
    size_t count = 0;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        vp_error error;
        out[count].name = name[i];
        if (vp_kernels_named(name[i], &out[count].kernels, &error) != VP_OK)
            print_message("not run: %s\n", error.message);
        else if (test_isa(vp_kernels_isa(&out[count].kernels, VP_KERNEL_dilate_world)))
            count++;
    }
    return count;
}
