/* SPDX-License-Identifier: MIT */
/* The work of the case of decompositions, for code that examines its answers. */
#ifndef VP_CASES_DECOMPOSE_WORK_H
#define VP_CASES_DECOMPOSE_WORK_H

#include <voxphys/decompose.h>
#include <voxphys/kernel/kd.h>

typedef struct vp_decompose_work {
    vp_triangles *mesh;
    uint32_t solids;
    const vp_allocator *allocator;
    vp_decomposition *answer; /* of each solid */
} vp_decompose_work;

#endif
