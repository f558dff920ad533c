/* SPDX-License-Identifier: MIT */
/* Convex solids as polygons, cut by planes. */
#ifndef VP_CONFORMANCE_DECOMPOSE_CELL_H
#define VP_CONFORMANCE_DECOMPOSE_CELL_H

#include "conformance/decompose/body.h"
#include "conformance/decompose/parts.h"

/* A cell has its faces as polygons, counterclockwise seen from outside. */

/* Memory to cut with; all but `near` is 0 at first. */
typedef struct vp_cutter {
    double near; /* corners no further than that from a plane are on it */
    vp_places polygon, cap;
    vp_sides side;
    bool no_memory;
} vp_cutter;

void vp_cutter_drop(vp_cutter *cutter);

/* The cell of a body of dimension 3. @return false without memory */
bool vp_cell_of(const vp_body *b, vp_polygons *out);

double vp_cell_volume(const vp_polygons *cell);

/* Whether all of a cell is on a plane or above it. */
bool vp_cell_is_above(const vp_cutter *cutter, const vp_polygons *cell, const double plane[4]);

/* What of a cell is below a plane, whose normal may be of any length; `out` is another cell, whose memory is used again.
   @return whether anything is */
bool vp_cell_cut(vp_cutter *cutter, const vp_polygons *cell, const double plane[4], vp_polygons *out);

#endif
