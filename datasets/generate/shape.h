/* SPDX-License-Identifier: MIT */
/* Shapes for decomposition, in a cube of about 1000. Either a shape's minimum number of convex parts is known, or a library or an error
 * measure fails on it. */
#ifndef VP_GENERATE_SHAPE_H
#define VP_GENERATE_SHAPE_H

#include <stddef.h>

#include "datasets/generate/model.h"
#include "datasets/random.h"

typedef struct vp_shape {
    const char *name; /* "solid-gear" */
    /* Edges are at most about `grain` long, except where the shape itself has longer ones. */
    void (*make)(vp_model *model, double grain, vp_random *random);
    uint32_t optimum; /* minimum number of convex parts, possibly overlapping, whose union is the shape; 0: unknown */
} vp_shape;

extern const vp_shape vp_shapes_boxes[], vp_shapes_round[], vp_shapes_chance[], vp_shapes_odd[]; /* each ends with a NULL name */

static inline void vp_shape_boxes(vp_model *model, double grain, const vp_model_box *boxes, size_t count)
{
    vp_model_boxes(model, boxes, (uint32_t)count, &(vp_model_lattice){.grain = {grain, grain, grain}});
}

/* A box between two opposite corners, and a box that is cut out of the boxes before it. */
#define VP_BOX(x0, y0, z0, x1, y1, z1)                                                                                                     \
    {                                                                                                                                      \
        {x0, y0, z0}, {x1, y1, z1}, false                                                                                                  \
    }
#define VP_CUT(x0, y0, z0, x1, y1, z1)                                                                                                     \
    {                                                                                                                                      \
        {x0, y0, z0}, {x1, y1, z1}, true                                                                                                   \
    }
/* Defines a function that makes a shape of boxes and adds them with `add`. */
#define VP_SHAPE_BY(add, name, ...)                                                                                                        \
    static void name(vp_model *model, double grain, vp_random *random)                                                                     \
    {                                                                                                                                      \
        static const vp_model_box boxes[] = {__VA_ARGS__};                                                                                 \
        (void)random;                                                                                                                      \
        add(model, grain, boxes, sizeof boxes / sizeof boxes[0]);                                                                          \
    }
#define VP_SHAPE_OF(name, ...) VP_SHAPE_BY(vp_shape_boxes, name, __VA_ARGS__)

#endif
