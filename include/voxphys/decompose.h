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

/** @file decompose.h
 *  Approximate convex decomposition of triangle meshes (RoHACD, after HACD by Mamou and Ghorbel, 2009).
 *
 *      vp_decomposition_def def = {.point = points, .point_count = 122, .triangle = triangles, .triangle_count = 240};
 *      vp_decomposition d;
 *      vp_error error;
 *      if (vp_decomposition_create(&def, &d, &error) == VP_OK) {
 *          for (uint32_t i = 0; i < d.hull_count; i++)
 *              add_collider(&d.hull[i].hull, d.hull[i].point);
 *          vp_decomposition_destroy(&d);
 *      }
 *
 *  Hulls of triangles merge along edges, least error first, while the error is allowed (docs/kernels/decompose.md). Any mesh is valid.
 *  The result depends on the shape alone, not on order, kernels or threads (docs/CONTRACT.md, DEC). Lengths are thousandths of the
 *  longest side of the mesh's box, or in the points' unit. */

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of triangles of a mesh. */
#define VP_DECOMPOSE_MAX_TRIANGLES (1u << 24)
/** Maximum number of edges of the first graph. */
#define VP_DECOMPOSE_MAX_EDGES (1u << 26)
/** Maximum number of samples. */
#define VP_DECOMPOSE_MAX_SAMPLES (1u << 27)
/** Maximum number of queued edges in a step. */
#define VP_DECOMPOSE_FRONT 8

/** Unit of lengths. */
typedef enum vp_decomposition_unit {
    VP_DECOMPOSITION_CUBE, /**< Longest side of the box / scale. */
    VP_DECOMPOSITION_WORLD /**< Unit of the points. */
} vp_decomposition_unit;

/** Error of flat hulls. */
typedef enum vp_decomposition_flat {
    VP_DECOMPOSITION_FLAT_AREA, /**< As published, sqrt(max(0, area of the hull - areas of both nodes)). */
    VP_DECOMPOSITION_FLAT_RAYS  /**< By rays. Always 0. For comparison only. */
} vp_decomposition_flat;

/** Origin of an error. */
typedef enum vp_decomposition_by {
    VP_DECOMPOSITION_BY_NOTHING, /**< Error 0, or a triangle that never merged. */
    VP_DECOMPOSITION_BY_RAY,     /**< Ray from a sample. */
    VP_DECOMPOSITION_BY_AREA     /**< Added area. */
} vp_decomposition_by;

/** Reason why an edge comes before the next one in the queue. */
typedef enum vp_decomposition_tie {
    VP_DECOMPOSITION_ALONE,       /**< No other edge is queued. */
    VP_DECOMPOSITION_BY_ERROR,    /**< Smaller error. */
    VP_DECOMPOSITION_BY_DIAGONAL, /**< Equal error, smaller box. */
    VP_DECOMPOSITION_BY_NUMBERS   /**< Equal error and box, lower node numbers. */
} vp_decomposition_tie;

/** Edge of the mesh after its vertices were joined. */
typedef struct vp_decomposition_edge {
    uint32_t point[2];    /**< Input points at the ends, the first of joined ones. */
    vp_vec3 place[2];     /**< Their positions. */
    uint32_t triangle[2]; /**< Input triangles with this edge, equal for an open edge. */
} vp_decomposition_edge;

/** Description of the input mesh. A `first_` member is unspecified if its count is 0. */
typedef struct vp_decomposition_input {
    uint32_t vertices;                   /**< Vertices after joining. */
    uint32_t joined;                     /**< Positions joined to another. */
    uint32_t triangles;                  /**< Nodes of the first graph. */
    uint32_t duplicates;                 /**< Triangles equal to an earlier one. */
    uint32_t degenerate;                 /**< Triangles without a normal. */
    uint32_t open_edges;                 /**< Edges of one triangle. */
    uint32_t manifold_edges;             /**< Edges of two opposite triangles. */
    uint32_t twisted_edges;              /**< Edges of two triangles in equal directions. */
    uint32_t crowded_edges;              /**< Edges of more than two triangles. */
    uint32_t shells;                     /**< Parts without a common edge. */
    uint32_t first_duplicate;            /**< Input triangle. */
    uint32_t first_degenerate;           /**< Input triangle. */
    vp_decomposition_edge first_open;    /**< Edge. */
    vp_decomposition_edge first_twisted; /**< Edge. */
    vp_decomposition_edge first_crowded; /**< Edge. */
} vp_decomposition_input;

