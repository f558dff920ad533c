/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_MANIFOLD_H
#define VOXPHYS_MANIFOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernel/narrowphase.h>
#include <voxphys/kernels.h>
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>

/** @file
 *  Contact manifolds of a convex shape on meshes, terrain and blocks. Chunks: contacts.h. Single triangles: narrowphase.h. Two
 *  shapes: shapes.h.
 *
 *      const vp_collide_shape box = vp_collide_box((vp_vec3){0.5f, 0.5f, 0.5f});
 *      const vp_manifold_body body = {&box, vp_pose_at((vp_vec3){16.0f, 8.375f, 12.0f})};
 *      const vp_manifold_def def = {.margin = 0.1f};
 *      vp_manifold_scratch scratch = {malloc(vp_manifold_scratch_bytes(1024)), 1024, 0};
 *      vp_terrain_acquire_reader(terrain, &reader);
 *      vp_manifold_terrain(&def, &body, &reader, &scratch, manifold, VP_MANIFOLD_DIRECTIONS, &count, &error);
 *      vp_terrain_release_reader(&reader);
 *
 *  A body wholly inside the solid has no manifold (push_out.h). Accuracy: docs/CONTRACT.md, MAN. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_MANIFOLD_POINTS = 4,    /**< Maximum per manifold. */
    VP_MANIFOLD_DIRECTIONS = 4 /**< Maximum manifolds of a body, with by_chunk per chunk. */
};

/** Contact point of a body. */
typedef struct vp_manifold_point {
    float distance;      /**< Along the normal. Negative = overlap. */
    vp_vec3 normal;      /**< Unit, from the surface to the body, corrected (vp_collide_correct). */
    vp_vec3 on_shape;    /**< World point on the shape minus the body's position. */
    vp_vec3 on_triangle; /**< Point on the triangle, likewise. */
    vp_terrain_triangle_id at;
    uint64_t feature; /**< For warm starting, unique per body, with by_chunk per chunk (MAN-5). */
    uint8_t material;
    uint8_t unused[5];
    uint16_t part; /**< Compound's part, otherwise 0. */
} vp_manifold_point;

/** Contact points of a body along one direction. */
typedef struct vp_manifold {
    uint32_t chunk; /**< VP_COLLIDE_NO_CHUNK without def->by_chunk. */
    uint32_t count;
    vp_vec3 normal; /**< Within 5 degrees of the points' normals (MAN-1). */
    uint32_t unused;
    vp_manifold_point point[VP_MANIFOLD_POINTS]; /**< Deepest first, ties by feature. The rest is zero. */
} vp_manifold;

/** All 0 = touching points of the solid surface. */
typedef struct vp_manifold_def {
    const vp_kernels *kernels;
    float margin; /**< Maximum distance of points, finite (MAN-7). */
    vp_surface surface;
    bool by_chunk;  /**< Separate manifolds for each chunk, for contact managers. */
    vp_vec3 motion; /**< Expected motion of the body (MAN-12). */
} vp_manifold_def;

/** Body to collide. */
typedef struct vp_manifold_body {
    const vp_collide_shape *shape; /**< Read during the call. */
    vp_pose pose;
} vp_manifold_body;

/** Minimum scratch capacity. */
#define VP_MANIFOLD_MIN_TRIANGLES 128u
/** Maximum scratch capacity. */
#define VP_MANIFOLD_MAX_TRIANGLES 1048576u

/** Working memory of the caller, for one thread at a time. */
typedef struct vp_manifold_scratch {
    void *memory;      /**< vp_manifold_scratch_bytes(capacity), aligned like malloc. */
    uint32_t capacity; /**< Maximum triangles that a body touches. On blocks and meshes, also those that share a corner. */
    uint32_t needed;   /**< Capacity that suffices for the last call (MAN-6). */
} vp_manifold_scratch;

/** Returns the scratch size, bytes, about 773 a triangle. 0 for an invalid capacity. */
VP_API size_t vp_manifold_scratch_bytes(uint32_t capacity);

