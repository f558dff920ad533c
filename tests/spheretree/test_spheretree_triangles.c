/* SPDX-License-Identifier: MIT */
/* Triangles, boxes, spheres and rays that just touch or just miss each other. The corpus has exact answers of scenes (docs/CONTRACT.md:
 * SPH-2, SPH-3, SPH-4, SPH-5). */
#include "tests/support/check.h"

#include <math.h>

#include <voxphys/spheretree.h>

#include "datasets/random.h"
#include "src/spheretree/ray_sphere.h"
#include "src/spheretree/touch.h"

#ifdef TEST_THIN
enum { ROUNDS = 200 / TEST_THIN };
#else
enum { ROUNDS = 1000 };
#endif

static vp_vec3 point_between(vp_random *r, float low, float high)
{
    vp_vec3 p; /* one draw per statement, to fix their order */
    p.x = vp_random_between(r, low, high);
    p.y = vp_random_between(r, low, high);
    p.z = vp_random_between(r, low, high);
    return p;
}

static void triangles_and_boxes(void **state)
{
    (void)state; /* docs/CONTRACT.md: SPH-4 */
    const vp_vec3 t[3] = {{-1, 5, 5}, {9, 5, 5}, {4, 9, 5}};
    const vp_aabb half = {{2, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
                  behind = {{10, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
                  through = {{3, 6, -INFINITY}, {3.5f, 6.5f, INFINITY}};
    assert_true(vp_triangle_touches_box(t, &half) && !vp_triangle_touches_box(t, &behind) && vp_triangle_touches_box(t, &through));
}

static void triangles_and_spheres(void **state)
{
    (void)state; /* docs/CONTRACT.md: SPH-3 */
    const vp_vec3 t[3] = {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}}, segment[3] = {{0, 0, 0}, {8, 0, 0}, {4, 0, 0}},
                  point[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    const struct {
        const vp_vec3 *triangle;
        vp_sphere sphere;
        bool touches;
    } of[] = {{t, {{2, 2, 3}, 3}, true}, /* its face, barely */
              {t, {{2, 2, 3}, 2.99999f}, false},
              {t, {{4, -3, 4}, 5}, true}, /* an edge */
              {t, {{4, -3, 4}, 4.99999f}, false},
              {t, {{-2, -3, -6}, 7}, true}, /* a corner */
              {t, {{-2, -3, -6}, 6.99999f}, false},
              {t, {{1, 1, 0}, 0}, true},
              {t, {{5, 5, 0}, 0}, false},
              {segment, {{4, 3, 4}, 5}, true},
              {segment, {{11, 4, 0}, 5}, true},
              {segment, {{11, 4, 0}, 4.99999f}, false},
              {point, {{1, 4, 5}, 5}, true},
              {point, {{1, 4, 5}, 4.99999f}, false}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        assert_int_equal(vp_triangle_touches_sphere(of[i].triangle, &of[i].sphere), of[i].touches);
}

static bool meet(vp_ray ray, vp_sphere sphere, float *t)
{
    vp_ray_frame frame = {.unscale = 0};
    vp_meeting m = {0};
    assert_true(vp_ray_frame_of(&ray, &frame));
    const bool met = vp_ray_meets_sphere(&frame, &sphere, &m);
    *t = m.t;
    return met;
}

static void rays_and_spheres(void **state)
{
    (void)state; /* docs/CONTRACT.md: SPH-5 */
    const vp_sphere unit = {{10, 0, 0}, 2};
    float t;
    assert_true(meet((vp_ray){{0, 0, 0}, {1, 0, 0}, INFINITY}, unit, &t) && t == 8);
    assert_true(meet((vp_ray){{0, 0, 0}, {4, 0, 0}, 2}, unit, &t) && t == 2);         /* at its very end */
    assert_false(meet((vp_ray){{0, 0, 0}, {4, 0, 0}, 1.9999f}, unit, &t));            /* in front */
    assert_false(meet((vp_ray){{0, 0, 0}, {-1, 0, 0}, INFINITY}, unit, &t));          /* past the end */
    assert_true(meet((vp_ray){{9, 0, 0}, {-1, 0, 0}, 0}, unit, &t) && t == 0);        /* from inside */
    assert_true(meet((vp_ray){{12, 0, 0}, {1, 0, 0}, INFINITY}, unit, &t) && t == 0); /* from the surface, outwards */
    assert_true(meet((vp_ray){{0, 2, 0}, {1, 0, 0}, INFINITY}, unit, &t) && t == 10); /* tangent */
    assert_false(meet((vp_ray){{0, 2.000001f, 0}, {1, 0, 0}, INFINITY}, unit, &t));
    assert_true(meet((vp_ray){{0, 0, 0}, {1, 0, 0}, INFINITY}, (vp_sphere){{3, 0, 0}, 0}, &t) && t == 3); /* a point */
    /* A million times its size away, it is still hit and missed correctly. */
    const vp_sphere far = {{1000000, 0, 0}, 1};
    assert_true(meet((vp_ray){{0, 0.999f, 0}, {1, 0, 0}, INFINITY}, far, &t));
    assert_false(meet((vp_ray){{0, 1.001f, 0}, {1, 0, 0}, INFINITY}, far, &t));

    /* The point at t is on the sphere except for rounding, and no earlier point of the ray is inside. */
    vp_random r = {23};
    uint32_t met = 0;
    for (uint32_t i = 0; i < 20 * ROUNDS; i++) {
        vp_sphere s;
        s.centre = point_between(&r, -9, 9);
        s.radius = vp_random_between(&r, 0, 4);
        const vp_ray ray = {{0, 0, 0}, point_between(&r, -1, 1), INFINITY};
        const double d[3] = {(double)ray.direction.x, (double)ray.direction.y, (double)ray.direction.z},
                     c[3] = {(double)s.centre.x, (double)s.centre.y, (double)s.centre.z};
        const double dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], cd = c[0] * d[0] + c[1] * d[1] + c[2] * d[2],
                     cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        const double gap = (cd > 0 ? sqrt(fmax(cc - cd * cd / dd, 0)) : sqrt(cc)) - (double)s.radius;
        if (dd < 1e-6 || fabs(gap) < 1e-9)
            continue;
        assert_int_equal(meet(ray, s, &t), gap < 0);
        if (gap > 0)
            continue;
        const double at[3] = {d[0] * (double)t - c[0], d[1] * (double)t - c[1], d[2] * (double)t - c[2]};
        const double reach = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        assert_true(t == 0 ? reach <= (double)s.radius : fabs(reach - (double)s.radius) < 1e-4 && (double)t <= cd / dd * (1 + 1e-6));
        met++;
    }
    assert_in_range(met, ROUNDS / 4, 20 * ROUNDS);
}

/* A tree returns every hit of its mesh, even if coordinates are so small that every operation rounds to a multiple of 2^-149. The bound of
 * the first triangle begins past the hit. */
static void rays_and_tiny_triangles(void **state)
{
    (void)state; /* docs/CONTRACT.md: SPH-2 */
    static const int first[3][3] = {{0, 0, 7}, {1, 0, 7}, {-29, 11, -6}}, from[3] = {0, 0, 11}, along[3] = {7, 0, -19};
    static const uint32_t index[3] = {0, 1, 2};
    vp_random r = {29};
    uint32_t met = 0;
    for (uint32_t i = 0; i < 4 * ROUNDS; i++) {
        float n[5][3];
        for (int p = 0; p < 5; p++)
            for (int k = 0; k < 3; k++)
                n[p][k] = ldexpf((float)(i > 0    ? (int)vp_random_below(&r, 64) - 32
                                         : p < 3  ? first[p][k]
                                         : p == 3 ? from[k]
                                                  : along[k]),
                                 -149);
        vp_vec3 corner[3], at[2];
        for (int p = 0; p < 5; p++)
            *(p < 3 ? &corner[p] : &at[p - 3]) = (vp_vec3){n[p][0], n[p][1], n[p][2]};
        vp_ray ray = {at[0], i > 0 ? vp_vec3_sub(corner[i % 3], at[0]) : at[1], INFINITY};
        vp_ray_frame frame = {.unscale = 0};
        vp_meeting m;
        if (!vp_ray_frame_of(&ray, &frame) || !vp_ray_meets(&frame, n[0], n[1], n[2], &m))
            continue;
        const vp_triangles mesh = {.vertex = corner, .index = index, .vertex_count = 3, .triangle_count = 1};
        const vp_spheretree_def def = {.room = 1};
        vp_spheretree *tree;
        uint32_t id;
        vp_spheretree_hit hit;
        assert_ok(vp_spheretree_create(&def, &tree, &error));
        assert_ok(vp_spheretree_insert_mesh(tree, &mesh, 0, 1, &id, &error));
        ray.t_max = m.t; /* so the bound must be hit, and not later than the triangle */
        assert_ok(vp_spheretree_ray(tree, &ray, NULL, &hit, &error));
        assert_true(hit.item.object == id && hit.t == m.t);
        vp_spheretree_destroy(tree);
        met++;
    }
    assert_in_range(met, ROUNDS, 4 * ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(triangles_and_boxes), cmocka_unit_test(triangles_and_spheres),
                                       cmocka_unit_test(rays_and_spheres), cmocka_unit_test(rays_and_tiny_triangles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
