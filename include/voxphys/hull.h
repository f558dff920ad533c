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

/** @file hull.h
 *  Convex hulls of points (convex decomposition article, "Quickhull"), simplified hulls, enclosing hulls, hulls that grow, validation.
 *
 *      vp_hull_def def = {.point = points, .count = count};
 *      vp_hull hull;
 *      vp_error error;
 *      if (vp_hull_create(&def, &hull, &error) == VP_OK) {
 *          printf("%u vertices, volume %g\n", (unsigned)hull.vertex_count, hull.volume);
 *          vp_hull_destroy(&hull);
 *      }
 *
 *  Hulls are exact: vertices and faces are decided without rounding. A hull depends on the array of points and the def alone, not on
 *  kernels. A tolerance decides dimension and joins nearly coplanar faces. `max_vertices` and `max_error` choose a simpler hull inside the
 *  whole one, `contain` moves planes outwards until all points are inside. Details: docs/kernels/hull3.md and docs/CONTRACT.md, HUL.
 *
 *  Threads can create hulls at the same time, also of the same points. */

#ifdef __cplusplus
extern "C" {
#endif

/** Convex hull. Owns its arrays until vp_hull_destroy. A copy of the struct shares them. Empty arrays can be NULL. */
typedef struct vp_hull {
    uint32_t dimension; /**< 3, 2 = polygon of two faces back to back, 1 = segment of two vertices, 0 = point. */
    float tolerance;    /**< Tolerance used, in the points' unit: of the def or vp_hull_tolerance, at least the minimum. */

    uint32_t vertex_count;   /**< Number of vertices. */
    uint32_t triangle_count; /**< 2 * vertex_count - 4 in dimensions 2 and 3, otherwise 0. */
    uint32_t face_count;     /**< At least 4 in dimension 3, 2 in dimension 2, otherwise 0. */
    uint32_t corner_count;   /**< Number of corners of all polygons in total. */

    const uint32_t *vertex;        /**< Index of each vertex in the points, ascending. The first of equal points. [vertex_count] */
    const uint32_t (*triangle)[3]; /**< Vertices of each triangle, counterclockwise from outside. Not sorted by face. [triangle_count] */
    const uint32_t (*beside)[3];   /**< Neighbour across the edge from triangle[i][k] to triangle[i][(k + 1) % 3]. [triangle_count] */
    const uint32_t *face_of;       /**< Face of each triangle. [triangle_count] */

    const uint32_t *first_corner; /**< First index of each face's polygon in `corner`, and the end. [face_count + 1] */
    const uint32_t *corner;   /**< Vertices of the polygons, counterclockwise from outside, beginning with the lowest. The second face of
                                   dimension 2 begins elsewhere. Vertices of fewer than three faces are corners of none.
                                   [corner_count] */
    const uint32_t *across;   /**< Neighbouring face across the edge from this corner to the next. [corner_count] */
    const double (*plane)[4]; /**< Plane of each face: outward unit normal n and offset. Points p with n.p > offset are above. With
                                   `contain` no point of the set is above. 2 in dimension 2, none below. [face_count] */

    double volume;      /**< Volume inside the triangles, also with `contain`. 0 below dimension 3. */
    double area;        /**< Area of all triangles. In dimension 2 of both sides in total. */
    double centroid[3]; /**< Centroid of the volume, the polygon, the segment or the point. */
    vp_mass mass;       /**< Mass at density 1. Its centre is the centroid. All 0 below dimension 3. */
    double error;  /**< Largest distance from an input point to the hull. Same unit as the points. Never too small. 0 if no vertex was left
                        out. Ignores moved planes. */
    double moved;  /**< Largest distance by which `contain` moved a plane. Otherwise 0. */
    uint64_t work; /**< Number of point-plane and point-line tests. Depends on the kernels. */

    vp_hull_cost cost; /**< Tests by hull3. */

    vp_allocator allocator; /**< Allocator of the arrays. */
    void *block;            /**< Memory of all arrays. */
    size_t block_bytes;     /**< Its size. */
} vp_hull;

/** Settings for vp_hull_create. Zero-initialize all fields except `point` and `count` for the whole hull with the default tolerance. */
typedef struct vp_hull_def {
    const vp_vec3 *point;      /**< Points, read during the call. [count] */
    uint32_t count;            /**< 1 to VP_HULL_MAX_POINTS. */
    float tolerance;           /**< In the points' unit, at least 2^-40 of the longest side of their box. 0 = vp_hull_tolerance. */
    bool separate;             /**< Keeps the faces of the exact hull. Nearly coplanar faces are not joined. */
    uint64_t max_work;         /**< Work limit: maximum number of point-plane and point-line tests. 0 = unlimited. From 32,768 points on,
                                     the hull of a sample can take as much again. Whether a call reaches the limit depends on the
                                     kernels; a hull that is returned does not. */
    uint32_t max_vertices;     /**< Maximum number of vertices, at least 4. 0 = unlimited. */
    float max_error;           /**< Vertices are added until no point is farther than this from the hull. 0 = unused. With max_vertices,
                                    the first limit reached ends the choice. */
    bool contain;              /**< Moves the planes outwards until no point of the set is above any of them. */
    const vp_kernels *kernels; /**< NULL = vp_kernels_default(). */
    const vp_allocator *allocator; /**< NULL = malloc and free. */
} vp_hull_def;

/** Returns the default tolerance: 2^-22 of the longest side of the points' box or of the largest absolute coordinate, whichever is larger.
 *  Returns 0 for bounds in which `bad` names a point. Cost: O(1). */
VP_API float vp_hull_tolerance(const vp_hull_bounds *bounds);

/** Creates a hull. Cost for n points and h vertices: usually O(n log h), at worst O(n^2). Limits and `contain` add O(h log h).
 *  Needs vp_hull_scratch_bytes of temporary memory.
 *  @param out  destroyed by vp_hull_destroy. Unchanged after an error
 *  @return VP_E_ARGUMENT if the count, a coordinate (the message names the first point), the tolerance, max_error or max_vertices is
 *          invalid, VP_E_LIMIT after `max_work` tests, VP_E_MEMORY, and the errors of vp_kernels_default */
VP_API vp_status vp_hull_create(const vp_hull_def *def, vp_hull *out, vp_error *error);
/** Destroys a hull. A hull that is all zero is a no-op. */
VP_API void vp_hull_destroy(vp_hull *hull);

/** Returns the temporary memory of vp_hull_create, in bytes. Limits or `contain` take at most twice as much. Cost: O(1). */
VP_API size_t vp_hull_scratch_bytes(uint32_t count);

/** Polytope around all points of a set. */
typedef struct vp_hull_enclosure {
    vp_vec3 *point; /**< Vertices in no particular order. [hull.vertex_count] */
    vp_hull hull;   /**< Hull of the vertices, of dimension 3, made with `contain`. hull.vertex[i] is i. */
} vp_hull_enclosure;

/** Creates the polytope inside the moved planes of a hull: a shape of few vertices that holds all points, exactly, in binary32.
 *  A flat set gets a thin solid. Sharp edges are cut near the points' box, so that no spike remains. Usually 3 planes meet at a vertex,
 *  so there are at most 2 * face_count + 8 vertices. Details: docs/kernels/hull3.md and docs/CONTRACT.md, HUL-11. Cost: as vp_hull_create.
 *  @param def   def of the hull. Reads point, count, separate, max_work, kernels and allocator
 *  @param hull  hull made with `contain`
 *  @param out   destroyed by vp_hull_enclosure_destroy. Unchanged after an error
 *  @return errors of vp_hull_create, and VP_E_ARGUMENT if the hull was made without `contain` or from other points */
VP_API vp_status vp_hull_enclose(const vp_hull_def *def, const vp_hull *hull, vp_hull_enclosure *out, vp_error *error);
/** Destroys a polytope. One that is all zero is a no-op. */
VP_API void vp_hull_enclosure_destroy(vp_hull_enclosure *enclosure);

/** Hull that grows by points. Its result equals vp_hull_create of all points in order, whether they came singly, at once or as a hull's
 *  vertices. One thread at a time can use a builder. */
typedef struct vp_hull_builder vp_hull_builder;

/** Work of a builder since it was created or begun. */
typedef struct vp_hull_builder_cost {
    uint32_t points;    /**< Number of points. */
    uint32_t vertices;  /**< Number of points that triangles use. Can exceed the hull's vertices. */
    uint32_t triangles; /**< Number of triangles. 0 while all points lie in one plane. */
    uint64_t walked;    /**< Triangles visited to find the first one that a new point sees. */
    uint64_t seen;      /**< Triangles removed because a new point saw them. */
    uint64_t beside;    /**< Their neighbours that a new point did not see. */
    uint64_t made;      /**< New triangles. */
    uint64_t work;      /**< Number of point-plane tests. */
} vp_hull_builder_cost;

/** Creates a builder with the def's points. Cost: as vp_hull_builder_add.
 *  @param def  `count` can be 0. `max_work` limits vp_hull_builder_build
 *  @param out  destroyed by vp_hull_builder_destroy. Unchanged after an error
 *  @return errors of vp_hull_create */
VP_API vp_status vp_hull_builder_create(const vp_hull_def *def, vp_hull_builder **out, vp_error *error);
/** Destroys a builder. NULL is a no-op. */
VP_API void vp_hull_builder_destroy(vp_hull_builder *builder);

/** Restarts a builder with the vertices of a hull as points 0, 1, ..., and with its triangles. Keeps the memory. Cost: O(vertices).
 *  @param hull   of any dimension. NULL = no points
 *  @param point  points of the hull, read during the call [count]
 *  @return VP_E_ARGUMENT if a vertex is no finite point of the set, or neighbours share no edge or form a valley. VP_E_MEMORY. The builder
 *          is then unchanged */
VP_API vp_status vp_hull_builder_begin(vp_hull_builder *builder, const vp_hull *hull, const vp_vec3 *point, uint32_t count,
                                       vp_error *error);

/** Adds points. Cost for a point: the triangles that it sees and their neighbours, and a walk of usually O(sqrt(triangles)).
 *  @param point  read during the call [count]
 *  @return VP_E_ARGUMENT if a coordinate is not finite (the message names the point) or the total exceeds VP_HULL_MAX_POINTS. VP_E_MEMORY.
 *          Then no point is added */
VP_API vp_status vp_hull_builder_add(vp_hull_builder *builder, const vp_vec3 *point, uint32_t count, vp_error *error);

/** Creates the hull of all points so far. The builder can grow on. Cost for n points and h vertices: usually O(n + h log h).
 *  @param out  destroyed by vp_hull_destroy. Unchanged after an error
 *  @return VP_E_ARGUMENT without points, VP_E_LIMIT after `max_work` tests, VP_E_MEMORY */
VP_API vp_status vp_hull_builder_build(const vp_hull_builder *builder, vp_hull *out, vp_error *error);

/** Returns the work so far. Cost: O(1). */
VP_API vp_hull_builder_cost vp_hull_builder_cost_of(const vp_hull_builder *builder);
/** Returns the points in order. Valid until points are added or the builder restarts. Cost: O(1). */
VP_API const vp_vec3 *vp_hull_builder_points(const vp_hull_builder *builder);

/** Faults of a hull. */
typedef enum vp_hull_fault {
    VP_HULL_INDEX = 1,   /**< A corner is no point of the set. The rest is not tested then. */
    VP_HULL_OPEN = 2,    /**< A half-edge has no single opposite half-edge. */
    VP_HULL_EULER = 4,   /**< Vertices - edges + triangles is not 2: several surfaces, or handles. */
    VP_HULL_CONCAVE = 8, /**< A valley between two triangles is deeper than allowed. */
    VP_HULL_OUTSIDE = 16 /**< A point is farther outside a plane than allowed. */
} vp_hull_fault;

/** Hull to validate, from any library. */
typedef struct vp_hull_validate_def {
    const vp_vec3 *point;          /**< Points, finite. [count] */
    uint32_t count;                /**< 1 to VP_HULL_MAX_POINTS. */
    const uint32_t (*triangle)[3]; /**< Indices of points, counterclockwise from outside. For a vp_hull pass vertex[triangle[i][k]].
                                        [triangle_count] */
    uint32_t triangle_count;       /**< At most 2^29. */
    double allowed;                /**< Allowed distance outside and depth of valleys, in the points' unit. 2^-44 of the largest absolute
                                        coordinate is enough for a vp_hull, plus its `error`. With 0 roundings are faults. */
    double sliver;                 /**< Triangles whose height is at most this part of their longest side are not tested. 0 = only those
                                        without area. */
    const vp_allocator *allocator; /**< NULL = malloc and free. */
} vp_hull_validate_def;

/** Result of a validation. */
typedef struct vp_hull_report {
    uint32_t faults;           /**< vp_hull_fault bits. 0 = a hull, if `slivers` is 0 too. */
    uint32_t vertices;         /**< Number of points that triangles use. */
    uint32_t open_edges;       /**< Number of half-edges without a single opposite, or that occur twice. */
    int64_t euler;             /**< Vertices - edges + triangles. */
    uint32_t slivers;          /**< Number of triangles whose planes were not tested. Points beyond these alone are not found. */
    double outside;            /**< Largest distance of a point outside a plane. <= 0 if no point is outside. */
    uint32_t outside_point;    /**< That point, or the one that comes nearest. VP_HULL_NONE if no plane was tested. */
    uint32_t outside_triangle; /**< Its triangle. */
    double concave;            /**< Depth of the deepest valley: height of a triangle's far corner above its neighbour's plane. */
    uint32_t concave_triangle; /**< That neighbour. */
} vp_hull_report;

/** Validates that triangles are the convex hull of points, and measures the errors. Distances are right to 2^-45 of the largest absolute
 *  coordinate, for triangles of any shape. Usual cost for n points and t triangles: O(n log n + t log t + t sqrt(n)).
 *  @param out  unchanged after an error
 *  @return VP_E_ARGUMENT if a count, a point (the message names the first), `allowed` or `sliver` is invalid. VP_E_MEMORY */
VP_API vp_status vp_hull_validate(const vp_hull_validate_def *subject, vp_hull_report *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
