/* SPDX-License-Identifier: MIT */
/* The broadphase with every set of kernels that this machine runs. Builds and updates are compared with 27-neighbour brute force, memory
 * against a counting allocator. The corpus has the overlaps of boxes, the cases compare lists and batches (docs/CONTRACT.md: DIL-1, ALL-4).
 */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"
#include "tests/support/threads.h"

#include <voxphys/voxphys.h>

static test_table tables[TEST_TABLES_MAX];
static size_t table_count;

static vp_broadphase *build(const vp_world *world, const vp_kernels *kernels, const vp_executor *executor, const vp_allocator *allocator)
{
    vp_broadphase *b = NULL;
    vp_broadphase_def def = {world, kernels, executor, allocator};
    assert_ok(vp_broadphase_create(&def, &b, &error));
    return b;
}

/* Checks tags and masks of all chunks against the voxels. */
static void expect_bits(const vp_broadphase *b, const oracle *o, const char *what, uint64_t seed)
{
    for (uint32_t c = 0; c < oracle_chunk_count(o); c++) {
        vp_ivec3 chunk = oracle_chunk_at(o, c);
        vp_chunk_class tag = oracle_tag(o, chunk);
        vp_chunk_masks masks = oracle_masks(o, chunk);
        if (vp_broadphase_chunk_class(b, chunk) != tag)
            fail_msg("%s, seed %llu: chunk (%d, %d, %d) has tag %d, expected %d", what, (unsigned long long)seed, chunk.x, chunk.y, chunk.z,
                     (int)vp_broadphase_chunk_class(b, chunk), (int)tag);
        if (memcmp(vp_broadphase_masks(b, chunk), &masks, sizeof masks) != 0)
            fail_msg("%s, seed %llu: wrong masks of chunk (%d, %d, %d)", what, (unsigned long long)seed, chunk.x, chunk.y, chunk.z);
    }
}

/* docs/CONTRACT.md: ALL-4. Any number of threads gives the same answers as one. */
TEST(threads)
{
    for (size_t t = 0; t < table_count; t++)
        for (uint32_t i = 0; i < TEST_SHAPES; i++) {
            uint64_t seed = 2000 + i;
            vp_random r = {seed};
            vp_world *world = test_random_world(&r, test_shapes[i], NULL);
            vp_broadphase *one = build(world, &tables[t].kernels, NULL, NULL);
            uint32_t chunks = test_shapes[i].x * test_shapes[i].y * test_shapes[i].z;
            for (uint32_t n = 1; n <= 5; n++) {
                vp_executor executor = n == 4 ? vp_executor_serial() : test_threads(n);
#ifdef TEST_OPENMP
                if (n == 5) /* 100000 must not start more threads than there is work for */
                    executor = vp_executor_openmp(i == 0 ? 100000 : 2);
#endif
                if (n == 4)
                    executor.thread_count = 0; /* invalid, but must not divide by zero */
                vp_broadphase *b = build(world, &tables[t].kernels, &executor, NULL);
                for (uint32_t c = 0; c < chunks; c++) {
                    vp_ivec3 at = {(int)(c % test_shapes[i].x), (int)(c / test_shapes[i].x / test_shapes[i].z),
                                   (int)(c / test_shapes[i].x % test_shapes[i].z)};
                    if (vp_broadphase_chunk_class(b, at) != vp_broadphase_chunk_class(one, at) ||
                        memcmp(vp_broadphase_masks(b, at), vp_broadphase_masks(one, at), sizeof(vp_chunk_masks)) != 0)
                        fail_msg("%s, seed %llu: chunk %u differs with %u threads", tables[t].name, (unsigned long long)seed, c, n);
                }
                vp_broadphase_destroy(b);
            }
            vp_broadphase_destroy(one);
            vp_world_destroy(world);
        }
}

TEST(create_refusals)
{
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

/* docs/CONTRACT.md: DIL-1, DIL-3, DIL-4. After random edits, updates match the voxels, and memory does not grow. */
TEST(updates)
{
    const uint64_t seed = 3000;
    vp_random r = {seed};
    vp_dims chunks = {4, 3, 4};
    vp_world *world = test_random_world(&r, chunks, NULL);
    test_memory memory[TEST_TABLES_MAX];
    vp_broadphase *b[TEST_TABLES_MAX];
    vp_chunk_set stale;
    assert_ok(vp_chunk_set_create(chunks, NULL, &stale, &error));
    for (size_t t = 0; t < table_count; t++) {
        test_memory_begin(&memory[t]);
        const vp_allocator allocator = test_memory_allocator(&memory[t]);
        b[t] = build(world, &tables[t].kernels, NULL, &allocator);
    }
    for (uint32_t step = 0; step < 150; step++) {
        for (uint32_t edits = vp_random_below(&r, 4); edits > 0; edits--)
            test_random_edit(&r, world, &stale);
        oracle o = oracle_make(world, true);
        uint32_t expected[4] = {0, 0, 0, 0};
        for (uint32_t c = 0; c < oracle_chunk_count(&o); c++)
            expected[oracle_tag(&o, oracle_chunk_at(&o, c))]++;
        for (size_t t = 0; t < table_count; t++) {
            assert_ok(vp_broadphase_update(b[t], world, &stale, &error));
            expect_bits(b[t], &o, tables[t].name, seed + step);
            const vp_broadphase_memory use = vp_broadphase_memory_use(b[t]);
            assert_true(use.total_bytes == memory[t].live_bytes);
            assert_memory_equal(use.chunks, expected, sizeof expected);
            assert_int_equal(use.mask_bytes, 128 * (uint64_t)expected[VP_CHUNK_MIXED]);
        }
        vp_chunk_set_clear(&stale);
        oracle_free(&o);
    }
    for (size_t t = 0; t < table_count; t++) {
        vp_broadphase_destroy(b[t]);
        test_memory_end(&memory[t]);
    }
    vp_chunk_set_destroy(&stale);
    vp_world_destroy(world);
}

int main(void)
{
    table_count = test_tables(tables);
    return test_run_all(NULL, NULL);
}
