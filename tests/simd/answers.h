/* SPDX-License-Identifier: MIT */
/* The answers of every operation of the vocabulary. Compiled once for each ISA, after its header, with VP_ANSWERS as the function's name.
 */
#include "tests/simd/inputs.h"

#include <math.h>
#include <string.h>

/* Writes a vector's lanes. All NaN are the same, because their signs and payloads depend on the ISA. */
#define PUT(type, lanes, scalar, value)                                                                                                    \
    do {                                                                                                                                   \
        scalar put_[lanes];                                                                                                                \
        type##_store(put_, value);                                                                                                         \
        for (int k_ = 0; k_ < lanes; k_++)                                                                                                 \
            put_[k_] = isnan((double)put_[k_]) ? (scalar)12345 : put_[k_];                                                                 \
        memcpy(to, put_, sizeof put_);                                                                                                     \
        to += sizeof put_;                                                                                                                 \
    } while (0)

#define PUT_COMPRESSED(type, lanes, scalar, bits, value)                                                                                   \
    do {                                                                                                                                   \
        scalar put_[lanes];                                                                                                                \
        type##_compress_store(put_, bits, value);                                                                                          \
        memcpy(to, put_, (size_t)__builtin_popcount(bits) * sizeof *put_);                                                                 \
        to += sizeof put_;                                                                                                                 \
    } while (0)

