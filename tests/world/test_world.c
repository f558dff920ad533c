/* SPDX-License-Identifier: MIT */
/* Worlds: limits, single voxels, edits and rows against voxel-by-voxel models, and exactly which chunks an edit makes
 * stale. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- making worlds ---- */

static void sizes(void **state)
{
    (void)state;
    static const struct {
        vp_dims size;
        const char *message;
    } bad[] = {
        {{0, 8, 8}, "0 x 8 x 8"},
        {{8, 0, 8}, "8 x 0 x 8"},
        {{8, 8, 0}, "8 x 8 x 0"},
        {{7, 8, 8}, "7 x 8 x 8"},
        {{8, 9, 8}, "8 x 9 x 8"},
        {{8, 8, 1}, "8 x 8 x 1"},
        {{2056, 8, 8}, "2056 x 8 x 8"},
        {{8, 264, 8}, "8 x 264 x 8"},
        {{8, 8, 2056}, "8 x 8 x 2056"},
        {{UINT32_MAX, 8, 8}, "4294967295 x 8 x 8"},
        {{8, UINT32_MAX - 7, 8}, "8 x 4294967288 x 8"},
        {{8, 8, 1u << 31}, "8 x 8 x 2147483648"},
        {{8, 2048, 8}, "8 x 2048 x 8"},
    };
    test_memory memory;
    test_memory_begin(&memory);
    vp_allocator allocator = test_memory_allocator(&memory);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        vp_world *world = NULL;
        vp_world_def def = {bad[i].size, &allocator};
        assert_refused(vp_world_create(&def, &world, &error), VP_E_ARGUMENT, bad[i].message);
        assert_null(world);
    }
    assert_int_equal(memory.requests, 0);
    static const vp_dims good[] = {{8, 8, 8}, {2048, 8, 8}, {8, 256, 8}, {8, 8, 2048}, {16, 24, 40}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        vp_world *world = NULL;
        vp_world_def def = {good[i], &allocator};
        assert_ok(vp_world_create(&def, &world, &error));
        vp_dims size = vp_world_size(world), chunks = vp_world_chunks(world);
        assert_memory_equal(&size, &good[i], sizeof size);
        assert_int_equal(chunks.x, good[i].x / 8);
        assert_int_equal(chunks.y, good[i].y / 8);
        assert_int_equal(chunks.z, good[i].z / 8);
        vp_bricks bricks = vp_world_bricks(world);
        assert_int_equal((uintptr_t)bricks.material % 64, 0);
        for (size_t v = 0; v < (size_t)size.x * size.y * size.z; v++)
            assert_true(bricks.material[v] == 0 && vp_world_occupancy(world)[v] == 0);
        vp_world_destroy(world);
    }
    vp_world_destroy(NULL);
    test_memory_end(&memory);
}

/* ---- single voxels: places in the bricks typed by hand ---- */

