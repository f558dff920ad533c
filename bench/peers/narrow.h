/* SPDX-License-Identifier: MIT */
/* Shared code of the libraries that collide a shape with triangles: the pairs, and the form of the answers. */
#ifndef VP_BENCH_NARROW_H
#define VP_BENCH_NARROW_H

#include <math.h>
#include <string.h>

#include <voxphys/narrowphase.h>

#include "bench/peers/peer.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "cases/bodies/pairs.h"

/* Tolerance of a peer's distances, relative to the size. Along its normals the tolerance is twice that. */
#define VP_NARROW_BAND 1e-4

struct vp_verdict;
struct vp_counters;

/* Returns a peer's shape. Shapes have the order of their rows. Kinds of hulls differ by the end of the peer's name. */
static inline vp_body_kind vp_narrow_body(const vp_peer *peer)
{
    return (vp_body_kind)(peer->row - VP_KERNEL_collide_sphere + (strstr(peer->name, "/64") != NULL));
}

/* Writes a tally as counters and text, "pairs wrong=3 of 500". */
void vp_narrow_verdict(const vp_collide_tally *tally, const char *unit, bool overlaps_alone, struct vp_verdict *out);
/* The same for the counters of a case, without text. */
void vp_narrow_counters(const vp_collide_tally *tally, struct vp_counters *out);

/* An answer that only says that the distance exceeds the margin. */
static inline vp_collide_result vp_narrow_none(const vp_collide_job *job)
{
    vp_collide_result a;
    memset(&a, 0, sizeof a);
    a.distance = nextafterf(job->margin, INFINITY);
    a.normal.y = 1.0f;
    a.triangle_feature = a.shape_feature = VP_COLLIDE_NONE;
    return a;
}

/* Features are not reported. @param n direction from the triangle to the shape, of any length. Length 0 stays 0
 * @param p point on the triangle, relative to the shape's position */
static inline vp_collide_result vp_narrow_touch(double distance, const double n[3], const double p[3])
{
    vp_collide_result a;
    memset(&a, 0, sizeof a);
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), by = length > 0.0 ? 1.0 / length : 0.0;
    a.distance = (float)distance;
    a.normal.x = (float)(by * n[0]), a.normal.y = (float)(by * n[1]), a.normal.z = (float)(by * n[2]);
    a.on_triangle.x = (float)p[0], a.on_triangle.y = (float)p[1], a.on_triangle.z = (float)p[2];
    a.on_shape.x = (float)(p[0] + distance * by * n[0]);
    a.on_shape.y = (float)(p[1] + distance * by * n[1]);
    a.on_shape.z = (float)(p[2] + distance * by * n[2]);
    return a;
}

#ifdef __cplusplus
}
#endif

#endif
