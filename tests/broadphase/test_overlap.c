/* SPDX-License-Identifier: MIT */
/* Overlap queries with every set of kernels that this machine runs, single, batched and by chunk, against voxel-by-voxel overlap. The
 * corpus has boxes with results typed by hand. */
#include "tests/support/check.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

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
    (void)state; /* docs/CONTRACT.md: OVL-1, OVL-3, OVL-4, OVL-5, OVL-6 */
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
        cmocka_unit_test(invalid_boxes),
        cmocka_unit_test(queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
