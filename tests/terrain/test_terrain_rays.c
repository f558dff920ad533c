/* SPDX-License-Identifier: MIT */
/* Rays, spheres and boxes in a whole terrain. Every version of every kernel is compared with brute force over the surface as one mesh.
 * All trees are present, some, or only the last one requested. Rays request the trees of the chunks whose set bits they cross, computed
 * voxel by voxel. */
#include "tests/support/check.h"
#include "tests/support/chunk_terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/terrain/walk.h"

#ifdef TEST_THIN
enum { WORLDS = 6, RAYS = 12, BOXES = 6, ASKED = 3 };
#else
enum { WORLDS = 20, RAYS = 30, BOXES = 8, ASKED = 4 };
#endif

/* ---- queries ---- */

static void check_ray(test_terrain *t, const test_table *table, const vp_ray *ray, vp_random *r)
{
    const test_trees_there how = (test_trees_there)vp_random_below(r, 3);
    const vp_hit closest = test_closest(&t->triangles, ray);
    const vp_terrain_hit want = test_terrain_of_mesh(t, &closest);
    vp_terrain_view view = test_terrain_view(t, how, r);
    vp_terrain_hit got = table->kernels.terrain_ray(&view, ray);
    test_expect_hit(&got, &want);

    view = test_terrain_view(t, how, r);
    assert_int_equal(table->kernels.terrain_ray_any(&view, ray), closest.triangle >= 0);

    enum { MAX = 64 };
    vp_hit all[MAX];
    vp_terrain_hit list[MAX + 1];
    const uint32_t capacity = vp_random_below(r, MAX + 1), count = test_all(&t->triangles, ray, all, MAX);
    memset(list, 0x5a, sizeof list);
    view = test_terrain_view(t, how, r);
    assert_int_equal(table->kernels.terrain_ray_all(&view, ray, list, capacity), count);
    for (uint32_t i = 0; i < count && i < capacity; i++) {
        const vp_terrain_hit one = test_terrain_of_mesh(t, &all[i]);
        test_expect_hit(&list[i], &one);
    }
    assert_int_equal(list[capacity].chunk, 0x5a5a5a5a);

    if (vp_random_below(r, 3) != 0) /* brute force with a sphere is slow */
        return;
    const float radius = vp_random_below(r, 3) == 0 ? 0.0f : vp_random_between(r, 0.0f, 3.0f);
    const vp_hit touched = test_first_touched(&t->triangles, ray, radius);
    const vp_terrain_hit want_touched = test_terrain_of_mesh(t, &touched);
    view = test_terrain_view(t, how, r);
    got = table->kernels.terrain_sphere_sweep(&view, ray, radius);
    test_expect_hit(&got, &want_touched);
}

static void check_box(test_terrain *t, const test_table *table, const vp_aabb *box, vp_random *r)
{
    uint32_t *want = malloc((t->triangles.triangle_count + 1u) * sizeof *want);
    vp_terrain_triangle_id *got = malloc((t->triangles.triangle_count + 1u) * sizeof *got);
    const uint32_t count = test_overlapping(&t->triangles, box, want);
    vp_terrain_view view = test_terrain_view(t, (test_trees_there)vp_random_below(r, 3), r);
    assert_int_equal(table->kernels.terrain_gather(&view, box, got, t->triangles.triangle_count), count);
    bool *seen = calloc(t->triangles.triangle_count + 1u, sizeof *seen);
    for (uint32_t i = 0; i < count; i++)
        seen[t->chunk[got[i].chunk].first_triangle + got[i].triangle] = true;
    for (uint32_t i = 0; i < count; i++)
        assert_true(seen[want[i]]);
    got[0] = (vp_terrain_triangle_id){0x5a5a5a5a, 0};
    view = test_terrain_view(t, TEST_ALL_THERE, r);
    assert_int_equal(table->kernels.terrain_gather(&view, box, got, 0), count); /* only counts */
    assert_int_equal(got[0].chunk, 0x5a5a5a5a);
    free(seen);
    free(want);
    free(got);
}