/* All operations on vectors of some lanes of 32 bits. */
#define ANSWER_32(F, I, M, lanes)                                                                                                          \
    for (size_t i = 0; i + 3 * lanes <= INPUTS; i += lanes) {                                                                              \
        const F a = F##_load(in->f + i), b = F##_load(in->f + i + lanes);                                                                  \
        const I p = I##_load(in->i + i), q = I##_load(in->i + i + lanes);                                                                  \
        const M m = F##_cmp_gt(a, b), e = I##_cmp_eq(p, q);                                                                                \
        const uint32_t bits = in->bits[i] & ((1u << lanes) - 1);                                                                           \
        F x, y, z;                                                                                                                         \
        F##_load3(in->f + i, &x, &y, &z);                                                                                                  \
        PUT(F, lanes, float, F##_set1(in->f[i]));                                                                                          \
        PUT(F, lanes, float, F##_add(a, b));                                                                                               \
        PUT(F, lanes, float, F##_sub(a, b));                                                                                               \
        PUT(F, lanes, float, F##_mul(a, b));                                                                                               \
        PUT(F, lanes, float, F##_div(a, b));                                                                                               \
        PUT(F, lanes, float, F##_abs(a));                                                                                                  \
        PUT(F, lanes, float, F##_select(m, a, b));                                                                                         \
        PUT(F, lanes, float, x);                                                                                                           \
        PUT(F, lanes, float, y);                                                                                                           \
        PUT(F, lanes, float, z);                                                                                                           \
        PUT(F, lanes, float, I##_to_f32(p));                                                                                               \
        PUT(F, lanes, float, F##_gather(in->f, I##_load(in->place + i)));                                                                  \
        PUT(I, lanes, int32_t, F##_to_i32(F##_load(in->whole + i)));                                                                       \
        PUT(I, lanes, int32_t, I##_set1(in->i[i]));                                                                                        \
        PUT(I, lanes, int32_t, I##_iota());                                                                                                \
        PUT(I, lanes, int32_t, I##_add(p, q));                                                                                             \
        PUT(I, lanes, int32_t, I##_select(e, p, q));                                                                                       \
        PUT(I, lanes, int32_t, I##_set1((int32_t)(M##_movemask(m) | M##_movemask(e) << 8)));                                               \
        PUT_COMPRESSED(F, lanes, float, bits, a);                                                                                          \
        PUT_COMPRESSED(I, lanes, int32_t, bits, p);                                                                                        \
        const M le = F##_cmp_le(a, b), more = I##_cmp_gt(p, q);                                                                            \
        PUT(F, lanes, float, F##_max(a, b));                                                                                               \
        PUT(F, lanes, float, F##_min_fast(F##_load(in->whole + i), F##_set1(0.5f)));                                                       \
        PUT(I, lanes, int32_t, F##_floor_to_i32(F##_load(in->whole + i)));                                                                 \
        PUT(I, lanes, int32_t, I##_sub(p, q));                                                                                             \
        PUT(I, lanes, int32_t, I##_mul(p, q));                                                                                             \
        PUT(I, lanes, int32_t, I##_and(p, q));                                                                                             \
        PUT(I, lanes, int32_t, I##_shl(p, 3));                                                                                             \
        PUT(I, lanes, int32_t, I##_sra(p, 5));                                                                                             \
        PUT(I, lanes, int32_t, I##_shlv(p, I##_and(q, I##_set1(31))));                                                                     \
        PUT(I, lanes, int32_t, I##_set1((int32_t)(M##_movemask(le) | M##_movemask(more) << 8)));                                           \
        PUT(I, lanes, int32_t, I##_set1((int32_t)(M##_movemask(M##_and(m, more)) | M##_movemask(M##_or(m, more)) << 8)));                  \
        PUT(F, lanes, float, F##_max_fast(F##_load(in->whole + i), F##_set1(0.5f)));                                                       \
        PUT(F, lanes, float, F##_min_where(more, F##_load(in->whole + i), F##_set1(0.5f)));                                                \
        PUT(F, lanes, float, F##_neg(a));                                                                                                  \
        PUT(F, lanes, float, F##_maskz(M##_andnot(m, more), a));                                                                           \
        PUT(F, lanes, float, F##_maskz(M##_of_bits(bits), a));                                                                             \
        PUT(F, lanes, float, F##_maskz(F##_cmp_eq(a, F##_select(more, a, b)), a));                                                         \
        PUT(F, lanes, float, F##_set1(F##_sum(F##_load(in->whole + i))));                                                                  \
    }

/* Operations of four lanes only. */
#define ANSWER_4()                                                                                                                         \
    for (size_t i = 0; i + 4 <= INPUTS; i++) {                                                                                             \
        const i32x4 p = i32x4_load(in->i + i);                                                                                             \
        const m32x4 three = i32x4_cmp_gt(i32x4_set1(3), i32x4_iota());                                                                     \
        PUT(f32x4, 4, float, f32x4_select(three, f32x4_load_xyz_fast(in->f + i), f32x4_set1(0.0f)));                                       \
        PUT(i32x4, 4, int32_t, i32x4_set1(i32x4_lane(p, 0) ^ 3 * i32x4_lane(p, 3)));                                                       \
        const f32x4 a = f32x4_load(in->whole + i), b = f32x4_load(in->f + i);                                                              \
        PUT(f32x4, 4, float, f32x4_interleave_low(a, b));                                                                                  \
        PUT(f32x4, 4, float, f32x4_ext_second(a, b));                                                                                      \
        *to++ = (uint8_t)f32x4_argmin(a);                                                                                                  \
        *to++ = (uint8_t)f32x4_argmin(i32x4_to_f32(i32x4_and(p, i32x4_set1(1))));                                                          \
    }

/* Operations of eight or sixteen lanes. VECTORS reads n vectors. */
#define VECTORS(F, lanes, n, from)                                                                                                         \
    F v[n];                                                                                                                                \
    for (size_t k = 0; k < n; k++)                                                                                                         \
        v[k] = F##_load((from) + k * lanes);
#define ANSWER_WIDE(F, C, lanes)                                                                                                           \
    for (size_t i = 0; i + 6 * lanes <= INPUTS; i += lanes) {                                                                              \
        const uint32_t bits = in->bits[i] & ((1u << lanes) - 1), count = (uint32_t)__builtin_popcount(bits);                               \
        float put[lanes];                                                                                                                  \
        VECTORS(F, lanes, 6, in->whole + i)                                                                                                \
        for (int k = 0; k < 6; k++)                                                                                                        \
            v[k] = F##_add(v[k], F##_set1(0.0f));                                                                                          \
        PUT(F, lanes, float, F##_min_across(v));                                                                                           \
        PUT(f32x8, 8, float, F##_fold8_min(v[0]));                                                                                         \
        F##_store_compressed(put, C##_of_bits(bits), v[0]);                                                                                \
        memcpy(to, put, count * sizeof *put);                                                                                              \
        to += sizeof put;                                                                                                                  \
    }
#define ANSWER_HALVES()                                                                                                                    \
    for (size_t i = 0; i + 32 <= INPUTS; i += 8) {                                                                                         \
        VECTORS(f32x8, 8, 4, in->f + i)                                                                                                    \
        f32x8 by[3];                                                                                                                       \
        f32x8_transpose3(v, by);                                                                                                           \
        for (int k = 0; k < 3; k++)                                                                                                        \
            PUT(f32x8, 8, float, by[k]);                                                                                                   \
        PUT(f32x8, 8, float, f32x8_of_halves(f32x8_high(v[0]), f32x8_low(v[1])));                                                          \
        PUT(f32x8, 8, float, f32x16_high(f32x16_both(v[0])));                                                                              \
        PUT(f32x8, 8, float, f32x16_low(f32x16_load(in->f + i)));                                                                          \
        PUT(f32x8, 8, float, f32x8_compress(in->bits[i] & 255, v[0]));                                                                     \
        const m32x16 m = m32x16_of_halves(f32x8_cmp_gt(v[0], v[1]), f32x8_cmp_gt(v[2], v[3]));                                             \
        PUT(f32x16, 16, float, f32x16_maskz(m, f32x16_load(in->f + i)));                                                                   \
        uint32_t four[5] = {0};                                                                                                            \
        i32x8_compress_copy4(four, in->i + i, in->bits[i] & 0x55);                                                                         \
        memcpy(to, four, sizeof four);                                                                                                     \
        to += sizeof four;                                                                                                                 \
        u16x8 sizes = u16x8_set1((uint16_t)in->i[i]);                                                                                      \
        for (uint32_t k = 0; k < 9; k++) {                                                                                                 \
            sizes = u16x8_replace(sizes, k & 7, (uint16_t)in->i[i + k]);                                                                   \
            const uint32_t least = u16x8_min_across(sizes);                                                                                \
            memcpy(to, &least, sizeof least);                                                                                              \
            to += sizeof least;                                                                                                            \
        }                                                                                                                                  \
    }

#define ANSWER_64(F, M, lanes)                                                                                                             \
    for (size_t i = 0; i + 2 * lanes <= INPUTS; i += lanes) {                                                                              \
        const F a = F##_load_f32(in->f + i), b = F##_load_f32(in->f + i + lanes);                                                          \
        const F c = F##_mul(a, F##_set1(1.1)), d = F##_load_f32(in->whole + i);                                                            \
        const M m = F##_cmp_gt(a, b), n = F##_cmp_gt(c, a);                                                                                \
        PUT(F, lanes, double, c);                                                                                                          \
        PUT(F, lanes, double, F##_add(c, b));                                                                                              \
        PUT(F, lanes, double, F##_sub(c, b));                                                                                              \
        PUT(F, lanes, double, F##_max_fast(d, F##_add(F##_iota(), F##_set1(0.5))));                                                        \
        PUT(F, lanes, double, F##_abs(c));                                                                                                 \
        PUT(F, lanes, double, F##_rsqrt_estimate(F##_abs(d)));                                                                             \
        PUT(F, lanes, double, F##_select(M##_and(m, n), a, b));                                                                            \
        PUT(F, lanes, double, F##_select(M##_or(m, n), a, b));                                                                             \
        PUT(F, lanes, double, F##_select(M##_andnot(m, n), a, b));                                                                         \
        PUT(F, lanes, double, F##_set1(M##_any(m) ? 1.0 : M##_any(M##_zero()) ? 2.0 : 3.0));                                               \
        F##_store_i32(to, d);                                                                                                              \
        to += lanes * sizeof(int32_t);                                                                                                     \
    }

/* The widest native vector of words. */
#define WORDS_(lanes, rest) u64x##lanes##rest
#define WORDS(lanes, rest)  WORDS_(lanes, rest)
#define ANSWER_U64(U, M, lanes)                                                                                                            \
    for (size_t i = 0; i + 2 * lanes <= INPUTS; i += lanes) {                                                                              \
        const U a = U##_load(in->word + i), b = U##_load(in->word + i + lanes);                                                            \
        PUT(U, lanes, uint64_t, U##_set1(in->word[i]));                                                                                    \
        PUT(U, lanes, uint64_t, U##_of_bytes(in->word[i]));                                                                                \
        PUT(U, lanes, uint64_t, U##_and(a, b));                                                                                            \
        PUT(U, lanes, uint64_t, U##_or(a, b));                                                                                             \
        PUT(U, lanes, uint64_t, U##_not(a));                                                                                               \
        PUT(U, lanes, uint64_t, U##_bitselect(a, b, U##_set1(in->word[i])));                                                               \
        PUT(U, lanes, uint64_t, U##_shl(a, 1));                                                                                            \
        PUT(U, lanes, uint64_t, U##_shl(a, 56));                                                                                           \
        PUT(U, lanes, uint64_t, U##_shr(a, 7));                                                                                            \
        PUT(U, lanes, uint64_t, U##_shr(a, 63));                                                                                           \
        PUT(U, lanes, uint64_t, U##_ext_second(a, b));                                                                                     \
        PUT(U, lanes, uint64_t, U##_ext_last(a, b));                                                                                       \
        PUT(U, lanes, uint64_t, U##_maskz(M##_of_bits(in->byte[i]), a));                                                                   \
        PUT(U, lanes, uint64_t, U##_set1(WORDS(VP_F64N, _any)(WORDS(VP_F64N, _and)(U##_fold_or(a), WORDS(VP_F64N, _set1)(in->word[i]))))); \
        PUT(U, lanes, uint64_t, U##_set1(M##_movemask(U##_testn(a, b)) + 256 * U##_any(a)));                                               \
    }

#define ANSWER_8(U, M, lanes)                                                                                                              \
    for (size_t i = 0; i + 2 * lanes <= sizeof in->byte; i += lanes / 2) {                                                                 \
        const U a = U##_load(in->byte + i), b = U##_load_rows(in->byte + i, 1 + i % 16);                                                   \
        const uint64_t bits[] = {M##_movemask(U##_cmp_eq(a, b)), M##_movemask(U##_cmp_eq(b, U##_set1(in->byte[i]))),                       \
                                 M##_movemask(U##_cmp_ge(a, 1)), M##_movemask(U##_cmp_ge(a, 2)), M##_movemask(U##_cmp_ge(a, 128))};        \
        memcpy(to, bits, sizeof bits);                                                                                                     \
        to += sizeof bits;                                                                                                                 \
    }

size_t VP_ANSWERS(const inputs *in, uint8_t *out)
{
    uint8_t *to = out;
    ANSWER_32(f32x4, i32x4, m32x4, 4)
    ANSWER_4()
    ANSWER_WIDE(f32x8, c32x8, 8)
    ANSWER_WIDE(f32x16, c32x16, 16)
    ANSWER_HALVES()
    ANSWER_32(f32x8, i32x8, m32x8, 8)
    ANSWER_32(f32x16, i32x16, m32x16, 16)
    ANSWER_64(f64x4, m64x4, 4)
    ANSWER_64(f64x8, m64x8, 8)
    ANSWER_U64(u64x8, m64x8, 8)
    ANSWER_8(u8x64, m8x64, 64)
    return (size_t)(to - out);
}
