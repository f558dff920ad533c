/* SPDX-License-Identifier: MIT */
/* Each request for memory of a terrain is refused in turn. A call then says VP_E_MEMORY, or does with what it has; it leaves
 * everything as it was, loses nothing, and does its work when it is called again with memory. */
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/threads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

static const vp_ivec3 origin = {0, 0, 0};
static const vp_dims whole = {0, 0, 0};
static const size_t budgets[] = {VP_TERRAIN_NO_LIMIT, 25000, VP_TERRAIN_NO_CACHE};

static vp_status create(vp_world *world, size_t budget, const vp_allocator *allocator, vp_terrain **out, vp_error *error)
{
    const vp_terrain_def def = {.world = world, .surfaces = 3, .form = VP_KD_WIDE, .budget = budget, .allocator = allocator};
    return vp_terrain_create(&def, out, error);
}

static void expect_refused(vp_status status, const vp_error *error)
{
    if (status != VP_E_MEMORY || error->status != VP_E_MEMORY || error->message[0] == '\0')
        fail_msg("expected VP_E_MEMORY: %s, \"%s\"", vp_status_name(status), error->message);
}

static void making(void **state)
{
    (void)state;
    vp_random r = {51};
    vp_world *world = test_random_world(&r, (vp_dims){3, 2, 3}, NULL);
    for (int only_one = 0; only_one < 2; only_one++) {
        uint64_t n = 0;
        for (bool refused = true; refused;) {
            test_memory memory;
            test_memory_begin(&memory);
            memory.only_one = only_one == 1;
            const vp_allocator allocator = test_memory_allocator(&memory);
            test_memory_fail_at(&memory, ++n);
            vp_terrain *t = NULL;
            vp_error why = {VP_OK, ""};
            const vp_status status = create(world, VP_TERRAIN_NO_LIMIT, &allocator, &t, &why);
            refused = memory.requests >= n;
            if (refused) {
                expect_refused(status, &why);
                assert_null(t);
            } else {
                assert_int_equal(status, VP_OK);
            }
            vp_terrain_destroy(t);
            test_memory_end(&memory);
        }
        assert_true(n > 8); /* object, broadphase, set, entries, two top levels */
    }
    vp_world_destroy(world);
}

/* ---- asking ---- */

enum { HITS = 256, LIST = 6000, QUESTIONS = 8 };

static const vp_ray across = {{-3, 4.25f, 5.5f}, {30, 9, 11}, 1};

/* Asks one question; compares the answer if there is one. */
static vp_status ask(vp_terrain *t, int question, const terrain_oracle *o, vp_error *error)
{
    static vp_terrain_triangle_id list[LIST], right[LIST];
    static vp_terrain_triangle is[LIST];
    vp_terrain_hit got[HITS], want[HITS];
    vp_terrain_contact contact;
    vp_terrain_point point;
    vp_ray rays[40];
    uint32_t count = 0;
    bool any = false;
    vp_status status = VP_OK;
    switch (question) {
    case 0:
        want[0] = terrain_oracle_closest(o, &across);
        status = vp_terrain_raycast(t, VP_SURFACE_SOLID, &across, got, error);
        assert_true(status != VP_OK || terrain_same_hit(got, want));
        break;
    case 1:
        status = vp_terrain_raycast_any(t, VP_SURFACE_SOLID, &across, &any, error);
        assert_true(status != VP_OK || any);
        break;
    case 2:
        status = vp_terrain_raycast_all(t, VP_SURFACE_SOLID, &across, got, HITS, &count, error);
        assert_true(status != VP_OK || count == terrain_oracle_all(o, &across, want, HITS));
        for (uint32_t i = 0; status == VP_OK && i < count; i++)
            assert_true(terrain_same_hit(&got[i], &want[i]));
        break;
    case 3:
        want[0] = terrain_oracle_touched(o, &across, 0.75f);
        status = vp_terrain_sphere_sweep(t, VP_SURFACE_SOLID, &across, 0.75f, &contact, error);
        assert_true(status != VP_OK || terrain_same_hit(&contact.hit, want));
        break;
    case 4: {
        const vp_aabb all = {{-1, -1, -1}, {99, 99, 99}};
        status = vp_terrain_gather(t, VP_SURFACE_SOLID, &all, list, LIST, &count, error);
        assert_true(status != VP_OK || count == terrain_oracle_overlapping(o, &all, right, LIST));
        break;
    }
    case 5:
        want[0] = terrain_oracle_closest(o, &across);
        status = vp_terrain_raycast_point(t, VP_SURFACE_SOLID, &across, &point, error);
        assert_true(status != VP_OK || (terrain_same_hit(&point.hit, want) && terrain_is_triangle(o, want, &point.triangle)));
        break;
    case 6: {
        const vp_aabb some = {{5, -1, 5}, {11, 99, 11}};
        status = vp_terrain_gather_triangles(t, VP_SURFACE_SOLID, &some, list, is, LIST, &count, error);
        assert_true(status != VP_OK || count == terrain_oracle_overlapping(o, &some, right, LIST));
        for (uint32_t i = 0; status == VP_OK && i < count; i += 7)
            assert_true(terrain_is_triangle(o, &(vp_terrain_hit){{0, (int32_t)list[i].triangle, 0, 0}, list[i].chunk}, &is[i]));
        break;
    }
    default:
        for (uint32_t i = 0; i < 40; i++) {
            rays[i] = across;
            rays[i].origin.z += (float)i * 0.25f;
        }
        status = vp_terrain_raycast_many(t, VP_SURFACE_SOLID, rays, 40, got, error);
        for (uint32_t i = 0; status == VP_OK && i < 40; i++) {
            want[0] = terrain_oracle_closest(o, &rays[i]);
            assert_true(terrain_same_hit(&got[i], want));
        }
        break;
    }
    return status;
}

