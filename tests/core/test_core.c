/* SPDX-License-Identifier: MIT */
/* Parts that all components share, which are status and messages, instruction sets, and the kernel registry. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* setenv */
#endif
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <stdlib.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <voxphys/voxphys.h>

#include "src/core/error.h"
#include "src/core/preference.h"

/* ---- status ---- */

TEST(status_names)
{
    static const char *const name[] = {"VP_OK",   "VP_E_ARGUMENT",    "VP_E_MEMORY", "VP_E_FORMAT",
                                       "VP_E_IO", "VP_E_UNSUPPORTED", "VP_E_LIMIT",  "unknown status"};
    for (int i = 0; i < 8; i++)
        assert_string_equal(vp_status_name((vp_status)i), name[i]);
    assert_string_equal(vp_status_name((vp_status)1000), "unknown status");
}

TEST(messages)
{
    vp_error error;
    memset(&error, 'x', sizeof error);
    assert_int_equal(vp_fail(&error, VP_E_IO, "%s %d", "file", 7), VP_E_IO);
    assert_int_equal(error.status, VP_E_IO);
    assert_string_equal(error.message, "file 7");
    static const size_t length[] = {254, 255, 256, 257, 999};
    static const size_t kept[] = {254, 255, 255, 255, 255};
    for (size_t i = 0; i < 5; i++) {
        char text[1000];
        memset(text, 'a', length[i]);
        text[length[i]] = '\0';
        struct {
            vp_error error;
            unsigned char behind[64];
        } cut;
        memset(&cut, 0xcc, sizeof cut);
        assert_int_equal(vp_fail(&cut.error, VP_E_FORMAT, "%s", text), VP_E_FORMAT);
        assert_int_equal(strlen(cut.error.message), kept[i]);
        assert_string_equal(cut.error.message + kept[i] - 3, length[i] > 255 ? "..." : "aaa");
        for (size_t b = 0; b < sizeof cut.behind; b++)
            assert_int_equal(cut.behind[b], 0xcc);
    }
    for (size_t before = 248; before < 254; before++) { /* a message is truncated between characters */
        char text[1000];
        memset(text, 'a', before);
        strcpy(text + before, "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80");
        vp_fail(&error, VP_E_FORMAT, "%s", text);
        const size_t whole = before <= 248 ? 1 : 0; /* which end before byte 252 */
        memcpy(text + (before < 252 ? before + 4 * whole : 252), "...", 4);
        assert_string_equal(error.message, text);
    }
    for (int c = 1; c < 256; c++) { /* no control character passes, neither ASCII's nor U+0080 to U+009F */
        bool control = c < ' ' || c == 127;
        char want[5] = {'a', control ? '?' : (char)c, 'b', '\0'};
        vp_fail(&error, VP_E_FORMAT, "a%cb", c);
        assert_string_equal(error.message, want);
        vp_fail(&error, VP_E_FORMAT, "\xc2%c", c);
        if (c >= 0x80 && c < 0xa0)
            memcpy(want, "?\?", 3);
        else
            want[0] = '\xc2', want[2] = '\0';
        assert_string_equal(error.message, want);
    }
    assert_int_equal(vp_succeed(&error), VP_OK);
    assert_int_equal(error.status, VP_OK);
    assert_int_equal(vp_fail(NULL, VP_E_MEMORY, "%d", 1), VP_E_MEMORY);
    assert_int_equal(vp_succeed(NULL), VP_OK);
    assert_true(vp_version_string()[0] != '\0');
}

/* ---- instruction sets ---- */

#if defined(__x86_64__)
typedef struct cpuid_words {
    uint32_t a, b, c, d;
} cpuid_words;

static cpuid_words cpuid(uint32_t leaf)
{
    cpuid_words r = {0, 0, 0, 0};
    __get_cpuid_count(leaf, 0, &r.a, &r.b, &r.c, &r.d); /* returns zeros if the CPU has no such leaf */
    return r;
}

/* Whether the system saves these registers. False if this cannot be read. */
static bool saves(uint32_t registers)
{
    if ((cpuid(1).c & 1u << 27) == 0) /* OSXSAVE */
        return false;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & registers) == registers;
}

