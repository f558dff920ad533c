/* SPDX-License-Identifier: MIT */
/* Steps of the hull kernels, between marks: see bench/static-models. */
#if defined(VP_MODEL_avx2)
#include "optimized/hull_avx2.c"
#define LANES_TEXT "4"
#define TWICE_TEXT "8"
#define WIDE_TEXT "8"
#elif defined(VP_MODEL_avx512)
#include "optimized/hull_avx512.c"
#define LANES_TEXT "8"
#define TWICE_TEXT "16"
#define WIDE_TEXT "16"
#else
#include "optimized/hull_neon.c"
#define LANES_TEXT "2"
#define TWICE_TEXT "4"
#define WIDE_TEXT "4"
#endif

#include "core/model_marks.h"

/* What the loop of furthest_of does with a vector of points. */
void step_furthest(const float *px, const float *py, const float *pz, const hull_plane *plane, const double *seed, double most_at[2 * LANES]);
void step_furthest(const float *px, const float *py, const float *pz, const hull_plane *plane, const double *seed, double most_at[2 * LANES])
{
    const hull_plane p = *plane;
    const lanes most = lanes_set(seed[0]), at = lanes_set(seed[1]), place = lanes_count();
    VP_MODEL_BEGIN("hull3: the furthest above a plane/" LANES_TEXT " points");
    const lanes h = along_plane(&p, lanes_load(px), lanes_load(py), lanes_load(pz));
    const lanes_mask further = lanes_above(h, most);
    lanes_store(most_at, lanes_choose(further, most, h));
    lanes_store(most_at + LANES, lanes_choose(further, at, place));
    VP_MODEL_END();
}

/* What compare_some does with two vectors of points for one plane of several. */
void step_compare(const float *px, const float *py, const float *pz, const hull_planes *plane, uint32_t j, const double *seed, double io[6 * LANES]);
void step_compare(const float *px, const float *py, const float *pz, const hull_planes *plane, uint32_t j, const double *seed, double io[6 * LANES])
{
    const lanes place = lanes_set((double)j);
    lanes x[2], y[2], z[2], most[2], best[2], may[2];
    for (int k = 0; k < 2; k++) {
        x[k] = lanes_load(px + k * LANES);
        y[k] = lanes_load(py + k * LANES);
        z[k] = lanes_load(pz + k * LANES);
        most[k] = lanes_set(seed[k]);
        best[k] = lanes_set(seed[k + 2]);
        may[k] = lanes_set(seed[k + 4]);
    }
    VP_MODEL_BEGIN("hull3: points against one plane of several/" TWICE_TEXT " points");
    const lanes nx = lanes_set(plane->n[0][j]), ny = lanes_set(plane->n[1][j]), nz = lanes_set(plane->n[2][j]);
    const lanes lo = lanes_set(plane->lo[j]), hi = lanes_set(plane->hi[j]);
    for (int k = 0; k < 2; k++) {
        const lanes h = lanes_add(lanes_add(lanes_mul(nx, x[k]), lanes_mul(ny, y[k])), lanes_mul(nz, z[k]));
        const lanes above = lanes_sub(h, lo);
        const lanes_mask further = lanes_above(above, most[k]);
        lanes_store(io + (3 * k) * LANES, lanes_larger(most[k], above));
        lanes_store(io + (3 * k + 1) * LANES, lanes_choose(further, best[k], place));
        lanes_store(io + (3 * k + 2) * LANES, lanes_larger(may[k], lanes_sub(h, hi)));
    }
    VP_MODEL_END();
}

/* What hull_bounds does with three vectors of floats, which are a vector of points. */
void step_bounds(const float *from, extremes *e);
void step_bounds(const float *from, extremes *e)
{
    const rounds round = rounds_set(1);
    VP_MODEL_BEGIN("hull_bounds: the lowest and the highest/" WIDE_TEXT " points");
    look(&e[0], floats_load(from), round);
    look(&e[1], floats_load(from + WIDE), round);
    look(&e[2], floats_load(from + 2 * WIDE), round);
    VP_MODEL_END();
}
