/* SPDX-License-Identifier: MIT */
/* WebAssembly's 128-bit intrinsics. The compiler's own when it compiles for WebAssembly, SIMDe's elsewhere. Kernels use
 * only names that both have. For splats and lanes these are the signed ones, no wasm_u32x4_splat and the like. */
#ifndef VP_OPTIMIZED_SIMD_SIMD128_INTRINSICS_H
#define VP_OPTIMIZED_SIMD_SIMD128_INTRINSICS_H

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#endif

#endif
