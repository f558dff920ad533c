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

/** Samples of a surface, sorted into a grid. Cell (x, y, z) is c = (z*cells.y + y)*cells.x + x and has samples
 *  first[c] to first[c + 1] - 1. Sample p is in cell floor((p - low)/cell) of each axis, at most the last cell. */
typedef struct vp_surface_samples {
    const double (*point)[3];
    const double (*normal)[3]; /**< Outward, unit. */
    const uint32_t *first;     /**< By cell. [cells + 1] */
    vp_dims cells;
    double low[3];
    double cell;
} vp_surface_samples;

/** Job of concavity. The box `low` to `high` is that of the hull, with at least 4 planes. */
typedef struct vp_concavity_job {
    const vp_surface_samples *samples;
    const double (*plane)[4]; /**< Outward unit normal and offset. [planes] */
    uint32_t planes;
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
 *  Cost: O(samples in the box * planes). */
typedef vp_concavity_result vp_concavity_fn(const vp_concavity_job *job);

/* clang-format off */
/** Kernels. */
#define VP_DECOMPOSE_KERNELS(K)                                                                   \
    K(weld, weld, NONE, "Convex decomposition", "points",                                         \
      "Joins points that are closer than a distance to the first of them.")                       \
    K(concavity, concavity, NONE, "Convex decomposition", "hulls",                                \
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
