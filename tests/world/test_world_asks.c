/* SPDX-License-Identifier: MIT */
/* Which chunks' trees the rays of a terrain ask for: those whose set bits they cross, told voxel by voxel. */
#include "tests/support/check.h"
#include "tests/support/chunk_terrain.h"

#include <math.h>
#include <string.h>

#include "src/terrain/walk.h"

#ifdef TEST_THIN
enum { WORLDS = 3, RAYS = 12 };
#else
enum { WORLDS = 20, RAYS = 80 };
#endif

static const vp_kd_view *never_there(void *user, uint32_t chunk)
{
    (void)user;
    (void)chunk;
    return NULL;
}

static const vp_kd_view *note_only(void *user, uint32_t chunk)
{
    test_terrain *t = user;
    t->asked[chunk] = true;
    return NULL;
}

/* From a corner, an edge or the middle of a voxel, often along an axis or a diagonal. */
static vp_ray lattice_ray(const test_terrain *t, vp_random *r)
{
    static const float way[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -3.0f};
    const vp_dims size = vp_world_size(t->world);
    vp_ray ray = {.t_max = vp_random_below(r, 4) == 0 ? 2.5f : INFINITY};
    ray.origin.x = 0.5f * (float)vp_random_below(r, 2 * size.x + 1);
    ray.origin.y = 0.5f * (float)vp_random_below(r, 2 * size.y + 1);
    ray.origin.z = 0.5f * (float)vp_random_below(r, 2 * size.z + 1);
    do {
        ray.direction.x = way[vp_random_below(r, 6)];
        ray.direction.y = way[vp_random_below(r, 6)];
        ray.direction.z = way[vp_random_below(r, 6)];
    } while (ray.direction.x == 0.0f && ray.direction.y == 0.0f && ray.direction.z == 0.0f);
    return ray;
}

/* Whether a ray must be found to cross set bits of a chunk, and whether it may be. The rule: boxes are closed, so that a ray which
   touches one crosses it; and a kernel may add what its roundings take, twice 2^-19 of the largest coordinate and of the radius. */
static bool must_cross(const test_terrain *t, uint32_t chunk, const vp_ray *ray, float radius)
{
    return test_near_set_bits(t, chunk, ray, (double)radius);
}

static bool may_cross(const test_terrain *t, uint32_t chunk, const vp_ray *ray, float radius)
{
    const vp_dims size = vp_world_size(t->world);
    double most = fmax(fmax(fabs((double)ray->origin.x), fabs((double)ray->origin.y)), fabs((double)ray->origin.z));
    most = fmax(fmax(fmax(most, size.x + 0.5), size.y + 0.5), size.z + 0.5);
    return test_near_set_bits(t, chunk, ray, (double)radius + (most + (double)radius) * 0x1p-18);
}

static vp_terrain_view view_without_trees(test_terrain *t, vp_random *r)
{
    vp_terrain_view view = test_terrain_view(t, TEST_LAST_ONLY, r);
    view.find = never_there;
    view.make = note_only;
    return view;
}

enum { MAX_CHUNKS = 4 * 3 * 4 };

/* The chunks whose set bits one of some rays crosses, by the rule and by vp_crosses_bits, whose answer is between the two. */
typedef struct crossing {
    bool must[MAX_CHUNKS], is[MAX_CHUNKS], may[MAX_CHUNKS];
} crossing;

static void note_crossed(const test_terrain *t, const vp_terrain_view *view, const vp_ray *ray, float radius, crossing *to)
{
    vp_box_ray box_ray = {0};
    assert_true(vp_box_ray_of(ray, &view->box, radius, &box_ray));
    for (uint32_t c = 0; c < t->chunk_count; c++) {
        const vp_ivec3 at = test_terrain_chunk_at(t, c);
        const bool must = must_cross(t, c, ray, radius), may = may_cross(t, c, ray, radius);
        const bool is = vp_crosses_bits(&box_ray, vp_chunk_bits(view, at), at, box_ray.frame.s_max);
        assert_true((is || !must) && (may || !is));
        to->must[c] |= must;
        to->is[c] |= is;
        to->may[c] |= may;
    }
}