/* The processor's own answer, bit by bit: Intel SDM volume 2, CPUID. */
static bool has_avx2(void)
{
    const uint32_t avx_popcnt = 1u << 28 | 1u << 23, bmi1_avx2_bmi2 = 1u << 3 | 1u << 5 | 1u << 8, lzcnt = 1u << 5;
    return (cpuid(1).c & avx_popcnt) == avx_popcnt && (cpuid(7).b & bmi1_avx2_bmi2) == bmi1_avx2_bmi2 &&
           (cpuid(0x80000001u).c & lzcnt) == lzcnt && saves(0x06);
}

static bool has_avx512(void)
{
    const uint32_t f_dq_cd_bw_vl = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;
    return (cpuid(7).b & f_dq_cd_bw_vl) == f_dq_cd_bw_vl && saves(0xe6);
}
#endif

TEST(isas)
{
    static const char *const name[] = {"scalar", "plain", "avx2", "avx512", "neon", "simd128", "unknown"};
    static const vp_isa isa[] = {VP_ISA_scalar, VP_ISA_plain, VP_ISA_avx2, VP_ISA_avx512, VP_ISA_neon, VP_ISA_simd128, VP_ISA_COUNT};
    for (int i = 0; i < 7; i++)
        assert_string_equal(vp_isa_name(isa[i]), name[i]);
    assert_string_equal(vp_isa_name((vp_isa)77), "unknown");
    assert_string_equal(vp_uarch_name(VP_UARCH_zen4), "zen4");
    assert_string_equal(vp_uarch_name(VP_UARCH_COUNT), "unknown");
    assert_string_equal(vp_kernel_name(VP_KERNEL_COUNT), "unknown");
    assert_int_equal(vp_isa_via(VP_ISA_scalar), VP_VIA_NATIVE);
    assert_true(vp_isa_usable(VP_ISA_scalar));
    assert_int_equal(vp_isa_via((vp_isa)77), VP_VIA_NONE);
    assert_false(vp_isa_usable((vp_isa)77));
    uint32_t cpu = vp_cpu_isas();
    assert_int_equal(cpu & 3, 1u << VP_ISA_scalar | 1u << VP_ISA_plain);
    assert_int_equal(cpu >> VP_ISA_COUNT, 0);
    if (cpu & 1u << VP_ISA_avx512)
        assert_true(cpu & 1u << VP_ISA_avx2); /* one implies the other */
#if defined(__x86_64__)
    assert_int_equal(!!(cpu & 1u << VP_ISA_avx2), has_avx2());
    assert_int_equal(!!(cpu & 1u << VP_ISA_avx512), has_avx2() && has_avx512());
    assert_int_equal(cpu & (1u << VP_ISA_neon | 1u << VP_ISA_simd128), 0);
#elif defined(__aarch64__)
    assert_int_equal(cpu, 1u << VP_ISA_scalar | 1u << VP_ISA_plain | 1u << VP_ISA_neon);
#endif
    for (int i = 0; i < VP_ISA_COUNT; i++)
        if (vp_isa_via((vp_isa)i) == VP_VIA_NATIVE)
            assert_int_equal(vp_isa_usable((vp_isa)i), cpu >> i & 1);
}

/* ---- the registry ---- */

/* The set from which a table must take a kernel, which is the last one of `isas` in the build. */
static vp_isa best_of(int kernel, uint32_t sets)
{
    vp_isa best = VP_ISA_scalar;
    for (size_t v = 0; v < vp_version_count; v++)
        if ((int)vp_versions[v].kernel == kernel && vp_versions[v].isa > best && (sets >> vp_versions[v].isa & 1) != 0)
            best = vp_versions[v].isa;
    return best;
}

static void expect_table(const vp_kernels *table, uint32_t sets)
{
    for (int k = 0; k < VP_KERNEL_COUNT; k++)
        assert_int_equal(vp_kernels_isa(table, (vp_kernel_id)k), best_of(k, sets));
}