/** Computes a body's manifolds on a mesh (MAN).
 *  @param triangle        connected triangles (vp_collide_connect), of any chunks [count]
 *  @param out             deepest first, with def->by_chunk chunk by chunk [capacity]
 *  @param manifold_count  total, 0 after errors except VP_E_LIMIT
 *  @return errors of vp_collide_correct
 *          VP_E_LIMIT if the scratch is too small. `out` then has the deepest contacts (MAN-8) */
VP_API vp_status vp_manifold_mesh(const vp_manifold_def *def, const vp_manifold_body *body, const vp_collide_triangle *triangle,
                                  uint32_t count, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                  uint32_t *manifold_count, vp_error *error);

/** Like vp_manifold_mesh, against the terrain version of a reader. Builds missing trees. Errors also of vp_terrain_gather_triangles. */
VP_API vp_status vp_manifold_terrain(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain_reader *reader,
                                     vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count,
                                     vp_error *error);

/** Manifolds kept for one body. All 0 = empty. Only `is_reused` is for the caller. */
typedef struct vp_manifold_cache {
    vp_manifold manifold[VP_MANIFOLD_DIRECTIONS];
    const void *terrain;
    uint64_t edits;
    vp_collide_shape shape;
    vp_pose pose;
    float margin;
    uint32_t count;
    vp_surface surface;
    uint32_t first[3], last[3];
    bool by_chunk;
    bool is_reused; /**< By the last call. */
} vp_manifold_cache;

/** Like vp_manifold_terrain, but reuses kept manifolds, moved with the body, if it moved by at most `tolerance` since and no chunk near
 *  it was edited (MAN-11).
 *  @param tolerance  maximum motion of the shape's points, 0 to def->margin
 *  @param cache      empty it before a hull of the body is destroyed
 *  @return errors of vp_manifold_terrain */
VP_API vp_status vp_manifold_terrain_cached(const vp_manifold_def *def, const vp_manifold_body *body, const vp_terrain_reader *reader,
                                            float tolerance, vp_manifold_cache *cache, vp_manifold_scratch *scratch, vp_manifold *out,
                                            uint32_t capacity, uint32_t *manifold_count, vp_error *error);

/** Like vp_manifold_mesh, against colliding blocks. Cost: O(blocks under the body's box and triangles).
 *  @return also errors of vp_block_view_check, VP_E_ARGUMENT for a body at VP_COLLIDE_BLOCK_REACH or beyond */
VP_API vp_status vp_manifold_blocks(const vp_manifold_def *def, const vp_manifold_body *body, const vp_block_view *view,
                                    vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity, uint32_t *manifold_count,
                                    vp_error *error);

/** Result of one body of a batch. */
typedef struct vp_manifold_result {
    uint32_t first;
    uint32_t count;
    vp_status status; /**< VP_E_LIMIT = the deepest contacts. Other errors = no contacts. */
} vp_manifold_result;

/** Computes the manifolds of many bodies on one terrain version. A body that fails stops no other.
 *  @param out             in order of the bodies [capacity]
 *  @param result          [count]. For a message, call vp_manifold_terrain
 *  @param manifold_count  total, 0 after an error
 *  @return VP_E_ARGUMENT for an invalid margin, scratch or reader */
VP_API vp_status vp_manifold_terrain_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count,
                                          const vp_terrain_reader *reader, vp_manifold_scratch *scratch, vp_manifold *out,
                                          uint32_t capacity, vp_manifold_result *result, uint32_t *manifold_count, vp_error *error);

/** Like vp_manifold_terrain_many, against blocks. Errors also of vp_block_view_check. */
VP_API vp_status vp_manifold_blocks_many(const vp_manifold_def *def, const vp_manifold_body *body, uint32_t count,
                                         const vp_block_view *view, vp_manifold_scratch *scratch, vp_manifold *out, uint32_t capacity,
                                         vp_manifold_result *result, uint32_t *manifold_count, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
