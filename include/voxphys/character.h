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
 *  Moves an upright capsule or box through terrain, blocks and bodies: slides, steps up, sticks to the floor, stops at steep slopes.
 *
 *      const vp_collide_shape capsule = vp_collide_capsule(0.4f, 0.5f);
 *      vp_character walker = {.shape = &capsule, .up = VP_SIDE_Y_HIGH, .step = 0.5f, .stick = 0.5f, .slope = 50};
 *      vp_character_world world = {.reader = &reader};
 *      vp_character_result moved;
 *      vp_character_move(&world, &walker, position, motion, &moved, &error);
 *      position = moved.position;
 *
 *  Nothing is allocated. Guarantees: docs/CONTRACT.md, CHR-1 to CHR-8. Method: docs/kernels/bodies.md. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VP_CHARACTER_HITS = 8,   /**< Maximum number of reported hits. */
    VP_CHARACTER_CASTS = 128 /**< Maximum number of casts of a move. A move on even ground takes 4. */
};

/** Obstacles of a character. All members can be zero. */
typedef struct vp_character_world {
    const vp_terrain_reader *reader; /**< Terrain. NULL = none. */
    vp_surface surface;              /**< Surface of the terrain. 0 = VP_SURFACE_SOLID. */
    const vp_block_view *blocks;     /**< Blocks. NULL = none. */
    const vp_manifold_body *body;    /**< Other bodies, which rest during the move. [body_count] */
    uint32_t body_count;             /**< Number of bodies. */
} vp_character_world;

/** Shape and limits of a character. */
typedef struct vp_character {
    const vp_collide_shape *shape; /**< A capsule, whose axis is turned upright, or a box along the world's axes. */
    uint32_t up;                   /**< vp_side: upward direction, for example VP_SIDE_Y_HIGH. */
    float step;                    /**< Height of steps that a standing character climbs, voxels. 0 = none. */
    float stick;                   /**< Distance down to the floor that a standing character follows, voxels. 0 = it falls. */
    float slope;                   /**< Angle of the steepest floor, degrees, 0 to 90. */
    const vp_kernels *kernels;     /**< NULL = vp_kernels_default(); ignored for a terrain. */
} vp_character;

/** Ground state of a character. */
typedef enum vp_character_ground {
    VP_CHARACTER_IN_AIR = 0,    /**< Nothing below. */
    VP_CHARACTER_ON_STEEP = 1,  /**< On a slope above the limit. It slides. */
    VP_CHARACTER_ON_GROUND = 2, /**< On a floor, or on an edge of one. */
} vp_character_ground;

/** Kinds of obstacles. */
typedef enum vp_character_obstacle {
    VP_CHARACTER_TERRAIN = 0, /**< Triangle of the terrain. */
    VP_CHARACTER_BLOCK = 1,   /**< Block. */
    VP_CHARACTER_BODY = 2     /**< Body. */
} vp_character_obstacle;

/** Obstacle that a character touched. */
typedef struct vp_character_hit {
    vp_vec3 point;                  /**< Contact point, world space. */
    vp_vec3 normal;                 /**< Contact normal towards the character, length 1. */
    vp_character_obstacle obstacle; /**< Kind of the obstacle. */
    uint32_t body;                  /**< Index of the body. 0 = first body or no body. */
    vp_terrain_triangle_id at;      /**< Triangle, as of vp_cast_hit. A box in a world of blocks only: none. */
    uint8_t material;               /**< Material of the triangle or low byte of the block's type. 0 = body, or unknown. */
} vp_character_hit;

/** Result of a move. */
typedef struct vp_character_result {
    vp_vec3 position;                        /**< Position at the end. */
    vp_vec3 velocity;                        /**< The motion without the parts that obstacles and floor stopped, voxels a move. */
    float remaining;                         /**< Part of the way that was not gone. 0 = all was gone, 1 = stopped at once. */
    vp_character_ground ground;              /**< Ground state at the end. */
    vp_character_hit floor;                  /**< The ground. Its normal is that of the floor's face. Zero in the air. */
    vp_character_hit hit[VP_CHARACTER_HITS]; /**< The first obstacles that stopped it, in order. The rest is zero. */
    uint32_t hit_count;                      /**< Number of elements of `hit`. */
    uint32_t casts;                          /**< Number of casts. 0 for a box in a world of blocks only. */
    bool stepped;                            /**< Whether it climbed a step. */
    bool pushed;                             /**< Whether it overlapped at the start and was pushed out first. */
    bool inside;                             /**< Whether it overlaps and found no way out. Then it stays where it is. */
} vp_character_result;

/** Moves a character. A box in a world of blocks only moves as by vp_block_move, then sticks to the floor.
 *  @param position  centre of the shape
 *  @param motion    way of this move, with gravity, voxels
 *  @return VP_E_ARGUMENT for a shape that is neither capsule nor box, an invalid shape, number, body or world, and the errors of
 *          vp_cast_terrain, vp_cast_blocks and vp_cast_shape. `out` is unchanged then */
VP_API vp_status vp_character_move(const vp_character_world *world, const vp_character *character, vp_vec3 position, vp_vec3 motion,
                                   vp_character_result *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
