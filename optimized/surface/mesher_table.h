/* SPDX-License-Identifier: MIT */
/* Table of the set bits of a mask of nine, for mesher_body.h.
 *
 * set_bits[m] has a byte for each set bit of m, from the lowest on, with the bit's number less 1, modulo 16. Bytes
 * after the last one are 0. The ninth, which only m = 511 has, is omitted and would be 7. */
#ifndef VP_OPTIMIZED_SURFACE_MESHER_TABLE_H
#define VP_OPTIMIZED_SURFACE_MESHER_TABLE_H

#include <stdint.h>

/* SET_BITS_k(r) lists the entries of all masks of the k lowest bits, in order. r = the bytes of the higher bits that are set. */
#define SET_BITS_0(r) (r)
#define SET_BITS_1(r) SET_BITS_0(r), SET_BITS_0((r) << 8 | 15)
#define SET_BITS_2(r) SET_BITS_1(r), SET_BITS_1((r) << 8 | 0)
#define SET_BITS_3(r) SET_BITS_2(r), SET_BITS_2((r) << 8 | 1)
#define SET_BITS_4(r) SET_BITS_3(r), SET_BITS_3((r) << 8 | 2)
#define SET_BITS_5(r) SET_BITS_4(r), SET_BITS_4((r) << 8 | 3)
#define SET_BITS_6(r) SET_BITS_5(r), SET_BITS_5((r) << 8 | 4)
#define SET_BITS_7(r) SET_BITS_6(r), SET_BITS_6((r) << 8 | 5)
#define SET_BITS_8(r) SET_BITS_7(r), SET_BITS_7((r) << 8 | 6)
#define SET_BITS_9(r) SET_BITS_8(r), SET_BITS_8((r) << 8 | 7)

static const uint64_t set_bits[512] = {SET_BITS_9(UINT64_C(0))};

#endif
