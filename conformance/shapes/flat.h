/* SPDX-License-Identifier: MIT */
/* Of points in space without a volume. */
#ifndef VP_CONFORMANCE_SHAPES_FLAT_H
#define VP_CONFORMANCE_SHAPES_FLAT_H

#include "src/core/error.h"
#include "conformance/shapes/shapes.h"

/* Triangles of points by number are the hull of points in a plane: one side of the polygon, or both, each
   without an overlap, a gap or a triangle that has no area. */
vp_status vp_check_flat(const vp_asked_mesh *q, const vp_answer *answer, const vp_hull_wanted *wanted,
                        char reason[VP_REASON_BYTES], vp_error *error);

#endif