/* What was asked for are the chunks with triangles that must be crossed, and none that is not. */
static void expect_asked(test_terrain *t, const crossing *by)
{
    for (uint32_t c = 0; c < t->chunk_count; c++) {
        assert_true((by->is[c] && by->may[c]) || !t->asked[c]);
        assert_true(t->asked[c] || !by->must[c] || t->table[c]->triangles.triangle_count == 0);
    }
    memset(t->asked, 0, t->chunk_count * sizeof *t->asked);
}

static void expect_rays_ask(test_terrain *t, const vp_kernels *kernels, const vp_terrain_view *view, const vp_ray *ray, float radius,
                            const crossing *by)
{
    vp_terrain_hit hit;
    if (radius > 0.0f) {
        assert_int_equal(kernels->terrain_sphere_sweep(view, ray, radius).hit.triangle, VP_NO_HIT);
        expect_asked(t, by);
        return;
    }
    assert_int_equal(kernels->terrain_ray(view, ray).hit.triangle, VP_NO_HIT);
    expect_asked(t, by);
    assert_int_equal(kernels->terrain_ray_any(view, ray), 0);
    expect_asked(t, by);
    assert_int_equal(kernels->terrain_ray_all(view, ray, &hit, 1), 0);
    expect_asked(t, by);
    kernels->terrain_ray16(view, ray, 1, &hit);
    assert_int_equal(hit.hit.triangle, VP_NO_HIT);
    expect_asked(t, by);
}

/* Where no tree is to be had, every chunk with triangles is asked for whose set bits a ray crosses, voxel by voxel, and none
   whose bits it does not; of a packet, those that any of its rays crosses. */
static void chunks_are_asked_for_by_their_bits(void **state)
{
    (void)state;
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {31};
    uint32_t crossed = 0, missed = 0;
    crossing by;
    for (int w = 0; w < WORLDS; w++) {
        vp_dims n;
        n.x = 1 + vp_random_below(&r, 4);
        n.y = 1 + vp_random_below(&r, 3);
        n.z = 1 + vp_random_below(&r, 4);
        test_terrain t;
        test_terrain_begin(&t, w % 2 == 0 ? test_noisy_world(&r, n) : test_random_world(&r, n, NULL), VP_SURFACE_SOLID, (vp_ivec3){0, 0, 0},
                           n, VP_KD_WIDE);
        const vp_terrain_view view = view_without_trees(&t, &r);
        for (int i = 0; i < 2 * RAYS; i++) {
            const vp_ray ray = i % 2 == 0 ? test_terrain_ray(&t, &r) : lattice_ray(&t, &r);
            const float radius = i % 8 == 7 ? 0.75f : 0.0f;
            memset(&by, 0, sizeof by);
            note_crossed(&t, &view, &ray, radius, &by);
            for (uint32_t c = 0; c < t.chunk_count; c++) {
                crossed += by.must[c];
                missed += !by.may[c];
            }
            for (size_t k = 0; k < count; k++)
                expect_rays_ask(&t, &tables[k].kernels, &view, &ray, radius, &by);
        }
        for (int i = 0; i < RAYS; i++) {
            vp_ray ray[16];
            vp_terrain_hit hit[16];
            const uint32_t rays = test_terrain_packet(&t, &r, i % 4 == 3 ? lattice_ray : test_terrain_ray, ray);
            memset(&by, 0, sizeof by);
            for (uint32_t k = 0; k < rays; k++)
                note_crossed(&t, &view, &ray[k], 0.0f, &by);
            for (size_t k = 0; k < count; k++) {
                tables[k].kernels.terrain_ray16(&view, ray, rays, hit);
                for (uint32_t h = 0; h < rays; h++)
                    assert_int_equal(hit[h].hit.triangle, VP_NO_HIT);
                expect_asked(&t, &by);
            }
        }
        test_terrain_end(&t);
    }
    assert_true(crossed > 2 * RAYS && missed > 2 * RAYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chunks_are_asked_for_by_their_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
