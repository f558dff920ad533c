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
 *  Approximate convex decomposition of triangle meshes (fourth article, "À la recherche d'une meilleure décomposition convexe", on
 *  RoHACD; after Mamou and Ghorbel's HACD, 2009).
 *
 *  **How.** Each triangle is a node of a graph, and a hull; triangles that share an edge have an edge there. An edge's error is what the
 *  hull of both nodes together would fill. The edge with the least error collapses: the two nodes become one, and its edges get their
 *  errors anew. An edge with an error that is more than allowed is dropped. This goes on until no edge is left, or as few hulls as are
 *  wanted.
 *
 *  **The error** of a hull of three dimensions is the longest way from the surface, from points that are spread over it evenly, along the
 *  original normals to the hull's back face (vp_concavity_fn); of a flat one it is the root of the area by which the hull is larger
 *  than both nodes together. It is no bound: it says nothing of what lies between samples, of flat parts thinner than what is
 *  allowed, nor of several hulls together.
 *
 *  **One epsilon**, a distance: the quantization. Vertices no further apart are one, points that lie between two planes so far apart are
 *  flat, rays are cut by it, errors are compared rounded to it.
 *
 *  **Lengths** are given in thousandths of the longest side of the mesh's box, as if it were scaled to the article's cube of 1000; points
 *  are never scaled, so nothing is rounded. Or in the points' own unit.
 *
 *  **The answer is the shape's alone**: not that of the order of triangles and vertices, of a triangle's first corner, of kernels, or of
 *  threads. Edges come by their errors, then by the diagonals of their unions' boxes, both rounded to the quantization, then by nodes'
 * numbers: triangles are numbered in the order of their corners' coordinates, merged nodes behind them as they are made.
 *
 *  **Any mesh.**
 *  - *Vertices* are joined by the quantization (vp_weld_fn); a point that no triangle has is only looked at for being finite. A hull has
 * the joined vertices, so an input's corner may be that far outside of it.
 *  - *Open*: the solid is behind each triangle, as far as the hull goes; the error is one of the front only.
 *  - *Edges of k triangles* give k(k - 1)/2 edges of the graph. Interior faces are triangles like others.
 *  - *Shells* that share no edge don't merge. A shell turned inwards is a void's, if its normals say so.
 *  - *Duplicates*: the second of the same three vertices in the same direction goes where the first goes. Turned round, it is a triangle of
 *    its own: both are a sheet that has two sides.
 *  - *Degenerate*: a triangle with vertices that are joined goes where a triangle goes that has those that are left; if there is none, it
 *    is a node, of a segment or a point. A triangle of three vertices on a line within the quantization is a node like others: it is what
 *    connects its neighbours. None of these has samples.
 *
 *  **Threads.** Errors are found in parallel, by the executor.
 *
 *  **Records.** A recorder is told of everything that a watcher is: frame 0 is the beginning, frame n what there is after n steps. Layers:
 *  - *hull*: items, each with its node's number: the error and the dimension, and the two that it was made from. Of flat ones one side.
 *  - *surface*: an item, a mesh whose triangle t is node t.
 *  - *hull of both*: an item, in frames of drops: what the two would have become.
 *  - *deciding ray*: an arrow, in frames of steps that a ray decided.
 *  - *decisions*: a row a step, its two hulls and its edge; *queue*: the four edges that follow; *figures*: error, hulls left, edges
 *    queued; *input*: a row, what is decomposed, and the lengths that are used.
 *
 *  Positions are kept to a 4,096th of the longest side of the mesh's box, errors to a quarter of the quantization. */

#ifdef __cplusplus
extern "C" {
#endif

/** The most triangles of a mesh. */
#define VP_DECOMPOSE_MAX_TRIANGLES (1u << 24)
/** The most edges of a graph at its beginning. */
#define VP_DECOMPOSE_MAX_EDGES (1u << 26)
/** The most samples. */
#define VP_DECOMPOSE_MAX_SAMPLES (1u << 27)
/** How many edges a step tells from the front of the queue at most. */
#define VP_DECOMPOSE_FRONT 8

/** What lengths are measured in. */
typedef enum vp_decompose_unit {
    VP_DECOMPOSE_CUBE, /**< Extents/scale: thousandths of the longest side of the box, unless the def has another scale. */
    VP_DECOMPOSE_WORLD /**< The points' unit. */
} vp_decompose_unit;

/** What is the error of a flat hull. */
typedef enum vp_decompose_flat {
    VP_DECOMPOSE_FLAT_AREA, /**< As published: sqrt(area of the hull - areas of both nodes), or 0. */
    VP_DECOMPOSE_FLAT_RAYS  /**< That of rays, which is 0: to see what the distinction is worth. */
} vp_decompose_flat;

/** What decided an error. */
typedef enum vp_decompose_by {
    VP_DECOMPOSE_BY_NOTHING, /**< 0: no ray has a length, no area was added; of segments and points; of a triangle that never merged. */
    VP_DECOMPOSE_BY_RAY,     /**< A sample's ray. */
    VP_DECOMPOSE_BY_AREA     /**< Areas. */
} vp_decompose_by;

/** What put an edge before the next one of the queue. */
typedef enum vp_decompose_tie {
    VP_DECOMPOSE_ALONE,       /**< There is no other. */
    VP_DECOMPOSE_BY_ERROR,    /**< A smaller error. */
    VP_DECOMPOSE_BY_DIAGONAL, /**< An equal one, and a smaller box. */
    VP_DECOMPOSE_BY_NUMBERS   /**< Both are equal: its nodes' numbers. */
} vp_decompose_tie;

/** An edge of a mesh, after its vertices were joined. */
typedef struct vp_decompose_edge {
    uint32_t point[2];    /**< Input points at its ends: of those in that place the first. */
    vp_vec3 place[2];     /**< Where they are. */
    uint32_t triangle[2]; /**< Two input triangles that have it; of an open edge twice the same. */
} vp_decompose_edge;

/** What the input is. Firsts are in the order of coordinates, and mean nothing where the count is 0. */
typedef struct vp_decompose_input {
    uint32_t vertices;         /**< After joining, that triangles have. */
    uint32_t joined;           /**< Places that triangles have, and that joined another. */
    uint32_t triangles;        /**< Nodes that there are at first. */
    uint32_t duplicates;       /**< Triangles that are there before, in the same direction. */
    uint32_t degenerate;       /**< Triangles without a normal: with joined vertices, or three on a line. */
    uint32_t open_edges;       /**< Edges of one triangle. */
    uint32_t manifold_edges;   /**< Edges of two triangles that run along them in opposite directions. */
    uint32_t twisted_edges;    /**< Edges of two triangles that run along them in the same direction. */
    uint32_t crowded_edges;    /**< Edges of more than two triangles. The last two are not manifold. */
    uint32_t shells;           /**< Parts that share no edge. */
    uint32_t first_duplicate;  /**< Input triangles. */
    uint32_t first_degenerate; /**< The same. */
    vp_decompose_edge first_open;    /**< An edge of one triangle. */
    vp_decompose_edge first_twisted; /**< Of two that run along it in the same direction. */
    vp_decompose_edge first_crowded; /**< Of more than two. */
} vp_decompose_input;

/** The lengths that are used, in the points' unit. */
typedef struct vp_decompose_lengths {
    double quantization; /**< The one epsilon. */
    double concavity;    /**< The error that is allowed. */
    double spacing;      /**< Of samples. */
} vp_decompose_lengths;

/** What there is before the first step. Valid during the call. */
typedef struct vp_decompose_start {
    const vp_decompose_input *input; /**< What the input is. */
    vp_decompose_lengths lengths;    /**< That are used. */
    const vp_vec3 *vertex;          /**< Joined, ascending by x, then y, then z: input->vertices of them. Also steps call them by these
                                         numbers. */
    const uint32_t (*triangle)[3];  /**< Of each of the first nodes, its vertices, the lowest first: input->triangles of them. */
    const uint32_t *input_triangle; /**< And the first input triangle that it is. */
    uint32_t samples;               /**< Of the surface. */
    uint32_t edges;                 /**< Of the graph. */
} vp_decompose_start;

/** A hull in a step. */
typedef struct vp_decompose_part {
    uint32_t node;                 /**< Its number; VP_DECOMPOSE_NONE: it wasn't made. */
    uint32_t dimension;            /**< 0 to 3. */
    uint32_t vertex_count;         /**< How many. */
    uint32_t triangle_count;       /**< 2*vertex_count - 4 of dimensions 2 (both sides) and 3; below 0. */
    const uint32_t *vertex;        /**< vp_decompose_start's, ascending. */
    const uint32_t (*triangle)[3]; /**< Numbers in `vertex`, counterclockwise seen from outside. */
    double area;                   /**< Of the surface; of dimension 2 of one side. */
    double volume;                 /**< 0 below 3. */
    vp_aabb box;                   /**< Around it. */
} vp_decompose_part;

/** A ray that decided. */
typedef struct vp_decompose_ray {
    uint32_t triangle; /**< The input triangle that it begins on, the first of duplicates. */
    double from[3];    /**< Where. */
    double along[3];   /**< The normal, of length 1. */
    double length;     /**< To the hull's back face: the error. */
} vp_decompose_ray;

/** An edge in the queue. */
typedef struct vp_decompose_queued {
    uint32_t node[2];   /**< The lower first. */
    double error;       /**< Of an error that is more than allowed: at least this. */
    double diagonal;    /**< Of the box around both. */
    vp_decompose_by by; /**< What decided. */
} vp_decompose_queued;

/** A collapse or a drop. Everything in it is valid during the call. */
typedef struct vp_decompose_step {
    uint64_t number;           /**< From 0 on. */
    bool collapse;             /**< The edge collapsed; false: it was dropped. */
    bool final;                /**< A drop: by a ray, so for good, and so are edges that inherit it. By area it comes back when one of its
                                    nodes merges. */
    vp_decompose_queued edge;  /**< The edge. */
    vp_decompose_tie tie;      /**< What put it before front[0]. */
    vp_decompose_ray ray;      /**< Of BY_RAY. */
    vp_decompose_part part[2]; /**< The two hulls, the lower node first. */
    vp_decompose_part merged;  /**< The hull of both: with its new number, or, if the edge was dropped, as it would have been. */
    uint32_t front_count;      /**< How many follow. */
    const vp_decompose_queued *front; /**< The next edges in the queue, without this one, the first first. */
    uint32_t queued;                  /**< How many there are. */
    uint32_t hulls;                   /**< How many nodes are left after the step. */
} vp_decompose_step;

/** Who watches. Called by the thread that called vp_decompose_create. */
typedef struct vp_decompose_watch {
    void *user; /**< Passed back. */
    /** How far it is, between steps: done never falls, total never changes. @return false to cancel. NULL: nobody asks. */
    bool (*progress)(void *user, uint64_t done, uint64_t total);
    void (*on_start)(void *user, const vp_decompose_start *start); /**< Before the first step. NULL: nobody asks. */
    void (*on_step)(void *user, const vp_decompose_step *step);    /**< After each step. NULL: nobody asks, and hulls of steps are not made
                                                                        for it: some three hulls a step. */
} vp_decompose_watch;

/** What is decomposed, and how. All zero bytes but for the mesh are the published values. */
typedef struct vp_decompose_def {
    const vp_vec3 *point;          /**< Finite. Read during the call, like triangles. */
    uint32_t point_count;          /**< 1 to VP_HULL_MAX_POINTS. */
    uint32_t triangle_count;       /**< 1 to VP_DECOMPOSE_MAX_TRIANGLES. */
    const uint32_t (*triangle)[3]; /**< Points, counterclockwise seen from outside. */

    vp_decompose_unit unit; /**< Of the three lengths that follow. */
    float scale;            /**< The cube's edge; 0: 1000. Not for VP_DECOMPOSE_WORLD. */
    float quantization;     /**< The one epsilon, the article's ConnectDist; 0: 0.1, or a 10,000th of the extent in the world's unit. Not
                                 less than 2^-40 of the extent is used. */
    float concavity;        /**< The error that is allowed; 0: 10, or a hundredth. (None is allowed with a very small one.) */
    float spacing;          /**< Of samples: the grid's distance; 0: 10, or a hundredth. */
    uint32_t rows;          /**< 0: samples are spread evenly. Otherwise each triangle has so many rows of them, of any size it is: of
                                 `rows`, `rows` - 1, ... 1 samples, as HACD's few a triangle. At most 1024. */
    vp_decompose_flat flat; /**< The error of flat hulls. */
    uint32_t min_hulls;     /**< No edge collapses when so few are left, the article's minimum of clusters; 0: 1. */

    const vp_decompose_watch *watch; /**< NULL: nobody watches. */
    const vp_recorder *recorder;     /**< NULL: nothing is recorded. A failure of it ends the decomposition. It has no layers yet. */
    const vp_kernels *kernels;       /**< NULL: as vp_kernels_default says. */
    const vp_executor *executor;     /**< NULL: the calling thread. */
    const vp_allocator *allocator;   /**< NULL: C's own. Called by the executor's threads, by several at once. */
} vp_decompose_def;

/** A hull of the answer. */
typedef struct vp_decompose_hull {
    vp_hull hull;             /**< Of `point`, with the quantization as its tolerance. Flat ones are there too: see its dimension. */
    const vp_vec3 *point;     /**< Vertices of the mesh, joined; ascending by x, then y, then z. None is further than twice the quantization
                                   outside of the hull, and none at all where its dimension is 3. */
    uint32_t point_count;     /**< How many. */
    uint32_t triangle_count;  /**< How many. */
    const uint32_t *triangle; /**< Input triangles that it is of, ascending. Each is in one hull. */
    double error;             /**< Of the collapse that made it. */
    vp_decompose_by by;       /**< What decided that. */
    uint32_t node;            /**< Its number. */
    uint64_t step;            /**< The step that made it; UINT64_MAX: it is a triangle that never merged. */
} vp_decompose_hull;

/** What it took. */
typedef struct vp_decompose_counts {
    uint64_t predictions;      /**< Hulls of edges whose errors were found. */
    uint64_t flat_predictions; /**< Of them, of dimension 2 and less. */
    uint64_t collapses;        /**< Steps. */
    uint64_t drops;            /**< Steps. Those that min_hulls leaves in the queue are no steps. */
    uint32_t edges;            /**< Of the graph at first. */
    uint32_t samples;          /**< Of the surface. */
} vp_decompose_counts;

/** A decomposition. Its arrays are its own, and live until vp_decompose_destroy. */
typedef struct vp_decomposition {
    vp_decompose_hull *hull; /**< In the order of the lowest first node of each. */
    uint32_t hull_count;     /**< At least 1. */
    vp_decompose_input input;     /**< What the input is. */
    vp_decompose_lengths lengths; /**< That were used. */
    vp_decompose_counts counts;   /**< What it took. */

    vp_allocator allocator; /**< Where the arrays come from. */
    vp_vec3 *point;         /**< Of all hulls. */
    uint32_t *triangle;     /**< The same. */
    size_t point_room;      /**< Of the arrays. */
    size_t triangle_room;   /**< The same. */
} vp_decomposition;

/** Decomposes a mesh. O(p h) for p predictions, of which each looks at h samples and planes; p is some 6 a triangle.
 *  @param def  not NULL
 *  @param out  VP_OK: the decomposition, to be freed by vp_decompose_destroy; what was in it before is not looked at. Otherwise it is left
 * as it was.
 *  @return VP_E_ARGUMENT for no points or triangles or too many; for a coordinate that is not finite, or a triangle's corner that is no
 *          point (the message names the first); for a length or scale that is negative or not finite, a unit or flat that there is
 *          not, too many rows; VP_E_LIMIT for too many samples or edges of the graph, and if it was cancelled; VP_E_MEMORY; and what
 *          vp_kernels_default and the recorder say. */
VP_API vp_status vp_decompose_create(const vp_decompose_def *def, vp_decomposition *out, vp_error *error);
/** Frees a decomposition, which is not NULL; one that is all zero bytes is left alone. */
VP_API void vp_decompose_destroy(vp_decomposition *decomposition);

#ifdef __cplusplus
}
#endif

#endif
