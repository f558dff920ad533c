/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_CHARACTER_H
#define VOXPHYS_CHARACTER_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernels.h>
#include <voxphys/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>

/** @file character.h
 *  Moves an upright capsule or box: slides, steps up, sticks to the floor, stops at steep slopes.
 *
 *      vp_character walker = {.shape = &capsule, .up = VP_SIDE_Y_HIGH, .step = 0.5f, .stick = 0.5f, .slope = 50};
 *      vp_character_world world = {.reader = &reader};
 *      vp_character_move(&world, &walker, position, motion, &moved, &error);
 *      position = moved.position;
 *
 *  Nothing is allocated. Guarantees: docs/CONTRACT.md, CHR-1 to CHR-8. Method: docs/kernels/bodies.md. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_CHARACTER_HITS = 8,   /**< Maximum number of reported hits. */
    VP_CHARACTER_CASTS = 128 /**< Maximum casts of a move. Even ground takes 4. */
};

/** Obstacles. All can be 0. */
typedef struct vp_character_world {
    const vp_terrain_reader *reader; /**< NULL = no terrain. */
    vp_surface surface;              /**< 0 = VP_SURFACE_SOLID. */
    const vp_block_view *blocks;     /**< NULL = no blocks. */
    const vp_manifold_body *body;    /**< Bodies at rest. [body_count] */
    uint32_t body_count;             /**< Number of bodies. */
} vp_character_world;

/** Shape and limits. */
typedef struct vp_character {
    const vp_collide_shape *shape; /**< Capsule, which is turned upright, or box along the world's axes. */
    uint32_t up;                   /**< vp_side, such as VP_SIDE_Y_HIGH. */
    float step;                    /**< Height of steps that it climbs, voxels. 0 = none. */
    float stick;                   /**< Distance down to the floor that it follows, voxels. 0 = it falls. */
    float slope;                   /**< Steepest floor, degrees, 0 to 90. */
    const vp_kernels *kernels;     /**< NULL = default. Ignored for a terrain. */
} vp_character;

/** Ground state of a character. */
typedef enum vp_character_ground {
    VP_CHARACTER_IN_AIR = 0,    /**< Nothing below. */
    VP_CHARACTER_ON_STEEP = 1,  /**< Slides on a slope above the limit. */
    VP_CHARACTER_ON_GROUND = 2, /**< On a floor or its edge. */
} vp_character_ground;

/** Kinds of obstacles. */
typedef enum vp_character_obstacle { VP_CHARACTER_TERRAIN = 0, VP_CHARACTER_BLOCK = 1, VP_CHARACTER_BODY = 2 } vp_character_obstacle;

/** Touched obstacle. */
typedef struct vp_character_hit {
    vp_vec3 point;                  /**< Contact point, world space. */
    vp_vec3 normal;                 /**< Unit normal towards the character. */
    vp_character_obstacle obstacle; /**< Kind. */
    uint32_t body;                  /**< Index of the body. 0 = first or no body. */
    vp_terrain_triangle_id at;      /**< Triangle, as vp_cast_hit.at. None for a box among blocks only. */
    uint8_t material;               /**< Material of the triangle or block. 0 = body, or unknown. */
} vp_character_hit;

/** Result of a move. */
typedef struct vp_character_moved {
    vp_vec3 position;                        /**< Position at the end. */
    vp_vec3 velocity;                        /**< Motion without the parts that were stopped, voxels a move. */
    float remaining;                         /**< Part of the way that was not gone, 0 to 1. */
    vp_character_ground ground;              /**< Ground state at the end. */
    vp_character_hit floor;                  /**< Ground, with the normal of its face. 0 in the air. */
    vp_character_hit hit[VP_CHARACTER_HITS]; /**< First obstacles that stopped it, in order. */
    uint32_t hit_count;                      /**< Number of hits. */
    uint32_t casts;                          /**< Casts. 0 for a box among blocks only. */
    bool stepped;                            /**< Whether it climbed a step. */
    bool pushed;                             /**< Whether it overlapped at the start and was pushed out. */
    bool inside;                             /**< Whether it overlaps and found no way out. Then it stays. */
} vp_character_moved;

/** Moves a character. A box among blocks only moves like vp_block_move.
 *  @param position  centre of the shape
 *  @param motion    way of this move, with gravity, voxels
 *  @return VP_E_ARGUMENT for an invalid shape, number, body or world
 *          Errors of vp_cast_terrain, vp_cast_blocks and vp_cast_shape */
VP_API vp_status vp_character_move(const vp_character_world *world, const vp_character *character, vp_vec3 position, vp_vec3 motion,
                                   vp_character_moved *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
