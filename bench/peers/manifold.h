/* SPDX-License-Identifier: MIT */
/* Shared code of the libraries that collide a body with a triangle mesh. A peer of a row manifold_<body> receives bodies and a mesh as
 * its data set and returns contact points. A peer of a row cast_<shape> receives casts and a mesh. */
#ifndef VP_BENCH_MANIFOLD_H
#define VP_BENCH_MANIFOLD_H

#include <voxphys/casts.h>
#include <voxphys/compound.h>

#include "bench/peers/peer.h"

typedef struct vp_touch_samples {
    const vp_collide_triangle *triangle; /* only the corners are read */
    const vp_manifold_body *body;
    const vp_compound *compound; /* the parts of each body, one for a shape */
    uint32_t triangles, bodies;
    float margin; /* more distant points are not reported */
} vp_touch_samples;

typedef struct vp_peer_touch {
    uint32_t body, triangle;
    float distance;
    vp_vec3 normal; /* direction from the triangle to the body */
} vp_peer_touch;

typedef struct vp_cast_samples {
    const vp_collide_triangle *triangle; /* only the corners are read */
    const vp_cast_def *def;
    uint32_t triangles, casts;
} vp_cast_samples;

#endif
