/* SPDX-License-Identifier: MIT */
/* A terrain answers like brute force over one mesh of all chunks. This holds for any kernels, form, budget and box of chunks, for both
 * surfaces, and after any edits. test_terrain_memory.c compares the chunk sets of edits with those of a world's own edits. */
#include "tests/support/check.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/world/same.h"

#include <math.h>

#include <voxphys/voxphys.h>

enum { STEPS = IS_THIN ? 1500 : 4000 };

static const vp_ivec3 origin = {0, 0, 0};
static const vp_dims whole = {0, 0, 0};
static const size_t budgets[] = {VP_TERRAIN_NO_LIMIT, VP_TERRAIN_NO_CACHE, 2, 20000, 60000};
enum { BUDGETS = sizeof budgets / sizeof budgets[0] };

static vp_terrain *make(vp_world *world, uint32_t surfaces, vp_kd_form form, size_t budget, const vp_kernels *kernels)
{
    vp_terrain *t = NULL;
    const vp_terrain_def def = {.world = world, .surfaces = surfaces, .form = form, .budget = budget, .kernels = kernels};
    assert_ok(vp_terrain_create(&def, &t, &error));
    return t;
}

/* A random world with a pond, in which are two rocks of different materials. */
static vp_world *varied_world(vp_random *r, vp_dims chunks)
{
    vp_world *world = test_random_world(r, chunks, NULL);
    const vp_voxel water = {VP_WATER, 200}, stone = {2, 255}, ore = {9, 180};
    assert_ok(vp_world_fill_sphere(world, (vp_vec3){8, 8, 8}, 7, water, NULL, &error));
    assert_ok(vp_world_fill_sphere(world, (vp_vec3){6, 8, 7}, 3, stone, NULL, &error));
    assert_ok(vp_world_fill_sphere(world, (vp_vec3){11, 9, 7}, 2, ore, NULL, &error));
    return world;
}

/* ---- answers ---- */

/* docs/CONTRACT.md: WLD-1, WLD-2, SWP-5, SWP-6, SWP-7 */
TEST(every_form_budget_and_table)
{
    vp_random r = {11};
    test_table table[TEST_TABLES_MAX];
    const size_t tables = test_tables(table);
    vp_world *world = varied_world(&r, (vp_dims){3, 2, 3});
    terrain_oracle o[2];
    terrain_oracle_make(world, VP_SURFACE_SOLID, origin, whole, &o[0]);
    terrain_oracle_make(world, VP_SURFACE_WATER, origin, whole, &o[1]);
    assert_true(o[0].triangles.triangle_count > 100 && o[1].triangles.triangle_count > 100);
    for (size_t k = 0; k < tables; k++)
        for (int form = 0; form < VP_KD_FORM_COUNT; form++)
            for (int b = 0; b < BUDGETS; b++) {
                vp_terrain *t = make(world, VP_TERRAIN_SOLID | VP_TERRAIN_WATER, (vp_kd_form)form, budgets[b], &table[k].kernels);
                for (int i = 0; i < 8; i++) {
                    const vp_surface s = (vp_surface)vp_random_below(&r, 2);
                    terrain_expect(t, s, &o[s], &r);
                }
                vp_terrain_destroy(t);
            }
    terrain_oracle_free(&o[0]);
    terrain_oracle_free(&o[1]);
    vp_world_destroy(world);
}

/* ---- bad input ---- */

