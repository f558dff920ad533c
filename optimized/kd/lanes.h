/* SPDX-License-Identifier: MIT */
/* Older names of the vocabulary (optimized/simd), which packets and the build still use. Included by lanes_<isa>.h. */
#ifndef VP_OPTIMIZED_KD_LANES_H
#define VP_OPTIMIZED_KD_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <voxphys/kernel/kd.h>

#include "src/kd/ray_triangle.h"

typedef f32x8 f8;

static inline f8 f8_load(const float *p)
{
    return f32x8_load(p);
}

static inline void f8_store(float *p, f8 a)
{
    f32x8_store(p, a);
}

static inline f8 f8_set(float a)
{
    return f32x8_set1(a);
}

static inline f8 f8_sub(f8 a, f8 b)
{
    return f32x8_sub(a, b);
}

static inline f8 f8_mul(f8 a, f8 b)
{
    return f32x8_mul(a, b);
}

static inline f8 f8_earlier(f8 candidate, f8 of)
{
    return f32x8_min(candidate, of);
}

static inline f8 f8_later(f8 candidate, f8 of)
{
    return f32x8_max(candidate, of);
}

static inline float earlier(float candidate, float of)
{
    return vp_min(candidate, of);
}

static inline float later(float candidate, float of)
{
    return vp_max(candidate, of);
}

#endif
