/* SPDX-License-Identifier: MIT */
/* Round shapes, made from bent lattices of boxes. */
#include "datasets/generate/shape.h"

/* The number of equal parts of a circle of radius 500. */
static uint32_t turn_parts(double grain)
{
    uint32_t n = 12;
    while ((double)n * grain < 3141.0)
        n = n % 3 == 0 ? n / 3 * 4 : n / 2 * 3; /* 12, 16, 24, 32, 48, ... */
    return n;
}

/* The same, but at least `least` and a multiple of three. */
static uint32_t turn_parts_of_three(double grain, uint32_t least)
{
    const uint32_t n = turn_parts(grain);
    return n < least ? least : n % 3 == 0 ? n : n / 2 * 3;
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
    const uint32_t n = turn_parts_of_three(grain, 4 * TEETH);
    vp_model_box boxes[TEETH + 1] = {{{160, 0, 0}, {400, n, 150}, false}};
    (void)random;
    for (uint32_t i = 0; i < TEETH; i++)
        boxes[i + 1] = (vp_model_box){{400, n / TEETH * i, 0}, {500, n / TEETH * i + n / TEETH / 2, 150}, false};
    vp_model_boxes(model, boxes, TEETH + 1, &(vp_model_lattice){.grain = {1000, 1, 1000}, .around = {false, true, false}});
    vp_model_move(model, 0, vp_around_y, &n);
}

/* From (distance from the core, angle around it, angle around the axis). The radii are 385 and 115. */
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

/* ---- an arch ---- */

enum { ARCH_LEG = 8, ARCH_STEP = 50 }; /* number of steps of a leg */

/* From (distance from the centre of the arch's middle line, steps along it, depth). The line goes up one leg, half around and down the
 * other leg. */
static void along_arch(const double from[3], double to[3], const void *of)
{
    const uint32_t n = *(const uint32_t *)of, at = (uint32_t)from[1], end = ARCH_LEG + n / 2;
    double turn[2] = {1.0, 0.0};
    if (at > end)
        turn[0] = -1.0;
    else if (at > ARCH_LEG)
        vp_turn(at - ARCH_LEG, n, turn);
    const uint32_t height = at < ARCH_LEG ? at : at > end ? ARCH_LEG + end - at : ARCH_LEG;
    to[0] = from[0] * turn[0];
    to[1] = (double)(height * ARCH_STEP) + from[0] * turn[1];
    to[2] = from[2];
}

static void arch(vp_model *model, double grain, vp_random *random)
{
    const uint32_t n = turn_parts(grain);
    const vp_model_box boxes[] = {{{350, 0, 0}, {500, 2 * ARCH_LEG + n / 2, 300}, false}};
    (void)random;
    vp_model_boxes(model, boxes, 1, &(vp_model_lattice){.grain = {grain, 1, grain}});
    vp_model_move(model, 0, along_arch, &n);
}

/* ---- bowls ---- */

/* From (angle up from the bottom, angle around the axis, distance from the centre). */
static void on_ball(const double from[3], double to[3], const void *of)
{
    const uint32_t n = *(const uint32_t *)of;
    double up[2], around[2];
    vp_turn((uint32_t)from[0], n, up);
    vp_turn((uint32_t)from[1], n, around);
    to[0] = from[2] * up[1] * around[0];
    to[1] = -(from[2] * up[0]);
    to[2] = from[2] * up[1] * around[1];
}

/* Half of a hollow ball, 40 thick. */
static void bowl(vp_model *model, double grain, vp_random *random)
{
    const uint32_t n = turn_parts(grain);
    const vp_model_box boxes[] = {{{0, 0, 460}, {n / 4, n, 500}, false}};
    (void)random;
    vp_model_boxes(model, boxes, 1, &(vp_model_lattice){.grain = {1, 1, 500}, .around = {false, true, false}, .pole = true});
    vp_model_move(model, 0, on_ball, &n);
}

/* Only its outside. */
static void bowl_sheet(vp_model *model, double grain, vp_random *random)
{
    const uint32_t n = turn_parts(grain), bottom = vp_model_point(model, 0, 0, 500);
    (void)random;
    for (uint32_t up = 1; up <= n / 4; up++)
        for (uint32_t k = 0; k < n; k++)
            vp_model_point(model, up, k, 500);
    for (uint32_t up = 0; up < n / 4; up++)
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t high = bottom + 1 + up * n, low = up == 0 ? bottom : high - n, next = (k + 1) % n;
            vp_model_quad(model, up == 0 ? low : low + k, high + k, high + next, up == 0 ? low : low + next);
        }
    vp_model_move(model, 0, on_ball, &n);
}

/* ---- shapes with an axis ---- */

/* A cup with a handle, in one piece. */
static void cup(vp_model *model, double grain, vp_random *random)
{
    const uint32_t n = turn_parts_of_three(grain, 24);
    const vp_model_box boxes[] = {{{0, 0, 0}, {300, n, 700}, false},
                                  {{300, 0, 150}, {480, n / 24, 550}, false},
                                  {{300, 0, 200}, {440, n / 24, 500}, true},
                                  {{0, 0, 40}, {260, n, 700}, true}};
    (void)random;
    vp_model_boxes(model, boxes, 4, &(vp_model_lattice){.grain = {grain, 1, grain}, .around = {false, true, false}, .pole = true});
    vp_model_move(model, 0, vp_around_y, &n);
}

