/* SPDX-License-Identifier: MIT */
/* Growing arrays from an allocator. */
#ifndef VP_IMPORT_GROW_H
#define VP_IMPORT_GROW_H

#include <string.h>

#include "src/core/memory.h"

/* Returns an array with room for `wanted` elements. It is the array itself or a larger copy that replaces it.
   room  elements that the array has room for, updated
   returns NULL if there is no memory. The array is unchanged then */
static inline void *vp_import_grow(const vp_allocator *allocator, void *array, size_t wanted, size_t *room, size_t element)
{
    if (array != NULL && wanted <= *room)
        return array;
    const size_t more = wanted <= SIZE_MAX / 2 - 32 ? wanted * 2 + 64 : 0;
    void *larger = vp_allocate(allocator, more, element);
    if (larger == NULL)
        return NULL;
    if (array != NULL)
        memcpy(larger, array, *room * element);
    vp_release(allocator, array, *room, element);
    *room = more;
    return larger;
}

#endif
