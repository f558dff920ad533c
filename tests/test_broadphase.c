/* SPDX-License-Identifier: MIT */
/* The broadphase on every set of kernels that this machine runs: builds and updates against 27-neighbour brute force,
 * queries against voxel-by-voxel overlap, memory against a counting allocator. */
#include "tests/support/check.h"
#include "tests/support/guard.h"
#include "tests/support/memory.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"
#include "tests/support/threads.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

static test_table tables[TEST_TABLES_MAX];
static size_t table_count;

static vp_broadphase *build(const vp_world *world, const vp_kernels *kernels, const vp_executor *executor,
                            const vp_allocator *allocator)
{
    vp_broadphase *b = NULL;
    vp_broadphase_def def = {world, kernels, executor, allocator};
    assert_ok(vp_broadphase_create(&def, &b, &error));
    return b;
}

/* Odd shapes, and ones with extents around the widths that SIMD kernels work in. */
static const vp_dims shapes[] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {3, 2, 5}, {7, 1, 3},
                                 {8, 2, 2}, {9, 3, 1}, {5, 4, 5}, {1, 5, 9}, {16, 1, 2}, {17, 2, 1}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Tags and masks of all chunks must be what the voxels say. Adds the tags to `seen`, as bits. */
static void expect_bits(const vp_broadphase *b, const oracle *o, const char *what, uint64_t seed, uint32_t *seen)
{
    for (uint32_t c = 0; c < oracle_chunk_count(o); c++) {
        vp_ivec3 chunk = oracle_chunk_at(o, c);
        vp_tag tag = oracle_tag(o, chunk);
        vp_masks masks = oracle_masks(o, chunk);
        if (vp_broadphase_tag(b, chunk) != tag)
            fail_msg("%s, seed %llu: chunk (%d, %d, %d) has tag %d, expected %d", what, (unsigned long long)seed, chunk.x,
                     chunk.y, chunk.z, (int)vp_broadphase_tag(b, chunk), (int)tag);
        if (memcmp(vp_broadphase_masks(b, chunk), &masks, sizeof masks) != 0)
            fail_msg("%s, seed %llu: wrong masks of chunk (%d, %d, %d)", what, (unsigned long long)seed, chunk.x, chunk.y,
                     chunk.z);
        if (seen != NULL)
            *seen |= 1u << tag;
    }
}

/* ---- building ---- */

static void builds(void **state)
{
    (void)state;
    for (size_t t = 0; t < table_count; t++) {
        uint32_t seen = 0;
        for (uint32_t i = 0; i < 3 * SHAPES; i++) {
            uint64_t seed = 1000 + i;
            vp_random r = {seed};
            vp_world *world = test_random_world(&r, shapes[i % SHAPES], NULL);
            oracle o = oracle_make(world, true);
            vp_broadphase *b = build(world, &tables[t].kernels, NULL, NULL);
            expect_bits(b, &o, tables[t].name, seed, &seen);
            vp_broadphase_destroy(b);
            oracle_free(&o);
            vp_world_destroy(world);
        }
        assert_int_equal(seen, 1u << VP_TAG_EMPTY | 1u << VP_TAG_FULL_SOLID | 1u << VP_TAG_FULL_WATER | 1u << VP_TAG_MIXED);
    }
}

