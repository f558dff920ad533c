/* SPDX-License-Identifier: MIT */
/* A mesh under construction, with points in binary64 and triangles that share them. It is made from whole numbers, + - * / and square
 * roots in the order written, so its bits are the same everywhere. If memory runs out, the model is marked as failed and stops growing. */
#ifndef VP_GENERATE_MODEL_H
#define VP_GENERATE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vp_model {
    double (*point)[3];
    uint32_t (*triangle)[3]; /* counterclockwise from outside */
    uint32_t points, triangles;
    size_t point_room, triangle_room;
    bool failed;
} vp_model;

uint32_t vp_model_point(vp_model *model, double x, double y, double z);
void vp_model_triangle(vp_model *model, uint32_t a, uint32_t b, uint32_t c);
/* Adds two triangles, (a, b, c) and (a, c, d), except those with a repeated corner. */
void vp_model_quad(vp_model *model, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
/* Removes the points without triangles. */
void vp_model_prune(vp_model *model);
void vp_model_drop(vp_model *model);

/* Maps each point from number `first` on. */
typedef void vp_model_map(const double from[3], double to[3], const void *of);
void vp_model_move(vp_model *model, uint32_t first, vp_model_map *map, const void *of);

/* Moves each point by `share` of the distance to the mean of its neighbours, and repeats this. A neighbour counts once for each triangle
 * that has both. */
void vp_model_smooth(vp_model *model, uint32_t times, double share);

/* Cosine and sine of k/n of a whole turn. n is a power of two, or three times a power of two and at least 12. Quarters are exact. */
void vp_turn(uint32_t k, uint32_t n, double out[2]);
/* Maps (radius, angle in n-ths of a turn, height) to a point around the y axis. `of` is a const uint32_t, n. The angle is a whole number.
 */
vp_model_map vp_around_y;

/* ---- boxes ---- */

/* The box between two corners, which is added or cut out. */
typedef struct vp_model_box {
    double low[3], high[3];
    bool cut;
} vp_model_box;

/* The arrangement of the lattice on whose lines the boxes' sides lie. */
typedef struct vp_model_lattice {
    double grain[3]; /* maximum distance of lines along each axis */
    bool around[3];  /* the last line equals the first, because it is an angle */
    bool pole;       /* the coordinates are a radius and its angle: points at radius 0 do not depend on the angle */
    bool mended;     /* where four cells meet at an edge and only two diagonal ones are solid, a third becomes solid */
} vp_model_lattice;

/* Adds the surface of boxes that are added and cut in order. All their sides lie on lines of one lattice. Each outer face of a cell
 * becomes two triangles, so no corner lies on an edge. */
void vp_model_boxes(vp_model *model, const vp_model_box *boxes, uint32_t count, const vp_model_lattice *lattice);

#endif
