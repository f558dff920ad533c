/* SPDX-License-Identifier: MIT */
/* Convex solids as polygons, cut by planes. */
#ifndef VP_CONFORMANCE_DECOMPOSE_CELL_H
#define VP_CONFORMANCE_DECOMPOSE_CELL_H

#include "conformance/decompose/body.h"
#include "conformance/decompose/parts.h"

typedef struct vp_convex_cell {
    uint32_t *first;     /* of each face, its first corner; one more for the end */
    double (*corner)[3]; /* counterclockwise seen from outside */
    uint32_t faces, face_room, corner_room;
} vp_convex_cell;

/* Memory to cut with; all but `near` is 0 at first. */
typedef struct vp_cutter {
    double near; /* corners no further than that from a plane are on it */
    vp_places polygon, cap;
    double *side;
    uint32_t sides;
    bool no_memory;
} vp_cutter;

void vp_cutter_drop(vp_cutter *cutter);

/* The cell of a body of dimension 3. @return false without memory */
bool vp_cell_of(const vp_body *b, vp_convex_cell *out);
void vp_cell_drop(vp_convex_cell *cell);

double vp_cell_volume(const vp_convex_cell *cell);

/* Whether all of a cell is on a plane or above it. */
bool vp_cell_is_above(const vp_cutter *cutter, const vp_convex_cell *cell, const double plane[4]);

/* What of a cell is below a plane, whose normal may be of any length; `out` is another cell, whose memory is used again.
   @return whether anything is */
bool vp_cell_cut(vp_cutter *cutter, const vp_convex_cell *cell, const double plane[4], vp_convex_cell *out);

#endif