TEST(refusals)
{
    vp_world *world = test_world(2, 1, 3, NULL);
    vp_terrain *t = NULL;
    vp_terrain_def def = {.world = NULL};
    assert_refused(vp_terrain_create(&def, &t, &error), VP_E_ARGUMENT, "world is NULL");
    def = (vp_terrain_def){.world = world, .surfaces = 5};
    assert_refused(vp_terrain_create(&def, &t, &error), VP_E_ARGUMENT, "vp_terrain_def.surfaces is 5");
    def = (vp_terrain_def){.world = world, .form = VP_KD_FORM_COUNT};
    assert_refused(vp_terrain_create(&def, &t, &error), VP_E_ARGUMENT, "form ");
    def = (vp_terrain_def){.world = world, .first = {1, 0, 0}, .chunks = {2, 1, 3}};
    assert_refused(vp_terrain_create(&def, &t, &error), VP_E_ARGUMENT, "2 x 1 x 3 chunks from (1, 0, 0)");
    def = (vp_terrain_def){.world = world, .first = {-1, 0, 0}};
    assert_refused(vp_terrain_create(&def, &t, &error), VP_E_ARGUMENT, "first is (-1, 0, 0) but chunks is 0 x 0 x 0: set both or neither");
    def = (vp_terrain_def){.world = world, .chunks = {1, 0, 1}};
    assert_refused(vp_terrain_create(&def, &t, &error), VP_E_ARGUMENT, "chunks is 1 x 0 x 1: must not be empty");
    assert_null(t);

    t = make(world, 0, VP_KD_SLAB, VP_TERRAIN_NO_LIMIT, NULL);
    vp_terrain_hit hit = {{7, 7, 7, 7}, 7};
    bool any = true;
    uint32_t count = 7;
    vp_ray bad = {{0, 0, 0}, {1, 0, 0}, 1};
    const vp_ray good = bad;
    bad.origin.y = NAN;
    assert_refused(vp_terrain_raycast(t, VP_SURFACE_SOLID, &bad, &hit, &error), VP_E_ARGUMENT, "origin has y");
    assert_refused(vp_terrain_raycast_any(t, VP_SURFACE_SOLID, &bad, &any, &error), VP_E_ARGUMENT, "origin has y");
    assert_refused(vp_terrain_raycast_all(t, VP_SURFACE_SOLID, &bad, &hit, 1, &count, &error), VP_E_ARGUMENT, "origin has y");
    vp_terrain_contact contact = {.hit = hit};
    vp_terrain_point point = {.hit = hit};
    assert_refused(vp_terrain_raycast_point(t, VP_SURFACE_SOLID, &bad, &point, &error), VP_E_ARGUMENT, "origin has y");
    assert_refused(vp_terrain_sphere_sweep(t, VP_SURFACE_SOLID, &bad, 1, &contact, &error), VP_E_ARGUMENT, "origin has y");
    assert_refused(vp_terrain_sphere_sweep(t, VP_SURFACE_SOLID, &good, -2, &contact, &error), VP_E_ARGUMENT, "radius is -2");
    assert_refused(vp_terrain_raycast(t, (vp_surface)2, &good, &hit, &error), VP_E_ARGUMENT, "surface is 2");
    assert_refused(vp_terrain_raycast(t, VP_SURFACE_WATER, &good, &hit, &error), VP_E_ARGUMENT, "water");
    const vp_aabb turned = {{0, 0, 0}, {1, 1, -1}};
    assert_refused(vp_terrain_gather(t, VP_SURFACE_SOLID, &turned, NULL, 0, &count, &error), VP_E_ARGUMENT, "from 0 to -1 along z");
    assert_refused(vp_terrain_gather_triangles(t, VP_SURFACE_SOLID, &turned, NULL, NULL, 0, &count, &error), VP_E_ARGUMENT, "along z");
    assert_true(hit.chunk == 7 && any && count == 7 && point.hit.chunk == 7 && contact.hit.chunk == 7);

    vp_terrain_reader reader;
    vp_terrain_triangle is;
    vp_terrain_acquire_reader(t, &reader);
    assert_refused(vp_terrain_reader_triangle(&reader, VP_SURFACE_SOLID, (vp_terrain_triangle_id){0, 5000}, &is, &error), VP_E_ARGUMENT,
                   "triangle 5000 of chunk");
    assert_refused(vp_terrain_reader_triangle(&reader, VP_SURFACE_SOLID, (vp_terrain_triangle_id){12, 0}, &is, &error), VP_E_ARGUMENT,
                   "chunk 12");
    vp_terrain_release_reader(&reader);

    vp_chunk_set small;
    assert_ok(vp_chunk_set_create((vp_dims){1, 1, 3}, NULL, &small, &error));
    const vp_voxel rock = {2, 255};
    assert_refused(vp_terrain_set_voxel(t, origin, rock, &small, &error), VP_E_ARGUMENT, "1 x 1 x 3");
    assert_refused(vp_terrain_fill_sphere(t, (vp_vec3){0, INFINITY, 0}, 1, rock, NULL, &error), VP_E_ARGUMENT, "centre");
    vp_chunk_set_destroy(&small);
    assert_int_equal(vp_terrain_voxel(t, origin).material, VP_AIR);
    vp_terrain_destroy(t);
    vp_terrain_destroy(NULL);
    vp_world_destroy(world);
}

