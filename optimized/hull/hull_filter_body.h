/* SPDX-License-Identifier: MIT */
/* Drops points that cannot be vertices, on vectors of floats. The algorithm of reference/hull/filter.c.
 *
 * Idea. hull_body.h makes the hull of a sample. The cells of a cube's surface, each with a linear function, describe
 * the inside of that hull. So a point costs a division, one to four numbers looked up, and their products, however many
 * faces the sample's hull has. Everything is in floats, because the result need not be sharp: quickhull drops a point
 * that is kept needlessly. One number, the maximum of a cell's function, decides most points. The others are collected
 * until they fill a vector, without a branch a point.
 *
 * Layout. Points are read as given, F32N at a time, and separated in registers. The tables, four numbers for each
 * cell, are at most 24 KiB, so they stay in a level 1 cache. Points that are kept are written one by one, because
 * they are few.
 *
 * The decisive instructions are the gather (vgatherdps of AVX-512), a lookup a lane, and the compression (vcompressps),
 * for the points that one number does not decide. Elsewhere lanes are loaded one by one, which is still faster than
 * comparing with planes. AVX2, NEON and WebAssembly compress by a table of permutations. The same
 * vectors make the cells, as the maximum of the faces' functions at a vector of nodes.
 *
 * Cost: some 40 instructions for F32N points, one of them a gather, and 12 bytes read a point. */
#ifndef VP_OPTIMIZED_HULL_HULL_FILTER_BODY_H
#define VP_OPTIMIZED_HULL_HULL_FILTER_BODY_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <voxphys/kernel/hull.h>

#include "src/core/exact.h"
#include "optimized/simd/native.h"
#include "src/core/inline.h"

enum { FILTER_FIRST = 128, FILTER_CELLS = 16, FILTER_NODES = (FILTER_CELLS + 1) * (FILTER_CELLS + 1), FILTER_SIDES = 6 };

typedef struct filter_frame {
    float middle[3], scale[3];
} filter_frame;

typedef struct filter_cells {
    float *a, *b, *c; /* sides one after the other, rows of v, u in a row */
    float *most;      /* the maximum of each cell's function */
    int along;
} filter_cells;

/* Collected points that the coarse test did not decide. */
typedef struct filter_some {
    float x[2 * F32N], y[2 * F32N], z[2 * F32N];
    uint32_t id[2 * F32N], count;
} filter_some;

static const float filter_below = 1.0f - 0x1p-11f;

static vp_vec3 filter_place(const filter_frame *f, vp_vec3 p)
{
    return (vp_vec3){(p.x - f->middle[0]) * f->scale[0], (p.y - f->middle[1]) * f->scale[1], (p.z - f->middle[2]) * f->scale[2]};
}

static uint32_t filter_sample(const vp_hull_filtering *to, uint32_t count, vp_vec3 *sample, vp_hull_triangle *triangle, void *scratch)
{
    vp_hull_bounds bounds;
    for (uint32_t i = 0; i < count; i++)
        sample[i] = to->point[(uint64_t)i * to->count / count];
    hull_bounds(sample, count, &bounds);
    const vp_hull3_job build = {.point = sample,
                                .count = count,
                                .bounds = &bounds,
                                .flat = to->flat,
                                .max_work = to->max_work != 0 ? to->max_work : UINT64_MAX,
                                .scratch = scratch,
                                .triangle = triangle};
    const vp_hull3_result built = hull3(&build);
    return built.dimension == 3 && built.triangles < count / 8 * 7 ? built.triangles : 0;
}

static bool filter_find_frame(const vp_hull_bounds *bounds, const vp_vec3 *sample, const vp_hull_triangle *triangle, uint32_t triangles,
                              filter_frame *f)
{
    const float side[3] = {bounds->max.x - bounds->min.x, bounds->max.y - bounds->min.y, bounds->max.z - bounds->min.z};
    double sum[3] = {0.0, 0.0, 0.0};
    int least = INT32_MAX, most = INT32_MIN;
    for (int k = 0; k < 3; k++) {
        int exponent;
        if (!(side[k] >= 0x1p-100f && side[k] <= 0x1p+100f))
            return false;
        frexpf(side[k], &exponent);
        f->scale[k] = ldexpf(1.0f, 1 - exponent);
        least = exponent < least ? exponent : least;
        most = exponent > most ? exponent : most;
    }
    for (uint32_t t = 0; t < triangles; t++)
        for (int i = 0; i < 3; i++) {
            const vp_vec3 p = sample[triangle[t].vertex[i]];
            sum[0] += (double)p.x;
            sum[1] += (double)p.y;
            sum[2] += (double)p.z;
        }
    for (int k = 0; k < 3; k++)
        f->middle[k] = (float)(sum[k] / (3.0 * triangles));
    return most - least <= 10;
}