/** Lengths in use, in the points' unit. */
typedef struct vp_decomposition_lengths {
    double quantization; /**< Quantization. */
    double concavity;    /**< Maximum error. */
    double spacing;      /**< Spacing of the samples. */
} vp_decomposition_lengths;

/** State before the first step. Valid during the call. */
typedef struct vp_decomposition_start {
    const vp_decomposition_input *input; /**< Input. */
    vp_decomposition_lengths lengths;    /**< Lengths. */
    const vp_vec3 *vertex;               /**< Joined vertices, by x, y, z. [input->vertices] */
    const uint32_t (*triangle)[3];       /**< Vertices of each first node, lowest first. [input->triangles] */
    const uint32_t *input_triangle;      /**< Input triangle of each first node. [input->triangles] */
    uint32_t samples;                    /**< Samples. */
    uint32_t edges;                      /**< Edges of the graph. */
} vp_decomposition_start;

/** Hull in a step. */
typedef struct vp_decomposition_part {
    uint32_t node;                 /**< Number. VP_DECOMPOSE_NONE = not created. */
    uint32_t dimension;            /**< 0 to 3. */
    uint32_t vertex_count;         /**< Vertices. */
    uint32_t triangle_count;       /**< 2*vertex_count - 4 in dimensions 2 (both sides) and 3, otherwise 0. */
    const uint32_t *vertex;        /**< Indices in vp_decomposition_start.vertex, ascending. [vertex_count] */
    const uint32_t (*triangle)[3]; /**< Indices in `vertex`, counterclockwise from outside. [triangle_count] */
    double area;                   /**< Surface area, in dimension 2 of one side. */
    double volume;                 /**< 0 below dimension 3. */
    vp_aabb box;                   /**< Bounding box. */
} vp_decomposition_part;

/** Ray that decided an error. */
typedef struct vp_decomposition_ray {
    uint32_t triangle; /**< Input triangle, the first of duplicates. */
    double from[3];    /**< Origin. */
    double along[3];   /**< Direction, unit normal. */
    double length;     /**< Length, the error. */
} vp_decomposition_ray;

/** Edge in the queue. */
typedef struct vp_decomposition_queued {
    uint32_t node[2];       /**< Nodes, the lower first. */
    double error;           /**< Error. A lower bound if it exceeds the maximum. */
    double diagonal;        /**< Diagonal of the box of both hulls. */
    vp_decomposition_by by; /**< Origin of the error. */
} vp_decomposition_queued;

/** Collapse or drop. Valid during the call. */
typedef struct vp_decomposition_step {
    uint64_t number;                      /**< Number, from 0. */
    bool collapse;                        /**< Collapsed. false = dropped. */
    bool final;                           /**< Dropped for good. An edge dropped by area returns when a node merges. */
    vp_decomposition_queued edge;         /**< Edge. */
    vp_decomposition_tie tie;             /**< Reason why it precedes front[0]. */
    vp_decomposition_ray ray;             /**< Valid if the error is by ray. */
    vp_decomposition_part part[2];        /**< Both hulls. */
    vp_decomposition_part merged;         /**< Hull of both. Its node is VP_DECOMPOSE_NONE after a drop. */
    uint32_t front_count;                 /**< Size of `front`. */
    const vp_decomposition_queued *front; /**< Next edges in the queue. [front_count] */
    uint32_t queued;                      /**< Queued edges. */
    uint32_t hulls;                       /**< Hulls after the step. */
} vp_decomposition_step;

/** Callbacks on the thread that called vp_decomposition_create. NULL = not called. */
typedef struct vp_decomposition_watch {
    void *user; /**< First argument. */
    /** Progress between steps. `done` never falls, `total` is constant. @return false to cancel */
    bool (*progress)(void *user, uint64_t done, uint64_t total);
    void (*on_start)(void *user, const vp_decomposition_start *start); /**< Called before the first step. */
    void (*on_step)(void *user, const vp_decomposition_step *step);    /**< Called after each step, costs about three hulls. */
} vp_decomposition_watch;

