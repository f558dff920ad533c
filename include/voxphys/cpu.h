/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_CPU_H
#define VOXPHYS_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/status.h>

/** @file cpu.h
 *  Instruction sets. A name stands for one whole set, all or nothing:
 *
 *  | name    | needs                                                        |
 *  | ------- | ------------------------------------------------------------ |
 *  | scalar  | what the compiler's baseline for the architecture has        |
 *  | avx2    | AVX2, BMI1, BMI2, LZCNT, POPCNT, and an OS that saves YMM     |
 *  | avx512  | the above, AVX-512 F, CD, BW, DQ, VL, and an OS that saves ZMM |
 *  | neon    | Advanced SIMD, which every AArch64 has                       |
 *  | simd128 | WebAssembly's fixed-width SIMD; an engine without it refuses the whole module |
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Every instruction set that a kernel can be written for, the later preferred where a machine has several. */
#define VP_ISAS(ISA) ISA(scalar) ISA(avx2) ISA(avx512) ISA(neon) ISA(simd128)

/** An entry of VP_ISAS as an enumerator. */
#define VP_ISA_ID(i) VP_ISA_##i,
/** An instruction set. */
typedef enum vp_isa { VP_ISAS(VP_ISA_ID) VP_ISA_COUNT } vp_isa;
#undef VP_ISA_ID

/** How the code of an instruction set comes to run here. */
typedef enum vp_via {
    VP_VIA_NONE,   /**< It is not in this build. */
    VP_VIA_NATIVE, /**< Compiled for the instructions themselves. */
    VP_VIA_SIMDE   /**< Compiled through SIMDe to other instructions: for checking, never chosen by itself. */
} vp_via;

/** The sets that this CPU has and this operating system saves, as bits 1 << vp_isa; scalar is always among them. On WebAssembly,
 *  which cannot be asked, simd128 too: a module that has it would not run elsewhere. */
VP_API uint32_t vp_cpu_isas(void);

/** The name of an instruction set, e.g. "avx2"; "unknown" for any other number. */
VP_API const char *vp_isa_name(vp_isa isa);

/** How this build has an instruction set's kernels. */
VP_API vp_via vp_isa_via(vp_isa isa);

/** Whether kernels of this set can be called here: they are in the build, and the CPU runs them or SIMDe does. */
VP_API bool vp_isa_usable(vp_isa isa);

/** How the calling thread computes with floats. */
typedef struct vp_float_mode {
    const char *name;      /**< The register that says it, "MXCSR" or "FPCR"; "" where it is found out by computing. */
    uint32_t bits;         /**< Of that register. */
    bool nearest;          /**< Results are rounded to the nearest, ties to even. */
    bool flushes_results;  /**< Denormal results become 0. */
    bool flushes_operands; /**< Denormal operands are taken for 0. */
} vp_float_mode;

/** Reads it. O(1). */
VP_API vp_float_mode vp_float_mode_now(void);

/** Whether the calling thread computes as the answers of this library are promised for: rounding to the nearest, and with
 *  denormals. The library neither sets that nor looks at it by itself; who has set it, or links what does, may ask.
 *  @return VP_E_UNSUPPORTED if not: the message names what is set */
VP_API vp_status vp_float_mode_check(vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
