/* SPDX-License-Identifier: MIT */
/* Allocation through the caller's allocator. */
#ifndef VP_CORE_MEMORY_H
#define VP_CORE_MEMORY_H

#include <voxphys/memory.h>

/* The caller's allocator, or the default one for NULL. */
vp_allocator vp_allocator_or_default(const vp_allocator *allocator);

/* 64-byte aligned memory for `count` elements of `size` bytes, contents undefined; NULL if there is none, if the
   product overflows, or if it is 0. */
void *vp_allocate(const vp_allocator *allocator, size_t count, size_t size);

/* The same, all bytes zero. */
void *vp_allocate_zero(const vp_allocator *allocator, size_t count, size_t size);

/* Gives back what vp_allocate returned, with the same count and size; NULL is left alone. */
void vp_release(const vp_allocator *allocator, void *block, size_t count, size_t size);

#endif
