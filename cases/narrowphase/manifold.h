/* SPDX-License-Identifier: MIT */
/* The bodies and grounds of the cases manifold_<body>. */
#ifndef VP_CASES_MANIFOLD_H
#define VP_CASES_MANIFOLD_H

#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>
#include <voxphys/terrain.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/kinds/kind.h"

enum { VP_MANIFOLD_CASE_BODIES = 48 };
#define VP_MANIFOLD_CASE_MARGIN 0.02f

/* Creates a terrain without a limit of memory. */
vp_status vp_manifold_case_terrain(vp_world *world, const vp_kernels *kernels, vp_terrain **out, vp_error *error);
/* The same with all trees built, unless *out is a terrain already. */
vp_status vp_manifold_case_rewind(vp_world *world, const vp_kernels *kernels, vp_terrain **out, vp_error *error);

/* Copies the triangles of a box of a terrain's solid surface. @param out  to be freed, also after a failure */
vp_status vp_manifold_case_triangles(vp_terrain *terrain, const vp_aabb *box, vp_collide_triangle **out, uint32_t *count, vp_error *error);

/* @param data  a world @param shape  the body, or its convex hull @param terrain  of the world */
vp_status vp_manifold_case_bodies(const vp_data *data, const vp_collide_shape *shape, vp_terrain *terrain, vp_manifold_body *out,
                                  vp_error *error);

/* The answers of a case's work. */
typedef struct vp_manifold_case_view {
    const vp_manifold_body *body;
    const vp_manifold *manifold;
    const vp_manifold_result *result; /* [VP_MANIFOLD_CASE_BODIES] */
    vp_terrain *terrain;
} vp_manifold_case_view;

vp_manifold_case_view vp_manifold_case_answers(const void *work);

#endif
