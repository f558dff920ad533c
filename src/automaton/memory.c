/* SPDX-License-Identifier: MIT */
/* An automaton's growing arrays, and its sort. */
#include <string.h>

#include "src/automaton/automaton_internal.h"
#include "src/core/memory.h"

bool vp_reserve(const vp_allocator *allocator, void **block, uint32_t *room, uint32_t count, size_t size)
{
    if (count <= *room)
        return true;
    const uint32_t twice = *room < UINT32_MAX / 2 ? *room * 2 : UINT32_MAX, more = count > twice ? count : twice;
    void *larger = vp_allocate(allocator, more, size);
    if (larger == NULL)
        return false;
    if (*room != 0)
        memcpy(larger, *block, *room * size);
    vp_release(allocator, *block, *room, size);
    *block = larger;
    *room = more;
    return true;
}

bool vp_reserve_living(const vp_allocator *allocator, vp_living *living, uint32_t count)
{
    void *place = living->place, *memory = living->memory;
    const bool there = vp_reserve(allocator, &place, &living->place_room, count, sizeof *living->place);
    living->place = place;
    if (!there)
        return false;
    const bool both = vp_reserve(allocator, &memory, &living->memory_room, count, sizeof *living->memory);
    living->memory = memory;
    return both;
}

bool vp_reserve_keys(vp_automaton *a, uint32_t count)
{
    for (int i = 0; i < 2; i++) {
        void *key = a->key[i];
        const bool there = vp_reserve(&a->allocator, &key, &a->key_room[i], count, sizeof *a->key[i]);
        a->key[i] = key;
        if (!there)
            return false;
    }
    return true;
}

/* A radix sort by eight bits at a time, from the lowest used ones on. */
uint32_t vp_sort_keys(uint64_t *const key[2], uint32_t count, uint32_t highest)
{
    uint32_t in = 0;
    for (uint32_t shift = 32; shift < 64 && (uint64_t)highest >> (shift - 32) != 0; shift += 8, in ^= 1) {
        const uint64_t *from = key[in];
        uint64_t *to = key[in ^ 1];
        uint32_t first[257] = {0};
        for (uint32_t i = 0; i < count; i++)
            first[(from[i] >> shift & 255) + 1]++;
        for (int digit = 0; digit < 256; digit++)
            first[digit + 1] += first[digit];
        for (uint32_t i = 0; i < count; i++)
            to[first[from[i] >> shift & 255]++] = from[i];
    }
    return in;
}
