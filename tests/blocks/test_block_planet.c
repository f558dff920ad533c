/* SPDX-License-Identifier: MIT */
/* The planet has the number of faces of the program that defines it, counted block by block. Any number of threads makes the same planet,
 * chunk by chunk. */
#include "tests/support/check.h"
#include "tests/support/threads.h"

#include <stdlib.h>

#include <voxphys/blocks.h>

enum { PLANETS = IS_THIN ? 1 : 2, COUNTED = IS_THIN ? 0 : 2 }; /* slow builds do not repeat the count */
enum { CHUNKS = 5, EDGE = CHUNKS * 32 };

static vp_blocks *make(const vp_block_planet_def *def, vp_block_planet *planet, const vp_executor *executor)
{
    vp_blocks *b = NULL;
    assert_ok(vp_block_planet_init(def, planet, &error));
    assert_ok(vp_blocks_create(&(vp_blocks_def){0}, &b, &error));
    assert_ok(
        vp_blocks_fill(b, planet->low, (vp_dims){def->chunks, def->chunks, def->chunks}, vp_block_planet_fill, planet, executor, &error));
    return b;
}

/* All blocks of the world, in an array. */
static uint16_t *blocks_of(vp_blocks *b, const vp_block_planet *planet)
{
    uint16_t *all = malloc((size_t)EDGE * EDGE * EDGE * sizeof *all);
    vp_block_held held;
    assert_non_null(all);
    assert_ok(vp_blocks_acquire_box(b, planet->low, (vp_dims){CHUNKS, CHUNKS, CHUNKS}, &held, &error));
    for (uint32_t y = 0; y < EDGE; y++)
        for (uint32_t z = 0; z < EDGE; z++)
            for (uint32_t x = 0; x < EDGE; x++)
                all[(y * EDGE + z) * EDGE + x] =
                    vp_block_at(&held.view.chunk[(y / 32 * CHUNKS + z / 32) * CHUNKS + x / 32], x % 32, y % 32, z % 32);
    vp_blocks_release_box(b, &held);
    return all;
}

/* Two triangles for each face towards nothing. With `blind` also for each face at a chunk's border. */
static uint32_t triangles_of(const uint16_t *all, bool blind)
{
    uint32_t faces = 0;
    for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
        const int at[3] = {i % EDGE, i / EDGE / EDGE, i / EDGE % EDGE}, stride[3] = {1, EDGE * EDGE, EDGE};
        for (int k = 0; k < 6 && all[i] != 0; k++) {
            const int step = k % 2 == 0 ? 1 : -1, to = at[k / 2] + step;
            const bool out = to < 0 || to >= EDGE, other = out || to / 32 != at[k / 2] / 32;
            faces += out || all[i + step * stride[k / 2]] == 0 || (blind && other);
        }
    }
    return 2 * faces;
}

/* docs/CONTRACT.md: BLK-6 */
TEST(test_faces)
{
    static const struct {
        bool platforms;
        uint32_t blind, across;
    } expected[] = {{true, 754608, 193716}, {false, 746692, 185972}};
    for (int i = 0; i < COUNTED; i++) {
        const vp_block_planet_def def = {42, CHUNKS, expected[i].platforms, false};
        vp_block_planet planet;
        vp_blocks *b = make(&def, &planet, NULL);
        uint16_t *all = blocks_of(b, &planet);
        uint32_t solid = 0;
        for (int k = 0; k < EDGE * EDGE * EDGE; k++)
            solid += all[k] != 0;
        if (!expected[i].platforms)
            assert_int_equal(solid, 1264933);
        assert_int_equal(triangles_of(all, true), expected[i].blind);
        assert_int_equal(triangles_of(all, false), expected[i].across);
        free(all);
        vp_blocks_destroy(b);
    }
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
