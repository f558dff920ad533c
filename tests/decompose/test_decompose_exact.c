/* SPDX-License-Identifier: MIT */
/* Errors over all points of the surface (docs/CONTRACT.md: DEC-14). The oracle casts rays from many points of every triangle, near the best
 * of them from more, and finds the solid by solid angles. It shares no code with src/decompose. */
#include <stdio.h>
#include "datasets/generate/shapes.h"
#include "tests/decompose/shapes.h"
#include "tests/support/threads.h"

static small_mesh m;

/* ---- the oracle ---- */

static void corner_of(const small_mesh *mesh, uint32_t t, int k, double out[3])
{
    const vp_vec3 p = mesh->point[mesh->triangle[t][k]];
    out[0] = (double)p.x;
    out[1] = (double)p.y;
    out[2] = (double)p.z;
}

static bool normal_of(const small_mesh *mesh, uint32_t t, double out[3])
{
    double a[3], b[3], c[3];
    corner_of(mesh, t, 0, a);
    corner_of(mesh, t, 1, b);
    corner_of(mesh, t, 2, c);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
    }
    const double size = sqrt(dot3(out, out));
    for (int k = 0; k < 3; k++)
        out[k] /= size;
    return size > 0.0;
}

/* The winding number of a closed mesh around a point: the sum of its triangles' solid angles, in turns. */
static double wind(const small_mesh *mesh, const double p[3])
{
    double sum = 0.0;
    for (uint32_t t = 0; t < mesh->triangles; t++) {
        double v[3][3], size[3];
        for (int k = 0; k < 3; k++) {
            corner_of(mesh, t, k, v[k]);
            for (int axis = 0; axis < 3; axis++)
                v[k][axis] -= p[axis];
            size[k] = sqrt(dot3(v[k], v[k]));
        }
        const double volume = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                              v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        sum += 2 * atan2(volume, size[0] * size[1] * size[2] + dot3(v[0], v[1]) * size[2] + dot3(v[1], v[2]) * size[0] +
                                     dot3(v[2], v[0]) * size[1]);
    }
    return sum / (4 * 3.14159265358979323846);
}

/* The length of a ray ("Rays of samples" in docs/kernels/decompose.md). 0 = it has none. */
static double length_of(const vp_hull *hull, const double x[3], const double along[3], double s)
{
    double in = 0.0, out = INFINITY, deep_in = 0.0, deep_out = INFINITY;
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const double height = dot3(hull->plane[f], x) - hull->plane[f][3], rise = dot3(hull->plane[f], along);
        if (rise == 0.0 && height > -s)
            return 0.0;
        if (rise > 0.0) {
            out = fmin(out, -height / rise);
            deep_out = fmin(deep_out, -(height + s) / rise);
        }
        if (rise < 0.0) {
            in = fmax(in, -height / rise);
            deep_in = fmax(deep_in, -(height + s) / rise);
        }
    }
    return in <= s && deep_in < deep_out ? out : 0.0;
}

/* Finds the longest ray of a triangle into a hull from points of a grid in a part of the triangle. @param middle  receives the best one */
static double search_grid(const small_mesh *mesh, uint32_t t, const vp_hull *hull, double s, double middle[2], double radius, int steps)
{
    double a[3], b[3], c[3], n[3], best = 0.0, at[2] = {middle[0], middle[1]};
    corner_of(mesh, t, 0, a);
    corner_of(mesh, t, 1, b);
    corner_of(mesh, t, 2, c);
    if (!normal_of(mesh, t, n))
        return 0.0;
    for (int i = -steps; i <= steps; i++)
        for (int k = -steps; k <= steps; k++) {
            const double u = middle[0] + i * radius / steps, v = middle[1] + k * radius / steps;
            double x[3], before[3];
            if (u < 0.0 || v < 0.0 || u + v > 1.0)
                continue;
            for (int axis = 0; axis < 3; axis++) {
                x[axis] = a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]);
                before[axis] = x[axis] + s * n[axis];
            }
            const double length = length_of(hull, x, n, s);
            if (length > best && wind(mesh, before) < 0.5) {
                best = length;
                at[0] = u;
                at[1] = v;
            }
        }
    middle[0] = at[0];
    middle[1] = at[1];
    return best;
}

static double longest_ray(const small_mesh *mesh, const vp_hull *hull, double s, int steps)
{
    double longest = 0.0;
    for (uint32_t t = 0; t < mesh->triangles; t++) {
        double middle[2] = {0.5, 0.5}, radius = 0.5;
        double best = search_grid(mesh, t, hull, s, middle, radius, steps);
        for (int round = 0; round < 8 && best > 0.0 && best > 0.5 * longest; round++) {
            radius *= 0.25;
            best = fmax(best, search_grid(mesh, t, hull, s, middle, radius, 5));
        }
        longest = fmax(longest, best);
    }
    return longest;
}

TEST(look)
{
    static const struct { const char *name; double grain; } shape[] = {{"solid-l", 1000}, {"solid-plate-l", 1000}, {"solid-arch", 250}, {"solid-gear", 250}, {"solid-torus", 200}, {"solid-crossed", 1000}, {"solid-curved-wall", 500}, {"solid-pit", 1000}};
    for (int i = 0; i < 8; i++) {
        make_shape(shape[i].name, shape[i].grain, 1.0, &m);
        vp_decomposition_def def = def_of(&m);
        vp_decomposition d;
        def.exact = true;
        def.surface_only = getenv("SO") != NULL;
        assert_ok(vp_decomposition_create(&def, &d, &error));
        expect_sound(shape[i].name, &def, &d);
        printf("%s: %u triangles %u hulls\n", shape[i].name, m.triangles, d.hull_count);
        double worst = 0, least = 0;
        for (uint32_t h = 0; h < d.hull_count; h++) {
            const double longest = d.hull[h].hull.dimension == 3 ? longest_ray(&m, &d.hull[h].hull, d.lengths.quantization, 20) : 0;
            if (d.hull[h].by != VP_DECOMPOSITION_BY_AREA) { worst = fmax(worst, longest - d.hull[h].error); least = fmax(least, d.hull[h].error - longest); }
        }
        printf("   worst above %g, below %g\n", worst, least);
        vp_decomposition_destroy(&d);
    }
}
