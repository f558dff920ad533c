/* SPDX-License-Identifier: MIT */
/* AVX2 intrinsics: the compiler's own on x86-64, SIMDe's elsewhere. */
#ifndef VP_CORE_SIMD_AVX2_H
#define VP_CORE_SIMD_AVX2_H

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#endif

#endif
