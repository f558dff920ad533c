/* SPDX-License-Identifier: MIT */
/* XXH3-64 of a piece of memory. */
#ifndef VP_DATASETS_HASH_H
#define VP_DATASETS_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t vp_hash64(const void *bytes, size_t size);

#endif