static void one_voxel(void **state)
{
    (void)state;
    vp_world *world = test_world(3, 2, 4, NULL); /* 24 x 16 x 32 */
    static const struct {
        vp_ivec3 at;
        size_t byte;
    } place[] = {
        {{0, 0, 0}, 0},
        {{7, 0, 0}, 7},
        {{0, 0, 7}, 56},
        {{0, 7, 0}, 448},
        {{8, 0, 0}, 512},                          /* chunk (1, 0, 0) is brick 1 */
        {{0, 0, 8}, 1536},                         /* chunk (0, 0, 1) is brick 3 */
        {{0, 8, 0}, 6144},                         /* chunk (0, 1, 0) is brick 12 */
        {{13, 10, 19}, 9728 + 2 * 64 + 3 * 8 + 5}, /* chunk (1, 1, 2) is brick (1*4 + 2)*3 + 1 = 19 */
        {{23, 15, 31}, 12287},
    };
    for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
        vp_voxel voxel = {(uint8_t)(i + 1), (uint8_t)(200 + i)};
        assert_ok(vp_world_set_voxel(world, place[i].at, voxel, NULL, &error));
        assert_int_equal(vp_world_bricks(world).material[place[i].byte], i + 1);
        assert_int_equal(vp_world_occupancy(world)[place[i].byte], 200 + i);
        vp_voxel back = vp_world_voxel(world, place[i].at);
        assert_int_equal(back.material, i + 1);
        assert_int_equal(back.occupancy, 200 + i);
    }
    static const vp_ivec3 outside[] = {{-1, 0, 0},        {0, -1, 0},        {0, 0, -1},        {24, 0, 0},
                                       {0, 16, 0},        {0, 0, 32},        {INT32_MIN, 0, 0}, {0, INT32_MIN, 0},
                                       {0, 0, INT32_MIN}, {INT32_MAX, 0, 0}, {0, INT32_MAX, 0}, {0, 0, INT32_MAX}};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "(%d, %d, %d)", outside[i].x, outside[i].y, outside[i].z);
        vp_voxel voxel = vp_world_voxel(world, outside[i]);
        assert_true(voxel.material == 0 && voxel.occupancy == 0);
        assert_refused(vp_world_set_voxel(world, outside[i], (vp_voxel){2, 2}, NULL, &error), VP_E_ARGUMENT, name);
    }
    vp_world_destroy(world);
}

/* ---- edits against a model ---- */

/* All voxels of a world must be those of the model. */
static void expect_voxels(const vp_world *world, const oracle *model, uint64_t seed, uint32_t step)
{
    vp_dims s = model->size;
    for (uint32_t y = 0, i = 0; y < s.y; y++)
        for (uint32_t z = 0; z < s.z; z++)
            for (uint32_t x = 0; x < s.x; x++, i++) {
                vp_voxel v = vp_world_voxel(world, (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z});
                if (v.material != model->voxel[i].material || v.occupancy != model->voxel[i].occupancy)
                    fail_msg("seed %llu, step %u: voxel (%u, %u, %u) is %u/%u, expected %u/%u", (unsigned long long)seed, step, x, y, z,
                             v.material, v.occupancy, model->voxel[i].material, model->voxel[i].occupancy);
            }
}

static int32_t extreme(vp_random *r, uint32_t size)
{
    uint32_t choice = vp_random_below(r, 16);
    return choice == 0 ? INT32_MIN : choice == 1 ? INT32_MAX : (int32_t)vp_random_below(r, size + 12) - 6;
}

static void sort_pair(int32_t *a, int32_t *b)
{
    if (*a > *b) {
        int32_t t = *a;
        *a = *b;
        *b = t;
    }
}

static void boxes_and_spheres(void **state)
{
    (void)state;
    const uint64_t seed = 11;
    vp_random r = {seed};
    vp_world *world = test_world(2, 3, 1, NULL);
    oracle model = oracle_make(world, false);
    vp_dims s = model.size;
    for (uint32_t step = 0; step < 400; step++) {
        vp_ivec3 a = {extreme(&r, s.x), extreme(&r, s.y), extreme(&r, s.z)};
        vp_ivec3 b = {extreme(&r, s.x), extreme(&r, s.y), extreme(&r, s.z)};
        vp_vec3 centre = {vp_random_between(&r, -5, 20), vp_random_between(&r, -5, 30), vp_random_between(&r, -5, 12)};
        float radius = vp_random_between(&r, 0, 9);
        if (vp_random_below(&r, 8) == 0)
            centre = (vp_vec3){4.5f, 8.5f, 2.5f}, radius = (float)vp_random_below(&r, 5); /* exact distances */
        vp_voxel voxel = test_random_voxel(&r);
        bool sphere = step % 2 == 0;
        sort_pair(&a.x, &b.x);
        sort_pair(&a.y, &b.y);
        sort_pair(&a.z, &b.z);
        if (sphere)
            assert_ok(vp_world_fill_sphere(world, centre, radius, voxel, NULL, &error));
        else
            assert_ok(vp_world_fill_box(world, a, b, voxel, NULL, &error));
        for (int32_t y = 0, i = 0; y < (int32_t)s.y; y++)
            for (int32_t z = 0; z < (int32_t)s.z; z++)
                for (int32_t x = 0; x < (int32_t)s.x; x++, i++) {
                    float dx = (float)x + 0.5f - centre.x, dy = (float)y + 0.5f - centre.y, dz = (float)z + 0.5f - centre.z;
                    float xx = dx * dx, yy = dy * dy, zz = dz * dz, xy = xx + yy, distance2 = xy + zz;
                    bool in_box = a.x <= x && x < b.x && a.y <= y && y < b.y && a.z <= z && z < b.z;
                    if (sphere ? distance2 <= radius * radius : in_box)
                        model.voxel[i] = voxel;
                }
        expect_voxels(world, &model, seed, step);
    }
    oracle_free(&model);
    vp_world_destroy(world);
}

