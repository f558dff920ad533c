/* SPDX-License-Identifier: MIT */
/* Overlap queries with every set of kernels that this machine runs, single, batched and by chunk, against voxel-by-voxel overlap. The
 * corpus has boxes with results typed by hand. */
#include "tests/support/check.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

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
        cmocka_unit_test(queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
