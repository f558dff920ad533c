/* SPDX-License-Identifier: MIT */
/* NEON intrinsics. The compiler's own on AArch64, SIMDe's elsewhere. */
#ifndef VP_OPTIMIZED_SIMD_NEON_INTRINSICS_H
#define VP_OPTIMIZED_SIMD_NEON_INTRINSICS_H

#if defined(__aarch64__)
#include <arm_neon.h>
#else
#include <math.h>

#define SIMDE_ENABLE_NATIVE_ALIASES
/* No MMX, because its registers are the x87's. clang's code does not clear them, and later computations in long
   double yield NaN. */
#define SIMDE_X86_MMX_NO_NATIVE
#include <simde/arm/neon.h>
/* Shift left and insert, which some versions of SIMDe lack. */
#ifndef vsliq_n_u8
#define vsliq_n_u8(a, b, n) vorrq_u8(vandq_u8((a), vdupq_n_u8((uint8_t)((1 << (n)) - 1))), vshlq_n_u8((b), (n)))
#endif
/* Conversion that rounds down, which some versions of SIMDe lack. */
#ifndef vcvtmq_s32_f32
static inline int32x4_t vp_vcvtmq_s32_f32(float32x4_t a)
{
    const int32x4_t toward_zero = vcvtq_s32_f32(a);
    return vaddq_s32(toward_zero, vreinterpretq_s32_u32(vcgtq_f32(vcvtq_f32_s32(toward_zero), a))); /* -1 where it was rounded up */
}
#define vcvtmq_s32_f32 vp_vcvtmq_s32_f32
#endif
/* Division, which some versions of SIMDe lack. */
#ifndef vdivq_f32
static inline float32x4_t vp_vdivq_f32(float32x4_t a, float32x4_t b)
{
    float x[4], y[4];
    vst1q_f32(x, a);
    vst1q_f32(y, b);
    for (int i = 0; i < 4; i++)
        x[i] /= y[i];
    return vld1q_f32(x);
}
#define vdivq_f32 vp_vdivq_f32
#endif
/* Square root, which some versions of SIMDe lack. */
#ifndef vsqrtq_f32
static inline float32x4_t vp_vsqrtq_f32(float32x4_t a)
{
    float x[4];
    vst1q_f32(x, a);
    for (int i = 0; i < 4; i++)
        x[i] = sqrtf(x[i]);
    return vld1q_f32(x);
}
#define vsqrtq_f32 vp_vsqrtq_f32
#endif
#ifndef vdivq_f64
static inline float64x2_t vp_vdivq_f64(float64x2_t a, float64x2_t b)
{
    double x[2], y[2];
    vst1q_f64(x, a);
    vst1q_f64(y, b);
    x[0] /= y[0];
    x[1] /= y[1];
    return vld1q_f64(x);
}
#define vdivq_f64 vp_vdivq_f64
#endif
#endif

#endif
