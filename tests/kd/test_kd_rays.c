/* SPDX-License-Identifier: MIT */
/* Rays: hits are checked against exact arithmetic. Trees return bit for bit the hits of testing every triangle. No ray passes through a
 * closed surface (docs/CONTRACT.md: RAY-1 to RAY-5, RAY-7, RAY-10, BOX-1, BOX-3, BOX-4). */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "src/kd/ray_triangle.h"

/* ---- a hit, against whole numbers ---- */

typedef struct whole {
    int64_t x, y, z;
} whole;

enum { STEPS = 8 }; /* coordinates are multiples of 1/8 */

#ifdef TEST_THIN /* one in this many */
enum { THIN = 3 * TEST_THIN };
#else
enum { THIN = 1 };
#endif

static whole random_whole(vp_random *r, uint32_t most)
{
    whole w;
    w.x = (int64_t)vp_random_below(r, 2 * most + 1) - most;
    w.y = (int64_t)vp_random_below(r, 2 * most + 1) - most;
    w.z = (int64_t)vp_random_below(r, 2 * most + 1) - most;
    return w;
}

static whole less(whole a, whole b)
{
    return (whole){a.x - b.x, a.y - b.y, a.z - b.z};
}

static int64_t volume(whole a, whole b, whole c)
{
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

static void floats(whole w, float out[3])
{
    out[0] = (float)w.x / STEPS;
    out[1] = (float)w.y / STEPS;
    out[2] = (float)w.z / STEPS;
}

/* A line meets a triangle if the three volumes that it spans with the edges have the same sign. t is a quotient of two more volumes. All
 * are integers below 2^40. If a volume is so small that floats may round it to zero, the test accepts a miss, and a hit near the exact
 * one. */
static void hits_are_exact(void **state)
{
    (void)state; /* docs/CONTRACT.md: RAY-1, RAY-3, RAY-5 */
    vp_random r = {11};
    int clear_hits = 0, clear_misses = 0, unclear = 0;
    for (int i = 0; i < 100000; i++) {
        whole o = random_whole(&r, 100), d = random_whole(&r, vp_random_below(&r, 3) == 0 ? 3 : 100);
        whole a = less(random_whole(&r, 100), o), b = less(random_whole(&r, 100), o), c = less(random_whole(&r, 100), o);
        if (i % 4 == 0) /* aim at it */
            d = (whole){a.x + b.x + c.x, a.y + b.y + c.y, a.z + b.z + c.z};
        if (d.x == 0 && d.y == 0 && d.z == 0)
            continue;
        int64_t va = volume(d, b, c), vb = volume(d, c, a), vc = volume(d, a, b), all = va + vb + vc;
        int64_t height = volume(a, b, c); /* t = height / all, in units of d */
        vp_ray ray = {.t_max = INFINITY};
        float at[3], dir[3], p[3][3];
        floats(o, at);
        floats(d, dir);
        ray.origin = (vp_vec3){at[0], at[1], at[2]};
        ray.direction = (vp_vec3){dir[0], dir[1], dir[2]};
        floats((whole){a.x + o.x, a.y + o.y, a.z + o.z}, p[0]);
        floats((whole){b.x + o.x, b.y + o.y, b.z + o.z}, p[1]);
        floats((whole){c.x + o.x, c.y + o.y, c.z + o.z}, p[2]);
        vp_ray_frame frame = {0};
        vp_meeting m = {0};
        assert_true(vp_ray_frame_of(&ray, &frame));
        bool met = vp_ray_meets(&frame, p[0], p[1], p[2], &m);
        /* a rounded shear moves a corner by about 2^-22 of 200 steps, so the volumes change by at most this */
        int64_t blur = (int64_t)(llabs(d.x) + llabs(d.y) + llabs(d.z)) * 200 * 200 / 100000 + 1;
        bool one_sign = (va > blur && vb > blur && vc > blur) || (va < -blur && vb < -blur && vc < -blur);
        bool two_signs = (va > blur || vb > blur || vc > blur) && (va < -blur || vb < -blur || vc < -blur);
        double t = all != 0 ? (double)height / (double)all : 0;
        if (two_signs || (one_sign && t < -1e-6)) {
            clear_misses++;
            if (met)
                fail_msg("case %d: a hit at %g where there is none", i, (double)m.t);
        } else if (one_sign && t > 1e-6) {
            clear_hits++;
            if (!met)
                fail_msg("case %d: the hit at %g is not found", i, t);
            double nearness = 1e-6 * (fabs(t) + 1), weight = 1e-5 + (double)blur / fabs((double)all);
            if (fabs((double)m.t - t) > nearness + fabs(t) * weight || fabs(m.u - (double)vb / (double)all) > weight ||
                fabs(m.v - (double)vc / (double)all) > weight)
                fail_msg("case %d: t %.9g u %.9g v %.9g, exactly %.9g %.9g %.9g", i, (double)m.t, (double)m.u, (double)m.v, t,
                         (double)vb / (double)all, (double)vc / (double)all);
        } else {
            unclear++;
        }
    }
    assert_true(clear_hits > 12000);
    assert_true(clear_misses > 25000);
    assert_true(unclear < 5000);
}

/* ---- trees, against every triangle ---- */

enum { MAX_HITS = 4096 };

static void expect_same(const vp_hit *got, const vp_hit *want, uint64_t seed, uint32_t ray, int tree)
{
    if (memcmp(got, want, sizeof *got) != 0)
        fail_msg("seed %llu ray %u tree %d: triangle %d t %.9g u %.9g v %.9g, by every triangle %d %.9g %.9g %.9g",
                 (unsigned long long)seed, ray, tree, got->triangle, (double)got->t, (double)got->u, (double)got->v, want->triangle,
                 (double)want->t, (double)want->u, (double)want->v);
}

static uint32_t ask_rays(const vp_triangles *t, uint64_t seed, uint32_t rays)
{
    static vp_hit all[MAX_HITS], want_all[MAX_HITS];
    vp_random r = {seed};
    vp_kd *tree[TEST_MAX_TREES];
    uint32_t hits = 0;
    int trees = test_trees(t, tree);
    for (uint32_t i = 0; i < rays; i++) {
        vp_ray ray = test_ray(&r, t);
        vp_hit want = test_closest(t, &ray);
        uint32_t want_count = test_all(t, &ray, want_all, MAX_HITS), few = vp_random_below(&r, 4);
        hits += want.triangle >= 0;
        for (int f = 0; f < trees; f++) {
            vp_hit got;
            bool any;
            uint32_t count;
            assert_ok(vp_kd_raycast(tree[f], &ray, &got, &error));
            expect_same(&got, &want, seed, i, f);
            assert_ok(vp_kd_raycast_any(tree[f], &ray, &any, &error));
            assert_int_equal(any, want.triangle >= 0);
            assert_ok(vp_kd_raycast_all(tree[f], &ray, all, MAX_HITS, &count, &error));
            assert_int_equal(count, want_count);
            for (uint32_t k = 0; k < count; k++)
                expect_same(&all[k], &want_all[k], seed, i, f);
            if (count != 0) /* at equal parameters */
                assert_true(all[0].t == got.t && (all[0].triangle == got.triangle || got.t < FLT_MIN));
            memset(all, 0xa5, sizeof *all * 4);
            assert_ok(vp_kd_raycast_all(tree[f], &ray, all, few, &count, &error));
            assert_int_equal(count, want_count);
            for (uint32_t k = 0; k < count && k < few; k++)
                expect_same(&all[k], &want_all[k], seed, i, f);
            assert_int_equal(((unsigned char *)&all[few])[0], 0xa5); /* nothing is written past the capacity */
        }
    }
    test_trees_free(tree, trees);
    return hits;
}

static void trees_find_what_there_is(void **state)
{
    (void)state; /* docs/CONTRACT.md: RAY-1, RAY-2, RAY-10 */
    uint32_t hits = 0, rays = 0;
    for (uint64_t seed = 1; seed <= 9 / THIN; seed++) {
        test_triangles mesh[TEST_MESHES];
        test_meshes(seed, mesh);
        for (int m = 0; m < TEST_MESHES; m++)
            hits += ask_rays(&mesh[m].view, seed, 130);
        test_meshes_free(mesh);
        rays += TEST_MESHES * 130;
    }
    assert_in_range(hits, rays / 8, rays * 7 / 8); /* both happen often */
}

/* Brute force by every instruction set. Infinite triangles after the last one must not be read. */
static void brute_force_finds_the_same(void **state)
{
    (void)state; /* docs/CONTRACT.md: RAY-1, RAY-7 */
    test_table table[TEST_TABLES_MAX];
    const size_t tables = test_tables(table);
    uint32_t hits = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        vp_random r = {seed};
        test_triangles t;
        vp_triangle_soa soup;
        test_soup(&r, vp_random_below(&r, 70), &t); /* every remainder of a vector's lanes */
        test_soup_of(&t.view, &soup);
        for (uint32_t i = 0; i < 200; i++) {
            vp_ray ray = t.view.triangle_count != 0 ? test_ray(&r, &t.view) : (vp_ray){{0, 0, 0}, {1, 0, 0}, INFINITY};
            const vp_hit want = test_closest(&t.view, &ray);
            hits += want.triangle >= 0;
            vp_ray bad = ray;
            bad.direction = (vp_vec3){0.0f, -0.0f, 0.0f};
            for (size_t k = 0; k < tables; k++) {
                const vp_hit got = table[k].kernels.brute_ray(&soup, &ray);
                expect_same(&got, &want, seed, i, (int)k);
                assert_int_equal(table[k].kernels.brute_ray(&soup, &bad).triangle, VP_RAY_INVALID);
            }
        }
        test_soup_free(&soup);
        test_triangles_free(&t);
    }
    assert_in_range(hits, 300, 3700);
}