/* Worlds of one kind: chunks within are FULL, those at the border, which have air around them, are MIXED. */
static void full_worlds(void **state)
{
    (void)state;
    vp_world *world = test_world(4, 3, 3, NULL);
    vp_ivec3 low = {0, 0, 0}, high = {32, 24, 24};
    static const struct {
        uint8_t material;
        vp_tag inner, outer;
    } kind[] = {{0, VP_TAG_EMPTY, VP_TAG_EMPTY},
                {1, VP_TAG_FULL_WATER, VP_TAG_MIXED},
                {2, VP_TAG_FULL_SOLID, VP_TAG_MIXED},
                {255, VP_TAG_FULL_SOLID, VP_TAG_MIXED}};
    for (size_t t = 0; t < table_count; t++)
        for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++) {
            assert_ok(vp_world_fill_box(world, low, high, (vp_voxel){kind[k].material, 9}, NULL, &error));
            vp_broadphase *b = build(world, &tables[t].kernels, NULL, NULL);
            for (int i = 0; i < 36; i++) {
                vp_ivec3 c = {i % 4, i / 12, i / 4 % 3};
                bool inner = c.x > 0 && c.x < 3 && c.y == 1 && c.z == 1;
                assert_int_equal(vp_broadphase_tag(b, c), inner ? kind[k].inner : kind[k].outer);
                const vp_masks *m = vp_broadphase_masks(b, c);
                for (int y = 0; y < 8; y++) {
                    assert_true(m->solid[y] == (kind[k].material >= 2 ? UINT64_MAX : 0));
                    assert_true(m->water[y] == (kind[k].material == 1 ? UINT64_MAX : 0));
                }
            }
            static const vp_ivec3 outside[] = {{-1, 0, 0}, {4, 1, 1}, {0, 3, 0}, {0, 0, INT32_MIN}};
            for (int i = 0; i < 4; i++) {
                assert_int_equal(vp_broadphase_tag(b, outside[i]), VP_TAG_EMPTY);
                assert_int_equal(vp_broadphase_masks(b, outside[i])->solid[3], 0);
            }
            vp_broadphase_destroy(b);
        }
    vp_world_destroy(world);
}

/* Any number of threads gives the same answers as one. */
static void threads(void **state)
{
    (void)state;
    for (size_t t = 0; t < table_count; t++)
        for (uint32_t i = 0; i < SHAPES; i++) {
            uint64_t seed = 2000 + i;
            vp_random r = {seed};
            vp_world *world = test_random_world(&r, shapes[i], NULL);
            vp_broadphase *one = build(world, &tables[t].kernels, NULL, NULL);
            uint32_t chunks = shapes[i].x * shapes[i].y * shapes[i].z;
            for (uint32_t n = 1; n <= 5; n++) {
                vp_executor executor = n == 4 ? vp_executor_serial() : test_threads(n);
#ifdef TEST_OPENMP
                if (n == 5)
                    executor = vp_executor_openmp(2);
#endif
                if (n == 4)
                    executor.thread_count = 0; /* not allowed, and no reason to divide by it */
                vp_broadphase *b = build(world, &tables[t].kernels, &executor, NULL);
                for (uint32_t c = 0; c < chunks; c++) {
                    vp_ivec3 at = {(int)(c % shapes[i].x), (int)(c / shapes[i].x / shapes[i].z),
                                   (int)(c / shapes[i].x % shapes[i].z)};
                    if (vp_broadphase_tag(b, at) != vp_broadphase_tag(one, at) ||
                        memcmp(vp_broadphase_masks(b, at), vp_broadphase_masks(one, at), sizeof(vp_masks)) != 0)
                        fail_msg("%s, seed %llu: chunk %u differs with %u threads", tables[t].name,
                                 (unsigned long long)seed, c, n);
                }
                vp_broadphase_destroy(b);
            }
            vp_broadphase_destroy(one);
            vp_world_destroy(world);
        }
}

static void create_refusals(void **state)
{
    (void)state;
    vp_broadphase *b = NULL;
    vp_broadphase_def def = {NULL, NULL, NULL, NULL};
    assert_refused(vp_broadphase_create(&def, &b, &error), VP_E_ARGUMENT, "world");
    assert_null(b);
    vp_broadphase_destroy(NULL);

    vp_world *small = test_world(2, 1, 2, NULL), *large = test_world(2, 2, 2, NULL);
    vp_chunk_set set_small, set_large;
    assert_ok(vp_chunk_set_create(vp_world_chunks(small), NULL, &set_small, &error));
    assert_ok(vp_chunk_set_create(vp_world_chunks(large), NULL, &set_large, &error));
    b = build(small, &tables[0].kernels, NULL, NULL);
    assert_refused(vp_broadphase_update(b, large, &set_small, &error), VP_E_ARGUMENT, "2 x 2 x 2");
    assert_refused(vp_broadphase_update(b, small, &set_large, &error), VP_E_ARGUMENT, "2 x 2 x 2");
    assert_ok(vp_broadphase_update(b, small, &set_small, &error));
    vp_broadphase_destroy(b);
    vp_chunk_set_destroy(&set_small);
    vp_chunk_set_destroy(&set_large);
    vp_world_destroy(small);
    vp_world_destroy(large);
}

