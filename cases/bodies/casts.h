/* SPDX-License-Identifier: MIT */
/* Judges the answer to a cast, of the library or of another engine. */
#ifndef VP_CASES_BODIES_CASTS_H
#define VP_CASES_BODIES_CASTS_H

#include <voxphys/casts.h>

#include "cases/narrowphase/collide.h"
#include "cases/narrowphase/manifold.h"
#include "cases/narrowphase/oracle.h"

/* A cast, and the triangles and the tolerance to judge it by. */
typedef struct vp_cast_question {
    const vp_oracle_shape *oracle; /* of the shape */
    const vp_cast_def *def;
    const vp_collide_triangle *triangle;
    uint32_t count;
    double slack; /* distance within which a shape touches, voxels */
} vp_cast_question;

/* Judges a hit or a miss. Along the way the signed distance of a shape from a triangle is a convex function. So Newton's method from the
 * left finds where it falls to a given value. Distances are those of cases/narrowphase/oracle.h.
 *
 * number:    not a valid number
 * missed:    no hit, but the way goes through a triangle
 * invented:  a hit where the way touches no triangle
 * depth:     a hit before the shape touches or after it went through
 * normal:    not against the way, or no touched triangle is separated along it
 *
 * A shape that overlaps a triangle at the start must have a hit at t = 0. Its normal is not judged.
 * @param off  distance at the hit, voxels, 0 for a miss */
vp_collide_fault vp_cast_judge(const vp_cast_question *question, const vp_cast_hit *hit, double *off);

/* The casts of the cases cast_<shape>. */

enum { VP_CASTS = 2 * VP_MANIFOLD_CASE_BODIES };

/* Makes two casts for each body of vp_manifold_case_bodies: to its pose and past it, or along the ground near it and down from above.
 * @param data  a world @param terrain  of it @param out  [VP_CASTS] */
vp_status vp_cast_case_defs(const vp_data *data, const vp_collide_shape *shape, vp_terrain *terrain, vp_cast_def *out, vp_error *error);

/* Counts the faults in the answers of a case's work. */
vp_collide_tally vp_cast_case_tally(const void *work);

#endif
