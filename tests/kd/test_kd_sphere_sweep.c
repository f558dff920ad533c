/* SPDX-License-Identifier: MIT */
/* Moving spheres: the first contact against distances that are computed in another way and sampled along the path, and trees against every
 * triangle (docs/CONTRACT.md: SWP-1 to SWP-7). */
#include "tests/support/check.h"
#include "tests/support/contact_oracle.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <float.h>
#include <math.h>

#include <voxphys/voxphys.h>

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

/* vp_kd_sphere_sweep refuses such a radius before it calls a kernel. Kernels called directly return the answer of an invalid ray, in every
 * version and form. */
static void kernels_refuse(vp_kd *const *tree, int trees, const vp_ray *ray)
{
    static const float bad[] = {-1.0f, -FLT_TRUE_MIN, NAN, 2.0f * VP_KD_MAX, INFINITY, -INFINITY};
    test_table table[TEST_TABLES_MAX];
    const size_t tables = test_tables(table);
    for (size_t t = 0; t < tables; t++)
        for (int f = 0; f < trees; f++) {
            const vp_kd_view *view = vp_kd_view_of(tree[f]);
            for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
                assert_int_equal(table[t].kernels.kd_sphere_sweep(view, ray, bad[i]).triangle, VP_RAY_INVALID);
            const vp_hit none = table[t].kernels.kd_sphere_sweep(view, ray, 0.0f),
                         minus = table[t].kernels.kd_sphere_sweep(view, ray, -0.0f);
            assert_memory_equal(&minus, &none, sizeof none);
            assert_int_not_equal(none.triangle, VP_RAY_INVALID);
        }
}

/* ---- contact by arithmetic ---- */

/* Whether a sphere that touches at t overlaps triangles at its start, because the least distance rounds to less than the radius. @return -1
 * = too close to decide */
static int overlaps_at_start(const vp_triangles *t, const vp_ray *ray, float radius, float at)
{
    long double least = INFINITY, most = radius;
    if (at != 0 || radius == 0)
        return 0;
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        vp_vec3 corner[3];
        test_corners(t, i, corner);
        least = fminl(least, contact_distance(ray->origin, corner));
        for (int k = 0; k < 3; k++)
            most = fmaxl(most, fabsl((long double)corner[k].x) + fabsl((long double)corner[k].y) + fabsl((long double)corner[k].z));
    }
    const long double rounds_up = ((long double)nextafterf(radius, 0) + radius) / 2;
    return fabsl(least - rounds_up) <= most * 0x1p-30L ? -1 : least < rounds_up;
}

/* Every tree reports the same hit, and it agrees with the distances. @return whether the sphere overlapped at the start */
static bool expect_contact(vp_kd *const *tree, int trees, const vp_triangles *t, const vp_ray *ray, float radius, const vp_hit *hit)
{
    const vp_sphere_contact contact = vp_kd_sphere_contact(tree[0], ray, radius, hit);
    for (int f = 1; f < trees; f++) {
        const vp_sphere_contact same = vp_kd_sphere_contact(tree[f], ray, radius, hit);
        assert_memory_equal(&same.centre, &contact.centre, sizeof same.centre);
        assert_memory_equal(&same.point, &contact.point, sizeof same.point);
        assert_memory_equal(&same.normal, &contact.normal, sizeof same.normal);
        assert_memory_equal(&same.depth, &contact.depth, sizeof same.depth);
        assert_int_equal(same.started_inside, contact.started_inside);
    }
    vp_vec3 corner[3];
    test_corners(t, (uint32_t)hit->triangle, corner);
    contact_expect(corner, ray, radius, hit->t, &contact);
    for (uint32_t i = 0; hit->t == 0 && i < t->triangle_count; i++) { /* the nearest one, within a needle's error */
        vp_vec3 other[3];
        test_corners(t, i, other);
        assert_true(contact_distance(ray->origin, corner) <= contact_distance(ray->origin, other) * (1 + 0x1p-10L) + 0x1p-20L);
    }
    const int inside = overlaps_at_start(t, ray, radius, hit->t);
    assert_true(inside < 0 || inside == contact.started_inside);
    return contact.started_inside;
}

/* All trees must report the same sweep as testing every triangle. @return that result */
static vp_hit swept_by_all(vp_kd *const *tree, int trees, const vp_triangles *t, const vp_ray *ray, float radius, const char *what,
                           unsigned long long seed)
{
    const vp_hit want = test_first_touched(t, ray, radius);
    for (int f = 0; f < trees; f++) {
        vp_hit got;
        assert_ok(vp_kd_sphere_sweep(tree[f], ray, radius, &got, &error));
        if (memcmp(&got, &want, sizeof got) != 0)
            fail_msg("%s %llu, tree %d: triangle %d t %.9g, by every triangle %d %.9g", what, seed, f, got.triangle, (double)got.t,
                     want.triangle, (double)want.t);
    }
    return want;
}

/* docs/CONTRACT.md: SWP-1, SWP-3, SWP-5, SWP-6, SWP-7 */
TEST(trees_find_the_first)
{
    uint32_t hits = 0, sweeps = 0, inside = 0;
    for (uint64_t seed = 1; seed <= 7; seed++) {
        vp_random r = {seed};
        test_triangles set[TEST_MESHES];
        test_meshes(seed, set);
        for (int s = 0; s < TEST_MESHES; s++) {
            vp_kd *tree[TEST_MAX_TREES];
            int trees = test_trees(&set[s].view, tree);
            for (uint32_t i = 0; i < (s == 4 ? 6u : 32u); i++) {
                vp_ray ray = test_ray(&r, &set[s].view);
                float radius = vp_random_below(&r, 5) == 0 ? 0.0f : vp_random_between(&r, 0.0f, 3.0f);
                const vp_hit want = swept_by_all(tree, trees, &set[s].view, &ray, radius, "a mesh", seed);
                sweeps++;
                hits += want.triangle >= 0;
                if (want.triangle >= 0)
                    inside += expect_contact(tree, trees, &set[s].view, &ray, radius, &want);
            }
            vp_hit hit;
            vp_ray ray = {{0, 0, 0}, {1, 0, 0}, 1};
            assert_refused(vp_kd_sphere_sweep(tree[0], &ray, -1, &hit, &error), VP_E_ARGUMENT, "radius is -1");
            assert_refused(vp_kd_sphere_sweep(tree[0], &ray, NAN, &hit, &error), VP_E_ARGUMENT, "radius is");
            kernels_refuse(tree, trees, &ray);
            ray.direction.x = 0;
            assert_refused(vp_kd_sphere_sweep(tree[0], &ray, 1, &hit, &error), VP_E_ARGUMENT, "direction is (0, 0, 0)");
            test_trees_free(tree, trees);
        }
        test_meshes_free(set);
    }
    assert_in_range(hits, sweeps / 4, sweeps);
    assert_in_range(inside, hits / 20, hits * 9 / 10);
}

/* ---- needles ---- */

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
    vp_kd *tree[TEST_MAX_TREES];
    int trees = test_trees(&both, tree);
    const vp_hit hit = swept_by_all(tree, trees, &both, &ray, 0.0f, "two needles", 0);
    assert_int_equal(hit.triangle, 0);
    assert_true(hit.t == 1.0f);
    test_trees_free(tree, trees);
    /* The ray would have to rise along x to reach the second triangle, whose minimum is -9.3. */
    trees = test_trees(&second, tree);
    assert_int_equal(swept_by_all(tree, trees, &second, &ray, 0.0f, "the second needle", 0).triangle, VP_NO_HIT);
    test_trees_free(tree, trees);
}