/* ---- updating ---- */

/* After random edits, updating gives what the voxels say, and memory does not creep. */
static void updates(void **state)
{
    (void)state;
    for (size_t t = 0; t < table_count; t++) {
        const uint64_t seed = 3000;
        vp_random r = {seed};
        vp_dims chunks = {4, 3, 4};
        vp_world *world = test_random_world(&r, chunks, NULL);
        test_memory memory;
        test_memory_begin(&memory);
        vp_allocator allocator = test_memory_allocator(&memory);
        vp_broadphase *b = build(world, &tables[t].kernels, NULL, &allocator);
        vp_chunk_set stale;
        assert_ok(vp_chunk_set_create(chunks, NULL, &stale, &error));
        for (uint32_t step = 0; step < 150; step++) {
            for (uint32_t edits = vp_random_below(&r, 4); edits > 0; edits--)
                test_random_edit(&r, world, &stale);
            assert_ok(vp_broadphase_update(b, world, &stale, &error));
            vp_chunk_set_clear(&stale);
            oracle o = oracle_make(world, true);
            expect_bits(b, &o, tables[t].name, seed + step, NULL);
            oracle_free(&o);
            vp_broadphase_memory use = vp_broadphase_memory_use(b);
            assert_true(use.total_bytes == memory.live_bytes);
        }
        vp_broadphase_destroy(b);
        vp_chunk_set_destroy(&stale);
        vp_world_destroy(world);
        test_memory_end(&memory);
    }
}

/* Masks that are given up are used again: a world filled and emptied many times needs no more than the first time. */
static void pool_is_reused(void **state)
{
    (void)state;
    vp_dims chunks = {6, 4, 6};
    vp_world *world = test_world(chunks.x, chunks.y, chunks.z, NULL);
    test_memory memory;
    test_memory_begin(&memory);
    vp_allocator allocator = test_memory_allocator(&memory);
    vp_broadphase *b = build(world, &tables[0].kernels, NULL, &allocator);
    vp_chunk_set stale;
    assert_ok(vp_chunk_set_create(chunks, NULL, &stale, &error));
    uint64_t after_first = 0;
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 144; i++) {
            vp_ivec3 at = {i % 6 * 8 + 4, i / 36 * 8 + 4, i / 6 % 6 * 8 + 4};
            assert_ok(vp_world_set_voxel(world, at, (vp_voxel){(uint8_t)(round % 2 == 0 ? 2 + round : 0), 1}, &stale,
                                         &error));
        }
        assert_ok(vp_broadphase_update(b, world, &stale, &error));
        vp_chunk_set_clear(&stale);
        vp_broadphase_memory use = vp_broadphase_memory_use(b);
        assert_int_equal(use.chunks[VP_TAG_MIXED], round % 2 == 0 ? 144 : 0);
        assert_int_equal(use.mask_bytes, round % 2 == 0 ? 144 * 128 : 0);
        if (round == 1)
            after_first = memory.live_bytes;
        if (round >= 1)
            assert_true(memory.live_bytes == after_first);
    }
    vp_broadphase_destroy(b);
    vp_chunk_set_destroy(&stale);
    vp_world_destroy(world);
    test_memory_end(&memory);
}

