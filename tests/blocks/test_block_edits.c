/* SPDX-License-Identifier: MIT */
/* Edits of block worlds, and the chunks that see them, at every border. Snapshots keep their blocks, refused edits change nothing, and the
 * storage of a chunk never shows. The case block_edit judges batches of edits in both forms. */
#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/block_shapes.h>
#include <voxphys/blocks.h>

#include "datasets/random.h"
#include "src/blocks/blocks_internal.h"

static vp_block_type types[400];

static vp_blocks *make(vp_blocks_form form)
{
    vp_blocks *b = NULL;
    for (int i = 1; i < 400; i++)
        types[i].flags = VP_BLOCK_COLLIDES | VP_BLOCK_OPAQUE;
    assert_ok(vp_blocks_create(&(vp_blocks_def){.type = types, .type_count = 400, .form = form}, &b, &error));
    return b;
}

static int chunk_with(int v)
{
    return (int)floor(v / 32.0);
}

/* ---- chunks that see an edit ---- */

/* The chunks of all 27 blocks around a block. */
static uint32_t seen_by_force(vp_ivec3 at)
{
    uint32_t seen = 0;
    for (int k = 0; k < 27; k++) {
        const int x = chunk_with(at.x + k % 3 - 1) - chunk_with(at.x), y = chunk_with(at.y + k / 9 - 1) - chunk_with(at.y),
                  z = chunk_with(at.z + k / 3 % 3 - 1) - chunk_with(at.z);
        seen |= 1u << ((y + 1) * 9 + (z + 1) * 3 + x + 1);
    }
    return seen;
}

/* A chunk's window by its definition, block by block. */
static void window_by_force(vp_blocks *b, vp_ivec3 chunk, vp_block *cell)
{
    for (int y = -1; y <= 32; y++)
        for (int z = -1; z <= 32; z++)
            for (int x = -1; x <= 32; x++)
                *cell++ = vp_blocks_get(b, (vp_ivec3){chunk.x * 32 + x, chunk.y * 32 + y, chunk.z * 32 + z});
}

/* docs/CONTRACT.md: BLK-1, BLK-2
 * All 26 border positions and the middle, in a chunk with a negative index. The change lists exactly the chunks whose window differs. */
TEST(test_borders)
{
    static vp_block before[27][VP_BLOCK_WINDOW_CELLS], after[VP_BLOCK_WINDOW_CELLS], fast[VP_BLOCK_WINDOW_CELLS];
    static const int inside[3] = {0, 15, 31};
    vp_blocks *b = make(VP_BLOCKS_SNAPSHOTS);
    vp_block_changes changes = {0};
    for (int p = 0; p < 27; p++) {
        const vp_ivec3 chunk = {-1, 0, -2};
        const vp_ivec3 at = {chunk.x * 32 + inside[p % 3], chunk.y * 32 + inside[p / 9], chunk.z * 32 + inside[p / 3 % 3]};
        uint32_t seen = 0;
        assert_ok(vp_blocks_set(b, at, (vp_block)(1 + p * 12), &changes, &error));
        for (int k = 0; k < 27; k++) {
            const vp_ivec3 of = {chunk.x + k % 3 - 1, chunk.y + k / 9 - 1, chunk.z + k / 3 % 3 - 1};
            vp_block_around around;
            window_by_force(b, of, after);
            seen |= (memcmp(before[k], after, sizeof after) != 0 ? 1u : 0u) << k; /* the world began empty */
            memcpy(before[k], after, sizeof after);
            vp_blocks_acquire_around(b, of, &around);
            vp_block_around_window(&around, fast);
            vp_blocks_release_around(b, &around);
            assert_memory_equal(fast, after, sizeof after);
        }
        assert_int_equal(changes.count, 1);
        assert_memory_equal(&changes.change[0].chunk, &chunk, sizeof chunk);
        assert_int_equal(changes.change[0].stale, seen);
        assert_int_equal(seen, seen_by_force(at));
        assert_int_equal(changes.change[0].stale & VP_BLOCK_STALE_FACES & ~(1u << VP_BLOCK_SELF),
                         seen & (1u << 4 | 1u << 10 | 1u << 12 | 1u << 14 | 1u << 16 | 1u << 22));
        assert_ok(vp_blocks_set(b, at, (vp_block)(1 + p * 12), &changes, &error));
        assert_int_equal(changes.count, 0);
    }
    vp_block_changes_destroy(&changes);
    vp_blocks_destroy(b);
}

