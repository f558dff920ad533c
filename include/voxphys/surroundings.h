/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_SURROUNDINGS_H
#define VOXPHYS_SURROUNDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/casts.h>
#include <voxphys/compound.h>
#include <voxphys/executor.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernels.h>
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>

/** @file surroundings.h
 *  All that a body can meet, in one struct: a terrain, blocks and other bodies. Each query asks all of them, and each answer names what
 *  it is on.
 *
 *      const vp_surroundings around = {.terrain = &reader, .blocks = &view, .body = body, .body_count = 20};
 *      vp_surroundings_cast(&around, NULL, &mover, VP_SURROUNDINGS_NO_BODY, (vp_vec3){0, -10, 0}, &hit, &error);
 *      if (hit.on.kind == VP_SURROUNDINGS_BODY)
 *          push(hit.on.body, hit.hit.point);
 *
 *  Queries allocate nothing and share nothing. Any number of threads may ask at once, as long as the reader reads and no body changes.
 *  Bodies have no tree. Each query tests its box against the box of each body. Pass the bodies near a place if there are thousands.
 *  Guarantees: docs/CONTRACT.md, SUR-1 to SUR-5. */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- materials ---- */

/** Properties of a material. A number of it stands in voxels, in blocks (the low byte of their type) and in bodies. */
typedef struct vp_material {
    float friction;    /**< For the caller's solver. */
    float restitution; /**< For the caller's solver. */
    uint64_t user;     /**< For the caller. */
} vp_material;

/* ---- what is there ---- */

/** Body among others. Made by vp_surroundings_place. */
typedef struct vp_surroundings_body {
    const vp_compound *compound; /**< Only read. Lives as long as the body. */
    vp_pose pose;                /**< Pose in world space. */
    vp_aabb bounds;              /**< Box that holds all parts, world space. */
    uint8_t material;            /**< Number in the table of materials. */
    bool still;                  /**< Asleep or fixed. vp_surroundings_manifolds_many does not ask for it. */
} vp_surroundings_body;

/** All that a body can meet. Only read. */
typedef struct vp_surroundings {
    const vp_terrain_reader *terrain; /**< Reader that is reading. NULL = no terrain. */
    vp_surface surface;               /**< Surface of the terrain. 0 = VP_SURFACE_SOLID. */
    const vp_block_view *blocks;      /**< NULL = no blocks. */
    const vp_surroundings_body *body; /**< Bodies [body_count]. */
    uint32_t body_count;              /**< Number of bodies. */
    const vp_material *material;      /**< Table of materials [material_count]. */
    uint32_t material_count;          /**< Number of materials. */
} vp_surroundings;

/** Makes a body. Checks the compound and the pose, and computes the bounds. Call it again after the body has moved. O(parts).
 *  @param material  number in the table of materials
 *  @param out       awake
 *  @return VP_E_ARGUMENT for an invalid compound or pose; `out` is unchanged then */
VP_API vp_status vp_surroundings_place(const vp_compound_body *body, uint8_t material, vp_surroundings_body *out, vp_error *error);

/** Returns a material by the number in a hit, a point or a body. All zero past the end of the table. O(1). */
static inline vp_material vp_surroundings_material(const vp_surroundings *s, uint8_t number)
{
    vp_material none = {0.0f, 0.0f, 0};
    return number < s->material_count ? s->material[number] : none;
}

/** Kind of thing that was met. */
typedef enum vp_surroundings_kind {
    VP_SURROUNDINGS_NOTHING = 0, /**< Nothing was met. */
    VP_SURROUNDINGS_TERRAIN = 1, /**< The terrain. */
    VP_SURROUNDINGS_BLOCKS = 2,  /**< The blocks. */
    VP_SURROUNDINGS_BODY = 3     /**< A body. */
} vp_surroundings_kind;

/** Thing that was met. */
typedef struct vp_surroundings_part {
    vp_surroundings_kind kind; /**< Kind. */
    uint32_t body;             /**< Index of the body. 0 of other kinds. */
} vp_surroundings_part;

/** Index of a body that is not among the bodies. */
#define VP_SURROUNDINGS_NO_BODY UINT32_MAX

/* ---- manifolds ---- */

/** Manifold, and what it is on. Its features are unique among those on the same thing. */
typedef struct vp_surroundings_manifold {
    vp_surroundings_part on; /**< Thing. */
    vp_manifold manifold;    /**< Of a body `material` is the body's and at.triangle its part. */
} vp_surroundings_manifold;