static void memory_report(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SHAPES; i++) {
        vp_random r = {4000 + i};
        vp_world *world = test_random_world(&r, shapes[i], NULL);
        oracle o = oracle_make(world, true);
        test_memory memory;
        test_memory_begin(&memory);
        vp_allocator allocator = test_memory_allocator(&memory);
        vp_broadphase *b = build(world, &tables[0].kernels, NULL, &allocator);
        uint32_t expected[4] = {0, 0, 0, 0};
        for (uint32_t c = 0; c < oracle_chunk_count(&o); c++)
            expected[oracle_tag(&o, oracle_chunk_at(&o, c))]++;
        vp_broadphase_memory use = vp_broadphase_memory_use(b);
        assert_memory_equal(use.chunks, expected, sizeof expected);
        assert_int_equal(use.mask_bytes, 128 * (uint64_t)expected[VP_TAG_MIXED]);
        assert_int_equal(use.total_bytes, memory.live_bytes);
        vp_broadphase_destroy(b);
        test_memory_end(&memory);
        oracle_free(&o);
        vp_world_destroy(world);
    }
}

/* ---- queries ---- */

/* One solid voxel at (9, 9, 9): bits at 8..10. One of water at (20, 1, 1): bits at 19..21 x 0..2 x 0..2. */
static void boxes_by_hand(void **state)
{
    (void)state;
    enum { S = VP_TOUCH_SOLID, W = VP_TOUCH_WATER };
    const float inf = INFINITY;
    static const float below12 = 11.999999f;
    const struct {
        vp_aabb box;
        uint32_t touch;
    } expect[] = {
        {{{9, 9, 9}, {9, 9, 9}}, S},           /* a point */
        {{{7, 9, 9}, {7, 9, 9}}, S},           /* voxels 6..8 */
        {{{6.9999995f, 9, 9}, {6.9999995f, 9, 9}}, 0}, /* 5..7 */
        {{{5, 9, 9}, {7, 9, 9}}, S},           /* its closed face is the only part in voxel 7 */
        {{{below12, 9, 9}, {below12, 9, 9}}, S}, /* 10..12 */
        {{{12, 9, 9}, {12, 9, 9}}, 0},         /* 11..13 */
        {{{12, 9, 9}, {15, 9, 9}}, 0},
        {{{9, 7, 9}, {9, 7, 9}}, S},
        {{{9, 12, 9}, {9, 12, 9}}, 0},
        {{{9, 9, 6.5f}, {9, 9, 7}}, S},
        {{{9, 9, 12}, {9, 9, 13}}, 0},
        {{{20, 0, 0}, {20, 0, 0}}, W},
        {{{20, -0.0f, -0.0f}, {20, -0.0f, -0.0f}}, W},
        {{{20, -1, 0}, {20, -1, 0}}, W},       /* y: voxels -2..0 */
        {{{20, -1.0000001f, 0}, {20, -1.0000001f, 0}}, 0}, /* y: -3..-1 */
        {{{20, 0, -0x1p-149f}, {20, 0, -0x1p-149f}}, W},
        {{{20, -5, -5}, {20, -3, -3}}, 0},
        {{{-100, -100, -100}, {100, 100, 100}}, S | W},
        {{{-inf, -inf, -inf}, {inf, inf, inf}}, S | W},
        {{{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}}, S | W},
        {{{-inf, -inf, -inf}, {8, 8, 8}}, S},
        {{{12, -inf, -inf}, {inf, 3, inf}}, W},
        {{{inf, 0, 0}, {inf, 1, 1}}, 0},
        {{{0, -inf, 0}, {1, -inf, 1}}, 0},
        {{{3e9f, 0, 0}, {4e9f, 30, 30}}, 0},
        {{{-4e9f, 0, 0}, {-3e9f, 30, 30}}, 0},
        {{{0, 0, 1e30f}, {30, 30, 1e30f}}, 0},
        {{{4294967296.0f + 9, 9, 9}, {4294967296.0f + 512, 9, 9}}, 0}, /* would be in the world modulo 2^32 */
    };
    enum { COUNT = sizeof expect / sizeof expect[0] };
    vp_world *world = test_world(3, 2, 2, NULL);
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){9, 9, 9}, (vp_voxel){2, 255}, NULL, &error));
    assert_ok(vp_world_set_voxel(world, (vp_ivec3){20, 1, 1}, (vp_voxel){1, 255}, NULL, &error));
    for (size_t t = 0; t < table_count; t++) {
        vp_broadphase *b = build(world, &tables[t].kernels, NULL, NULL);
        static float side[6][COUNT];
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t touch = 99;
            assert_ok(vp_broadphase_overlap(b, &expect[i].box, &touch, &error));
            if (touch != expect[i].touch)
                fail_msg("%s: box %u touches %u, expected %u", tables[t].name, i, touch, expect[i].touch);
            const vp_aabb *box = &expect[i].box;
            side[0][i] = box->min.x, side[1][i] = box->min.y, side[2][i] = box->min.z;
            side[3][i] = box->max.x, side[4][i] = box->max.y, side[5][i] = box->max.z;
        }
        uint8_t touch[COUNT];
        vp_boxes boxes = {side[0], side[1], side[2], side[3], side[4], side[5], COUNT};
        assert_ok(vp_broadphase_overlap_batch(b, &boxes, touch, &error));
        for (uint32_t i = 0; i < COUNT; i++)
            if (touch[i] != expect[i].touch)
                fail_msg("%s: box %u of the batch touches %u, expected %u", tables[t].name, i, touch[i], expect[i].touch);
        vp_broadphase_destroy(b);
    }
    vp_world_destroy(world);
}

