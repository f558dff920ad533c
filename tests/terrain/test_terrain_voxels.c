/* SPDX-License-Identifier: MIT */
/* Many voxels written as one edit: the same world, broadphase, set of stale chunks and answers as one by one, each chunk derived
 * anew once, and nothing changed where it is refused. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"

#include <limits.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

static const vp_dims chunks = {5, 3, 4}, size = {40, 24, 32};
enum { CHUNKS = 5 * 3 * 4, VOXELS = CHUNKS * 512, LIST = 1200 };

/* ---- lists ---- */

typedef struct list {
    vp_ivec3 at[LIST];
    vp_voxel voxel[LIST];
    size_t count;
} list;

static void add(list *l, vp_ivec3 at, vp_voxel voxel)
{
    assert_true(l->count < LIST);
    l->at[l->count] = at;
    l->voxel[l->count++] = voxel;
}

static vp_ivec3 random_place(vp_random *r)
{
    vp_ivec3 at;
    at.x = (int32_t)vp_random_below(r, size.x);
    at.y = (int32_t)vp_random_below(r, size.y);
    at.z = (int32_t)vp_random_below(r, size.z);
    return at;
}

/* All of a box, in rows. */
static void add_box(list *l, vp_ivec3 low, int32_t edge, vp_voxel voxel)
{
    for (int32_t y = low.y; y < low.y + edge && y < (int32_t)size.y; y++)
        for (int32_t z = low.z; z < low.z + edge && z < (int32_t)size.z; z++)
            for (int32_t x = low.x; x < low.x + edge && x < (int32_t)size.x; x++)
                add(l, (vp_ivec3){x, y, z}, voxel);
}

/* None, some all over the world, a box of one kind, few places many times, what is there already. */
static void fill(list *l, vp_random *r, const vp_world *world)
{
    l->count = 0;
    const uint32_t kind = vp_random_below(r, 6), count = 1 + vp_random_below(r, kind == 1 ? 5 : 200);
    const vp_ivec3 corner = random_place(r);
    switch (kind) {
    case 0:
        return;
    case 3:
        add_box(l, corner, 10, test_random_voxel(r));
        return;
    default:
        break;
    }
    for (uint32_t i = 0; i < count; i++) {
        vp_ivec3 at = random_place(r);
        if (kind == 4)
            at = (vp_ivec3){corner.x, corner.y, (int32_t)vp_random_below(r, 3)};
        add(l, at, kind == 5 ? vp_world_voxel(world, at) : test_random_voxel(r));
    }
    if (kind == 4) /* the last says what was there: changed, and changed back */
        add(l, corner, vp_world_voxel(world, corner));
}

/* ---- what must be the same ---- */

static void expect_same_worlds(const vp_world *a, const vp_world *b)
{
    assert_memory_equal(vp_world_bricks(a).material, vp_world_bricks(b).material, VOXELS);
    assert_memory_equal(vp_world_occupancy(a), vp_world_occupancy(b), VOXELS);
}

static void expect_same_sets(const vp_chunk_set *a, const vp_chunk_set *b)
{
    for (uint32_t c = 0; c < CHUNKS; c++)
        assert_int_equal(vp_chunk_set_has(a, c), vp_chunk_set_has(b, c));
}

/* A terrain's broadphase and one that is made from the world. */
static void expect_true_bits(vp_terrain *t)
{
    vp_broadphase *fresh = NULL;
    vp_terrain_reader reader;
    vp_terrain_begin_reading(t, &reader);
    const vp_broadphase_def def = {.world = vp_terrain_reader_world(&reader)};
    assert_ok(vp_broadphase_create(&def, &fresh, &error));
    for (uint32_t c = 0; c < CHUNKS; c++) {
        const vp_ivec3 at = {(int32_t)(c % 5), (int32_t)(c / 20), (int32_t)(c / 5 % 4)};
        assert_int_equal(vp_broadphase_chunk_class(vp_terrain_broadphase(t), at), vp_broadphase_chunk_class(fresh, at));
        assert_memory_equal(vp_broadphase_masks(vp_terrain_broadphase(t), at), vp_broadphase_masks(fresh, at), sizeof(vp_chunk_masks));
    }
    vp_terrain_end_reading(&reader);
    vp_broadphase_destroy(fresh);
}

/* ---- tests ---- */

