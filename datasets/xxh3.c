/* SPDX-License-Identifier: MIT */
#include "datasets/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t vp_hash64(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}
