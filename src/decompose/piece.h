/* SPDX-License-Identifier: MIT */
/* Pieces of hulls, whose reach is bounded. */
#ifndef VP_DECOMPOSE_PIECE_H
#define VP_DECOMPOSE_PIECE_H

#include "src/decompose/decompose_internal.h"

/* Corner of a piece. */
typedef struct piece_corner {
    double at[3];
    uint32_t tested; /* a bit for each tested hull whose planes it is below */
    double reach[2]; /* bound of its reach and of pieces between such corners, for each tested hull */
} piece_corner;

/* The part of a tetrahedron on the middle's side of some planes. It is convex and holds the middle. */
typedef struct part_inside {
    const piece_corner *corner;
    const double *middle;
    bool is_measured;     /* `length` and `outside` are set. They are needed if a plane cuts the part */
    bool holds[4];        /* this corner */
    double length[4][5];  /* of the segments from each corner to each other one and to the middle */
    double outside[4][5]; /* their longest part that is outside */
} part_inside;

/* Sets the outward planes of a tetrahedron's sides. @return the least height of a corner over the opposite side */
double vp_decompose_set_sides(const piece_corner *corner, double side[4][4]);
/* Cuts the part by the plane of a triangle, if that may cross the tetrahedron. @param bound  bound 4 before. Not changed if the triangle
 * does not cross the tetrahedron, else INFINITY if the middle's side is uncertain  @return whether it may cross */
bool vp_decompose_cut_part(const vp_decomposing *d, part_inside *p, const double side[4][4], uint32_t t, double *bound);

#endif