/* A list contains all expected triangles, each once. */
static void expect_each_once(const uint32_t *list, uint32_t found, const uint32_t *want, uint32_t count)
{
    static unsigned char seen[8192];
    memset(seen, 0, sizeof seen);
    for (uint32_t k = 0; k < found; k++) {
        assert_false(seen[list[k]]);
        seen[list[k]] = 1;
    }
    for (uint32_t k = 0; k < count; k++)
        assert_true(seen[want[k]]);
}

static void boxes_find_what_there_is(void **state)
{
    (void)state; /* docs/CONTRACT.md: BOX-1, BOX-3, BOX-4 */
    static uint32_t got[8192], want[8192];
    for (uint64_t seed = 1; seed <= 7 / THIN; seed++) {
        vp_random r = {seed};
        test_triangles mesh[TEST_MESHES];
        test_meshes(seed, mesh);
        for (int m = 0; m < TEST_MESHES; m++) {
            const vp_triangles *t = &mesh[m].view;
            vp_kd *tree[TEST_MAX_TREES];
            int trees = test_trees(t, tree);
            for (uint32_t i = 0; i < 200; i++) {
                vp_ray ray = test_ray(&r, t);
                vp_aabb box = {ray.origin, ray.origin};
                box.max.x += vp_random_between(&r, 0.0f, 4.0f);
                box.max.y += vp_random_below(&r, 3) == 0 ? 0.0f : vp_random_between(&r, 0.0f, 4.0f);
                box.min.x -= vp_random_below(&r, 20) == 0 ? INFINITY : 0.0f;
                box.max.z += vp_random_below(&r, 9) == 0 ? INFINITY : vp_random_between(&r, 0.0f, 4.0f);
                uint32_t count = test_overlapping(t, &box, want);
                for (int f = 0; f < trees; f++) {
                    uint32_t found;
                    assert_ok(vp_kd_gather(tree[f], &box, got, 8192, &found, &error));
                    assert_int_equal(found, count);
                    expect_each_once(got, found, want, count);
                    /* the visited leaves contain these, and each triangle once */
                    found = vp_kd_gather_leaves_scalar(vp_kd_view_of(tree[f]), &box, got, 8192);
                    expect_each_once(got, found, want, count);
                    uint32_t few = count / 2;
                    got[few] = 0xa5a5a5a5;
                    assert_ok(vp_kd_gather(tree[f], &box, got, few, &found, &error));
                    assert_int_equal(found, count);
                    assert_int_equal(got[few], 0xa5a5a5a5);
                }
            }
            test_trees_free(tree, trees);
        }
        test_meshes_free(mesh);
    }
}

