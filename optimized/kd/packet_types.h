/* SPDX-License-Identifier: MIT */
/* The vectors of a packet, with a lane for each of VP_PACKET rays: f32p is f32x8 or f32x16, i32p and m32p have as many lanes. Include after
 * the header of an ISA, with VP_PACKET 8 or 16. */
#ifndef VP_OPTIMIZED_KD_PACKET_TYPES_H
#define VP_OPTIMIZED_KD_PACKET_TYPES_H

#define VP_PACKET_JOIN_(type, lanes, rest) type##lanes##rest
#define VP_PACKET_JOIN(type, lanes, rest)  VP_PACKET_JOIN_(type, lanes, rest)

typedef VP_PACKET_JOIN(f32x, VP_PACKET, ) f32p;
typedef VP_PACKET_JOIN(i32x, VP_PACKET, ) i32p;
typedef VP_PACKET_JOIN(m32x, VP_PACKET, ) m32p;

#define f32p_set1       VP_PACKET_JOIN(f32x, VP_PACKET, _set1)
#define f32p_store      VP_PACKET_JOIN(f32x, VP_PACKET, _store)
#define f32p_add        VP_PACKET_JOIN(f32x, VP_PACKET, _add)
#define f32p_sub        VP_PACKET_JOIN(f32x, VP_PACKET, _sub)
#define f32p_mul        VP_PACKET_JOIN(f32x, VP_PACKET, _mul)
#define f32p_div        VP_PACKET_JOIN(f32x, VP_PACKET, _div)
#define f32p_abs        VP_PACKET_JOIN(f32x, VP_PACKET, _abs)
#define f32p_min        VP_PACKET_JOIN(f32x, VP_PACKET, _min)
#define f32p_max        VP_PACKET_JOIN(f32x, VP_PACKET, _max)
#define f32p_min_fast   VP_PACKET_JOIN(f32x, VP_PACKET, _min_fast)
#define f32p_max_fast   VP_PACKET_JOIN(f32x, VP_PACKET, _max_fast)
#define f32p_cmp_lt     VP_PACKET_JOIN(f32x, VP_PACKET, _cmp_lt)
#define f32p_cmp_le     VP_PACKET_JOIN(f32x, VP_PACKET, _cmp_le)
#define f32p_cmp_eq     VP_PACKET_JOIN(f32x, VP_PACKET, _cmp_eq)
#define f32p_select     VP_PACKET_JOIN(f32x, VP_PACKET, _select)
#define f32p_as_i32     VP_PACKET_JOIN(f32x, VP_PACKET, _as_i32)
#define f32p_load_rows  VP_PACKET_JOIN(f32x, VP_PACKET, _load_rows)
#define f32p_transpose4 VP_PACKET_JOIN(f32x, VP_PACKET, _transpose4)
#define f32p_store4     VP_PACKET_JOIN(f32x, VP_PACKET, _store4)
#define f32p_fold_min   VP_PACKET_JOIN(f32x, VP_PACKET, _fold_min)
#define f32p_fold_max   VP_PACKET_JOIN(f32x, VP_PACKET, _fold_max)
#define f32p_reduce_min VP_PACKET_JOIN(f32x, VP_PACKET, _reduce_min)
#define f32p_reduce_max VP_PACKET_JOIN(f32x, VP_PACKET, _reduce_max)

#define i32p_set1   VP_PACKET_JOIN(i32x, VP_PACKET, _set1)
#define i32p_and    VP_PACKET_JOIN(i32x, VP_PACKET, _and)
#define i32p_cmp_lt VP_PACKET_JOIN(i32x, VP_PACKET, _cmp_lt)
#define i32p_select VP_PACKET_JOIN(i32x, VP_PACKET, _select)
#define i32p_as_f32 VP_PACKET_JOIN(i32x, VP_PACKET, _as_f32)

#define m32p_and      VP_PACKET_JOIN(m32x, VP_PACKET, _and)
#define m32p_or       VP_PACKET_JOIN(m32x, VP_PACKET, _or)
#define m32p_of_bits  VP_PACKET_JOIN(m32x, VP_PACKET, _of_bits)
#define m32p_movemask VP_PACKET_JOIN(m32x, VP_PACKET, _movemask)

#endif