static void what_is_refused(void **state)
{
    (void)state;
    vp_random r = {31};
    vp_world *world = test_random_world(&r, chunks, NULL), *before = test_world(5, 3, 4, NULL);
    static uint8_t material[VOXELS], occupancy[VOXELS];
    static const vp_ivec3 zero = {0, 0, 0};
    assert_ok(vp_world_read_rows(world, zero, size, material, occupancy, &error));
    assert_ok(vp_world_write_rows(before, zero, size, material, occupancy, NULL, &error));
    const vp_terrain_def def = {.world = world};
    vp_terrain *t = NULL;
    vp_chunk_set stale, other, empty;
    assert_ok(vp_terrain_create(&def, &t, &error));
    assert_ok(vp_chunk_set_create(chunks, NULL, &stale, &error));
    assert_ok(vp_chunk_set_create(chunks, NULL, &empty, &error));
    assert_ok(vp_chunk_set_create((vp_dims){5, 3, 5}, NULL, &other, &error));
    static const struct {
        vp_ivec3 at;
        const char *said;
    } bad[] = {
        {{40, 0, 0}, "voxel 2 at (40, 0, 0) is outside a world of 40 x 24 x 32"},
        {{0, 24, 0}, "voxel 2 at (0, 24, 0)"},
        {{0, 0, 32}, "voxel 2 at (0, 0, 32)"},
        {{-1, 0, 0}, "voxel 2 at (-1, 0, 0)"},
        {{0, INT_MIN, 0}, "voxel 2 at (0, -2147483648, 0)"},
        {{0, 0, INT_MAX}, "voxel 2 at (0, 0, 2147483647)"},
    };
    const vp_voxel voxel[4] = {{9, 9}, {9, 9}, {9, 9}, {9, 9}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const vp_ivec3 at[4] = {{3, 3, 3}, {39, 23, 31}, bad[i].at, {50, 50, 50}};
        assert_refused(vp_world_set_voxels(world, at, voxel, 4, &stale, &error), VP_E_ARGUMENT, bad[i].said);
        assert_refused(vp_terrain_set_voxels(t, at, voxel, 4, &stale, &error), VP_E_ARGUMENT, bad[i].said);
    }
    assert_refused(vp_world_set_voxels(world, NULL, voxel, 4, &stale, &error), VP_E_ARGUMENT, "positions of 4 voxels");
    assert_refused(vp_terrain_set_voxels(t, NULL, voxel, 4, &stale, &error), VP_E_ARGUMENT, "positions of 4 voxels");
    assert_refused(vp_world_set_voxels(world, &zero, NULL, 1, &stale, &error), VP_E_ARGUMENT, "contents of 1 voxels");
    assert_refused(vp_terrain_set_voxels(t, &zero, NULL, 1, &stale, &error), VP_E_ARGUMENT, "contents of 1 voxels");
    assert_refused(vp_world_set_voxels(world, &zero, voxel, 1, &other, &error), VP_E_ARGUMENT, "5 x 3 x 5");
    assert_refused(vp_terrain_set_voxels(t, &zero, voxel, 1, &other, &error), VP_E_ARGUMENT, "5 x 3 x 5");
    assert_ok(vp_world_set_voxels(world, NULL, NULL, 0, &stale, &error));
    assert_ok(vp_terrain_set_voxels(t, NULL, NULL, 0, &stale, &error));
    expect_same_worlds(world, before);
    expect_same_sets(&stale, &empty);
    expect_true_bits(t);
    vp_chunk_set_destroy(&other);
    vp_chunk_set_destroy(&empty);
    vp_chunk_set_destroy(&stale);
    vp_terrain_destroy(t);
    vp_world_destroy(before);
    vp_world_destroy(world);
}

static vp_kernels kernels;
static uint32_t derived; /* chunks */

static uint32_t count_dilations(const vp_bricks *bricks, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out)
{
    derived++;
    return kernels.dilate_chunk(bricks, cx, cy, cz, out);
}