/** Settings for vp_decomposition_create. Zero-initialize all fields except the mesh for the published values. */
typedef struct vp_decomposition_def {
    const vp_vec3 *point;          /**< Points, read during the call. [point_count] */
    uint32_t point_count;          /**< 1 to VP_HULL_MAX_POINTS. */
    uint32_t triangle_count;       /**< 1 to VP_DECOMPOSE_MAX_TRIANGLES. */
    const uint32_t (*triangle)[3]; /**< Counterclockwise from outside. [triangle_count] */

    vp_decomposition_unit unit; /**< Unit of the next lengths. */
    float scale;                /**< Longest side of the box. 0 = 1000. Not for VP_DECOMPOSITION_WORLD. */
    float quantization;         /**< Tolerance of all decisions. 0 = 10^-4 of the longest side. At least 2^-40 of it. */
    float concavity;            /**< Maximum error. 0 = a hundredth of the longest side. */
    float spacing;              /**< Distance of samples. 0 = a hundredth of the longest side. */
    uint32_t rows;              /**< Rows of samples of each triangle, like HACD, at most 1024. 0 = evenly spread. */
    vp_decomposition_flat flat; /**< Error of flat hulls. */
    uint32_t min_hulls;         /**< Minimum number of hulls. 0 = 1. */

    const vp_decomposition_watch *watch; /**< NULL = no callbacks. */
    const vp_recorder *recorder;         /**< Recorder without layers. NULL = none. Its failure ends the call. */
    const vp_kernels *kernels;           /**< NULL = vp_kernels_default(). */
    const vp_executor *executor;         /**< NULL = calling thread. */
    const vp_allocator *allocator;       /**< NULL = default. Several threads call it. */
} vp_decomposition_def;

/** Hull of a decomposition. */
typedef struct vp_decomposition_hull {
    vp_hull hull;             /**< Hull of `point`, with the quantization as tolerance. */
    const vp_vec3 *point;     /**< Joined vertices, by x, y, z (DEC-8). [point_count] */
    uint32_t point_count;     /**< Number of points. */
    uint32_t triangle_count;  /**< Number of triangles. */
    const uint32_t *triangle; /**< Input triangles, ascending. [triangle_count] */
    double error;             /**< Error of its collapse. */
    vp_decomposition_by by;   /**< Origin of the error. */
    uint32_t node;            /**< Node number. */
    uint64_t step;            /**< Its step. UINT64_MAX = a triangle that never merged. */
} vp_decomposition_hull;

/** Work of a decomposition. */
typedef struct vp_decomposition_counts {
    uint64_t predictions;      /**< Predicted hulls. */
    uint64_t flat_predictions; /**< Predicted hulls of dimension 2 or less. */
    uint64_t collapses;        /**< Collapsed edges. */
    uint64_t drops;            /**< Dropped edges. */
    uint32_t edges;            /**< Edges of the first graph. */
    uint32_t samples;          /**< Samples. */
} vp_decomposition_counts;

/** Decomposition. Owns its arrays. */
typedef struct vp_decomposition {
    vp_decomposition_hull *hull;      /**< Hulls by lowest first node. [hull_count] */
    uint32_t hull_count;              /**< At least 1. */
    vp_decomposition_input input;     /**< Input. */
    vp_decomposition_lengths lengths; /**< Lengths. */
    vp_decomposition_counts counts;   /**< Work. */

    vp_allocator allocator; /**< Allocator of the arrays. */
    vp_vec3 *point;         /**< Points of all hulls. */
    uint32_t *triangle;     /**< Triangles of all hulls. */
    size_t point_room;      /**< Size of `point`. */
    size_t triangle_room;   /**< Size of `triangle`. */
} vp_decomposition;

/** Decomposes a mesh. Cost: about 6 hulls for each triangle, each tested against the samples near it.
 *  @param out  unchanged after an error
 *  @return VP_E_ARGUMENT if a count, coordinate, corner, length, scale, unit, flat or rows is invalid
 *          VP_E_LIMIT for too many samples or edges, and if a callback cancelled
 *          VP_E_MEMORY, errors of vp_kernels_default and of the recorder */
VP_API vp_status vp_decomposition_create(const vp_decomposition_def *def, vp_decomposition *out, vp_error *error);
/** Destroys a decomposition. One that is all zero is a no-op. */
VP_API void vp_decomposition_destroy(vp_decomposition *decomposition);

#ifdef __cplusplus
}
#endif

#endif
