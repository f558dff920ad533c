/* SPDX-License-Identifier: MIT */
/* Every operation of the vocabulary (optimized/simd) has the plain version's bits on every ISA. Only signs and payloads of NaN are free. */
#include "tests/support/check.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/cpu.h>

#include "datasets/random.h"
#include "tests/simd/inputs.h"

static inputs in;

static float any_float(vp_random *r)
{
    static const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 0x1p-149f, -0x1p-126f, 0x1.fffffep127f};
    if (vp_random_below(r, 4) == 0)
        return special[vp_random_below(r, sizeof special / sizeof *special)];
    const uint32_t bits = (uint32_t)vp_random_next(r);
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static void make_inputs(void)
{
    vp_random r = {1};
    for (int k = 0; k < INPUTS; k++) {
        in.f[k] = any_float(&r);
        in.whole[k] = (float)((double)(int32_t)vp_random_next(&r) / (1 << vp_random_below(&r, 31)));
        if (fabsf(in.whole[k]) >= 0x1p31f || k / 100 % 4 == 0) /* equal ones */
            in.whole[k] = (float)vp_random_below(&r, 3);
        in.real[k] = (double)in.f[k] * 1.1;
        in.i[k] = vp_random_below(&r, 3) == 0 ? 7 : (int32_t)vp_random_next(&r);
        in.place[k] = (int32_t)vp_random_below(&r, INPUTS);
        in.bits[k] = (uint32_t)vp_random_next(&r);
        in.word[k] = vp_random_next(&r) >> vp_random_below(&r, 64);
        in.word[k] &= k / 64 % 2 == 0 ? vp_random_next(&r) & 1 ? UINT64_MAX : 0 : vp_random_next(&r) & vp_random_next(&r);
        in.byte[k] = (uint8_t)(vp_random_next(&r) >> (vp_random_below(&r, 2) == 0 ? 62 : 56) & 0xff);
        in.byte[k] = (uint8_t)(k / 100 % 4 == 0 ? in.byte[k] | 128 : k / 100 % 4 == 1 ? in.byte[k] & 127 : in.byte[k]); /* signs alike */
        in.half[k] = (uint16_t)(vp_random_next(&r) >> (vp_random_below(&r, 2) == 0 ? 62 : 48));
    }
}

static void compare(const char *name, vp_isa isa, size_t (*answer)(const inputs *, uint8_t *))
{
    if (!vp_isa_usable(isa)) {
        print_message("%s: not run, this machine does not have it\n", name);
        return;
    }
    uint8_t *expected = calloc(1, ANSWER_BYTES), *found = calloc(1, ANSWER_BYTES);
    const size_t size = answers_plain(&in, expected);
    assert_in_range(size, 28 << 20, ANSWER_BYTES);
    assert_int_equal(answer(&in, found), size);
    for (size_t k = 0; k < size; k++)
        if (expected[k] != found[k])
            fail_msg("%s: byte %zu of %zu answers is %02x, expected %02x", name, k, size, found[k], expected[k]);
    free(found);
    free(expected);
}

#define COMPARES(isa)                                                                                                                      \
    static void compare_##isa(void **state)                                                                                                \
    {                                                                                                                                      \
        (void)state;                                                                                                                       \
        compare(#isa, VP_ISA_##isa, answers_##isa);                                                                                        \
    }
#ifdef TEST_HAS_avx2
COMPARES(avx2)
#endif
#ifdef TEST_HAS_avx512
COMPARES(avx512)
#endif
#ifdef TEST_HAS_neon
COMPARES(neon)
#endif
#ifdef TEST_HAS_simd128
COMPARES(simd128)
#endif

/* Some answers of the plain version by hand, because the others are compared with it. */
static void plain_by_hand(void **state)
{
    (void)state;
    static inputs few;
    static uint8_t out[ANSWER_BYTES];
    float first[8];
    for (int k = 0; k < INPUTS; k++)
        few.f[k] = (float)k;
    answers_plain(&few, out);
    memcpy(first, out, sizeof first);
    for (int k = 0; k < 4; k++) {
        assert_float_equal(first[k], (float)(4 + 2 * k), 0); /* {0, 1, 2, 3} + {4, 5, 6, 7} */
        assert_float_equal(first[4 + k], (float)(3 * k), 0); /* x of points (0, 1, 2), (3, 4, 5), ... */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_by_hand),
#ifdef TEST_HAS_avx2
        cmocka_unit_test(compare_avx2),
#endif
#ifdef TEST_HAS_avx512
        cmocka_unit_test(compare_avx512),
#endif
#ifdef TEST_HAS_neon
        cmocka_unit_test(compare_neon),
#endif
#ifdef TEST_HAS_simd128
        cmocka_unit_test(compare_simd128),
#endif
    };
    make_inputs();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