/** Computes the manifolds of a body against all surroundings. On each thing there are up to VP_MANIFOLD_DIRECTIONS, as the
 *  calls of compound.h return them.
 *  Cost: these calls, and a box test for each body.
 *  @param def   settings. `surface` and `whole` are ignored. Manifolds are of all chunks together
 *  @param self  index of the body among the bodies, which is left out. VP_SURROUNDINGS_NO_BODY = none
 *  @param out   manifolds on the terrain, then on blocks, then on bodies by index [capacity]
 *  @param made  number of manifolds, can exceed capacity
 *  @return errors of vp_manifold_compound_terrain, _blocks and vp_manifold_compounds. After VP_E_LIMIT `out` has the deepest contacts */
VP_API vp_status vp_surroundings_manifolds(const vp_surroundings *s, const vp_manifold_def *def, const vp_compound_body *body,
                                           uint32_t self, vp_manifold_scratch *scratch, vp_surroundings_manifold *out, uint32_t capacity,
                                           uint32_t *made, vp_error *error);

/** Computes the manifolds of all bodies that are not still, each pair once. A body has those on the terrain, on blocks, on still bodies
 *  and on later bodies. Does not depend on the number of threads. Cost: a box test for each pair, and vp_surroundings_manifolds of each.
 *  @param executor  NULL = the calling thread
 *  @param scratch   one for each task that runs at once [scratch_count]
 *  @param room      capacity of each body, in manifolds
 *  @param out       manifolds of body i from i * room on [body_count * room]
 *  @param result    result of each body. `count` can exceed room [body_count]
 *  @return VP_E_ARGUMENT for an invalid margin or scratch, and errors of vp_kernels_default. `result` is unchanged then */
VP_API vp_status vp_surroundings_manifolds_many(const vp_surroundings *s, const vp_manifold_def *def, const vp_executor *executor,
                                                vp_manifold_scratch *scratch, uint32_t scratch_count, uint32_t room,
                                                vp_surroundings_manifold *out, vp_manifold_result *result, vp_error *error);

/* ---- casts, overlap, closest point ---- */

/** First hit of a cast, and what it is on. */
typedef struct vp_surroundings_hit {
    vp_surroundings_part on; /**< Thing. VP_SURROUNDINGS_NOTHING = a miss. */
    uint32_t part;           /**< Part of the moving body. */
    vp_cast_hit hit;         /**< Of a body `material` is the body's and at.triangle its part. */
} vp_surroundings_hit;

/** Casts a body through all surroundings and returns the first hit of any part. Ties: the deepest of those inside at the start, then
 *  terrain, blocks, bodies by index. Cost: a cast of each part on each thing, and a box test for each body.
 *  @param kernels  NULL = vp_kernels_default()
 *  @param self     index of the body, which is left out, or VP_SURROUNDINGS_NO_BODY
 *  @return errors of vp_cast_terrain, vp_cast_blocks, vp_cast_shape and vp_compound_check; `out` is unchanged then */
VP_API vp_status vp_surroundings_cast(const vp_surroundings *s, const vp_kernels *kernels, const vp_compound_body *body, uint32_t self,
                                      vp_vec3 translation, vp_surroundings_hit *out, vp_error *error);

/** Lists all that a body overlaps or touches: the terrain, blocks, bodies by index.
 *  @param out    the first things [capacity]
 *  @param count  number of things, can exceed capacity
 *  @return errors as vp_surroundings_cast; `count` is unchanged then */
VP_API vp_status vp_surroundings_overlap(const vp_surroundings *s, const vp_kernels *kernels, const vp_compound_body *body, uint32_t self,
                                         vp_surroundings_part *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** Closest point, and what it is on. */
typedef struct vp_surroundings_closest {
    vp_surroundings_part on; /**< Thing. VP_SURROUNDINGS_NOTHING = nothing is near enough. */
    vp_closest closest;      /**< Of a body `distance` is negative inside it, `material` is the body's and at.triangle its part. */
} vp_surroundings_closest;

/** Finds the point of all surfaces that is closest to a point. Inside a body the distance is negative, so the deepest part counts.
 *  Ties: terrain, blocks, bodies by index. Cost: vp_closest_terrain and _blocks up to the best distance, and a box test for each body.
 *  @param self          index of a body to leave out, or VP_SURROUNDINGS_NO_BODY
 *  @param max_distance  >= 0, INFINITY = any
 *  @return errors of vp_closest_terrain, vp_closest_blocks and vp_point_shape; `out` is unchanged then */
VP_API vp_status vp_surroundings_closest_point(const vp_surroundings *s, vp_vec3 point, uint32_t self, float max_distance,
                                               vp_surroundings_closest *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
