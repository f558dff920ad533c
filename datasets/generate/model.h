/* SPDX-License-Identifier: MIT */
/* A mesh while it is made: points in binary64, and triangles that share them. Made from whole numbers, + - * / and square roots in the
 * order written: the same bits everywhere. Where memory runs out it is marked as failed, and grows no more. */
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
/* Two triangles, (a, b, c) and (a, c, d); without those that have a corner twice. */
void vp_model_quad(vp_model *model, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
/* Takes away the points that no triangle has. */
void vp_model_prune(vp_model *model);
void vp_model_drop(vp_model *model);

/* Moves each point from number `first` on. */
typedef void vp_model_map(const double from[3], double to[3], const void *of);
void vp_model_move(vp_model *model, uint32_t first, vp_model_map *map, const void *of);

/* Moves each point by `share` of the way to the mean of its neighbours, so often. A neighbour counts once for each triangle that has both.
 */
void vp_model_smooth(vp_model *model, uint32_t times, double share);

/* Cosine and sine of k/n of a whole turn; n is 3 or 4 times a power of two, 12 at least where it is 3 times. Quarters are exact. */
void vp_turn(uint32_t k, uint32_t n, double out[2]);
/* Of (radius, angle in n-ths of a turn, height), a point around the y axis. `of` is a const uint32_t, n; the angle is whole. */
vp_model_map vp_around_y;

/* ---- boxes ---- */

/* What is between two corners, added or cut out. */
typedef struct vp_model_box {
    double low[3], high[3];
    bool cut;
} vp_model_box;

/* How the lines of the lattice lie that the boxes' sides are on. */
typedef struct vp_model_lattice {
    double grain[3]; /* lines are no further apart than that along each axis */
    bool around[3];  /* the last line is the first: an angle */
    bool pole;       /* points whose first coordinate is 0 don't depend on the second: a radius and its angle */
    bool mended;     /* where four cells meet at an edge and only two across from each other are solid, a third is made so */
} vp_model_lattice;

/* The surface of boxes that are added and cut in their order. All their sides lie on lines of one lattice, and each cell's outer faces
   become two triangles each: no corner lies on an edge. */
void vp_model_boxes(vp_model *model, const vp_model_box *boxes, uint32_t count, const vp_model_lattice *lattice);

#endif
