/* SPDX-License-Identifier: MIT */
/* Promises of docs/CONTRACT.md about many or all kernels, about ties, overflow, and the processor's mode. The corpus has zeros of both
 * signs and directions of any length. */
#include "tests/support/check.h"
#include "tests/support/samples.h"
#include "tests/support/forms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <voxphys/voxphys.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* ---- the processor ---- */

#if defined(__x86_64__) || defined(__aarch64__)
static void set_float_mode(uint32_t bits)
{
#if defined(__x86_64__)
    _mm_setcsr(bits);
#else
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)bits));
#endif
}
#endif

/* docs/CONTRACT.md: ALL-3. The tests run in the floating-point mode of the contract, and other modes are reported. */
TEST(float_mode)
{
    assert_ok(vp_float_mode_check(&error));
    const vp_float_mode usual = vp_float_mode_now();
    assert_true(usual.nearest && !usual.flushes_results && !usual.flushes_operands);
#if defined(__x86_64__) || defined(__aarch64__)
#if defined(__x86_64__)
    static const uint32_t other[] = {0x8000, 0x0040, 0x2000, 0x4000, 0x6000, 0x8040};
    assert_string_equal(usual.name, "MXCSR");
#else
    static const uint32_t other[] = {1u << 24, 1u << 22, 1u << 23, 3u << 22};
    assert_string_equal(usual.name, "FPCR");
#endif
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        vp_error error = {VP_OK, ""};
        char named[16];
        snprintf(named, sizeof named, "0x%08x", (unsigned)(usual.bits | other[i]));
        set_float_mode(usual.bits | other[i]);
        const vp_status status = vp_float_mode_check(&error);
        const volatile float least = 0x1p-126f, half = least * 0.5f, denormal = 0x1p-149f, raised = denormal * 0x1p100f;
        const vp_float_mode now = vp_float_mode_now();
        set_float_mode(usual.bits);
        assert_int_equal(status, VP_E_UNSUPPORTED);
        assert_non_null(strstr(error.message, named));
        const float made[2] = {half, raised}; /* the processor's mode, by calculation */
        uint32_t made_bits[2];
        memcpy(made_bits, made, sizeof made_bits);
        assert_int_equal(now.flushes_results, made_bits[0] == 0);
        assert_int_equal(now.flushes_operands, made_bits[1] == 0);
    }
    assert_ok(vp_float_mode_check(&error));
#endif
}

/* A ray with the triangle and all bits of t that each tree must return. */
typedef struct asked_ray {
    vp_ray ray;
    int32_t triangle;
    float t;
} asked_ray;

static void expect_hits(const vp_triangles *triangles, const asked_ray *list, size_t count)
{
    vp_kd *tree[TEST_MAX_TREES];
    const int trees = test_trees(triangles, tree);
    assert_true(trees > 0);
    for (int k = 0; k < trees; k++)
        for (size_t i = 0; i < count; i++) {
            vp_hit hit;
            assert_ok(vp_kd_raycast(tree[k], &list[i].ray, &hit, &error));
            assert_int_equal(hit.triangle, list[i].triangle);
            assert_memory_equal(&hit.t, &list[i].t, sizeof hit.t);
        }
    test_trees_free(tree, trees);
}

/* ---- rays ---- */

/* docs/CONTRACT.md: ALL-7, RAY-2, RAY-5. For coincident triangles, in any number and order, every version returns the lowest number. A
 * segment on an axis's diagonal counts as no triangle. */
TEST(the_lowest_of_equals)
{
    const vp_vec3 vertex[6] = {{0, 0, 4}, {8, 0, 4}, {0, 8, 4}, {0, 0, 2}, {8, 8, 2}, {4, 4, 2}};
    for (uint32_t count = 1; count <= 70; count++) {
        uint32_t index[210];
        for (uint32_t i = 0; i < count; i++) { /* every third is a segment, and is nearer by */
            const bool line = count > 2 && i % 3 == 0;
            for (uint32_t k = 0; k < 3; k++)
                index[3 * i + k] = line ? 3 + k : (k + i) % 3;
        }
        const vp_triangles t = {.vertex = vertex, .index = index, .vertex_count = 6, .triangle_count = count};
        const asked_ray list[] = {{{{2.0f, 2.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, 100.0f}, count > 2 ? 1 : 0, 4.0f},
                                  {{{-1.0f, 2.0f, 4.0f}, {1.0f, 0.0f, 0.0f}, 100.0f}, VP_NO_HIT, 100.0f}};
        expect_hits(&t, list, 2);
    }
}

/* docs/CONTRACT.md: RAY-6. A hit whose parameter overflows binary32 is a miss, and a hit just within its range counts. On a miss t is
 * t_max, bit for bit. */
TEST(hits_beyond_floats)
{
    const vp_vec3 vertex[3] = {{-8, -8, 4}, {8, -8, 4}, {0, 8, 4}};
    const uint32_t index[3] = {0, 1, 2};
    const vp_triangles one = {.vertex = vertex, .index = index, .vertex_count = 3, .triangle_count = 1};
    const asked_ray list[] = {{{{0, 0, 0}, {0, 0, 0x1p-125f}, INFINITY}, 0, 0x1p127f},
                              {{{0, 0, 0}, {0, 0, 0x1p-126f}, INFINITY}, VP_NO_HIT, INFINITY}, /* 2^128 */
                              {{{0, 0, 0}, {0, 0, 1}, -0.0f}, VP_NO_HIT, -0.0f}};
    expect_hits(&one, list, 3);
}
