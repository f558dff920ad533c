/* SPDX-License-Identifier: MIT */
#include "src/narrowphase/order.h"

/* Length of the runs that are sorted by insertion. */
enum { RUN = 8 };

static void insert_keys(uint64_t *key, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint64_t moved = key[i];
        uint32_t k = i;
        for (; k > 0 && key[k - 1] > moved; k--)
            key[k] = key[k - 1];
        key[k] = moved;
    }
}

static void merge_keys(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count, uint64_t *out)
{
    for (uint32_t i = 0, k = 0; i < a_count || k < b_count;)
        if (k == b_count || (i < a_count && a[i] < b[k]))
            *out++ = a[i++];
        else
            *out++ = b[k++];
}

void vp_order_keys(uint64_t *key, uint64_t *spare, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += RUN)
        insert_keys(key + first, count - first < RUN ? count - first : RUN);
    for (uint64_t run = RUN; run < count; run *= 2) {
        for (uint64_t first = 0; first < count; first += 2 * run) {
            const uint64_t middle = first + run < count ? first + run : count, end = middle + run < count ? middle + run : count;
            merge_keys(key + first, (uint32_t)(middle - first), key + middle, (uint32_t)(end - middle), spare + first);
        }
        memcpy(key, spare, count * sizeof *key);
    }
}
