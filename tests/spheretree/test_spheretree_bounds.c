/* SPDX-License-Identifier: MIT */
/* Merged spheres, and spheres around meshes, contain their parts in exact arithmetic and are hardly larger than necessary
 * (docs/CONTRACT.md: SPH-1, SPH-6). */
#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/kernels.h>
#include <voxphys/spheretree.h>

#include "datasets/random.h"
#include "tests/spheretree/exact.h"

enum { ROUNDS = IS_THIN ? 20000 / THIN_BY : 200000 };

static vp_sphere meld(vp_sphere a, vp_sphere b)
{
    vp_kernels kernels;
    vp_sphere out;
    assert_ok(vp_kernels_named("scalar", &kernels, &error));
    kernels.scene_meld(&a, &b, 1, &out);
    return out;
}

/* Numbers of very different magnitudes, and numbers that are close together. */
static float any(vp_random *r, int spread)
{
    const int exponent = (int)vp_random_below(r, (uint32_t)(2 * spread + 1)) - spread;
    return ldexpf(vp_random_between(r, -1, 1), exponent);
}

static vp_sphere any_sphere(vp_random *r, int spread)
{
    vp_sphere s;
    s.centre.x = any(r, spread);
    s.centre.y = any(r, spread);
    s.centre.z = any(r, spread);
    s.radius = fabsf(any(r, spread));
    return s;
}

/* docs/CONTRACT.md: SPH-1 */
TEST(melded_spheres_hold_both)
{
    exact_spheres e;
    vp_random r = {11};
    uint32_t outer = 0;
    exact_begin(&e);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        static const int spreads[] = {0, 3, 30, 59};
        const int spread = spreads[i % 4];
        vp_sphere a = any_sphere(&r, spread), b = any_sphere(&r, spread);
        if (i % 8 >= 6) { /* one nearly touches the other from inside */
            b.radius = fabsf(a.radius - sqrtf(fabsf(a.centre.x - b.centre.x) * fabsf(a.centre.x - b.centre.x)));
            b.centre.y = a.centre.y;
            b.centre.z = a.centre.z;
        }
        if (i % 16 == 5)
            b.centre = a.centre;
        const vp_sphere m = meld(a, b);
        assert_true(exact_holds(&e, &m, &a) && exact_holds(&e, &m, &b));
        if (memcmp(&m, &a, sizeof m) == 0 || memcmp(&m, &b, sizeof m) == 0) {
            outer++;
            continue;
        }
        vp_sphere less = m; /* two floats smaller is too small */
        less.radius = nextafterf(nextafterf(m.radius, 0), 0);
        assert_false(exact_holds(&e, &less, &a) && exact_holds(&e, &less, &b));
        /* and the smallest possible sphere is smaller only by the centre's rounding and two ulps */
        const double x = (double)b.centre.x - (double)a.centre.x, y = (double)b.centre.y - (double)a.centre.y,
                     z = (double)b.centre.z - (double)a.centre.z;
        const double least =
            fmax((sqrt(x * x + y * y + z * z) + (double)a.radius + (double)b.radius) / 2, fmax((double)a.radius, (double)b.radius));
        const double most = fmax(fmax(fabs((double)m.centre.x), fabs((double)m.centre.y)), fabs((double)m.centre.z));
        assert_true((double)m.radius <= least * (1 + 0x1p-22) + most * 0x1p-23 + 0x1p-148);
    }
    exact_end(&e);
    assert_in_range(outer, ROUNDS / 20, ROUNDS);
}

/* docs/CONTRACT.md: SPH-6 */
TEST(bounds_of_meshes)
{
    enum { MOST = 300 };
    exact_spheres e;
    vp_random r = {12};
    vp_vec3 vertex[MOST];
    uint32_t index[MOST * 3];
    exact_begin(&e);
    for (uint32_t round = 0; round < ROUNDS / 500; round++) {
        const uint32_t count = 1 + vp_random_below(&r, MOST), triangles = 1 + vp_random_below(&r, MOST);
        const int spread = round % 3 == 0 ? 0 : round % 3 == 1 ? 8 : 39;
        for (uint32_t i = 0; i < count; i++)
            vertex[i] = any_sphere(&r, spread).centre;
        for (uint32_t i = 0; i < triangles * 3; i++)
            index[i] = vp_random_below(&r, count);
        const vp_triangles mesh = {.vertex = vertex, .index = index, .vertex_count = count, .triangle_count = triangles};
        vp_sphere bound;
        double apart = 0, most = 0;
        assert_ok(vp_spheretree_mesh_bound(&mesh, &bound, &error));
        for (uint32_t i = 0; i < triangles * 3; i++) {
            const vp_vec3 p = vertex[index[i]], q = vertex[index[0]];
            assert_true(exact_within(&e, p, bound.centre, bound.radius, 0));
            const double x = (double)p.x - (double)q.x, y = (double)p.y - (double)q.y, z = (double)p.z - (double)q.z;
            apart = fmax(apart, sqrt(x * x + y * y + z * z));
            most = fmax(most, fmax(fabs((double)p.x), fmax(fabs((double)p.y), fabs((double)p.z))));
        }
        /* A sphere around one corner whose radius is the distance of the farthest other corner contains all. So the smallest sphere is no
         * larger. The bound exceeds it by at most a quarter and its centre's rounding. */
        assert_true((double)bound.radius <= apart * 1.25 + most * 0x1p-22);
    }
    exact_end(&e);
    /* a cube: the smallest sphere */
    const vp_vec3 cube[8] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0}, {0, 0, 2}, {2, 0, 2}, {0, 2, 2}, {2, 2, 2}};
    const uint32_t corner[9] = {0, 1, 2, 3, 4, 5, 6, 7, 7};
    const vp_triangles mesh = {.vertex = cube, .index = corner, .vertex_count = 8, .triangle_count = 3};
    vp_sphere bound;
    assert_ok(vp_spheretree_mesh_bound(&mesh, &bound, &error));
    assert_true(bound.centre.x == 1 && bound.centre.y == 1 && bound.centre.z == 1 && fabsf(bound.radius - sqrtf(3)) < 1e-6f);
}

