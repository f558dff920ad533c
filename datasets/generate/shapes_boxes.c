/* SPDX-License-Identifier: MIT */
/* Shapes made of boxes, whose minimum number of convex parts can be counted by hand, and such plates with a bevelled
 * rim. */
#include "datasets/generate/shape.h"

VP_SHAPE_OF(box, VP_BOX(0, 0, 0, 1000, 500, 250))
VP_SHAPE_OF(shape_l, VP_BOX(0, 0, 0, 1000, 250, 250), VP_BOX(0, 0, 0, 250, 1000, 250))
VP_SHAPE_OF(shape_t, VP_BOX(0, 750, 0, 1000, 1000, 250), VP_BOX(375, 0, 0, 625, 1000, 250))
VP_SHAPE_OF(shape_u, VP_BOX(0, 0, 0, 1000, 250, 250), VP_BOX(0, 0, 0, 250, 1000, 250), VP_BOX(750, 0, 0, 1000, 1000, 250))
VP_SHAPE_OF(cross, VP_BOX(0, 400, 400, 1000, 600, 600), VP_BOX(400, 0, 400, 600, 1000, 600), VP_BOX(400, 400, 0, 600, 600, 1000))
VP_SHAPE_OF(frame, VP_BOX(0, 0, 0, 1000, 1000, 100), VP_CUT(100, 100, 0, 900, 900, 100))
VP_SHAPE_OF(open_box, VP_BOX(0, 0, 0, 1000, 1000, 1000), VP_CUT(75, 75, 75, 925, 1000, 925))
VP_SHAPE_OF(steps, VP_BOX(0, 0, 0, 900, 300, 500), VP_BOX(300, 0, 0, 900, 600, 500), VP_BOX(600, 0, 0, 900, 900, 500))
VP_SHAPE_OF(wall_window, VP_BOX(0, 0, 0, 1000, 1000, 100), VP_CUT(375, 400, 0, 625, 800, 100))
VP_SHAPE_OF(hollow, VP_BOX(0, 0, 0, 1000, 1000, 1000), VP_CUT(100, 100, 100, 900, 900, 900))
VP_SHAPE_OF(slot, VP_BOX(0, 0, 0, 1000, 1000, 250), VP_CUT(496, 500, 0, 504, 1000, 250))
VP_SHAPE_OF(crack, VP_BOX(0, 0, 0, 1000, 1000, 250), VP_CUT(499.5, 300, 0, 500.5, 1000, 250))

static void stairs(vp_model *model, double grain, vp_random *random)
{
    enum { STEPS = 8, STEP = 125 };
    vp_model_box boxes[STEPS];
    (void)random;
    for (int i = 0; i < STEPS; i++)
        boxes[i] = (vp_model_box)VP_BOX(STEP * i, 0, 0, STEP * STEPS, STEP * (i + 1), 500);
    vp_shape_boxes(model, grain, boxes, STEPS);
}

static void comb(vp_model *model, double grain, vp_random *random)
{
    enum { TEETH = 20, WIDTH = 25 };
    vp_model_box boxes[TEETH + 1] = {VP_BOX(0, 0, 0, WIDTH * (2 * TEETH - 1), 100, 100)};
    (void)random;
    for (int i = 0; i < TEETH; i++)
        boxes[i + 1] = (vp_model_box)VP_BOX(WIDTH * 2 * i, 0, 0, WIDTH * (2 * i + 1), 900, 100);
    vp_shape_boxes(model, grain, boxes, TEETH + 1);
}

/* A plate with nine holes, three by three. */
static void holes(vp_model *model, double grain, vp_random *random)
{
    enum { ROW = 3 };
    vp_model_box boxes[ROW * ROW + 1] = {VP_BOX(0, 0, 0, 1000, 1000, 200)};
    (void)random;
    for (int i = 0; i < ROW * ROW; i++) {
        const double x = 100 + 300 * (i % ROW), y = 100 + 300 * (i / ROW);
        boxes[i + 1] = (vp_model_box)VP_CUT(x, y, 0, x + 200, y + 200, 200);
    }
    vp_shape_boxes(model, grain, boxes, ROW * ROW + 1);
}

/* ---- plates, six thick, their rims bevelled by 45 degrees ---- */

/* The lines of a plate's upper side that move along one axis, and their new positions. Positions between them are
 * interpolated. */
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

/* `of` is the bevels of x and y. */
static void bevel_top(const double from[3], double to[3], const void *of)
{
    const bevel *const *b = of;
    to[0] = from[2] > 0.0 ? bevelled(b[0], from[0]) : from[0];
    to[1] = from[2] > 0.0 ? bevelled(b[1], from[1]) : from[1];
    to[2] = from[2];
}

static const bevel of_l = {3, {0, 250, 1000}, {6, 244, 994}}, of_bar = {3, {0, 750, 1000}, {6, 756, 994}};
static const bevel of_t = {4, {0, 375, 625, 1000}, {6, 381, 619, 994}}, of_u = {4, {0, 250, 750, 1000}, {6, 244, 756, 994}};

/* A plate of boxes. The arguments are the bevels of x and of y, then the boxes. */
#define PLATE(name, along_x, along_y, ...)                                                                                                 \
    VP_SHAPE_OF(flat_##name, __VA_ARGS__)                                                                                                  \
    static void plate_##name(vp_model *model, double grain, vp_random *random)                                                             \
    {                                                                                                                                      \
        static const bevel *const both[2] = {along_x, along_y};                                                                            \
        flat_##name(model, grain, random);                                                                                                 \
        vp_model_move(model, 0, bevel_top, both);                                                                                          \
    }
PLATE(l, &of_l, &of_l, VP_BOX(0, 0, 0, 1000, 250, 6), VP_BOX(0, 0, 0, 250, 1000, 6))
PLATE(t, &of_t, &of_bar, VP_BOX(0, 750, 0, 1000, 1000, 6), VP_BOX(375, 0, 0, 625, 1000, 6))
PLATE(u, &of_u, &of_l, VP_BOX(0, 0, 0, 1000, 250, 6), VP_BOX(0, 0, 0, 250, 1000, 6), VP_BOX(750, 0, 0, 1000, 1000, 6))

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