static void invalid_boxes(void **state)
{
    (void)state;
    vp_world *world = test_world(2, 2, 2, NULL);
    vp_voxel rock = {2, 255};
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){16, 16, 16}, rock, NULL, &error));
    static const struct {
        vp_aabb box;
        const char *message;
    } bad[] = {
        {{{NAN, 1, 1}, {2, 2, 2}}, "min.x is NaN"},  {{{1, NAN, 1}, {2, 2, 2}}, "min.y is NaN"},
        {{{1, 1, NAN}, {2, 2, 2}}, "min.z is NaN"},  {{{1, 1, 1}, {NAN, 2, 2}}, "max.x is NaN"},
        {{{1, 1, 1}, {2, NAN, 2}}, "max.y is NaN"},  {{{1, 1, 1}, {2, 2, NAN}}, "max.z is NaN"},
        {{{2.5f, 1, 1}, {2.25f, 2, 2}}, "2.5"},      {{{1, 7, 1}, {2, 6.125f, 2}}, "6.125"},
        {{{1, 1, INFINITY}, {2, 2, -INFINITY}}, "min.z = inf"},
    };
    enum { BAD = sizeof bad / sizeof bad[0], COUNT = 24, FIRST = 5 };
    for (size_t t = 0; t < table_count; t++) {
        vp_broadphase *b = build(world, &tables[t].kernels, NULL, NULL);
        for (uint32_t i = 0; i < BAD; i++) {
            uint32_t touch = 99;
            assert_refused(vp_broadphase_overlap(b, &bad[i].box, &touch, &error), VP_E_ARGUMENT, bad[i].message);
            assert_int_equal(touch, 99);
            assert_int_equal(vp_broadphase_overlap(b, &bad[i].box, &touch, NULL), VP_E_ARGUMENT);
            /* in a batch: the bad one twice among good ones, whose answers hold */
            float side[6][COUNT];
            for (uint32_t k = 0; k < COUNT; k++) {
                vp_aabb good = {{1, 1, 1}, {2, 2, 2}}, *box = &good, copy = bad[i].box;
                if (k == FIRST || k == COUNT - 2)
                    box = &copy;
                side[0][k] = box->min.x, side[1][k] = box->min.y, side[2][k] = box->min.z;
                side[3][k] = box->max.x, side[4][k] = box->max.y, side[5][k] = box->max.z;
            }
            vp_boxes boxes = {side[0], side[1], side[2], side[3], side[4], side[5], COUNT};
            uint8_t answer[COUNT];
            memset(answer, 0xcc, sizeof answer);
            assert_refused(vp_broadphase_overlap_batch(b, &boxes, answer, &error), VP_E_ARGUMENT, "box 5");
            assert_refused(vp_broadphase_overlap_batch(b, &boxes, answer, &error), VP_E_ARGUMENT, bad[i].message);
            for (uint32_t k = 0; k < COUNT; k++)
                assert_int_equal(answer[k], k == FIRST || k == COUNT - 2 ? VP_TOUCH_INVALID : VP_TOUCH_SOLID);
            vp_bits bits = vp_broadphase_bits(b);
            vp_chunk_touch list[8];
            assert_int_equal(tables[t].kernels.overlap_chunks(&bits, &bad[i].box, list, 8), 0);
        }
        vp_boxes none = {NULL, NULL, NULL, NULL, NULL, NULL, 0};
        assert_ok(vp_broadphase_overlap_batch(b, &none, NULL, &error));
        vp_broadphase_destroy(b);
    }
    vp_world_destroy(world);
}

