/* SPDX-License-Identifier: MIT */
#include "datasets/generate/shapes.h"

#include <string.h>

const vp_shape *vp_shape_find(const char *name)
{
    const vp_shape *const lists[] = {vp_shapes_boxes, vp_shapes_round, vp_shapes_chance, vp_shapes_odd};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const vp_shape *s = lists[i]; s->name != NULL; s++)
            if (strcmp(s->name, name) == 0)
                return s;
    return NULL;
}
