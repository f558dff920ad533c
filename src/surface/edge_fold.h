/* SPDX-License-Identifier: MIT */
/* How two triangles meet at the edge between them. The definition, operation by operation. */
#ifndef VP_SURFACE_EDGE_FOLD_H
#define VP_SURFACE_EDGE_FOLD_H

#include <stdint.h>

#include <voxphys/kernel/surface.h>

/* A place or a difference of two in integers of 1/256 voxel, x, y, z. */
typedef struct vp_whole3 {
    int32_t at[3];
} vp_whole3;

static inline vp_whole3 vp_whole3_sub(vp_whole3 a, vp_whole3 b)
{
    return (vp_whole3){{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}};
}

static inline vp_whole3 vp_whole3_cross(vp_whole3 a, vp_whole3 b)
{
    return (vp_whole3){
        {a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2], a.at[0] * b.at[1] - a.at[1] * b.at[0]}};
}

static inline int32_t vp_whole3_dot(vp_whole3 a, vp_whole3 b)
{
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

/* The edge from p to q of the triangle p, q, `third`. `other` is the third corner of the triangle on the other side.
   All differences are below 512, so normals are below 2^20, and det and e.e below 2^30. */
static inline vp_edge vp_edge_fold(vp_whole3 p, vp_whole3 q, vp_whole3 third, vp_whole3 other)
{
    vp_whole3 e = vp_whole3_sub(q, p), f = vp_whole3_sub(third, p), g = vp_whole3_sub(other, p);
    vp_whole3 n = vp_whole3_cross(e, f), m = vp_whole3_cross(g, e);
    int32_t det = vp_whole3_dot(n, g), ee = vp_whole3_dot(e, e);
    float dot = ((float)n.at[0] * (float)m.at[0] + (float)n.at[1] * (float)m.at[1]) + (float)n.at[2] * (float)m.at[2];
    float sine = (float)det * (float)det * (float)ee, cosine = dot * dot * VP_EDGE_FLAT_TAN2;
    if (dot > 0.0f && sine <= cosine)
        return VP_EDGE_FLAT;
    return det > 0 ? VP_EDGE_CONCAVE : VP_EDGE_CONVEX;
}

/* The flags of the two triangles of a quad, for its sides from corner i to i + 1, and its diagonal. */
static inline void vp_edge_put_quad(const vp_edge side[4], vp_edge diagonal, uint8_t flags[2])
{
    flags[0] = (uint8_t)(side[0] | side[1] << 2 | diagonal << 4);
    flags[1] = (uint8_t)(diagonal | side[2] << 2 | side[3] << 4);
}

#endif