static void asking(void **state)
{
    (void)state;
    vp_random r = {52};
    vp_world *world = test_random_world(&r, (vp_dims){3, 2, 3}, NULL);
    terrain_oracle o;
    terrain_oracle_make(world, VP_SURFACE_SOLID, origin, whole, &o);
    uint32_t failures = 0, survivals = 0;
    for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++)
        for (int question = 0; question < QUESTIONS; question++)
            for (int only_one = 0; only_one < 2; only_one++)
                for (uint64_t n = 1;; n++) {
                    test_memory memory;
                    test_memory_begin(&memory);
                    memory.only_one = only_one == 1;
                    const vp_allocator allocator = test_memory_allocator(&memory);
                    vp_terrain *t = NULL;
                    assert_ok(create(world, budgets[b], &allocator, &t, &error));
                    test_memory_fail_at(&memory, n);
                    vp_error why = {VP_OK, ""};
                    const vp_status status = ask(t, question, &o, &why);
                    const bool refused = memory.requests >= n;
                    if (status != VP_OK)
                        expect_refused(status, &why);
                    failures += status != VP_OK;
                    survivals += refused && status == VP_OK;
                    assert_true(refused || status == VP_OK);
                    test_memory_fail_at(&memory, 0);
                    assert_ok(ask(t, question, &o, &error));
                    const vp_terrain_stats stats = vp_terrain_stats_of(t);
                    assert_true(stats.bytes <= stats.budget);
                    vp_terrain_destroy(t);
                    test_memory_end(&memory);
                    if (!refused)
                        break;
                }
    assert_true(failures >= QUESTIONS && survivals >= QUESTIONS);
    terrain_oracle_free(&o);
    vp_world_destroy(world);
}

static void preparing(void **state)
{
    (void)state;
    vp_random r = {53};
    vp_world *world = test_random_world(&r, (vp_dims){3, 2, 3}, NULL);
    terrain_oracle o;
    terrain_oracle_make(world, VP_SURFACE_SOLID, origin, whole, &o);
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        test_memory memory;
        test_memory_begin(&memory);
        const vp_allocator allocator = test_memory_allocator(&memory);
        const vp_executor executor = test_threads(2);
        vp_terrain *t = NULL;
        const vp_terrain_def def = {.world = world,
                                    .surfaces = 3,
                                    .form = VP_KD_SLAB,
                                    .budget = VP_TERRAIN_NO_LIMIT,
                                    .executor = &executor,
                                    .allocator = &allocator};
        assert_ok(vp_terrain_create(&def, &t, &error));
        test_memory_fail_at(&memory, n);
        vp_error why = {VP_OK, ""};
        const vp_status status = vp_terrain_prepare(t, &why);
        refused = memory.requests >= n;
        if (refused)
            expect_refused(status, &why);
        else
            assert_int_equal(status, VP_OK);
        test_memory_fail_at(&memory, 0);
        for (int i = 0; i < 10; i++)
            terrain_expect(t, VP_SURFACE_SOLID, &o, &r);
        assert_ok(vp_terrain_prepare(t, &error));
        vp_terrain_destroy(t);
        test_memory_end(&memory);
    }
    terrain_oracle_free(&o);
    vp_world_destroy(world);
}

/* ---- editing ---- */

