/* SPDX-License-Identifier: MIT */
/* Rays and boxes in tall columns, which kernels search several layers at a time, and invalid input of kernels. test_terrain.c compares all
 * other answers with brute force. */
#include "tests/support/check.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"

#include <math.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "src/terrain/top.h"
#include "src/terrain/walk.h"

enum { RAYS = IS_THIN ? 12 : 30, BOXES = IS_THIN ? 6 : 8 };

/* Floors with holes, one every 8 voxels, and scattered voxels between them. */
static vp_world *floors(vp_random *r, vp_dims chunks)
{
    vp_world *world = test_world(chunks.x, chunks.y, chunks.z, NULL);
    const vp_dims size = vp_world_size(world);
    for (uint32_t y = 0; y < size.y; y++) {
        const uint32_t one_in = y % 8 == 5 || y == size.y - 1 ? 4 : 20 + vp_random_below(r, 3) * 400;
        for (uint32_t i = 0; i < size.x * size.z; i++)
            if (vp_random_below(r, one_in) == 0) {
                const vp_voxel v = {3, (uint8_t)(128 + vp_random_below(r, 128))};
                const vp_ivec3 at = {(int32_t)(i % size.x), (int32_t)y, (int32_t)(i / size.x)};
                assert_ok(vp_world_set_voxel(world, at, v, NULL, &error));
            }
    }
    return world;
}

/* ---- tall columns ---- */

/* Up or down through many layers, from anywhere, or from above or below all of them. */
static vp_ray steep_ray(vp_dims size, vp_random *r)
{
    const float slope = vp_random_below(r, 3) == 0 ? 0.0f : 0.06f, top = (float)size.y;
    const bool down = vp_random_below(r, 2) == 0;
    vp_ray ray = {.t_max = INFINITY};
    ray.origin.x = vp_random_between(r, 0.0f, (float)size.x);
    ray.origin.y = vp_random_below(r, 3) == 0 ? vp_random_between(r, 0.0f, top) : down ? top + 3.0f : -3.0f;
    ray.origin.z = vp_random_between(r, 0.0f, (float)size.z);
    ray.direction.x = vp_random_between(r, -slope, slope);
    ray.direction.y = down ? -1.0f : 1.0f;
    ray.direction.z = vp_random_between(r, -slope, slope);
    if (vp_random_below(r, 8) == 0)
        ray.t_max = vp_random_between(r, 0.0f, top);
    return ray;
}

/* docs/CONTRACT.md: WLD-1. Columns of many layers, up to the last possible one. */
TEST(tall_columns)
{
    static const struct {
        uint32_t first, layers;
    } parts[] = {{0, 32}, {0, 32}, {23, 9}, {1, 17}, {31, 1}};
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {1967};
    for (size_t w = 0; w < sizeof parts / sizeof parts[0]; w++) {
        const vp_ivec3 first = {0, (int32_t)parts[w].first, 0};
        const vp_dims box = {2, parts[w].layers, 2};
        vp_world *world = floors(&r, (vp_dims){2, VP_WORLD_MAX_Y / 8, 2});
        const vp_dims size = vp_world_size(world);
        terrain_oracle o;
        terrain_oracle_make(world, VP_SURFACE_SOLID, first, box, &o);
        uint32_t topmost = 0;
        for (size_t k = 0; k < count; k++) {
            const vp_terrain_def def = {.world = world,
                                        .first = first,
                                        .chunks = box,
                                        .form = (vp_kd_form)(w % VP_KD_FORM_COUNT),
                                        .budget = k % 2 == 0 ? VP_TERRAIN_NO_LIMIT : VP_TERRAIN_NO_CACHE,
                                        .kernels = &tables[k].kernels};
            vp_terrain *t = NULL;
            vp_ray ray[RAYS];
            vp_terrain_hit hit, many[RAYS];
            bool any;
            assert_ok(vp_terrain_create(&def, &t, &error));
            for (int i = 0; i < RAYS; i++)
                ray[i] = i % 4 == 0 ? terrain_random_ray(&r, &o, size) : steep_ray(size, &r);
            assert_ok(vp_terrain_raycast_many(t, VP_SURFACE_SOLID, ray, RAYS, many, &error));
            for (int i = 0; i < RAYS; i++) {
                const vp_terrain_hit want = terrain_oracle_closest(&o, &ray[i]);
                assert_ok(vp_terrain_raycast(t, VP_SURFACE_SOLID, &ray[i], &hit, &error));
                assert_ok(vp_terrain_raycast_any(t, VP_SURFACE_SOLID, &ray[i], &any, &error));
                assert_true(terrain_same_hit(&hit, &want) && terrain_same_hit(&many[i], &want));
                assert_int_equal(any, want.in_chunk.triangle >= 0);
                topmost += want.in_chunk.triangle >= 0 && want.chunk / 4 == parts[w].first + parts[w].layers - 1;
            }
            for (int i = 0; i < 2 * BOXES; i++)
                terrain_expect(t, VP_SURFACE_SOLID, &o, &r);
            vp_terrain_destroy(t);
        }
        assert_true(topmost > 0 || RAYS < 30); /* a few rays may miss the topmost layer */
        terrain_oracle_free(&o);
        vp_world_destroy(world);
    }
}

