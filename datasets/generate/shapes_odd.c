/* SPDX-License-Identifier: MIT */
/* Meshes that are open, not a manifold, or otherwise unlike the mesh of a solid. */
#include "datasets/generate/shape.h"

VP_SHAPE_OF(l, VP_BOX(0, 0, 0, 1000, 250, 250), VP_BOX(0, 0, 0, 250, 1000, 250))

/* ---- pieces that touch or cross ---- */

VP_SHAPE_OF(edge_cubes, VP_BOX(0, 0, 0, 500, 500, 500), VP_BOX(500, 500, 0, 1000, 1000, 500))
VP_SHAPE_OF(corner_cubes, VP_BOX(0, 0, 0, 500, 500, 500), VP_BOX(500, 500, 500, 1000, 1000, 1000))

/* Adds each box as a separate shell, whatever the others are. */
static void add_apart(vp_model *model, double grain, const vp_model_box *boxes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        vp_shape_boxes(model, grain, &boxes[i], 1);
}

VP_SHAPE_BY(add_apart, three, VP_BOX(0, 0, 0, 300, 300, 300), VP_BOX(400, 0, 0, 700, 600, 300), VP_BOX(800, 0, 0, 1000, 300, 900))
/* Two crossing bars, with faces inside the union. */
VP_SHAPE_BY(add_apart, crossed, VP_BOX(0, 400, 0, 1000, 600, 200), VP_BOX(400, 0, 50, 600, 1000, 250))
/* An L of two boxes that touch, with a double wall inside. */
VP_SHAPE_BY(add_apart, glued, VP_BOX(0, 0, 0, 1000, 250, 250), VP_BOX(0, 250, 0, 250, 1000, 250))
/* A cube inside a cube, both facing outwards. */
VP_SHAPE_BY(add_apart, nested, VP_BOX(0, 0, 0, 1000, 1000, 1000), VP_BOX(300, 300, 300, 700, 700, 700))

/* A box with a wall of no thickness across its inside. */
static void inner_wall(vp_model *model, double grain, vp_random *random)
{
    (void)random;
    vp_shape_boxes(model, grain, &(vp_model_box)VP_BOX(0, 0, 0, 1000, 500, 500), 1);
    const uint32_t a = vp_model_point(model, 500, 0, 0), b = vp_model_point(model, 500, 500, 0);
    const uint32_t c = vp_model_point(model, 500, 500, 500), d = vp_model_point(model, 500, 0, 500);
    vp_model_quad(model, a, b, c, d);
}

/* A box with a fin of no thickness. They share an edge. */
static void fin(vp_model *model, double grain, vp_random *random)
{
    uint32_t edge[2] = {0, 0};
    (void)grain;
    (void)random;
    vp_shape_boxes(model, 500, &(vp_model_box)VP_BOX(0, 0, 0, 500, 500, 500), 1);
    for (uint32_t i = 0; !model->failed && i < model->points; i++)
        if (model->point[i][0] > 0.0 && model->point[i][1] > 0.0)
            edge[model->point[i][2] > 0.0] = i;
    const uint32_t high = vp_model_point(model, 1000, 1000, 500), low = vp_model_point(model, 1000, 1000, 0);
    vp_model_quad(model, edge[0], edge[1], high, low);
}

/* ---- an L, spoilt ---- */

/* Each triangle twice. */
static void twice(vp_model *model, double grain, vp_random *random)
{
    l(model, grain, random);
    for (uint32_t i = 0, count = model->triangles; !model->failed && i < count; i++) {
        const uint32_t *t = model->triangle[i];
        vp_model_triangle(model, t[0], t[1], t[2]);
    }
}

/* After every fourth triangle, adds one without area from its corners. It has a corner twice, one corner three times, or an edge and its
 * midpoint. */