static double filter_find_faces(const filter_frame *f, const vp_vec3 *sample, const vp_hull_triangle *triangle, uint32_t triangles,
                                float (*face)[3])
{
    double least = INFINITY; /* a square */
    for (uint32_t t = 0; t < triangles; t++) {
        const vp_vec3 a = filter_place(f, sample[triangle[t].vertex[0]]);
        double n[3];
        vp_normal3(a, filter_place(f, sample[triangle[t].vertex[1]]), filter_place(f, sample[triangle[t].vertex[2]]), n);
        const double square = dot3(n, n), off = (n[0] * (double)a.x + n[1] * (double)a.y) + n[2] * (double)a.z;
        if (!(off > 0.0))
            return 0.0;
        least = off * off / square < least ? off * off / square : least;
        for (int k = 0; k < 3; k++)
            face[t][k] = (float)(n[k] / off);
    }
    return sqrt(least);
}

static void filter_find_nodes(float (*face)[3], uint32_t faces, int side, const float *u, const float *v, int nodes, float *out)
{
    enum { VECTORS = 4 };
    const int axis = side / 2, p = (axis + 1) % 3, q = (axis + 2) % 3;
    const float w = side % 2 == 0 ? 1.0f : -1.0f;
    for (int i = 0; i < nodes; i += VECTORS * F32N) {
        f32n most[VECTORS], us[VECTORS], vs[VECTORS];
        for (int k = 0; k < VECTORS; k++) {
            most[k] = f32n_set1(-INFINITY);
            us[k] = f32n_load(u + i + k * F32N);
            vs[k] = f32n_load(v + i + k * F32N);
        }
        for (uint32_t f = 0; f < faces; f++) {
            const f32n on = f32n_set1(face[f][axis] * w), by_u = f32n_set1(face[f][p]), by_v = f32n_set1(face[f][q]);
            for (int k = 0; k < VECTORS; k++) {
                const f32n g = f32n_add(f32n_add(on, f32n_mul(by_u, us[k])), f32n_mul(by_v, vs[k]));
                most[k] = f32n_select(f32n_cmp_gt(g, most[k]), g, most[k]);
            }
        }
        for (int k = 0; k < VECTORS; k++)
            f32n_store(out + i + k * F32N, most[k]);
    }
}

/* Maximum of a cell's function at its corners. */
static float filter_highest(const filter_cells *cells, int cell, float u0, float v0, float u1, float v1)
{
    const float a0 = cells->a[cell] * u0, a1 = cells->a[cell] * u1, b0 = cells->b[cell] * v0, b1 = cells->b[cell] * v1;
    return ((a0 > a1 ? a0 : a1) + (b0 > b1 ? b0 : b1)) + cells->c[cell];
}

static void filter_find_cells(float (*face)[3], uint32_t faces, filter_cells *cells)
{
    enum { ROOM = FILTER_NODES + 64 };
    _Static_assert(4 * F32N <= 64, "vectors of nodes are stepped through four at a time, beyond the last node");
    const int along = cells->along, nodes = along + 1;
    const float size = 2.0f / (float)along, half = 1.0f / (2.0f * size);
    float u[ROOM], v[ROOM], node[ROOM];
    memset(u, 0, sizeof u);
    memset(v, 0, sizeof v);
    for (int i = 0; i < nodes * nodes; i++) {
        u[i] = (float)(i % nodes) * size - 1.0f;
        v[i] = (float)(i / nodes) * size - 1.0f;
    }
    for (int side = 0; side < FILTER_SIDES; side++) {
        filter_find_nodes(face, faces, side, u, v, nodes * nodes, node);
        for (int j = 0; j < along; j++)
            for (int i = 0; i < along; i++) {
                const int n = j * nodes + i, cell = (side * along + j) * along + i;
                const float g0 = node[n], g1 = node[n + 1], g2 = node[n + nodes], g3 = node[n + nodes + 1];
                const float a = ((g1 - g0) + (g3 - g2)) * half, b = ((g2 - g0) + (g3 - g1)) * half;
                const float c0 = g0 - (a * u[n] + b * v[n]), c1 = g1 - (a * u[n + 1] + b * v[n]), c2 = g2 - (a * u[n] + b * v[n + nodes]),
                            c3 = g3 - (a * u[n + 1] + b * v[n + nodes]);
                const float low = c0 > c1 ? c0 : c1, high = c2 > c3 ? c2 : c3;
                cells->a[cell] = a;
                cells->b[cell] = b;
                cells->c[cell] = low > high ? low : high;
                cells->most[cell] = filter_highest(cells, cell, u[n], v[n], u[n + 1], v[n + nodes]);
            }
    }
}

