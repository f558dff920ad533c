/* SPDX-License-Identifier: MIT */
/* The hull kernels of an ISA. Its vocabulary is included before. */
#ifndef VP_OPTIMIZED_HULL_HULL_KERNELS_H
#define VP_OPTIMIZED_HULL_HULL_KERNELS_H

#include "optimized/hull/hull2_body.h"
#include "optimized/hull/hull_body.h"
#include "optimized/hull/hull_bounds_body.h"
#include "optimized/hull/hull_filter_body.h"

void VP_VERSION(vp_hull_bounds)(const vp_vec3 *point, uint32_t count, vp_hull_bounds *out)
{
    hull_bounds(point, count, out);
}

uint32_t VP_VERSION(vp_hull_filter)(const vp_hull_filtering *filtering)
{
    return hull_filter(filtering);
}

vp_hull3_result VP_VERSION(vp_hull3)(const vp_hull3_job *build)
{
    return hull3(build);
}

vp_hull2_result VP_VERSION(vp_hull2)(const vp_hull2_job *build)
{
    return hull2(build);
}

#endif
