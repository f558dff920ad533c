/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_MEMORY_H
#define VOXPHYS_MEMORY_H

#include <stddef.h>

#include <voxphys/api.h>

/** @file memory.h
 *  Where the library's memory comes from. */

#ifdef __cplusplus
extern "C" {
#endif

/** A source of memory. Objects copy it when they are created and use it until they are destroyed.
 *  Both functions may be called from several threads at once where the caller uses objects from several threads. */
typedef struct vp_allocator {
    void *user; /**< Passed back to both functions. */
    /** Returns `bytes` (never 0) bytes aligned to `alignment` (a power of two, at most 128), or NULL. */
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    /** Takes back a block, with the size it was asked for. `block` is never NULL. */
    void (*release)(void *user, void *block, size_t bytes);
} vp_allocator;

/** The allocator that stands behind a NULL: C's aligned_alloc and free; on Windows, _aligned_malloc and _aligned_free. */
VP_API vp_allocator vp_allocator_default(void);

#ifdef __cplusplus
}
#endif

#endif
