/* SPDX-License-Identifier: MIT */
/* Shapes for decomposition, in a cube of about 1000. Each is one that tells something: its fewest convex parts are known, or a library or
 * an error measure fails on it. */
#ifndef VP_GENERATE_SHAPE_H
#define VP_GENERATE_SHAPE_H

#include "datasets/generate/model.h"
#include "datasets/random.h"

typedef struct vp_shape {
    const char *name; /* "solid-gear" */
    /* Edges are about as long as `grain` or shorter, where a shape's own aren't. */
    void (*make)(vp_model *model, double grain, vp_random *random);
    uint32_t optimum; /* the fewest convex parts, which may overlap, whose union it is; 0: not known */
} vp_shape;

extern const vp_shape vp_shapes_boxes[], vp_shapes_round[], vp_shapes_chance[], vp_shapes_odd[]; /* each ends with a NULL name */

#endif
