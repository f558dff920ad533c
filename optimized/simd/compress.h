/* SPDX-License-Identifier: MIT */
/* The tables of compress_store for vectors of 128 bits and a byte shuffle, and of c32x8_of_bits. */
#ifndef VP_OPTIMIZED_SIMD_COMPRESS_H
#define VP_OPTIMIZED_SIMD_COMPRESS_H

#include <stdint.h>

/* Bytes of the lanes whose bits are set, lowest first. */
static const uint8_t vp_compress_bytes[16][16] = {
    {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},       {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},
    {4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},       {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 2, 3},
    {8, 9, 10, 11, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},     {0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 0, 1, 2, 3},
    {4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 0, 1, 2, 3},     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3},
    {12, 13, 14, 15, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},   {0, 1, 2, 3, 12, 13, 14, 15, 0, 1, 2, 3, 0, 1, 2, 3},
    {4, 5, 6, 7, 12, 13, 14, 15, 0, 1, 2, 3, 0, 1, 2, 3},   {0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 0, 1, 2, 3},
    {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 0, 1, 2, 3}, {0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3},
    {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
};

/* Byte n of vp_compress_order[bits] is the number of the n-th lane whose bit is set, followed by the numbers of the other
   lanes. A set lane i goes to the place given by the number of set bits below bit i. */
#define VP_ORDER_BIT(b, i)     ((uint64_t)(b) >> (i)&1u)
#define VP_ORDER_BELOW_2(b)    (VP_ORDER_BIT(b, 0) + VP_ORDER_BIT(b, 1))
#define VP_ORDER_BELOW_4(b)    (VP_ORDER_BELOW_2(b) + VP_ORDER_BELOW_2((b) >> 2))
#define VP_ORDER_SET(b)        (VP_ORDER_BELOW_4(b) + VP_ORDER_BELOW_4((b) >> 4))
#define VP_ORDER_BELOW(b, i)   VP_ORDER_SET((b) & ((1 << (i)) - 1))
#define VP_ORDER_PLACE(b, i)   (VP_ORDER_BIT(b, i) ? VP_ORDER_BELOW(b, i) : VP_ORDER_SET(b) + (i)-VP_ORDER_BELOW(b, i))
#define VP_ORDER_LANE(b, i)    ((uint64_t)(i) << 8 * VP_ORDER_PLACE(b, i))
#define VP_ORDER_LANES_4(b, i) VP_ORDER_LANE(b, i) | VP_ORDER_LANE(b, i + 1) | VP_ORDER_LANE(b, i + 2) | VP_ORDER_LANE(b, i + 3)
#define VP_ORDER_1(b)          VP_ORDER_LANES_4(b, 0) | VP_ORDER_LANES_4(b, 4)
#define VP_ORDER_4(b)          VP_ORDER_1(b), VP_ORDER_1((b) + 1), VP_ORDER_1((b) + 2), VP_ORDER_1((b) + 3)
#define VP_ORDER_16(b)         VP_ORDER_4(b), VP_ORDER_4((b) + 4), VP_ORDER_4((b) + 8), VP_ORDER_4((b) + 12)
#define VP_ORDER_64(b)         VP_ORDER_16(b), VP_ORDER_16((b) + 16), VP_ORDER_16((b) + 32), VP_ORDER_16((b) + 48)

static const uint64_t vp_compress_order[256] = {VP_ORDER_64(0), VP_ORDER_64(64), VP_ORDER_64(128), VP_ORDER_64(192)};

#endif
