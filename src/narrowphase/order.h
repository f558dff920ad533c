/* SPDX-License-Identifier: MIT */
/* Sorts indices by a number. */
#ifndef VP_NARROWPHASE_ORDER_H
#define VP_NARROWPHASE_ORDER_H

#include <stdint.h>
#include <string.h>

/* A key that orders by number, then by index. 0 and -0 are equal. No NaN. */
static inline uint64_t vp_order_key(float number, uint32_t index)
{
    uint32_t bits;
    number += 0.0f;
    memcpy(&bits, &number, sizeof bits);
    bits ^= (bits >> 31) != 0 ? UINT32_MAX : UINT32_C(0x80000000);
    return (uint64_t)bits << 32 | index;
}

/* The number of a key. */
static inline float vp_order_number(uint64_t key)
{
    uint32_t bits = (uint32_t)(key >> 32);
    float number;
    bits ^= (bits >> 31) != 0 ? UINT32_C(0x80000000) : UINT32_MAX;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline uint32_t vp_order_index(uint64_t key)
{
    return (uint32_t)key;
}

/* Sorts keys in ascending order. Cost: O(count log count). @param spare  [count] */
void vp_order_keys(uint64_t *key, uint64_t *spare, uint32_t count);

#endif
