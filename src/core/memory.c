/* SPDX-License-Identifier: MIT */
#include "src/core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

#ifdef _WIN32 /* Windows has no aligned_alloc, because free would not know its memory */

#include <malloc.h>

static void *allocate_aligned(size_t alignment, size_t bytes)
{
    return _aligned_malloc(bytes, alignment);
}

static void free_block(void *block)
{
    _aligned_free(block);
}

#else

static void *allocate_aligned(size_t alignment, size_t bytes)
{
    return aligned_alloc(alignment, bytes);
}

static void free_block(void *block)
{
    free(block);
}

#endif

static void *allocate_default(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    if (bytes > SIZE_MAX - (alignment - 1))
        return NULL;
    return allocate_aligned(alignment, (bytes + alignment - 1) / alignment * alignment); /* C17 requires a multiple */
}

static void release_default(void *user, void *block, size_t bytes)
{
    (void)user;
    (void)bytes;
    free_block(block);
}

vp_allocator vp_allocator_default(void)
{
    vp_allocator a = {NULL, allocate_default, release_default};
    return a;
}

vp_allocator vp_allocator_or_default(const vp_allocator *allocator)
{
    return allocator != NULL ? *allocator : vp_allocator_default();
}

void *vp_allocate(const vp_allocator *allocator, size_t count, size_t size)
{
    if (count == 0 || size == 0 || count > SIZE_MAX / size)
        return NULL;
    return allocator->allocate(allocator->user, count * size, ALIGNMENT);
}

void *vp_allocate_zero(const vp_allocator *allocator, size_t count, size_t size)
{
    void *block = vp_allocate(allocator, count, size);
    if (block != NULL)
        memset(block, 0, count * size);
    return block;
}

void vp_release(const vp_allocator *allocator, void *block, size_t count, size_t size)
{
    if (block != NULL)
        allocator->release(allocator->user, block, count * size);
}
