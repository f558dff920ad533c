/* SPDX-License-Identifier: MIT */
/* The bodies of the cases manifold_<shape>, and what they touch. */
#ifndef VP_CASES_MANIFOLD_H
#define VP_CASES_MANIFOLD_H

#include <voxphys/narrowphase.h>
#include <voxphys/terrain.h>

#include "cases/narrowphase/shapes.h"
#include "datasets/kinds/kind.h"

enum { VP_MANIFOLD_CASE_BODIES = 48 };
#define VP_MANIFOLD_CASE_MARGIN 0.02f

/* @param data  a world @param terrain  of it */
vp_status vp_manifold_case_bodies(const vp_data *data, const vp_collide_shape *shape, vp_terrain *terrain, vp_manifold_body *out,
                                  vp_error *error);

/* What a case's work has answered. */
typedef struct vp_manifold_case_view {
    const vp_manifold_body *body;
    const vp_manifold *manifold;
    const vp_manifold_result *result; /* [VP_MANIFOLD_CASE_BODIES] */
    vp_terrain *terrain;
} vp_manifold_case_view;

vp_manifold_case_view vp_manifold_case_answers(const void *work);

#endif
