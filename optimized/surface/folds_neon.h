/* SPDX-License-Identifier: MIT */
/* Additions of edge flags (edges_body.h) to the mesher's vocabulary (nets_neon.h) on NEON. NEON has no gather, so four
   loads replace it. */
#ifndef VP_OPTIMIZED_SURFACE_FOLDS_NEON_H
#define VP_OPTIMIZED_SURFACE_FOLDS_NEON_H

#include "optimized/surface/nets_neon.h"

static inline lanes_f lanes_load_f(const float *p)
{
    return vld1q_f32(p);
}

static inline void lanes_store(int32_t *to, lanes_i v)
{
    vst1q_s32(to, v);
}

static inline lanes_i lanes_from_16(const uint16_t *p)
{
    return vreinterpretq_s32_u32(vmovl_u16(vld1_u16(p)));
}

static inline lanes_i lanes_sub(lanes_i a, lanes_i b)
{
    return vsubq_s32(a, b);
}

static inline lanes_f lanes_sub_f(lanes_f a, lanes_f b)
{
    return vsubq_f32(a, b);
}

static inline lanes_i lanes_mul(lanes_i a, lanes_i b)
{
    return vmulq_s32(a, b);
}

static inline lanes_i lanes_or(lanes_i a, lanes_i b)
{
    return vorrq_s32(a, b);
}

/* b without the bits of a. */
static inline lanes_i lanes_without(lanes_i a, lanes_i b)
{
    return vbicq_s32(b, a);
}

static inline lanes_i lanes_select(lanes_i mask, lanes_i yes, lanes_i no)
{
    return vbslq_s32(vreinterpretq_u32_s32(mask), yes, no);
}

/* Shifts signed numbers. */
static inline lanes_i lanes_sign_shift(lanes_i v, int bits)
{
    return vshlq_s32(v, vdupq_n_s32(-bits));
}

static inline lanes_i lanes_equal(lanes_i a, lanes_i b)
{
    return vreinterpretq_s32_u32(vceqq_s32(a, b));
}

/* All ones where a > b. */
static inline lanes_i lanes_more(lanes_i a, lanes_i b)
{
    return vreinterpretq_s32_u32(vcgtq_s32(a, b));
}

/* All ones where cosine > 0 and left <= right. */
static inline lanes_i lanes_flat(lanes_f cosine, lanes_f left, lanes_f right)
{
    return vreinterpretq_s32_u32(vandq_u32(vcgtq_f32(cosine, vdupq_n_f32(0.0f)), vcleq_f32(left, right)));
}

static inline lanes_i lanes_gather(const int32_t *table, lanes_i at)
{
    lanes_i v = vdupq_n_s32(0);
    v = vld1q_lane_s32(table + vgetq_lane_s32(at, 0), v, 0);
    v = vld1q_lane_s32(table + vgetq_lane_s32(at, 1), v, 1);
    v = vld1q_lane_s32(table + vgetq_lane_s32(at, 2), v, 2);
    return vld1q_lane_s32(table + vgetq_lane_s32(at, 3), v, 3);
}

static inline lanes_i lanes_gather_bytes(const uint8_t *table, lanes_i at)
{
    lanes_i v = vdupq_n_s32(table[vgetq_lane_s32(at, 0)]);
    v = vsetq_lane_s32(table[vgetq_lane_s32(at, 1)], v, 1);
    v = vsetq_lane_s32(table[vgetq_lane_s32(at, 2)], v, 2);
    return vsetq_lane_s32(table[vgetq_lane_s32(at, 3)], v, 3);
}

#endif
