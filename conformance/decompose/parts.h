/* SPDX-License-Identifier: MIT */
/* What a verdict is put together of: a file each. */
#ifndef VP_CONFORMANCE_DECOMPOSE_PARTS_H
#define VP_CONFORMANCE_DECOMPOSE_PARTS_H

#include "conformance/decompose/body.h"
#include "conformance/decompose/space.h"

typedef struct vp_decomposition_job {
    const vp_decomposition_asked *asked;
    vp_space space;
    vp_body *body;
    double tolerance;
    uint64_t most_work;
} vp_decomposition_job;

/* How far a body reaches out of the solid: fills reach, witness and pieces. VP_E_MEMORY. */
vp_status vp_judge_reach(const vp_decomposition_job *j, const vp_body *body, vp_hull_judged *out, vp_error *error);

/* What of the surface is covered: fills that part of the verdict. VP_E_MEMORY. */
vp_status vp_judge_surface(const vp_decomposition_job *j, vp_decomposition_verdict *out, vp_error *error);

/* Volumes. VP_E_MEMORY. */
vp_status vp_judge_volume(const vp_decomposition_job *j, vp_decomposition_verdict *out, vp_error *error);

/* The integral of the winding number over space, which is below 0 of a mesh turned inwards. */
double vp_space_volume(const vp_space *s);

/* ---- points that grow in number ---- */

typedef struct vp_places {
    double (*at)[3];
    uint32_t count, room;
    bool no_memory; /* for one that was to be added; it is left out */
} vp_places;

void vp_places_add(vp_places *to, const double p[3]);

/* Where an edge meets a plane that its ends are on different sides of: the same point for either order of the ends. */
void vp_edge_cut(const double a[3], double side_a, const double b[3], double side_b, double out[3]);

/* Of a convex polygon what is not above a plane: none, or with its corners in their order. `side` says how far each corner is above it. */
void vp_polygon_clip(const double (*corner)[3], const double *side, uint32_t corners, vp_places *out);

#endif