/* A wall, curved and 300 high, that stands on a floor. */
static void curved_wall(vp_model *model, double grain, vp_random *random)
{
    const uint32_t n = turn_parts_of_three(grain, 24);
    const vp_model_box boxes[] = {{{0, 0, 0}, {500, n, 40}, false}, {{400, 0, 40}, {450, n / 3, 340}, false}};
    (void)random;
    vp_model_boxes(model, boxes, 2, &(vp_model_lattice){.grain = {1000, 1, 1000}, .around = {false, true, false}, .pole = true});
    vp_model_move(model, 0, vp_around_y, &n);
}

/* Rotates with the height. The tangent of half the angle is height / 1500. */
static void twist(const double from[3], double to[3], const void *of)
{
    const double t = from[1] / 1500.0, cosine = (1.0 - t * t) / (1.0 + t * t), sine = 2.0 * t / (1.0 + t * t);
    (void)of;
    to[0] = from[0] * cosine - from[2] * sine;
    to[1] = from[1];
    to[2] = from[0] * sine + from[2] * cosine;
}

/* A hub with six twisted blades. */
static void rotor(vp_model *model, double grain, vp_random *random)
{
    enum { BLADES = 6 };
    const uint32_t n = turn_parts_of_three(grain, 96);
    vp_model_box boxes[BLADES + 1] = {{{0, 0, 0}, {120, n, 400}, false}};
    (void)random;
    for (uint32_t i = 0; i < BLADES; i++)
        boxes[i + 1] = (vp_model_box){{120, n / BLADES * i, 50}, {500, n / BLADES * i + n / 48, 350}, false};
    vp_model_boxes(model, boxes, BLADES + 1, &(vp_model_lattice){.grain = {grain, 1, grain}, .around = {false, true, false}, .pole = true});
    vp_model_move(model, 0, vp_around_y, &n);
    vp_model_move(model, 0, twist, NULL);
}

/* ---- bent shapes ---- */

/* Lifts low points. The lift grows with the distance from the middle. */
static void lift_arms(const double from[3], double to[3], const void *of)
{
    const double out = (from[0] - 500.0) / 500.0, share = from[1] <= 200.0 ? 1.0 : from[1] >= 500.0 ? 0.0 : (500.0 - from[1]) / 300.0;
    (void)of;
    to[0] = from[0];
    to[1] = from[1] + 350.0 * (out * out) * share;
    to[2] = from[2];
}

/* A boat's anchor, with a shank with an eye, a stock, and two arms with flukes. */
static void anchor(vp_model *model, double grain, vp_random *random)
{
    static const vp_model_box boxes[] = {
        {{0, 0, 0}, {1000, 100, 100}, false},    {{0, 100, 0}, {100, 200, 100}, false},   {{900, 100, 0}, {1000, 200, 100}, false},
        {{450, 0, 0}, {550, 900, 100}, false},   {{250, 700, 0}, {750, 760, 100}, false}, {{400, 850, 0}, {600, 1050, 100}, false},
        {{450, 900, 0}, {550, 1000, 100}, true},
    };
    (void)random;
    vp_model_boxes(model, boxes, sizeof boxes / sizeof boxes[0], &(vp_model_lattice){.grain = {grain, grain, grain}});
    vp_model_move(model, 0, lift_arms, NULL);
}

/* An animal of smoothed boxes. */
static void beast(vp_model *model, double grain, vp_random *random)
{
    static const vp_model_box boxes[] = {
        {{150, 350, 100}, {800, 680, 400}, false},  {{180, 0, 110}, {280, 350, 210}, false},   {{180, 0, 290}, {280, 350, 390}, false},
        {{660, 0, 110}, {760, 350, 210}, false},    {{660, 0, 290}, {760, 350, 390}, false},   {{740, 560, 170}, {860, 820, 330}, false},
        {{780, 700, 150}, {1000, 880, 350}, false}, {{800, 880, 110}, {840, 960, 190}, false}, {{800, 880, 310}, {840, 960, 390}, false},
        {{90, 300, 230}, {150, 660, 270}, false},
    };
    (void)random;
    vp_model_boxes(model, boxes, sizeof boxes / sizeof boxes[0], &(vp_model_lattice){.grain = {grain, grain, grain}, .mended = true});
    vp_model_smooth(model, 6, 0.5);
}

const vp_shape vp_shapes_round[] = {
    {"solid-ring", ring, 0},   {"solid-gear", gear, 0},
    {"solid-torus", torus, 0}, {"solid-arch", arch, 0},
    {"solid-bowl", bowl, 0},   {"solid-bowl-sheet", bowl_sheet, 0},
    {"solid-cup", cup, 0},     {"solid-curved-wall", curved_wall, 0},
    {"solid-rotor", rotor, 0}, {"solid-anchor", anchor, 0},
    {"solid-beast", beast, 0}, {NULL, NULL, 0},
};
