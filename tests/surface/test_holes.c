/* SPDX-License-Identifier: MIT */
/* Dilation of a world that is full but for one voxel, which is in turn at every place that the chunks within the world can
 * see: what is FULL and what is not hangs on this one voxel alone. Each version of each dilation kernel that this machine
 * runs, against 27-neighbour brute force. The complement of a world that is empty but for one voxel (test_broadphase.c). */
#include "tests/support/check.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

#include <stdlib.h>

#include <voxphys/voxphys.h>

/* Chunks (1, 1, 1) and (1, 2, 1) have neighbours on all sides. */
enum { CX = 3, CY = 4, CZ = 3, SX = 8 * CX, SY = 8 * CY, SZ = 8 * CZ, CHUNKS = CX * CY * CZ };
enum { STRIDE_Z = CX + 2, STRIDE_Y = STRIDE_Z * (CZ + 2), SLOTS = STRIDE_Y * (CY + 2) + STRIDE_Y + STRIDE_Z + 2 };
enum { FIRST = 3 };

#ifdef TEST_THIN /* emulated or slow builds: every seventh place, another seventh for each kind of world */
enum { STEP = 7 };
#else
enum { STEP = 1 };
#endif

typedef struct holes {
    test_table table[TEST_TABLES_MAX];
    size_t tables;
    vp_world *world;
    oracle oracle;
    uint8_t rows[SX * SY * SZ];
    vp_chunk_class tag[CHUNKS];   /* what must come out */
    vp_chunk_masks masks[CHUNKS]; /* the same */
    vp_chunk_masks *pool;
    void *scratch;
    uint32_t slot[SLOTS];
    /* for messages */
    int fill, other;
    vp_ivec3 at;
} holes;

static void *aligned(size_t bytes)
{
    void *block = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(block);
    return block;
}

/* ---- the worlds ---- */

/* What the 27 voxels around one hold, one after the other; outside is air. */
static uint8_t look_around(const holes *h, int x, int y, int z)
{
    uint8_t near = 0;
    for (int n = 0; n < 27; n++) {
        int nx = x + n % 3 - 1, ny = y + n / 3 % 3 - 1, nz = z + n / 9 - 1;
        if (nx < 0 || ny < 0 || nz < 0 || nx >= SX || ny >= SY || nz >= SZ)
            continue;
        uint8_t material = h->oracle.voxel[(ny * SZ + nz) * SX + nx].material;
        near |= material == 0 ? 0 : material == 1 ? VP_TOUCH_WATER : VP_TOUCH_SOLID;
    }
    return near;
}

static bool sees(int chunk, int at)
{
    return at >= 8 * chunk - 1 && at <= 8 * chunk + 8;
}

/* Puts a material at h->at, into the world, the rows and the expectations, of which it changes what is around it. */
static void put(holes *h, int material)
{
    vp_ivec3 at = h->at;
    vp_voxel voxel = {(uint8_t)material, (uint8_t)(material != 0 ? 255 : 0)};
    assert_ok(vp_world_set_voxel(h->world, at, voxel, NULL, &error));
    h->rows[(at.y * SZ + at.z) * SX + at.x] = voxel.material;
    h->oracle.voxel[(at.y * SZ + at.z) * SX + at.x] = voxel;
    for (int n = 0; n < 27; n++) {
        int x = at.x + n % 3 - 1, y = at.y + n / 3 % 3 - 1, z = at.z + n / 9 - 1;
        if (x >= 0 && y >= 0 && z >= 0 && x < SX && y < SY && z < SZ)
            h->oracle.near[(y * SZ + z) * SX + x] = look_around(h, x, y, z);
    }
    for (uint32_t c = 0; c < CHUNKS; c++) {
        vp_ivec3 chunk = oracle_chunk_at(&h->oracle, c);
        if (!sees(chunk.x, at.x) || !sees(chunk.y, at.y) || !sees(chunk.z, at.z))
            continue;
        h->tag[c] = oracle_tag(&h->oracle, chunk);
        h->masks[c] = oracle_masks(&h->oracle, chunk);
    }
}

/* A world full of one material. */
static void fill(holes *h, int material)
{
    static const vp_ivec3 low = {0, 0, 0}, high = {SX, SY, SZ};
    assert_ok(vp_world_fill_box(h->world, low, high, (vp_voxel){(uint8_t)material, 255}, NULL, &error));
    memset(h->rows, material, sizeof h->rows);
    oracle_free(&h->oracle);
    h->oracle = oracle_make(h->world, true);
    for (uint32_t c = 0; c < CHUNKS; c++) {
        h->tag[c] = oracle_tag(&h->oracle, oracle_chunk_at(&h->oracle, c));
        h->masks[c] = oracle_masks(&h->oracle, oracle_chunk_at(&h->oracle, c));
    }
}

/* ---- the kernels ---- */

static void wrong(const holes *h, const char *table, const char *kernel, uint32_t chunk, const char *what)
{
    fail_msg("%s of %s, a world of %d with %d at (%d, %d, %d): chunk %u has a wrong %s", kernel, table, h->fill, h->other, h->at.x, h->at.y,
             h->at.z, chunk, what);
}

