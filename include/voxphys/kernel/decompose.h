/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_DECOMPOSE_H
#define VOXPHYS_KERNEL_DECOMPOSE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>

/** @file
 *  Kernels of the convex decomposition. Details: docs/kernels/decompose.md, docs/CONTRACT.md, DEC. */

#ifdef __cplusplus
extern "C" {
#endif

/** No sample, vertex or triangle. */
#define VP_DECOMPOSE_NONE UINT32_MAX

/** Job of weld. */
typedef struct vp_weld_job {
    const vp_vec3 *point; /**< Finite, without -0, sorted by x, y, z. [count] */
    uint32_t count;       /**< Up to VP_HULL_MAX_POINTS. */
    double distance;      /**< Maximum, > 0, at least 2^-40 of the box's longest side. */
    void *scratch;        /**< 8-byte aligned. [vp_weld_scratch_bytes(count)] */
    uint32_t *joins;      /**< Kept point that each point joins, or itself. [count] */
} vp_weld_job;

/** Returns the cells of the table of kept points, a power of two. */
static inline size_t vp_weld_cells(uint32_t count)
{
    size_t cells = 16;
    while (cells < 2 * VP_CAST(size_t, count))
        cells *= 2;
    return cells;
}

/** Returns the scratch size of weld, bytes. */
static inline size_t vp_weld_scratch_bytes(uint32_t count)
{
    return vp_weld_cells(count) * 4 + VP_CAST(size_t, count) * 28;
}

/** Triangles of a block. */
#define VP_SURFACE_LANES 8

/** Triangles of a surface. Unused lanes are 0. */
typedef struct vp_surface_block {
    double normal[3][VP_SURFACE_LANES];    /**< Outward, unit. */
    double offset[VP_SURFACE_LANES];       /**< normal.corner. */
    double corner[3][3][VP_SURFACE_LANES]; /**< Corner, axis. */
    uint32_t first[VP_SURFACE_LANES + 1];  /**< First sample of each, and the end. */
} vp_surface_block;

/** Box of samples. */
typedef struct vp_surface_box {
    double low[3];
    double high[3];
    uint32_t next;  /**< First box after those inside this one. */
    uint32_t block; /**< VP_DECOMPOSE_NONE = the next boxes are inside. */
} vp_surface_box;

/** Samples, and a tree of boxes, depth first. */
typedef struct vp_surface_samples {
    const double (*point)[3];
    const vp_surface_block *block;
    const vp_surface_box *box; /**< [boxes] */
    uint32_t boxes;
    void (*place)(void *user, uint32_t block, uint32_t lane); /**< NULL, or called before samples are read. */
    void *user;
} vp_surface_samples;

/** Job of concavity. `low` to `high` is the points' box. */
typedef struct vp_concavity_job {
    const vp_surface_samples *samples;
    const vp_vec3 *point; /**< Of the hull. [points] */
    uint32_t points;
    uint32_t planes;          /**< At least 4. */
    const double (*plane)[4]; /**< Outward unit normal and offset. [planes] */
    double low[3];
    double high[3];
    double quantum; /**< Tolerance. */
    double allowed; /**< A longer ray ends the search. */
} vp_concavity_job;

/** Result of concavity. */
typedef struct vp_concavity_result {
    double error;    /**< Longest ray, or the first above `allowed`. 0 = none. */
    uint32_t sample; /**< First such one, or VP_DECOMPOSE_NONE. */
} vp_concavity_result;

/** Joins each point to the first kept point within `distance`, or keeps it (DEC-1). @return number of kept points */
typedef uint32_t vp_weld_fn(const vp_weld_job *job);

/** Computes the longest ray from a sample along its normal to the back of the hull (docs/kernels/decompose.md, "Rays of samples").
 *  Cost: O(triangles in the box * points + samples with the hull in front * planes). */
typedef vp_concavity_result vp_concavity_fn(const vp_concavity_job *job);

/* clang-format off */
/** Kernels. */
#define VP_DECOMPOSE_KERNELS(K)                                                                   \
    K(weld, weld, NONE, "Convex decomposition", "points",                                         \
      "Joins points that are closer than a distance to the first of them.")                       \
    K(concavity, concavity, ALL, "Convex decomposition", "hulls",                                 \
      "Finds the longest way from a surface to the back face of a hull, along the normals.")
/** Operations. */
#define VP_DECOMPOSE_OPERATIONS(O)                                                                \
    O(decompose, "Convex decomposition", "triangles",                                             \
      "Cuts a mesh into convex hulls: triangles are merged, the least error first.")
/* clang-format on */

VP_DECOMPOSE_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