static uint32_t count_solid(const vp_world *world)
{
    oracle o = oracle_make(world, false);
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)o.size.x * o.size.y * o.size.z; i++)
        count += o.voxel[i].material != 0;
    oracle_free(&o);
    return count;
}

static void edits_by_hand(void **state)
{
    (void)state;
    vp_world *world = test_world(2, 2, 2, NULL);
    vp_voxel rock = {2, 255};
    assert_ok(vp_world_fill_box(world, (vp_ivec3){3, 4, 5}, (vp_ivec3){3, 9, 9}, rock, NULL, &error)); /* low == high */
    assert_int_equal(count_solid(world), 0);
    assert_ok(vp_world_fill_box(world, (vp_ivec3){3, 4, 5}, (vp_ivec3){5, 7, 9}, rock, NULL, &error));
    assert_int_equal(count_solid(world), 2 * 3 * 4);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){3, 4, 5}).material, 2);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){4, 6, 8}).material, 2);
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){5, 6, 8}).material, 0);
    vp_voxel air = {0, 0};
    vp_ivec3 lowest = {INT32_MIN, INT32_MIN, INT32_MIN}, highest = {INT32_MAX, INT32_MAX, INT32_MAX};
    assert_ok(vp_world_fill_box(world, lowest, highest, air, NULL, &error));
    assert_int_equal(count_solid(world), 0);

    /* centres at distance 0; then 1 (6 more), 2 (12), 3 (8) squared */
    vp_vec3 centre = {6.5f, 6.5f, 6.5f};
    static const struct {
        float radius;
        uint32_t voxels;
    } ball[] = {{0, 1}, {0.99f, 1}, {1, 7}, {1.41f, 7}, {1.4143f, 19}, {1.733f, 27}};
    for (size_t i = 0; i < sizeof ball / sizeof ball[0]; i++) {
        assert_ok(vp_world_fill_box(world, lowest, highest, air, NULL, &error));
        assert_ok(vp_world_fill_sphere(world, centre, ball[i].radius, rock, NULL, &error));
        assert_int_equal(count_solid(world), ball[i].voxels);
    }
    assert_ok(vp_world_fill_box(world, lowest, highest, air, NULL, &error));
    assert_ok(vp_world_fill_sphere(world, (vp_vec3){0, 0, 0}, 0.5f, rock, NULL, &error)); /* nearest centre: 0.866 */
    assert_ok(vp_world_fill_sphere(world, (vp_vec3){FLT_MAX, -FLT_MAX, 5}, 3, rock, NULL, &error));
    assert_int_equal(count_solid(world), 0);
    assert_ok(vp_world_fill_sphere(world, (vp_vec3){-1e6f, 0, 0}, 1e18f, rock, NULL, &error));
    assert_int_equal(count_solid(world), 16 * 16 * 16);

    assert_refused(vp_world_fill_box(world, (vp_ivec3){0, 5, 0}, (vp_ivec3){9, 4, 9}, air, NULL, &error), VP_E_ARGUMENT, "(0, 5, 0)");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, NAN, 0}, 1, air, NULL, &error), VP_E_ARGUMENT, "nan");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, 0, INFINITY}, 1, air, NULL, &error), VP_E_ARGUMENT, "inf");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, 0, 0}, -1.5f, air, NULL, &error), VP_E_ARGUMENT, "-1.5");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, 0, 0}, NAN, air, NULL, &error), VP_E_ARGUMENT, "nan");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, 0, 0}, INFINITY, air, NULL, &error), VP_E_ARGUMENT, "inf");
    assert_int_equal(count_solid(world), 16 * 16 * 16);
    vp_world_destroy(world);
}