/* ---- snapshots ---- */

/* docs/CONTRACT.md: BLK-3 */
TEST(test_storage)
{
    vp_blocks *b = make(VP_BLOCKS_SNAPSHOTS);
    const vp_ivec3 low = {0, 0, 0}, high = {32, 32, 32};
    assert_ok(vp_blocks_edit(b, &(vp_block_edit){.shape = VP_BLOCK_BOX, .block = 300, .low = low, .high = high}, 1, NULL, &error));
    vp_blocks_memory m = vp_blocks_memory_use(b);
    assert_true(m.chunks == 1 && m.uniform == 1 && m.cells == 0);
    assert_ok(vp_blocks_set(b, low, 1, NULL, &error));
    m = vp_blocks_memory_use(b);
    assert_true(m.chunks == 1 && m.uniform == 0 && m.wide == 1 && m.cells == 65536);
    assert_ok(vp_blocks_set(b, (vp_ivec3){-1, 0, 0}, 255, NULL, &error));
    m = vp_blocks_memory_use(b);
    assert_true(m.chunks == 2 && m.wide == 1 && m.cells == 65536 + 32768 && m.bytes > m.cells);
    assert_ok(vp_blocks_set(b, (vp_ivec3){-2, 0, 0}, 256, NULL, &error)); /* the chunk becomes wide */
    assert_int_equal(vp_blocks_get(b, (vp_ivec3){-1, 0, 0}), 255);
    assert_int_equal(vp_blocks_get(b, (vp_ivec3){-2, 0, 0}), 256);
    assert_int_equal(vp_blocks_memory_use(b).wide, 2);
    assert_ok(vp_blocks_set(b, (vp_ivec3){-2, 0, 0}, 254, NULL, &error)); /* and narrow again */
    m = vp_blocks_memory_use(b);
    assert_true(m.wide == 1 && m.cells == 65536 + 32768);
    assert_int_equal(vp_blocks_get(b, (vp_ivec3){-1, 0, 0}), 255);
    assert_int_equal(vp_blocks_get(b, (vp_ivec3){-2, 0, 0}), 254);
    const uint64_t digest = vp_blocks_digest(b);
    assert_ok(vp_blocks_set(b, (vp_ivec3){-100, 0, 0}, 0, NULL, &error)); /* nothing replaces nothing */
    assert_int_equal(vp_blocks_memory_use(b).chunks, 2);
    assert_ok(vp_blocks_set_chunk(b, (vp_ivec3){9, 9, 9}, &(vp_block_cells){NULL, 0, 0}, &error));
    assert_true(vp_blocks_digest(b) == digest);
    vp_ivec3 chunk[3];
    assert_int_equal(vp_blocks_list_chunks(b, NULL, 0), 3);
    assert_int_equal(vp_blocks_list_chunks(b, chunk, 3), 3);
    assert_true(chunk[0].x == -1 && chunk[1].x == 0 && chunk[2].x == 9);
    vp_blocks_remove_chunk(b, (vp_ivec3){9, 9, 9});
    vp_blocks_remove_chunk(b, (vp_ivec3){5, 5, 5});
    assert_int_equal(vp_blocks_list_chunks(b, chunk, 3), 2);
    vp_blocks_destroy(b);
}

