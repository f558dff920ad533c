/* SPDX-License-Identifier: MIT */
#include "datasets/hash.h"

#include "src/core/bytes.h"

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
    uint8_t bytes[4];
    vp_put_le32(bytes, v);
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
    const float numbers[3] = {v.x, v.y, v.z};
    vp_hash_words(h, numbers, 3);
}

void vp_hash_words(vp_hasher *h, const void *words, size_t count)
{
    enum { AT_ONCE = 64 }; /* a call of the hash costs more than some words */
    for (size_t i = 0; i < count; i += AT_ONCE) {
        uint8_t bytes[AT_ONCE * 4];
        const size_t some = count - i < AT_ONCE ? count - i : AT_ONCE;
        vp_put_words(bytes, (const uint8_t *)words + i * 4, some);
        vp_hash_bytes(h, bytes, some * 4);
    }
}

void vp_hash_longs(vp_hasher *h, const void *longs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[8];
        vp_put_longs(bytes, (const uint8_t *)longs + i * 8, 1);
        vp_hash_bytes(h, bytes, sizeof bytes);
    }
}

uint64_t vp_hash_end(vp_hasher *h)
{
    return XXH3_64bits_digest(state(h));
}
