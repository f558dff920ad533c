/* SPDX-License-Identifier: MIT */
/* A triangle in a shape's frame, and the directions that may separate both. Shared by the kernels of all shapes.
 *
 * For a unit direction u, S(u) is minus the reach of the shape along -u, minus the reach of the triangle along u. It is
 * the separation of both along u. The answer is the greatest S (kernel/narrowphase.h). So a slightly wrong direction
 * costs little, and a useless one costs nothing. No direction may be missing, and each must be accurate. Therefore u is
 * made perpendicular to its edge again after normalisation, so that it does not lean towards a side along which the two
 * are long. */
#ifndef VP_NARROWPHASE_LOCAL_H
#define VP_NARROWPHASE_LOCAL_H

#include <math.h>
#include <stdbool.h>

#include <voxphys/kernel/narrowphase.h>

/* Lengths up to this part of the shape's radius count as zero, because their square may underflow. */
#define VP_LOCAL_NOTHING 0x1p-30f
/* Rounding error as a part of the size. With an S that is negative by at most this, the two may be apart. */
#define VP_LOCAL_ROUNDING 0x1p-20f

typedef struct vp_local {
    vp_vec3 corner[3];
    vp_vec3 along[3]; /* direction of edge k, from corner k to the next, or 0 if it has no length */
    float length[3];
    float size; /* the shape's radius, or a corner's largest coordinate if larger */
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

/* Removes the component of a along the unit vector f. */
static inline vp_vec3 vp_square_to(vp_vec3 a, vp_vec3 f)
{
    return vp_vec3_sub(a, vp_vec3_scale(f, vp_vec3_dot(a, f)));
}

/* Scales a vector to length 1. @return false if it is no longer than `nothing`, and it is then 0 */
static inline bool vp_make_unit(vp_vec3 *a, float nothing)
{
    const float length = vp_length(*a);
    const bool some = length > nothing;
    *a = vp_vec3_scale(*a, some ? 1.0f / length : 0.0f);
    return some;
}

/* Makes a perpendicular to f with length 1, accurately even if little of it is left. */
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

/* The position is subtracted before the corners are rotated. Edges are differences of the world's corners, because
 * those are smaller and rounded less than differences of rotated corners. */
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

/* The normal, from the two edges that are nearest to perpendicular, then made perpendicular to the longest edge.
 * @return false if the triangle has no area */
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

/* Reach of the triangle along u. */
static inline float vp_local_reach(const vp_local *t, vp_vec3 u)
{
    return vp_greatest(vp_vec3_dot(u, t->corner[0]), vp_vec3_dot(u, t->corner[1]), vp_vec3_dot(u, t->corner[2]));
}

/* Keeps the direction with the greater S. The first of equal ones stays. */
static inline void vp_axis_take(vp_axis *best, float s, vp_vec3 u)
{
    if (s > best->s)
        *best = (vp_axis){s, u};
}

#endif
