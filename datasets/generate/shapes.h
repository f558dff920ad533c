/* SPDX-License-Identifier: MIT */
/* All shapes, by name. */
#ifndef VP_GENERATE_SHAPES_H
#define VP_GENERATE_SHAPES_H

#include "datasets/generate/shape.h"

const vp_shape *vp_shape_find(const char *name); /* NULL: no shape has that name */

#endif
