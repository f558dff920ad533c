/* SPDX-License-Identifier: MIT */
/* The first contact of a moving sphere against distances that are computed in another way and sampled along the path, invalid radii, and
 * needles. test_terrain.c compares sweeps and contacts of trees with all triangles (docs/CONTRACT.md: SWP-1, SWP-2, SWP-3, SWP-4). */
#include "tests/support/check.h"
#include "tests/support/contact_oracle.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <float.h>
#include <math.h>

#include <voxphys/voxphys.h>

/* ---- contacts ---- */

static vp_vec3 at_time(const vp_ray *ray, double t)
{
    return (vp_vec3){(float)(ray->origin.x + t * ray->direction.x), (float)(ray->origin.y + t * ray->direction.y),
                     (float)(ray->origin.z + t * ray->direction.z)};
}

/* docs/CONTRACT.md: SWP-2 */
TEST(contacts_are_the_first)
{
    enum { SEEDS = IS_THIN ? 40 : 90 };
    int touched = 0, missed = 0, started = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        vp_random r = {seed};
        vp_vec3 v[3], o, d;
        uint32_t index[3] = {0, 1, 2};
        for (int i = 0; i < 3; i++) {
            v[i].x = vp_random_between(&r, -4, 4);
            v[i].y = vp_random_between(&r, -4, 4);
            v[i].z = vp_random_between(&r, -4, 4);
        }
        o.x = vp_random_between(&r, -6, 6);
        o.y = vp_random_between(&r, -6, 6);
        o.z = vp_random_between(&r, -6, 6);
        d = vp_vec3_sub(v[vp_random_below(&r, 3)], o);
        d.x += vp_random_between(&r, -4, 4);
        d.y += vp_random_between(&r, -4, 4);
        float radius = vp_random_between(&r, 0.1f, 2.5f);
        vp_ray ray = {o, d, 2.0f};
        vp_triangles t = {v, index, 3, 1, false};
        vp_hit hit = test_first_touched(&t, &ray, radius);
        double end = hit.triangle >= 0 ? hit.t : 2.0;
        for (int i = 0; end > 0 && i < 40; i++) {
            double at = end * i / 40;
            const double distance = (double)contact_distance(at_time(&ray, at), v);
            if (distance < radius - 1e-5)
                fail_msg("seed %llu: at %g of %g the sphere is %g inside", (unsigned long long)seed, at, end, radius - distance);
        }
        if (hit.triangle < 0) {
            missed++;
            continue;
        }
        const vp_vec3 centre = at_time(&ray, hit.t), from = vp_vec3_scale(v[0], 1 - hit.u - hit.v),
                      point = vp_vec3_add(from, vp_vec3_add(vp_vec3_scale(v[1], hit.u), vp_vec3_scale(v[2], hit.v))),
                      apart = vp_vec3_sub(centre, point);
        const double distance = (double)contact_distance(centre, v);
        assert_true(hit.u >= -1e-6f && hit.v >= -1e-6f && hit.u + hit.v <= 1 + 1e-6f);
        assert_true(fabs(sqrt((double)vp_vec3_dot(apart, apart)) - distance) < 1e-4);
        if (hit.t > 0) {
            touched++;
            assert_true(fabs(distance - radius) < 1e-4);
        } else {
            started++;
            assert_true(distance <= radius + 1e-5);
        }
    }
    assert_true(touched > SEEDS / 5);
    assert_true(missed > SEEDS / 17);
    assert_true(started > SEEDS / 17);
}

/* docs/CONTRACT.md: SWP-3. vp_kd_sphere_sweep refuses such a radius before it calls a kernel. Kernels called directly return the answer of
 * an invalid ray, in every version and form. */
TEST(bad_radii)
{
    static const float bad[] = {-1.0f, -FLT_TRUE_MIN, NAN, 2.0f * VP_KD_MAX, INFINITY, -INFINITY};
    vp_random r = {1};
    vp_ray ray = {{0, 0, 0}, {1, 0, 0}, 1};
    vp_hit hit;
    test_triangles chunk;
    vp_kd *tree[TEST_MAX_TREES];
    test_table table[TEST_TABLES_MAX];
    const size_t tables = test_tables(table);
    test_chunk(&r, &chunk);
    const int trees = test_trees(&chunk.view, tree);
    assert_refused(vp_kd_sphere_sweep(tree[0], &ray, -1, &hit, &error), VP_E_ARGUMENT, "radius is -1");
    assert_refused(vp_kd_sphere_sweep(tree[0], &ray, NAN, &hit, &error), VP_E_ARGUMENT, "radius is");
    for (size_t t = 0; t < tables; t++)
        for (int f = 0; f < trees; f++) {
            const vp_kd_view *view = vp_kd_view_of(tree[f]);
            for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
                assert_int_equal(table[t].kernels.kd_sphere_sweep(view, &ray, bad[i]).triangle, VP_RAY_INVALID);
            const vp_hit none = table[t].kernels.kd_sphere_sweep(view, &ray, 0.0f),
                         minus = table[t].kernels.kd_sphere_sweep(view, &ray, -0.0f);
            assert_memory_equal(&minus, &none, sizeof none);
            assert_int_not_equal(none.triangle, VP_RAY_INVALID);
        }
    ray.direction.x = 0;
    assert_refused(vp_kd_sphere_sweep(tree[0], &ray, 1, &hit, &error), VP_E_ARGUMENT, "direction is (0, 0, 0)");
    test_trees_free(tree, trees);
    test_triangles_free(&chunk);
}

/* ---- needles ---- */

/* All trees must report the same sweep as testing every triangle. @return the triangle's number */
static vp_hit swept_by_all(const vp_triangles *t, const vp_ray *ray)
{
    vp_kd *tree[TEST_MAX_TREES];
    const int trees = test_trees(t, tree);
    const vp_hit want = test_first_touched(t, ray, 0.0f);
    for (int f = 0; f < trees; f++) {
        vp_hit got;
        assert_ok(vp_kd_sphere_sweep(tree[f], ray, 0.0f, &got, &error));
        assert_memory_equal(&got, &want, sizeof got);
    }
    test_trees_free(tree, trees);
    return want;
}

/* docs/CONTRACT.md: SWP-4. The ray ends at a corner of the first triangle and stays far from the second. The second is such a long needle
 * that only rounding errors are left of its equations' coefficients. They used to give a contact before t = 1. */
TEST(needles_are_not_touched_from_afar)
{
    static const vp_vec3 v[6] = {
        {-3396.802f, 239951.156f, 19677.2656f},       {-40777.9648f, .0417709835f, -22.5789318f},
        {-27.6289864f, 13162.457f, 640736.438f},      {915678.438f, -.423847646f, -.00239574676f},
        {-.00437453203f, .488381892f, .00615020609f}, {-9.32303333f, -.004848707f, -.00129580975f},
    };
    static const uint32_t index[6] = {0, 1, 2, 3, 4, 5};
    const vp_triangles both = {v, index, 6, 2, false}, second = {v, index + 3, 6, 1, false};
    const vp_ray ray = {{-26.8198509f, -.004848707f, -.00129580975f}, {-40751.1445f, .046619691f, -22.5776367f}, INFINITY};
    const vp_hit hit = swept_by_all(&both, &ray);
    assert_int_equal(hit.triangle, 0);
    assert_true(hit.t == 1.0f);
    /* The ray would have to rise along x to reach the second triangle, whose minimum is -9.3. */
    assert_int_equal(swept_by_all(&second, &ray).triangle, VP_NO_HIT);
}
