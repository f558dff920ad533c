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
void step_furthest(const float *px, const float *py, const float *pz, uint32_t count, const hull_plane *plane, double most_at[2 * LANES]);
void step_furthest(const float *px, const float *py, const float *pz, uint32_t count, const hull_plane *plane, double most_at[2 * LANES])
{
    const hull_plane p = *plane;
    lanes most = lanes_set(-INFINITY), at = lanes_set(0.0), place = lanes_count();
    for (uint32_t i = 0; i < count; i += LANES) {
        VP_MODEL_BEGIN("hull3: the furthest above a plane/" LANES_TEXT " points");
        const lanes h = along_plane(&p, lanes_load(px + i), lanes_load(py + i), lanes_load(pz + i));
        const lanes_mask further = lanes_above(h, most);
        most = lanes_choose(further, most, h);
        at = lanes_choose(further, at, place);
        place = lanes_add(place, lanes_set((double)LANES));
        VP_MODEL_END();
    }
    lanes_store(most_at, most);
    lanes_store(most_at + LANES, at);
}

/* The loop of compare_some over planes, for two vectors of points. */
void step_compare(const float *px, const float *py, const float *pz, const hull_planes *plane, uint32_t planes, double out[6 * LANES]);
void step_compare(const float *px, const float *py, const float *pz, const hull_planes *plane, uint32_t planes, double out[6 * LANES])
{
    lanes x[2], y[2], z[2], most[2], best[2], may[2];
    for (int k = 0; k < 2; k++) {
        x[k] = lanes_load(px + k * LANES);
        y[k] = lanes_load(py + k * LANES);
        z[k] = lanes_load(pz + k * LANES);
        most[k] = best[k] = may[k] = lanes_set(0.0);
    }
    for (uint32_t j = 0; j < planes; j++) {
        VP_MODEL_BEGIN("hull3: points against one plane of several/" TWICE_TEXT " points");
        const lanes nx = lanes_set(plane->n[0][j]), ny = lanes_set(plane->n[1][j]), nz = lanes_set(plane->n[2][j]);
        const lanes lo = lanes_set(plane->lo[j]), hi = lanes_set(plane->hi[j]), place = lanes_set((double)j);
        for (int k = 0; k < 2; k++) {
            const lanes h = lanes_add(lanes_add(lanes_mul(nx, x[k]), lanes_mul(ny, y[k])), lanes_mul(nz, z[k]));
            const lanes above = lanes_sub(h, lo);
            const lanes_mask further = lanes_above(above, most[k]);
            most[k] = lanes_larger(most[k], above);
            best[k] = lanes_choose(further, best[k], place);
            may[k] = lanes_larger(may[k], lanes_sub(h, hi));
        }
        VP_MODEL_END();
    }
    for (int k = 0; k < 2; k++) {
        lanes_store(out + (3 * k) * LANES, most[k]);
        lanes_store(out + (3 * k + 1) * LANES, best[k]);
        lanes_store(out + (3 * k + 2) * LANES, may[k]);
    }
}

/* The loop of hull_bounds. Three vectors of floats hold one vector of points. */
void step_bounds(const float *from, uint32_t count, bounds_lanes *out);
void step_bounds(const float *from, uint32_t count, bounds_lanes *out)
{
    bounds_lanes e[3] = {out[0], out[1], out[2]};
    rounds round = rounds_set(0);
    for (uint32_t r = 0; r < count; r++, from += 3 * WIDE) {
        VP_MODEL_BEGIN("hull_bounds: the lowest and the highest/" WIDE_TEXT " points");
        look(&e[0], floats_load(from), round);
        look(&e[1], floats_load(from + WIDE), round);
        look(&e[2], floats_load(from + 2 * WIDE), round);
        round = rounds_next(round);
        VP_MODEL_END();
    }
    for (int v = 0; v < 3; v++)
        out[v] = e[v];
}