/* ---- closed surfaces ---- */

/* A ball of voxels. */
static void ball(test_triangles *out, vp_mesh *mesh)
{
    vp_world *world;
    assert_ok(vp_world_create(&(vp_world_def){.size = {24, 24, 24}}, &world, &error));
    assert_ok(vp_world_fill_sphere(world, (vp_vec3){12, 12, 12}, 7.3f, (vp_voxel){VP_FIRST_SOLID, 255}, NULL, &error));
    assert_ok(vp_mesh_create(&(vp_mesh_def){.world = world}, mesh, &error));
    vp_world_destroy(world);
    out->view = (vp_triangles){mesh->vertex, &mesh->quad[0][0], mesh->vertex_count, mesh->quad_count * 2, true};
}

/* From inside, every ray hits the surface, above all rays to corners and to the middles of edges. From an integer point through corners,
 * nothing is rounded before the shear. */
static void nothing_slips_through(void **state)
{
    (void)state; /* docs/CONTRACT.md: RAY-4 */
    test_triangles t;
    vp_mesh mesh;
    vp_kd *tree[TEST_MAX_TREES];
    vp_random r = {5};
    ball(&t, &mesh);
    int trees = test_trees(&t.view, tree);
    assert_true(t.view.triangle_count > 1000);
    for (uint32_t i = 0; i < t.view.triangle_count; i++)
        for (int k = 0; k < 12; k += THIN) {
            vp_vec3 c[3], from = {12, 12, 12}, to;
            test_corners(&t.view, i, c);
            if (k >= 6) {
                from.x += vp_random_between(&r, -3.0f, 3.0f);
                from.y += vp_random_between(&r, -3.0f, 3.0f);
                from.z += vp_random_between(&r, -3.0f, 3.0f);
            }
            to = k % 6 < 3 ? c[k % 3] : vp_vec3_scale(vp_vec3_add(c[k % 3], c[(k + 1) % 3]), 0.5f);
            vp_ray ray = {from, vp_vec3_sub(to, from), INFINITY};
            for (int f = 0; f < trees; f++) {
                vp_hit hit;
                assert_ok(vp_kd_raycast(tree[f], &ray, &hit, &error));
                if (hit.triangle < 0)
                    fail_msg("triangle %u, aim %d, tree %d: a ray from inside leaves the ball", i, k, f);
                assert_true(fabsf(hit.t - 1.0f) < 1e-3f);
            }
        }
    test_trees_free(tree, trees);
    vp_mesh_destroy(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_are_exact),
        cmocka_unit_test(trees_find_what_there_is),
        cmocka_unit_test(brute_force_finds_the_same),
        cmocka_unit_test(boxes_find_what_there_is),
        cmocka_unit_test(nothing_slips_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
