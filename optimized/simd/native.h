/* SPDX-License-Identifier: MIT */
/* Names of the widest native vectors, for kernels whose bodies work with any number of lanes: f32n is f32x4, f32x8 or f32x16, i32n and m32n
 * have as many lanes, f64n, u64n and m64n half of them. Include after the header of an ISA. */
#ifndef VP_OPTIMIZED_SIMD_NATIVE_H
#define VP_OPTIMIZED_SIMD_NATIVE_H

enum { F32N = VP_F32N, F64N = VP_F64N }; /* lanes */

#define VP_JOIN_(type, lanes, rest) type##lanes##rest
#define VP_JOIN(type, lanes, rest)  VP_JOIN_(type, lanes, rest)

typedef VP_JOIN(f32x, VP_F32N, ) f32n;
typedef VP_JOIN(i32x, VP_F32N, ) i32n;
typedef VP_JOIN(m32x, VP_F32N, ) m32n;
typedef VP_JOIN(f64x, VP_F64N, ) f64n;
typedef VP_JOIN(m64x, VP_F64N, ) m64n;
typedef VP_JOIN(u64x, VP_F64N, ) u64n;

#define f32n_set1           VP_JOIN(f32x, VP_F32N, _set1)
#define f32n_load           VP_JOIN(f32x, VP_F32N, _load)
#define f32n_load3          VP_JOIN(f32x, VP_F32N, _load3)
#define f32n_store          VP_JOIN(f32x, VP_F32N, _store)
#define f32n_add            VP_JOIN(f32x, VP_F32N, _add)
#define f32n_sub            VP_JOIN(f32x, VP_F32N, _sub)
#define f32n_mul            VP_JOIN(f32x, VP_F32N, _mul)
#define f32n_div            VP_JOIN(f32x, VP_F32N, _div)
#define f32n_abs            VP_JOIN(f32x, VP_F32N, _abs)
#define f32n_cmp_gt         VP_JOIN(f32x, VP_F32N, _cmp_gt)
#define f32n_select         VP_JOIN(f32x, VP_F32N, _select)
#define f32n_to_i32         VP_JOIN(f32x, VP_F32N, _to_i32)
#define f32n_gather         VP_JOIN(f32x, VP_F32N, _gather)
#define f32n_compress_store VP_JOIN(f32x, VP_F32N, _compress_store)
#define f32n_max            VP_JOIN(f32x, VP_F32N, _max)
#define f32n_min_fast       VP_JOIN(f32x, VP_F32N, _min_fast)
#define f32n_max_fast       VP_JOIN(f32x, VP_F32N, _max_fast)
#define f32n_reduce_min     VP_JOIN(f32x, VP_F32N, _reduce_min)
#define f32n_reduce_max     VP_JOIN(f32x, VP_F32N, _reduce_max)
#define f32n_cmp_lt         VP_JOIN(f32x, VP_F32N, _cmp_lt)
#define f32n_store3         VP_JOIN(f32x, VP_F32N, _store3)
#define f32n_cmp_le         VP_JOIN(f32x, VP_F32N, _cmp_le)
#define f32n_floor_to_i32   VP_JOIN(f32x, VP_F32N, _floor_to_i32)
#define f32n_maskz          VP_JOIN(f32x, VP_F32N, _maskz)

#define i32n_set1           VP_JOIN(i32x, VP_F32N, _set1)
#define i32n_load           VP_JOIN(i32x, VP_F32N, _load)
#define i32n_store          VP_JOIN(i32x, VP_F32N, _store)
#define i32n_iota           VP_JOIN(i32x, VP_F32N, _iota)
#define i32n_add            VP_JOIN(i32x, VP_F32N, _add)
#define i32n_cmp_eq         VP_JOIN(i32x, VP_F32N, _cmp_eq)
#define i32n_select         VP_JOIN(i32x, VP_F32N, _select)
#define i32n_to_f32         VP_JOIN(i32x, VP_F32N, _to_f32)
#define i32n_compress_store VP_JOIN(i32x, VP_F32N, _compress_store)
#define i32n_sub            VP_JOIN(i32x, VP_F32N, _sub)
#define i32n_mul            VP_JOIN(i32x, VP_F32N, _mul)
#define i32n_min            VP_JOIN(i32x, VP_F32N, _min)
#define i32n_and            VP_JOIN(i32x, VP_F32N, _and)
#define i32n_or             VP_JOIN(i32x, VP_F32N, _or)
#define i32n_xor            VP_JOIN(i32x, VP_F32N, _xor)
#define i32n_shl            VP_JOIN(i32x, VP_F32N, _shl)
#define i32n_shr            VP_JOIN(i32x, VP_F32N, _shr)
#define i32n_sra            VP_JOIN(i32x, VP_F32N, _sra)
#define i32n_shlv           VP_JOIN(i32x, VP_F32N, _shlv)
#define i32n_cmp_gt         VP_JOIN(i32x, VP_F32N, _cmp_gt)
#define i32n_test_bit       VP_JOIN(i32x, VP_F32N, _test_bit)
#define i32n_of_mask        VP_JOIN(i32x, VP_F32N, _of_mask)
#define i32n_maskz          VP_JOIN(i32x, VP_F32N, _maskz)
#define i32n_load_u8        VP_JOIN(i32x, VP_F32N, _load_u8)
#define i32n_load_u16       VP_JOIN(i32x, VP_F32N, _load_u16)
#define i32n_reciprocal     VP_JOIN(i32x, VP_F32N, _reciprocal)
#define i32n_gather         VP_JOIN(i32x, VP_F32N, _gather)
#define i32n_gather_u8      VP_JOIN(i32x, VP_F32N, _gather_u8)

