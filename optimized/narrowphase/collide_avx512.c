/* SPDX-License-Identifier: MIT */
/* Shapes against triangles on AVX-512. */
#include "optimized/simd/avx512.h"

#include "optimized/narrowphase/box_body.h"
#include "optimized/narrowphase/capsule_body.h"
#include "optimized/narrowphase/cylinder_body.h"
#include "optimized/narrowphase/hull_body.h"
#include "optimized/narrowphase/sphere_body.h"

void vp_collide_sphere_avx512(const vp_collide_job *job)
{
    collide_sphere(job);
}

void vp_collide_capsule_avx512(const vp_collide_job *job)
{
    collide_capsule(job);
}

void vp_collide_box_avx512(const vp_collide_job *job)
{
    collide_box(job);
}

void vp_collide_cylinder_avx512(const vp_collide_job *job)
{
    collide_cylinder(job);
}

void vp_collide_hull_avx512(const vp_collide_job *job)
{
    collide_hull(job);
}
