/* SPDX-License-Identifier: MIT */
#ifndef VP_BENCH_VISITS_H
#define VP_BENCH_VISITS_H

#include "datasets/kinds/kind.h"

/* What the reference looks at, for a ray on average. */
typedef struct vp_visits {
    double nodes;     /* leaves among them */
    double triangles; /* exact tests */
} vp_visits;

/* Casts all rays of a set through trees of a kind (cases/derived.h). */
vp_status vp_visits_of_rays(const vp_data *data, uint32_t kind, vp_visits *out, vp_error *error);

#endif
