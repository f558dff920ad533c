/* SPDX-License-Identifier: MIT */
/* The kernels of an ISA for shapes against triangles. Its vocabulary is included before. */
#ifndef VP_OPTIMIZED_NARROWPHASE_COLLIDE_KERNELS_H
#define VP_OPTIMIZED_NARROWPHASE_COLLIDE_KERNELS_H

#include "optimized/narrowphase/box_body.h"
#include "optimized/narrowphase/capsule_body.h"
#include "optimized/narrowphase/cylinder_body.h"
#include "optimized/narrowphase/hull_body.h"
#include "optimized/narrowphase/sphere_body.h"

void VP_VERSION(vp_collide_sphere)(const vp_collide_job *job)
{
    collide_sphere(job);
}

void VP_VERSION(vp_collide_capsule)(const vp_collide_job *job)
{
    collide_capsule(job);
}

void VP_VERSION(vp_collide_box)(const vp_collide_job *job)
{
    collide_box(job);
}

void VP_VERSION(vp_collide_cylinder)(const vp_collide_job *job)
{
    collide_cylinder(job);
}

void VP_VERSION(vp_collide_hull)(const vp_collide_job *job)
{
    collide_hull(job);
}

#endif