/* ---- rows and neighbourhoods ---- */

static void rows_of_nothing(void **state)
{
    (void)state;
    const uint32_t huge = INT32_MAX;
    vp_world *world = test_world(1, 1, 1, NULL);
    uint8_t byte = 0xee;
    const vp_ivec3 at = {0, 0, 0};
    assert_ok(vp_world_read_rows(world, at, (vp_dims){0, huge, huge}, &byte, &byte, &error));
    assert_ok(vp_world_read_rows(world, at, (vp_dims){huge, 0, huge}, &byte, &byte, &error));
    assert_ok(vp_world_read_rows(world, at, (vp_dims){huge, huge, 0}, &byte, &byte, &error));
    assert_ok(vp_world_read_rows(world, at, (vp_dims){huge, huge, huge}, NULL, NULL, &error));
    assert_ok(vp_world_write_rows(world, at, (vp_dims){0, huge, huge}, &byte, &byte, NULL, &error));
    assert_int_equal(byte, 0xee);
    assert_int_equal(vp_world_voxel(world, at).material, VP_AIR);
    assert_refused(vp_world_write_rows(world, at, (vp_dims){1, 1, 1}, NULL, &byte, NULL, &error), VP_E_ARGUMENT,
                   "the materials of rows to write are NULL");
    vp_world_destroy(world);
}

static void rows(void **state)
{
    (void)state;
    const uint64_t seed = 12;
    vp_random r = {seed};
    vp_world *world = test_random_world(&r, (vp_dims){3, 2, 2}, NULL);
    oracle model = oracle_make(world, false);
    vp_dims s = model.size;
    static uint8_t material[12 * 12 * 12], occupancy[12 * 12 * 12];
    for (uint32_t step = 0; step < 300; step++) {
        vp_ivec3 low = {(int32_t)vp_random_below(&r, s.x + 10) - 8, (int32_t)vp_random_below(&r, s.y + 10) - 8,
                        (int32_t)vp_random_below(&r, s.z + 10) - 8};
        vp_dims size = {vp_random_below(&r, 13), vp_random_below(&r, 13), vp_random_below(&r, 13)};
        size_t total = (size_t)size.x * size.y * size.z;
        bool with_occupancy = vp_random_below(&r, 2) == 0;
        if (step % 2 == 0) {
            memset(material, 0xee, sizeof material);
            memset(occupancy, 0xee, sizeof occupancy);
            assert_ok(vp_world_read_rows(world, low, size, material, with_occupancy ? occupancy : NULL, &error));
        } else {
            for (size_t i = 0; i < total; i++) {
                vp_voxel v = test_random_voxel(&r);
                material[i] = v.material;
                occupancy[i] = v.occupancy;
            }
            assert_ok(vp_world_write_rows(world, low, size, material, with_occupancy ? occupancy : NULL, NULL, &error));
        }
        for (size_t i = 0; i < total; i++) {
            int32_t x = low.x + (int32_t)(i % size.x), z = low.z + (int32_t)(i / size.x % size.z),
                    y = low.y + (int32_t)(i / size.x / size.z);
            bool in = x >= 0 && y >= 0 && z >= 0 && x < (int32_t)s.x && y < (int32_t)s.y && z < (int32_t)s.z;
            size_t at = in ? ((size_t)y * s.z + (size_t)z) * s.x + (size_t)x : 0;
            vp_voxel in_model = in ? model.voxel[at] : (vp_voxel){0, 0};
            uint8_t full = material[i] == 0 ? 0 : 255;
            if (step % 2 == 1 && in)
                model.voxel[at] = (vp_voxel){material[i], with_occupancy ? occupancy[i] : full};
            else if (step % 2 == 0 && (material[i] != in_model.material || (with_occupancy && occupancy[i] != in_model.occupancy)))
                fail_msg("seed %llu, step %u: element %zu differs", (unsigned long long)seed, step, i);
        }
        if (step % 2 == 0) {
            assert_int_equal(material[total < sizeof material ? total : 0] == 0xee || total == sizeof material, 1);
            if (!with_occupancy)
                assert_int_equal(occupancy[0], 0xee);
        }
        expect_voxels(world, &model, seed, step);
    }
    /* either output of a read may be absent */
    vp_dims one = {1, 1, 1};
    assert_ok(vp_world_read_rows(world, (vp_ivec3){0, 0, 0}, one, NULL, occupancy, &error));
    assert_int_equal(occupancy[0], model.voxel[0].occupancy);
    /* far away, and as far as there are numbers */
    memset(material, 0xee, 8);
    assert_ok(vp_world_read_rows(world, (vp_ivec3){INT32_MIN, 0, 0}, (vp_dims){8, 1, 1}, material, NULL, &error));
    assert_memory_equal(material, "\0\0\0\0\0\0\0\0", 8);
    assert_ok(vp_world_write_rows(world, (vp_ivec3){INT32_MIN, INT32_MAX - 1, 0}, (vp_dims){8, 1, 1}, material, NULL, NULL, &error));
    assert_refused(vp_world_read_rows(world, (vp_ivec3){0, INT32_MAX, 0}, one, material, NULL, &error), VP_E_ARGUMENT, "2147483647");
    assert_refused(vp_world_write_rows(world, (vp_ivec3){0, 0, 3}, (vp_dims){1, 1, UINT32_MAX}, material, NULL, NULL, &error),
                   VP_E_ARGUMENT, "4294967295");
    expect_voxels(world, &model, seed, UINT32_MAX);
    oracle_free(&model);
    vp_world_destroy(world);
}