/* ---- invalid input, in a terrain without trees ---- */

/* A terrain as kernels see it, without any trees. */
typedef struct treeless {
    vp_world *world;
    vp_broadphase *broadphase;
    vp_terrain_top top;
    vp_terrain_view view;
} treeless;

static const vp_kd_view *never_there(void *user, uint32_t chunk)
{
    (void)user;
    (void)chunk;
    return NULL;
}

/* Takes the world. */
static void begin(treeless *t, vp_world *world)
{
    const vp_dims n = vp_world_chunks(world);
    const vp_ivec3 first = {0, 0, 0};
    *t = (treeless){.world = world};
    assert_ok(vp_broadphase_create(&(vp_broadphase_def){.world = world}, &t->broadphase, &error));
    const vp_allocator allocator = vp_allocator_default();
    assert_true(vp_terrain_top_create(VP_SURFACE_SOLID, first, n, &allocator, &t->top));
    const vp_top_source source = {vp_broadphase_bits(t->broadphase), vp_world_voxels(world)};
    vp_terrain_top_derive(&t->top, &source);
    t->view = (vp_terrain_view){.bits = vp_broadphase_bits(t->broadphase),
                                .surface = VP_SURFACE_SOLID,
                                .first = first,
                                .chunks = n,
                                .box = vp_chunks_box(first, n),
                                .top = vp_terrain_top_view(&t->top),
                                .find = never_there,
                                .make = never_there,
                                .user = t};
}

static void end(treeless *t)
{
    vp_terrain_top_destroy(&t->top);
    vp_broadphase_destroy(t->broadphase);
    vp_world_destroy(t->world);
}

/* docs/CONTRACT.md: WLD-3, SWP-3 */
TEST(invalid_questions_have_answers)
{
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {7};
    treeless t;
    begin(&t, floors(&r, (vp_dims){2, 2, 2}));
    const vp_ray bad[] = {{{NAN, 0, 0}, {0, 1, 0}, 1.0f},
                          {{0, INFINITY, 0}, {0, 1, 0}, 1.0f},
                          {{0, 0, 0}, {0, NAN, 0}, 1.0f},
                          {{0, 0, 0}, {0, 0, 0}, 1.0f},
                          {{0, 0, 0}, {0, 1, 0}, -1.0f},
                          {{0, 0, 0}, {0, 1, 0}, NAN},
                          {{0, 0, 2.0f * VP_KD_MAX}, {0, 1, 0}, 1.0f}};
    const vp_ray good = {{8.0f, 40.0f, 8.0f}, {0.1f, -1.0f, 0.1f}, INFINITY};
    const vp_aabb bad_box[] = {{{NAN, 0, 0}, {9, 9, 9}}, {{0, 0, 0}, {9, NAN, 9}}, {{5, 0, 0}, {4, 9, 9}}};
    for (size_t k = 0; k < count; k++) {
        const vp_kernels *kernels = &tables[k].kernels;
        vp_terrain_hit hit;
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            hit = kernels->terrain_ray(&t.view, &bad[i]);
            assert_int_equal(hit.in_chunk.triangle, VP_RAY_INVALID);
            assert_memory_equal(&hit.in_chunk.t, &bad[i].t_max, sizeof hit.in_chunk.t);
            assert_int_equal(kernels->terrain_ray_any(&t.view, &bad[i]), VP_RAY_INVALID);
            assert_true(kernels->terrain_ray_all(&t.view, &bad[i], &hit, 1) == VP_RAY_ALL_INVALID);
            assert_int_equal(kernels->terrain_sphere_sweep(&t.view, &bad[i], 1.0f).in_chunk.triangle, VP_RAY_INVALID);
        }
        assert_int_equal(kernels->terrain_sphere_sweep(&t.view, &good, -1.0f).in_chunk.triangle, VP_RAY_INVALID);
        assert_int_equal(kernels->terrain_sphere_sweep(&t.view, &good, NAN).in_chunk.triangle, VP_RAY_INVALID);
        assert_int_equal(kernels->terrain_sphere_sweep(&t.view, &good, 2.0f * VP_KD_MAX).in_chunk.triangle, VP_RAY_INVALID);
        for (size_t i = 0; i < sizeof bad_box / sizeof bad_box[0]; i++)
            assert_int_equal(kernels->terrain_gather(&t.view, &bad_box[i], NULL, 0), 0);
    }
    end(&t);
}
