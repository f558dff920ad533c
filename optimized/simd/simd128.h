/* SPDX-License-Identifier: MIT */
/* WebAssembly's 128-bit intrinsics: the compiler's own where it makes WebAssembly, SIMDe's elsewhere. Kernels use the names that
 * both have: splats and lanes of numbers with a sign alone, no wasm_u32x4_splat and its like. */
#ifndef VP_OPTIMIZED_SIMD_SIMD128_H
#define VP_OPTIMIZED_SIMD_SIMD128_H

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#endif

#endif
