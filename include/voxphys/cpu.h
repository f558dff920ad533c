/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_CPU_H
#define VOXPHYS_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/kernel/versions.h>
#include <voxphys/status.h>

/** @file
 *  Instruction sets and floating-point mode.
 *
 *  - scalar: the reference, for any CPU
 *  - plain: the SIMD algorithms in C loops, for any CPU
 *  - avx2: AVX2, BMI1, BMI2, LZCNT, POPCNT, and an OS that saves YMM
 *  - avx512: avx2, AVX-512 F, CD, BW, DQ, VL, and an OS that saves ZMM
 *  - neon: Advanced SIMD, part of every AArch64
 *  - simd128: WebAssembly SIMD. An engine without it refuses the whole module */

#ifdef __cplusplus
extern "C" {
#endif

/** Enumerator of a set. */
#define VP_ISA_ID(i) VP_ISA_##i,
/** Instruction set. */
typedef enum vp_isa { VP_ISAS(VP_ISA_ID) VP_ISA_COUNT } vp_isa;
#undef VP_ISA_ID

/** How this build supports an instruction set. */
typedef enum vp_via {
    VP_VIA_NONE,
    VP_VIA_NATIVE,
    VP_VIA_SIMDE /**< For tests, never a default. */
} vp_via;

/** Returns the sets that the CPU and the operating system support, bits 1 << vp_isa. Always has scalar, plain, and on
 *  WebAssembly simd128. */
VP_API uint32_t vp_cpu_isas(void);

/** Returns a set's name, such as "avx2". */
VP_API const char *vp_isa_name(vp_isa isa);

/** Returns how a set is supported. */
VP_API vp_via vp_isa_via(vp_isa isa);

/** Returns whether kernels of a set can run here, also through SIMDe. */
VP_API bool vp_isa_usable(vp_isa isa);

/** Floating-point mode of a thread. */
typedef struct vp_float_mode {
    const char *name; /**< Register, "MXCSR" or "FPCR". "" = mode found by computing. */
    uint32_t bits;
    bool nearest; /**< Rounds to nearest, ties to even. */
    bool flushes_results;
    bool flushes_operands; /**< Denormal operands count as 0. */
} vp_float_mode;

/** Returns the mode of the calling thread. */
VP_API vp_float_mode vp_float_mode_now(void);

/** Checks that the calling thread rounds to nearest and keeps denormals, as docs/CONTRACT.md, ALL-3 requires. No other function checks
 *  this.
 *  @return VP_E_UNSUPPORTED otherwise */
VP_API vp_status vp_float_mode_check(vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
