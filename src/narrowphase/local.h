/* SPDX-License-Identifier: MIT */
/* A triangle in a shape's frame, and the directions in which the two may be apart: what all shapes' kernels share.
 *
 * For a direction u of length 1, S(u) is minus what the shape reaches along -u, less what the triangle reaches along u: how far they are
 * apart along u. The answer is the greatest S (kernel/narrowphase.h), so a direction that is a little off costs a little, and one
 * that is nonsense costs nothing. What counts is that no direction is missing, and that those which are there lie well: u is made square to
 * the edge that it comes from once more after it has been divided by its length, so that it leans to no side along which the two are
 * long. */
#ifndef VP_NARROWPHASE_LOCAL_H
#define VP_NARROWPHASE_LOCAL_H

#include <math.h>
#include <stdbool.h>

#include <voxphys/kernel/narrowphase.h>

/* What is no more than this part of the shape's radius is nothing: so small that a square may underflow. */
#define VP_LOCAL_NOTHING 0x1p-30f
/* Roundings, as a part of the size: an S that is below 0 by no more may be of two that are apart. */
#define VP_LOCAL_ROUNDING 0x1p-20f

typedef struct vp_local {
    vp_vec3 corner[3];
    vp_vec3 along[3]; /* edge k, from corner k to the next: its direction; 0 if it has no length */
    float length[3];
    float size; /* the shape's radius, or the largest coordinate of a corner */
} vp_local;

/* The best direction so far. */
typedef struct vp_axis {
    float s;
    vp_vec3 u;
} vp_axis;

static inline vp_vec3 vp_to_shape(const vp_collide_frame *f, vp_vec3 p)
{
    return (vp_vec3){vp_vec3_dot(f->row[0], p), vp_vec3_dot(f->row[1], p), vp_vec3_dot(f->row[2], p)};
}

static inline vp_vec3 vp_to_world(const vp_collide_frame *f, vp_vec3 p)
{
    return vp_vec3_add(vp_vec3_add(vp_vec3_scale(f->row[0], p.x), vp_vec3_scale(f->row[1], p.y)), vp_vec3_scale(f->row[2], p.z));
}

static inline float vp_length(vp_vec3 a)
{
    return sqrtf(vp_vec3_dot(a, a));
}

/* What is left of a without its part along f, of length 1. */
static inline vp_vec3 vp_square_to(vp_vec3 a, vp_vec3 f)
{
    return vp_vec3_sub(a, vp_vec3_scale(f, vp_vec3_dot(a, f)));
}

/* @return false: it is no longer than `nothing`, and is 0 */
static inline bool vp_make_unit(vp_vec3 *a, float nothing)
{
    const float length = vp_length(*a);
    const bool some = length > nothing;
    *a = vp_vec3_scale(*a, some ? 1.0f / length : 0.0f);
    return some;
}

/* a, square to f and of length 1, however little is left of it. */
static inline bool vp_make_unit_square(vp_vec3 *a, vp_vec3 f, float nothing)
{
    *a = vp_square_to(*a, f);
    if (!vp_make_unit(a, nothing))
        return false;
    *a = vp_square_to(*a, f);
    return vp_make_unit(a, 0.0f);
}

static inline float vp_greatest(float a, float b, float c)
{
    return vp_max(vp_max(a, b), c);
}

static inline float vp_greatest_coordinate(vp_vec3 a)
{
    return vp_greatest(fabsf(a.x), fabsf(a.y), fabsf(a.z));
}

/* The position is subtracted, then the corners are turned. Edges are differences of corners in the world: those are smaller, and rounded
   less, than differences of what was turned. */
static inline void vp_local_of(const vp_collide_frame *frame, const vp_vec3 corner[3], float radius, bool turned, vp_local *out)
{
    out->size = radius;
    for (int k = 0; k < 3; k++) {
        const vp_vec3 from = vp_vec3_sub(corner[k], frame->position), edge = vp_vec3_sub(corner[(k + 1) % 3], corner[k]);
        out->corner[k] = turned ? vp_to_shape(frame, from) : from;
        out->along[k] = turned ? vp_to_shape(frame, edge) : edge;
        out->length[k] = vp_length(out->along[k]);
        if (!vp_make_unit(&out->along[k], radius * VP_LOCAL_NOTHING))
            out->length[k] = 0.0f;
        out->size = vp_max(out->size, vp_greatest_coordinate(out->corner[k]));
    }
}

static inline int vp_longest_edge(const vp_local *t)
{
    const int k = t->length[1] > t->length[0] ? 1 : 0;
    return t->length[2] > t->length[k] ? 2 : k;
}

/* The normal: of the two edges that are most square to each other, then square to the longest. @return false: it has no area */
static inline bool vp_local_normal(const vp_local *t, vp_vec3 *n)
{
    float most = -1.0f;
    for (int k = 0; k < 3; k++) {
        const vp_vec3 c = vp_vec3_cross(t->along[k], t->along[(k + 1) % 3]);
        const float square = vp_vec3_dot(c, c);
        *n = square > most ? c : *n;
        most = vp_max(most, square);
    }
    return vp_make_unit_square(n, t->along[vp_longest_edge(t)], 0.0f);
}

/* What the triangle reaches along u. */
static inline float vp_local_reach(const vp_local *t, vp_vec3 u)
{
    return vp_greatest(vp_vec3_dot(u, t->corner[0]), vp_vec3_dot(u, t->corner[1]), vp_vec3_dot(u, t->corner[2]));
}

/* The first of the best. */
static inline void vp_axis_take(vp_axis *best, float s, vp_vec3 u)
{
    if (s > best->s)
        *best = (vp_axis){s, u};
}

#endif