static void neighbourhoods(void **state)
{
    (void)state;
    vp_random r = {13};
    vp_world *world = test_random_world(&r, (vp_dims){2, 3, 2}, NULL);
    oracle model = oracle_make(world, false);
    uint8_t material[VP_NEIGHBOURHOOD_VOXELS];
    for (uint32_t c = 0; c < oracle_chunk_count(&model); c++) {
        vp_ivec3 chunk = oracle_chunk_at(&model, c);
        assert_ok(vp_world_neighbourhood(world, chunk, material, &error));
        for (int i = 0; i < 1000; i++) {
            vp_ivec3 at = {chunk.x * 8 + i % 10 - 1, chunk.y * 8 + i / 100 - 1, chunk.z * 8 + i / 10 % 10 - 1};
            assert_int_equal(material[i], vp_world_voxel(world, at).material);
        }
    }
    static const vp_ivec3 outside[] = {{-1, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 2}, {INT32_MAX, 0, 0}, {0, INT32_MIN, 0}};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "(%d, %d, %d)", outside[i].x, outside[i].y, outside[i].z);
        assert_refused(vp_world_neighbourhood(world, outside[i], material, &error), VP_E_ARGUMENT, name);
    }
    oracle_free(&model);
    vp_world_destroy(world);
}

/* ---- which chunks an edit makes stale ---- */

static void expect_stale(const vp_chunk_set *stale, const bool *expected, uint64_t seed, uint32_t step)
{
    uint32_t total = stale->chunks.x * stale->chunks.y * stale->chunks.z;
    for (uint32_t c = 0; c < total; c++)
        if (vp_chunk_set_has(stale, c) != expected[c])
            fail_msg("seed %llu, step %u: chunk %u %s", (unsigned long long)seed, step, c,
                     expected[c] ? "is missing" : "should not be stale");
}

