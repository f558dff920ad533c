/* SPDX-License-Identifier: MIT */
/* Drops corrected answers that a shallower answer makes redundant. */
#ifndef VP_NARROWPHASE_CLEARED_H
#define VP_NARROWPHASE_CLEARED_H

#include <voxphys/kernel/narrowphase.h>

/* Accuracy of the kernels as a part of the size. Smaller gaps and depths do not count. */
#define VP_TOUCHING 0x1p-18

/* Set in the triangle_feature of an answer measured along a new normal. on_triangle.x then holds the kernel's own
 * depth, until vp_drop_cleared computes the point from the weights. */
#define VP_MEASURED 0x100u
/* Set as well if the new normal belongs to a triangle across an edge. */
#define VP_BORROWED 0x200u

/* Drops each overlapping measured answer whose triangle the shape leaves when moved out along a shallower answer. For a
 * borrowed normal, an equally deep answer that was not measured suffices. Then clears VP_MEASURED and VP_BORROWED, and
 * computes on_triangle of all measured answers. */
void vp_drop_cleared(const vp_collide_job *job);

#endif