/* One edit out of many, of both or of the terrain alone. */
static vp_status change(vp_terrain *t, vp_world *twin, uint64_t seed, vp_error *error)
{
    vp_random r = {seed};
    const vp_voxel voxel = test_random_voxel(&r);
    const vp_vec3 centre = {vp_random_between(&r, 0, 40), vp_random_between(&r, 0, 40), vp_random_between(&r, 0, 40)};
    const vp_ivec3 low = {(int32_t)centre.x - 4, (int32_t)centre.y - 4, (int32_t)centre.z - 4};
    const vp_ivec3 high = {low.x + 9, low.y + 3, low.z + 12};
    static const vp_ivec3 zero = {0, 0, 0}, end = {40, 40, 40};
    switch (seed % 16 == 0 ? 3 : seed % 3) {
    case 0:
        return t != NULL ? vp_terrain_fill_sphere(t, centre, 6, voxel, NULL, error)
                         : vp_world_fill_sphere(twin, centre, 6, voxel, NULL, error);
    case 1:
        return t != NULL ? vp_terrain_fill_box(t, low, high, voxel, NULL, error) : vp_world_fill_box(twin, low, high, voxel, NULL, error);
    case 2: {
        uint8_t material[6 * 7 * 8];
        for (size_t i = 0; i < sizeof material; i++)
            material[i] = (uint8_t)vp_random_below(&r, 4);
        return t != NULL ? vp_terrain_write_rows(t, low, (vp_dims){6, 7, 8}, material, NULL, NULL, error)
                         : vp_world_write_rows(twin, low, (vp_dims){6, 7, 8}, material, NULL, NULL, error);
    }
    default: /* all air: gives all masks back */
        return t != NULL ? vp_terrain_fill_box(t, zero, end, (vp_voxel){0, 0}, NULL, error)
                         : vp_world_fill_box(twin, zero, end, (vp_voxel){0, 0}, NULL, error);
    }
}

static void expect_same_voxels(const vp_world *a, const vp_world *b)
{
    const size_t bytes = 40 * 40 * 40;
    assert_memory_equal(vp_world_bricks(a).material, vp_world_bricks(b).material, bytes);
    assert_memory_equal(vp_world_occupancy(a), vp_world_occupancy(b), bytes);
}

static void editing(void **state)
{
    (void)state;
    vp_random r = {54};
    vp_world *world = test_world(5, 5, 5, NULL), *twin = test_world(5, 5, 5, NULL);
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    vp_terrain *t = NULL;
    assert_ok(create(world, VP_TERRAIN_NO_LIMIT, &allocator, &t, &error));
    vp_chunk_set stale;
    assert_ok(vp_chunk_set_create((vp_dims){5, 5, 5}, NULL, &stale, &error));
    uint32_t failures = 0;
    for (uint64_t step = 1; step < 120; step++) {
        terrain_oracle o;
        terrain_oracle_make(twin, VP_SURFACE_SOLID, origin, whole, &o);
        test_memory_fail_at(&memory, 1);
        vp_error why = {VP_OK, ""};
        vp_status status = change(t, NULL, step, &why);
        test_memory_fail_at(&memory, 0);
        if (status != VP_OK) {
            failures++;
            expect_refused(status, &why);
            expect_same_voxels(world, twin);
            for (int i = 0; i < 5; i++)
                terrain_expect(t, VP_SURFACE_SOLID, &o, &r);
            assert_ok(change(t, NULL, step, &error));
        }
        terrain_oracle_free(&o);
        assert_ok(change(NULL, twin, step, &error));
        expect_same_voxels(world, twin);
        terrain_oracle_make(twin, VP_SURFACE_SOLID, origin, whole, &o);
        for (int i = 0; i < 5; i++)
            terrain_expect(t, VP_SURFACE_SOLID, &o, &r);
        terrain_oracle_free(&o);
    }
    assert_true(failures >= 3);
    vp_chunk_set_destroy(&stale);
    vp_terrain_destroy(t);
    test_memory_end(&memory);
    vp_world_destroy(twin);
    vp_world_destroy(world);
}

/* Filling all of a large world asks for no masks of the chunks inside, which get none. */
static void large_fills_ask_for_little(void **state)
{
    (void)state;
    vp_world *world = test_world(40, 10, 40, NULL);
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    vp_terrain *t = NULL;
    assert_ok(create(world, VP_TERRAIN_NO_LIMIT, &allocator, &t, &error));
    const uint64_t before = memory.live_bytes, chunks = 40 * 10 * 40, shell = chunks - 38 * 8 * 38;
    memory.peak_bytes = before;
    assert_ok(vp_terrain_fill_box(t, origin, (vp_ivec3){320, 80, 320}, (vp_voxel){2, 255}, NULL, &error));
    assert_true(memory.peak_bytes - before <= shell * sizeof(vp_chunk_masks) * 9 / 8 + 4096);
    assert_int_equal(vp_broadphase_chunk_class(vp_terrain_broadphase(t), (vp_ivec3){20, 5, 20}), VP_CHUNK_FULL_SOLID);
    const uint64_t filled = memory.live_bytes;
    memory.peak_bytes = filled;
    assert_ok(vp_terrain_fill_sphere(t, (vp_vec3){160, 40, 160}, 400, (vp_voxel){2, 255}, NULL, &error));
    assert_int_equal(memory.peak_bytes, filled); /* nothing changes, and only chunks at the border could */
    vp_terrain_destroy(t);
    test_memory_end(&memory);
    vp_world_destroy(world);
}

