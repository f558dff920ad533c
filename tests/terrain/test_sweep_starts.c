/* SPDX-License-Identifier: MIT */
/* Sphere sweeps that start in contact. The triangle is the nearest one, by distances in long double to every triangle. Contact point,
 * contact normal and penetration depth are those of that triangle. */
#include "tests/support/check.h"
#include "tests/support/contact_oracle.h"
#include "tests/support/forms.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/triangles.h"

#include <math.h>

#include <voxphys/voxphys.h>

#ifdef TEST_DEEP
enum { PLACES = 100000 };
#elif defined TEST_THIN
enum { PLACES = 800 };
#else
enum { PLACES = 2500 };
#endif

/* ---- brute force ---- */

/* The least distance, and the error of a computed distance. */
typedef struct nearest {
    long double distance, slack;
    uint32_t lowest; /* number of the first triangle in contact */
    uint32_t count;  /* triangles in contact */
} nearest;

static bool is_beyond(float a, float b, float c, double low, double high)
{
    return (a < low && b < low && c < low) || (a > high && b > high && c > high);
}

static bool is_far(vp_vec3 p, double radius, const vp_vec3 c[3])
{
    return is_beyond(c[0].x, c[1].x, c[2].x, p.x - radius, p.x + radius) || is_beyond(c[0].y, c[1].y, c[2].y, p.y - radius, p.y + radius) ||
           is_beyond(c[0].z, c[1].z, c[2].z, p.z - radius, p.z + radius);
}

static long double length3(vp_vec3 v)
{
    return sqrtl((long double)v.x * v.x + (long double)v.y * v.y + (long double)v.z * v.z);
}

/* Extra error for a needle. Its weights are lost in binary64, but its edges are not. */
static long double needle_slack(const vp_vec3 c[3])
{
    const vp_vec3 ab = vp_vec3_sub(c[1], c[0]), ac = vp_vec3_sub(c[2], c[0]), bc = vp_vec3_sub(c[2], c[1]);
    const long double x = (long double)ab.y * ac.z - (long double)ab.z * ac.y, y = (long double)ab.z * ac.x - (long double)ab.x * ac.z,
                      z = (long double)ab.x * ac.y - (long double)ab.y * ac.x;
    const long double area = sqrtl(x * x + y * y + z * z), length = fmaxl(fmaxl(length3(ab), length3(ac)), length3(bc));
    const long double height = length > 0 ? area / length : 0, thinness = length / height;
    return height > 0 ? fminl(height, 0x1p-50L * length * thinness * thinness) : 0;
}

static nearest find_nearest(const vp_triangles *t, vp_vec3 centre, float radius)
{
    nearest n = {INFINITY, 0, 0, 0};
    long double needles = 0;
    long double most = fmaxl(fmaxl(fabsf(centre.x), fabsf(centre.y)), fmaxl(fabsf(centre.z), radius));
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        vp_vec3 corner[3];
        test_corners(t, i, corner);
        if (is_far(centre, radius * 1.0000001, corner))
            continue;
        for (int c = 0; c < 3; c++)
            most = fmaxl(most, fmaxl(fmaxl(fabsf(corner[c].x), fabsf(corner[c].y)), fabsf(corner[c].z)));
        const long double distance = contact_distance(centre, corner);
        needles = fmaxl(needles, needle_slack(corner));
        if (distance <= radius && n.count++ == 0)
            n.lowest = i;
        n.distance = fminl(n.distance, distance);
    }
    n.slack = most * 0x1p-30L + needles;
    return n;
}

/* ---- places ---- */

static vp_vec3 random_vector(vp_random *r, float most)
{
    vp_vec3 v;
    v.x = vp_random_between(r, -most, most);
    v.y = vp_random_between(r, -most, most);
    v.z = vp_random_between(r, -most, most);
    return v;
}

static float length_of(vp_vec3 v)
{
    return sqrtf(vp_vec3_dot(v, v));
}

