/* SPDX-License-Identifier: MIT */
/* Shared by all vocabularies of the mesher (nets_<isa>.h): a class of materials, and the presence of its voxels. */
#ifndef VP_OPTIMIZED_SURFACE_NETS_CLASS_H
#define VP_OPTIMIZED_SURFACE_NETS_CLASS_H

#include <stdint.h>

/* The materials of a class: `first` and the next `more`. */
typedef struct class_range {
    uint8_t first, more;
} class_range;

static inline class_range class_of(uint8_t first, uint8_t last)
{
    return (class_range){first, (uint8_t)(last - first)};
}

/* Whether some voxels are outside, and some inside. */
enum { OUTSIDE = 1, INSIDE = 2, BOTH = 3 };

#endif
