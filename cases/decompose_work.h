/* SPDX-License-Identifier: MIT */
/* What the case of decompositions works on, for those who look at its answers. */
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