/* A centre near a point of a triangle, and a radius that usually reaches it. */
static vp_ray random_start(vp_random *r, const vp_triangles *t, float *radius)
{
    vp_vec3 c[3];
    test_corners(t, vp_random_below(r, t->triangle_count), c);
    const float u = vp_random_unit(r), v = vp_random_unit(r) * (1 - u);
    const float size = fmaxf(length_of(vp_vec3_sub(c[1], c[0])), length_of(vp_vec3_sub(c[2], c[0]))) + 0x1p-10f;
    const vp_vec3 on = vp_vec3_add(vp_vec3_add(vp_vec3_scale(c[0], 1 - u - v), vp_vec3_scale(c[1], u)), vp_vec3_scale(c[2], v));
    const vp_vec3 off = random_vector(r, vp_random_below(r, 8) == 0 ? 0 : size / 2);
    vp_ray ray = {vp_vec3_add(on, off), random_vector(r, 1), vp_random_below(r, 3) == 0 ? 0 : INFINITY};
    ray.direction.z += ray.direction.z == 0;
    *radius = length_of(off) * vp_random_between(r, 0.9f, 1.5f) + size * 0x1p-8f;
    return ray;
}

/* ---- one answer ---- */

/* @return whether the sphere clearly starts in contact */
static bool expect_nearest(const vp_triangles *t, const vp_ray *ray, float radius, const nearest *n, int32_t triangle, const vp_hit *hit,
                           const vp_sphere_contact *contact)
{
    if (!(n->distance < radius - n->slack))
        return false;
    vp_vec3 corner[3];
    assert_in_range(triangle, 0, t->triangle_count - 1);
    test_corners(t, (uint32_t)triangle, corner);
    const long double distance = contact_distance(ray->origin, corner);
    if (hit->t != 0 || distance > n->distance * (1 + 0x1p-23L) + n->slack)
        fail_msg("from (%a, %a, %a), radius %a: triangle %d, t %g, is %.9Lg away; the nearest is %.9Lg away", (double)ray->origin.x,
                 (double)ray->origin.y, (double)ray->origin.z, (double)radius, triangle, (double)hit->t, distance, n->distance);
    contact_expect(corner, ray, radius, hit->t, contact); /* centre, point and normal */
    assert_true(fabsl(contact->depth - (radius - distance)) <= n->slack + radius * 0x1p-23L);
    assert_int_equal(contact->started_inside, contact->depth > 0);
    assert_true(contact->started_inside || radius - n->distance <= n->slack + radius * 0x1p-24L);
    return true;
}

/* ---- trees ---- */

static void trees_return_the_nearest(void **state)
{
    (void)state; /* docs/CONTRACT.md: SWP-2, SWP-5, SWP-6, SWP-7 */
    uint32_t starts = 0, several = 0, not_lowest = 0;
    vp_random r = {31};
    for (uint64_t seed = 1; starts < PLACES; seed++) {
        test_triangles set[TEST_MESHES];
        test_meshes(seed, set);
        for (int s = 0; s < TEST_MESHES; s++) {
            const vp_triangles *t = &set[s].view;
            vp_kd *tree[TEST_MAX_TREES];
            const int trees = test_trees(t, tree);
            for (int i = 0; i < 64; i++) {
                float radius;
                const vp_ray ray = random_start(&r, t, &radius);
                const nearest n = find_nearest(t, ray.origin, radius);
                vp_hit first, hit;
                assert_ok(vp_kd_sphere_sweep(tree[i % trees], &ray, radius, &first, &error));
                for (int f = 0; f < trees && i % 16 == 0; f++) {
                    assert_ok(vp_kd_sphere_sweep(tree[f], &ray, radius, &hit, &error));
                    assert_memory_equal(&hit, &first, sizeof hit);
                }
                const vp_sphere_contact contact = vp_kd_sphere_contact(tree[i % trees], &ray, radius, &first);
                if (!expect_nearest(t, &ray, radius, &n, first.triangle, &first, &contact))
                    continue;
                starts++;
                several += n.count > 1;
                not_lowest += first.triangle != (int32_t)n.lowest;
            }
            test_trees_free(tree, trees);
        }
        test_meshes_free(set);
    }
    assert_in_range(several, starts / 2, starts);
    assert_in_range(not_lowest, starts / 8, starts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_return_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