/* Bits of those of F32N points that may be outside. The coarse test uses the cell's maximum for all of it, one number
 * instead of three. */
VP_INLINE uint32_t filter_outside(const filter_frame *f, const filter_cells *cells, f32n x, f32n y, f32n z, const bool coarsely)
{
    const f32n zero = f32n_set1(0.0f), one = f32n_set1(1.0f), along = f32n_set1((float)cells->along);
    const f32n d0 = f32n_mul(f32n_sub(x, f32n_set1(f->middle[0])), f32n_set1(f->scale[0]));
    const f32n d1 = f32n_mul(f32n_sub(y, f32n_set1(f->middle[1])), f32n_set1(f->scale[1]));
    const f32n d2 = f32n_mul(f32n_sub(z, f32n_set1(f->middle[2])), f32n_set1(f->scale[2]));
    const f32n s0 = f32n_abs(d0), s1 = f32n_abs(d1), s2 = f32n_abs(d2);
    const m32n is1 = f32n_cmp_gt(s1, s0);
    const f32n s01 = f32n_select(is1, s1, s0);
    const m32n is2 = f32n_cmp_gt(s2, s01);
    const f32n d = f32n_select(is2, d2, f32n_select(is1, d1, d0));
    const f32n u = f32n_select(is2, d0, f32n_select(is1, d2, d1)), v = f32n_select(is2, d1, f32n_select(is1, d0, d2));
    const f32n largest = f32n_select(is2, s2, s01), tiny = f32n_set1(0x1p-60f);
    const f32n w = f32n_select(f32n_cmp_gt(largest, tiny), largest, tiny), per_w = f32n_div(f32n_set1((float)cells->along / 2.0f), w);
    f32n side = f32n_select(is2, f32n_set1(4.0f), f32n_select(is1, f32n_set1(2.0f), zero));
    side = f32n_select(f32n_cmp_gt(zero, d), f32n_add(side, one), side);
    const f32n middle = f32n_set1((float)cells->along / 2.0f), last = f32n_set1((float)cells->along - 0.5f);
    f32n i = f32n_add(f32n_mul(u, per_w), middle), j = f32n_add(f32n_mul(v, per_w), middle);
    i = f32n_select(f32n_cmp_gt(i, last), last, i);
    j = f32n_select(f32n_cmp_gt(j, last), last, j);
    i = i32n_to_f32(f32n_to_i32(f32n_select(f32n_cmp_gt(zero, i), zero, i)));
    j = i32n_to_f32(f32n_to_i32(f32n_select(f32n_cmp_gt(zero, j), zero, j)));
    const i32n at = f32n_to_i32(f32n_add(f32n_mul(f32n_add(f32n_mul(side, along), j), along), i));
    const f32n g = coarsely ? f32n_mul(f32n_gather(cells->most, at), w)
                            : f32n_add(f32n_add(f32n_mul(f32n_gather(cells->a, at), u), f32n_mul(f32n_gather(cells->b, at), v)),
                                       f32n_mul(f32n_gather(cells->c, at), w));
    return ~m32n_movemask(f32n_cmp_gt(f32n_set1(filter_below), g)) & (uint32_t)((UINT64_C(1) << F32N) - 1);
}

/* Keeps those of the first F32N collected points that may be outside, and moves the rest of the collection to the
 * front. @return the number of kept points */
