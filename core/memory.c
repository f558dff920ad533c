/* SPDX-License-Identifier: MIT */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { ALIGNMENT = 64, HUGE_PAGE = 2 << 20 };

/* A large block asks for huge pages: the system makes 512 small ones at a time, and addresses far apart are found faster.
   What is left behind the last whole one gets small ones, so no memory is lost. A system without them ignores it. */
static void *allocate_large(size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    void *block = NULL;
    if (posix_memalign(&block, HUGE_PAGE, bytes) != 0)
        return NULL;
    (void)madvise(block, bytes, MADV_HUGEPAGE);
    return block;
#else
    return aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
#endif
}

static void *default_allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    if (bytes > SIZE_MAX - (HUGE_PAGE - 1))
        return NULL;
    if (bytes >= HUGE_PAGE)
        return allocate_large(bytes);
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment); /* C17 asks for a multiple */
}

static void default_release(void *user, void *block, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(block);
}

vp_allocator vp_allocator_default(void)
{
    vp_allocator a = {NULL, default_allocate, default_release};
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
