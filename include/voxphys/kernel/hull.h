/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_HULL_H
#define VOXPHYS_KERNEL_HULL_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>

/** @file
 *  Kernels of convex hulls. Details: docs/kernels/hull3.md, hull2.md, hull-filter.md, hull-bounds.md, docs/CONTRACT.md, HUL.
 *
 *  vp_hull_create calls hull_bounds, hull_filter from 32,768 points on, and hull3 above 32 points, or hull2 for flat sets. */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum points. */
#define VP_HULL_MAX_POINTS (1u << 27)

/** No point or face. */
#define VP_HULL_NONE UINT32_MAX

/** Bounds of points, unspecified if `bad` is one. */
typedef struct vp_hull_bounds {
    vp_vec3 min;
    vp_vec3 max;
    uint32_t lowest[3]; /**< First at the minimum. */
    uint32_t highest[3];
    uint32_t bad; /**< First that is not finite, or VP_HULL_NONE. */
} vp_hull_bounds;

/** Job of hull_filter, for 1 to VP_HULL_MAX_POINTS finite points. */
typedef struct vp_hull_filtering {
    const vp_vec3 *point;
    uint32_t count;
    const vp_hull_bounds *bounds;
    double flat;       /**< Maximum thickness of flat sets, >= 0. Sets below about 64 times that are not filtered. */
    uint64_t max_work; /**< Maximum point-plane tests for the sample. 0 = unlimited. Beyond it no point is left out. */
    void *scratch;     /**< 64-byte aligned. [vp_hull_filter_scratch_bytes(count)] */
    vp_vec3 *kept;     /**< [count] */
    uint32_t *from;    /**< Kept indices. [count] */
} vp_hull_filtering;

/** Minimum points to filter. */
#define VP_HULL_FILTER_MIN 256u

/** Triangle of hull3. */
typedef struct vp_hull_triangle {
    uint32_t vertex[3];    /**< Points, counterclockwise from outside. */
    uint32_t neighbour[3]; /**< Neighbour from vertex i to (i + 1) % 3. */
} vp_hull_triangle;

/** Job of hull3, for finite points. */
typedef struct vp_hull3_job {
    const vp_vec3 *point;
    uint32_t count;
    const vp_hull_bounds *bounds;
    double flat;                /**< As for hull_filter. */
    uint64_t max_work;          /**< Maximum point-plane tests. */
    void *scratch;              /**< 64-byte aligned. [vp_hull3_scratch_bytes(count)] */
    vp_hull_triangle *triangle; /**< [vp_hull3_max_triangles(count)] */
} vp_hull3_job;

/** Costs, different by version. */
typedef struct vp_hull_cost {
    uint64_t looked; /**< Points read, 12 bytes each. */
    uint64_t moved;  /**< Points moved to another face, 16 bytes each. */
    uint64_t faces;
} vp_hull_cost;

/** Result of hull3. */
typedef struct vp_hull3_result {
    /** 3, or 0, 1 or 2 if the points are a point, a line or a plane within `flat`. Then `triangles` is 0. */
    uint32_t dimension;
    uint32_t triangles;
    uint32_t corner[3]; /**< Points that span it, one, two or three. */
    double thickness;   /**< Along the normal of the three points. */
    uint64_t work;      /**< Point-plane tests. Above `max_work` only triangles are missing. */
    vp_hull_cost cost;
} vp_hull3_result;

/** Job of hull2, for finite points. */
typedef struct vp_hull2_job {
    const vp_vec3 *point;
    uint32_t count;
    uint32_t axis[2];  /**< Different axes, read as x and y. */
    uint64_t max_work; /**< Maximum point-line tests. */
    void *scratch;     /**< 64-byte aligned. [vp_hull2_scratch_bytes(count)] */
    uint32_t *corner;  /**< In order (HUL-7). [count] */
} vp_hull2_job;

/** Result of hull2. */
typedef struct vp_hull2_result {
    uint32_t corners; /**< 1 = point, 2 = segment. */
    uint64_t work;    /**< Point-line tests. Above `max_work` corners are missing. */
} vp_hull2_result;

/** Returns the capacity for hull3. */
static inline size_t vp_hull3_max_triangles(uint32_t count)
{
    return 2 * VP_CAST(size_t, count) + 4;
}

/** Returns the scratch size of hull3, bytes. */
static inline size_t vp_hull3_scratch_bytes(uint32_t count)
{
    /* face 112. Point: coordinates and number 2 * (12 + 4), planes and rings 60, links, labels and lists 20 */
    return vp_hull3_max_triangles(count) * 112 + VP_CAST(size_t, count) * 112 + 12288;
}

/** Returns hull_filter's sample size, about 1.6 to 3.2 times count^(2/3). */
static inline uint32_t vp_hull_filter_sample(uint32_t count)
{
    uint64_t sample = 128;
    while (sample * sample * sample < VP_CAST(uint64_t, count) * count * 4)
        sample *= 2;
    return VP_CAST(uint32_t, sample < count ? sample : count);
}

/** Returns the scratch size of hull_filter, bytes. */
static inline size_t vp_hull_filter_scratch_bytes(uint32_t count)
{
    const uint32_t sample = vp_hull_filter_sample(count);
    return VP_CAST(size_t, sample) * 12 + vp_hull3_max_triangles(sample) * 40 + vp_hull3_scratch_bytes(sample) + 36864; /* cells 36864 */
}

/** Returns the scratch size of hull2, bytes. */
static inline size_t vp_hull2_scratch_bytes(uint32_t count)
{
    return (VP_CAST(size_t, count) + 2) * 116 + 8192; /* edge 72. Point: coordinates and number 2 * (8 + 4), labels and lists 16 */
}

static_assert(sizeof(vp_hull_triangle) == 24 && sizeof(vp_hull_bounds) == 52, "size");

/** Computes the bounds of 1 to VP_HULL_MAX_POINTS points. */
typedef void vp_hull_bounds_fn(const vp_vec3 *point, uint32_t count, vp_hull_bounds *out);

/** Leaves out points inside the hull of a sample of m points. Keeps every vertex (HUL-5). Cost: O(points + m log m).
 *  @return number of kept points. 0 = all, and nothing is written */
typedef uint32_t vp_hull_filter_fn(const vp_hull_filtering *filtering);

/** Computes the dimension of points and a closed surface of triangles around them (HUL-6). Cost: usually O(n log h) for n points with h
 *  vertices, at most O(n^2). */
typedef vp_hull3_result vp_hull3_fn(const vp_hull3_job *build);

/** Computes the convex polygon around points in a plane. */
typedef vp_hull2_result vp_hull2_fn(const vp_hull2_job *build);

/* clang-format off */
/** Kernels. */
#define VP_HULL_KERNELS(K)                                                                        \
    K(hull_bounds, hull, ALL, "Convex hulls", "sets",                                             \
      "Finds the box around points, and which points lie furthest along each axis, in one pass.") \
    K(hull_filter, hull, ALL, "Convex hulls", "sets",                                             \
      "Leaves out points that lie inside the hull of a sample.")                                  \
    K(hull3, hull, ALL, "Convex hulls", "hulls",                                                  \
      "Computes the convex hull of points, a closed surface of triangles.")                       \
    K(hull2, hull, ALL, "Convex hulls", "polygons",                                               \
      "Finds the corners of the convex polygon around points in a plane.")
/** Operations. */
#define VP_HULL_OPERATIONS(O) \
    O(hull_insert, "Convex hulls", "points", "Adds points to a hull one at a time, and builds the hull of all.")
/* clang-format on */

VP_HULL_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
