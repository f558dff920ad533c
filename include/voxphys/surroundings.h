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
#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>

/** @file
 *  Manifolds, casts, overlaps and closest points of a body on terrain, blocks and other bodies in one call.
 *
 *      const vp_surroundings around = {.terrain = &reader, .body = body, .body_count = 20};
 *      vp_surroundings_cast(&around, NULL, &mover, VP_SURROUNDINGS_NO_BODY, (vp_vec3){0, -10, 0}, &hit, &error);
 *      if (hit.on.kind == VP_SURROUNDINGS_BODY)
 *          push(hit.on.body, hit.cast.point);
 *
 *  Queries leave out the body with index `self`. They allocate only missing trees. Threads can run them at once. Each tests the box of
 *  every body, so pass only near ones of thousands. Errors are those of compound.h and casts.h. Details: docs/CONTRACT.md, SUR. */

#ifdef __cplusplus
extern "C" {
#endif

/** Material of voxels, bodies and blocks (low byte of the type), for the caller. */
typedef struct vp_material {
    float friction;
    float restitution;
    uint64_t user;
} vp_material;

/** Body, from vp_surroundings_place. */
typedef struct vp_surroundings_body {
    const vp_compound *compound; /**< Must outlive the body. */
    vp_pose pose;
    vp_aabb bounds;
    uint8_t material; /**< As in vp_surroundings.material. */
    bool at_rest;     /**< Asleep or fixed. */
} vp_surroundings_body;

/** Things that a body can meet. */
typedef struct vp_surroundings {
    const vp_terrain_reader *terrain; /**< Can be NULL. */
    vp_surface surface;
    const vp_block_view *blocks;      /**< Can be NULL. */
    const vp_surroundings_body *body; /**< [body_count] */
    uint32_t body_count;
    const vp_material *material; /**< [material_count] */
    uint32_t material_count;
} vp_surroundings;

/** Checks a body, sets at_rest = false and computes its bounds. Call it after each move. */
VP_API vp_status vp_surroundings_place(const vp_compound_body *body, uint8_t material, vp_surroundings_body *out, vp_error *error);

/** Returns a material, zero past the end. */
static inline vp_material vp_surroundings_material(const vp_surroundings *s, uint8_t number)
{
    vp_material none = {0.0f, 0.0f, 0};
    return number < s->material_count ? s->material[number] : none;
}

/** Kind of thing that was met. */
typedef enum vp_surroundings_kind {
    VP_SURROUNDINGS_NOTHING = 0,
    VP_SURROUNDINGS_TERRAIN = 1,
    VP_SURROUNDINGS_BLOCKS = 2,
    VP_SURROUNDINGS_BODY = 3
} vp_surroundings_kind;

/** Thing that was met. */
typedef struct vp_surroundings_part {
    vp_surroundings_kind kind;
    uint32_t body; /**< Valid for a VP_SURROUNDINGS_BODY. */
} vp_surroundings_part;

/** `self` to leave out no body. */
#define VP_SURROUNDINGS_NO_BODY UINT32_MAX

/** Manifold on a thing, with features that are unique there. */
typedef struct vp_surroundings_manifold {
    vp_surroundings_part on;
    vp_manifold manifold; /**< On a body at.triangle is its part, `material` its material. */
} vp_surroundings_manifold;

/** Computes a body's manifolds on terrain, blocks, then bodies by index, up to VP_MANIFOLD_DIRECTIONS on each. Ignores `surface` and
 *  `by_chunk` of `def`. After VP_E_LIMIT `out` has the deepest contacts. */
VP_API vp_status vp_surroundings_manifolds(const vp_surroundings *s, const vp_manifold_def *def, const vp_compound_body *body,
                                           uint32_t self, vp_manifold_scratch *scratch, vp_surroundings_manifold *out, uint32_t capacity,
                                           uint32_t *manifold_count, vp_error *error);

/** Computes the manifolds of all bodies that are not at rest, each pair once.
 *  @param scratch  one per task that runs at once [scratch_count]
 *  @param out      body i has `capacity` from i * capacity on [body_count * capacity]
 *  @param result   [body_count]. `count` can exceed capacity
 *  @return VP_E_ARGUMENT for an invalid margin or scratch */
VP_API vp_status vp_surroundings_manifolds_many(const vp_surroundings *s, const vp_manifold_def *def, const vp_executor *executor,
                                                vp_manifold_scratch *scratch, uint32_t scratch_count, uint32_t capacity,
                                                vp_surroundings_manifold *out, vp_manifold_result *result, vp_error *error);

/** First hit of a cast. */
typedef struct vp_surroundings_hit {
    vp_surroundings_part on; /**< VP_SURROUNDINGS_NOTHING = miss, then cast.t is 0. */
    uint32_t part;           /**< Mover's part. */
    vp_cast_hit cast;        /**< `at` as on manifolds. */
} vp_surroundings_hit;

/** Returns the first hit of a moving body's parts. Ties: SUR-3. */
VP_API vp_status vp_surroundings_cast(const vp_surroundings *s, const vp_kernels *kernels, const vp_compound_body *body, uint32_t self,
                                      vp_vec3 translation, vp_surroundings_hit *out, vp_error *error);

/** Lists the things that a body overlaps or touches. */
VP_API vp_status vp_surroundings_overlap(const vp_surroundings *s, const vp_kernels *kernels, const vp_compound_body *body, uint32_t self,
                                         vp_surroundings_part *out, uint32_t capacity, uint32_t *count, vp_error *error);

/** Closest point. */
typedef struct vp_surroundings_closest {
    vp_surroundings_part on;
    vp_closest closest; /**< `at` as on manifolds. Negative distance inside a body. */
} vp_surroundings_closest;

/** Finds the closest point of all surfaces within `max_distance`. Inside bodies the deepest part counts. */
VP_API vp_status vp_surroundings_closest_point(const vp_surroundings *s, vp_vec3 point, uint32_t self, float max_distance,
                                               vp_surroundings_closest *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
