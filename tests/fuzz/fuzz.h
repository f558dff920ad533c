/* SPDX-License-Identifier: MIT */
/* Shared by all fuzzing targets. A target is one function that takes any bytes. libFuzzer calls it with bytes that it generates, and
 * replay.c with those of corpus/ and damaged forms of them. */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/memory.h>
#include <voxphys/world.h>

#include "src/core/bytes.h"
#include "src/core/crc32.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Unlike assert, also active in release builds. */
#define FUZZ_CHECK(condition)                                                                                                              \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                                                      \
            abort();                                                                                                                       \
        }                                                                                                                                  \
    } while (0)

/* An allocator that refuses blocks over 8 MiB, so that large worlds, which are valid, take no time. */
static inline void *fuzz_allocate(void *user, size_t bytes, size_t alignment)
{
    vp_allocator c = vp_allocator_default();
    (void)user;
    return bytes <= (size_t)8 << 20 ? c.allocate(c.user, bytes, alignment) : NULL;
}

static inline void fuzz_release(void *user, void *block, size_t bytes)
{
    vp_allocator c = vp_allocator_default();
    (void)user;
    c.release(c.user, block, bytes);
}

static inline vp_allocator fuzz_allocator(void)
{
    return (vp_allocator){NULL, fuzz_allocate, fuzz_release};
}

/* Corrects a saved state: magic and version, size, and checksums at the ends of header and file. */
static inline void fuzz_seal(uint8_t *state, size_t size, const char magic[12], size_t header, size_t size_at)
{
    memcpy(state, magic, 12);
    vp_put_le64(state + size_at, size);
    vp_put_le32(state + header - 4, vp_crc32(0, state, header - 4));
    vp_put_le32(state + size - 4, vp_crc32(0, state + header, size - header - 4));
}

/* Checks the bytes unchanged. If there are at least `least` bytes, also checks a copy whose sizes and checksums are corrected, because a
 * fuzzer does not guess them. */
static inline void fuzz_also_repaired(const uint8_t *bytes, size_t size, size_t least, void (*repair)(uint8_t *, size_t),
                                      void (*check)(const uint8_t *, size_t))
{
    check(bytes, size);
    uint8_t *copy = size >= least ? malloc(size) : NULL;
    if (copy == NULL)
        return;
    memcpy(copy, bytes, size);
    repair(copy, size);
    check(copy, size);
    free(copy);
}

static inline int fuzz_same_world(const vp_world *a, const vp_world *b)
{
    vp_dims s = vp_world_size(a), t = vp_world_size(b);
    size_t n = (size_t)s.x * s.y * s.z;
    return s.x == t.x && s.y == t.y && s.z == t.z && memcmp(vp_world_bricks(a).material, vp_world_bricks(b).material, n) == 0 &&
           memcmp(vp_world_occupancy(a), vp_world_occupancy(b), n) == 0;
}

#endif
