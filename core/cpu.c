/* SPDX-License-Identifier: MIT */
/* What this CPU has and this operating system saves. On x86 an instruction set may be used only if CPUID has its
   feature bits and XGETBV shows that the system saves its registers when it switches threads (Intel SDM volume 1,
   sections 14.3 and 15.2). AArch64 always has Advanced SIMD. */
#include <voxphys/cpu.h>

#if defined(__x86_64__) || defined(_M_X64)
#define VP_X86_64 1
#include <cpuid.h>
#endif

#if defined(VP_X86_64)

typedef struct cpuid_words {
    uint32_t a, b, c, d;
} cpuid_words;

static cpuid_words cpuid(uint32_t leaf)
{
    cpuid_words r = {0, 0, 0, 0};
    __get_cpuid_count(leaf, 0, &r.a, &r.b, &r.c, &r.d); /* leaves zeros if the CPU has no such leaf */
    return r;
}

static uint64_t xgetbv0(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static bool has(uint32_t word, uint32_t bits)
{
    return (word & bits) == bits;
}

uint32_t vp_cpu_isas(void)
{
    enum { OSXSAVE = 1 << 27, AVX = 1 << 28, POPCNT = 1 << 23 };            /* leaf 1, ECX */
    enum { BMI1 = 1 << 3, AVX2 = 1 << 5, BMI2 = 1 << 8 };                   /* leaf 7, EBX */
    const uint32_t avx512 = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31; /* F DQ CD BW VL: leaf 7, EBX */
    enum { LZCNT = 1 << 5 };                                                /* leaf 0x80000001, ECX */
    enum { YMM = 0x06, ZMM = 0xe6 };                                        /* XCR0: SSE and AVX state; with opmask and ZMM */

    uint32_t isas = 1u << VP_ISA_scalar;
    cpuid_words basic = cpuid(1), extended = cpuid(7), amd = cpuid(0x80000001u);
    if (!has(basic.c, OSXSAVE | AVX | POPCNT))
        return isas;
    uint64_t saved = xgetbv0();
    if (has(extended.b, BMI1 | AVX2 | BMI2) && has(amd.c, LZCNT) && (saved & YMM) == YMM)
        isas |= 1u << VP_ISA_avx2;
    if (has(isas, 1u << VP_ISA_avx2) && has(extended.b, avx512) && (saved & ZMM) == ZMM)
        isas |= 1u << VP_ISA_avx512;
    return isas;
}

#elif defined(__aarch64__)

uint32_t vp_cpu_isas(void)
{
    return 1u << VP_ISA_scalar | 1u << VP_ISA_neon;
}

#else

uint32_t vp_cpu_isas(void)
{
    return 1u << VP_ISA_scalar;
}

#endif