static void stale_by_hand(void **state)
{
    (void)state;
    vp_world *world = test_world(3, 3, 3, NULL); /* chunk (cx, cy, cz) is (3 cy + cz) 3 + cx; the middle one is 13 */
    vp_chunk_set stale;
    assert_ok(vp_chunk_set_create(vp_world_chunks(world), NULL, &stale, &error));
    static const struct {
        vp_ivec3 at;
        uint32_t chunks; /* bit c: chunk c */
    } place[] = {
        {{12, 12, 12}, 1u << 13},
        {{8, 12, 12}, 1u << 13 | 1u << 12},
        {{15, 12, 12}, 1u << 13 | 1u << 14},
        {{12, 8, 12}, 1u << 13 | 1u << 4},
        {{12, 12, 15}, 1u << 13 | 1u << 16},
        {{8, 12, 8}, 1u << 13 | 1u << 12 | 1u << 10 | 1u << 9},
        {{15, 15, 15}, 1u << 13 | 1u << 14 | 1u << 16 | 1u << 17 | 1u << 22 | 1u << 23 | 1u << 25 | 1u << 26},
        {{0, 0, 0}, 1u << 0},
        {{7, 0, 0}, 1u << 0 | 1u << 1},
        {{23, 23, 23}, 1u << 26},
    };
    for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
        vp_chunk_set_clear(&stale);
        assert_ok(vp_world_set_voxel(world, place[i].at, (vp_voxel){2, 3}, &stale, &error));
        assert_int_equal(stale.word[0], place[i].chunks);
        vp_chunk_set_clear(&stale);
        assert_ok(vp_world_set_voxel(world, place[i].at, (vp_voxel){2, 3}, &stale, &error)); /* the same again */
        assert_int_equal(stale.word[0], 0);
        assert_ok(vp_world_set_voxel(world, place[i].at, (vp_voxel){2, 4}, &stale, &error)); /* occupancy alone */
        assert_int_equal(stale.word[0], place[i].chunks);
        assert_ok(vp_world_set_voxel(world, place[i].at, (vp_voxel){2, 4}, &stale, &error)); /* adds, does not clear */
        assert_int_equal(stale.word[0], place[i].chunks);
    }
    vp_chunk_set other;
    assert_ok(vp_chunk_set_create((vp_dims){3, 3, 4}, NULL, &other, &error));
    vp_voxel rock = {2, 255};
    assert_refused(vp_world_set_voxel(world, (vp_ivec3){0, 0, 0}, rock, &other, &error), VP_E_ARGUMENT, "3 x 3 x 4");
    assert_refused(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){9, 9, 9}, rock, &other, &error), VP_E_ARGUMENT, "3 x 3 x 4");
    assert_refused(vp_world_fill_sphere(world, (vp_vec3){0, 0, 0}, 5, rock, &other, &error), VP_E_ARGUMENT, "3 x 3 x 4");
    uint8_t one = 7;
    assert_refused(vp_world_write_rows(world, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1}, &one, NULL, &other, &error), VP_E_ARGUMENT,
                   "3 x 3 x 4");
    assert_int_equal(vp_world_voxel(world, (vp_ivec3){1, 1, 1}).material, 0);
    assert_int_equal(vp_chunk_set_count(&other), 0);
    other.word[0] = UINT64_MAX; /* 36 chunks; the bits behind them mean nothing */
    assert_int_equal(vp_chunk_set_count(&other), 36);
    assert_int_equal(vp_chunk_set_next(&other, 35), 35);
    assert_true(vp_chunk_set_next(&other, 36) == UINT32_MAX);
    vp_chunk_set_destroy(&other);
    vp_chunk_set_destroy(&stale);
    vp_world_destroy(world);
}

