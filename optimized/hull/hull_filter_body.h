/* SPDX-License-Identifier: MIT */
/* Drops points that cannot be vertices, on vectors of floats. The algorithm of reference/hull/filter.c.
 *
 * Idea. hull_body.h makes the hull of a sample. The cells of a cube's surface, each with a linear function, describe
 * the inside of that hull. So a point costs a division, one to four numbers looked up, and their products, however many
 * faces the sample's hull has. Everything is in floats, because the result need not be sharp: quickhull drops a point
 * that is kept needlessly. One number, the maximum of a cell's function, decides most points. The others are collected
 * until they fill a vector, without a branch a point.
 *
 * Layout. Points are read as given, WIDE at a time, and separated in registers. The tables, four numbers for each
 * cell, are at most 24 KiB, so they stay in a level 1 cache. Points that are kept are written one by one, because
 * they are few.
 *
 * The decisive instructions are the gather (vgatherdps of AVX-512), a lookup a lane, and the compression (vcompressps),
 * for the points that one number does not decide. Elsewhere lanes are loaded one by one, which is still faster than
 * comparing with planes. AVX2 compresses by a table of places, NEON writes each lane and the next one over it. The same
 * vectors make the cells, as the maximum of the faces' functions at a vector of nodes.
 *
 * Cost: some 40 instructions for WIDE points, one of them a gather, and 12 bytes read a point. */
#ifndef VP_OPTIMIZED_HULL_HULL_FILTER_BODY_H
#define VP_OPTIMIZED_HULL_HULL_FILTER_BODY_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <voxphys/kernel/hull.h>

