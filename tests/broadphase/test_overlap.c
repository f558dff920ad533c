/* SPDX-License-Identifier: MIT */
/* Overlap queries with every set of kernels that this machine runs, single, batched and by chunk: boxes with results typed by hand, and
 * random ones against voxel-by-voxel overlap (docs/CONTRACT.md: OVL-1 to OVL-6). */
#include "tests/support/check.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

#include <float.h>
#include <math.h>

#include <voxphys/voxphys.h>

static test_table tables[TEST_TABLES_MAX];
static size_t table_count;

static vp_broadphase *build(const vp_world *world, const vp_kernels *kernels)
{
    vp_broadphase *b = NULL;
    vp_broadphase_def def = {.world = world, .kernels = kernels};
    assert_ok(vp_broadphase_create(&def, &b, &error));
    return b;
}

/* One solid voxel at (9, 9, 9): bits at 8..10. One of water at (20, 1, 1): bits at 19..21 x 0..2 x 0..2. */
static void boxes_by_hand(void **state)
{
    (void)state; /* docs/CONTRACT.md: OVL-1, OVL-3, OVL-4 */
    enum { S = VP_TOUCH_SOLID, W = VP_TOUCH_WATER };
    const float inf = INFINITY;
    static const float below12 = 11.999999f;
    const struct {
        vp_aabb box;
        uint32_t touch;
    } expect[] = {
        {{{9, 9, 9}, {9, 9, 9}}, S},                   /* a point */
        {{{7, 9, 9}, {7, 9, 9}}, S},                   /* voxels 6..8 */
        {{{6.9999995f, 9, 9}, {6.9999995f, 9, 9}}, 0}, /* 5..7 */
        {{{5, 9, 9}, {7, 9, 9}}, S},                   /* its closed face is the only part in voxel 7 */
        {{{below12, 9, 9}, {below12, 9, 9}}, S},       /* 10..12 */
        {{{12, 9, 9}, {12, 9, 9}}, 0},                 /* 11..13 */
        {{{12, 9, 9}, {15, 9, 9}}, 0},
        {{{9, 7, 9}, {9, 7, 9}}, S},
        {{{9, 12, 9}, {9, 12, 9}}, 0},
        {{{9, 9, 6.5f}, {9, 9, 7}}, S},
        {{{9, 9, 12}, {9, 9, 13}}, 0},
        {{{20, 0, 0}, {20, 0, 0}}, W},
        {{{20, -0.0f, -0.0f}, {20, -0.0f, -0.0f}}, W},
        {{{20, -1, 0}, {20, -1, 0}}, W},                   /* y: voxels -2..0 */
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
        vp_broadphase *b = build(world, &tables[t].kernels);
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
    (void)state; /* docs/CONTRACT.md: OVL-2 */
    vp_world *world = test_world(2, 2, 2, NULL);
    vp_voxel rock = {2, 255};
    assert_ok(vp_world_fill_box(world, (vp_ivec3){0, 0, 0}, (vp_ivec3){16, 16, 16}, rock, NULL, &error));
    static const struct {
        vp_aabb box;
        const char *message;
    } bad[] = {
        {{{NAN, 1, 1}, {2, 2, 2}}, "min.x is NaN"},
        {{{1, NAN, 1}, {2, 2, 2}}, "min.y is NaN"},
        {{{1, 1, NAN}, {2, 2, 2}}, "min.z is NaN"},
        {{{1, 1, 1}, {NAN, 2, 2}}, "max.x is NaN"},
        {{{1, 1, 1}, {2, NAN, 2}}, "max.y is NaN"},
        {{{1, 1, 1}, {2, 2, NAN}}, "max.z is NaN"},
        {{{2.5f, 1, 1}, {2.25f, 2, 2}}, "2.5"},
        {{{1, 7, 1}, {2, 6.125f, 2}}, "6.125"},
        {{{1, 1, INFINITY}, {2, 2, -INFINITY}}, "min.z = inf"},
    };
    enum { BAD = sizeof bad / sizeof bad[0], COUNT = 24, FIRST = 5 };
    for (size_t t = 0; t < table_count; t++) {
        vp_broadphase *b = build(world, &tables[t].kernels);
        for (uint32_t i = 0; i < BAD; i++) {
            uint32_t touch = 99;
            assert_refused(vp_broadphase_overlap(b, &bad[i].box, &touch, &error), VP_E_ARGUMENT, bad[i].message);
            assert_int_equal(touch, 99);
            assert_int_equal(vp_broadphase_overlap(b, &bad[i].box, &touch, NULL), VP_E_ARGUMENT);
            /* in a batch: the invalid box twice among valid ones, whose answers are right */
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
            vp_broadphase_view bits = vp_broadphase_bits(b);
            vp_chunk_touch list[8];
            assert_int_equal(tables[t].kernels.overlap_chunks(&bits, &bad[i].box, list, 8), 0);
        }
        vp_boxes none = {NULL, NULL, NULL, NULL, NULL, NULL, 0};
        assert_ok(vp_broadphase_overlap_batch(b, &none, NULL, &error));
        vp_broadphase_destroy(b);
    }
    vp_world_destroy(world);
}

/* Against voxel-by-voxel overlap, with batches of all small sizes for the kernels' remainders. */
static void queries(void **state)
{
    (void)state; /* docs/CONTRACT.md: OVL-1, OVL-5, OVL-6 */
    enum { BOXES = 257 };
    static float side[6][BOXES];
    static vp_aabb box[BOXES];
    static uint8_t expected[BOXES], got[BOXES + 1];
    for (size_t t = 0; t < table_count; t++)
        for (uint32_t w = 0; w < TEST_SHAPES; w++) {
            uint64_t seed = 5000 + w;
            vp_random r = {seed};
            vp_world *world = test_random_world(&r, test_shapes[w], NULL);
            oracle o = oracle_make(world, true);
            vp_broadphase *b = build(world, &tables[t].kernels);
            vp_broadphase_view bits = vp_broadphase_bits(b);
            for (uint32_t i = 0; i < BOXES; i++) {
                uint8_t chunk[256];
                box[i] = test_hostile_box(&r, o.size);
                expected[i] = (uint8_t)oracle_overlap(&o, &box[i], chunk);
                if (tables[t].kernels.overlap_box(&bits, &box[i]) != expected[i])
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
                vp_chunk_touch two[2] = {{77, 77}, {77, 77}}; /* room for one: returns the count, writes one */
                assert_int_equal(tables[t].kernels.overlap_chunks(&bits, &box[i], two, 1), count);
                assert_int_equal(two[1].chunk, 77);
                assert_int_equal(tables[t].kernels.overlap_chunks(&bits, &box[i], NULL, 0), count);
                side[0][i] = box[i].min.x, side[1][i] = box[i].min.y, side[2][i] = box[i].min.z;
                side[3][i] = box[i].max.x, side[4][i] = box[i].max.y, side[5][i] = box[i].max.z;
            }
            for (uint32_t count = 1; count <= BOXES; count += count < 40 ? 1 : 31) {
                uint32_t from = vp_random_below(&r, BOXES - count + 1);
                vp_boxes boxes = {side[0] + from, side[1] + from, side[2] + from, side[3] + from, side[4] + from, side[5] + from, count};
                memset(got, 0xcc, sizeof got);
                tables[t].kernels.overlap_boxes(&bits, &boxes, got);
                assert_int_equal(got[count], 0xcc);
                for (uint32_t i = 0; i < count; i++)
                    if (got[i] != expected[from + i])
                        fail_msg("%s, seed %llu: answer %u of a batch of %u from %u differs", tables[t].name, (unsigned long long)seed, i,
                                 count, from);
            }
            vp_broadphase_destroy(b);
            oracle_free(&o);
            vp_world_destroy(world);
        }
}

int main(void)
{
    table_count = test_tables(tables);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_by_hand),
        cmocka_unit_test(invalid_boxes),
        cmocka_unit_test(queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
