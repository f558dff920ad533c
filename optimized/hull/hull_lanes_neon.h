/* SPDX-License-Identifier: MIT */
/* Two doubles at a time, for hull_body.h, on AArch64's NEON. */
#ifndef VP_OPTIMIZED_HULL_HULL_LANES_NEON_H
#define VP_OPTIMIZED_HULL_HULL_LANES_NEON_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/core/inline.h"
#include "optimized/simd/neon.h"

enum { LANES = 2 };

typedef float64x2_t lanes;
typedef uint64x2_t lanes_mask;

VP_INLINE lanes lanes_set(double x)
{
    return vdupq_n_f64(x);
}

/* 0, 1 */
VP_INLINE lanes lanes_count(void)
{
    return vsetq_lane_f64(1.0, vdupq_n_f64(0.0), 1);
}

/* LANES floats, widened. */
VP_INLINE lanes lanes_load(const float *from)
{
    return vcvt_f64_f32(vld1_f32(from));
}

VP_INLINE void lanes_store(double *to, lanes a)
{
    vst1q_f64(to, a);
}

/* Stores integers from -2^31 on, as 32 bits. */
VP_INLINE void lanes_store_whole(uint32_t *to, lanes a)
{
    vst1_u32(to, vreinterpret_u32_s32(vmovn_s64(vcvtq_s64_f64(a))));
}

VP_INLINE lanes lanes_add(lanes a, lanes b)
{
    return vaddq_f64(a, b);
}

VP_INLINE lanes lanes_sub(lanes a, lanes b)
{
    return vsubq_f64(a, b);
}

VP_INLINE lanes lanes_mul(lanes a, lanes b)
{
    return vmulq_f64(a, b);
}

/* 1 / sqrt(a) of a positive number, to 4 %. Subtracts half of the exponent, and nearly half of the fraction. For 0 it
   is large and finite. */
VP_INLINE lanes lanes_per_root(lanes a)
{
    return vreinterpretq_f64_s64(vsubq_s64(vdupq_n_s64(0x5fe6eb50c7b537a9), vshrq_n_s64(vreinterpretq_s64_f64(a), 1)));
}

VP_INLINE lanes lanes_larger(lanes a, lanes b)
{
    return vmaxq_f64(a, b);
}

VP_INLINE lanes lanes_size(lanes a)
{
    return vabsq_f64(a);
}

VP_INLINE lanes_mask lanes_above(lanes a, lanes b)
{
    return vcgtq_f64(a, b);
}

VP_INLINE lanes_mask lanes_or(lanes_mask a, lanes_mask b)
{
    return vorrq_u64(a, b);
}

VP_INLINE lanes_mask lanes_and(lanes_mask a, lanes_mask b)
{
    return vandq_u64(a, b);
}

/* a, but not b. */
VP_INLINE lanes_mask lanes_and_not(lanes_mask a, lanes_mask b)
{
    return vbicq_u64(a, b);
}

VP_INLINE lanes_mask lanes_none(void)
{
    return vdupq_n_u64(0);
}

VP_INLINE bool lanes_any(lanes_mask m)
{
    return (vgetq_lane_u64(m, 0) | vgetq_lane_u64(m, 1)) != 0;
}

/* b where the mask is set, else a. */
VP_INLINE lanes lanes_choose(lanes_mask m, lanes a, lanes b)
{
    return vbslq_f64(m, b, a);
}

/* Splits LANES points. */
VP_INLINE void lanes_split(const float *from, float *x, float *y, float *z)
{
    for (int i = 0; i < LANES; i++) {
        x[i] = from[3 * i];
        y[i] = from[3 * i + 1];
        z[i] = from[3 * i + 2];
    }
}

/* Copies the points with one label to `to`, in sequence. One more may be written after them. No instruction moves
   chosen lanes together, so each point is written, and the next one overwrites it if it was not wanted. @return the
   number of points */
VP_INLINE uint32_t lanes_pick(const float *x, const float *y, const float *z, const uint32_t *id, const uint32_t *label, uint32_t count,
                              uint32_t wanted, float *to_x, float *to_y, float *to_z, uint32_t *to_id)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        to_x[made] = x[i];
        to_y[made] = y[i];
        to_z[made] = z[i];
        to_id[made] = id[i];
        made += label[i] == wanted;
    }
    return made;
}

