/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_DECOMPOSE_H
#define VOXPHYS_KERNEL_DECOMPOSE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>

/** @file kernel/decompose.h
 *  Kernels of the convex decomposition (fourth article, "À la recherche d'une meilleure décomposition convexe"): layouts, signatures,
 *  rows. The decomposition itself is in decompose.h; hulls are made by the kernels of hull.h. */

#ifdef __cplusplus
extern "C" {
#endif

/** No sample, no vertex, no triangle. */
#define VP_DECOMPOSE_NONE UINT32_MAX

/** Points of which those that are close become one. */
typedef struct vp_weld_job {
    const vp_vec3 *point; /**< Finite, without -0, ascending by x, then y, then z. */
    uint32_t count;       /**< At most VP_HULL_MAX_POINTS. */
    double distance;      /**< Points no further apart than this join. Positive, and at least 2^-40 of the longest side of their box. */
    void *scratch;        /**< 8-byte aligned, vp_weld_scratch_bytes. */
    uint32_t *joins;      /**< Out: of each point the number of the point that it joins: its own if it is kept. */
} vp_weld_job;

/** Cells of the table by which kept points are found: a power of two, at least twice as many as points. */
static inline size_t vp_weld_cells(uint32_t count)
{
    size_t cells = 16;
    while (cells < 2 * VP_CAST(size_t, count))
        cells *= 2;
    return cells;
}

/** Bytes of scratch that any version of weld needs. */
static inline size_t vp_weld_scratch_bytes(uint32_t count)
{
    return vp_weld_cells(count) * 4 + VP_CAST(size_t, count) * 28;
}

/** Points of a surface, thrown into a grid of cubes: those of a cell lie one behind the other, and cells of a row too, so that
 *  samples first[c] to first[c + 1] - 1 are in cell c = (z*cells.y + y)*cells.x + x. */
typedef struct vp_surface_samples {
    const double (*point)[3];  /**< Where. */
    const double (*normal)[3]; /**< Of the triangle that it is of: of length 1, outwards. */
    const uint32_t *first;     /**< Of each cell, and one more for the end. */
    vp_dims cells;             /**< Of the grid; at least one on each axis. */
    double low[3];             /**< Its lowest corner: no sample is lower. */
    double cell;               /**< The edge of a cell. A sample p is in cell floor((p - low)/cell) of each axis, or the last there. */
} vp_surface_samples;

/** What a convex hull would fill of what is outside of a surface. */
typedef struct vp_concavity_job {
    const vp_surface_samples *samples; /**< Of the whole surface. */
    const double (*plane)[4];          /**< Of the hull's faces: n of length 1, outwards, and what it reaches: p is above if n.p is more. */
    uint32_t planes;                   /**< At least 4. */
    double low[3];                     /**< The hull's box. */
    double high[3];                    /**< The same. */
    double quantum;                    /**< The one epsilon: a distance from a plane, or along a ray. */
    double allowed;                    /**< The first ray that is longer ends the search. */
} vp_concavity_job;

/** What was found. */
typedef struct vp_concavity_result {
    double error;    /**< The longest ray, or the first that is longer than allowed; 0: there is none. */
    uint32_t sample; /**< Its sample: of equally long ones the first; VP_DECOMPOSE_NONE. */
} vp_concavity_result;

/* ---- kernels ---- */

/** Joins points. In their order each point joins the first kept one that is no further than `distance` away, whatever cell of a grid
 *  either is in; else it is kept. So kept points are further apart than that from each other. O(n).
 *  @return how many are kept */
typedef uint32_t vp_weld_fn(const vp_weld_job *job);

/** The concavity of a hull: the longest way from the surface, along its normals, to the hull's back face (the article's "Calcul de
 *  l'erreur de concavité").
 *
 *  Samples are taken by rows of cells, z, then y, then in their order, from those in the hull's box moved out by the quantum. Of a sample x
 *  with normal d, and a plane n, w, let a = n.x - w be how far it is above, and b = n.d how fast the ray rises. With r the diagonal of the
 *  hull's box, a ray leaves through a plane if b*r > quantum, enters through it if b*r < -quantum, and otherwise runs along it.
 *  - It must be more than the quantum below each plane that it runs along: a + quantum <= 0.
 *  - It enters at t0, the greatest of 0 and a/-b over planes it enters through: no later than the quantum.
 *  - It leaves at t1, the least -a/b over planes that it leaves through; there must be one.
 *  - Between, it must get further into the hull than its surface: t0 is less than -(a + quantum)/b for each plane it leaves through.
 *  If all is so, t1 is its length. So rays that slide along a face of the hull, as from a floor at the foot of a wall, have none.
 *  O(samples in the box * planes). */
typedef vp_concavity_result vp_concavity_fn(const vp_concavity_job *job);

/* clang-format off */
/** Kernel rows, see versions.h. */
#define VP_DECOMPOSE_KERNELS(K)                                                                   \
    K(weld, weld, NONE, "Convex decomposition", "points",                                         \
      "Joins points that are closer than a distance to the first of them.")                       \
    K(concavity, concavity, NONE, "Convex decomposition", "hulls",                                \
      "Finds the longest way from a surface to the back face of a hull, along the normals.")
/** Operation rows. */
#define VP_DECOMPOSE_OPERATIONS(O)                                                                \
    O(decompose, "Convex decomposition", "triangles",                                             \
      "Cuts a mesh into convex hulls: triangles are merged, the least error first.")
/* clang-format on */

VP_DECOMPOSE_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