/* A reader that was released, and one that was never acquired. */
TEST(readers_that_do_not_read)
{
    static const char said[] = "the reader has ended, or is all 0: vp_terrain_acquire_reader begins it";
    const vp_ray ray = {{4, 9, 4}, {0, -1, 0}, 9};
    const vp_aabb box = {{0, 0, 0}, {8, 8, 8}};
    vp_world *world = test_world(1, 1, 1, NULL);
    vp_terrain *t = make(world, 0, VP_KD_WIDE, 0, NULL);
    vp_terrain_reader reader[2] = {{.terrain = NULL}};
    vp_terrain_acquire_reader(t, &reader[1]);
    vp_terrain_release_reader(&reader[1]);
    for (int i = 0; i < 2; i++) {
        const vp_terrain_reader *r = &reader[i];
        vp_terrain_hit hit = {{7, 7, 7, 7}, 7};
        vp_terrain_point point;
        vp_terrain_contact contact;
        vp_terrain_triangle_id one;
        vp_terrain_triangle is;
        uint32_t count = 7;
        bool any;
        assert_refused(vp_terrain_reader_raycast(r, VP_SURFACE_SOLID, &ray, &hit, &error), VP_E_ARGUMENT, said);
        assert_refused(vp_terrain_reader_raycast_point(r, VP_SURFACE_SOLID, &ray, &point, &error), VP_E_ARGUMENT, said);
        assert_refused(vp_terrain_reader_raycast_many(r, VP_SURFACE_SOLID, &ray, 1, &hit, &error), VP_E_ARGUMENT, said);
        assert_refused(vp_terrain_reader_raycast_any(r, VP_SURFACE_SOLID, &ray, &any, &error), VP_E_ARGUMENT, said);
        assert_refused(vp_terrain_reader_raycast_all(r, VP_SURFACE_SOLID, &ray, &hit, 1, &count, &error), VP_E_ARGUMENT, said);
        assert_refused(vp_terrain_reader_sphere_sweep(r, VP_SURFACE_SOLID, &ray, 1, &contact, &error), VP_E_ARGUMENT, said);
        assert_refused(vp_terrain_reader_gather(r, VP_SURFACE_SOLID, &box, &one, 1, &count, &error), VP_E_ARGUMENT, said);
        assert_refused(vp_terrain_reader_gather_triangles(r, VP_SURFACE_SOLID, &box, &one, &is, 1, &count, &error), VP_E_ARGUMENT, said);
        assert_refused(vp_terrain_reader_triangle(r, VP_SURFACE_SOLID, (vp_terrain_triangle_id){0, 0}, &is, &error), VP_E_ARGUMENT, said);
        assert_null(vp_terrain_reader_world(r));
        assert_null(vp_terrain_reader_broadphase(r));
        assert_true(hit.chunk == 7 && count == 7);
    }
    vp_terrain_destroy(t);
    vp_world_destroy(world);
}

