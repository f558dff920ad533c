/* SPDX-License-Identifier: MIT */
/* What this CPU has and this operating system saves. On x86 an instruction set may be used only if CPUID has its
   feature bits and XGETBV shows that the system saves its registers when it switches threads (Intel SDM volume 1,
   sections 14.3 and 15.2). The compiler's runtime asks for both when a program starts, and is asked here: CPUID is a trip to the
   host on a virtual machine, of some ten microseconds, which is several trees. AArch64 always has Advanced SIMD.
   WebAssembly cannot ask: an engine looks through a module before any of it runs, and refuses one with instructions that it
   lacks. So what is in the build is what there is. */
#include <voxphys/cpu.h>

#if defined(__x86_64__)

/* Not all compilers' runtimes tell of LZCNT; where there is none, the same bytes are BSR, which counts from the other end. */
static bool has_lzcnt(void)
{
    uint64_t zeros;
    __asm__("lzcnt %1, %0" : "=r"(zeros) : "r"((uint64_t)1) : "cc");
    return zeros == 63;
}

uint32_t vp_cpu_isas(void)
{
    uint32_t isas = 1u << VP_ISA_scalar;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
        !__builtin_cpu_supports("popcnt") || !has_lzcnt())
        return isas;
    isas |= 1u << VP_ISA_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        isas |= 1u << VP_ISA_avx512;
    return isas;
}

#elif defined(__aarch64__)

uint32_t vp_cpu_isas(void)
{
    return 1u << VP_ISA_scalar | 1u << VP_ISA_neon;
}

#elif defined(__wasm__)

uint32_t vp_cpu_isas(void)
{
    return 1u << VP_ISA_scalar | 1u << VP_ISA_simd128;
}

#else

uint32_t vp_cpu_isas(void)
{
    return 1u << VP_ISA_scalar;
}

#endif
