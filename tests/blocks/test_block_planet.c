/* SPDX-License-Identifier: MIT */
/* Any number of threads makes the same planet, chunk by chunk. `voxphys blocks` has its number of faces. */
#include "tests/support/check.h"
#include "tests/support/threads.h"

#include <voxphys/blocks.h>

enum { PLANETS = IS_THIN ? 1 : 2 };

static vp_blocks *make(const vp_block_planet_def *def, vp_block_planet *planet, const vp_executor *executor)
{
    vp_blocks *b = NULL;
    assert_ok(vp_block_planet_init(def, planet, &error));
    assert_ok(vp_blocks_create(&(vp_blocks_def){0}, &b, &error));
    assert_ok(
        vp_blocks_fill(b, planet->low, (vp_dims){def->chunks, def->chunks, def->chunks}, vp_block_planet_fill, planet, executor, &error));
    return b;
}

/* docs/CONTRACT.md: BLK-7 */
TEST(test_any_threads)
{
    const vp_block_planet_def defs[] = {{42, 3, true, true}, {7, 4, true, false}};
    for (int d = 0; d < PLANETS; d++) {
        vp_block_planet planet;
        vp_blocks *serial = make(&defs[d], &planet, NULL);
        const uint64_t digest = vp_blocks_digest(serial);
        assert_int_not_equal(digest, 0);
        for (uint32_t threads = 1; threads <= 16; threads = threads == 2 ? 16 : threads + 1) {
            const vp_executor executor = test_threads(threads);
            vp_blocks *b = make(&defs[d], &planet, &executor);
            assert_true(vp_blocks_digest(b) == digest);
            vp_blocks_destroy(b);
        }
        vp_blocks_destroy(serial);
    }
}

TEST(test_refused)
{
    vp_block_planet planet;
    for (uint32_t chunks = 0; chunks < 3; chunks++)
        assert_refused(vp_block_planet_init(&(vp_block_planet_def){.chunks = chunks}, &planet, &error), VP_E_ARGUMENT, "chunks");
    assert_refused(vp_block_planet_init(&(vp_block_planet_def){.chunks = 66}, &planet, &error), VP_E_ARGUMENT, "66");
}
