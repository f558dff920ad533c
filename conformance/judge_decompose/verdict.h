/* SPDX-License-Identifier: MIT */
/* A verdict on a decomposition, as text and as JSON. */
#ifndef VP_CONFORMANCE_JUDGE_DECOMPOSE_VERDICT_H
#define VP_CONFORMANCE_JUDGE_DECOMPOSE_VERDICT_H

#include <stdio.h>

#include "conformance/judge_decompose/check.h"

struct json_t;

/* As lines: what was asked for (`parts`, as in vp_decomposition_asked), hulls that are no hulls, and the mesh. */
void vp_decomposition_print(const vp_decomposition_verdict *verdict, uint32_t parts, FILE *to);

/* As an object: the verdict's members by their names, those of parts that were asked for; intervals as [low, high], null for what is not
   finite or there is none of; "each" is a list of the hulls. Give it back with json_decref; NULL without memory. */
struct json_t *vp_decomposition_json(const vp_decomposition_verdict *verdict, uint32_t parts);

#endif
