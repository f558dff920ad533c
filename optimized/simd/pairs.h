/* SPDX-License-Identifier: MIT */
/* Vectors that the ISA does not have, as two of half the lanes: low has the first lanes. Each operation is its half's, twice. The header of
 * an ISA includes this after its native types, and defines VP_NATIVE_F32X8 and the like for those that it has. */
#define VP_PAIR_SET(name, type, half, scalar)                                                                                              \
    VP_INLINE type name(scalar x) { return (type){half(x), half(x)}; }
#define VP_PAIR_IOTA(name, type, half, lanes)                                                                                              \
    VP_INLINE type name(void) { return (type){half##_iota(), half##_add(half##_iota(), half##_set1(lanes))}; }
#define VP_PAIR_1(name, result, type, half)                                                                                                \
    VP_INLINE result name(type a) { return (result){half(a.low), half(a.high)}; }
#define VP_PAIR_2(name, result, type, half)                                                                                                \
    VP_INLINE result name(type a, type b) { return (result){half(a.low, b.low), half(a.high, b.high)}; }
#define VP_PAIR_SELECT(name, mask, type, half)                                                                                             \
    VP_INLINE type name(mask m, type a, type b) { return (type){half(m.low, a.low, b.low), half(m.high, a.high, b.high)}; }
#define VP_PAIR_SHIFT(name, type, half)                                                                                                    \
    VP_INLINE type name(type a, unsigned n) { return (type){half(a.low, n), half(a.high, n)}; }
#define VP_PAIR_LOAD(name, type, half, pointer, bytes)                                                                                     \
    VP_INLINE type name(pointer *from) { return (type){half(from), half((const void *)((const char *)from + bytes))}; }
#define VP_PAIR_STORE(name, type, half, pointer, bytes)                                                                                    \
    VP_INLINE void name(pointer *to, type a) { half(to, a.low), half((void *)((char *)to + bytes), a.high); }
#define VP_PAIR_MOVEMASK(name, mask, half, lanes)                                                                                          \
    VP_INLINE uint32_t name(mask m) { return half(m.low) | half(m.high) << lanes; }
#define VP_PAIR_COMPRESS(name, type, half, pointer, lanes)                                                                                 \
    VP_INLINE void name(pointer *to, uint32_t bits, type a)                                                                                \
    {                                                                                                                                      \
        const uint32_t low = bits & ((1u << lanes) - 1), stored = (uint32_t)__builtin_popcount(low);                                       \
        half(to, low, a.low), half((void *)((char *)to + 4 * stored), bits >> lanes, a.high);                                              \
    }

#ifndef VP_NATIVE_F32X8
/* f32x8 of two f32x4 */
typedef struct f32x8 {
    f32x4 low, high;
} f32x8;
typedef struct i32x8 {
    i32x4 low, high;
} i32x8;
typedef struct m32x8 {
    m32x4 low, high;
} m32x8;

VP_PAIR_SET(f32x8_set1, f32x8, f32x4_set1, float)
VP_PAIR_LOAD(f32x8_load, f32x8, f32x4_load, const float, 16)
VP_PAIR_STORE(f32x8_store, f32x8, f32x4_store, float, 16)
VP_PAIR_2(f32x8_add, f32x8, f32x8, f32x4_add)
VP_PAIR_2(f32x8_sub, f32x8, f32x8, f32x4_sub)
VP_PAIR_2(f32x8_mul, f32x8, f32x8, f32x4_mul)
VP_PAIR_2(f32x8_div, f32x8, f32x8, f32x4_div)
VP_PAIR_1(f32x8_abs, f32x8, f32x8, f32x4_abs)
VP_PAIR_2(f32x8_cmp_gt, m32x8, f32x8, f32x4_cmp_gt)
VP_PAIR_SELECT(f32x8_select, m32x8, f32x8, f32x4_select)
VP_PAIR_1(f32x8_to_i32, i32x8, f32x8, f32x4_to_i32)
VP_PAIR_SET(i32x8_set1, i32x8, i32x4_set1, int32_t)
VP_PAIR_LOAD(i32x8_load, i32x8, i32x4_load, const void, 16)
VP_PAIR_STORE(i32x8_store, i32x8, i32x4_store, void, 16)
VP_PAIR_2(i32x8_add, i32x8, i32x8, i32x4_add)
VP_PAIR_2(i32x8_cmp_eq, m32x8, i32x8, i32x4_cmp_eq)
VP_PAIR_SELECT(i32x8_select, m32x8, i32x8, i32x4_select)
VP_PAIR_1(i32x8_to_f32, f32x8, i32x8, i32x4_to_f32)
VP_PAIR_IOTA(i32x8_iota, i32x8, i32x4, 4)
VP_INLINE uint32_t m32x8_movemask(m32x8 m) { return vp_movemask_two(m.low, m.high); }
VP_PAIR_COMPRESS(f32x8_compress_store, f32x8, f32x4_compress_store, float, 4)
VP_PAIR_COMPRESS(i32x8_compress_store, i32x8, i32x4_compress_store, void, 4)
VP_INLINE f32x8 f32x8_gather(const float *table, i32x8 at) { return (f32x8){f32x4_gather(table, at.low), f32x4_gather(table, at.high)}; }
VP_INLINE void f32x8_load3(const float *from, f32x8 *x, f32x8 *y, f32x8 *z)
{
    f32x4_load3(from, &x->low, &y->low, &z->low);
    f32x4_load3(from + 12, &x->high, &y->high, &z->high);
}
VP_PAIR_2(f32x8_min, f32x8, f32x8, f32x4_min)
VP_PAIR_2(f32x8_max, f32x8, f32x8, f32x4_max)
VP_PAIR_2(f32x8_min_fast, f32x8, f32x8, f32x4_min_fast)

VP_PAIR_2(f32x8_cmp_le, m32x8, f32x8, f32x4_cmp_le)
VP_PAIR_1(f32x8_as_i32, i32x8, f32x8, f32x4_as_i32)
VP_PAIR_1(i32x8_as_f32, f32x8, i32x8, i32x4_as_f32)
VP_PAIR_1(f32x8_floor_to_i32, i32x8, f32x8, f32x4_floor_to_i32)
VP_INLINE f32x8 f32x8_maskz(m32x8 m, f32x8 a) { return (f32x8){f32x4_maskz(m.low, a.low), f32x4_maskz(m.high, a.high)}; }
VP_PAIR_2(m32x8_andnot, m32x8, m32x8, m32x4_andnot)
VP_INLINE f32x4 f32x8_low(f32x8 a) { return a.low; }
VP_INLINE f32x4 f32x8_high(f32x8 a) { return a.high; }
VP_INLINE float f32x8_sum(f32x8 a) { return f32x4_sum(f32x4_add(a.low, a.high)); }
VP_INLINE f32x8 f32x8_of_halves(f32x4 low, f32x4 high) { return (f32x8){low, high}; }
VP_INLINE i32x8 i32x8_of_halves(i32x4 low, i32x4 high) { return (i32x8){low, high}; }
VP_INLINE f32x8 f32x8_load_twice(const float *from) { return (f32x8){f32x4_load(from), f32x4_load(from)}; }
VP_INLINE i32x8 i32x8_load_twice(const void *from) { return (i32x8){i32x4_load(from), i32x4_load(from)}; }
VP_INLINE i32x8 i32x8_of_u16(uint64_t low, uint64_t high) { return (i32x8){i32x4_of_u16(low), i32x4_of_u16(high)}; }
VP_INLINE f32x8 f32x8_swap_halves(f32x8 a) { return (f32x8){a.high, a.low}; }
VP_INLINE f32x8 f32x8_permute4(f32x8 a, i32x8 at) { return (f32x8){f32x4_permute(a.low, at.low), f32x4_permute(a.high, at.high)}; }
VP_INLINE void f32x8_transpose4(const f32x8 from[4], f32x8 to[4])
{
    const f32x4 from_low[4] = {from[0].low, from[1].low, from[2].low, from[3].low};
    const f32x4 from_high[4] = {from[0].high, from[1].high, from[2].high, from[3].high};
    f32x4 low[4], high[4];
    f32x4_transpose4(from_low, low);
    f32x4_transpose4(from_high, high);
    for (int k = 0; k < 4; k++)
        to[k] = (f32x8){low[k], high[k]};
}
VP_INLINE void f32x8_store4(void *to, f32x8 a, f32x8 b, f32x8 c, f32x8 d)
{
    f32x4_store4(to, a.low, b.low, c.low, d.low);
    f32x4_store4((char *)to + 64, a.high, b.high, c.high, d.high);
}
VP_INLINE f32x8 f32x8_load_rows(const float *from, size_t stride) { return (f32x8){f32x4_load(from), f32x4_load(from + stride)}; }
VP_INLINE f32x4 f32x8_fold_min(f32x8 a) { return f32x4_min_fast(a.low, a.high); }
VP_INLINE float f32x8_reduce_min(f32x8 a) { return f32x4_reduce_min(f32x8_fold_min(a)); }
VP_INLINE f32x4 f32x8_fold_max(f32x8 a) { return f32x4_max_fast(a.low, a.high); }
VP_INLINE float f32x8_reduce_max(f32x8 a) { return f32x4_reduce_max(f32x8_fold_max(a)); }
VP_INLINE m32x8 m32x8_of_bits(uint32_t x) { return (m32x8){m32x4_of_bits(x), vp_upper_of_bits(x)}; }
VP_INLINE f32x8 f32x8_fold8_min(f32x8 a) { return a; }
VP_INLINE f32x8 f32x8_min_of_six(const f32x8 a[6])
{
    f32x4 four[6];
    for (int k = 0; k < 6; k++)
        four[k] = f32x4_min_fast(a[k].low, a[k].high);
    return (f32x8){vp_min_across_three(four[0], four[1], four[2]), vp_min_across_three(four[3], four[4], four[5])};
}
VP_INLINE void f32x8_transpose3(const f32x8 p[4], f32x8 out[3])
{
    const f32x4 low[4] = {p[0].low, p[1].low, p[2].low, p[3].low}, high[4] = {p[0].high, p[1].high, p[2].high, p[3].high};
    f32x4 by_low[3], by_high[3];
    vp_transpose3(low, by_low);
    vp_transpose3(high, by_high);
    for (int k = 0; k < 3; k++)
        out[k] = (f32x8){by_low[k], by_high[k]};
}
VP_INLINE f32x8 vp_permute(f32x8 a, c32x8 c)
{
    return (f32x8){vp_permute_two(a.low, a.high, c.low), vp_permute_two(a.low, a.high, c.high)};
}
VP_INLINE void f32x8_store_compressed(float *to, c32x8 c, f32x8 a) { f32x8_store(to, vp_permute(a, c)); }
VP_INLINE f32x8 f32x8_compress(uint32_t bits, f32x8 a) { return vp_permute(f32x8_maskz(m32x8_of_bits(bits), a), c32x8_of_bits(bits)); }
VP_INLINE void i32x8_compress_copy4(void *to, const void *from, uint32_t bits)
{
    for (char *next = (char *)to; bits != 0; bits &= bits - 1, next += 4)
        memcpy(next, (const char *)from + 4 * (size_t)__builtin_ctz(bits), 4);
}
VP_PAIR_SELECT(f32x8_min_where, m32x8, f32x8, f32x4_min_where)
VP_PAIR_2(i32x8_sub, i32x8, i32x8, i32x4_sub)
VP_PAIR_2(i32x8_mul, i32x8, i32x8, i32x4_mul)
VP_PAIR_2(i32x8_min, i32x8, i32x8, i32x4_min)
VP_PAIR_2(i32x8_and, i32x8, i32x8, i32x4_and)
VP_PAIR_2(i32x8_cmp_lt, m32x8, i32x8, i32x4_cmp_lt)
VP_PAIR_2(i32x8_or, i32x8, i32x8, i32x4_or)
VP_PAIR_2(i32x8_xor, i32x8, i32x8, i32x4_xor)
VP_PAIR_SHIFT(i32x8_shl, i32x8, i32x4_shl)
VP_PAIR_SHIFT(i32x8_shr, i32x8, i32x4_shr)
VP_PAIR_SHIFT(i32x8_sra, i32x8, i32x4_sra)
VP_PAIR_2(i32x8_shlv, i32x8, i32x8, i32x4_shlv)
VP_PAIR_2(i32x8_cmp_gt, m32x8, i32x8, i32x4_cmp_gt)
VP_PAIR_2(m32x8_and, m32x8, m32x8, m32x4_and)
VP_INLINE m32x8 i32x8_test_bit(i32x8 a, unsigned n) { return (m32x8){i32x4_test_bit(a.low, n), i32x4_test_bit(a.high, n)}; }
VP_PAIR_1(i32x8_of_mask, i32x8, m32x8, i32x4_of_mask)
VP_INLINE i32x8 i32x8_maskz(m32x8 m, i32x8 a) { return (i32x8){i32x4_maskz(m.low, a.low), i32x4_maskz(m.high, a.high)}; }
VP_PAIR_LOAD(i32x8_load_u8, i32x8, i32x4_load_u8, const uint8_t, 4)
VP_PAIR_LOAD(i32x8_load_u16, i32x8, i32x4_load_u16, const uint16_t, 8)
VP_PAIR_1(i32x8_reciprocal, f32x8, i32x8, i32x4_reciprocal)
VP_PAIR_2(m32x8_or, m32x8, m32x8, m32x4_or)
VP_PAIR_2(f32x8_max_fast, f32x8, f32x8, f32x4_max_fast)
VP_PAIR_2(f32x8_cmp_lt, m32x8, f32x8, f32x4_cmp_lt)
VP_PAIR_1(f32x8_neg, f32x8, f32x8, f32x4_neg)
VP_PAIR_1(f32x8_sqrt, f32x8, f32x8, f32x4_sqrt)
VP_PAIR_2(f32x8_cmp_eq, m32x8, f32x8, f32x4_cmp_eq)
VP_INLINE i32x8 i32x8_gather(const int32_t *table, i32x8 at) { return (i32x8){i32x4_gather(table, at.low), i32x4_gather(table, at.high)}; }
VP_INLINE i32x8 i32x8_gather_u8(const uint8_t *table, i32x8 at)
{
    return (i32x8){i32x4_gather_u8(table, at.low), i32x4_gather_u8(table, at.high)};
}
VP_INLINE void f32x8_store3(float *to, f32x8 x, f32x8 y, f32x8 z)
{
    f32x4_store3(to, x.low, y.low, z.low);
    f32x4_store3(to + 12, x.high, y.high, z.high);
}

typedef struct u8x32 {
    u8x16 low, high;
} u8x32;
typedef struct m8x32 {
    m8x16 low, high;
} m8x32;

VP_PAIR_SET(u8x32_set1, u8x32, u8x16_set1, uint8_t)
VP_PAIR_LOAD(u8x32_load, u8x32, u8x16_load, const uint8_t, 16)
VP_PAIR_2(u8x32_cmp_eq, m8x32, u8x32, u8x16_cmp_eq)
VP_INLINE m8x32 u8x32_cmp_ge(u8x32 a, uint8_t n) { return (m8x32){u8x16_cmp_ge(a.low, n), u8x16_cmp_ge(a.high, n)}; }
VP_INLINE u8x32 u8x32_load_rows(const uint8_t *from, size_t stride)
{
    return (u8x32){u8x16_load_rows(from, stride), u8x16_load_rows(from + 2 * stride, stride)};
}
#ifndef VP_OWN_M8X64_MOVEMASK
VP_PAIR_MOVEMASK(m8x32_movemask, m8x32, m8x16_movemask, 16)
#endif
VP_PAIR_STORE(u8x32_store, u8x32, u8x16_store, uint8_t, 16)
VP_PAIR_2(u8x32_sub, u8x32, u8x32, u8x16_sub)
VP_PAIR_2(u8x32_and, u8x32, u8x32, u8x16_and)
VP_PAIR_2(u8x32_or, u8x32, u8x32, u8x16_or)
VP_PAIR_2(u8x32_abs_diff, u8x32, u8x32, u8x16_abs_diff)
VP_PAIR_2(u8x32_cmp_le, m8x32, u8x32, u8x16_cmp_le)
VP_PAIR_2(m8x32_and, m8x32, m8x32, m8x16_and)
VP_PAIR_1(u8x32_is_negative, m8x32, u8x32, u8x16_is_negative)
VP_PAIR_1(u8x32_of_mask, u8x32, m8x32, u8x16_of_mask)
VP_INLINE u8x32 u8x32_maskz(m8x32 m, u8x32 a) { return (u8x32){u8x16_maskz(m.low, a.low), u8x16_maskz(m.high, a.high)}; }
VP_PAIR_SELECT(u8x32_select, m8x32, u8x32, u8x16_select)
VP_PAIR_2(u8x32_blend_halves, u8x32, u8x32, u8x16_blend_halves)
VP_INLINE u8x32 u8x32_interleave_low_words(u8x32 a, u8x32 b)
{
    return (u8x32){u8x16_interleave_low_words(a.low, b.low), u8x16_interleave_high_words(a.low, b.low)};
}
VP_INLINE u8x32 u8x32_interleave_high_words(u8x32 a, u8x32 b)
{
    return (u8x32){u8x16_interleave_low_words(a.high, b.high), u8x16_interleave_high_words(a.high, b.high)};
}
VP_PAIR_1(u8x32_rotate_blocks, u8x32, u8x32, u8x16_rotate_blocks)
VP_PAIR_2(u8x32_xor, u8x32, u8x32, u8x16_xor)
VP_INLINE m8x32 m8x32_of_bits(uint32_t x) { return (m8x32){m8x16_of_bits(x & 0xffff), m8x16_of_bits(x >> 16)}; }

typedef struct u16x16 {
    u16x8 low, high;
} u16x16;
typedef struct m16x16 {
    m16x8 low, high;
} m16x16;

VP_PAIR_SET(u16x16_set1, u16x16, u16x8_set1, uint16_t)
VP_PAIR_LOAD(u16x16_load, u16x16, u16x8_load, const uint16_t, 16)
VP_PAIR_STORE(u16x16_store, u16x16, u16x8_store, uint16_t, 16)
VP_PAIR_2(u16x16_and, u16x16, u16x16, u16x8_and)
VP_PAIR_2(u16x16_or, u16x16, u16x16, u16x8_or)
VP_PAIR_2(u16x16_xor, u16x16, u16x16, u16x8_xor)
VP_PAIR_2(u16x16_andnot, u16x16, u16x16, u16x8_andnot)
VP_PAIR_SHIFT(u16x16_shl, u16x16, u16x8_shl)
VP_PAIR_SHIFT(u16x16_shr, u16x16, u16x8_shr)
VP_PAIR_2(u16x16_cmp_eq, m16x16, u16x16, u16x8_cmp_eq)
VP_INLINE u16x16 u16x16_ext_second(u16x16 a, u16x16 b)
{
    return (u16x16){u16x8_ext_second(a.low, a.high), u16x8_ext_second(a.high, b.low)};
}
#endif

#ifndef VP_NATIVE_F32X16
/* f32x16 of two f32x8 */
typedef struct f32x16 {
    f32x8 low, high;
} f32x16;
typedef struct i32x16 {
    i32x8 low, high;
} i32x16;
typedef struct m32x16 {
    m32x8 low, high;
} m32x16;

VP_PAIR_SET(f32x16_set1, f32x16, f32x8_set1, float)
VP_PAIR_LOAD(f32x16_load, f32x16, f32x8_load, const float, 32)
VP_PAIR_STORE(f32x16_store, f32x16, f32x8_store, float, 32)
VP_PAIR_2(f32x16_add, f32x16, f32x16, f32x8_add)
VP_PAIR_2(f32x16_sub, f32x16, f32x16, f32x8_sub)
VP_PAIR_2(f32x16_mul, f32x16, f32x16, f32x8_mul)
VP_PAIR_2(f32x16_div, f32x16, f32x16, f32x8_div)
VP_PAIR_1(f32x16_abs, f32x16, f32x16, f32x8_abs)
VP_PAIR_2(f32x16_cmp_gt, m32x16, f32x16, f32x8_cmp_gt)
VP_PAIR_SELECT(f32x16_select, m32x16, f32x16, f32x8_select)
VP_PAIR_1(f32x16_to_i32, i32x16, f32x16, f32x8_to_i32)
VP_PAIR_SET(i32x16_set1, i32x16, i32x8_set1, int32_t)
VP_PAIR_LOAD(i32x16_load, i32x16, i32x8_load, const void, 32)
VP_PAIR_STORE(i32x16_store, i32x16, i32x8_store, void, 32)
VP_PAIR_2(i32x16_add, i32x16, i32x16, i32x8_add)
VP_PAIR_2(i32x16_cmp_eq, m32x16, i32x16, i32x8_cmp_eq)
VP_PAIR_SELECT(i32x16_select, m32x16, i32x16, i32x8_select)
VP_PAIR_1(i32x16_to_f32, f32x16, i32x16, i32x8_to_f32)
VP_PAIR_IOTA(i32x16_iota, i32x16, i32x8, 8)
VP_PAIR_MOVEMASK(m32x16_movemask, m32x16, m32x8_movemask, 8)
VP_PAIR_COMPRESS(f32x16_compress_store, f32x16, f32x8_compress_store, float, 8)
VP_PAIR_COMPRESS(i32x16_compress_store, i32x16, i32x8_compress_store, void, 8)
VP_INLINE f32x16 f32x16_gather(const float *table, i32x16 at)
{
    return (f32x16){f32x8_gather(table, at.low), f32x8_gather(table, at.high)};
}
VP_INLINE void f32x16_load3(const float *from, f32x16 *x, f32x16 *y, f32x16 *z)
{
    f32x8_load3(from, &x->low, &y->low, &z->low);
    f32x8_load3(from + 24, &x->high, &y->high, &z->high);
}
VP_PAIR_2(f32x16_min, f32x16, f32x16, f32x8_min)
VP_PAIR_2(f32x16_max, f32x16, f32x16, f32x8_max)
VP_PAIR_2(f32x16_min_fast, f32x16, f32x16, f32x8_min_fast)

VP_PAIR_2(f32x16_cmp_le, m32x16, f32x16, f32x8_cmp_le)
VP_PAIR_1(f32x16_floor_to_i32, i32x16, f32x16, f32x8_floor_to_i32)
VP_INLINE f32x16 f32x16_maskz(m32x16 m, f32x16 a) { return (f32x16){f32x8_maskz(m.low, a.low), f32x8_maskz(m.high, a.high)}; }
VP_PAIR_2(m32x16_andnot, m32x16, m32x16, m32x8_andnot)
VP_INLINE f32x8 f32x16_low(f32x16 a) { return a.low; }
VP_INLINE f32x8 f32x16_high(f32x16 a) { return a.high; }
VP_INLINE f32x16 f32x16_of_halves(f32x8 low, f32x8 high) { return (f32x16){low, high}; }
VP_INLINE m32x16 m32x16_of_halves(m32x8 low, m32x8 high) { return (m32x16){low, high}; }
VP_INLINE float f32x16_sum(f32x16 a) { return f32x8_sum(f32x8_add(a.low, a.high)); }
VP_INLINE f32x16 f32x16_both(f32x8 a) { return (f32x16){a, a}; }
VP_INLINE m32x16 m32x16_of_bits(uint32_t x) { return (m32x16){m32x8_of_bits(x), m32x8_of_bits(x >> 8)}; }
VP_INLINE void f32x16_transpose4(const f32x16 from[4], f32x16 to[4])
{
    const f32x8 from_low[4] = {from[0].low, from[1].low, from[2].low, from[3].low};
    const f32x8 from_high[4] = {from[0].high, from[1].high, from[2].high, from[3].high};
    f32x8 low[4], high[4];
    f32x8_transpose4(from_low, low);
    f32x8_transpose4(from_high, high);
    for (int k = 0; k < 4; k++)
        to[k] = (f32x16){low[k], high[k]};
}
VP_INLINE void f32x16_store4(void *to, f32x16 a, f32x16 b, f32x16 c, f32x16 d)
{
    f32x8_store4(to, a.low, b.low, c.low, d.low);
    f32x8_store4((char *)to + 128, a.high, b.high, c.high, d.high);
}
VP_INLINE f32x16 f32x16_load_rows(const float *from, size_t stride)
{
    return (f32x16){f32x8_load_rows(from, stride), f32x8_load_rows(from + 2 * stride, stride)};
}
VP_INLINE f32x4 f32x16_fold_min(f32x16 a) { return f32x8_fold_min(f32x8_min_fast(a.low, a.high)); }
VP_INLINE float f32x16_reduce_min(f32x16 a) { return f32x4_reduce_min(f32x16_fold_min(a)); }
VP_INLINE f32x4 f32x16_fold_max(f32x16 a) { return f32x8_fold_max(f32x8_max_fast(a.low, a.high)); }
VP_INLINE float f32x16_reduce_max(f32x16 a) { return f32x4_reduce_max(f32x16_fold_max(a)); }
VP_INLINE f32x8 f32x16_fold8_min(f32x16 a) { return f32x8_min_fast(a.low, a.high); }
VP_INLINE f32x16 f32x16_min_of_six(const f32x16 a[6])
{
    const f32x8 low[6] = {a[0].low, a[1].low, a[2].low, a[3].low, a[4].low, a[5].low};
    const f32x8 high[6] = {a[0].high, a[1].high, a[2].high, a[3].high, a[4].high, a[5].high};
    return (f32x16){f32x8_min_of_six(low), f32x8_min_of_six(high)};
}
typedef struct c32x16 {
    c32x8 low, high;
    size_t stored; /* lanes of the lower half */
} c32x16;
VP_INLINE c32x16 c32x16_of_bits(uint32_t bits)
{
    return (c32x16){c32x8_of_bits(bits & 255), c32x8_of_bits(bits >> 8), (size_t)__builtin_popcount(bits & 255)};
}
VP_INLINE void f32x16_store_compressed(float *to, c32x16 c, f32x16 a)
{
    f32x8_store_compressed(to, c.low, a.low);
    f32x8_store_compressed(to + c.stored, c.high, a.high);
}
VP_PAIR_SELECT(f32x16_min_where, m32x16, f32x16, f32x8_min_where)
VP_PAIR_2(i32x16_sub, i32x16, i32x16, i32x8_sub)
VP_PAIR_2(i32x16_mul, i32x16, i32x16, i32x8_mul)
VP_PAIR_2(i32x16_min, i32x16, i32x16, i32x8_min)
VP_PAIR_2(i32x16_and, i32x16, i32x16, i32x8_and)
VP_PAIR_2(i32x16_cmp_lt, m32x16, i32x16, i32x8_cmp_lt)
VP_PAIR_2(i32x16_or, i32x16, i32x16, i32x8_or)
VP_PAIR_2(i32x16_xor, i32x16, i32x16, i32x8_xor)
VP_PAIR_SHIFT(i32x16_shl, i32x16, i32x8_shl)
VP_PAIR_SHIFT(i32x16_shr, i32x16, i32x8_shr)
VP_PAIR_SHIFT(i32x16_sra, i32x16, i32x8_sra)
VP_PAIR_2(i32x16_shlv, i32x16, i32x16, i32x8_shlv)
VP_PAIR_2(i32x16_cmp_gt, m32x16, i32x16, i32x8_cmp_gt)
VP_PAIR_2(m32x16_and, m32x16, m32x16, m32x8_and)
VP_INLINE m32x16 i32x16_test_bit(i32x16 a, unsigned n) { return (m32x16){i32x8_test_bit(a.low, n), i32x8_test_bit(a.high, n)}; }
VP_PAIR_1(i32x16_of_mask, i32x16, m32x16, i32x8_of_mask)
VP_INLINE i32x16 i32x16_maskz(m32x16 m, i32x16 a) { return (i32x16){i32x8_maskz(m.low, a.low), i32x8_maskz(m.high, a.high)}; }
VP_PAIR_LOAD(i32x16_load_u8, i32x16, i32x8_load_u8, const uint8_t, 8)
VP_PAIR_LOAD(i32x16_load_u16, i32x16, i32x8_load_u16, const uint16_t, 16)
VP_PAIR_1(i32x16_reciprocal, f32x16, i32x16, i32x8_reciprocal)
VP_PAIR_2(m32x16_or, m32x16, m32x16, m32x8_or)
VP_PAIR_2(f32x16_max_fast, f32x16, f32x16, f32x8_max_fast)
VP_PAIR_2(f32x16_cmp_lt, m32x16, f32x16, f32x8_cmp_lt)
VP_PAIR_1(f32x16_neg, f32x16, f32x16, f32x8_neg)
VP_PAIR_1(f32x16_sqrt, f32x16, f32x16, f32x8_sqrt)
VP_PAIR_2(f32x16_cmp_eq, m32x16, f32x16, f32x8_cmp_eq)
VP_PAIR_1(f32x16_as_i32, i32x16, f32x16, f32x8_as_i32)
VP_PAIR_1(i32x16_as_f32, f32x16, i32x16, i32x8_as_f32)
VP_INLINE i32x16 i32x16_gather(const int32_t *table, i32x16 at)
{
    return (i32x16){i32x8_gather(table, at.low), i32x8_gather(table, at.high)};
}
VP_INLINE i32x16 i32x16_gather_u8(const uint8_t *table, i32x16 at)
{
    return (i32x16){i32x8_gather_u8(table, at.low), i32x8_gather_u8(table, at.high)};
}
VP_INLINE void f32x16_store3(float *to, f32x16 x, f32x16 y, f32x16 z)
{
    f32x8_store3(to, x.low, y.low, z.low);
    f32x8_store3(to + 24, x.high, y.high, z.high);
}

typedef struct u8x64 {
    u8x32 low, high;
} u8x64;
typedef struct m8x64 {
    m8x32 low, high;
} m8x64;

VP_PAIR_SET(u8x64_set1, u8x64, u8x32_set1, uint8_t)
VP_PAIR_LOAD(u8x64_load, u8x64, u8x32_load, const uint8_t, 32)
VP_PAIR_2(u8x64_cmp_eq, m8x64, u8x64, u8x32_cmp_eq)
VP_INLINE m8x64 u8x64_cmp_ge(u8x64 a, uint8_t n) { return (m8x64){u8x32_cmp_ge(a.low, n), u8x32_cmp_ge(a.high, n)}; }
VP_INLINE u8x64 u8x64_load_rows(const uint8_t *from, size_t stride)
{
    return (u8x64){u8x32_load_rows(from, stride), u8x32_load_rows(from + 4 * stride, stride)};
}
#ifndef VP_OWN_M8X64_MOVEMASK
VP_INLINE uint64_t m8x64_movemask(m8x64 m) { return m8x32_movemask(m.low) | (uint64_t)m8x32_movemask(m.high) << 32; }
#endif
VP_PAIR_STORE(u8x64_store, u8x64, u8x32_store, uint8_t, 32)
VP_PAIR_2(u8x64_sub, u8x64, u8x64, u8x32_sub)
VP_PAIR_2(u8x64_and, u8x64, u8x64, u8x32_and)
VP_PAIR_2(u8x64_or, u8x64, u8x64, u8x32_or)
VP_PAIR_2(u8x64_abs_diff, u8x64, u8x64, u8x32_abs_diff)
VP_PAIR_2(u8x64_cmp_le, m8x64, u8x64, u8x32_cmp_le)
VP_PAIR_1(u8x64_is_negative, m8x64, u8x64, u8x32_is_negative)
VP_PAIR_1(u8x64_of_mask, u8x64, m8x64, u8x32_of_mask)
VP_INLINE u8x64 u8x64_maskz(m8x64 m, u8x64 a) { return (u8x64){u8x32_maskz(m.low, a.low), u8x32_maskz(m.high, a.high)}; }
VP_PAIR_SELECT(u8x64_select, m8x64, u8x64, u8x32_select)
VP_PAIR_2(u8x64_blend_halves, u8x64, u8x64, u8x32_blend_halves)
VP_INLINE u8x64 u8x64_interleave_low_words(u8x64 a, u8x64 b)
{
    return (u8x64){u8x32_interleave_low_words(a.low, b.low), u8x32_interleave_high_words(a.low, b.low)};
}
VP_INLINE u8x64 u8x64_interleave_high_words(u8x64 a, u8x64 b)
{
    return (u8x64){u8x32_interleave_low_words(a.high, b.high), u8x32_interleave_high_words(a.high, b.high)};
}
VP_PAIR_1(u8x64_rotate_blocks, u8x64, u8x64, u8x32_rotate_blocks)
VP_PAIR_2(u8x64_xor, u8x64, u8x64, u8x32_xor)
VP_INLINE m8x64 m8x64_of_bits(uint64_t x) { return (m8x64){m8x32_of_bits((uint32_t)x), m8x32_of_bits((uint32_t)(x >> 32))}; }
#endif

#ifndef VP_NATIVE_F64X4
/* f64x4 of two f64x2 */
typedef struct f64x4 {
    f64x2 low, high;
} f64x4;
typedef struct m64x4 {
    m64x2 low, high;
} m64x4;

VP_PAIR_SET(f64x4_set1, f64x4, f64x2_set1, double)
VP_PAIR_LOAD(f64x4_load, f64x4, f64x2_load, const double, 16)
VP_PAIR_LOAD(f64x4_load_f32, f64x4, f64x2_load_f32, const float, 8)
VP_PAIR_STORE(f64x4_store, f64x4, f64x2_store, double, 16)
VP_PAIR_STORE(f64x4_store_i32, f64x4, f64x2_store_i32, void, 8)
VP_PAIR_2(f64x4_add, f64x4, f64x4, f64x2_add)
VP_PAIR_2(f64x4_sub, f64x4, f64x4, f64x2_sub)
VP_PAIR_2(f64x4_mul, f64x4, f64x4, f64x2_mul)
VP_PAIR_2(f64x4_max_fast, f64x4, f64x4, f64x2_max_fast)
VP_PAIR_1(f64x4_abs, f64x4, f64x4, f64x2_abs)
VP_PAIR_1(f64x4_rsqrt_estimate, f64x4, f64x4, f64x2_rsqrt_estimate)
VP_PAIR_2(f64x4_cmp_gt, m64x4, f64x4, f64x2_cmp_gt)
VP_PAIR_SELECT(f64x4_select, m64x4, f64x4, f64x2_select)
VP_PAIR_IOTA(f64x4_iota, f64x4, f64x2, 2)
VP_PAIR_2(m64x4_and, m64x4, m64x4, m64x2_and)
VP_PAIR_2(m64x4_or, m64x4, m64x4, m64x2_or)
VP_PAIR_2(m64x4_andnot, m64x4, m64x4, m64x2_andnot)
VP_INLINE m64x4 m64x4_zero(void) { return (m64x4){m64x2_zero(), m64x2_zero()}; }
VP_INLINE bool m64x4_any(m64x4 m) { return m64x2_any(m64x2_or(m.low, m.high)); }
VP_PAIR_2(f64x4_div, f64x4, f64x4, f64x2_div)
VP_PAIR_2(f64x4_min_fast, f64x4, f64x4, f64x2_min_fast)
VP_PAIR_2(f64x4_cmp_ge, m64x4, f64x4, f64x2_cmp_ge)
VP_PAIR_2(f64x4_cmp_eq, m64x4, f64x4, f64x2_cmp_eq)

typedef struct u64x4 {
    u64x2 low, high;
} u64x4;

VP_PAIR_SET(u64x4_set1, u64x4, u64x2_set1, uint64_t)
VP_PAIR_LOAD(u64x4_load, u64x4, u64x2_load, const uint64_t, 16)
VP_PAIR_STORE(u64x4_store, u64x4, u64x2_store, uint64_t, 16)
VP_PAIR_2(u64x4_and, u64x4, u64x4, u64x2_and)
VP_PAIR_2(u64x4_or, u64x4, u64x4, u64x2_or)
VP_PAIR_1(u64x4_not, u64x4, u64x4, u64x2_not)
VP_PAIR_SELECT(u64x4_bitselect, u64x4, u64x4, u64x2_bitselect)
VP_PAIR_SHIFT(u64x4_shl, u64x4, u64x2_shl)
VP_PAIR_SHIFT(u64x4_shr, u64x4, u64x2_shr)
VP_INLINE u64x4 u64x4_maskz(m64x4 m, u64x4 a) { return (u64x4){u64x2_maskz(m.low, a.low), u64x2_maskz(m.high, a.high)}; }
VP_PAIR_2(u64x4_testn, m64x4, u64x4, u64x2_testn)
VP_PAIR_MOVEMASK(m64x4_movemask, m64x4, m64x2_movemask, 2)
VP_INLINE u64x4 u64x4_ext_second(u64x4 a, u64x4 b) { return (u64x4){u64x2_ext_second(a.low, a.high), u64x2_ext_second(a.high, b.low)}; }
VP_INLINE u64x4 u64x4_ext_last(u64x4 a, u64x4 b) { return (u64x4){u64x2_ext_last(a.high, b.low), u64x2_ext_last(b.low, b.high)}; }
VP_INLINE bool u64x4_any(u64x4 a) { return u64x2_any(u64x2_or(a.low, a.high)); }
VP_PAIR_2(u64x4_xor, u64x4, u64x4, u64x2_xor)
#endif

#ifndef VP_NATIVE_F64X8
/* f64x8 of two f64x4 */
typedef struct f64x8 {
    f64x4 low, high;
} f64x8;
typedef struct m64x8 {
    m64x4 low, high;
} m64x8;

VP_PAIR_SET(f64x8_set1, f64x8, f64x4_set1, double)
VP_PAIR_LOAD(f64x8_load, f64x8, f64x4_load, const double, 32)
VP_PAIR_LOAD(f64x8_load_f32, f64x8, f64x4_load_f32, const float, 16)
VP_PAIR_STORE(f64x8_store, f64x8, f64x4_store, double, 32)
VP_PAIR_STORE(f64x8_store_i32, f64x8, f64x4_store_i32, void, 16)
VP_PAIR_2(f64x8_add, f64x8, f64x8, f64x4_add)
VP_PAIR_2(f64x8_sub, f64x8, f64x8, f64x4_sub)
VP_PAIR_2(f64x8_mul, f64x8, f64x8, f64x4_mul)
VP_PAIR_2(f64x8_max_fast, f64x8, f64x8, f64x4_max_fast)
VP_PAIR_1(f64x8_abs, f64x8, f64x8, f64x4_abs)
VP_PAIR_1(f64x8_rsqrt_estimate, f64x8, f64x8, f64x4_rsqrt_estimate)
VP_PAIR_2(f64x8_cmp_gt, m64x8, f64x8, f64x4_cmp_gt)
VP_PAIR_SELECT(f64x8_select, m64x8, f64x8, f64x4_select)
VP_PAIR_IOTA(f64x8_iota, f64x8, f64x4, 4)
VP_PAIR_2(m64x8_and, m64x8, m64x8, m64x4_and)
VP_PAIR_2(m64x8_or, m64x8, m64x8, m64x4_or)
VP_PAIR_2(m64x8_andnot, m64x8, m64x8, m64x4_andnot)
VP_INLINE m64x8 m64x8_zero(void) { return (m64x8){m64x4_zero(), m64x4_zero()}; }
VP_INLINE bool m64x8_any(m64x8 m) { return m64x4_any(m64x4_or(m.low, m.high)); }
VP_PAIR_2(f64x8_div, f64x8, f64x8, f64x4_div)
VP_PAIR_2(f64x8_min_fast, f64x8, f64x8, f64x4_min_fast)
VP_PAIR_2(f64x8_cmp_ge, m64x8, f64x8, f64x4_cmp_ge)
VP_PAIR_2(f64x8_cmp_eq, m64x8, f64x8, f64x4_cmp_eq)
#ifndef VP_NATIVE_F64X4
VP_INLINE f64x8 f32x8_to_f64(f32x8 a)
{
    return (f64x8){{f32x4_low_to_f64(a.low), f32x4_high_to_f64(a.low)}, {f32x4_low_to_f64(a.high), f32x4_high_to_f64(a.high)}};
}
VP_INLINE f32x8 f64x8_to_f32(f64x8 a)
{
    return (f32x8){f64x2_two_to_f32(a.low.low, a.low.high), f64x2_two_to_f32(a.high.low, a.high.high)};
}
VP_INLINE m32x8 m64x8_to_m32(m64x8 m)
{
    return (m32x8){m64x2_two_to_m32(m.low.low, m.low.high), m64x2_two_to_m32(m.high.low, m.high.high)};
}
#endif

typedef struct u64x8 {
    u64x4 low, high;
} u64x8;

VP_PAIR_SET(u64x8_set1, u64x8, u64x4_set1, uint64_t)
VP_PAIR_LOAD(u64x8_load, u64x8, u64x4_load, const uint64_t, 32)
VP_PAIR_STORE(u64x8_store, u64x8, u64x4_store, uint64_t, 32)
VP_PAIR_2(u64x8_and, u64x8, u64x8, u64x4_and)
VP_PAIR_2(u64x8_or, u64x8, u64x8, u64x4_or)
VP_PAIR_1(u64x8_not, u64x8, u64x8, u64x4_not)
VP_PAIR_SELECT(u64x8_bitselect, u64x8, u64x8, u64x4_bitselect)
VP_PAIR_SHIFT(u64x8_shl, u64x8, u64x4_shl)
VP_PAIR_SHIFT(u64x8_shr, u64x8, u64x4_shr)
VP_INLINE u64x8 u64x8_maskz(m64x8 m, u64x8 a) { return (u64x8){u64x4_maskz(m.low, a.low), u64x4_maskz(m.high, a.high)}; }
VP_PAIR_2(u64x8_testn, m64x8, u64x8, u64x4_testn)
VP_PAIR_MOVEMASK(m64x8_movemask, m64x8, m64x4_movemask, 4)
VP_INLINE u64x8 u64x8_ext_second(u64x8 a, u64x8 b) { return (u64x8){u64x4_ext_second(a.low, a.high), u64x4_ext_second(a.high, b.low)}; }
VP_INLINE u64x8 u64x8_ext_last(u64x8 a, u64x8 b) { return (u64x8){u64x4_ext_last(a.high, b.low), u64x4_ext_last(b.low, b.high)}; }
VP_INLINE bool u64x8_any(u64x8 a) { return u64x4_any(u64x4_or(a.low, a.high)); }
VP_PAIR_2(u64x8_xor, u64x8, u64x8, u64x4_xor)
#endif
