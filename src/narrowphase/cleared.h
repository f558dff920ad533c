/* SPDX-License-Identifier: MIT */
/* Corrected answers that a shallower one makes needless. */
#ifndef VP_NARROWPHASE_CLEARED_H
#define VP_NARROWPHASE_CLEARED_H

#include <voxphys/kernel/narrowphase.h>

/* This part of the size is the kernels' accuracy: a gap or a depth below it is no difference. */
#define VP_TOUCHING 0x1p-18

/* Set in the triangle_feature of an answer that was measured along a new normal. on_triangle.x is then the kernel's own depth; the point
   is computed from the weights when vp_drop_cleared ends. */
#define VP_MEASURED 0x100u
/* Set besides if the new normal is that of a triangle beyond an edge. */
#define VP_BORROWED 0x200u

/* Drops each overlapping measured answer whose triangle the shape leaves when it is moved out along a shallower answer; one with a
   borrowed normal also if an answer that is as deep, and was not measured, does so. Then clears VP_MEASURED and VP_BORROWED, and fills
   on_triangle of all measured answers. */
void vp_drop_cleared(const vp_collide_job *job);

#endif
