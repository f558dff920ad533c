/* SPDX-License-Identifier: MIT */
/* Shapes of boxes, whose fewest convex parts can be counted by hand; and plates of them with a bevelled rim. */
#include "datasets/generate/shape.h"

#include <stddef.h>

static void boxes_of(vp_model *model, double grain, const vp_model_box *boxes, size_t count)
{
    vp_model_boxes(model, boxes, (uint32_t)count, &(vp_model_lattice){.grain = {grain, grain, grain}});
}

/* A function that makes a shape of boxes: corners x, y, z of each, and whether it is cut out. */
#define SHAPE(name, ...)                                                                                                                   \
    static void name(vp_model *model, double grain, vp_random *random)                                                                     \
    {                                                                                                                                      \
        static const vp_model_box boxes[] = {__VA_ARGS__};                                                                                 \
        (void)random;                                                                                                                      \
        boxes_of(model, grain, boxes, sizeof boxes / sizeof boxes[0]);                                                                     \
    }
#define ADD(x0, y0, z0, x1, y1, z1)                                                                                                        \
    {                                                                                                                                      \
        {x0, y0, z0}, {x1, y1, z1}, false                                                                                                  \
    }
#define CUT(x0, y0, z0, x1, y1, z1)                                                                                                        \
    {                                                                                                                                      \
        {x0, y0, z0}, {x1, y1, z1}, true                                                                                                   \
    }

SHAPE(box, ADD(0, 0, 0, 1000, 500, 250))
SHAPE(shape_l, ADD(0, 0, 0, 1000, 250, 250), ADD(0, 0, 0, 250, 1000, 250))
SHAPE(shape_t, ADD(0, 750, 0, 1000, 1000, 250), ADD(375, 0, 0, 625, 1000, 250))
SHAPE(shape_u, ADD(0, 0, 0, 1000, 250, 250), ADD(0, 0, 0, 250, 1000, 250), ADD(750, 0, 0, 1000, 1000, 250))
SHAPE(cross, ADD(0, 400, 400, 1000, 600, 600), ADD(400, 0, 400, 600, 1000, 600), ADD(400, 400, 0, 600, 600, 1000))
SHAPE(frame, ADD(0, 0, 0, 1000, 1000, 100), CUT(100, 100, 0, 900, 900, 100))
SHAPE(open_box, ADD(0, 0, 0, 1000, 1000, 1000), CUT(75, 75, 75, 925, 1000, 925))
SHAPE(steps, ADD(0, 0, 0, 900, 300, 500), ADD(300, 0, 0, 900, 600, 500), ADD(600, 0, 0, 900, 900, 500))
SHAPE(wall_window, ADD(0, 0, 0, 1000, 1000, 100), CUT(375, 400, 0, 625, 800, 100))
SHAPE(hollow, ADD(0, 0, 0, 1000, 1000, 1000), CUT(100, 100, 100, 900, 900, 900))
SHAPE(slot, ADD(0, 0, 0, 1000, 1000, 250), CUT(496, 500, 0, 504, 1000, 250))
SHAPE(crack, ADD(0, 0, 0, 1000, 1000, 250), CUT(499.5, 300, 0, 500.5, 1000, 250))

static void stairs(vp_model *model, double grain, vp_random *random)
{
    enum { STEPS = 8, STEP = 125 };
    vp_model_box boxes[STEPS];
    (void)random;
    for (int i = 0; i < STEPS; i++)
        boxes[i] = (vp_model_box)ADD(STEP * i, 0, 0, STEP * STEPS, STEP * (i + 1), 500);
    boxes_of(model, grain, boxes, STEPS);
}

static void comb(vp_model *model, double grain, vp_random *random)
{
    enum { TEETH = 20, WIDTH = 25 };
    vp_model_box boxes[TEETH + 1] = {ADD(0, 0, 0, WIDTH * (2 * TEETH - 1), 100, 100)};
    (void)random;
    for (int i = 0; i < TEETH; i++)
        boxes[i + 1] = (vp_model_box)ADD(WIDTH * 2 * i, 0, 0, WIDTH * (2 * i + 1), 900, 100);
    boxes_of(model, grain, boxes, TEETH + 1);
}