/* A call that would wait for this thread's own reader fails at once. */
TEST(edits_by_who_reads)
{
    static const char reads[] = "this thread holds a reader; call vp_terrain_release_reader before editing";
    const vp_voxel rock = {2, 255};
    const uint8_t material[1] = {2};
    const vp_ivec3 at = {1, 1, 1};
    vp_world *world = test_world(2, 2, 2, NULL);
    vp_terrain *t = make(world, 0, VP_KD_WIDE, 5000, NULL);
    vp_terrain_reader first, second, third = {.terrain = NULL};
    vp_terrain_acquire_reader(t, &first);
    vp_terrain_acquire_reader(t, &second);
    for (int left = 2; left > 0; left--) { /* released in the order in which they were acquired */
        assert_refused(vp_terrain_set_voxel(t, at, rock, NULL, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_set_voxels(t, &at, &rock, 1, NULL, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_fill_box(t, at, (vp_ivec3){3, 3, 3}, rock, NULL, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_fill_sphere(t, (vp_vec3){4, 4, 4}, 2, rock, NULL, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_write_rows(t, at, (vp_dims){1, 1, 1}, material, NULL, NULL, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_set_budget(t, VP_TERRAIN_NO_LIMIT, &error), VP_E_ARGUMENT, reads);
        assert_refused(vp_terrain_prepare(t, &error), VP_E_ARGUMENT, reads);
        vp_terrain_release_reader(left == 2 ? &first : &second);
        vp_terrain_release_reader(&first); /* is released */
        vp_terrain_release_reader(&third); /* was never acquired */
    }
    assert_int_equal(vp_terrain_voxel(t, at).material, VP_AIR);
    assert_int_equal(vp_terrain_stats_of(t).budget, 5000);
    assert_ok(vp_terrain_set_voxel(t, at, rock, NULL, &error));
    assert_ok(vp_terrain_set_budget(t, 0, &error));
    assert_ok(vp_terrain_prepare(t, &error));
    assert_int_equal(vp_terrain_voxel(t, at).material, 2);
    vp_terrain_destroy(t);
    vp_world_destroy(world);
}

/* ---- edits ---- */

/* Edits and queries in random order. A second world gets the same edits without a terrain. Each answer equals brute force
 * over its mesh. */
TEST(edits_and_questions)
{
    vp_random r = {15};
    vp_world *world = test_random_world(&r, (vp_dims){2, 2, 2}, NULL), *twin = copy_of(world);
    vp_terrain *t = make(world, 3, VP_KD_WIDE, VP_TERRAIN_NO_LIMIT, NULL);
    terrain_oracle o[2];
    for (int s = 0; s < 2; s++)
        terrain_oracle_make(twin, (vp_surface)s, origin, whole, &o[s]);
    uint32_t edits = 0;
    for (int step = 0; step < STEPS; step++) {
        if (vp_random_below(&r, 6) == 0) {
            const vp_voxel clear = {VP_AIR, 0};
            edits++;
            terrain_random_edit(&r, t, vp_world_size(world), twin);
            if (edits % 40 == 0) { /* random edits fill the world */
                const vp_ivec3 low = {(int32_t)vp_random_below(&r, 8) - 4, (int32_t)vp_random_below(&r, 8),
                                      (int32_t)vp_random_below(&r, 8)};
                const vp_ivec3 high = {low.x + 12, low.y + 12, low.z + 9};
                assert_ok(vp_terrain_fill_box(t, low, high, clear, NULL, &error));
                assert_ok(vp_world_fill_box(twin, low, high, clear, NULL, &error));
            }
            for (int s = 0; s < 2; s++) {
                terrain_oracle_free(&o[s]);
                terrain_oracle_make(twin, (vp_surface)s, origin, whole, &o[s]);
            }
        } else {
            const vp_surface s = (vp_surface)vp_random_below(&r, 2);
            terrain_expect(t, s, &o[s], &r);
        }
        if (step % 500 == 250) /* the top level learns the triangles' extents, until the next edits */
            assert_ok(vp_terrain_prepare(t, &error));
        if (step % 500 == 0) {
            assert_ok(vp_terrain_set_budget(t, budgets[step / 500 % BUDGETS], &error));
            assert_true(same_worlds(world, twin));
            expect_bits(vp_terrain_broadphase(t), twin);
        }
    }
    assert_true(same_worlds(world, twin));
    for (int s = 0; s < 2; s++)
        terrain_oracle_free(&o[s]);
    vp_terrain_destroy(t);
    vp_world_destroy(twin);
    vp_world_destroy(world);
}