enum { DEAL = 0 };

/* On AVX-512 this puts points in the order of their labels. This ISA has no expansion of lanes that would do it. */
VP_INLINE uint32_t lanes_deal(float *x, float *y, float *z, uint32_t *id, size_t from, size_t to, const uint32_t *label, uint32_t count,
                              uint32_t labels, uint32_t *end)
{
    (void)x, (void)y, (void)z, (void)id, (void)from, (void)to, (void)label, (void)count;
    for (uint32_t j = 0; j < labels; j++)
        end[j] = 0;
    return 0;
}

/* ---- four floats, for hull_bounds_body.h and hull_filter_body.h ---- */

enum { WIDE = 4 };

typedef float32x4_t floats;
typedef uint32x4_t floats_mask;
typedef uint32x4_t rounds; /* an integer a lane */

VP_INLINE floats floats_set(float x)
{
    return vdupq_n_f32(x);
}

VP_INLINE floats floats_load(const float *from)
{
    return vld1q_f32(from);
}

/* Splits WIDE points, by a deinterleaving load. */
VP_INLINE void floats_split(const float *from, floats *x, floats *y, floats *z)
{
    const float32x4x3_t all = vld3q_f32(from);
    *x = all.val[0];
    *y = all.val[1];
    *z = all.val[2];
}

VP_INLINE void floats_store(float *to, floats a)
{
    vst1q_f32(to, a);
}

VP_INLINE floats floats_add(floats a, floats b)
{
    return vaddq_f32(a, b);
}

VP_INLINE floats floats_mul(floats a, floats b)
{
    return vmulq_f32(a, b);
}

VP_INLINE floats floats_sub(floats a, floats b)
{
    return vsubq_f32(a, b);
}

VP_INLINE floats floats_div(floats a, floats b)
{
    return vdivq_f32(a, b);
}

VP_INLINE floats floats_size(floats a)
{
    return vabsq_f32(a);
}

/* Truncates to integers. */
VP_INLINE floats floats_whole(floats a)
{
    return vcvtq_f32_s32(vcvtq_s32_f32(a));
}

/* Looks up elements of a table at integer places. */
VP_INLINE floats floats_at(const float *table, floats place)
{
    float at[4], found[4]; /* no instruction looks up different places in memory for each lane */
    vst1q_f32(at, place);
    for (int i = 0; i < 4; i++)
        found[i] = table[(uint32_t)at[i]];
    return vld1q_f32(found);
}

VP_INLINE floats_mask floats_above(floats a, floats b)
{
    return vcgtq_f32(a, b);
}

VP_INLINE floats floats_choose(floats_mask m, floats a, floats b)
{
    return vbslq_f32(m, b, a);
}

/* A bit a lane. */
VP_INLINE uint32_t floats_bits(floats_mask m)
{
    uint32_t lane[4];
    vst1q_u32(lane, m);
    return (lane[0] & 1) | (lane[1] & 2) | (lane[2] & 4) | (lane[3] & 8);
}

VP_INLINE rounds rounds_set(int x)
{
    return vdupq_n_u32((uint32_t)x);
}

VP_INLINE rounds rounds_next(rounds a)
{
    return vaddq_u32(a, vdupq_n_u32(1));
}

VP_INLINE rounds rounds_load(const uint32_t *from)
{
    return vld1q_u32(from);
}

VP_INLINE void rounds_store(uint32_t *to, rounds a)
{
    vst1q_u32(to, a);
}

VP_INLINE rounds rounds_choose(floats_mask m, rounds a, rounds b)
{
    return vbslq_u32(m, b, a);
}

/* Appends those of WIDE numbers whose bits are set, in sequence. Writes WIDE. */
VP_INLINE void floats_append(float *to, uint32_t set, floats a)
{
    float lane[WIDE];
    vst1q_f32(lane, a);
    for (uint32_t k = 0; k < WIDE; k++) {
        *to = lane[k];
        to += set >> k & 1;
    }
}

/* Appends their places. The first place is `first`. */
VP_INLINE void places_append(uint32_t *to, uint32_t set, uint32_t first)
{
    for (uint32_t k = 0; k < WIDE; k++) {
        *to = first + k;
        to += set >> k & 1;
    }
}

#endif
