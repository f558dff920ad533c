/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_HULL_H
#define VOXPHYS_HULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/hull.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

/** @file
 *  Convex hulls of points by quickhull, simplified, enclosing and growing hulls, and validation.
 *
 *      vp_hull_def def = {.point = points, .count = count};
 *      vp_hull_create(&def, &hull, &error);
 *      printf("volume %g\n", hull.volume);
 *      vp_hull_destroy(&hull);
 *
 *  Lengths are in the points' unit. Details: docs/kernels/hull3.md, docs/CONTRACT.md, HUL. */

#ifdef __cplusplus
extern "C" {
#endif

/** Convex hull. Owns its arrays until vp_hull_destroy. Empty ones can be NULL. */
typedef struct vp_hull {
    uint32_t dimension; /**< 3, 2 = polygon (two faces back to back), 1 = segment, 0 = point. */
    float tolerance;

    uint32_t vertex_count;
    uint32_t triangle_count; /**< 2 * vertex_count - 4 in dimensions 2 and 3, else 0. */
    uint32_t face_count;     /**< 0 below dimension 2. */
    uint32_t corner_count;

    const uint32_t *vertex;         /**< Indices into `point`, ascending. [vertex_count] */
    const uint32_t (*triangle)[3];  /**< Indices into `vertex`, counterclockwise from outside. [triangle_count] */
    const uint32_t (*neighbour)[3]; /**< Neighbour across the edge from corner k to k + 1. [triangle_count] */
    const uint32_t *face_of;        /**< [triangle_count] */

    const uint32_t *first_corner; /**< First corner of each face, and the end. [face_count + 1] */
    const uint32_t *corner;       /**< Indices into `vertex`, only those on three or more faces, counterclockwise. [corner_count] */
    const uint32_t *across;       /**< Neighbouring face from this corner to the next. [corner_count] */
    const double (*plane)[4];     /**< Outward unit normal n and offset. A point p is above if n.p > offset. [face_count] */

    double volume; /**< 0 below dimension 3. */
    double area;   /**< In dimension 2 of both sides. */
    double centroid[3];
    vp_mass mass;  /**< At density 1, about the centroid. 0 below dimension 3. */
    double error;  /**< Upper bound of the distance from a point to the hull, without moved planes (HUL-10). */
    double moved;  /**< Largest distance by which `contain` moved a plane. */
    uint64_t work; /**< Point-plane and point-line tests, depends on kernels. */

    vp_hull_cost cost;

    vp_allocator allocator;
    void *block; /**< Holds all arrays. */
    size_t block_bytes;
} vp_hull;

/** Hull settings. */
typedef struct vp_hull_def {
    const vp_vec3 *point;  /**< Read during the call. [count] */
    uint32_t count;        /**< 1 to VP_HULL_MAX_POINTS. */
    float tolerance;       /**< Decides dimension and joins faces. At least 2^-40 of the points' longest side. 0 = vp_hull_tolerance. */
    bool separate;         /**< Keeps nearly coplanar faces apart. */
    uint64_t max_work;     /**< Maximum vp_hull.work. 0 = unlimited. See docs/kernels/hull3.md, "Work limit". */
    uint32_t max_vertices; /**< At least 4. 0 = unlimited. */
    float max_error;       /**< Adds vertices until no point is farther from the hull. 0 = unused. */
    bool contain;          /**< Moves planes outwards until no point is above. */
    const vp_kernels *kernels;
    const vp_allocator *allocator;
} vp_hull_def;

/** Returns the default tolerance, 2^-22 of the longest side or of the largest absolute coordinate. 0 if a point is bad. */
VP_API float vp_hull_tolerance(const vp_hull_bounds *bounds);

/** Creates a hull. Usual cost for n points and h vertices: O(n log h), at worst O(n^2).
 *  @return VP_E_LIMIT after `max_work` tests */
VP_API vp_status vp_hull_create(const vp_hull_def *def, vp_hull *out, vp_error *error);
/** Destroys a hull. */
VP_API void vp_hull_destroy(vp_hull *hull);

/** Returns the temporary memory of vp_hull_create, bytes. Limits or `contain` take up to twice as much. */
VP_API size_t vp_hull_scratch_bytes(uint32_t count);

/** Polytope around all points of a set. */
typedef struct vp_hull_enclosure {
    vp_vec3 *point; /**< [hull.vertex_count] */
    vp_hull hull;   /**< Hull of `point` with `contain`, dimension 3. hull.vertex[i] is i. */
} vp_hull_enclosure;

/** Creates a polytope that contains all points (HUL-11), usually of up to 2 * face_count + 8 vertices. A flat set gets a thin solid.
 *  @return errors of vp_hull_create, and VP_E_ARGUMENT if `hull` was made without `contain` or from other points */
VP_API vp_status vp_hull_enclose(const vp_hull_def *def, const vp_hull *hull, vp_hull_enclosure *out, vp_error *error);
/** Destroys a polytope. */
VP_API void vp_hull_enclosure_destroy(vp_hull_enclosure *enclosure);

/** Growing hull, equal to vp_hull_create of all points in order (HUL-12). For one thread at a time. */
typedef struct vp_hull_builder vp_hull_builder;

/** Work since creation or restart. */
typedef struct vp_hull_builder_cost {
    uint32_t points;
    uint32_t vertices;   /**< In use. */
    uint32_t triangles;  /**< 0 while all points lie in one plane. */
    uint64_t walked;     /**< Triangles walked to reach new points. */
    uint64_t removed;    /**< Triangles removed. */
    uint64_t neighbours; /**< Neighbours of removed triangles. */
    uint64_t created;    /**< New triangles. */
    uint64_t work;       /**< Point-plane tests. */
} vp_hull_builder_cost;

/** Creates a builder with the def's points, or none. `max_work` limits vp_hull_builder_build.
 *  @return errors of vp_hull_create */
VP_API vp_status vp_hull_builder_create(const vp_hull_def *def, vp_hull_builder **out, vp_error *error);
/** Destroys a builder. */
VP_API void vp_hull_builder_destroy(vp_hull_builder *builder);

/** Restarts a builder with the vertices and triangles of a hull, or none, and keeps its memory.
 *  @param point  points of the hull, read during the call [count]
 *  @return VP_E_ARGUMENT if a vertex is no finite point of the set, or neighbours share no edge or form a valley */
VP_API vp_status vp_hull_builder_begin(vp_hull_builder *builder, const vp_hull *hull, const vp_vec3 *point, uint32_t count,
                                       vp_error *error);

/** Adds points.
 *  @param point  read during the call [count]
 *  @return VP_E_ARGUMENT if a coordinate is not finite or the total exceeds VP_HULL_MAX_POINTS */
VP_API vp_status vp_hull_builder_add(vp_hull_builder *builder, const vp_vec3 *point, uint32_t count, vp_error *error);

/** Creates the hull of all points so far.
 *  @return VP_E_ARGUMENT without points
 *          VP_E_LIMIT after `max_work` tests */
VP_API vp_status vp_hull_builder_build(const vp_hull_builder *builder, vp_hull *out, vp_error *error);

/** Returns the work so far. */
VP_API vp_hull_builder_cost vp_hull_builder_cost_of(const vp_hull_builder *builder);
/** Returns the points, valid until the next add or restart. */
VP_API const vp_vec3 *vp_hull_builder_points(const vp_hull_builder *builder);

/** Faults of a hull. */
typedef enum vp_hull_fault {
    VP_HULL_INDEX = 1,   /**< Invalid index of a corner. Nothing else is tested. */
    VP_HULL_OPEN = 2,    /**< Half-edges without a single opposite. */
    VP_HULL_EULER = 4,   /**< Vertices - edges + triangles is not 2. */
    VP_HULL_CONCAVE = 8, /**< Valley deeper than allowed. */
    VP_HULL_OUTSIDE = 16 /**< Point outside by more than allowed. */
} vp_hull_fault;

/** Hull of any library. For a vp_hull pass vertex[triangle[i][k]]. */
typedef struct vp_hull_validate_def {
    const vp_vec3 *point;          /**< Finite. [count] */
    uint32_t count;                /**< 1 to VP_HULL_MAX_POINTS. */
    const uint32_t (*triangle)[3]; /**< Points, counterclockwise from outside. [triangle_count] */
    uint32_t triangle_count;       /**< At most 2^29. */
    /** Allowed distance outside and depth of valleys. For a vp_hull `error` and 2^-44 of the largest absolute coordinate. */
    double allowed;
    double sliver; /**< Triangles up to this height / longest side are not tested. */
    const vp_allocator *allocator;
} vp_hull_validate_def;

/** Result of a validation. */
typedef struct vp_hull_report {
    uint32_t faults;   /**< vp_hull_fault bits. 0 and no slivers = a hull. */
    uint32_t vertices; /**< In use. */
    uint32_t open_edges;
    int64_t euler;
    uint32_t slivers;       /**< Triangles not tested. */
    double outside;         /**< Largest distance of a point outside a plane. <= 0 = none. */
    uint32_t outside_point; /**< VP_HULL_NONE if no plane was tested. */
    uint32_t outside_triangle;
    double concave;            /**< Deepest valley. */
    uint32_t concave_triangle; /**< Triangle there, below the far corner. */
} vp_hull_report;

/** Validates that triangles are the convex hull of points. Distances are right to 2^-45 of the largest absolute coordinate. Usual cost
 *  for n points and t triangles: O(n log n + t log t + t sqrt(n)). */
VP_API vp_status vp_hull_validate(const vp_hull_validate_def *subject, vp_hull_report *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
