/* SPDX-License-Identifier: MIT */
/* The vocabulary of ray packets on NEON. Eight rays are two q registers, sixteen four, and eight doubles are four.
 * Masks are vectors of lanes that are all ones or zeros. Bits become lanes by a test with each lane's own bit. st4
 * stores hits. Included after lanes_neon.h. */
#ifndef VP_OPTIMIZED_KD_PACKET_NEON_H
#define VP_OPTIMIZED_KD_PACKET_NEON_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#define VP_UNIT_OF_16 8 /* rays in a pair of registers, of packets of sixteen */

typedef struct m8 {
    uint32x4_t low, high;
} m8;

static inline f8 f8_add(f8 a, f8 b)
{
    return (f8){vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)};
}

static inline f8 f8_div(f8 a, f8 b)
{
    return (f8){vdivq_f32(a.low, b.low), vdivq_f32(a.high, b.high)};
}

static inline f8 f8_abs(f8 a)
{
    return (f8){vabsq_f32(a.low), vabsq_f32(a.high)};
}

static inline f8 f8_of_bits(uint32_t bits)
{
    const float32x4_t lanes = vreinterpretq_f32_u32(vdupq_n_u32(bits));
    return (f8){lanes, lanes};
}

static inline float32x4_t f4_power(float32x4_t a)
{
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a), vdupq_n_u32(0x7f800000)));
}

/* The power of two of each lane, its exponent's bits alone. */
static inline f8 f8_power(f8 a)
{
    return (f8){f4_power(a.low), f4_power(a.high)};
}

static inline f8 f8_pick(m8 where, f8 yes, f8 no)
{
    return (f8){vbslq_f32(where.low, yes.low, no.low), vbslq_f32(where.high, yes.high, no.high)};
}

static inline m8 m8_of(uint32_t bits)
{
    static const uint32_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint32x4_t all = vdupq_n_u32(bits);
    return (m8){vtstq_u32(all, vld1q_u32(bit)), vtstq_u32(all, vld1q_u32(bit + 4))};
}

static inline uint32_t m8_bits(m8 a)
{
    return lanes_bits(a.low, a.high);
}

static inline m8 m8_and(m8 a, m8 b)
{
    return (m8){vandq_u32(a.low, b.low), vandq_u32(a.high, b.high)};
}

static inline m8 m8_or(m8 a, m8 b)
{
    return (m8){vorrq_u32(a.low, b.low), vorrq_u32(a.high, b.high)};
}

/* Mask of the comparison AND `of`. */
static inline m8 m8_lt(m8 of, f8 a, f8 b)
{
    return m8_and(of, (m8){vcltq_f32(a.low, b.low), vcltq_f32(a.high, b.high)});
}

static inline m8 m8_le(m8 of, f8 a, f8 b)
{
    return m8_and(of, (m8){vcleq_f32(a.low, b.low), vcleq_f32(a.high, b.high)});
}

static inline m8 m8_eq(m8 of, f8 a, f8 b)
{
    return m8_and(of, (m8){vceqq_f32(a.low, b.low), vceqq_f32(a.high, b.high)});
}

/* a < b as integers. */
static inline m8 m8_before(m8 of, f8 a, f8 b)
{
    return m8_and(of, (m8){vcltq_s32(vreinterpretq_s32_f32(a.low), vreinterpretq_s32_f32(b.low)),
                           vcltq_s32(vreinterpretq_s32_f32(a.high), vreinterpretq_s32_f32(b.high))});
}

/* The maximum and the minimum of eight. */
static inline float f8_most(f8 a)
{
    return vmaxvq_f32(vmaxq_f32(a.low, a.high));
}

static inline float f8_least(f8 a)
{
    return vminvq_f32(vminq_f32(a.low, a.high));
}

/* ---- eight doubles ---- */

typedef struct d8 {
    float64x2_t of[4];
} d8;

static inline d8 d8_of(f8 a)
{
    return (d8){{vcvt_f64_f32(vget_low_f32(a.low)), vcvt_f64_f32(vget_high_f32(a.low)), vcvt_f64_f32(vget_low_f32(a.high)),
                 vcvt_f64_f32(vget_high_f32(a.high))}};
}

static inline f8 d8_narrow(d8 a)
{
    return (f8){vcombine_f32(vcvt_f32_f64(a.of[0]), vcvt_f32_f64(a.of[1])), vcombine_f32(vcvt_f32_f64(a.of[2]), vcvt_f32_f64(a.of[3]))};
}

