/* SPDX-License-Identifier: MIT */
/* Meshes that are open, or not a manifold, or otherwise not what one expects of a solid's. */
#include "datasets/generate/shape.h"

#include <stddef.h>

/* Two cubes of 500 that share an edge: four triangles' sides meet there. */
static void edge_cubes(vp_model *model, double grain, vp_random *random)
{
    static const vp_model_box boxes[] = {{{0, 0, 0}, {500, 500, 500}, false}, {{500, 500, 0}, {1000, 1000, 500}, false}};
    (void)random;
    vp_model_boxes(model, boxes, 2, &(vp_model_lattice){.grain = {grain, grain, grain}});
}

const vp_shape vp_shapes_odd[] = {
    {"solid-edge-cubes", edge_cubes, VP_SOLID_TANGLED, 2},
    {NULL, NULL, VP_SOLID_CLOSED, 0},
};
