/* SPDX-License-Identifier: MIT */
/* A judged hull as planes and polygons. */
#ifndef VP_CONFORMANCE_JUDGE_DECOMPOSE_BODY_H
#define VP_CONFORMANCE_JUDGE_DECOMPOSE_BODY_H

#include "conformance/judge_decompose/check.h"
#include "src/core/error.h"

/* Positions are relative to the middle of the mesh. */
typedef struct vp_body {
    uint32_t dimension, faces, planes;
    uint32_t *first;     /* first corner of each face [faces + 1]. A flat body has one face with at least one corner */
    double (*corner)[3]; /* counterclockwise seen from outside */
    double (*box)[2][3]; /* bounding box of each face */
    double (*plane)[4];  /* dimension 3: unit normal and offset of each face */
    double (*grown)[4];  /* planes around the body grown by s */
    double low[3], high[3];
    double grown_low[3], grown_high[3];
    double volume;
} vp_body;

/* Examines hull `number` and makes its body. `middle` and `extent` belong to the mesh. Drop the body, also after a failure.
 * @return as vp_decomposition_judge */
vp_status vp_body_make(const vp_decomposition_question *asked, uint32_t number, const double middle[3], double extent, vp_body *out,
                       vp_hull_judged *judged, vp_error *error);
void vp_body_drop(vp_body *b);

/* Whether a point is in the body (dimension 3 only), or in the grown body (any dimension). */
bool vp_body_holds(const vp_body *b, const double p[3]);
bool vp_body_holds_grown(const vp_body *b, const double p[3]);

/* The distance of a point from the body, or `least` if it is not smaller than that. */
double vp_body_distance(const vp_body *b, const double p[3], double least);

#endif
