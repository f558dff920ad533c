/* SPDX-License-Identifier: MIT */
/* Steps of the hull kernels, between marks. bench/static-models reads them. */
#if defined(VP_MODEL_avx2)
#include "optimized/hull/hull_avx2.c"
#define LANES_TEXT "4"
#define TWICE_TEXT "8"
#define WIDE_TEXT  "8"
#elif defined(VP_MODEL_avx512)
#include "optimized/hull/hull_avx512.c"
#define LANES_TEXT "8"
#define TWICE_TEXT "16"
#define WIDE_TEXT  "16"
#else
#include "optimized/hull/hull_neon.c"
#define LANES_TEXT "2"
#define TWICE_TEXT "4"
#define WIDE_TEXT  "4"
#endif

#include "src/core/model_marks.h"

/* The loop of furthest_of. */
void step_furthest(const float *px, const float *py, const float *pz, uint32_t count, const hull_plane *plane, double most_at[2 * F64N]);
void step_furthest(const float *px, const float *py, const float *pz, uint32_t count, const hull_plane *plane, double most_at[2 * F64N])
{
    const hull_plane p = *plane;
    f64n most = f64n_set1(-INFINITY), at = f64n_set1(0.0), place = f64n_iota();
    for (uint32_t i = 0; i < count; i += F64N) {
        VP_MODEL_BEGIN("hull3: the furthest above a plane/" LANES_TEXT " points");
        const f64n h = along_plane(&p, f64n_load_f32(px + i), f64n_load_f32(py + i), f64n_load_f32(pz + i));
        const m64n further = f64n_cmp_gt(h, most);
        most = f64n_select(further, h, most);
        at = f64n_select(further, place, at);
        place = f64n_add(place, f64n_set1((double)F64N));
        VP_MODEL_END();
    }
    f64n_store(most_at, most);
    f64n_store(most_at + F64N, at);
}

/* The loop of compare_some over planes, for two vectors of points. */
void step_compare(const float *px, const float *py, const float *pz, const hull_planes *plane, uint32_t planes, double out[6 * F64N]);
void step_compare(const float *px, const float *py, const float *pz, const hull_planes *plane, uint32_t planes, double out[6 * F64N])
{
    f64n x[2], y[2], z[2], most[2], best[2], may[2];
    for (int k = 0; k < 2; k++) {
        x[k] = f64n_load_f32(px + k * F64N);
        y[k] = f64n_load_f32(py + k * F64N);
        z[k] = f64n_load_f32(pz + k * F64N);
        most[k] = best[k] = may[k] = f64n_set1(0.0);
    }
    for (uint32_t j = 0; j < planes; j++) {
        VP_MODEL_BEGIN("hull3: points against one plane of several/" TWICE_TEXT " points");
        const f64n nx = f64n_set1(plane->n[0][j]), ny = f64n_set1(plane->n[1][j]), nz = f64n_set1(plane->n[2][j]);
        const f64n lo = f64n_set1(plane->lo[j]), hi = f64n_set1(plane->hi[j]), place = f64n_set1((double)j);
        for (int k = 0; k < 2; k++) {
            const f64n h = f64n_add(f64n_add(f64n_mul(nx, x[k]), f64n_mul(ny, y[k])), f64n_mul(nz, z[k]));
            const f64n above = f64n_sub(h, lo);
            const m64n further = f64n_cmp_gt(above, most[k]);
            most[k] = f64n_max_fast(most[k], above);
            best[k] = f64n_select(further, place, best[k]);
            may[k] = f64n_max_fast(may[k], f64n_sub(h, hi));
        }
        VP_MODEL_END();
    }
    for (int k = 0; k < 2; k++) {
        f64n_store(out + (3 * k) * F64N, most[k]);
        f64n_store(out + (3 * k + 1) * F64N, best[k]);
        f64n_store(out + (3 * k + 2) * F64N, may[k]);
    }
}

/* The loop of hull_bounds. Three vectors of floats hold one vector of points. */
void step_bounds(const float *from, uint32_t count, bounds_lanes *out);
void step_bounds(const float *from, uint32_t count, bounds_lanes *out)
{
    bounds_lanes e[3] = {out[0], out[1], out[2]};
    i32n round = i32n_set1(0);
    for (uint32_t r = 0; r < count; r++, from += 3 * F32N) {
        VP_MODEL_BEGIN("hull_bounds: the lowest and the highest/" WIDE_TEXT " points");
        look(&e[0], f32n_load(from), round);
        look(&e[1], f32n_load(from + F32N), round);
        look(&e[2], f32n_load(from + 2 * F32N), round);
        round = i32n_add(round, i32n_set1(1));
        VP_MODEL_END();
    }
    for (int v = 0; v < 3; v++)
        out[v] = e[v];
}