#define D8_EACH(name, operation)                                                                                                           \
    static inline d8 name(d8 a, d8 b)                                                                                                      \
    {                                                                                                                                      \
        d8 c;                                                                                                                              \
        for (int i = 0; i < 4; i++)                                                                                                        \
            c.of[i] = operation(a.of[i], b.of[i]);                                                                                         \
        return c;                                                                                                                          \
    }

D8_EACH(d8_add, vaddq_f64)
D8_EACH(d8_sub, vsubq_f64)
D8_EACH(d8_mul, vmulq_f64)
D8_EACH(d8_div, vdivq_f64)
#undef D8_EACH

static inline m8 d8_mask(const uint64x2_t of[4])
{
    return (m8){vcombine_u32(vmovn_u64(of[0]), vmovn_u64(of[1])), vcombine_u32(vmovn_u64(of[2]), vmovn_u64(of[3]))};
}

/* Mask of lanes where a, b and c do not have mixed signs. */
static inline m8 d8_one_sign(d8 a, d8 b, d8 c)
{
    uint64x2_t one[4];
    for (int i = 0; i < 4; i++) {
        uint64x2_t not_below = vandq_u64(vcgezq_f64(a.of[i]), vcgezq_f64(b.of[i]));
        uint64x2_t not_above = vandq_u64(vclezq_f64(a.of[i]), vclezq_f64(b.of[i]));
        not_below = vandq_u64(not_below, vcgezq_f64(c.of[i]));
        not_above = vandq_u64(not_above, vclezq_f64(c.of[i]));
        one[i] = vorrq_u64(not_below, not_above);
    }
    return d8_mask(one);
}

static inline m8 d8_not_zero(d8 a)
{
    uint64x2_t not [4];
    for (int i = 0; i < 4; i++)
        not [i] = vreinterpretq_u64_u32(vmvnq_u32(vreinterpretq_u32_u64(vceqzq_f64(a.of[i]))));
    return d8_mask(not );
}

/* ---- rays and hits ---- */

/* A ray is seven floats. Its first four and its last four are two rows, which share the x of the direction. */
_Static_assert(offsetof(vp_ray, direction) == 12 && offsetof(vp_ray, t_max) == 24, "vp_ray is seven floats");
_Static_assert(sizeof(vp_hit) == 16 && offsetof(vp_hit, v) == 12, "vp_hit is four words");

/* Lane i of out[k] is component k of ray i: origin, direction, t_max. low and high are the minima and maxima of origins
   (0 to 2), directions (4 to 6) and t_max (7). Rays must not contain NaN. */
static inline void f8_rays(const vp_ray *ray, f8 out[7], float low[8], float high[8])
{
    for (int row = 0; row < 2; row++) {
        float32x4_t least = vdupq_n_f32(INFINITY), most = vdupq_n_f32(-INFINITY), lanes[2][4];
        for (int half = 0; half < 2; half++) {
            float32x4_t r[4];
            for (int i = 0; i < 4; i++) {
                const vp_ray *of = &ray[4 * half + i];
                r[i] = vld1q_f32(row == 0 ? &of->origin.x : &of->direction.x);
                least = vminq_f32(least, r[i]);
                most = vmaxq_f32(most, r[i]);
            }
            const float32x4_t a = vtrn1q_f32(r[0], r[1]), b = vtrn2q_f32(r[0], r[1]);
            const float32x4_t c = vtrn1q_f32(r[2], r[3]), d = vtrn2q_f32(r[2], r[3]);
            lanes[half][0] = vcombine_f32(vget_low_f32(a), vget_low_f32(c));
            lanes[half][1] = vcombine_f32(vget_low_f32(b), vget_low_f32(d));
            lanes[half][2] = vcombine_f32(vget_high_f32(a), vget_high_f32(c));
            lanes[half][3] = vcombine_f32(vget_high_f32(b), vget_high_f32(d));
        }
        for (int k = 0; k < 4; k++)
            out[3 * row + k] = (f8){lanes[0][k], lanes[1][k]};
        vst1q_f32(low + 4 * row, least);
        vst1q_f32(high + 4 * row, most);
    }
}

/* Writes eight hits. The lanes of `triangle` are integers. */
static inline void f8_hits(f8 t, f8 triangle, f8 u, f8 v, vp_hit *hit)
{
    const float32x4x4_t low = {{t.low, triangle.low, u.low, v.low}}, high = {{t.high, triangle.high, u.high, v.high}};
    float words[32];
    vst4q_f32(words, low);
    vst4q_f32(words + 16, high);
    memcpy(hit, words, sizeof words);
}

#endif