/* Single, batched and by chunk against voxel-by-voxel overlap; batches of all small sizes, for the kernels' remainders. */
static void queries(void **state)
{
    (void)state;
    enum { BOXES = 257 };
    static float side[6][BOXES];
    static vp_aabb box[BOXES];
    static uint8_t expected[BOXES], got[BOXES + 1];
    for (size_t t = 0; t < table_count; t++)
        for (uint32_t w = 0; w < SHAPES; w++) {
            uint64_t seed = 5000 + w;
            vp_random r = {seed};
            vp_world *world = test_random_world(&r, shapes[w], NULL);
            oracle o = oracle_make(world, true);
            vp_broadphase *b = build(world, &tables[t].kernels, NULL, NULL);
            vp_bits bits = vp_broadphase_bits(b);
            for (uint32_t i = 0; i < BOXES; i++) {
                uint8_t chunk[256];
                box[i] = test_hostile_box(&r, o.size);
                expected[i] = (uint8_t)oracle_overlap(&o, &box[i], chunk);
                if (tables[t].kernels.overlap_one(&bits, &box[i]) != expected[i])
                    fail_msg("%s, seed %llu: single answer %u differs", tables[t].name, (unsigned long long)seed, i);
                static vp_chunk_touch list[256];
                uint32_t count = tables[t].kernels.overlap_chunks(&bits, &box[i], list, 256), k = 0;
                for (uint32_t c = 0; c < oracle_chunk_count(&o); c++) {
                    if (chunk[c] == 0)
                        continue;
                    if (k >= count || list[k].chunk != c || list[k].touch != chunk[c])
                        fail_msg("%s, seed %llu: box %u: chunk %u differs", tables[t].name, (unsigned long long)seed, i, c);
                    k++;
                }
                assert_int_equal(k, count);
                vp_chunk_touch two[2] = {{77, 77}, {77, 77}}; /* room for one: says how many, writes one */
                assert_int_equal(tables[t].kernels.overlap_chunks(&bits, &box[i], two, 1), count);
                assert_int_equal(two[1].chunk, 77);
                assert_int_equal(tables[t].kernels.overlap_chunks(&bits, &box[i], NULL, 0), count);
                side[0][i] = box[i].min.x, side[1][i] = box[i].min.y, side[2][i] = box[i].min.z;
                side[3][i] = box[i].max.x, side[4][i] = box[i].max.y, side[5][i] = box[i].max.z;
            }
            for (uint32_t count = 1; count <= BOXES; count += count < 40 ? 1 : 31) {
                uint32_t from = vp_random_below(&r, BOXES - count + 1);
                vp_boxes boxes = {side[0] + from, side[1] + from, side[2] + from, side[3] + from, side[4] + from,
                                  side[5] + from, count};
                memset(got, 0xcc, sizeof got);
                tables[t].kernels.overlap_batch(&bits, &boxes, got);
                assert_int_equal(got[count], 0xcc);
                for (uint32_t i = 0; i < count; i++)
                    if (got[i] != expected[from + i])
                        fail_msg("%s, seed %llu: answer %u of a batch of %u from %u differs", tables[t].name,
                                 (unsigned long long)seed, i, count, from);
            }
            vp_broadphase_destroy(b);
            oracle_free(&o);
            vp_world_destroy(world);
        }
}

