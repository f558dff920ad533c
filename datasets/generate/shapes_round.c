/* SPDX-License-Identifier: MIT */
/* Round shapes: boxes of a lattice that is bent around. */
#include "datasets/generate/shape.h"

#include <stddef.h>

/* Into how many equal parts a circle of radius 500 is cut. */
static uint32_t turn_parts(double grain)
{
    uint32_t n = 12;
    while ((double)n * grain < 3141.0)
        n = n % 3 == 0 ? n / 3 * 4 : n / 2 * 3; /* 12, 16, 24, 32, 48, ... */
    return n;
}

static void ring(vp_model *model, double grain, vp_random *random)
{
    const uint32_t n = turn_parts(grain);
    const vp_model_box boxes[] = {{{400, 0, 0}, {500, n, 100}, false}};
    (void)random;
    vp_model_boxes(model, boxes, 1, &(vp_model_lattice){.grain = {500, 1, 500}, .around = {false, true, false}});
    vp_model_move(model, 0, vp_around_y, &n);
}

/* A wheel of 24 teeth, 100 long. */
static void gear(vp_model *model, double grain, vp_random *random)
{
    enum { TEETH = 24 };
    uint32_t n = turn_parts(grain);
    n = n < 4 * TEETH ? 4 * TEETH : n % 3 == 0 ? n : n / 2 * 3;
    vp_model_box boxes[TEETH + 1] = {{{160, 0, 0}, {400, n, 150}, false}};
    (void)random;
    for (uint32_t i = 0; i < TEETH; i++)
        boxes[i + 1] = (vp_model_box){{400, n / TEETH * i, 0}, {500, n / TEETH * i + n / TEETH / 2, 150}, false};
    vp_model_boxes(model, boxes, TEETH + 1, &(vp_model_lattice){.grain = {1000, 1, 1000}, .around = {false, true, false}});
    vp_model_move(model, 0, vp_around_y, &n);
}

/* From (distance from the core, angle around it, angle around the axis); the radii are 385 and 115. */
static void around_core(const double from[3], double to[3], const void *of)
{
    const uint32_t n = *(const uint32_t *)of;
    double small[2], large[2];
    vp_turn((uint32_t)from[1], n / 2, small);
    vp_turn((uint32_t)from[2], n, large);
    const double radius = 385.0 + from[0] * small[0];
    to[0] = radius * large[0];
    to[1] = from[0] * small[1];
    to[2] = radius * large[1];
}

static void torus(vp_model *model, double grain, vp_random *random)
{
    const uint32_t n = turn_parts(grain) < 24 ? 24 : turn_parts(grain);
    const vp_model_box boxes[] = {{{0, 0, 0}, {115, n / 2, n}, false}};
    (void)random;
    vp_model_boxes(model, boxes, 1, &(vp_model_lattice){.grain = {500, 1, 1}, .around = {false, true, true}, .pole = true});
    vp_model_move(model, 0, around_core, &n);
}

const vp_shape vp_shapes_round[] = {
    {"solid-ring", ring, VP_SOLID_CLOSED, 0},
    {"solid-gear", gear, VP_SOLID_CLOSED, 0},
    {"solid-torus", torus, VP_SOLID_CLOSED, 0},
    {NULL, NULL, VP_SOLID_CLOSED, 0},
};
