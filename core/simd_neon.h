/* SPDX-License-Identifier: MIT */
/* NEON intrinsics: the compiler's own on AArch64, SIMDe's elsewhere. */
#ifndef VP_CORE_SIMD_NEON_H
#define VP_CORE_SIMD_NEON_H

#if defined(__aarch64__)
#include <arm_neon.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/arm/neon.h>
/* Not in every SIMDe: shift left and insert. */
#ifndef vsliq_n_u8
#define vsliq_n_u8(a, b, n) vorrq_u8(vandq_u8((a), vdupq_n_u8((uint8_t)((1 << (n)) - 1))), vshlq_n_u8((b), (n)))
#endif
#endif

#endif
