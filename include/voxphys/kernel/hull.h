/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_HULL_H
#define VOXPHYS_KERNEL_HULL_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>

/** @file kernel/hull.h
 *  Convex hulls of points: what kernels read and write. The checked functions are in hull.h.
 *
 *  **The hull of a set of points is a property of the set.** Which points are its vertices, and which of them share a face, is
 *  decided without rounding, by the signs of determinants of the coordinates as they are given. So every correct algorithm,
 *  in whatever order it takes the points, has the same answer, and two implementations can be compared by their answers alone.
 *
 *  **Kernels** make a hull in three steps. `hull_bounds` looks at all points once. `hull_filter` leaves out points that lie inside, if
 * there are many; which ones is each version's own affair, but no vertex of the hull is among them. `hull3` makes a closed surface of
 * triangles: their corners are points, no point is above any of their planes, and none has no area; which of the triangulations of faces
 * with more than three corners it is, and whether there are corners in the middle of a face or of an edge, is each version's own affair.
 *  vp_hull_create makes of it what is the same for all. `hull2` is the same in the plane, for sets that are flat. */

#ifdef __cplusplus
extern "C" {
#endif

/** The most points of a set. */
#define VP_HULL_MAX_POINTS (1u << 27)

/** No point, no face. */
#define VP_HULL_NONE UINT32_MAX

/** What one look at all points tells, of one at least. Of a set with a bad point, only `bad`. */
typedef struct vp_hull_bounds {
    vp_vec3 min;         /**< Of each coordinate, the lowest. */
    vp_vec3 max;         /**< The highest. */
    uint32_t lowest[3];  /**< On each axis, the first point that has it. */
    uint32_t highest[3]; /**< The same. */
    uint32_t bad;        /**< The first point with a coordinate that is not finite; VP_HULL_NONE. */
} vp_hull_bounds;

/** What points are left out from. */
typedef struct vp_hull_filtering {
    const vp_vec3 *point;         /**< Finite. */
    uint32_t count;               /**< 1 to VP_HULL_MAX_POINTS. */
    const vp_hull_bounds *bounds; /**< Of them. */
    double flat;       /**< Sets no thicker than this are flat; not negative. Of a set that is not some 64 times as thick nothing is
                            left out. */
    uint64_t max_work; /**< How often a point of the sample may be compared with a plane, to make its hull; 0: as often as it
                             takes. If that is not enough, nothing is left out. */
    void *scratch;     /**< 64-byte aligned, vp_hull_filter_scratch_bytes. */
    vp_vec3 *kept;     /**< Out: room for `count`: the points that are left, in order. */
    uint32_t *from;    /**< Out: the same room: which points of the set they are. */
} vp_hull_filtering;

/** Of fewer points none is left out. (vp_hull_create asks from 32,768 on.) */
#define VP_HULL_FILTER_MIN 256u

/** A triangle of a hull that is being made. */
typedef struct vp_hull_triangle {
    uint32_t vertex[3]; /**< Points, counterclockwise seen from outside. */
    uint32_t beside[3]; /**< The triangle beyond the edge from vertex[i] to vertex[(i + 1) % 3]. */
} vp_hull_triangle;

/** What a hull is made of, and with; and what becomes of it. */
typedef struct vp_hull3_job {
    const vp_vec3 *point;         /**< Finite. */
    uint32_t count;               /**< 1 to VP_HULL_MAX_POINTS. */
    const vp_hull_bounds *bounds; /**< Of them. */
    double flat;                  /**< Sets no thicker than this are flat; not negative. */
    uint64_t max_work;            /**< How often a point may be compared with a plane. */
    void *scratch;                /**< 64-byte aligned, vp_hull3_scratch_bytes. */
    vp_hull_triangle *triangle;   /**< Out: room for vp_hull3_most_triangles. */
} vp_hull3_job;

/** What making a hull took, beside comparisons of points with planes. Each version's own affair. */
typedef struct vp_hull_cost {
    uint64_t looked; /**< Points that passes read, each as often as it was: 12 bytes of coordinates. */
    uint64_t moved;  /**< Points that were given to another face. Where they are kept by faces, 16 bytes are read and written each. */
    uint64_t faces;  /**< Triangles that were made. */
} vp_hull_cost;

/** What hull3 says beside the triangles. */
typedef struct vp_hull3_result {
    /** 3, and `triangles` is how many there are. Fewer: the points are one point, or on a line, or in a plane, all but for
     *  `flat`, and there are no triangles. */
    uint32_t dimension;
    uint32_t triangles; /**< How many. */
    uint32_t corner[3]; /**< What the dimension is told by: of a point 1, of a line its ends, of a plane three points. */
    double thickness;   /**< Of 2 and 3: how far apart two planes are that have all points between them and are parallel to that through
                             the three. */
    uint64_t work;      /**< How often a point was compared with a plane. If it is more than `max_work`, no triangles were made; the
                             others of these are told all the same. */
    vp_hull_cost cost;  /**< Beside that. */
} vp_hull3_result;

/** What a hull in the plane is made of: two coordinates of each point. */
typedef struct vp_hull2_job {
    const vp_vec3 *point; /**< Finite. */
    uint32_t count;       /**< 1 to VP_HULL_MAX_POINTS. */
    uint32_t axis[2];     /**< The coordinate that is x in the plane, and the one that is y: 0 to 2, not the same. */
    uint64_t max_work;    /**< How often a point may be compared with a line. */
    void *scratch;        /**< 64-byte aligned, vp_hull2_scratch_bytes. */
    uint32_t *corner;     /**< Out: points, room for `count`: the corners of the hull, counterclockwise, from the first of the set
                               on; of points in one place the first. No corner is on the line through its neighbours. */
} vp_hull2_job;

/** What hull2 says beside the corners. */
typedef struct vp_hull2_result {
    uint32_t corners; /**< How many: 1 if all points are in one place, 2 if they are on a line. */
    uint64_t work;    /**< How often a point was compared with a line. If it is more than `max_work`, nothing was made. */
} vp_hull2_result;

/** Room for triangles that hull3 needs. */
static inline size_t vp_hull3_most_triangles(uint32_t count)
{
    return 2 * VP_CAST(size_t, count) + 4;
}

/** Bytes of scratch that any version of hull3 needs. Much of it is never touched unless most points are vertices. */
static inline size_t vp_hull3_scratch_bytes(uint32_t count)
{
    /* 112 a face; a point: twice 12 of coordinates and 4 of its number, 60 of planes and rings, 20 of links, labels and lists */
    return vp_hull3_most_triangles(count) * 112 + VP_CAST(size_t, count) * 112 + 12288;
}

/** Of how many points hull_filter makes a hull first: some 1.6 to 3.2 times the power 2/3 of all. What is left of points in a ball falls
 * with the root of this number. */
static inline uint32_t vp_hull_filter_sample(uint32_t count)
{
    uint64_t sample = 128;
    while (sample * sample * sample < VP_CAST(uint64_t, count) * count * 4)
        sample *= 2;
    return VP_CAST(uint32_t, sample < count ? sample : count);
}

/** Bytes of scratch that any version of hull_filter needs. */
static inline size_t vp_hull_filter_scratch_bytes(uint32_t count)
{
    const uint32_t sample = vp_hull_filter_sample(count);
    return VP_CAST(size_t, sample) * 12 + vp_hull3_most_triangles(sample) * 40 + vp_hull3_scratch_bytes(sample) + 36864; /* of cells */
}

/** Bytes of scratch that any version of hull2 needs. */
static inline size_t vp_hull2_scratch_bytes(uint32_t count)
{
    return (VP_CAST(size_t, count) + 2) * 116 +
           8192; /* 72 an edge; a point: twice 8 of coordinates and 4 of its number, 16 of labels and lists */
}

static_assert(sizeof(vp_hull_triangle) == 24 && sizeof(vp_hull_bounds) == 52, "as documented");

/* ---- kernels ---- */

/** What one look at points tells: see kernel/hull.h. `out` is written as vp_hull_bounds says. O(n).
 *  @param count  1 to VP_HULL_MAX_POINTS */
typedef void vp_hull_bounds_fn(const vp_vec3 *point, uint32_t count, vp_hull_bounds *out);

/** Points without some that lie inside of their hull: see kernel/hull.h. O(n + m log m) for a sample of m points.
 *  @return how many are left; 0: all, and nothing was written */
typedef uint32_t vp_hull_filter_fn(const vp_hull_filtering *filtering);

/** How many dimensions points have, and a closed surface of triangles around them: see kernel/hull.h. O(n log h) as a rule, with h of n
 *  points that are vertices; O(n^2) for points that are laid out against it, which `max_work` guards against. */
typedef vp_hull3_result vp_hull3_fn(const vp_hull3_job *build);

/** The same in the plane: the corners of a polygon. */
typedef vp_hull2_result vp_hull2_fn(const vp_hull2_job *build);

/* clang-format off */
/** Its kernels: see versions.h for what a row says. */
#define VP_HULL_KERNELS(K)                                                                        \
    K(hull_bounds, hull, ALL, "Convex hulls", "sets",                                             \
      "Finds the box around points, and which points lie furthest along each axis, in one pass.") \
    K(hull_filter, hull, ALL, "Convex hulls", "sets",                                             \
      "Leaves out points that lie inside the hull of a sample.")                                  \
    K(hull3, hull, ALL, "Convex hulls", "hulls",                                                  \
      "Makes the convex hull of points: a closed surface of triangles.")                          \
    K(hull2, hull, ALL, "Convex hulls", "polygons",                                               \
      "Finds the corners of the convex polygon around points in a plane.")
/** Its whole operations. */
#define VP_HULL_OPERATIONS(O) \
    O(hull_insert, "Convex hulls", "points", "Adds points to a hull one at a time, and makes the hull of all.")
/* clang-format on */

VP_HULL_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
