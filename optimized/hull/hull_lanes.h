/* SPDX-License-Identifier: MIT */
/* Steps on vectors that hulls in the plane and in space share. */
#ifndef VP_OPTIMIZED_HULL_HULL_LANES_H
#define VP_OPTIMIZED_HULL_HULL_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/kernel/hull.h>

#include "optimized/simd/native.h"

_Static_assert(F32N % F64N == 0, "a vector of floats is several of doubles");

/* Splits F32N points from `first` on. Those after the last one are copies of it. */
VP_INLINE void split_points(const vp_vec3 *point, uint32_t first, uint32_t count, float *x, float *y, float *z)
{
    if (count - first >= F32N) {
        f32n px, py, pz;
        f32n_load3(&point[first].x, &px, &py, &pz);
        f32n_store(x, px);
        f32n_store(y, py);
        f32n_store(z, pz);
        return;
    }
    for (uint32_t k = 0; k < F32N; k++) {
        const vp_vec3 q = point[first + k < count ? first + k : count - 1];
        x[k] = q.x;
        y[k] = q.y;
        z[k] = q.z;
    }
}

/* Mask of the first lanes. */
VP_INLINE m64n first_lanes(size_t count)
{
    return f64n_cmp_gt(f64n_set1((double)count), f64n_iota());
}

/* Returns the first label from `at` on that is `wanted`, or `count`. The last few one by one, because a load of two vectors that were just
 * stored waits for the stores. */
VP_INLINE uint32_t find_label(const uint32_t *label, uint32_t at, uint32_t count, uint32_t wanted)
{
    for (; count - at >= 4 * F32N; at += F32N) {
        const uint32_t set = m32n_movemask(i32n_cmp_eq(i32n_load(label + at), i32n_set1((int32_t)wanted)));
        if (set != 0)
            return at + (uint32_t)__builtin_ctz(set);
    }
    while (at < count && label[at] != wanted)
        at++;
    return at;
}

/* Copies the points with one label to `to`, in sequence. Up to F32N - 1 more may be written after them. @return the number of points */
VP_INLINE uint32_t copy_labelled(const float *x, const float *y, const float *z, const uint32_t *id, const uint32_t *label, uint32_t count,
                                 uint32_t wanted, float *to_x, float *to_y, float *to_z, uint32_t *to_id)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i += F32N) {
        uint32_t set = m32n_movemask(i32n_cmp_eq(i32n_load(label + i), i32n_set1((int32_t)wanted)));
        if (count - i < F32N)
            set &= (1u << (count - i)) - 1;
        if (set == 0)
            continue;
        f32n_compress_store(to_x + made, set, f32n_load(x + i));
        f32n_compress_store(to_y + made, set, f32n_load(y + i));
        f32n_compress_store(to_z + made, set, f32n_load(z + i));
        i32n_compress_store(to_id + made, set, i32n_load(id + i));
        made += (uint32_t)__builtin_popcount(set);
    }
    return made;
}

#endif