/* ---- exact buffers ---- */

static test_guard guard_copy(const void *data, size_t bytes, test_side side)
{
    test_guard g = test_guard_make(bytes, side);
    memcpy(g.data, data, bytes);
    return g;
}

/* Builds a whole world into buffers of exactly the documented sizes between forbidden pages, from bricks or rows, and
   compares every chunk; then queries them there. */
static void build_in_guards(const test_table *table, const vp_world *world, const oracle *o, bool rows, test_side side,
                            vp_random *r)
{
    vp_dims n = o->chunks;
    size_t chunks = oracle_chunk_count(o), voxels = chunks * 512;
    int32_t stride_z = (int32_t)n.x + 2, stride_y = stride_z * ((int32_t)n.z + 2);
    size_t front = (size_t)(stride_y + stride_z + 1);
    size_t slots = (size_t)stride_y * (n.y + 2) + (size_t)(stride_y + stride_z + 2);
    size_t scratch_bytes = (vp_dilate_world_scratch_bytes(n) + 63) / 64 * 64;

    uint8_t *row_bytes = malloc(voxels);
    assert_non_null(row_bytes);
    assert_ok(vp_world_read_rows(world, (vp_ivec3){0, 0, 0}, o->size, row_bytes, NULL, &error));
    test_guard material = guard_copy(rows ? row_bytes : vp_world_bricks(world).material, voxels, side);
    test_guard slot = test_guard_make(slots * 4, side), pool = test_guard_make(chunks * 128, side);
    test_guard scratch = test_guard_make(scratch_bytes, side);
    memset(scratch.data, 0xa5, scratch_bytes);
    memset(slot.data, 0, slots * 4);

    uint32_t *slot0 = (uint32_t *)slot.data + front;
    uint32_t split = vp_random_below(r, n.y + 1), filled = 0;
    for (int half = 0; half < 2; half++) { /* in two pieces, one of them perhaps empty */
        vp_build piece = {.material = material.data, .chunks = n, .y_begin = half == 0 ? 0 : split,
                          .y_end = half == 0 ? split : n.y, .slot = slot0, .slot_stride_z = stride_z,
                          .slot_stride_y = stride_y, .pool = (vp_masks *)pool.data + filled, .first = 3 + filled,
                          .scratch = scratch.data};
        if (piece.y_begin < piece.y_end)
            filled += rows ? table->kernels.dilate_world_rows(&piece) : table->kernels.dilate_world(&piece);
    }
    uint32_t mixed = 0;
    for (uint32_t c = 0; c < chunks; c++) {
        vp_ivec3 at = oracle_chunk_at(o, c);
        vp_tag tag = oracle_tag(o, at);
        vp_masks masks = oracle_masks(o, at);
        uint32_t got = slot0[at.y * stride_y + at.z * stride_z + at.x];
        assert_true(tag == VP_TAG_MIXED ? got >= 3 && got < 3 + filled : got == (uint32_t)tag);
        if (tag == VP_TAG_MIXED)
            assert_memory_equal((vp_masks *)pool.data + (got - 3), &masks, sizeof masks);
        mixed += tag == VP_TAG_MIXED;

        test_guard out = test_guard_make(sizeof masks, side);
        if (rows) {
            uint8_t ten[1000];
            assert_ok(vp_world_neighbourhood(world, at, ten, &error));
            test_guard in = guard_copy(ten, sizeof ten, side);
            assert_int_equal(table->kernels.dilate_chunk_rows(in.data, out.data), tag);
            assert_memory_equal(in.data, ten, sizeof ten);
            test_guard_free(&in);
        } else {
            vp_bricks bricks = {material.data, n};
            assert_int_equal(table->kernels.dilate_chunk(&bricks, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, out.data),
                             tag);
        }
        assert_memory_equal(out.data, &masks, sizeof masks);
        test_guard_free(&out);
    }
    assert_int_equal(filled, mixed);
    for (size_t i = 0; i < slots; i++) { /* the border stays EMPTY */
        int64_t at = (int64_t)i;
        int64_t x = at % stride_z - 1, z = at / stride_z % (stride_y / stride_z) - 1, y = at / stride_y - 1;
        if (x < 0 || z < 0 || y < 0 || x >= (int64_t)n.x || z >= (int64_t)n.z || y >= (int64_t)n.y)
            assert_int_equal(((uint32_t *)slot.data)[i], 0);
    }
    assert_memory_equal(material.data, rows ? row_bytes : vp_world_bricks(world).material, voxels);

    test_guard all = test_guard_make((chunks + 3) * 128, side); /* with the three shared entries in front */
    memset(all.data, 0, 3 * 128);
    memset(((vp_masks *)all.data)[1].solid, 0xff, 64);
    memset(((vp_masks *)all.data)[2].water, 0xff, 64);
    memcpy((vp_masks *)all.data + 3, pool.data, chunks * 128);
    vp_bits bits = {slot0, all.data, n, stride_z, stride_y};
    for (uint32_t count = 1; count < 20; count++) {
        test_guard array[6], touch = test_guard_make(count, side);
        uint8_t expected[20];
        for (int a = 0; a < 6; a++)
            array[a] = test_guard_make(count * sizeof(float), side);
        for (uint32_t i = 0; i < count; i++) {
            vp_aabb box = test_hostile_box(r, o->size);
            const float value[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
            for (int a = 0; a < 6; a++)
                ((float *)array[a].data)[i] = value[a];
            uint8_t chunk[256];
            expected[i] = (uint8_t)oracle_overlap(o, &box, chunk);
            assert_int_equal(table->kernels.overlap_one(&bits, &box), expected[i]);
            uint32_t touched = table->kernels.overlap_chunks(&bits, &box, NULL, 0);
            test_guard list = test_guard_make(touched * sizeof(vp_chunk_touch), side);
            assert_int_equal(table->kernels.overlap_chunks(&bits, &box, list.data, touched), touched);
            test_guard_free(&list);
        }
        vp_boxes boxes = {array[0].data, array[1].data, array[2].data, array[3].data, array[4].data, array[5].data, count};
        table->kernels.overlap_batch(&bits, &boxes, touch.data);
        assert_memory_equal(touch.data, expected, count);
        for (int a = 0; a < 6; a++)
            test_guard_free(&array[a]);
        test_guard_free(&touch);
    }
    test_guard_free(&all);
    test_guard_free(&material);
    test_guard_free(&slot);
    test_guard_free(&pool);
    test_guard_free(&scratch);
    free(row_bytes);
}

static void exact_buffers(void **state)
{
    (void)state;
    for (size_t t = 0; t < table_count; t++)
        for (uint32_t i = 0; i < SHAPES; i++) {
            vp_random r = {6000 + i};
            vp_world *world = test_random_world(&r, shapes[i], NULL);
            oracle o = oracle_make(world, true);
            for (int way = 0; way < 4; way++)
                build_in_guards(&tables[t], world, &o, way / 2 == 1, way % 2 == 0 ? TEST_FLUSH_BEGIN : TEST_FLUSH_END, &r);
            oracle_free(&o);
            vp_world_destroy(world);
        }
}

int main(void)
{
    table_count = test_tables(tables);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds),        cmocka_unit_test(full_worlds),    cmocka_unit_test(threads),
        cmocka_unit_test(create_refusals), cmocka_unit_test(updates),      cmocka_unit_test(pool_is_reused),
        cmocka_unit_test(memory_report), cmocka_unit_test(boxes_by_hand), cmocka_unit_test(invalid_boxes),
        cmocka_unit_test(queries),       cmocka_unit_test(exact_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
