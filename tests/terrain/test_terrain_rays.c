/* SPDX-License-Identifier: MIT */
/* Rays and boxes in tall columns, which kernels search several layers at a time. Which chunks a ray requests: those whose set bits it
 * crosses, computed voxel by voxel. Invalid input of kernels. test_terrain.c compares all other answers with brute force. */
#include "tests/support/check.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"

#include <math.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "src/terrain/top.h"
#include "src/terrain/walk.h"

#ifdef TEST_THIN
enum { RAYS = 12, BOXES = 6, ASKED = 3 };
#else
enum { RAYS = 30, BOXES = 8, ASKED = 4 };
#endif

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

/* Columns of many layers, up to the last possible one. */
static void tall_columns(void **state)
{
    (void)state; /* docs/CONTRACT.md: WLD-1 */
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

/* ---- requested chunks ---- */

enum { MAX_CHUNKS = 4 * 3 * 4 };

/* A terrain as kernels see it, without any trees. */
typedef struct treeless {
    vp_world *world;
    vp_broadphase *broadphase;
    vp_terrain_top top;
    terrain_oracle oracle;
    vp_terrain_view view;
    uint32_t chunk_count;
    bool full[MAX_CHUNKS]; /* chunks with triangles */
    bool asked[MAX_CHUNKS];
} treeless;

static const vp_kd_view *never_there(void *user, uint32_t chunk)
{
    (void)user;
    (void)chunk;
    return NULL;
}

static const vp_kd_view *note_only(void *user, uint32_t chunk)
{
    treeless *t = user;
    t->asked[chunk] = true;
    return NULL;
}

/* Takes the world. */
static void begin(treeless *t, vp_world *world)
{
    const vp_dims n = vp_world_chunks(world);
    const vp_ivec3 first = {0, 0, 0};
    *t = (treeless){.world = world, .chunk_count = n.x * n.y * n.z};
    assert_ok(vp_broadphase_create(&(vp_broadphase_def){.world = world}, &t->broadphase, &error));
    const vp_allocator allocator = vp_allocator_default();
    assert_true(vp_terrain_top_create(VP_SURFACE_SOLID, first, n, &allocator, &t->top));
    const vp_top_source source = {vp_broadphase_bits(t->broadphase), vp_world_voxels(world)};
    vp_terrain_top_derive(&t->top, &source);
    terrain_oracle_make(world, VP_SURFACE_SOLID, first, n, &t->oracle);
    for (uint32_t i = 0; i < t->oracle.triangles.triangle_count; i++)
        t->full[t->oracle.of[i].chunk] = true;
    t->view = (vp_terrain_view){.bits = vp_broadphase_bits(t->broadphase),
                                .surface = VP_SURFACE_SOLID,
                                .first = first,
                                .chunks = n,
                                .box = vp_chunks_box(first, n),
                                .top = vp_terrain_top_view(&t->top),
                                .find = never_there,
                                .make = note_only,
                                .user = t};
}

static void end(treeless *t)
{
    terrain_oracle_free(&t->oracle);
    vp_terrain_top_destroy(&t->top);
    vp_broadphase_destroy(t->broadphase);
    vp_world_destroy(t->world);
}

static vp_ivec3 chunk_at(const treeless *t, uint32_t chunk)
{
    const vp_dims n = vp_world_chunks(t->world);
    return (vp_ivec3){(int32_t)(chunk % n.x), (int32_t)(chunk / n.x / n.z), (int32_t)(chunk / n.x % n.z)};
}

/* Whether a voxel of a chunk with a set bit is within `slack` of the ray. Voxels at the chunk's border are half a voxel larger. */
static bool is_near_set_bits(const treeless *t, uint32_t chunk, const vp_ray *ray, double slack)
{
    const vp_ivec3 c = chunk_at(t, chunk);
    const uint64_t *bits = vp_broadphase_masks(t->broadphase, c)->solid;
    const double o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const double d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    const int32_t at[3] = {c.x * 8, c.y * 8, c.z * 8};
    for (int i = 0; i < 512; i++) {
        const int v[3] = {i % 8, i / 64, i / 8 % 8};
        if ((bits[v[1]] >> (v[2] * 8 + v[0]) & 1) == 0)
            continue;
        double near = 0, far = ray->t_max;
        for (int k = 0; k < 3; k++) {
            const double low = at[k] + v[k] - (v[k] == 0 ? 0.5 : 0) - slack - o[k];
            const double high = at[k] + v[k] + 1 + (v[k] == 7 ? 0.5 : 0) + slack - o[k];
            if (d[k] == 0) {
                if (low > 0 || high < 0)
                    far = -1;
                continue;
            }
            const double a = low / d[k], b = high / d[k];
            near = fmax(near, fmin(a, b));
            far = fmin(far, fmax(a, b));
        }
        if (near <= far)
            return true;
    }
    return false;
}

/* From a corner, an edge or the middle of a voxel, often along an axis or a diagonal. */
static vp_ray lattice_ray(const treeless *t, vp_random *r)
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

/* Near the surface, or from and to anywhere. */
static vp_ray surface_ray(const treeless *t, vp_random *r)
{
    return terrain_random_ray(r, &t->oracle, vp_world_size(t->world));
}

typedef vp_ray ray_fn(const treeless *t, vp_random *r);

/* At most 16 rays, and 16 half of the time. Often the rays are similar, from one place or from several. @return their number */
static uint32_t make_packet(const treeless *t, vp_random *r, ray_fn *one, vp_ray ray[16])
{
    const uint32_t kind = vp_random_below(r, 4);
    const float apart = kind == 0 ? 12.0f : 0.0f;
    for (uint32_t i = 0; i < 16; i++) {
        ray[i] = i == 0 || kind >= 2 ? one(t, r) : ray[0];
        if (kind < 2) {
            ray[i].origin.x += vp_random_between(r, -apart, apart);
            ray[i].origin.y += vp_random_between(r, -apart, apart);
            ray[i].origin.z += vp_random_between(r, -apart, apart);
            ray[i].direction.x += vp_random_between(r, -0.05f, 0.05f);
            ray[i].direction.y += vp_random_between(r, -0.05f, 0.05f);
        }
    }
    return vp_random_below(r, 2) == 0 ? 16 : vp_random_below(r, 17);
}

/* The chunks whose set bits are crossed by one of the rays, by the rule and by vp_crosses_bits. `must` is the rule. Boxes are closed, so
   that touching counts as crossing. `may` also allows a kernel's roundings, twice 2^-19 of the largest coordinate and of the radius.
   `is`, by vp_crosses_bits, is between the two. */
typedef struct crossed_chunks {
    bool must[MAX_CHUNKS], is[MAX_CHUNKS], may[MAX_CHUNKS];
} crossed_chunks;

static void note_crossed(const treeless *t, const vp_ray *ray, float radius, crossed_chunks *to)
{
    const vp_dims size = vp_world_size(t->world);
    const double most = fmax(fmax(fabs((double)ray->origin.x), fabs((double)ray->origin.y)), fabs((double)ray->origin.z));
    const double end = fmax(fmax(size.x, size.y), size.z) + 0.5, rounding = (fmax(most, end) + (double)radius) * 0x1p-18;
    vp_box_ray box_ray = {0};
    assert_true(vp_box_ray_of(ray, &t->view.box, radius, &box_ray));
    for (uint32_t c = 0; c < t->chunk_count; c++) {
        const vp_ivec3 at = chunk_at(t, c);
        const bool must = is_near_set_bits(t, c, ray, (double)radius), may = is_near_set_bits(t, c, ray, (double)radius + rounding);
        const bool is = vp_crosses_bits(&box_ray, vp_chunk_bits(&t->view, at), at, box_ray.frame.s_max);
        assert_true((is || !must) && (may || !is));
        to->must[c] |= must;
        to->is[c] |= is;
        to->may[c] |= may;
    }
}

/* Every chunk with triangles that must be crossed was requested, and none that is not crossed. */
static void expect_asked(treeless *t, const crossed_chunks *by)
{
    for (uint32_t c = 0; c < t->chunk_count; c++) {
        assert_true((by->is[c] && by->may[c]) || !t->asked[c]);
        assert_true(t->asked[c] || !by->must[c] || !t->full[c]);
    }
    memset(t->asked, 0, t->chunk_count * sizeof *t->asked);
}

static void expect_rays_ask(treeless *t, const vp_kernels *kernels, const vp_ray *ray, float radius, const crossed_chunks *by)
{
    const vp_terrain_view *view = &t->view;
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
    crossed_chunks by;
    for (int w = 0; w < ASKED; w++) {
        vp_dims n;
        n.x = 1 + vp_random_below(&r, 4);
        n.y = 1 + vp_random_below(&r, 3);
        n.z = 1 + vp_random_below(&r, 4);
        treeless t;
        begin(&t, w % 2 == 0 ? floors(&r, n) : test_random_world(&r, n, NULL));
        for (int i = 0; i < RAYS; i++) {
            const vp_ray ray = i % 2 == 0 ? surface_ray(&t, &r) : lattice_ray(&t, &r);
            const float radius = i % 8 == 7 ? 0.75f : 0.0f;
            memset(&by, 0, sizeof by);
            note_crossed(&t, &ray, radius, &by);
            for (uint32_t c = 0; c < t.chunk_count; c++) {
                crossed += by.must[c];
                missed += !by.may[c];
            }
            for (size_t k = 0; k < count; k++)
                expect_rays_ask(&t, &tables[k].kernels, &ray, radius, &by);
        }
        for (int i = 0; i < RAYS / 2; i++) {
            vp_ray ray[16];
            vp_terrain_hit hit[16];
            const uint32_t rays = make_packet(&t, &r, i % 4 == 3 ? lattice_ray : surface_ray, ray);
            memset(&by, 0, sizeof by);
            for (uint32_t k = 0; k < rays; k++)
                note_crossed(&t, &ray[k], 0.0f, &by);
            for (size_t k = 0; k < count; k++) {
                tables[k].kernels.terrain_ray16(&t.view, ray, rays, hit);
                for (uint32_t h = 0; h < rays; h++)
                    assert_int_equal(hit[h].in_chunk.triangle, VP_NO_HIT);
                expect_asked(&t, &by);
            }
        }
        end(&t);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tall_columns),
        cmocka_unit_test(chunks_are_asked_for_by_their_bits),
        cmocka_unit_test(invalid_questions_have_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
