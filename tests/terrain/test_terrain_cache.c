/* SPDX-License-Identifier: MIT */
/* The memory of a terrain never exceeds its budget, as the allocator counts it. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"

#include <voxphys/voxphys.h>

static const vp_ivec3 origin = {0, 0, 0};
static const vp_dims whole = {0, 0, 0};

static vp_terrain *make(vp_world *world, size_t budget, const vp_allocator *allocator)
{
    vp_terrain *t = NULL;
    const vp_terrain_def def = {.world = world, .surfaces = 3, .form = VP_KD_WIDE, .budget = budget, .allocator = allocator};
    assert_ok(vp_terrain_create(&def, &t, &error));
    return t;
}

/* Uses one chunk once. */
static void use(vp_terrain *t, uint32_t chunk, uint32_t surface)
{
    vp_terrain_reader reader;
    vp_terrain_triangle is;
    vp_error error;
    vp_terrain_acquire_reader(t, &reader);
    const vp_status status = vp_terrain_reader_triangle(&reader, (vp_surface)surface, (vp_terrain_triangle_id){chunk, 0}, &is, &error);
    vp_terrain_release_reader(&reader);
    assert_true(status == VP_OK || status == VP_E_ARGUMENT); /* a chunk without triangles */
}

/* ---- bytes seen by the allocator ---- */

/* Bytes of a broadphase. The rest of the allocated bytes is fixed_bytes and scratch_bytes. */
static uint64_t broadphase_bytes(vp_world *world)
{
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    vp_broadphase *b = NULL;
    const vp_broadphase_def def = {.world = world, .allocator = &allocator};
    assert_ok(vp_broadphase_create(&def, &b, &error));
    const uint64_t bytes = memory.live_bytes;
    vp_broadphase_destroy(b);
    test_memory_end(&memory);
    return bytes;
}

/* A query never holds more bytes than the budget, and the stats count all of them. */
static void never_over_budget(void **state)
{
    (void)state;
    vp_random r = {32};
    vp_world *world = test_random_world(&r, (vp_dims){4, 3, 4}, NULL);
    const uint64_t broadphase = broadphase_bytes(world);
    terrain_oracle o;
    terrain_oracle_make(world, VP_SURFACE_SOLID, origin, whole, &o);
    static const size_t budgets[] = {VP_TERRAIN_NO_CACHE, 2, 5000, 12000, 40000, 150000};
    for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        vp_terrain *t = make(world, budgets[b], &allocator);
        vp_terrain_stats stats = vp_terrain_stats_of(t);
        assert_int_equal(memory.live_bytes, broadphase + stats.fixed_bytes);
        use(t, 0, 0); /* allocates the scratch, which stays */
        stats = vp_terrain_stats_of(t);
        assert_int_equal(memory.live_bytes, broadphase + stats.fixed_bytes + stats.scratch_bytes + stats.bytes);
        const uint64_t base = memory.live_bytes - stats.bytes;
        memory.peak_bytes = memory.live_bytes;
        for (int i = 0; i < 150; i++)
            terrain_expect(t, VP_SURFACE_SOLID, &o, &r);
        stats = vp_terrain_stats_of(t);
        assert_int_equal(memory.live_bytes, base + stats.bytes);
        assert_true(memory.peak_bytes <= base + budgets[b]);
        assert_int_equal(memory.peak_bytes, base + stats.peak_bytes);
        assert_true(budgets[b] < 40000 || stats.peak_bytes > budgets[b] / 2);
        assert_true(stats.bytes <= stats.peak_bytes && stats.peak_bytes <= budgets[b]);
        assert_true(budgets[b] > 2 || (stats.kept == 0 && stats.transient == stats.built - stats.empty));
        vp_terrain_destroy(t);
        test_memory_end(&memory);
    }
    terrain_oracle_free(&o);
    vp_world_destroy(world);
}

/* ---- many rays within a budget ---- */

#ifdef TEST_THIN /* rays into each column */
enum { EACH = 8 };
#else
enum { EACH = 24 };
#endif
enum { FIELD = 8, FALLING = FIELD * FIELD * EACH };

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_over_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
