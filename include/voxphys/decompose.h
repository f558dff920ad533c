/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_DECOMPOSE_H
#define VOXPHYS_DECOMPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/hull.h>
#include <voxphys/kernel/decompose.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/record.h>
#include <voxphys/status.h>

/** @file
 *  Approximate convex decomposition of triangle meshes (RoHACD).
 *
 *      vp_decomposition_def def = {.point = points, .point_count = 122, .triangle = triangles, .triangle_count = 240};
 *      vp_decomposition_create(&def, &d, &error);
 *      for (uint32_t i = 0; i < d.hull_count; i++)
 *          add_collider(&d.hull[i].hull, d.hull[i].point);
 *      vp_decomposition_destroy(&d);
 *
 *  The result depends on the shape alone (DEC-3). Details: docs/kernels/decompose.md, docs/CONTRACT.md, DEC. */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum triangles. */
#define VP_DECOMPOSE_MAX_TRIANGLES (1u << 24)
/** Maximum edges of the first graph. */
#define VP_DECOMPOSE_MAX_EDGES (1u << 26)
/** Maximum samples. */
#define VP_DECOMPOSE_MAX_SAMPLES (1u << 27)
/** Maximum edges in `front`. */
#define VP_DECOMPOSE_FRONT 8

/** Unit of errors. */
typedef enum vp_decomposition_unit {
    VP_DECOMPOSITION_CUBE, /**< Longest side of the box / scale. */
    VP_DECOMPOSITION_WORLD /**< As the points. */
} vp_decomposition_unit;

/** Error of flat hulls. */
typedef enum vp_decomposition_flat {
    VP_DECOMPOSITION_FLAT_AREA, /**< As published. */
    VP_DECOMPOSITION_FLAT_RAYS  /**< Error 0. For comparison. */
} vp_decomposition_flat;

/** Source of an error. */
typedef enum vp_decomposition_by {
    VP_DECOMPOSITION_BY_NOTHING, /**< Error 0, or a triangle that never merged. */
    VP_DECOMPOSITION_BY_RAY,     /**< From a ray. */
    VP_DECOMPOSITION_BY_AREA     /**< Added area. */
} vp_decomposition_by;

/** Choice among edges. */
typedef enum vp_decomposition_tie {
    VP_DECOMPOSITION_ALONE, /**< Only edge. */
    VP_DECOMPOSITION_BY_ERROR,
    VP_DECOMPOSITION_BY_DIAGONAL, /**< Smaller box. */
    VP_DECOMPOSITION_BY_NUMBERS   /**< Lower numbers. */
} vp_decomposition_tie;

/** Edge after joining. */
typedef struct vp_decomposition_edge {
    uint32_t point[2]; /**< Input points. */
    vp_vec3 place[2];
    uint32_t triangle[2]; /**< Input triangles, equal for an open edge. */
} vp_decomposition_edge;

/** Input mesh after joining. A `first_` member is unspecified if its count is 0. */
typedef struct vp_decomposition_input {
    uint32_t vertices;
    uint32_t joined;         /**< Positions joined to another. */
    uint32_t triangles;      /**< Initial nodes. */
    uint32_t duplicates;     /**< Equal to an earlier triangle. */
    uint32_t degenerate;     /**< Without a normal. */
    uint32_t open_edges;     /**< One triangle. */
    uint32_t manifold_edges; /**< Two opposite triangles. */
    uint32_t twisted_edges;  /**< Two triangles in equal directions. */
    uint32_t crowded_edges;  /**< More triangles. */
    uint32_t shells;         /**< Parts without a common edge. */
    uint32_t covered;        /**< Triangles partly inside other parts. */
    uint32_t reversed;       /**< Shells inside out, before `flip`. */
    uint32_t tiny;           /**< Shells below 1/1000 of the box. */
    uint32_t flipped;        /**< Triangles turned against most neighbours. */
    uint32_t first_duplicate;
    uint32_t first_degenerate;
    uint32_t first_covered; /**< Input triangles. */
    uint32_t first_reversed;
    uint32_t first_tiny;
    uint32_t first_flipped;
    vp_decomposition_edge first_open;
    vp_decomposition_edge first_twisted;
    vp_decomposition_edge first_crowded;
} vp_decomposition_input;

/** Lengths in use, in the points' unit. */
typedef struct vp_decomposition_lengths {
    double quantization;
    double concavity; /**< Maximum error. */
    double spacing;
} vp_decomposition_lengths;

/** State before the first step. */
typedef struct vp_decomposition_start {
    const vp_decomposition_input *input;
    vp_decomposition_lengths lengths;
    const vp_vec3 *vertex;          /**< Joined vertices, by x, y, z. [input->vertices] */
    const uint32_t (*triangle)[3];  /**< Initial nodes' vertices, lowest first. [input->triangles] */
    const uint32_t *input_triangle; /**< Initial nodes' input triangles. Same size. */
    uint32_t samples;
    uint32_t edges;
} vp_decomposition_start;

/** Hull in a step. */
typedef struct vp_decomposition_part {
    uint32_t node; /**< VP_DECOMPOSE_NONE = not created. */
    uint32_t dimension;
    uint32_t vertex_count;
    uint32_t triangle_count;       /**< In dimension 2 of both sides. */
    const uint32_t *vertex;        /**< Ascending. [vertex_count] */
    const uint32_t (*triangle)[3]; /**< Indices in `vertex`, counterclockwise from outside. [triangle_count] */
    double area;                   /**< In dimension 2 of one side. */
    double volume;
    vp_aabb box;
} vp_decomposition_part;

/** Ray that decided an error. */
typedef struct vp_decomposition_ray {
    uint32_t triangle; /**< Input triangle. */
    double from[3];
    double along[3]; /**< Unit normal. */
    double length;   /**< Error. */
} vp_decomposition_ray;