#define m32n_movemask VP_JOIN(m32x, VP_F32N, _movemask)
#define m32n_and      VP_JOIN(m32x, VP_F32N, _and)
#define m32n_or       VP_JOIN(m32x, VP_F32N, _or)

#define f64n_set1           VP_JOIN(f64x, VP_F64N, _set1)
#define f64n_iota           VP_JOIN(f64x, VP_F64N, _iota)
#define f64n_load_f32       VP_JOIN(f64x, VP_F64N, _load_f32)
#define f64n_store          VP_JOIN(f64x, VP_F64N, _store)
#define f64n_store_i32      VP_JOIN(f64x, VP_F64N, _store_i32)
#define f64n_add            VP_JOIN(f64x, VP_F64N, _add)
#define f64n_sub            VP_JOIN(f64x, VP_F64N, _sub)
#define f64n_mul            VP_JOIN(f64x, VP_F64N, _mul)
#define f64n_max_fast       VP_JOIN(f64x, VP_F64N, _max_fast)
#define f64n_abs            VP_JOIN(f64x, VP_F64N, _abs)
#define f64n_rsqrt_estimate VP_JOIN(f64x, VP_F64N, _rsqrt_estimate)
#define f64n_cmp_gt         VP_JOIN(f64x, VP_F64N, _cmp_gt)
#define f64n_select         VP_JOIN(f64x, VP_F64N, _select)

#define u64n_set1 VP_JOIN(u64x, VP_F64N, _set1)
#define u64n_and  VP_JOIN(u64x, VP_F64N, _and)
#define u64n_or   VP_JOIN(u64x, VP_F64N, _or)
#define u64n_any  VP_JOIN(u64x, VP_F64N, _any)

#define u64n_load      VP_JOIN(u64x, VP_F64N, _load)
#define u64n_store     VP_JOIN(u64x, VP_F64N, _store)
#define u64n_xor       VP_JOIN(u64x, VP_F64N, _xor)
#define u64n_bitselect VP_JOIN(u64x, VP_F64N, _bitselect)
#define u64n_shl       VP_JOIN(u64x, VP_F64N, _shl)
#define u64n_shr       VP_JOIN(u64x, VP_F64N, _shr)

#define m64n_zero   VP_JOIN(m64x, VP_F64N, _zero)
#define m64n_and    VP_JOIN(m64x, VP_F64N, _and)
#define m64n_or     VP_JOIN(m64x, VP_F64N, _or)
#define m64n_andnot VP_JOIN(m64x, VP_F64N, _andnot)
#define m64n_any    VP_JOIN(m64x, VP_F64N, _any)
/* Vectors of at least eight lanes, for bodies that compress them. */
enum { F32W = VP_F32W };
typedef VP_JOIN(f32x, VP_F32W, ) f32w;
typedef VP_JOIN(i32x, VP_F32W, ) i32w;
typedef VP_JOIN(m32x, VP_F32W, ) m32w;
typedef VP_JOIN(c32x, VP_F32W, ) c32w;
#define f32w_set1             VP_JOIN(f32x, VP_F32W, _set1)
#define f32w_load             VP_JOIN(f32x, VP_F32W, _load)
#define f32w_store            VP_JOIN(f32x, VP_F32W, _store)
#define f32w_add              VP_JOIN(f32x, VP_F32W, _add)
#define f32w_sub              VP_JOIN(f32x, VP_F32W, _sub)
#define f32w_min_where        VP_JOIN(f32x, VP_F32W, _min_where)
#define f32w_cmp_gt           VP_JOIN(f32x, VP_F32W, _cmp_gt)
#define f32w_cmp_eq           VP_JOIN(f32x, VP_F32W, _cmp_eq)
#define f32w_select           VP_JOIN(f32x, VP_F32W, _select)
#define f32w_fold8_min        VP_JOIN(f32x, VP_F32W, _fold8_min)
#define f32w_store_compressed VP_JOIN(f32x, VP_F32W, _store_compressed)
#define i32w_load             VP_JOIN(i32x, VP_F32W, _load)
#define i32w_set1             VP_JOIN(i32x, VP_F32W, _set1)
#define i32w_cmp_gt           VP_JOIN(i32x, VP_F32W, _cmp_gt)
#define m32w_of_bits          VP_JOIN(m32x, VP_F32W, _of_bits)
#define m32w_movemask         VP_JOIN(m32x, VP_F32W, _movemask)
#define m32w_and              VP_JOIN(m32x, VP_F32W, _and)
#define m32w_or               VP_JOIN(m32x, VP_F32W, _or)
#define m32w_andnot           VP_JOIN(m32x, VP_F32W, _andnot)
#define c32w_of_bits          VP_JOIN(c32x, VP_F32W, _of_bits)

#endif
