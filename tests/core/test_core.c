/* SPDX-License-Identifier: MIT */
/* Parts that all components share: status and messages, memory, geometry, instruction sets, and the kernel registry. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* setenv */
#endif
#include "tests/support/check.h"
#include "tests/support/memory.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdlib.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <voxphys/voxphys.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/core/preference.h"

/* ---- status ---- */

static void status_names(void **state)
{
    (void)state;
    static const char *const name[] = {"VP_OK",   "VP_E_ARGUMENT",    "VP_E_MEMORY", "VP_E_FORMAT",
                                       "VP_E_IO", "VP_E_UNSUPPORTED", "VP_E_LIMIT",  "unknown status"};
    for (int i = 0; i < 8; i++)
        assert_string_equal(vp_status_name((vp_status)i), name[i]);
    assert_string_equal(vp_status_name((vp_status)1000), "unknown status");
}

static void messages(void **state)
{
    (void)state;
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

/* ---- memory ---- */

static void default_allocator(void **state)
{
    (void)state;
    vp_allocator a = vp_allocator_default(), same = vp_allocator_or_default(NULL);
    assert_true(a.allocate == same.allocate && a.release == same.release);
    for (size_t alignment = 8; alignment <= 128; alignment *= 2)
        for (size_t bytes = 1; bytes < 300; bytes += 37) {
            unsigned char *block = a.allocate(a.user, bytes, alignment);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % alignment, 0);
            memset(block, 1, bytes);
            a.release(a.user, block, bytes);
        }
    assert_null(a.allocate(a.user, SIZE_MAX, 64)); /* would wrap when rounded up */
    assert_null(a.allocate(a.user, SIZE_MAX - 62, 64));
    vp_allocator own = {&a, a.allocate, a.release};
    assert_true(vp_allocator_or_default(&own).user == &a);
}

static void allocating(void **state)
{
    (void)state;
    test_memory memory;
    test_memory_begin(&memory);
    vp_allocator a = test_memory_allocator(&memory);
    assert_null(vp_allocate(&a, 0, 8));
    assert_null(vp_allocate(&a, 8, 0));
    assert_null(vp_allocate(&a, SIZE_MAX, 2));
    assert_null(vp_allocate(&a, SIZE_MAX / 2 + 1, 2));
    assert_null(vp_allocate_zero(&a, (size_t)1 << (sizeof(size_t) * 4), (size_t)1 << (sizeof(size_t) * 4)));
    assert_int_equal(memory.requests, 0);
    unsigned char *block = vp_allocate_zero(&a, 7, 11);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % 64, 0);
    for (int i = 0; i < 77; i++)
        assert_int_equal(block[i], 0);
    assert_int_equal(memory.live_bytes, 77);
    vp_release(&a, block, 7, 11);
    vp_release(&a, NULL, 7, 11);
    test_memory_fail_at(&memory, 1);
    assert_null(vp_allocate_zero(&a, 7, 11));
    test_memory_end(&memory);
}

/* ---- geometry ---- */

static void expect_vec3(vp_vec3 v, float x, float y, float z)
{
    assert_true(v.x == x && v.y == y && v.z == z);
}