static void check_packet(test_terrain *t, const test_table *table, test_ray_fn *one, vp_random *r)
{
    vp_ray ray[16];
    vp_terrain_hit got[17];
    const uint32_t count = test_terrain_packet(t, r, one, ray);
    if (vp_random_below(r, 8) == 0)
        ray[vp_random_below(r, 16)].direction = (vp_vec3){0.0f, 0.0f, 0.0f};
    memset(got, 0x5a, sizeof got);
    const vp_terrain_view view = test_terrain_view(t, (test_trees_there)vp_random_below(r, 3), r);
    table->kernels.terrain_ray16(&view, ray, count, got);
    for (uint32_t i = 0; i < count; i++) {
        vp_terrain_hit want = {{ray[i].t_max, VP_RAY_INVALID, 0.0f, 0.0f}, 0};
        if (ray[i].direction.x != 0.0f || ray[i].direction.y != 0.0f || ray[i].direction.z != 0.0f) {
            const vp_hit closest = test_closest(&t->triangles, &ray[i]);
            want = test_terrain_of_mesh(t, &closest);
        }
        test_expect_hit(&got[i], &want);
    }
    assert_int_equal(got[count].chunk, 0x5a5a5a5a);
}

/* ---- worlds ---- */

static void terrain_answers_as_one_mesh(void **state)
{
    (void)state; /* docs/CONTRACT.md: WLD-1 */
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {2024};
    for (int w = 0; w < WORLDS; w++) {
        vp_dims n;
        n.x = 1 + vp_random_below(&r, 5);
        n.y = 1 + vp_random_below(&r, 4);
        n.z = 1 + vp_random_below(&r, 5);
        vp_world *world = w % 3 == 0 ? test_noisy_world(&r, n) : test_random_world(&r, n, NULL);
        vp_ivec3 first = {0, 0, 0};
        vp_dims box = n;
        if (w % 4 == 1) {
            first.x = (int32_t)vp_random_below(&r, n.x);
            first.z = (int32_t)vp_random_below(&r, n.z);
            box = (vp_dims){n.x - (uint32_t)first.x, 1 + vp_random_below(&r, n.y), 1};
        }
        test_terrain t;
        test_terrain_begin(&t, world, w % 5 == 4 ? VP_SURFACE_WATER : VP_SURFACE_SOLID, first, box, (vp_kd_form)(w % VP_KD_FORM_COUNT));
        for (int i = 0; i < RAYS; i++) {
            const vp_ray ray = test_terrain_ray(&t, &r);
            check_ray(&t, &tables[(size_t)i % count], &ray, &r);
        }
        for (int i = 0; i < BOXES; i++) {
            const vp_aabb a_box = test_random_box(&r, vp_world_size(world));
            check_box(&t, &tables[(size_t)i % count], &a_box, &r);
            check_packet(&t, &tables[(size_t)i % count], test_terrain_ray, &r);
        }
        test_terrain_end(&t);
    }
}

/* ---- tall columns ---- */

/* Up or down through many layers, from anywhere, or from above or below all of them. */
static vp_ray steep_ray(const test_terrain *t, vp_random *r)
{
    const vp_dims size = vp_world_size(t->world);
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

/* Floors with holes, one above the other, up to the largest height of a world. */
static vp_world *tower(vp_random *r)
{
    vp_world *world = test_world(2, VP_WORLD_MAX_Y / 8, 2, NULL);
    for (int32_t y = 0; y < VP_WORLD_MAX_Y; y++) {
        const uint32_t one_in = y % 8 == 5 || y == VP_WORLD_MAX_Y - 1 ? 4 : 20 + vp_random_below(r, 3) * 400;
        for (int32_t z = 0; z < 16; z++)
            for (int32_t x = 0; x < 16; x++)
                if (vp_random_below(r, one_in) == 0) {
                    const vp_voxel v = {3, (uint8_t)(128 + vp_random_below(r, 128))};
                    assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, y, z}, v, NULL, &error));
                }
    }
    return world;
}

static uint32_t bits_of(uint32_t layers)
{
    uint32_t count = 0;
    for (; layers != 0; layers &= layers - 1u)
        count++;
    return count;
}

