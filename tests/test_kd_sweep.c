/* SPDX-License-Identifier: MIT */
/* Moving spheres: the first contact against distances, computed in another way and looked at all along the path; trees against
 * every triangle. */
#include "tests/support/check.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include <voxphys/voxphys.h>

typedef struct vec {
    double x, y, z;
} vec;

static vec vec_of(vp_vec3 v)
{
    return (vec){v.x, v.y, v.z};
}

static vec mix(vec a, double wa, vec b, double wb)
{
    return (vec){a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb};
}

static double product(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double apart(vec a, vec b)
{
    vec d = mix(a, 1, b, -1);
    return sqrt(product(d, d));
}

/* The distance of a point from a segment, by bisection: it falls and then rises along it. */
static double from_segment(vec p, vec a, vec b)
{
    double low = 0, high = 1;
    for (int i = 0; i < 80; i++) {
        double one = low + (high - low) / 3, two = high - (high - low) / 3;
        if (apart(p, mix(a, 1 - one, b, one)) < apart(p, mix(a, 1 - two, b, two)))
            high = two;
        else
            low = one;
    }
    return apart(p, mix(a, 1 - low, b, low));
}

/* The distance from a triangle: of segments from its first corner's side, again by bisection. */
static double from_triangle(vec p, const vec c[3])
{
    double low = 0, high = 1, at_low, at_high;
    for (int i = 0; i < 60; i++) {
        double one = low + (high - low) / 3, two = high - (high - low) / 3;
        at_low = from_segment(p, mix(c[0], 1 - one, c[1], one), mix(c[0], 1 - one, c[2], one));
        at_high = from_segment(p, mix(c[0], 1 - two, c[1], two), mix(c[0], 1 - two, c[2], two));
        if (at_low < at_high)
            high = two;
        else
            low = one;
    }
    return from_segment(p, mix(c[0], 1 - low, c[1], low), mix(c[0], 1 - low, c[2], low));
}

static void contacts_are_the_first(void **state)
{
    (void)state; /* docs/CONTRACT.md: SWP-2 */
#ifdef TEST_THIN
    enum { SEEDS = 100 };
#else
    enum { SEEDS = 500 };
#endif
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
        const vec c[3] = {vec_of(v[0]), vec_of(v[1]), vec_of(v[2])};
        double end = hit.triangle >= 0 ? hit.t : 2.0;
        for (int i = 0; end > 0 && i < 40; i++) {
            double at = end * i / 40;
            double distance = from_triangle(mix(vec_of(o), 1, vec_of(d), at), c);
            if (distance < radius - 1e-5)
                fail_msg("seed %llu: at %g of %g the sphere is %g inside", (unsigned long long)seed, at, end,
                         radius - distance);
        }
        if (hit.triangle < 0) {
            missed++;
            continue;
        }
        vec centre = mix(vec_of(o), 1, vec_of(d), hit.t);
        vec point = mix(mix(c[0], 1 - (double)hit.u - hit.v, c[1], hit.u), 1, c[2], hit.v);
        double distance = from_triangle(centre, c);
        assert_true(hit.u >= -1e-6f && hit.v >= -1e-6f && hit.u + hit.v <= 1 + 1e-6f);
        assert_true(fabs(apart(centre, point) - distance) < 1e-4);
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

/* vp_kd_sphere_sweep asks no kernel with such a radius; who does has an invalid ray's answer, by every version and of every form. */
static void kernels_refuse(vp_kd *const *tree, int trees, const vp_ray *ray)
{
    static const float bad[] = {-1.0f, -FLT_TRUE_MIN, NAN, 2.0f * VP_KD_MOST, INFINITY, -INFINITY};
    test_table table[TEST_TABLES_MAX];
    const size_t tables = test_tables(table);
    for (size_t t = 0; t < tables; t++)
        for (int f = 0; f < trees; f++) {
            const vp_kd_view *view = vp_kd_view_of(tree[f]);
            for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
                assert_int_equal(table[t].kernels.kd_sweep(view, ray, bad[i]).triangle, VP_RAY_INVALID);
            const vp_hit none = table[t].kernels.kd_sweep(view, ray, 0.0f), minus = table[t].kernels.kd_sweep(view, ray, -0.0f);
            assert_memory_equal(&minus, &none, sizeof none);
            assert_int_not_equal(none.triangle, VP_RAY_INVALID);
        }
}

static void trees_find_the_first(void **state)
{
    (void)state; /* docs/CONTRACT.md: SWP-1, SWP-3 */
    uint32_t hits = 0, sweeps = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        vp_random r = {seed};
        test_triangles set[4];
        test_soup(&r, 1 + vp_random_below(&r, 200), &set[0]);
        test_heap(&r, 1 + vp_random_below(&r, 40), &set[1]);
        test_lattice_soup(&r, 1 + vp_random_below(&r, 100), &set[2]);
        test_chunk(&r, &set[3]);
        for (int s = 0; s < 4; s++) {
            vp_kd *tree[TEST_MOST_TREES];
            int trees = test_trees(&set[s].view, tree);
            for (uint32_t i = 0; i < (s == 3 ? 6u : 40u); i++) {
                vp_ray ray = test_ray(&r, &set[s].view);
                float radius = vp_random_below(&r, 5) == 0 ? 0.0f : vp_random_between(&r, 0.0f, 3.0f);
                vp_hit want = test_first_touched(&set[s].view, &ray, radius);
                sweeps++;
                hits += want.triangle >= 0;
                for (int f = 0; f < trees; f++) {
                    vp_hit got;
                    assert_ok(vp_kd_sphere_sweep(tree[f], &ray, radius, &got, &error));
                    if (memcmp(&got, &want, sizeof got) != 0)
                        fail_msg("seed %llu sweep %u tree %d: triangle %d t %.9g, by every triangle %d %.9g",
                                 (unsigned long long)seed, i, f, got.triangle, (double)got.t, want.triangle, (double)want.t);
                }
            }
            vp_hit hit;
            vp_ray ray = {{0, 0, 0}, {1, 0, 0}, 1};
            assert_refused(vp_kd_sphere_sweep(tree[0], &ray, -1, &hit, &error), VP_E_ARGUMENT, "radius is -1");
            assert_refused(vp_kd_sphere_sweep(tree[0], &ray, NAN, &hit, &error), VP_E_ARGUMENT, "radius is");
            kernels_refuse(tree, trees, &ray);
            ray.direction.x = 0;
            assert_refused(vp_kd_sphere_sweep(tree[0], &ray, 1, &hit, &error), VP_E_ARGUMENT, "direction is (0, 0, 0)");
            test_trees_free(tree, trees);
            test_triangles_free(&set[s]);
        }
    }
    assert_in_range(hits, sweeps / 4, sweeps);
}

/* ---- needles ---- */

/* What all trees say of a sweep must be what every triangle says. @return that */
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

/* The ray goes to a corner of the first triangle and stays far from the second, a needle so long that all that is left of its
   equations' coefficients are rounding errors: they had a contact before t = 1. */
static void needles_are_not_touched_from_afar(void **state)
{
    (void)state; /* docs/CONTRACT.md: SWP-4 */
    static const vp_vec3 v[6] = {
        {-3396.802f, 239951.156f, 19677.2656f},      {-40777.9648f, .0417709835f, -22.5789318f},
        {-27.6289864f, 13162.457f, 640736.438f},     {915678.438f, -.423847646f, -.00239574676f},
        {-.00437453203f, .488381892f, .00615020609f}, {-9.32303333f, -.004848707f, -.00129580975f},
    };
    static const uint32_t index[6] = {0, 1, 2, 3, 4, 5};
    const vp_triangles both = {v, index, 6, 2, false}, second = {v, index + 3, 6, 1, false};
    const vp_ray ray = {{-26.8198509f, -.004848707f, -.00129580975f}, {-40751.1445f, .046619691f, -22.5776367f}, INFINITY};
    vp_kd *tree[TEST_MOST_TREES];
    int trees = test_trees(&both, tree);
    const vp_hit hit = swept_by_all(tree, trees, &both, &ray, 0.0f, "two needles", 0);
    assert_int_equal(hit.triangle, 0);
    assert_true(hit.t == 1.0f);
    test_trees_free(tree, trees);
    /* It would have to go up along x to come to the second, whose least is -9.3. */
    trees = test_trees(&second, tree);
    assert_int_equal(swept_by_all(tree, trees, &second, &ray, 0.0f, "the second needle", 0).triangle, VP_NO_HIT);
    test_trees_free(tree, trees);
}

/* Of either sign, all powers of two from `low` to `high` alike. */
static float of_any_size(vp_random *r, int low, int high)
{
    const float size = ldexpf(1.0f + vp_random_unit(r), low + (int)vp_random_below(r, (uint32_t)(high - low)));
    return vp_random_below(r, 2) == 0 ? -size : size;
}

static vp_vec3 point_of_any_size(vp_random *r, int low, int high)
{
    vp_vec3 p;
    p.x = of_any_size(r, low, high);
    p.y = of_any_size(r, low, high);
    p.z = of_any_size(r, low, high);
    return p;
}

/* Towards a corner or in any direction, from anywhere or from beside a corner; often in the plane of some of its coordinates. */
static vp_ray ray_at_needles(vp_random *r, const test_triangles *t, int low, int high)
{
    const vp_vec3 a = t->vertex[vp_random_below(r, t->view.vertex_count)], b = t->vertex[vp_random_below(r, t->view.vertex_count)];
    vp_ray ray = {point_of_any_size(r, low, high), point_of_any_size(r, low, high), INFINITY};
    const uint32_t as_b = vp_random_below(r, 8);
    ray.origin.x = (as_b & 1) != 0 ? b.x : ray.origin.x;
    ray.origin.y = (as_b & 2) != 0 ? b.y : ray.origin.y;
    ray.origin.z = (as_b & 4) != 0 ? b.z : ray.origin.z;
    const vp_vec3 to_a = vp_vec3_sub(a, ray.origin);
    if (vp_random_below(r, 4) != 0 && (to_a.x != 0.0f || to_a.y != 0.0f || to_a.z != 0.0f))
        ray.direction = to_a;
    if (vp_random_below(r, 4) == 0)
        ray.t_max = vp_random_between(r, 0.0f, 2.0f);
    return ray;
}

/* Two or three triangles of corners of all sizes, which makes most of them needles. */
static void trees_agree_on_needles(void **state)
{
    (void)state;
#ifdef TEST_THIN
    enum { SETS = 200, SWEEPS = 16 };
#else
    enum { SETS = 800, SWEEPS = 16 };
#endif
    static const int range[2][2] = {{-20, 30}, {-99, 40}};
    for (int kind = 0; kind < 2; kind++) {
        uint32_t hits = 0;
        for (uint64_t seed = 1; seed <= SETS; seed++) {
            const int low = range[kind][0], high = range[kind][1];
            vp_random r = {seed};
            vp_vec3 v[9];
            uint32_t index[9];
            const uint32_t count = 2 + vp_random_below(&r, 2);
            for (uint32_t i = 0; i < 3 * count; i++) {
                v[i] = point_of_any_size(&r, low, high);
                index[i] = i;
            }
            const test_triangles t = {{v, index, 3 * count, count, false}, v, index};
            vp_kd *tree[TEST_MOST_TREES];
            const int trees = test_trees(&t.view, tree);
            for (int i = 0; i < SWEEPS; i++) {
                const vp_ray ray = ray_at_needles(&r, &t, low, high);
                const float radius = vp_random_below(&r, 2) == 0 ? 0.0f : fabsf(of_any_size(&r, low, high));
                hits += swept_by_all(tree, trees, &t.view, &ray, radius, kind == 0 ? "needles" : "any sizes", seed).triangle >= 0;
            }
            test_trees_free(tree, trees);
        }
        assert_in_range(hits, SETS * SWEEPS / 8, SETS * SWEEPS * 7 / 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_the_first),
        cmocka_unit_test(trees_find_the_first),
        cmocka_unit_test(needles_are_not_touched_from_afar),
        cmocka_unit_test(trees_agree_on_needles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
