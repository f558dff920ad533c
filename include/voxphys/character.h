/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_CHARACTER_H
#define VOXPHYS_CHARACTER_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernels.h>
#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>

/** @file
 *  Moves an upright capsule or box: slides, steps up, sticks to the floor, stops at steep slopes.
 *
 *      vp_character walker = {.shape = &capsule, .up = VP_SIDE_Y_HIGH, .step = 0.5f, .stick = 0.5f, .slope = 50};
 *      vp_character_world world = {.reader = &reader};
 *      vp_character_move(&world, &walker, position, motion, &moved, &error);
 *      position = moved.position;
 *
 *  It stops about 0.001 voxels above surfaces, so a manifold with margin 0 has no contact there. It allocates only missing trees. Details:
 *  docs/kernels/bodies.md, docs/CONTRACT.md, CHR. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_CHARACTER_HITS = 8,   /**< Maximum hits. */
    VP_CHARACTER_CASTS = 128 /**< Maximum casts. Flat ground takes 4. */
};

/** Obstacles. */
typedef struct vp_character_world {
    const vp_terrain_reader *reader; /**< Can be NULL. */
    vp_surface surface;
    const vp_block_view *blocks;  /**< Can be NULL. */
    const vp_manifold_body *body; /**< At rest. [body_count] */
    uint32_t body_count;
} vp_character_world;

/** Shape and limits. */
typedef struct vp_character {
    const vp_collide_shape *shape; /**< Upright capsule, or box along the world's axes. */
    vp_side up;                    /**< Usually VP_SIDE_Y_HIGH. 0 = VP_SIDE_X_LOW. */
    float step;                    /**< Height of steps. 0 = none. */
    float stick;                   /**< Snap distance: follows a floor up to this far below. 0 = off. */
    float slope;                   /**< Steepest floor, degrees, 0 to 90. With 0 every hill is steep. */
    const vp_kernels *kernels;     /**< Ignored for a terrain. */
} vp_character;

/** Ground state of a character. */
typedef enum vp_character_ground {
    VP_CHARACTER_IN_AIR = 0,
    VP_CHARACTER_ON_STEEP = 1, /**< Slides. */
    VP_CHARACTER_ON_GROUND = 2,
} vp_character_ground;

/** Kinds of obstacles. */
typedef enum vp_character_obstacle { VP_CHARACTER_TERRAIN = 0, VP_CHARACTER_BLOCK = 1, VP_CHARACTER_BODY = 2 } vp_character_obstacle;

/** Touched obstacle. */
typedef struct vp_character_hit {
    vp_vec3 point;
    vp_vec3 normal; /**< Unit, towards the character. */
    vp_character_obstacle obstacle;
    uint32_t body;             /**< Valid for a VP_CHARACTER_BODY. */
    vp_terrain_triangle_id at; /**< As vp_cast_hit.at. */
    uint8_t material;          /**< 0 = body, or unknown. */
} vp_character_hit;

/** Result of a move. */
typedef struct vp_character_result {
    vp_vec3 position;
    vp_vec3 velocity; /**< Given motion without its stopped parts, voxels per move. Divide by the time step for a velocity. */
    float remaining;  /**< Part of the way left, 0 to 1. */
    vp_character_ground ground;
    vp_character_hit floor;                  /**< Zero in the air. */
    vp_character_hit hit[VP_CHARACTER_HITS]; /**< First that stopped it, floors included. */
    uint32_t hit_count;
    uint32_t casts; /**< 0 for a box among blocks only. */
    bool stepped;
    bool pushed; /**< Overlapped at the start and was pushed out. */
    bool inside; /**< Overlaps, found no way out and stays. */
} vp_character_result;

/** Moves a character. A box among blocks only moves like vp_block_move. `position` is the shape's centre, `motion` includes gravity.
 *  @return errors of vp_cast_terrain, vp_cast_blocks and vp_cast_shape */
VP_API vp_status vp_character_move(const vp_character_world *world, const vp_character *character, vp_vec3 position, vp_vec3 motion,
                                   vp_character_result *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