/* Columns of many layers, up to the last possible one. Kernels take several layers at a time. */
static void tall_columns(void **state)
{
    (void)state;
    static const struct {
        int32_t first;
        uint32_t layers;
    } parts[] = {{0, 32}, {0, 32}, {23, 9}, {1, 17}, {31, 1}};
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {1967};
    for (size_t w = 0; w < sizeof parts / sizeof parts[0]; w++) {
        const vp_ivec3 first = {0, parts[w].first, 0};
        const vp_dims box = {2, parts[w].layers, 2};
        test_terrain t;
        test_terrain_begin(&t, tower(&r), VP_SURFACE_SOLID, first, box, (vp_kd_form)(w % VP_KD_FORM_COUNT));
        for (int c = 0; c < 4; c++) {
            assert_int_equal(bits_of(t.top.layers[c]), parts[w].layers);
            assert_true(first.y + (int32_t)box.y < 32 || (t.top.layers[c] >> (box.y - 1) & 1) != 0);
        }
        uint32_t topmost = 0;
        for (int i = 0; i < RAYS / 2 || topmost == 0; i++) {
            const vp_ray ray = i % 4 == 0 ? test_terrain_ray(&t, &r) : steep_ray(&t, &r);
            const vp_hit hit = test_closest(&t.triangles, &ray);
            const int32_t layer = test_terrain_chunk_at(&t, test_terrain_of_mesh(&t, &hit).chunk).y;
            topmost += hit.triangle >= 0 && layer == first.y + (int32_t)box.y - 1;
            check_ray(&t, &tables[(size_t)i % count], &ray, &r);
            assert_true(i < 1000);
        }
        for (int i = 0; i < BOXES; i++) {
            vp_aabb a_box = test_random_box(&r, vp_world_size(t.world));
            if (i % 3 == 0) { /* an open shaft */
                a_box.max.y = (float)VP_WORLD_MAX_Y + 0.25f;
                a_box.min.y = vp_random_between(&r, -1.0f, a_box.max.y);
            }
            check_box(&t, &tables[(size_t)i % count], &a_box, &r);
            check_packet(&t, &tables[(size_t)i % count], i % 4 == 0 ? test_terrain_ray : steep_ray, &r);
        }
        test_terrain_end(&t);
    }
}

/* ---- requested chunks ---- */

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

enum { MAX_CHUNKS = 4 * 3 * 4 };

/* The chunks whose set bits are crossed by one of the rays, by the rule and by vp_crosses_bits. `must` is the rule. Boxes are closed, so
   that touching counts as crossing. `may` also allows a kernel's roundings, twice 2^-19 of the largest coordinate and of the radius.
   `is`, by vp_crosses_bits, is between the two. */
typedef struct crossing {
    bool must[MAX_CHUNKS], is[MAX_CHUNKS], may[MAX_CHUNKS];
} crossing;

static void note_crossed(const test_terrain *t, const vp_terrain_view *view, const vp_ray *ray, float radius, crossing *to)
{
    const vp_dims size = vp_world_size(t->world);
    const double most = fmax(fmax(fabs((double)ray->origin.x), fabs((double)ray->origin.y)), fabs((double)ray->origin.z));
    const double end = fmax(fmax(size.x, size.y), size.z) + 0.5, rounding = (fmax(most, end) + (double)radius) * 0x1p-18;
    vp_box_ray box_ray = {0};
    assert_true(vp_box_ray_of(ray, &view->box, radius, &box_ray));
    for (uint32_t c = 0; c < t->chunk_count; c++) {
        const vp_ivec3 at = test_terrain_chunk_at(t, c);
        const bool must = test_near_set_bits(t, c, ray, (double)radius), may = test_near_set_bits(t, c, ray, (double)radius + rounding);
        const bool is = vp_crosses_bits(&box_ray, vp_chunk_bits(view, at), at, box_ray.frame.s_max);
        assert_true((is || !must) && (may || !is));
        to->must[c] |= must;
        to->is[c] |= is;
        to->may[c] |= may;
    }
}

/* Every chunk with triangles that must be crossed was requested, and none that is not crossed. */
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
        assert_int_equal(kernels->terrain_sphere_sweep(view, ray, radius).in_chunk.triangle, VP_NO_HIT);
        expect_asked(t, by);
        return;
    }
    assert_int_equal(kernels->terrain_ray(view, ray).in_chunk.triangle, VP_NO_HIT);
    expect_asked(t, by);
    assert_int_equal(kernels->terrain_ray_any(view, ray), 0);
    expect_asked(t, by);
    assert_int_equal(kernels->terrain_ray_all(view, ray, &hit, 1), 0);
    expect_asked(t, by);
    kernels->terrain_ray16(view, ray, 1, &hit);
    assert_int_equal(hit.in_chunk.triangle, VP_NO_HIT);
    expect_asked(t, by);
}