/* The same random edits: of `world` one by one, of a terrain as lists. */
static void as_one_by_one(void **state)
{
    (void)state;
    static list l;
    vp_random r = {32}, twin = r;
    vp_world *world = test_random_world(&r, chunks, NULL), *other = test_random_world(&twin, chunks, NULL);
    vp_world *third = test_random_world(&(vp_random){32}, chunks, NULL);
    assert_ok(vp_kernels_default(&kernels, &error));
    vp_kernels counting = kernels;
    counting.dilate_chunk = count_dilations;
    const vp_terrain_def def = {.world = world, .surfaces = 3, .form = VP_KD_WIDE, .budget = VP_TERRAIN_NO_LIMIT, .kernels = &counting};
    vp_terrain *t = NULL;
    assert_ok(vp_terrain_create(&def, &t, &error));
    vp_chunk_set set[3];
    for (int i = 0; i < 3; i++)
        assert_ok(vp_chunk_set_create(chunks, NULL, &set[i], &error));
    uint32_t most = 0;
    for (int round = 0; round < 60; round++) {
        fill(&l, &r, other);
        assert_ok(vp_terrain_prepare(t, &error));
        const uint64_t dropped = vp_terrain_stats_of(t).invalidations;
        for (int i = 0; i < 3; i++)
            vp_chunk_set_clear(&set[i]);
        derived = 0;
        assert_ok(vp_terrain_set_voxels(t, l.at, l.voxel, l.count, &set[0], &error));
        assert_ok(vp_world_set_voxels(third, l.at, l.voxel, l.count, &set[1], &error));
        for (size_t i = 0; i < l.count; i++)
            assert_ok(vp_world_set_voxel(other, l.at[i], l.voxel[i], &set[2], &error));
        expect_same_worlds(world, other);
        expect_same_worlds(third, other);
        expect_same_sets(&set[0], &set[2]);
        expect_same_sets(&set[1], &set[2]);
        assert_int_equal(derived, vp_chunk_set_count(&set[2]));
        assert_true(vp_terrain_stats_of(t).invalidations - dropped <= UINT64_C(2) * derived);
        most = derived > most ? derived : most;
        expect_true_bits(t);
        if (round % 4 != 0)
            continue;
        for (int surface = 0; surface < 2; surface++) {
            terrain_oracle o;
            terrain_oracle_make(other, (vp_surface)surface, (vp_ivec3){0, 0, 0}, (vp_dims){0, 0, 0}, &o);
            for (int i = 0; i < 6; i++)
                terrain_expect(t, (vp_surface)surface, &o, &r);
            terrain_oracle_free(&o);
        }
    }
    assert_true(most >= CHUNKS / 2);
    for (int i = 0; i < 3; i++)
        vp_chunk_set_destroy(&set[i]);
    vp_terrain_destroy(t);
    vp_world_destroy(third);
    vp_world_destroy(other);
    vp_world_destroy(world);
}

/* Each request for memory is refused in turn; then nothing is changed, and the edit can be made with memory. */
static void without_memory(void **state)
{
    (void)state;
    static list l;
    vp_random r = {33};
    uint32_t failures = 0;
    for (int round = 0; round < 12; round++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        vp_world *world = test_world(5, 3, 4, NULL), *twin = test_world(5, 3, 4, NULL);
        const vp_terrain_def def = {.world = world, .form = VP_KD_WIDE, .budget = VP_TERRAIN_NO_LIMIT, .allocator = &allocator};
        vp_terrain *t = NULL;
        vp_chunk_set stale, empty;
        assert_ok(vp_terrain_create(&def, &t, &error));
        assert_ok(vp_chunk_set_create(chunks, NULL, &stale, &error));
        assert_ok(vp_chunk_set_create(chunks, NULL, &empty, &error));
        l.count = 0;
        for (int i = 0; i < 40; i++)
            add(&l, random_place(&r), (vp_voxel){(uint8_t)(1 + round % 3), 200});
        vp_status status = VP_E_MEMORY;
        for (uint64_t n = 1; status != VP_OK; n++) {
            vp_error why = {VP_OK, ""};
            test_memory_fail_at(&memory, n);
            status = vp_terrain_set_voxels(t, l.at, l.voxel, l.count, &stale, &why);
            test_memory_fail_at(&memory, 0);
            if (status == VP_OK)
                break;
            failures++;
            assert_int_equal(status, VP_E_MEMORY);
            assert_int_equal(why.status, VP_E_MEMORY);
            expect_same_worlds(world, twin);
            expect_same_sets(&stale, &empty);
            expect_true_bits(t);
            /* nor is anything left over for the next edit */
            assert_ok(vp_terrain_fill_box(t, (vp_ivec3){0, 0, 0}, (vp_ivec3){40, 24, 32}, (vp_voxel){0, 0}, &stale, &error));
            expect_same_sets(&stale, &empty);
        }
        assert_ok(vp_world_set_voxels(twin, l.at, l.voxel, l.count, &empty, &error));
        expect_same_worlds(world, twin);
        expect_same_sets(&stale, &empty);
        expect_true_bits(t);
        vp_chunk_set_destroy(&empty);
        vp_chunk_set_destroy(&stale);
        vp_terrain_destroy(t);
        vp_world_destroy(twin);
        vp_world_destroy(world);
        test_memory_end(&memory);
    }
    assert_true(failures >= 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_refused), cmocka_unit_test(as_one_by_one),
                                       cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
