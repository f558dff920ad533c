/* SPDX-License-Identifier: MIT */
#include "datasets/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

_Static_assert(sizeof(XXH3_state_t) <= sizeof(vp_hasher) && _Alignof(XXH3_state_t) <= _Alignof(vp_hasher), "vp_hasher holds XXH3's state");

uint64_t vp_hash64(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}

static XXH3_state_t *state(vp_hasher *h)
{
    return (XXH3_state_t *)(void *)h;
}

void vp_hash_begin(vp_hasher *h)
{
    XXH3_INITSTATE(state(h));
    (void)XXH3_64bits_reset(state(h));
}

void vp_hash_bytes(vp_hasher *h, const void *bytes, size_t count)
{
    (void)XXH3_64bits_update(state(h), bytes, count);
}

void vp_hash_u32(vp_hasher *h, uint32_t v)
{
    const uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
    vp_hash_bytes(h, bytes, sizeof bytes);
}

void vp_hash_float(vp_hasher *h, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    vp_hash_u32(h, bits);
}

void vp_hash_vec3(vp_hasher *h, vp_vec3 v)
{
    vp_hash_float(h, v.x);
    vp_hash_float(h, v.y);
    vp_hash_float(h, v.z);
}

void vp_hash_words(vp_hasher *h, const void *words, size_t count)
{
    const uint8_t *at = words;
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, at + i * 4, sizeof word);
        vp_hash_u32(h, word);
    }
}

void vp_hash_longs(vp_hasher *h, const void *longs, size_t count)
{
    const uint8_t *at = longs;
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, at + i * 8, sizeof word);
        vp_hash_u32(h, (uint32_t)word);
        vp_hash_u32(h, (uint32_t)(word >> 32));
    }
}

uint64_t vp_hash_end(vp_hasher *h)
{
    return XXH3_64bits_digest(state(h));
}
