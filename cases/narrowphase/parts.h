/* SPDX-License-Identifier: MIT */
/* The bodies of the cases manifold_<body>: a shape, or a compound of several. */
#ifndef VP_CASES_NARROWPHASE_PARTS_H
#define VP_CASES_NARROWPHASE_PARTS_H

#include <voxphys/compound.h>

#include "cases/narrowphase/shapes.h"

enum { VP_BODY_PARTS = 16 };

typedef struct vp_body_parts {
    vp_body_shape whole; /* the shape, or the convex hull of a compound's parts, by which it is placed */
    vp_body_shape shape[VP_BODY_PARTS];
    vp_compound_part part[VP_BODY_PARTS];
    vp_compound compound; /* of one part for a shape */
} vp_body_parts;

/* Makes a shape at scale 1, or a compound about two voxels across. The parts point into *out, to be destroyed also after a failure. */
vp_status vp_body_parts_create(vp_body_kind body, vp_body_parts *out, vp_error *error);
void vp_body_parts_destroy(vp_body_parts *parts);

/* A part of a body, in the world. */
static inline vp_manifold_body vp_body_part_at(const vp_body_parts *parts, uint32_t i, const vp_pose *pose)
{
    return (vp_manifold_body){parts->part[i].shape, vp_compound_part_pose(&parts->part[i], pose)};
}

#endif
