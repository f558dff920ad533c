/* SPDX-License-Identifier: MIT */
/* Arrays that grow. */
#ifndef VP_DATASETS_GROW_H
#define VP_DATASETS_GROW_H

#include <stddef.h>
#include <stdlib.h>

/* Returns an array with room for `wanted` elements, from malloc. It is the array itself or a larger replacement.
 * @return NULL on out of memory. The array is then unchanged */
static inline void *vp_with_room(void *array, size_t wanted, size_t *room, size_t element)
{
    if (array != NULL && wanted <= *room)
        return array;
    const size_t more = wanted * 2 + 64;
    void *larger = realloc(array, more * element);
    *room = larger != NULL ? more : *room;
    return larger;
}

#endif