#include "src/core/exact.h"
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
    float x[2 * WIDE], y[2 * WIDE], z[2 * WIDE];
    uint32_t id[2 * WIDE], count;
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
    for (int i = 0; i < nodes; i += VECTORS * WIDE) {
        floats most[VECTORS], us[VECTORS], vs[VECTORS];
        for (int k = 0; k < VECTORS; k++) {
            most[k] = floats_set(-INFINITY);
            us[k] = floats_load(u + i + k * WIDE);
            vs[k] = floats_load(v + i + k * WIDE);
        }
        for (uint32_t f = 0; f < faces; f++) {
            const floats on = floats_set(face[f][axis] * w), by_u = floats_set(face[f][p]), by_v = floats_set(face[f][q]);
            for (int k = 0; k < VECTORS; k++) {
                const floats g = floats_add(floats_add(on, floats_mul(by_u, us[k])), floats_mul(by_v, vs[k]));
                most[k] = floats_choose(floats_above(g, most[k]), most[k], g);
            }
        }
        for (int k = 0; k < VECTORS; k++)
            floats_store(out + i + k * WIDE, most[k]);
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
    _Static_assert(4 * WIDE <= 64, "vectors of nodes are stepped through four at a time, beyond the last node");
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

/* Bits of those of WIDE points that may be outside. The coarse test uses the cell's maximum for all of it, one number
 * instead of three. */
VP_INLINE uint32_t filter_outside(const filter_frame *f, const filter_cells *cells, floats x, floats y, floats z, const bool coarsely)
{
    const floats zero = floats_set(0.0f), one = floats_set(1.0f), along = floats_set((float)cells->along);
    const floats d0 = floats_mul(floats_sub(x, floats_set(f->middle[0])), floats_set(f->scale[0]));
    const floats d1 = floats_mul(floats_sub(y, floats_set(f->middle[1])), floats_set(f->scale[1]));
    const floats d2 = floats_mul(floats_sub(z, floats_set(f->middle[2])), floats_set(f->scale[2]));
    const floats s0 = floats_size(d0), s1 = floats_size(d1), s2 = floats_size(d2);
    const floats_mask is1 = floats_above(s1, s0);
    const floats s01 = floats_choose(is1, s0, s1);
    const floats_mask is2 = floats_above(s2, s01);
    const floats d = floats_choose(is2, floats_choose(is1, d0, d1), d2);
    const floats u = floats_choose(is2, floats_choose(is1, d1, d2), d0), v = floats_choose(is2, floats_choose(is1, d2, d0), d1);
    const floats largest = floats_choose(is2, s01, s2), tiny = floats_set(0x1p-60f);
    const floats w = floats_choose(floats_above(largest, tiny), tiny, largest),
                 per_w = floats_div(floats_set((float)cells->along / 2.0f), w);
    floats side = floats_choose(is2, floats_choose(is1, zero, floats_set(2.0f)), floats_set(4.0f));
    side = floats_choose(floats_above(zero, d), side, floats_add(side, one));
    const floats middle = floats_set((float)cells->along / 2.0f), last = floats_set((float)cells->along - 0.5f);
    floats i = floats_add(floats_mul(u, per_w), middle), j = floats_add(floats_mul(v, per_w), middle);
    i = floats_choose(floats_above(i, last), i, last);
    j = floats_choose(floats_above(j, last), j, last);
    i = floats_whole(floats_choose(floats_above(zero, i), i, zero));
    j = floats_whole(floats_choose(floats_above(zero, j), j, zero));
    const floats cell = floats_add(floats_mul(floats_add(floats_mul(side, along), j), along), i);
    const floats g = coarsely ? floats_mul(floats_at(cells->most, cell), w)
                              : floats_add(floats_add(floats_mul(floats_at(cells->a, cell), u), floats_mul(floats_at(cells->b, cell), v)),
                                           floats_mul(floats_at(cells->c, cell), w));
    return ~floats_bits(floats_above(floats_set(filter_below), g)) & (uint32_t)((UINT64_C(1) << WIDE) - 1);
}

/* Keeps those of the first WIDE collected points that may be outside, and moves the rest of the collection to the
 * front. @return the number of kept points */
static uint32_t filter_some_more(const vp_hull_filtering *to, const filter_frame *f, const filter_cells *cells, filter_some *some,
                                 uint32_t kept)
{
    const uint32_t count = some->count < WIDE ? some->count : WIDE, all = (uint32_t)((UINT64_C(1) << count) - 1);
    uint32_t set = filter_outside(f, cells, floats_load(some->x), floats_load(some->y), floats_load(some->z), false) & all;
    for (; set != 0; set &= set - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(set);
        to->kept[kept] = (vp_vec3){some->x[k], some->y[k], some->z[k]};
        to->from[kept++] = some->id[k];
    }
    floats_store(some->x, floats_load(some->x + WIDE));
    floats_store(some->y, floats_load(some->y + WIDE));
    floats_store(some->z, floats_load(some->z + WIDE));
    rounds_store(some->id, rounds_load(some->id + WIDE));
    some->count -= count;
    return kept;
}

static uint32_t filter_points(const vp_hull_filtering *to, const filter_frame *f, const filter_cells *cells)
{
    uint32_t kept = 0;
    filter_some some = {.count = 0};
    for (uint32_t i = 0; i < to->count; i += WIDE) {
        const uint32_t count = to->count - i < WIDE ? to->count - i : WIDE;
        vp_vec3 last[WIDE];
        const vp_vec3 *from = to->point + i;
        floats x, y, z;
        if (count < WIDE) {
            for (uint32_t k = 0; k < WIDE; k++)
                last[k] = from[k < count ? k : 0];
            from = last;
        }
        floats_split(&from->x, &x, &y, &z);
        const uint32_t all = (uint32_t)((UINT64_C(1) << count) - 1), set = filter_outside(f, cells, x, y, z, true) & all;
        if (set == 0)
            continue;
        floats_append(some.x + some.count, set, x);
        floats_append(some.y + some.count, set, y);
        floats_append(some.z + some.count, set, z);
        places_append(some.id + some.count, set, i);
        some.count += (uint32_t)__builtin_popcount(set);
        if (some.count >= WIDE)
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
    vp_hull_triangle *triangle = piece_of(&at, vp_hull3_most_triangles(count) * sizeof *triangle);
    float(*face)[3] = piece_of(&at, vp_hull3_most_triangles(count) * sizeof *face);
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