static void degenerate(vp_model *model, double grain, vp_random *random)
{
    l(model, grain, random);
    for (uint32_t i = 0, count = model->triangles; !model->failed && i < count; i += 4) {
        const uint32_t a = model->triangle[i][0], b = model->triangle[i][1];
        const double *p = model->point[a], *q = model->point[b];
        if (i % 3 == 0)
            vp_model_triangle(model, a, b, b);
        else if (i % 3 == 1)
            vp_model_triangle(model, a, a, a);
        else
            vp_model_triangle(model, a, b, vp_model_point(model, (p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0, (p[2] + q[2]) / 2.0));
    }
}

static void turn_over(uint32_t *triangle)
{
    const uint32_t second = triangle[1];
    triangle[1] = triangle[2];
    triangle[2] = second;
}

/* With one flipped triangle. */
static void flipped(vp_model *model, double grain, vp_random *random)
{
    l(model, grain, random);
    if (!model->failed)
        turn_over(model->triangle[model->triangles / 2]);
}

/* All are. */
static void inside_out(vp_model *model, double grain, vp_random *random)
{
    l(model, grain, random);
    for (uint32_t i = 0; i < model->triangles; i++)
        turn_over(model->triangle[i]);
}

/* Each triangle has its own corners, each moved by up to `by` along each axis. */
static void tear(vp_model *model, double by, vp_random *random)
{
    for (uint32_t i = 0; !model->failed && i < model->triangles * 3; i++) {
        double p[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            p[axis] = model->point[model->triangle[i / 3][i % 3]][axis] + by * (2.0 * (double)vp_random_unit(random) - 1.0);
        const uint32_t own = vp_model_point(model, p[0], p[1], p[2]);
        if (!model->failed)
            model->triangle[i / 3][i % 3] = own;
    }
}

static void torn(vp_model *model, double grain, vp_random *random)
{
    l(model, grain, random);
    tear(model, 0.0, random);
    vp_model_prune(model);
}

/* Corners that were equal are up to 0.035 apart. */
static void shaken(vp_model *model, double grain, vp_random *random)
{
    l(model, grain, random);
    tear(model, 0.01, random);
    vp_model_prune(model);
}

/* ---- sheets ---- */

static void sheet(vp_model *model, double grain, vp_random *random)
{
    const uint32_t n = (uint32_t)(1000.0 / grain), row = n + 1;
    (void)random;
    for (uint32_t i = 0; i < row * row; i++)
        vp_model_point(model, 1000.0 * (i % row) / n, 0, 1000.0 * (double)(i / row) / n);
    for (uint32_t i = 0; i < n * n; i++) {
        const uint32_t at = i / n * row + i % n;
        vp_model_quad(model, at, at + row, at + row + 1, at + 1);
    }
}

/* Five sides of a cube, without thickness. */
static void lidless(vp_model *model, double grain, vp_random *random)
{
    uint32_t kept = 0;
    (void)random;
    vp_shape_boxes(model, grain, &(vp_model_box)VP_BOX(0, 0, 0, 1000, 1000, 1000), 1);
    for (uint32_t i = 0; !model->failed && i < model->triangles; i++) {
        const uint32_t *t = model->triangle[i];
        if (model->point[t[0]][1] + model->point[t[1]][1] + model->point[t[2]][1] < 3000.0) {
            for (uint32_t k = 0; k < 3; k++)
                model->triangle[kept][k] = t[k];
            kept++;
        }
    }
    model->triangles = kept;
    vp_model_prune(model);
}

/* A strip of 24 parts, whose end joins its beginning upside down. */
static void moebius(vp_model *model, double grain, vp_random *random)
{
    enum { PARTS = 24 };
    (void)grain;
    (void)random;
    for (uint32_t i = 0; i < PARTS; i++) {
        double around[2], half[2];
        vp_turn(i, PARTS, around);
        vp_turn(i, 2 * PARTS, half);
        for (int side = -1; side <= 1; side += 2) {
            const double radius = 350.0 + 150.0 * side * half[0];
            vp_model_point(model, radius * around[0], 150.0 * side * half[1], radius * around[1]);
        }
    }
    for (uint32_t i = 0; i < PARTS; i++) {
        const bool last = i + 1 == PARTS;
        const uint32_t next = last ? 0 : 2 * (i + 1);
        vp_model_quad(model, 2 * i, 2 * i + 1, next + (last ? 0 : 1), next + (last ? 1 : 0));
    }
}

static void one_triangle(vp_model *model, double grain, vp_random *random)
{
    (void)grain;
    (void)random;
    const uint32_t a = vp_model_point(model, 0, 0, 0), b = vp_model_point(model, 1000, 0, 0), c = vp_model_point(model, 0, 500, 0);
    vp_model_triangle(model, a, b, c);
}

const vp_shape vp_shapes_odd[] = {
    {"solid-edge-cubes", edge_cubes, 2},
    {"solid-corner-cubes", corner_cubes, 2},
    {"solid-three", three, 3},
    {"solid-crossed", crossed, 2},
    {"solid-glued", glued, 2},
    {"solid-nested", nested, 1},
    {"solid-inner-wall", inner_wall, 1},
    {"solid-fin", fin, 0},
    {"solid-twice", twice, 2},
    {"solid-degenerate", degenerate, 2},
    {"solid-flipped", flipped, 2},
    {"solid-inside-out", inside_out, 0},
    {"solid-torn", torn, 2},
    {"solid-shaken", shaken, 2},
    {"solid-sheet", sheet, 0},
    {"solid-lidless", lidless, 0},
    {"solid-moebius", moebius, 0},
    {"solid-triangle", one_triangle, 0},
    {NULL, NULL, 0},
};