static void geometry(void **state)
{
    (void)state;
    vp_vec3 a = {1, 2, 3}, b = {4, -5, 6};
    expect_vec3(vp_vec3_add(a, b), 5, -3, 9);
    expect_vec3(vp_vec3_sub(a, b), -3, 7, -3);
    expect_vec3(vp_vec3_scale(b, -0.5f), -2, 2.5f, -3);
    expect_vec3(vp_vec3_cross(a, b), 27, 6, -13);
    expect_vec3(vp_vec3_cross((vp_vec3){1, 0, 0}, (vp_vec3){0, 1, 0}), 0, 0, 1); /* right-handed */
    expect_vec3(vp_vec3_min(a, b), 1, -5, 3);
    expect_vec3(vp_vec3_max(a, b), 4, 2, 6);
    assert_true(vp_vec3_dot(a, b) == 12);
    /* (x + y) + z in binary32, because the other order would give 1 */
    vp_vec3 big = {0x1p24f, 1, -0x1p24f}, ones = {1, 1, 1};
    assert_true(vp_vec3_dot(big, ones) == 0); /* 2^24 + 1 rounds to 2^24 */
    assert_true(vp_vec3_dot((vp_vec3){0x1p24f, -0x1p24f, 1}, ones) == 1);

    assert_true(vp_min(1, 2) == 1 && vp_min(2, 1) == 1 && vp_max(1, 2) == 2 && vp_max(2, 1) == 2);
    assert_true(!signbit(vp_min(-0.0f, 0.0f)) && signbit(vp_min(0.0f, -0.0f))); /* equal: the second */
    assert_true(!signbit(vp_max(-0.0f, 0.0f)) && signbit(vp_max(0.0f, -0.0f)));
    assert_true(vp_min(NAN, 3) == 3 && vp_max(NAN, 3) == 3 && isnan(vp_min(3, NAN)) && isnan(vp_max(3, NAN)));

    vp_aabb box = {{0, 0, 0}, {2, 2, 2}}, point = {{2, 2, 2}, {2, 2, 2}}, beside = {{2.0000002f, 0, 0}, {3, 2, 2}};
    assert_true(vp_aabb_valid(&box) && vp_aabb_valid(&point));
    vp_aabb endless = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    assert_true(vp_aabb_valid(&endless));
    for (int i = 0; i < 6; i++) {
        vp_aabb broken = box, inverted = box;
        float *side[6] = {&broken.min.x, &broken.min.y, &broken.min.z, &broken.max.x, &broken.max.y, &broken.max.z};
        float *edge[6] = {&inverted.min.x, &inverted.min.y, &inverted.min.z, &inverted.max.x, &inverted.max.y, &inverted.max.z};
        *side[i] = NAN;
        *edge[i] = i < 3 ? 2.5f : -0.5f;
        assert_false(vp_aabb_valid(&broken));
        assert_false(vp_aabb_valid(&inverted));
    }
    assert_true(vp_aabb_overlaps(&box, &point) && vp_aabb_overlaps(&point, &box)); /* closed */
    assert_false(vp_aabb_overlaps(&box, &beside) || vp_aabb_overlaps(&beside, &box));
    for (int axis = 0; axis < 3; axis++) {
        float shift[3] = {0, 0, 0};
        shift[axis] = 3;
        vp_aabb away = {{shift[0], shift[1], shift[2]}, {2 + shift[0], 2 + shift[1], 2 + shift[2]}};
        assert_false(vp_aabb_overlaps(&box, &away) || vp_aabb_overlaps(&away, &box));
        assert_false(vp_aabb_contains(&box, away.max) || vp_aabb_contains(&away, box.min));
    }
    assert_true(vp_aabb_contains(&box, point.min) && vp_aabb_contains(&box, box.min));
    vp_aabb both = vp_aabb_union(&box, &beside);
    expect_vec3(both.min, 0, 0, 0);
    expect_vec3(both.max, 3, 2, 2);
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

static void isas(void **state)
{
    (void)state;
    static const char *const name[] = {"scalar", "plain", "avx2", "avx512", "neon", "simd128", "unknown"};
    static const vp_isa isa[] = {VP_ISA_scalar, VP_ISA_plain, VP_ISA_avx2, VP_ISA_avx512, VP_ISA_neon, VP_ISA_simd128, VP_ISA_COUNT};
    for (int i = 0; i < 7; i++)
        assert_string_equal(vp_isa_name(isa[i]), name[i]);
    assert_string_equal(vp_isa_name((vp_isa)77), "unknown");
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

static void versions(void **state)
{
    (void)state;
    static const char *const name[] = {"dilate_chunk", "dilate_chunk_rows", "dilate_world",   "dilate_world_rows",
                                       "overlap_box",  "overlap_boxes",     "overlap_chunks", "mesh_chunk"};
    for (size_t k = 0; k < sizeof name / sizeof name[0]; k++)
        assert_string_equal(vp_kernel_name((vp_kernel_id)k), name[k]);
    assert_string_equal(vp_kernel_name(VP_KERNEL_COUNT), "unknown");
    assert_string_equal(vp_kernel_name((vp_kernel_id)1000), "unknown");

    size_t v = 0;
    for (int k = 0; k < VP_KERNEL_COUNT; k++) { /* by kernel. test_contenders.c tests that each is listed once */
        vp_kernels none;
        memset(&none, 0, sizeof none);
        for (int i = 0; i < VP_ISA_COUNT; i++) {
            const bool there = v < vp_version_count && (int)vp_versions[v].kernel == k && (int)vp_versions[v].isa == i;
            vp_kernels table = none;
            assert_true(there || i != VP_ISA_scalar);
            assert_int_equal(vp_kernels_use(&table, (vp_kernel_id)k, (vp_isa)i), there);
            for (int other = 0; other < VP_KERNEL_COUNT; other++) /* exactly that one */
                assert_int_equal(vp_kernels_isa(&table, (vp_kernel_id)other), there && other == k ? i : VP_ISA_COUNT);
            v += there;
        }
        assert_false(vp_kernels_use(&none, (vp_kernel_id)k, (vp_isa)77));
    }
    assert_int_equal(v, vp_version_count);
}

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

/* The measured exceptions of a simulated processor. */
static void preferences(void **state)
{
    (void)state;
    uint32_t built = 0;
    for (size_t v = 0; v < vp_version_count; v++)
        built |= 1u << vp_versions[v].isa;
    for (size_t p = 0; p < vp_preference_count; p++) { /* rows name versions of the kernel, in default order, once a processor */
        const vp_preference *row = &vp_preferences[p];
        assert_true(row->uarch != VP_UARCH_other && row->uarch < VP_UARCH_COUNT && row->kernel < VP_KERNEL_COUNT && row->ratio > 1.0);
        assert_ptr_equal(vp_find_preference(row->uarch, row->kernel), row);
        vp_kernels table;
        assert_int_equal(vp_kernels_use(&table, row->kernel, row->isa), built >> row->isa & 1);
        assert_int_equal(vp_kernels_use(&table, row->kernel, row->instead_of), built >> row->instead_of & 1);
    }
    for (int u = 0; u < VP_UARCH_COUNT; u++)
        for (uint32_t sets = 0; sets < 1u << VP_ISA_COUNT; sets++) {
            vp_kernels table;
            vp_kernels_best_on((vp_uarch)u, &table, sets);
            for (int k = 0; k < VP_KERNEL_COUNT; k++) {
                vp_isa want = best_of(k, sets);
                if (u == VP_UARCH_zen4 && (k == VP_KERNEL_kd_ray_any || k == VP_KERNEL_kd_ray_all) && want == VP_ISA_avx512 &&
                    (sets & built & 1u << VP_ISA_avx2) != 0)
                    want = VP_ISA_avx2;
                assert_int_equal(vp_kernels_isa(&table, (vp_kernel_id)k), want);
            }
        }
    assert_string_equal(vp_uarch_name(VP_UARCH_zen4), "zen4");
    assert_string_equal(vp_uarch_name(VP_UARCH_COUNT), "unknown");
    assert_true(vp_uarch_now() < VP_UARCH_COUNT);
}

static void names(void **state)
{
    (void)state;
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

static void environment(void **state)
{
    (void)state;
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

/* ---- executors ---- */

static void count_up(void *argument, uint32_t index)
{
    ((uint32_t *)argument)[index]++;
}

static void serial_executor(void **state)
{
    (void)state;
    uint32_t done[9] = {0};
    vp_executor e = vp_executor_serial();
    assert_int_equal(e.thread_count, 1);
    e.parallel_for(e.user, 8, count_up, done);
    e.parallel_for(e.user, 0, count_up, done);
    for (int i = 0; i < 9; i++)
        assert_int_equal(done[i], i < 8);
}

static void fill_stone(const void *user, vp_ivec3 chunk, vp_block *cell)
{
    (void)user, (void)chunk;
    for (int i = 0; i < VP_BLOCK_CELLS; i++)
        cell[i] = VP_BLOCK_STONE;
}

/* An executor whose members are all 0 is the calling thread. */
static void empty_executor(void **state)
{
    (void)state;
    static const vp_executor empty = {0};
    vp_random r = {7};
    vp_world *world = test_random_world(&r, (vp_dims){3, 3, 3}, NULL);
    vp_mesh mesh, expected;
    assert_ok(vp_mesh_create(&(vp_mesh_def){.world = world, .executor = &empty}, &mesh, &error));
    assert_ok(vp_mesh_create(&(vp_mesh_def){.world = world}, &expected, &error));
    assert_int_equal(mesh.quad_count, expected.quad_count);
    vp_mesh_destroy(&expected);
    vp_mesh_destroy(&mesh);

    vp_terrain *terrain;
    vp_ray ray[600]; /* several pieces */
    vp_terrain_hit hit[600], alone;
    assert_ok(vp_terrain_create(&(vp_terrain_def){.world = world, .executor = &empty}, &terrain, &error));
    assert_ok(vp_terrain_prepare(terrain, &error));
    for (int i = 0; i < 600; i++)
        ray[i] = (vp_ray){.origin = {(float)(i % 25), 40, (float)(i / 25)}, .direction = {0, -1, 0}, .t_max = 60};
    assert_ok(vp_terrain_raycast_many(terrain, VP_SURFACE_SOLID, ray, 600, hit, &error));
    for (int i = 0; i < 600; i++) {
        assert_ok(vp_terrain_raycast(terrain, VP_SURFACE_SOLID, &ray[i], &alone, &error));
        assert_float_equal(hit[i].in_chunk.t, alone.in_chunk.t, 0);
    }
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);

    vp_blocks *blocks;
    assert_ok(vp_blocks_create(&(vp_blocks_def){0}, &blocks, &error));
    assert_ok(vp_blocks_fill(blocks, (vp_ivec3){0, 0, 0}, (vp_dims){2, 1, 2}, fill_stone, NULL, &empty, &error));
    assert_int_equal(vp_blocks_list_chunks(blocks, NULL, 0), 4);
    vp_blocks_destroy(blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_names), cmocka_unit_test(messages),        cmocka_unit_test(default_allocator),
        cmocka_unit_test(allocating),   cmocka_unit_test(geometry),        cmocka_unit_test(isas),
        cmocka_unit_test(versions),     cmocka_unit_test(names),           cmocka_unit_test(preferences),
        cmocka_unit_test(environment),  cmocka_unit_test(serial_executor), cmocka_unit_test(empty_executor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
