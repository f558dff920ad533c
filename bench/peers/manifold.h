/* SPDX-License-Identifier: MIT */
/* What libraries that collide a body with a mesh of triangles share. A peer of a row manifold_<shape> takes bodies and mesh as its data's
 * set, and tells points. A peer of a row cast_<shape> takes casts and mesh. */
#ifndef VP_BENCH_MANIFOLD_H
#define VP_BENCH_MANIFOLD_H

#include <voxphys/casts.h>

#include "bench/peers/peer.h"

typedef struct vp_touch_samples {
    const vp_collide_triangle *triangle; /* corners are read */
    const vp_manifold_body *body;
    uint32_t triangles, bodies;
    float margin; /* points that are further apart are not told */
} vp_touch_samples;

typedef struct vp_touch {
    uint32_t body, triangle;
    float distance;
    vp_vec3 normal; /* from the triangle to the body */
} vp_touch;

typedef struct vp_cast_samples {
    const vp_collide_triangle *triangle; /* corners are read */
    const vp_cast_def *def;
    uint32_t triangles, casts;
} vp_cast_samples;

#endif