TEST(names)
{
    uint32_t native = 0;
    for (int i = 0; i < VP_ISA_COUNT; i++)
        if (vp_isa_via((vp_isa)i) == VP_VIA_NATIVE && (vp_cpu_isas() >> i & 1) != 0)
            native |= 1u << i;
    vp_kernels table;
    for (uint32_t sets = 0; sets < 1u << VP_ISA_COUNT; sets++) {
        vp_kernels_best_on(VP_UARCH_other, &table, sets);
        expect_table(&table, sets);
    }
    vp_kernels here;
    memset(&table, 0, sizeof table);
    memset(&here, 0, sizeof here);
    vp_kernels_best_on(vp_uarch_now(), &here, native);
    assert_ok(vp_kernels_named("best", &table, &error));
    assert_memory_equal(&table, &here, sizeof table);
    assert_ok(vp_kernels_named("scalar", &table, &error));
    expect_table(&table, 1);
    static const vp_isa isa[] = {VP_ISA_plain, VP_ISA_avx2, VP_ISA_avx512, VP_ISA_neon, VP_ISA_simd128};
    static const char *const name[] = {"plain", "avx2", "avx512", "neon", "simd128"};
    static const char *const simde[] = {"plain-simde", "avx2-simde", "avx512-simde", "neon-simde", "simd128-simde"};
    for (int i = 0; i < 5; i++) {
        vp_via via = vp_isa_via(isa[i]);
        if (via == VP_VIA_NATIVE && vp_isa_usable(isa[i])) {
            assert_ok(vp_kernels_named(name[i], &table, &error));
            expect_table(&table, native & ((2u << isa[i]) - 1));
        } else {
            assert_refused(vp_kernels_named(name[i], &table, &error), VP_E_UNSUPPORTED, name[i]);
        }
        if (via == VP_VIA_SIMDE) {
            assert_ok(vp_kernels_named(simde[i], &table, &error));
            expect_table(&table, 1u << isa[i]);
        } else {
            assert_refused(vp_kernels_named(simde[i], &table, &error), isa[i] == VP_ISA_plain ? VP_E_ARGUMENT : VP_E_UNSUPPORTED, simde[i]);
        }
    }
    static const char *const bad[] = {"", "AVX2", "avx", "avx22", "avx2 ", "sse2", "-simde", "scalar-simde", "simde", "best-simde"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_refused(vp_kernels_named(bad[i], &table, &error), VP_E_ARGUMENT, bad[i]);
    char endless[2000];
    memset(endless, 'z', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_refused(vp_kernels_named(endless, &table, &error), VP_E_ARGUMENT, "zzzzzzzz");
    assert_int_equal(vp_kernels_named("nonsense", &table, NULL), VP_E_ARGUMENT);
}

TEST(environment)
{
    const char *given = getenv("VOXPHYS_ISA");
    char *kept = given != NULL ? strdup(given) : NULL;
    vp_kernels best, table;
    assert_ok(vp_kernels_named("best", &best, &error));

    unsetenv("VOXPHYS_ISA");
    assert_ok(vp_kernels_default(&table, &error));
    assert_memory_equal(&table, &best, sizeof table);
    setenv("VOXPHYS_ISA", "", 1);
    assert_ok(vp_kernels_default(&table, &error));
    assert_memory_equal(&table, &best, sizeof table);
    setenv("VOXPHYS_ISA", "scalar", 1);
    assert_ok(vp_kernels_default(&table, &error));
    expect_table(&table, 1);

    vp_world *world = test_world(1, 1, 1, NULL);
    vp_broadphase *b = NULL;
    vp_broadphase_def def = {.world = world};
    assert_ok(vp_broadphase_create(&def, &b, &error));
    expect_table(vp_broadphase_kernels(b), 1);
    vp_broadphase_destroy(b);
    b = NULL;

    setenv("VOXPHYS_ISA", "sse9", 1);
    assert_refused(vp_kernels_default(&table, &error), VP_E_ARGUMENT, "VOXPHYS_ISA");
    assert_refused(vp_kernels_default(&table, &error), VP_E_ARGUMENT, "\"sse9\"");
    assert_refused(vp_broadphase_create(&def, &b, &error), VP_E_ARGUMENT, "sse9");
    assert_null(b);
    def.kernels = &best; /* an explicit table takes precedence over the environment */
    assert_ok(vp_broadphase_create(&def, &b, &error));
    assert_memory_equal(vp_broadphase_kernels(b), &best, sizeof best);
    vp_broadphase_destroy(b);
    setenv("VOXPHYS_ISA", "avx512-simde", 1); /* no build has it */
    assert_refused(vp_kernels_default(&table, &error), VP_E_UNSUPPORTED, "avx512-simde");
    assert_refused(vp_kernels_default(&table, &error), VP_E_UNSUPPORTED, "VOXPHYS_ISA");

    if (kept != NULL)
        setenv("VOXPHYS_ISA", kept, 1);
    else
        unsetenv("VOXPHYS_ISA");
    free(kept);
    vp_world_destroy(world);
}
