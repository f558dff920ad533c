/* SPDX-License-Identifier: MIT */
/* How right the answer to a cast is, of the library or of another one. */
#ifndef VP_CASES_BODIES_CAST_JUDGE_H
#define VP_CASES_BODIES_CAST_JUDGE_H

#include <voxphys/casts.h>

#include "cases/narrowphase/oracle.h"

/* A cast, and the triangles and the tolerance to judge it by. */
typedef struct vp_cast_question {
    const vp_oracle_shape *oracle; /* of the shape */
    const vp_cast_def *def;
    const vp_collide_triangle *triangle;
    uint32_t count;
    double slack; /* voxels, within which a shape touches */
} vp_cast_question;

/* Judges a hit, or that there is none. Along the way the signed distance of a shape from a triangle is a convex function, so Newton's
 * method finds from the left where it becomes as small as asked. Distances are those of cases/narrowphase/oracle.h. The faults: `number`;
 * `missed`, a cast without a hit goes through a triangle; `invented`, a hit where the way touches none; `depth`, a hit before the shape
 * touches or after it went through; `normal`, which does not face the way, or along which no touched triangle is parted. A shape that
 * overlaps a triangle at the start must have a hit at t = 0, and its normal is not judged.
 * @param off  distance at the hit, voxels; 0 without one */
vp_collide_fault vp_cast_judge(const vp_cast_question *question, const vp_cast_hit *hit, double *off);

/* Copies the triangles that the box of a cast's way meets. @param out  room for all @return their number */
uint32_t vp_cast_near(const vp_cast_question *question, vp_collide_triangle *out);

#endif