/* A plate with nine holes, three by three. */
static void holes(vp_model *model, double grain, vp_random *random)
{
    enum { ROW = 3 };
    vp_model_box boxes[ROW * ROW + 1] = {ADD(0, 0, 0, 1000, 1000, 200)};
    (void)random;
    for (int i = 0; i < ROW * ROW; i++) {
        const double x = 100 + 300 * (i % ROW), y = 100 + 300 * (i / ROW);
        boxes[i + 1] = (vp_model_box)CUT(x, y, 0, x + 200, y + 200, 200);
    }
    boxes_of(model, grain, boxes, ROW * ROW + 1);
}

/* ---- plates, six thick, their rims bevelled by 45 degrees ---- */

/* Along one axis: which lines of a plate's upper side are moved, and where to. Between them it is in proportion. */
typedef struct bevel {
    uint32_t lines;
    double from[4], to[4];
} bevel;

static double bevelled(const bevel *b, double at)
{
    for (uint32_t i = 1; i < b->lines; i++)
        if (at <= b->from[i])
            return b->to[i - 1] + (at - b->from[i - 1]) * ((b->to[i] - b->to[i - 1]) / (b->from[i] - b->from[i - 1]));
    return at;
}

/* `of`: the bevels of x and y. */
static void bevel_top(const double from[3], double to[3], const void *of)
{
    const bevel *b = of;
    to[0] = from[2] > 0.0 ? bevelled(&b[0], from[0]) : from[0];
    to[1] = from[2] > 0.0 ? bevelled(&b[1], from[1]) : from[1];
    to[2] = from[2];
}

SHAPE(flat_l, ADD(0, 0, 0, 1000, 250, 6), ADD(0, 0, 0, 250, 1000, 6))
SHAPE(flat_t, ADD(0, 750, 0, 1000, 1000, 6), ADD(375, 0, 0, 625, 1000, 6))
SHAPE(flat_u, ADD(0, 0, 0, 1000, 250, 6), ADD(0, 0, 0, 250, 1000, 6), ADD(750, 0, 0, 1000, 1000, 6))

static void plate_l(vp_model *model, double grain, vp_random *random)
{
    static const bevel both[2] = {{3, {0, 250, 1000}, {6, 244, 994}}, {3, {0, 250, 1000}, {6, 244, 994}}};
    flat_l(model, grain, random);
    vp_model_move(model, 0, bevel_top, both);
}

static void plate_t(vp_model *model, double grain, vp_random *random)
{
    static const bevel both[2] = {{4, {0, 375, 625, 1000}, {6, 381, 619, 994}}, {3, {0, 750, 1000}, {6, 756, 994}}};
    flat_t(model, grain, random);
    vp_model_move(model, 0, bevel_top, both);
}

static void plate_u(vp_model *model, double grain, vp_random *random)
{
    static const bevel both[2] = {{4, {0, 250, 750, 1000}, {6, 244, 756, 994}}, {3, {0, 250, 1000}, {6, 244, 994}}};
    flat_u(model, grain, random);
    vp_model_move(model, 0, bevel_top, both);
}

const vp_shape vp_shapes_boxes[] = {
    {"solid-box", box, 1},
    {"solid-l", shape_l, 2},
    {"solid-t", shape_t, 2},
    {"solid-u", shape_u, 3},
    {"solid-cross", cross, 3},
    {"solid-frame", frame, 4},
    {"solid-open-box", open_box, 5},
    {"solid-steps", steps, 3},
    {"solid-stairs", stairs, 8},
    {"solid-comb", comb, 21},
    {"solid-wall-window", wall_window, 4},
    {"solid-hollow", hollow, 6},
    {"solid-holes", holes, 8},
    {"solid-slot", slot, 3},
    {"solid-crack", crack, 3},
    {"solid-plate-l", plate_l, 2},
    {"solid-plate-t", plate_t, 2},
    {"solid-plate-u", plate_u, 3},
    {NULL, NULL, 0},
};