/* Edits that change no voxel, or no voxel's kind, ask for nothing; so do those that are refused, which say why even where there is
   no memory. */
static void edits_without_effect_ask_for_nothing(void **state)
{
    (void)state;
    static const uint8_t air[16 * 16 * 16] = {0};
    uint8_t rock[16 * 16 * 16], both[16 * 16 * 16], there[32 * 32 * 32];
    memset(rock, 3, sizeof rock);
    memset(both, 3, sizeof both);
    both[100] = 0;
    const vp_dims sixteen = {16, 16, 16};
    vp_world *world = test_world(10, 10, 10, NULL);
    assert_ok(vp_world_fill_box(world, origin, (vp_ivec3){80, 40, 80}, (vp_voxel){2, 255}, NULL, &error));
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    vp_terrain *t = NULL;
    assert_ok(create(world, VP_TERRAIN_NO_LIMIT, &allocator, &t, &error));
    test_memory_fail_at(&memory, 1); /* of those from here on */
    for (int i = 0; i < 2; i++) {    /* fill_box of rock leaves all but the material */
        assert_ok(vp_terrain_fill_box(t, (vp_ivec3){3, 60, 3}, (vp_ivec3){50, 79, 50}, (vp_voxel){0, 0}, NULL, &error));
        assert_ok(vp_terrain_fill_sphere(t, (vp_vec3){40, 66, 40}, 9, (vp_voxel){0, 0}, NULL, &error));
        assert_ok(vp_terrain_write_rows(t, (vp_ivec3){20, 60, 20}, sixteen, air, NULL, NULL, &error));
        assert_ok(vp_terrain_set_voxel(t, (vp_ivec3){40, 20, 40}, (vp_voxel){4, 255}, NULL, &error));
        assert_ok(vp_terrain_fill_box(t, (vp_ivec3){13, 12, 13}, (vp_ivec3){50, 29, 50}, (vp_voxel){5, 255}, NULL, &error));
        assert_ok(vp_terrain_write_rows(t, (vp_ivec3){20, 10, 20}, sixteen, rock, NULL, NULL, &error));
        assert_refused(vp_terrain_write_rows(t, (vp_ivec3){20, 60, 20}, sixteen, NULL, NULL, NULL, &error), VP_E_ARGUMENT, "NULL");
        assert_refused(vp_terrain_write_rows(t, (vp_ivec3){INT32_MAX - 3, 60, 20}, sixteen, both, NULL, NULL, &error), VP_E_ARGUMENT,
                       "2147483644");
        assert_refused(vp_terrain_fill_box(t, (vp_ivec3){20, 70, 20}, (vp_ivec3){19, 79, 79}, (vp_voxel){2, 255}, NULL, &error),
                       VP_E_ARGUMENT, "20, 70, 20");
        assert_refused(vp_terrain_fill_sphere(t, (vp_vec3){40, NAN, 40}, 9, (vp_voxel){2, 255}, NULL, &error), VP_E_ARGUMENT, "nan");
        assert_refused(vp_terrain_set_voxel(t, (vp_ivec3){80, 60, 40}, (vp_voxel){2, 255}, NULL, &error), VP_E_ARGUMENT, "(80, 60, 40)");
    }
    assert_ok(vp_terrain_fill_sphere(t, (vp_vec3){40, 80.4f, 40}, 0.8f, (vp_voxel){2, 255}, NULL, &error)); /* no voxel's centre is in it */
    assert_ok(vp_world_read_rows(world, (vp_ivec3){20, 24, 20}, (vp_dims){32, 32, 32}, there, NULL, &error));
    assert_ok(vp_terrain_write_rows(t, (vp_ivec3){20, 24, 20}, (vp_dims){32, 32, 32}, there, NULL, NULL, &error)); /* air above rock */
    assert_int_equal(memory.requests, 0);
    vp_error why;
    test_memory_fail_at(&memory, 1);
    expect_refused(vp_terrain_write_rows(t, (vp_ivec3){20, 55, 20}, sixteen, both, NULL, NULL, &why), &why); /* which does change */
    test_memory_fail_at(&memory, 0);
    assert_ok(vp_terrain_write_rows(t, (vp_ivec3){20, 55, 20}, sixteen, both, NULL, NULL, &error));
    vp_terrain_destroy(t);
    test_memory_end(&memory);
    vp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(making),
                                       cmocka_unit_test(asking),
                                       cmocka_unit_test(preparing),
                                       cmocka_unit_test(editing),
                                       cmocka_unit_test(large_fills_ask_for_little),
                                       cmocka_unit_test(edits_without_effect_ask_for_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
