/* SPDX-License-Identifier: MIT */
#include "src/core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* An aligned block lies in one of malloc, which is quicker than aligned_alloc for the small blocks of hulls. The word before it is the
 * address of malloc's block. */
static void *allocate_default(void *user, size_t bytes, size_t alignment)
{
    const size_t to = alignment > ALIGNMENT ? alignment : ALIGNMENT;
    (void)user;
    char *block = bytes <= SIZE_MAX - to - sizeof block ? malloc(bytes + to + sizeof block) : NULL;
    if (block == NULL)
        return NULL;
    char *aligned = block + sizeof block;
    aligned += (to - (uintptr_t)aligned % to) % to;
    memcpy(aligned - sizeof block, &block, sizeof block);
    return aligned;
}

static void release_default(void *user, void *aligned, size_t bytes)
{
    char *block;
    (void)user;
    (void)bytes;
    memcpy(&block, (char *)aligned - sizeof block, sizeof block);
    free(block);
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
