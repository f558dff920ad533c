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

/* The first of ascending keys with at least this number. */
static inline uint32_t vp_find_key(const uint64_t *key, uint32_t count, double number)
{
    uint32_t first = 0, end = count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if ((double)vp_order_number(key[middle]) < number)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Length of the runs that are sorted by insertion, and number of keys up to which runs are merged. */
enum { VP_ORDER_RUN = 8, VP_MANY_KEYS = 256 };

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

/* Sorts keys by their numbers, one byte at a time. Equal ones keep their order. */
static inline void vp_distribute_keys(uint64_t *key, uint64_t *spare, uint32_t count)
{
    uint32_t first[4][256] = {{0}};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t byte = 0; byte < 4; byte++)
            first[byte][key[i] >> (32 + 8 * byte) & 255]++;
    for (uint32_t byte = 0; byte < 4; byte++) {
        const uint64_t *from = byte % 2 == 0 ? key : spare;
        uint64_t *to = byte % 2 == 0 ? spare : key;
        for (uint32_t digit = 0, at = 0; digit < 256; digit++) {
            const uint32_t next = at + first[byte][digit];
            first[byte][digit] = at;
            at = next;
        }
        for (uint32_t i = 0; i < count; i++)
            to[first[byte][from[i] >> (32 + 8 * byte) & 255]++] = from[i];
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

/* Sorts keys in ascending order. They must be in the order of their indices. Cost: O(count). @param spare  [count] */
static inline void vp_order_keys(uint64_t *key, uint64_t *spare, uint32_t count)
{
    if (count > VP_MANY_KEYS) {
        vp_distribute_keys(key, spare, count);
        return;
    }
    for (uint32_t first = 0; first < count; first += VP_ORDER_RUN)
        vp_insert_keys(key + first, count - first < VP_ORDER_RUN ? count - first : VP_ORDER_RUN);
    for (uint32_t run = VP_ORDER_RUN; run < count; run *= 2) {
        for (uint32_t first = 0; first < count; first += 2 * run) {
            const uint32_t middle = first + run < count ? first + run : count, end = middle + run < count ? middle + run : count;
            vp_merge_keys(key + first, middle - first, key + middle, end - middle, spare + first);
        }
        memcpy(key, spare, count * sizeof *key);
    }
}

/* Adds a key to a binary heap, whose smallest one is the first. */
static inline void vp_push_key(uint64_t *heap, uint32_t *count, uint64_t key)
{
    uint32_t i = (*count)++;
    for (; i > 0 && heap[(i - 1) / 2] > key; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = key;
}

/* Removes the smallest key of a heap that is not empty. */
static inline uint64_t vp_pop_key(uint64_t *heap, uint32_t *count)
{
    const uint64_t first = heap[0], last = heap[--*count];
    uint32_t i = 0;
    for (uint32_t child = 1; child < *count; child = 2 * i + 1) {
        child += child + 1 < *count && heap[child + 1] < heap[child];
        if (heap[child] > last)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

#endif
