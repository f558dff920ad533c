/* SPDX-License-Identifier: MIT */
/* Shapes against triangles on WebAssembly's SIMD128. */
#include "optimized/simd/simd128.h"

#include "optimized/narrowphase/box_body.h"
#include "optimized/narrowphase/capsule_body.h"
#include "optimized/narrowphase/cylinder_body.h"
#include "optimized/narrowphase/hull_body.h"
#include "optimized/narrowphase/sphere_body.h"

void vp_collide_sphere_simd128(const vp_collide_job *job)
{
    collide_sphere(job);
}

void vp_collide_capsule_simd128(const vp_collide_job *job)
{
    collide_capsule(job);
}

void vp_collide_box_simd128(const vp_collide_job *job)
{
    collide_box(job);
}

void vp_collide_cylinder_simd128(const vp_collide_job *job)
{
    collide_cylinder(job);
}

void vp_collide_hull_simd128(const vp_collide_job *job)
{
    collide_hull(job);
}
