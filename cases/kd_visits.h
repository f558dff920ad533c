/* SPDX-License-Identifier: MIT */
#ifndef VP_CASES_KD_VISITS_H
#define VP_CASES_KD_VISITS_H

#include <stdint.h>

#include <voxphys/kernel/kd.h>

/* Nodes and triangles that the reference examines for a ray, on average. */
typedef struct vp_kd_visits {
    double nodes;     /* including leaves */
    double triangles; /* exact tests */
} vp_kd_visits;

/* Casts all rays through the trees of their meshes. */
vp_kd_visits vp_kd_visits_of_rays(const vp_kd_view *const *tree, const vp_ray *ray, const uint32_t *mesh, uint32_t count);

#endif
