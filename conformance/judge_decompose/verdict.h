/* SPDX-License-Identifier: MIT */
/* Prints a verdict on a decomposition as text and as JSON. */
#ifndef VP_CONFORMANCE_JUDGE_DECOMPOSE_VERDICT_H
#define VP_CONFORMANCE_JUDGE_DECOMPOSE_VERDICT_H

#include <stdio.h>

#include "conformance/judge_decompose/check.h"

struct json_t;

/* Prints the parts that were asked for (`parts` as in vp_decomposition_question), invalid hulls, and the mesh, as lines. */
void vp_decomposition_print(const vp_decomposition_verdict *verdict, uint32_t parts, FILE *to);

/* Returns an object with the verdict's members of the parts that were asked for. Intervals are [low, high]. Values that are missing or not
 * finite are null. "each" lists the hulls. Free it with json_decref. NULL without memory. */
struct json_t *vp_decomposition_json(const vp_decomposition_verdict *verdict, uint32_t parts);

#endif