/** Edge in the queue. */
typedef struct vp_decomposition_queued {
    uint32_t node[2]; /**< Lower first. */
    double error;     /**< Lower bound, except for the first edge. */
    double diagonal;
    vp_decomposition_by by;
} vp_decomposition_queued;

/** Collapse or drop. */
typedef struct vp_decomposition_step {
    uint64_t number; /**< From 0. */
    bool collapse;   /**< false = dropped. */
    bool final;      /**< Dropped for good, not until a node merges. */
    vp_decomposition_queued edge;
    vp_decomposition_tie tie; /**< Against front[0]. */
    vp_decomposition_ray ray; /**< Only for VP_DECOMPOSITION_BY_RAY. */
    vp_decomposition_part part[2];
    vp_decomposition_part merged; /**< Without a node after a drop. */
    uint32_t front_count;
    const vp_decomposition_queued *front; /**< Next edges. [front_count] */
    uint32_t queued;
    uint32_t hulls; /**< After the step. */
} vp_decomposition_step;

/** Callbacks on the calling thread, or NULL. */
typedef struct vp_decomposition_watch {
    void *user;
    /** Progress. `done` never falls. @return false to cancel */
    bool (*progress)(void *user, uint64_t done, uint64_t total);
    void (*on_start)(void *user, const vp_decomposition_start *start); /**< Before the first step. */
    void (*on_step)(void *user, const vp_decomposition_step *step);    /**< Costs three hulls. */
} vp_decomposition_watch;

/** Settings. 0 = published values. */
typedef struct vp_decomposition_def {
    const vp_vec3 *point;          /**< Read during the call. [point_count] */
    uint32_t point_count;          /**< 1 to VP_HULL_MAX_POINTS. */
    uint32_t triangle_count;       /**< 1 to VP_DECOMPOSE_MAX_TRIANGLES. */
    const uint32_t (*triangle)[3]; /**< Counterclockwise from outside. [triangle_count] */

    vp_decomposition_unit unit; /**< Of the lengths below. */
    float scale;                /**< Longest side of the box. 0 = 1000. Not for VP_DECOMPOSITION_WORLD. */
    float quantization;         /**< Tolerance, at least 2^-40 of that side. 0 = 10^-4 of it. */
    float concavity;            /**< Maximum error. 0 = a hundredth of it. */
    float spacing;              /**< Sample distance. 0 = a hundredth of it. */
    uint32_t rows;              /**< Sample rows per triangle, at most 1024. 0 = by spacing. */
    vp_decomposition_flat flat;
    uint32_t min_hulls;    /**< 0 = 1. */
    uint32_t max_hulls;    /**< Allows larger errors. 0 = unlimited. */
    uint32_t max_vertices; /**< At least 4. Hulls lose surface up to vp_hull.error. 0 = unlimited. */
    float min_volume;      /**< Smaller hulls merge at any error. */
    bool flip;             /**< Turns flipped triangles and reversed shells. */
    bool surface_only;     /**< Adds no points inside. */

    const vp_decomposition_watch *watch;
    const vp_recorder *recorder; /**< Without layers, or NULL. */
    const vp_kernels *kernels;
    const vp_executor *executor;
    const vp_allocator *allocator;

    float max_seconds; /**< Begins no merge after that (DEC-3). 0 = unlimited. */
    bool merge_shells; /**< Hulls of shells that touch or overlap also merge. */
    bool exact;        /**< Errors are over all points, not samples (DEC-14). */
    float reach;       /**< Maximum distance from the solid, instead of concavity (DEC-13). */
} vp_decomposition_def;

/** Hull of a decomposition. */
typedef struct vp_decomposition_hull {
    vp_hull hull;         /**< Its tolerance is the quantization. */
    const vp_vec3 *point; /**< Joined vertices and points inside, by x, y, z (DEC-8, DEC-12). [point_count] */
    uint32_t point_count;
    uint32_t triangle_count;
    const uint32_t *triangle; /**< Input triangles, ascending. [triangle_count] */
    double error;             /**< From its collapse. */
    vp_decomposition_by by;
    uint32_t node;
    uint64_t step; /**< UINT64_MAX = never merged. */
    double reach;  /**< Upper bound with def.reach (DEC-13). */
} vp_decomposition_hull;

/** Work of a decomposition. */
typedef struct vp_decomposition_counts {
    uint64_t predictions;
    uint64_t flat_predictions; /**< Dimension 2 or less. */
    uint64_t collapses;
    uint64_t drops;
    uint32_t edges; /**< First graph. */
    uint32_t samples;
} vp_decomposition_counts;

/** Decomposition. Owns its arrays. */
typedef struct vp_decomposition {
    vp_decomposition_hull *hull; /**< By lowest first node. [hull_count] */
    uint32_t hull_count;
    vp_decomposition_input input;
    vp_decomposition_lengths lengths;
    vp_decomposition_counts counts;

    vp_allocator allocator;
    vp_vec3 *point; /**< Shared by the hulls, as is `triangle`. */
    uint32_t *triangle;
    size_t point_capacity;
    size_t triangle_capacity;
} vp_decomposition;

/** Decomposes a mesh. Cost: 1 to 2 hulls for each triangle.
 *  @return VP_E_LIMIT for too many samples or edges, and if a callback cancelled. Errors of the recorder */
VP_API vp_status vp_decomposition_create(const vp_decomposition_def *def, vp_decomposition *out, vp_error *error);
/** Destroys a decomposition. */
VP_API void vp_decomposition_destroy(vp_decomposition *decomposition);

#ifdef __cplusplus
}
#endif

#endif
