/* SPDX-License-Identifier: MIT */
/* The instruction sets that this CPU has and this operating system saves. On x86 an instruction set may be used only if
   CPUID has its feature bits and XGETBV shows that the system saves its registers when it switches threads (Intel SDM
   volume 1, sections 14.3 and 15.2). The compiler's runtime queries both when a program starts, so this file reads the
   runtime's result. On a virtual machine CPUID is a trip to the host of some ten microseconds, as much as several
   trees. AArch64 always has Advanced SIMD. WebAssembly has no query: an engine validates a module before any of it
   runs, and rejects one with unsupported instructions. So the build decides. */
#include <voxphys/cpu.h>

/* Sets of every CPU: scalar, plain, and sets of begun ports, which have no detection yet. */
#define DETECTED (1u << VP_ISA_avx2 | 1u << VP_ISA_avx512 | 1u << VP_ISA_neon | 1u << VP_ISA_simd128)
#define ALWAYS   (((1u << VP_ISA_COUNT) - 1u) & ~DETECTED)

#if defined(__x86_64__) && defined(_WIN32)

#include <cpuid.h>
#include <stdatomic.h>

/* No runtime has queried the CPU. clang-cl links none, and clang's own does so on Windows only on request. */
static uint32_t detect_isas(void)
{
    const uint32_t first = 1u << 23 | 1u << 27 | 1u << 28;                        /* ECX of leaf 1 has POPCNT, OSXSAVE, AVX */
    const uint32_t avx2 = 1u << 3 | 1u << 5 | 1u << 8;                            /* EBX of leaf 7 has BMI1, AVX2, BMI2 */
    const uint32_t avx512 = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31; /* and F, DQ, CD, BW, VL */
    const uint32_t lzcnt = 1u << 5;                                               /* ECX of leaf 0x80000001 */
    const uint32_t ymm = 0x06, zmm = 0xe6;                                        /* registers that XCR0 marks as saved */
    uint32_t isas = ALWAYS, unused, of_1, of_7, of_80000001, saved;
    if (!__get_cpuid(1, &unused, &unused, &of_1, &unused) || (of_1 & first) != first ||
        !__get_cpuid_count(7, 0, &unused, &of_7, &unused, &unused) || (of_7 & avx2) != avx2 ||
        !__get_cpuid(0x80000001u, &unused, &unused, &of_80000001, &unused) || (of_80000001 & lzcnt) == 0)
        return isas;
    __asm__("xgetbv" : "=a"(saved) : "c"(0) : "edx");
    if ((saved & ymm) == ymm)
        isas |= 1u << VP_ISA_avx2;
    if ((saved & zmm) == zmm && (of_7 & avx512) == avx512)
        isas |= 1u << VP_ISA_avx512;
    return isas;
}

uint32_t vp_cpu_isas(void)
{
    static atomic_uint_least32_t answer; /* 0 until it is known; concurrent threads all find the same */
    uint32_t isas = (uint32_t)atomic_load_explicit(&answer, memory_order_relaxed);
    if (isas == 0) {
        isas = detect_isas();
        atomic_store_explicit(&answer, isas, memory_order_relaxed);
    }
    return isas;
}

#elif defined(__x86_64__)

/* Not all compilers' runtimes report LZCNT. On a CPU without it the same bytes are BSR, which counts from
   the other end. */
static bool has_lzcnt(void)
{
    uint64_t zeros;
    __asm__("lzcnt %1, %0" : "=r"(zeros) : "r"((uint64_t)1) : "cc");
    return zeros == 63;
}

uint32_t vp_cpu_isas(void)
{
    uint32_t isas = ALWAYS;
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
    return ALWAYS | 1u << VP_ISA_neon;
}

#elif defined(__wasm__)

uint32_t vp_cpu_isas(void)
{
    return ALWAYS | 1u << VP_ISA_simd128;
}

#else

uint32_t vp_cpu_isas(void)
{
    return ALWAYS;
}

#endif
