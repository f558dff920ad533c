/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_GEOMETRY_H
#define VOXPHYS_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

/** @file
 *  Vectors and boxes. Right-handed, X right, Y up, lengths in voxels. */

#ifdef __cplusplus
extern "C" {
#endif

/** Point or direction. */
typedef struct vp_vec3 {
    float x;
    float y;
    float z;
} vp_vec3;

/** Integer position. */
typedef struct vp_ivec3 {
    int32_t x;
    int32_t y;
    int32_t z;
} vp_ivec3;

/** Extents, in voxels or chunks. */
typedef struct vp_dims {
    uint32_t x;
    uint32_t y;
    uint32_t z;
} vp_dims;

/** Closed axis-aligned box. min == max is valid. */
typedef struct vp_aabb {
    vp_vec3 min;
    vp_vec3 max;
} vp_aabb;

/** Mass properties of a rigid body. */
typedef struct vp_mass {
    double mass; /**< If 0, all fields are 0. */
    double centre[3];
    double inertia[6]; /**< About `centre`, xx, yy, zz, xy, yz, zx (MAS-2). */
} vp_mass;

/** Returns a + b. */
static inline vp_vec3 vp_vec3_add(vp_vec3 a, vp_vec3 b)
{
    vp_vec3 r = {a.x + b.x, a.y + b.y, a.z + b.z};
    return r;
}

/** Returns a - b. */
static inline vp_vec3 vp_vec3_sub(vp_vec3 a, vp_vec3 b)
{
    vp_vec3 r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}

/** Returns a * s. */
static inline vp_vec3 vp_vec3_scale(vp_vec3 a, float s)
{
    vp_vec3 r = {a.x * s, a.y * s, a.z * s};
    return r;
}

/** Returns the dot product. */
static inline float vp_vec3_dot(vp_vec3 a, vp_vec3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/** Returns the cross product. */
static inline vp_vec3 vp_vec3_cross(vp_vec3 a, vp_vec3 b)
{
    vp_vec3 r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}

/** Returns the minimum, or b if the numbers are equal or one is NaN. */
static inline float vp_min(float a, float b)
{
    return a < b ? a : b;
}

/** Returns the maximum, or b if the numbers are equal or one is NaN. */
static inline float vp_max(float a, float b)
{
    return a > b ? a : b;
}

/** Mixes 64 bits (SplitMix64). */
static inline uint64_t vp_mix64(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/** Returns vp_min of each component. */
static inline vp_vec3 vp_vec3_min(vp_vec3 a, vp_vec3 b)
{
    vp_vec3 r = {vp_min(a.x, b.x), vp_min(a.y, b.y), vp_min(a.z, b.z)};
    return r;
}

/** Returns vp_max of each component. */
static inline vp_vec3 vp_vec3_max(vp_vec3 a, vp_vec3 b)
{
    vp_vec3 r = {vp_max(a.x, b.x), vp_max(a.y, b.y), vp_max(a.z, b.z)};
    return r;
}

/** Returns whether min <= max on every axis. Infinities are valid, NaN is not. */
static inline bool vp_aabb_valid(const vp_aabb *box)
{
    return box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z;
}

/** Returns whether two valid boxes share a point. */
static inline bool vp_aabb_overlaps(const vp_aabb *a, const vp_aabb *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y && a->min.z <= b->max.z &&
           b->min.z <= a->max.z;
}

/** Returns whether a valid box contains a point. */
static inline bool vp_aabb_contains(const vp_aabb *box, vp_vec3 p)
{
    return box->min.x <= p.x && p.x <= box->max.x && box->min.y <= p.y && p.y <= box->max.y && box->min.z <= p.z && p.z <= box->max.z;
}

/** Returns the smallest box that contains two valid boxes. */
static inline vp_aabb vp_aabb_union(const vp_aabb *a, const vp_aabb *b)
{
    vp_aabb r = {vp_vec3_min(a->min, b->min), vp_vec3_max(a->max, b->max)};
    return r;
}

#ifdef __cplusplus
}
#endif

#endif