static void expect_world(holes *h, const test_table *t, bool rows)
{
    const char *kernel = rows ? "dilate_world_rows" : "dilate_world";
    uint32_t *slot0 = h->slot + STRIDE_Y + STRIDE_Z + 1;
    vp_dilate_job build = {.material = rows ? h->rows : vp_world_bricks(h->world).material,
                           .chunks = {CX, CY, CZ},
                           .y_begin = 0,
                           .y_end = CY,
                           .slot = slot0,
                           .slot_stride_z = STRIDE_Z,
                           .slot_stride_y = STRIDE_Y,
                           .pool = h->pool,
                           .first = FIRST,
                           .scratch = h->scratch};
    memset(h->slot, 0x5a, sizeof h->slot);
    memset(h->pool, 0x5a, CHUNKS * sizeof *h->pool);
    uint32_t filled = rows ? t->kernels.dilate_world_rows(&build) : t->kernels.dilate_world(&build), mixed = 0;
    for (uint32_t c = 0; c < CHUNKS; c++) {
        vp_ivec3 at = oracle_chunk_at(&h->oracle, c);
        uint32_t got = slot0[at.y * STRIDE_Y + at.z * STRIDE_Z + at.x];
        mixed += h->tag[c] == VP_CHUNK_MIXED ? 1 : 0;
        if (h->tag[c] != VP_CHUNK_MIXED ? got != (uint32_t)h->tag[c] : got < FIRST || got - FIRST >= filled)
            wrong(h, t->name, kernel, c, "tag");
        if (h->tag[c] == VP_CHUNK_MIXED && memcmp(&h->pool[got - FIRST], &h->masks[c], sizeof(vp_chunk_masks)) != 0)
            wrong(h, t->name, kernel, c, "mask");
    }
    assert_int_equal(filled, mixed);
}

static void expect_chunks(holes *h, const test_table *t)
{
    vp_bricks bricks = vp_world_bricks(h->world);
    for (uint32_t c = 0; c < CHUNKS; c++) {
        vp_ivec3 at = oracle_chunk_at(&h->oracle, c);
        if (!sees(at.x, h->at.x) || !sees(at.y, h->at.y) || !sees(at.z, h->at.z))
            continue;
        _Alignas(64) vp_chunk_masks masks;
        uint8_t around[VP_NEIGHBOURHOOD_VOXELS];
        memset(&masks, 0x5a, sizeof masks);
        if (t->kernels.dilate_chunk(&bricks, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z, &masks) != (uint32_t)h->tag[c])
            wrong(h, t->name, "dilate_chunk", c, "tag");
        if (memcmp(&masks, &h->masks[c], sizeof masks) != 0)
            wrong(h, t->name, "dilate_chunk", c, "mask");
        assert_ok(vp_world_neighbourhood(h->world, at, around, &error));
        memset(&masks, 0x5a, sizeof masks);
        if (t->kernels.dilate_chunk_rows(around, &masks) != (uint32_t)h->tag[c])
            wrong(h, t->name, "dilate_chunk_rows", c, "tag");
        if (memcmp(&masks, &h->masks[c], sizeof masks) != 0)
            wrong(h, t->name, "dilate_chunk_rows", c, "mask");
    }
}

/* ---- the test ---- */

/* Both inner chunks see x and z from 7 to 16, y from 7 to 24; two more on every side, which they do not see. */
static void one_hole_everywhere(void **state)
{
    (void)state; /* docs/CONTRACT.md: DIL-3, DIL-4 */
    holes *h = calloc(1, sizeof *h);
    assert_non_null(h);
    h->tables = test_tables(h->table);
    h->world = test_world(CX, CY, CZ, NULL);
    h->pool = aligned(CHUNKS * sizeof *h->pool);
    h->scratch = aligned(vp_dilate_world_scratch_bytes((vp_dims){CX, CY, CZ}));
    static const uint8_t pair[4][2] = {{2, 0}, {2, 1}, {1, 0}, {1, 200}}; /* the world, the voxel */
    uint64_t inner[4] = {0, 0, 0, 0};                                     /* chunk (1, 1, 1) by its tag */
    for (int p = 0; p < 4; p++) {
        h->fill = pair[p][0];
        h->other = pair[p][1];
        fill(h, h->fill);
        for (int i = p % STEP; i < 14 * 22 * 14; i += STEP) {
            h->at = (vp_ivec3){5 + i % 14, 5 + i / (14 * 14), 5 + i / 14 % 14};
            put(h, h->other);
            inner[h->tag[(1 * CZ + 1) * CX + 1]]++;
            for (size_t t = 0; t < h->tables; t++) {
                expect_world(h, &h->table[t], false);
                expect_world(h, &h->table[t], true);
                expect_chunks(h, &h->table[t]);
            }
            put(h, h->fill);
        }
    }
    assert_int_equal(inner[VP_CHUNK_EMPTY], 0);
    if (STEP == 1) { /* 14 * 22 * 14 = 4312 places, of which the chunk sees 1000 */
        assert_int_equal(inner[VP_CHUNK_MIXED], 4 * 1000);
        assert_int_equal(inner[VP_CHUNK_FULL_SOLID], 2 * 3312);
        assert_int_equal(inner[VP_CHUNK_FULL_WATER], 2 * 3312);
    }
    assert_true(inner[VP_CHUNK_MIXED] > 400 && inner[VP_CHUNK_FULL_SOLID] > 400 && inner[VP_CHUNK_FULL_WATER] > 400);
    free(h->pool);
    free(h->scratch);
    oracle_free(&h->oracle);
    vp_world_destroy(h->world);
    free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_hole_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