TEST(refused_meshes)
{
    const vp_vec3 vertex[3] = {{0, 0, 0}, {0, NAN, 0}, {3e12f, 0, 0}};
    const uint32_t nan[3] = {0, 0, 1}, far[3] = {0, 2, 0}, beyond[3] = {0, 7, 0};
    vp_triangles mesh = {.vertex = vertex, .index = nan, .vertex_count = 3, .triangle_count = 1};
    vp_sphere bound;
    assert_refused(vp_spheretree_mesh_bound(&mesh, &bound, &error), VP_E_ARGUMENT, "nan");
    mesh.index = far;
    assert_refused(vp_spheretree_mesh_bound(&mesh, &bound, &error), VP_E_ARGUMENT, "3e+12");
    mesh.index = beyond;
    assert_refused(vp_spheretree_mesh_bound(&mesh, &bound, &error), VP_E_ARGUMENT, "vertex 7 of 3");
    mesh.triangle_count = 0;
    assert_refused(vp_spheretree_mesh_bound(&mesh, &bound, &error), VP_E_ARGUMENT, "0 triangles");
    mesh.triangle_count = 3;
    mesh.quads = true;
    assert_refused(vp_spheretree_mesh_bound(&mesh, &bound, &error), VP_E_ARGUMENT, "3 triangles");
}

/* The box around children's boxes is the smallest around its centre but for rounding, and all versions compute the same (docs/CONTRACT.md:
 * SPH-9). */
TEST(bounds_of_boxes)
{
    static const char *const isas[] = {"scalar", "avx2", "avx512", "neon", "plain", "simd128"};
    enum { CHILDREN = VP_SPHERETREE_WIDTH };
    vp_random r = {13};
    for (uint32_t i = 0; i < ROUNDS / 20; i++) {
        vp_spheretree_wide_node node;
        vp_spheretree_wide_box box;
        vp_sphere first = {{0, 0, 0}, 0};
        vp_vec3 first_half = {0, 0, 0};
        const uint32_t count = 1 + vp_random_below(&r, CHILDREN);
        double low = INFINITY, high = -INFINITY;
        for (uint32_t k = 0; k < CHILDREN; k++) {
            const vp_sphere s = any_sphere(&r, 8);
            node.x[k] = s.centre.x;
            node.y[k] = s.centre.y;
            node.z[k] = s.centre.z;
            node.radius[k] = k < count ? s.radius : NAN;
            node.child[k] = k;
            box.x[k] = k < count ? s.radius * vp_random_unit(&r) : NAN;
            box.y[k] = box.z[k] = node.radius[k];
            low = k < count ? fmin(low, (double)node.x[k] - (double)box.x[k]) : low;
            high = k < count ? fmax(high, (double)node.x[k] + (double)box.x[k]) : high;
        }
        for (size_t v = 0; v < sizeof isas / sizeof isas[0]; v++) {
            vp_kernels kernels;
            vp_sphere bound;
            vp_vec3 half;
            if (vp_kernels_named(isas[v], &kernels, NULL) != VP_OK)
                continue;
            kernels.scene_bound(&node, &box, 1, &bound, &half);
            if (v == 0) {
                first = bound;
                first_half = half;
            }
            assert_memory_equal(&bound, &first, sizeof bound);
            assert_memory_equal(&half, &first_half, sizeof half);
        }
        const double centre = (double)first.centre.x, reach = (double)first_half.x, size = fmax(fabs(low), fabs(high));
        assert_true(centre - reach <= low && high <= centre + reach);
        assert_true(reach <= (high - low) / 2 + size * 0x1p-19 + 0x1p-69);
    }
}
