/* SPDX-License-Identifier: MIT */
/* Shapes for decomposition, in a cube of about 1000. Each is one that tells something: its fewest convex parts are known, or a library or
 * an error measure fails on it. */
#ifndef VP_GENERATE_SHAPE_H
#define VP_GENERATE_SHAPE_H

#include <stddef.h>

#include "datasets/generate/model.h"
#include "datasets/random.h"

typedef struct vp_shape {
    const char *name; /* "solid-gear" */
    /* Edges are about as long as `grain` or shorter, where a shape's own aren't. */
    void (*make)(vp_model *model, double grain, vp_random *random);
    uint32_t optimum; /* the fewest convex parts, which may overlap, whose union it is; 0: not known */
} vp_shape;

extern const vp_shape vp_shapes_boxes[], vp_shapes_round[], vp_shapes_chance[], vp_shapes_odd[]; /* each ends with a NULL name */

static inline void vp_shape_boxes(vp_model *model, double grain, const vp_model_box *boxes, size_t count)
{
    vp_model_boxes(model, boxes, (uint32_t)count, &(vp_model_lattice){.grain = {grain, grain, grain}});
}

/* A box from a corner to the one across; one that is cut out of those before it. */
#define VP_BOX(x0, y0, z0, x1, y1, z1)                                                                                                     \
    {                                                                                                                                      \
        {x0, y0, z0}, {x1, y1, z1}, false                                                                                                  \
    }
#define VP_CUT(x0, y0, z0, x1, y1, z1)                                                                                                     \
    {                                                                                                                                      \
        {x0, y0, z0}, {x1, y1, z1}, true                                                                                                   \
    }
/* A function that makes a shape of boxes; which adds them by `add`. */
#define VP_SHAPE_BY(add, name, ...)                                                                                                        \
    static void name(vp_model *model, double grain, vp_random *random)                                                                     \
    {                                                                                                                                      \
        static const vp_model_box boxes[] = {__VA_ARGS__};                                                                                 \
        (void)random;                                                                                                                      \
        add(model, grain, boxes, sizeof boxes / sizeof boxes[0]);                                                                          \
    }
#define VP_SHAPE_OF(name, ...) VP_SHAPE_BY(vp_shape_boxes, name, __VA_ARGS__)

#endif
