/* SPDX-License-Identifier: MIT */
/* Mass properties of a hull. */
#ifndef VP_HULL_MASS_H
#define VP_HULL_MASS_H

#include <voxphys/hull.h>

#include "src/hull/surface.h"

/* Bytes of scratch that vp_hull_measure needs. */
size_t vp_hull_measure_bytes(uint32_t vertices);

/* Computes volume, area, centroid and inertia of a hull of triangles, or of one or two vertices. O(triangles). */
void vp_hull_measure(vp_hull *hull, const vp_hull_surface *surface, void *scratch);

#endif
