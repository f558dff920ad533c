/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_GEOMETRY_H
#define VOXPHYS_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

/** @file geometry.h
 *  Vectors and boxes. Right-handed, Y up, lengths in voxels, binary32. Every operation is one IEEE operation a
 *  component, in the order written, so results are the same on every machine. */

#ifdef __cplusplus
extern "C" {
#endif

/** A point or a direction. */
typedef struct vp_vec3 {
    float x; /**< To the right. */
    float y; /**< Up. */
    float z; /**< Towards the viewer. */
} vp_vec3;

/** A voxel or a chunk, by its coordinates; negative ones lie outside every world. */
typedef struct vp_ivec3 {
    int32_t x; /**< Column. */
    int32_t y; /**< Layer. */
    int32_t z; /**< Row. */
} vp_ivec3;

/** Extents, in voxels or in chunks. */
typedef struct vp_dims {
    uint32_t x; /**< Width. */
    uint32_t y; /**< Height. */
    uint32_t z; /**< Depth. */
} vp_dims;

/** A closed axis-aligned box: it holds its faces. min == max is a box of one point, and valid. */
typedef struct vp_aabb {
    vp_vec3 min; /**< The lower corner. */
    vp_vec3 max; /**< The upper corner. */
} vp_aabb;

/** Mass, centre of mass and inertia of a rigid body. */
typedef struct vp_mass {
    double mass;       /**< Density times volume. 0 = a body without volume; then all other fields are 0. */
    double centre[3];  /**< Centre of mass. */
    double inertia[6]; /**< Inertia tensor about `centre`: xx, yy, zz, xy, yz, zx. The diagonal has moments such as the integral of
                            y*y + z*z, the others are minus the integrals of the products, so these six numbers are the tensor's entries. */
} vp_mass;

/** a + b. */
static inline vp_vec3 vp_vec3_add(vp_vec3 a, vp_vec3 b)
{
    vp_vec3 r = {a.x + b.x, a.y + b.y, a.z + b.z};
    return r;
}

/** a - b. */
static inline vp_vec3 vp_vec3_sub(vp_vec3 a, vp_vec3 b)
{
    vp_vec3 r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}

/** a times s. */
static inline vp_vec3 vp_vec3_scale(vp_vec3 a, float s)
{
    vp_vec3 r = {a.x * s, a.y * s, a.z * s};
    return r;
}

/** (a.x b.x + a.y b.y) + a.z b.z, in that order. */
static inline float vp_vec3_dot(vp_vec3 a, vp_vec3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/** a x b, each component the difference of two rounded products. */
static inline vp_vec3 vp_vec3_cross(vp_vec3 a, vp_vec3 b)
{
    vp_vec3 r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}

/** The smaller of two numbers; b where they are equal or where one of them is NaN. */
static inline float vp_min(float a, float b)
{
    return a < b ? a : b;
}

/** The larger of two numbers; b where they are equal or where one of them is NaN. */
static inline float vp_max(float a, float b)
{
    return a > b ? a : b;
}

/** vp_min of each component. */
static inline vp_vec3 vp_vec3_min(vp_vec3 a, vp_vec3 b)
{
    vp_vec3 r = {vp_min(a.x, b.x), vp_min(a.y, b.y), vp_min(a.z, b.z)};
    return r;
}

/** vp_max of each component. */
static inline vp_vec3 vp_vec3_max(vp_vec3 a, vp_vec3 b)
{
    vp_vec3 r = {vp_max(a.x, b.x), vp_max(a.y, b.y), vp_max(a.z, b.z)};
    return r;
}

/** Whether min <= max on every axis. A NaN anywhere makes a box invalid; infinities do not. */
static inline bool vp_aabb_valid(const vp_aabb *box)
{
    return box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z;
}

/** Whether two valid boxes have a point in common. */
static inline bool vp_aabb_overlaps(const vp_aabb *a, const vp_aabb *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y && a->min.z <= b->max.z &&
           b->min.z <= a->max.z;
}

/** Whether a valid box holds a point. */
static inline bool vp_aabb_contains(const vp_aabb *box, vp_vec3 p)
{
    return box->min.x <= p.x && p.x <= box->max.x && box->min.y <= p.y && p.y <= box->max.y && box->min.z <= p.z && p.z <= box->max.z;
}

/** The smallest box that holds two valid boxes. */
static inline vp_aabb vp_aabb_union(const vp_aabb *a, const vp_aabb *b)
{
    vp_aabb r = {vp_vec3_min(a->min, b->min), vp_vec3_max(a->max, b->max)};
    return r;
}

#ifdef __cplusplus
}
#endif

#endif
