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

#define PUT_EACH(type, lanes, scalar, ...)                                                                                                 \
    do {                                                                                                                                   \
        const type each_[] = {__VA_ARGS__};                                                                                                \
        for (size_t n_ = 0; n_ < sizeof each_ / sizeof *each_; n_++)                                                                       \
            PUT(type, lanes, scalar, each_[n_]);                                                                                           \
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
        float mixed[3 * lanes];                                                                                                            \
        F##_store3(mixed, a, b, x);                                                                                                        \
        memcpy(to, mixed, sizeof mixed);                                                                                                   \
        to += sizeof mixed;                                                                                                                \
        PUT_COMPRESSED(F, lanes, float, bits, a);                                                                                          \
        PUT_COMPRESSED(I, lanes, int32_t, bits, p);                                                                                        \
        const M le = F##_cmp_le(a, b), more = I##_cmp_gt(p, q);                                                                            \
        PUT_EACH(F, lanes, float, F##_set1(in->f[i]), F##_add(a, b), F##_sub(a, b), F##_mul(a, b), F##_div(a, b), F##_abs(a),              \
                 F##_select(m, a, b), x, y, z, I##_to_f32(p), F##_gather(in->f, I##_load(in->place + i)), F##_maskz(F##_cmp_le(a, b), a),  \
                 I##_reciprocal(I##_and(p, I##_set1(15))), F##_min(a, b), F##_max(a, b),                                                   \
                 F##_min_fast(F##_load(in->whole + i), F##_load(in->whole + i + lanes)),                                                   \
                 F##_max_fast(F##_load(in->whole + i), F##_load(in->whole + i + lanes)), F##_select(F##_cmp_lt(a, b), a, b),               \
                 F##_select(F##_cmp_le(a, b), a, F##_abs(a)), F##_select(F##_cmp_eq(a, F##_abs(a)), a, b),                                 \
                 F##_select(M##_and(m, e), a, b), F##_select(M##_or(m, e), a, b), F##_select(M##_of_bits(in->bits[i]), a, b),              \
                 I##_as_f32(I##_and(p, q)), F##_set1(F##_reduce_min(F##_load(in->whole + i))),                                             \
                 F##_set1(F##_reduce_max(F##_load(in->whole + i))), F##_min_fast(F##_load(in->whole + i), F##_set1(0.5f)),                 \
                 F##_max_fast(F##_load(in->whole + i), F##_set1(0.5f)), F##_min_where(more, F##_load(in->whole + i), F##_set1(0.5f)),      \
                 F##_neg(a), F##_maskz(M##_andnot(m, more), a), F##_maskz(M##_of_bits(bits), a),                                           \
                 F##_maskz(F##_cmp_eq(a, F##_select(more, a, b)), a), F##_set1(F##_sum(F##_load(in->whole + i))), F##_sqrt(F##_abs(a)));   \
        PUT_EACH(I, lanes, int32_t, F##_to_i32(F##_load(in->whole + i)), I##_set1(in->i[i]), I##_iota(), I##_add(p, q),                    \
                 I##_select(e, p, q), I##_set1((int32_t)(M##_movemask(m) | M##_movemask(e) << 8)), I##_sub(p, q), I##_mul(p, q),           \
                 I##_min(p, q), I##_and(p, q), I##_or(p, q), I##_xor(p, q), I##_shl(p, 7), I##_shr(p, 7), I##_sra(p, 7),                   \
                 I##_of_mask(I##_cmp_gt(p, q)), I##_maskz(M##_or(I##_test_bit(p, 0), I##_test_bit(q, 31)), p), I##_load_u8(in->byte + i),  \
                 I##_load_u16((const uint16_t *)(const void *)(in->i + i)), I##_gather(in->i, I##_load(in->place + i)),                    \
                 I##_gather_u8(in->byte, I##_min(I##_load(in->place + i), I##_set1(INPUTS - 4))),                                          \
                 F##_as_i32(F##_abs(F##_load(in->whole + i))), I##_select(I##_cmp_lt(p, q), p, q),                                         \
                 F##_floor_to_i32(F##_load(in->whole + i)), I##_shl(p, 3), I##_sra(p, 5), I##_shlv(p, I##_and(q, I##_set1(31))),           \
                 I##_set1((int32_t)(M##_movemask(le) | M##_movemask(more) << 8)),                                                          \
                 I##_set1((int32_t)(M##_movemask(M##_and(m, more)) | M##_movemask(M##_or(m, more)) << 8)));                                \
    }

/* Operations of four lanes only. */
#define ANSWER_FOUR()                                                                                                                      \
    for (size_t i = 0; i + 4 <= INPUTS; i++) {                                                                                             \
        const i32x4 p = i32x4_load(in->i + i);                                                                                             \
        const m32x4 three = i32x4_cmp_gt(i32x4_set1(3), i32x4_iota());                                                                     \
        const f32x4 a = f32x4_load(in->whole + i), b = f32x4_load(in->f + i);                                                              \
        *to++ = (uint8_t)f32x4_argmin(a);                                                                                                  \
        *to++ = (uint8_t)f32x4_argmin(i32x4_to_f32(i32x4_and(p, i32x4_set1(1))));                                                          \
        PUT_EACH(f32x4, 4, float, f32x4_select(three, f32x4_load_xyz_fast(in->f + i), f32x4_set1(0.0f)), f32x4_interleave_low(a, b),       \
                 f32x4_ext_second(a, b));                                                                                                  \
        PUT(i32x4, 4, int32_t, i32x4_set1(i32x4_lane(p, 0) ^ (i32x4_lane(p, 3) & ~1)));                                                    \
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
        F##_store_compressed(put, C##_of_bits(bits), v[0]);                                                                                \
        memcpy(to, put, count * sizeof *put);                                                                                              \
        to += sizeof put;                                                                                                                  \
        PUT(F, lanes, float, F##_min_of_six(v));                                                                                           \
        PUT(f32x8, 8, float, F##_fold8_min(v[0]));                                                                                         \
    }
#define ANSWER_HALVES()                                                                                                                    \
    for (size_t i = 0; i + 32 <= INPUTS; i += 8) {                                                                                         \
        VECTORS(f32x8, 8, 4, in->f + i)                                                                                                    \
        f32x8 by[3];                                                                                                                       \
        f32x8_transpose3(v, by);                                                                                                           \
        for (int k = 0; k < 3; k++)                                                                                                        \
            PUT(f32x8, 8, float, by[k]);                                                                                                   \
        const m32x16 m = m32x16_of_halves(f32x8_cmp_gt(v[0], v[1]), f32x8_cmp_gt(v[2], v[3]));                                             \
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
        PUT_EACH(f32x8, 8, float, f32x8_of_halves(f32x8_high(v[0]), f32x8_low(v[1])), f32x16_high(f32x16_both(v[0])),                      \
                 f32x16_low(f32x16_load(in->f + i)), f32x8_compress(in->bits[i] & 255, v[0]));                                             \
        PUT(f32x16, 16, float, f32x16_maskz(m, f32x16_load(in->f + i)));                                                                   \
    }

/* Operations on groups of four lanes. */
#define ANSWER_GROUPS(F, lanes)                                                                                                            \
    for (size_t i = 0; i + 64 <= INPUTS; i += lanes) {                                                                                     \
        const F s[4] = {F##_load(in->f + i), F##_load(in->f + i + 16), F##_load(in->f + i + 32), F##_load(in->f + i + 48)};                \
        F t[4];                                                                                                                            \
        F##_transpose4(s, t);                                                                                                              \
        for (int k = 0; k < 4; k++)                                                                                                        \
            PUT(F, lanes, float, t[k]);                                                                                                    \
        F##_store4(to, F##_load(in->whole + i), F##_load(in->whole + i + 16), F##_load(in->whole + i + 32), F##_load(in->whole + i + 48)); \
        to += 4 * lanes * sizeof(float);                                                                                                   \
        PUT(F, lanes, float, F##_load_rows(in->f + i, 1 + i % 16));                                                                        \
        PUT_EACH(f32x4, 4, float, F##_fold_min(F##_load(in->whole + i)), F##_fold_max(F##_load(in->whole + i)));                           \
    }

/* Operations on 4 lanes only. */
#define ANSWER_4                                                                                                                           \
    for (size_t i = 0; i + 16 <= INPUTS; i += 4) {                                                                                         \
        const f32x4 a = f32x4_load(in->f + i), b = f32x4_load(in->f + i + 4), whole = f32x4_load(in->whole + i);                           \
        const i32x4 p = i32x4_load(in->i + i), q = i32x4_load(in->i + i + 4);                                                              \
        const i32x4 at = i32x4_and(i32x4_load(in->place + i), i32x4_set1(3));                                                              \
        const m32x4 m = i32x4_cmp_gt(p, q);                                                                                                \
        const uint32_t masks = m32x4_movemask(f32x4_cmp_le(a, b)) | m32x4_movemask(f32x4_cmp_eq(a, b)) << 4 | m32x4_movemask(m) << 8;      \
        PUT_EACH(f32x4, 4, float, f32x4_max(a, b), f32x4_load_xyz(in->f + i + 1), f32x4_permute(a, at),                                    \
                 f32x4_max_across(f32x4_add(whole, f32x4_set1(f32x4_first(whole)))), i32x4_as_f32(p));                                     \
        PUT_EACH(i32x4, 4, int32_t, f32x4_as_i32(whole), i32x4_sub(p, q), i32x4_max(p, q), i32x4_shr(p, 16), i32x4_maskz(m, p),            \
                 i32x4_load_u16(in->half + i), i32x4_set1((int32_t)masks ^ i32x4_first(p)));                                               \
    }

/* Operations on 8 lanes only. */
#define ANSWER_8_LANES                                                                                                                     \
    for (size_t i = 0; i + 32 <= INPUTS; i += 8) {                                                                                         \
        const f32x8 a = f32x8_load(in->f + i), b = f32x8_load(in->f + i + 8);                                                              \
        const i32x8 p = i32x8_load(in->i + i), q = i32x8_load(in->i + i + 8);                                                              \
        const i32x8 at = i32x8_and(i32x8_load(in->place + i), i32x8_set1(3));                                                              \
        const f32x8 rows[4] = {a, b, f32x8_load(in->f + i + 16), f32x8_load(in->f + i + 24)};                                              \
        const m32x8 less = f32x8_cmp_lt(a, b), most = f32x8_cmp_le(b, a);                                                                  \
        const uint32_t masks =                                                                                                             \
            m32x8_movemask(less) | m32x8_movemask(most) << 8 | m32x8_movemask(m32x8_and(most, i32x8_cmp_gt(p, q))) << 16;                  \
        f32x8 columns[4];                                                                                                                  \
        f32x8_transpose4(rows, columns);                                                                                                   \
        for (int k = 0; k < 4; k++)                                                                                                        \
            PUT(f32x8, 8, float, columns[k]);                                                                                              \
        const u8x32 c = u8x32_load(in->byte + i), d = u8x32_load(in->byte + i + 32);                                                       \
        const uint32_t in_bytes = m8x32_movemask(m8x32_and(u8x32_cmp_le(c, d), u8x32_cmp_le(u8x32_load(in->byte + i + 8), c)));            \
        PUT_EACH(f32x8, 8, float, f32x8_min(a, b), f32x8_max(a, b), f32x8_of_halves(f32x4_load(in->f + i), f32x4_load(in->f + i + 8)),     \
                 f32x8_load_twice(in->f + i), f32x8_load_u8(in->byte + i), f32x8_swap_halves(a), f32x8_permute4(a, at));                   \
        PUT_EACH(i32x8, 8, int32_t, f32x8_as_i32(f32x8_load(in->whole + i)), i32x8_shl(p, 5), i32x8_load_u16(in->half + i),                \
                 i32x8_of_u16(in->word[i], in->word[i + 1]), i32x8_of_halves(i32x4_load(in->i + i), i32x4_load(in->i + i + 8)),            \
                 i32x8_load_twice(in->i + i), i32x8_set1((int32_t)(masks | i32x8_sign_bits(p) << 24)), i32x8_set1((int32_t)in_bytes));     \
    }

/* Operations whose lanes that are NaN, or 0 and -0, are free. */
#define ANSWER_FAST(F, M, lanes)                                                                                                           \
    for (size_t i = 0; i + 2 * lanes <= INPUTS; i += lanes) {                                                                              \
        const F a = F##_load(in->whole + i), b = F##_load(in->whole + i + lanes), half = F##_set1(0.5f);                                   \
        const M m = F##_cmp_lt(a, b);                                                                                                      \
        PUT_EACH(F, lanes, float, F##_min_fast(F##_add(a, half), b), F##_max_fast(F##_add(a, half), b),                                    \
                 F##_set1((float)M##_movemask(M##_and(m, F##_cmp_gt(a, half)))));                                                          \
    }

#define ANSWER_64(F, M, lanes)                                                                                                             \
    for (size_t i = 0; i + 2 * lanes <= INPUTS; i += lanes) {                                                                              \
        const F a = F##_load_f32(in->f + i), b = F##_load_f32(in->f + i + lanes);                                                          \
        const F c = F##_mul(a, F##_set1(1.1)), d = F##_load_f32(in->whole + i);                                                            \
        const M m = F##_cmp_gt(a, b), n = F##_cmp_gt(c, a);                                                                                \
        double kept[lanes];                                                                                                                \
        F##_store(kept, b);                                                                                                                \
        F##_store_i32(to, d);                                                                                                              \
        to += lanes * sizeof(int32_t);                                                                                                     \
        PUT_EACH(F, lanes, double, c, F##_add(c, b), F##_sub(c, F##_load(kept)), F##_max_fast(d, F##_add(F##_iota(), F##_set1(0.5))),      \
                 F##_abs(c), F##_rsqrt_estimate(F##_abs(d)), F##_select(M##_and(m, n), a, b), F##_select(M##_or(m, n), a, b),              \
                 F##_select(M##_andnot(m, n), a, b),                                                                                       \
                 F##_set1(M##_any(m)            ? 1.0                                                                                      \
                          : M##_any(M##_zero()) ? 2.0                                                                                      \
                                                : 3.0),                                                                                    \
                 F##_div(c, b), F##_min_fast(d, F##_add(F##_iota(), F##_set1(0.5))), F##_select(F##_cmp_ge(a, b), a, c),                   \
                 F##_select(F##_cmp_eq(a, F##_abs(a)), c, b));                                                                             \
    }

/* The widest native vector of words. */
#define WORDS_(lanes, rest) u64x##lanes##rest
#define WORDS(lanes, rest)  WORDS_(lanes, rest)
#define ANSWER_U64(U, M, lanes)                                                                                                            \
    for (size_t i = 0; i + 2 * lanes <= INPUTS; i += lanes) {                                                                              \
        const U a = U##_load(in->word + i), b = U##_load(in->word + i + lanes);                                                            \
        PUT_EACH(U, lanes, uint64_t, U##_set1(in->word[i]), U##_of_bytes(in->word[i]), U##_and(a, b), U##_or(a, b), U##_xor(a, b),         \
                 U##_not(a), U##_bitselect(a, b, U##_set1(in->word[i])), U##_shl(a, 1), U##_shl(a, 56), U##_shr(a, 7), U##_shr(a, 63),     \
                 U##_ext_second(a, b), U##_ext_last(a, b), U##_maskz(M##_of_bits(in->byte[i]), a),                                         \
                 U##_set1(WORDS(VP_F64N, _any)(WORDS(VP_F64N, _and)(U##_fold_or(a), WORDS(VP_F64N, _set1)(in->word[i])))),                 \
                 U##_set1(M##_movemask(U##_testn(a, b)) + 256 * U##_any(a)));                                                              \
    }

#define ANSWER_8(U, M, lanes)                                                                                                              \
    for (size_t i = 0; i + 2 * lanes <= sizeof in->byte; i += lanes / 2) {                                                                 \
        const U a = U##_load(in->byte + i), b = U##_load_rows(in->byte + i, 1 + i % 16);                                                   \
        const uint64_t bits[] = {M##_movemask(U##_cmp_eq(a, b)), M##_movemask(U##_cmp_eq(b, U##_set1(in->byte[i]))),                       \
                                 M##_movemask(U##_cmp_ge(a, 1)), M##_movemask(U##_cmp_ge(a, 2)), M##_movemask(U##_cmp_ge(a, 128))};        \
        memcpy(to, bits, sizeof bits);                                                                                                     \
        to += sizeof bits;                                                                                                                 \
    }

#define ANSWER_BYTES_AND_MASKS(U, M, lanes)                                                                                                \
    for (size_t i = 0; i + 2 * lanes <= sizeof in->byte; i += lanes) {                                                                     \
        const U a = U##_load(in->byte + i), b = U##_sub(U##_load(in->byte + i + lanes), U##_set1(in->byte[i]));                            \
        const M m = U##_cmp_le(a, b);                                                                                                      \
        PUT_EACH(U, lanes, uint8_t, b, U##_and(a, b), U##_or(a, b), U##_xor(a, b), U##_abs_diff(a, b), U##_of_mask(m),                     \
                 U##_of_mask(U##_is_negative(b)), U##_maskz(m, b), U##_select(m, a, b), U##_blend_halves(a, b),                            \
                 U##_interleave_low_words(a, b), U##_interleave_high_words(a, b), U##_rotate_blocks(a));                                   \
    }

/* Operations of 16 bytes only. */
static uint8_t *answer_16_bytes(const inputs *in, uint8_t *to)
{
    for (size_t i = 0; i + 32 <= sizeof in->byte; i += 16) {
        const u8x16 a = u8x16_load(in->byte + i), b = u8x16_load_halves(in->byte + i + 16, in->byte + i);
        const u8x16 at = u8x16_and(u8x16_of_words(in->word[i], in->word[i + 1]), u8x16_set1(15));
        const uint32_t bits = m8x16_movemask_pair(u8x16_cmp_le(a, b), u8x16_is_negative(a));
        u8x16_store_low(to, b);
        memcpy(to + 8, &bits, sizeof bits);
        to += 8 + sizeof bits;
        PUT_EACH(u8x16, 16, uint8_t, b, u8x16_permute(a, at), u8x16_interleave_low(a, b), u8x16_of_mask(m8x16_of_bits(in->bits[i])));
        PUT(u16x8, 8, uint16_t, u8x16_as_u16(a));
    }
    for (size_t i = 0; i + 64 <= sizeof in->byte; i += 64) {
        const u8x64 a = u8x64_load(in->byte + i), top = u8x64_set1(128);
        *to++ = (uint8_t)(u8x64_any_negative(a) + 2 * u8x64_all_negative(a) + 4 * u8x64_all_negative(u8x64_or(a, top)) +
                          8 * u8x64_any_negative(u8x64_and(a, u8x64_set1(127))));
        u8x64_store(to, u8x64_of_mask(m8x64_of_bits(in->word[i])));
        to += 64;
    }
    return to;
}

/* Operations of integers of 16 bits. */
static uint8_t *answer_16_bits(const inputs *in, uint8_t *to)
{
    const uint16_t *from = (const uint16_t *)(const void *)in->i;
    for (size_t i = 0; i + 32 <= INPUTS; i += 16) {
        const u16x8 a = u16x8_load(from + i), b = u16x8_set1(from[i + 8]);
        const u16x16 c = u16x16_load(from + i), d = u16x16_load(from + i + 16);
        const m16x8 e = u16x8_cmp_eq(a, u16x8_set1(7));
        const uint32_t bits = m16x16_movemask(u16x16_cmp_eq(c, u16x16_set1(7)));
        uint16_t mixed[32];
        u16x8_store4(mixed, a, b, u16x8_load(from + i + 8), u16x8_add(b, b));
        memcpy(to, mixed, sizeof mixed);
        memcpy(to + 64, &bits, sizeof bits);
        to += 64 + sizeof bits;
        PUT_EACH(u16x8, 8, uint16_t, u16x8_add(a, b), u16x8_or(a, b), u16x8_shl(a, 3), u16x8_maskz(e, a),
                 u16x8_select(m16x8_of_bits(in->byte[i]), a, b), u16x8_interleave_low(a, b), u16x8_interleave_high(a, b),
                 u16x8_of_bytes(in->word[i]));
        PUT(u8x16, 16, uint8_t, u16x8_as_u8(a));
        PUT_EACH(u16x16, 16, uint16_t, u16x16_and(c, d), u16x16_or(c, d), u16x16_xor(c, d), u16x16_andnot(c, d), u16x16_shl(c, 3),
                 u16x16_shr(c, 3), u16x16_ext_second(c, d));
    }
    return to;
}

/* Eight floats and eight doubles. */
static uint8_t *answer_conversions(const inputs *in, uint8_t *to)
{
    for (size_t i = 0; i + 16 <= INPUTS; i += 8) {
        const f32x8 a = f32x8_load(in->f + i), b = f32x8_load(in->f + i + 8);
        const f64x8 wide = f32x8_to_f64(a);
        PUT(f64x8, 8, double, wide);
        PUT_EACH(f32x8, 8, float, f64x8_to_f32(f64x8_mul(wide, f64x8_set1(1.1))),
                 f32x8_select(m64x8_to_m32(f64x8_cmp_gt(wide, f32x8_to_f64(b))), a, b), f32x16_low(f32x16_load(in->f + i)),
                 f32x16_high(f32x16_load(in->f + i)));
        PUT_EACH(f32x16, 16, float, f32x16_of_halves(b, a),
                 f32x16_select(m32x16_of_halves(f32x8_cmp_gt(a, b), f32x8_cmp_gt(b, a)), f32x16_of_halves(a, b), f32x16_of_halves(b, a)));
    }
    return to;
}

size_t VP_ANSWERS(const inputs *in, uint8_t *out)
{
    uint8_t *to = out;
    ANSWER_32(f32x4, i32x4, m32x4, 4)
    ANSWER_FOUR()
    ANSWER_WIDE(f32x8, c32x8, 8)
    ANSWER_WIDE(f32x16, c32x16, 16)
    ANSWER_HALVES()
    ANSWER_32(f32x8, i32x8, m32x8, 8)
    ANSWER_32(f32x16, i32x16, m32x16, 16)
    ANSWER_GROUPS(f32x8, 8)
    ANSWER_GROUPS(f32x16, 16)
    ANSWER_4
    ANSWER_8_LANES
    ANSWER_FAST(f32x8, m32x8, 8)
    ANSWER_FAST(f32x16, m32x16, 16)
    ANSWER_64(f64x4, m64x4, 4)
    ANSWER_64(f64x8, m64x8, 8)
    ANSWER_U64(u64x8, m64x8, 8)
    ANSWER_8(u8x64, m8x64, 64)
    ANSWER_BYTES_AND_MASKS(u8x16, m8x16, 16)
    ANSWER_BYTES_AND_MASKS(u8x64, m8x64, 64)
    to = answer_16_bytes(in, to);
    to = answer_16_bits(in, to);
    to = answer_conversions(in, to);
    return (size_t)(to - out);
}
