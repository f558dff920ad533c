/* SPDX-License-Identifier: MIT */
/* The processor's rounding mode, and its treatment of denormals. Read from the register if there is one, otherwise
 * found by computing. */
#include <voxphys/cpu.h>

#include <float.h>

#include "src/core/error.h"

#if defined(__x86_64__)

#include <xmmintrin.h>

/* Intel SDM volume 1, section 10.2.3. DAZ is bit 6, the rounding control bits 13 and 14, FTZ bit 15. */
vp_float_mode vp_float_mode_now(void)
{
    const uint32_t bits = _mm_getcsr();
    return (vp_float_mode){"MXCSR", bits, (bits >> 13 & 3) == 0, (bits >> 15 & 1) != 0, (bits >> 6 & 1) != 0};
}

#elif defined(__aarch64__)

/* Arm ARM, FPCR. RMode is bits 22 and 23. FZ is bit 24, for operands and results. FZ16 concerns half precision, which
 * is not used here. With FEAT_AFP, FIZ is bit 0, for operands, and AH is bit 1. AH changes minima of NaN and of zeros,
 * and is reported as if it flushed. Without FEAT_AFP both are 0. */
vp_float_mode vp_float_mode_now(void)
{
    uint64_t bits;
    __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
    const bool flushes = (bits >> 24 & 1) != 0;
    return (vp_float_mode){"FPCR", (uint32_t)bits, (bits >> 22 & 3) == 0, flushes, flushes || (bits & 3) != 0};
}

#else

vp_float_mode vp_float_mode_now(void)
{
    const volatile float one = 1.0f, half_step = 0x1p-24f, more_than_half = 0x1.8p-24f, min = FLT_MIN, denormal = 0x1p-149f;
    const volatile float up = one + half_step, over = one + more_than_half, down = -one - half_step, under = -one - more_than_half;
    const volatile float halved = min * 0.5f, raised = denormal * 0x1p100f;
    return (vp_float_mode){"", 0, up == one && over > one && down == -one && under < -one, halved == 0.0f, raised == 0.0f};
}

#endif

vp_status vp_float_mode_check(vp_error *error)
{
    const vp_float_mode m = vp_float_mode_now();
    if (m.nearest && !m.flushes_results && !m.flushes_operands)
        return vp_succeed(error);
    return vp_fail(error, VP_E_UNSUPPORTED, "floats are not computed as they have to be here:%s%s%s (%s is 0x%08x)",
                   m.nearest ? "" : " results are not rounded to the nearest;", m.flushes_results ? " denormal results become 0;" : "",
                   m.flushes_operands ? " denormal operands are taken for 0;" : "", m.name[0] != '\0' ? m.name : "no register",
                   (unsigned)m.bits);
}