/* docs/CONTRACT.md: BLK-5 */
TEST(test_refused)
{
    vp_blocks *b = make(VP_BLOCKS_SNAPSHOTS);
    const int reach = VP_BLOCKS_REACH * 32;
    assert_ok(vp_blocks_set(b, (vp_ivec3){reach - 1, -reach, 0}, 5, NULL, &error));
    assert_int_equal(vp_blocks_get(b, (vp_ivec3){reach - 1, -reach, 0}), 5);
    const uint64_t digest = vp_blocks_digest(b), version = vp_blocks_version(b);
    const vp_block_edit good = {.shape = VP_BLOCK_ONE, .block = 3};
    static const float odd[3] = {NAN, INFINITY, 1e30f};
    struct {
        vp_block_edit edit;
        const char *value;
    } bad[] = {
        {{.shape = (vp_block_shape)7}, "edit 1: shape is 7"},
        {{.shape = VP_BLOCK_ONE, .block = 400}, "edit 1: block is 400"},
        {{.shape = VP_BLOCK_ONE, .low = {reach, 0, 0}}, "1073741824"},
        {{.shape = VP_BLOCK_ONE, .low = {0, 0, -reach - 1}}, "-1073741825"},
        {{.shape = VP_BLOCK_BOX, .low = {0, 5, 0}, .high = {1, 4, 1}}, "from 5 to 4 along y"},
        {{.shape = VP_BLOCK_BOX, .low = {INT32_MIN, 0, 0}, .high = {INT32_MAX, 1, 1}}, "-2147483648"},
        {{.shape = VP_BLOCK_BOX, .high = {40000, 40000, 40000}}, "chunks"},
        {{.shape = VP_BLOCK_SPHERE, .radius = -1}, "radius -1"},
        {{.shape = VP_BLOCK_SPHERE, .radius = 1e9f}, "62500002 x 62500002 x 62500002"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const vp_block_edit both[2] = {good, bad[i].edit};
        assert_refused(vp_blocks_edit(b, both, 2, NULL, &error), VP_E_ARGUMENT, bad[i].value);
        assert_refused(vp_blocks_edit(b, both, 2, NULL, &error), VP_E_ARGUMENT, "edit 1");
    }
    for (int k = 0; k < 3; k++) {
        vp_block_edit e = {.shape = VP_BLOCK_SPHERE, .centre = {odd[k], 0, 0}, .radius = 1};
        assert_refused(vp_blocks_edit(b, &e, 1, NULL, &error), VP_E_ARGUMENT, "edit 0");
        e = (vp_block_edit){.shape = VP_BLOCK_SPHERE, .radius = odd[k]};
        assert_refused(vp_blocks_edit(b, &e, 1, NULL, &error), VP_E_ARGUMENT, "edit 0");
    }
    assert_refused(vp_blocks_edit(b, NULL, 1, NULL, &error), VP_E_ARGUMENT, "NULL");
    assert_refused(vp_blocks_set_chunk(b, (vp_ivec3){VP_BLOCKS_REACH, 0, 0}, &(vp_block_cells){0}, &error), VP_E_ARGUMENT, "33554432");
    assert_refused(vp_blocks_set_chunk(b, (vp_ivec3){0, 0, 0}, &(vp_block_cells){NULL, 0, 400}, &error), VP_E_ARGUMENT,
                   "chunk (0, 0, 0): a block is of type 400");
    assert_refused(vp_blocks_set_chunk(b, (vp_ivec3){0, 0, 0}, &(vp_block_cells){NULL, 1, 0}, &error), VP_E_ARGUMENT,
                   "chunk (0, 0, 0) has width 1");
    vp_block_held held;
    assert_refused(vp_blocks_acquire_box(b, (vp_ivec3){0, 0, 0}, (vp_dims){UINT32_MAX, 1, 1}, &held, &error), VP_E_ARGUMENT, "4294967294");
    assert_refused(vp_blocks_acquire_box(b, (vp_ivec3){0, 0, 0}, (vp_dims){1 << 20, 1 << 20, 1 << 20}, &held, &error), VP_E_ARGUMENT,
                   "1048576");
    assert_true(vp_blocks_digest(b) == digest && vp_blocks_version(b) == version);
    const vp_block_edit ball = {.shape = VP_BLOCK_SPHERE, .block = 3, .centre = {0.5f, 0.5f, 0.5f}, .radius = 1};
    assert_ok(vp_blocks_edit(b, &ball, 1, NULL, &error));
    assert_int_equal(vp_blocks_get(b, (vp_ivec3){1, 0, 0}), 3); /* its centre is on the sphere */
    assert_int_equal(vp_blocks_get(b, (vp_ivec3){1, 1, 0}), 0);
    vp_blocks_destroy(b);

    static const vp_block_type wrong[4][2] = {{{1, 0}, {0, 0}}, {{0, 0}, {8, 0}}, {{0, 0}, {5, 0}}, {{0, 0}, {0, 0x1000000}}};
    static const char *const values[4] = {"0x1", "0x8", "0x5", "0x1000000"};
    for (int i = 0; i < 4; i++)
        assert_refused(vp_blocks_create(&(vp_blocks_def){.type = wrong[i], .type_count = 2}, &b, &error), VP_E_ARGUMENT, values[i]);
    assert_refused(vp_blocks_create(&(vp_blocks_def){.type = types, .type_count = 65537}, &b, &error), VP_E_ARGUMENT, "65537");
    assert_refused(vp_blocks_create(&(vp_blocks_def){.form = (vp_blocks_form)2}, &b, &error), VP_E_ARGUMENT, "vp_blocks_def.form is 2");
}