/* If no tree is available, a ray requests every chunk with triangles whose set bits it crosses, and no other. A packet requests those
   that any of its rays crosses. */
static void chunks_are_asked_for_by_their_bits(void **state)
{
    (void)state;
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {31};
    uint32_t crossed = 0, missed = 0;
    crossing by;
    for (int w = 0; w < ASKED; w++) {
        vp_dims n;
        n.x = 1 + vp_random_below(&r, 4);
        n.y = 1 + vp_random_below(&r, 3);
        n.z = 1 + vp_random_below(&r, 4);
        test_terrain t;
        test_terrain_begin(&t, w % 2 == 0 ? test_noisy_world(&r, n) : test_random_world(&r, n, NULL), VP_SURFACE_SOLID, (vp_ivec3){0, 0, 0},
                           n, VP_KD_WIDE);
        vp_terrain_view view = test_terrain_view(&t, TEST_LAST_ONLY, &r);
        view.find = never_there;
        view.make = note_only;
        for (int i = 0; i < RAYS; i++) {
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
        for (int i = 0; i < RAYS / 2; i++) {
            vp_ray ray[16];
            vp_terrain_hit hit[16];
            const uint32_t rays = test_terrain_packet(&t, &r, i % 4 == 3 ? lattice_ray : test_terrain_ray, ray);
            memset(&by, 0, sizeof by);
            for (uint32_t k = 0; k < rays; k++)
                note_crossed(&t, &view, &ray[k], 0.0f, &by);
            for (size_t k = 0; k < count; k++) {
                tables[k].kernels.terrain_ray16(&view, ray, rays, hit);
                for (uint32_t h = 0; h < rays; h++)
                    assert_int_equal(hit[h].in_chunk.triangle, VP_NO_HIT);
                expect_asked(&t, &by);
            }
        }
        test_terrain_end(&t);
    }
    assert_true(crossed > RAYS && missed > RAYS);
}

/* ---- invalid input ---- */

static void invalid_questions_have_answers(void **state)
{
    (void)state; /* docs/CONTRACT.md: WLD-3, SWP-3 */
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {7};
    test_terrain t;
    test_terrain_begin(&t, test_noisy_world(&r, (vp_dims){2, 2, 2}), VP_SURFACE_SOLID, (vp_ivec3){0, 0, 0}, (vp_dims){2, 2, 2}, VP_KD_WIDE);
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
        const vp_terrain_view view = test_terrain_view(&t, TEST_ALL_THERE, &r);
        vp_terrain_hit hit;
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            hit = kernels->terrain_ray(&view, &bad[i]);
            assert_int_equal(hit.in_chunk.triangle, VP_RAY_INVALID);
            assert_memory_equal(&hit.in_chunk.t, &bad[i].t_max, sizeof hit.in_chunk.t);
            assert_int_equal(kernels->terrain_ray_any(&view, &bad[i]), VP_RAY_INVALID);
            assert_true(kernels->terrain_ray_all(&view, &bad[i], &hit, 1) == VP_RAY_ALL_INVALID);
            assert_int_equal(kernels->terrain_sphere_sweep(&view, &bad[i], 1.0f).in_chunk.triangle, VP_RAY_INVALID);
        }
        assert_int_equal(kernels->terrain_sphere_sweep(&view, &good, -1.0f).in_chunk.triangle, VP_RAY_INVALID);
        assert_int_equal(kernels->terrain_sphere_sweep(&view, &good, NAN).in_chunk.triangle, VP_RAY_INVALID);
        assert_int_equal(kernels->terrain_sphere_sweep(&view, &good, 2.0f * VP_KD_MAX).in_chunk.triangle, VP_RAY_INVALID);
        for (size_t i = 0; i < sizeof bad_box / sizeof bad_box[0]; i++)
            assert_int_equal(kernels->terrain_gather(&view, &bad_box[i], NULL, 0), 0);
    }
    test_terrain_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terrain_answers_as_one_mesh),
        cmocka_unit_test(tall_columns),
        cmocka_unit_test(chunks_are_asked_for_by_their_bits),
        cmocka_unit_test(invalid_questions_have_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
