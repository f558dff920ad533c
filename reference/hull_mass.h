/* SPDX-License-Identifier: MIT */
/* What a hull encloses. */
#ifndef VP_REFERENCE_HULL_MASS_H
#define VP_REFERENCE_HULL_MASS_H

#include <voxphys/hull.h>

/* Sets volume, area, centroid and inertia from vertices, `place` of each, and triangles. O(triangles). */
void vp_hull_measure(vp_hull *hull, const vp_vec3 *place);

#endif
