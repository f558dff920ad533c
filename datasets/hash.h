/* SPDX-License-Identifier: MIT */
/* XXH3-64 of a piece of memory, and of decoded content. Fields are hashed in a fixed order, little-endian on every
 * machine, so that a set made anywhere can be compared with the manifest. */
#ifndef VP_DATASETS_HASH_H
#define VP_DATASETS_HASH_H

#include <stddef.h>
#include <stdint.h>

#include <voxphys/geometry.h>

uint64_t vp_hash64(const void *bytes, size_t size);

/* A hash of fields under construction. XXH3's state is on the stack, so hashing cannot run out of memory. */
typedef struct vp_hasher {
    _Alignas(64) uint8_t state[576];
} vp_hasher;

void vp_hash_begin(vp_hasher *h);
void vp_hash_bytes(vp_hasher *h, const void *bytes, size_t count);
void vp_hash_u32(vp_hasher *h, uint32_t v);
void vp_hash_float(vp_hasher *h, float v);
void vp_hash_vec3(vp_hasher *h, vp_vec3 v);
/* uint32_t values or, bit by bit, floats. */
void vp_hash_words(vp_hasher *h, const void *words, size_t count);
/* uint64_t values or, bit by bit, doubles. */
void vp_hash_longs(vp_hasher *h, const void *longs, size_t count);
uint64_t vp_hash_end(vp_hasher *h);

#endif
