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

/* Length of the runs that are sorted by insertion. */
enum { VP_ORDER_RUN = 8 };

static inline void vp_insert_keys(uint64_t *key, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint64_t moved = key[i];
        uint32_t k = i;
        for (; k > 0 && key[k - 1] > moved; k--)
            key[k] = key[k - 1];
        key[k] = moved;
    }
}

static inline void vp_merge_keys(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count, uint64_t *out)
{
    for (uint32_t i = 0, k = 0; i < a_count || k < b_count;)
        if (k == b_count || (i < a_count && a[i] < b[k]))
            *out++ = a[i++];
        else
            *out++ = b[k++];
}

/* Sorts keys in ascending order. Cost: O(count log count). @param spare  [count] */
static inline void vp_order_keys(uint64_t *key, uint64_t *spare, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += VP_ORDER_RUN)
        vp_insert_keys(key + first, count - first < VP_ORDER_RUN ? count - first : VP_ORDER_RUN);
    for (uint64_t run = VP_ORDER_RUN; run < count; run *= 2) {
        for (uint64_t first = 0; first < count; first += 2 * run) {
            const uint64_t middle = first + run < count ? first + run : count, end = middle + run < count ? middle + run : count;
            vp_merge_keys(key + first, (uint32_t)(middle - first), key + middle, (uint32_t)(end - middle), spare + first);
        }
        memcpy(key, spare, count * sizeof *key);
    }
}

#endif
