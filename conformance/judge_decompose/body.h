/* SPDX-License-Identifier: MIT */
/* A hull that is judged, as planes and polygons. */
#ifndef VP_CONFORMANCE_JUDGE_DECOMPOSE_BODY_H
#define VP_CONFORMANCE_JUDGE_DECOMPOSE_BODY_H

#include "conformance/judge_decompose/check.h"
#include "src/core/error.h"

/* Places are relative to the middle of the mesh. */
typedef struct vp_body {
    uint32_t dimension, faces, planes;
    uint32_t *first;     /* of each face, its first corner; one more for the end. Flat bodies are one face, of one corner or more */
    double (*corner)[3]; /* counterclockwise seen from outside */
    double (*box)[2][3]; /* of each face */
    double (*plane)[4];  /* of each face of dimension 3: a normal of length 1, and what the body reaches along it */
    double (*grown)[4];  /* planes around the body grown by s */
    double low[3], high[3];
    double grown_low[3], grown_high[3];
    double volume;
} vp_body;

/* Looks at a hull, number `number`, and makes its body; middle and extent are those of the mesh. @return as vp_decomposition_judge. Drop
 * it, also after a failure. */
vp_status vp_body_make(const vp_decomposition_question *asked, uint32_t number, const double middle[3], double extent, vp_body *out,
                       vp_hull_judged *judged, vp_error *error);
void vp_body_drop(vp_body *b);

/* Whether a point is in the body, of dimension 3; and in the grown one, of any. */
bool vp_body_holds(const vp_body *b, const double p[3]);
bool vp_body_holds_grown(const vp_body *b, const double p[3]);

/* How far a point is from the body, or `least` if it is no nearer than that. */
double vp_body_distance(const vp_body *b, const double p[3], double least);

#endif
