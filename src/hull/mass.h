/* SPDX-License-Identifier: MIT */
/* What a hull encloses. */
#ifndef VP_HULL_MASS_H
#define VP_HULL_MASS_H

#include <voxphys/hull.h>

#include "src/hull/surface.h"

/* Bytes of scratch memory that measuring takes. */
size_t vp_hull_measure_bytes(uint32_t vertices);

/* Sets volume, area, centroid and inertia of a hull of triangles, or of its one or two vertices. O(triangles). */
void vp_hull_measure(vp_hull *hull, const vp_hull_surface *surface, void *scratch);

#endif