static void stale_at_random(void **state)
{
    (void)state;
    static const vp_dims shape[] = {{3, 2, 3}, {1, 1, 1}, {4, 1, 1}, {1, 3, 2}};
    for (size_t w = 0; w < sizeof shape / sizeof shape[0]; w++) {
        const uint64_t seed = 100 + w;
        vp_random r = {seed};
        vp_world *world = test_random_world(&r, shape[w], NULL);
        vp_chunk_set stale;
        assert_ok(vp_chunk_set_create(vp_world_chunks(world), NULL, &stale, &error));
        oracle before = oracle_make(world, false);
        for (uint32_t step = 0; step < 300; step++) {
            bool expected[64];
            if (step % 4 != 3) {
                test_random_edit(&r, world, &stale);
            } else {
                uint8_t material[6 * 3 * 5];
                vp_ivec3 low = {(int32_t)vp_random_below(&r, before.size.x) - 3, (int32_t)vp_random_below(&r, before.size.y) - 1,
                                (int32_t)vp_random_below(&r, before.size.z) - 2};
                for (size_t i = 0; i < sizeof material; i++)
                    material[i] = test_random_voxel(&r).material;
                assert_ok(vp_world_write_rows(world, low, (vp_dims){6, 3, 5}, material, NULL, &stale, &error));
            }
            oracle after = oracle_make(world, false);
            oracle_stale(&before, &after, expected);
            expect_stale(&stale, expected, seed, step);
            oracle_free(&before);
            before = after;
            vp_chunk_set_clear(&stale);
        }
        oracle_free(&before);
        vp_chunk_set_destroy(&stale);
        vp_world_destroy(world);
    }
}

/* ---- sets ---- */

static void chunk_sets(void **state)
{
    (void)state;
    vp_chunk_set set = {{0, 0, 0}, NULL, {0}};
    vp_chunk_set_destroy(&set);
    static const vp_dims bad[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {257, 1, 1}, {1, 33, 1}, {1, 1, 257}, {UINT32_MAX, 1, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%u x %u x %u", bad[i].x, bad[i].y, bad[i].z);
        assert_refused(vp_chunk_set_create(bad[i], NULL, &set, &error), VP_E_ARGUMENT, name);
        assert_null(set.word);
    }
    test_memory memory;
    test_memory_begin(&memory);
    vp_allocator allocator = test_memory_allocator(&memory);
    assert_ok(vp_chunk_set_create((vp_dims){5, 7, 4}, &allocator, &set, &error)); /* 140 chunks: 3 words */
    assert_int_equal(memory.live_bytes, 24);
    assert_int_equal(vp_chunk_set_count(&set), 0);
    assert_int_equal(vp_chunk_set_next(&set, 0), UINT32_MAX);
    static const uint32_t member[] = {0, 1, 63, 64, 127, 128, 139};
    for (size_t i = 0; i < sizeof member / sizeof member[0]; i++)
        set.word[member[i] / 64] |= UINT64_C(1) << member[i] % 64;
    assert_int_equal(vp_chunk_set_count(&set), 7);
    uint32_t from = 0;
    for (size_t i = 0; i < sizeof member / sizeof member[0]; i++) {
        for (; from <= member[i]; from++)
            assert_int_equal(vp_chunk_set_next(&set, from), member[i]);
        assert_true(vp_chunk_set_has(&set, member[i]));
    }
    assert_false(vp_chunk_set_has(&set, 2));
    assert_false(vp_chunk_set_has(&set, 138));
    static const uint32_t beyond[] = {140, 141, 191, 192, 1000000, UINT32_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        assert_int_equal(vp_chunk_set_next(&set, beyond[i]), UINT32_MAX);
        assert_false(vp_chunk_set_has(&set, beyond[i]));
    }
    vp_chunk_set_clear(&set);
    assert_int_equal(vp_chunk_set_count(&set), 0);
    vp_chunk_set_destroy(&set);
    assert_null(set.word);
    vp_chunk_set_destroy(&set);
    test_memory_end(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(one_voxel),
        cmocka_unit_test(boxes_and_spheres),
        cmocka_unit_test(edits_by_hand),
        cmocka_unit_test(rows),
        cmocka_unit_test(neighbourhoods),
        cmocka_unit_test(stale_by_hand),
        cmocka_unit_test(stale_at_random),
        cmocka_unit_test(chunk_sets),
        cmocka_unit_test(rows_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
