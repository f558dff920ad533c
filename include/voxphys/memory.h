/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_MEMORY_H
#define VOXPHYS_MEMORY_H

#include <stddef.h>

#include <voxphys/api.h>

/** @file
 *  Allocators. For programs that count, limit or pool the library's memory. Others pass NULL. */

#ifdef __cplusplus
extern "C" {
#endif

/** Allocator. Objects copy it and use it until they are destroyed. All threads that use an object, or run its tasks, can call the
 *  functions at once. */
typedef struct vp_allocator {
    void *user;
    /** Returns a block of `bytes` > 0 bytes, or NULL. The alignment is a power of two, at most 128. */
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    /** Frees a block, which is not NULL. `bytes` is the size that was allocated. */
    void (*release)(void *user, void *block, size_t bytes);
} vp_allocator;

/** Returns the default allocator, by malloc and free. */
VP_API vp_allocator vp_allocator_default(void);

#ifdef __cplusplus
}
#endif

#endif
