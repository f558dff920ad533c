/* SPDX-License-Identifier: MIT */
/* Allocation through the caller's allocator. */
#ifndef VP_CORE_MEMORY_H
#define VP_CORE_MEMORY_H

#include <voxphys/memory.h>

/* The caller's allocator, or the default one for NULL. */
vp_allocator vp_allocator_or_default(const vp_allocator *allocator);

/* Allocates 64-byte aligned memory for `count` elements of `size` bytes, contents undefined. Returns NULL if no memory
   is left, or if the product overflows or is 0. */
void *vp_allocate(const vp_allocator *allocator, size_t count, size_t size);

/* The same, all bytes zero. */
void *vp_allocate_zero(const vp_allocator *allocator, size_t count, size_t size);

/* Releases memory from vp_allocate, with the same count and size. NULL is a no-op. */
void vp_release(const vp_allocator *allocator, void *block, size_t count, size_t size);

#endif