static uint32_t filter_some_more(const vp_hull_filtering *to, const filter_frame *f, const filter_cells *cells, filter_some *some,
                                 uint32_t kept)
{
    const uint32_t count = some->count < F32N ? some->count : F32N, all = (uint32_t)((UINT64_C(1) << count) - 1);
    uint32_t set = filter_outside(f, cells, f32n_load(some->x), f32n_load(some->y), f32n_load(some->z), false) & all;
    for (; set != 0; set &= set - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(set);
        to->kept[kept] = (vp_vec3){some->x[k], some->y[k], some->z[k]};
        to->from[kept++] = some->id[k];
    }
    f32n_store(some->x, f32n_load(some->x + F32N));
    f32n_store(some->y, f32n_load(some->y + F32N));
    f32n_store(some->z, f32n_load(some->z + F32N));
    i32n_store(some->id, i32n_load(some->id + F32N));
    some->count -= count;
    return kept;
}

static uint32_t filter_points(const vp_hull_filtering *to, const filter_frame *f, const filter_cells *cells)
{
    uint32_t kept = 0;
    filter_some some = {.count = 0};
    for (uint32_t i = 0; i < to->count; i += F32N) {
        const uint32_t count = to->count - i < F32N ? to->count - i : F32N;
        vp_vec3 last[F32N];
        const vp_vec3 *from = to->point + i;
        f32n x, y, z;
        if (count < F32N) {
            for (uint32_t k = 0; k < F32N; k++)
                last[k] = from[k < count ? k : 0];
            from = last;
        }
        f32n_load3(&from->x, &x, &y, &z);
        const uint32_t all = (uint32_t)((UINT64_C(1) << count) - 1), set = filter_outside(f, cells, x, y, z, true) & all;
        if (set == 0)
            continue;
        f32n_compress_store(some.x + some.count, set, x);
        f32n_compress_store(some.y + some.count, set, y);
        f32n_compress_store(some.z + some.count, set, z);
        i32n_compress_store(some.id + some.count, set, i32n_add(i32n_iota(), i32n_set1((int32_t)i)));
        some.count += (uint32_t)__builtin_popcount(set);
        if (some.count >= F32N)
            kept = filter_some_more(to, f, cells, &some, kept);
    }
    return filter_some_more(to, f, cells, &some, kept);
}

static uint32_t hull_filter(const vp_hull_filtering *to)
{
    const double fat = 1.0 / 64.0, times_flat = 64.0;
    if (to->count < VP_HULL_FILTER_MIN)
        return 0;
    const uint32_t count = vp_hull_filter_sample(to->count);
    char *at = to->scratch;
    vp_vec3 *sample = piece_of(&at, count * sizeof *sample);
    vp_hull_triangle *triangle = piece_of(&at, vp_hull3_max_triangles(count) * sizeof *triangle);
    float(*face)[3] = piece_of(&at, vp_hull3_max_triangles(count) * sizeof *face);
    filter_cells cells = {.along = to->count < 65536 ? FILTER_CELLS / 2 : FILTER_CELLS};
    cells.a = piece_of(&at, FILTER_SIDES * FILTER_CELLS * FILTER_CELLS * sizeof *cells.a);
    cells.b = piece_of(&at, FILTER_SIDES * FILTER_CELLS * FILTER_CELLS * sizeof *cells.b);
    cells.c = piece_of(&at, FILTER_SIDES * FILTER_CELLS * FILTER_CELLS * sizeof *cells.c);
    cells.most = piece_of(&at, FILTER_SIDES * FILTER_CELLS * FILTER_CELLS * sizeof *cells.most);
    filter_frame f;
    if (count > FILTER_FIRST && filter_sample(to, FILTER_FIRST, sample, triangle, at) == 0)
        return 0;
    const uint32_t faces = filter_sample(to, count, sample, triangle, at);
    if (faces == 0 || !filter_find_frame(to->bounds, sample, triangle, faces, &f))
        return 0;
    const double least = filter_find_faces(&f, sample, triangle, faces, face);
    for (int k = 0; k < 3; k++)
        if (!(least >= fat) || !(least / (double)f.scale[k] >= times_flat * to->flat))
            return 0;
    filter_find_cells(face, faces, &cells);
    return filter_points(to, &f, &cells);
}

#endif
