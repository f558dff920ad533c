/* SPDX-License-Identifier: MIT */
/* Shared by the vocabularies of the tree's build: the number of faces of an item's box, and the permutations that move
 * the chosen ones of eight lanes together. */
#ifndef VP_OPTIMIZED_KD_BUILD_LANES_COMMON_H
#define VP_OPTIMIZED_KD_BUILD_LANES_COMMON_H

#include <stdint.h>

enum { FACES = 6 };

/* For each axis, the share of the known extent that the box covers: which shares are below a half, and how they
   compare. Shares of a half or more count as the largest. See slab_order. */
typedef struct slab_shares {
    uint32_t cut, order;
} slab_shares;

/* A part of a wide node, and its number of items. */
typedef struct size_part {
    uint32_t size, part;
} size_part;

/* Byte n of build_order[bits] is the number of the n-th lane whose bit is set, followed by the numbers of the other
   lanes. A set lane i goes to the place given by the number of set bits below bit i. */
#define ORDER_BIT(b, i)     ((uint64_t)(b) >> (i)&1u)
#define ORDER_BELOW_2(b)    (ORDER_BIT(b, 0) + ORDER_BIT(b, 1))
#define ORDER_BELOW_4(b)    (ORDER_BELOW_2(b) + ORDER_BELOW_2((b) >> 2))
#define ORDER_SET(b)        (ORDER_BELOW_4(b) + ORDER_BELOW_4((b) >> 4))
#define ORDER_BELOW(b, i)   ORDER_SET((b) & ((1 << (i)) - 1))
#define ORDER_PLACE(b, i)   (ORDER_BIT(b, i) ? ORDER_BELOW(b, i) : ORDER_SET(b) + (i)-ORDER_BELOW(b, i))
#define ORDER_LANE(b, i)    ((uint64_t)(i) << 8 * ORDER_PLACE(b, i))
#define ORDER_LANES_4(b, i) ORDER_LANE(b, i) | ORDER_LANE(b, i + 1) | ORDER_LANE(b, i + 2) | ORDER_LANE(b, i + 3)
#define ORDER_1(b)          ORDER_LANES_4(b, 0) | ORDER_LANES_4(b, 4)
#define ORDER_4(b)          ORDER_1(b), ORDER_1((b) + 1), ORDER_1((b) + 2), ORDER_1((b) + 3)
#define ORDER_16(b)         ORDER_4(b), ORDER_4((b) + 4), ORDER_4((b) + 8), ORDER_4((b) + 12)
#define ORDER_64(b)         ORDER_16(b), ORDER_16((b) + 16), ORDER_16((b) + 32), ORDER_16((b) + 48)

static const uint64_t build_order[256] = {ORDER_64(0), ORDER_64(64), ORDER_64(128), ORDER_64(192)};

#endif
