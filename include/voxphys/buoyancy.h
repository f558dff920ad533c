/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_BUOYANCY_H
#define VOXPHYS_BUOYANCY_H

#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/broadphase.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/narrowphase.h>
#include <voxphys/status.h>
#include <voxphys/terrain.h>
#include <voxphys/world.h>

/** @file buoyancy.h
 *  How much of a convex shape is in the water of a world, and where its middle is (voxel terrain article, water contacts).
 *
 *  **The water.** A water voxel (x, y, z) under another water voxel is full. Any other one is filled from y to y + (occupancy + 1)/256, as
 *  vp_voxel says. Nothing else is water: air in a cave, what is over a level, solids. So each part of a column counts once, whatever is
 * over it, and a chunk with the tag FULL_WATER is full whatever its occupancies are.
 *
 *  **The rule.** The shape is cut by vertical lines, and what each has in common with the water of its column is in closed form. Lines are
 *  at the nodes of Gauss' rule, on each piece of the shape's shadow that lies in one column and under one part of the surface: so no line
 *  jumps as the shape moves, and steep sides cost nothing. Lengths are then scaled, and their middle is moved, by what makes lines through
 *  the whole shape give its volume and centre. So a shape that is all in water has exactly these, and the parts of chunks add up.
 *
 *  **Memory.** Nothing is allocated. **Threads.** A body is used by one thread at a time; worlds and broadphases are only read.
 *  **Numbers** are binary64, by IEEE operations and square roots in a stated order: the same bits everywhere. */

#ifdef __cplusplus
extern "C" {
#endif

/** A shape reaches no further than this from its origin, along each axis, in voxels: lines are made for each column under it. */
#define VP_SUBMERGED_MOST 256.0

/** A part of a shape. */
typedef struct vp_submerged {
    double volume;    /**< In voxels; never negative. */
    double centre[3]; /**< Its middle, relative to the shape's position, along the world's axes; 0 if there is no volume. */
} vp_submerged;

/** A shape at its pose, made ready. The members are the library's; a caller may read those of `whole`, `low` and `high`. */
typedef struct vp_submerged_body {
    const vp_collide_shape *shape; /**< What it is made of. */
    double position[3];            /**< Of the shape's origin. */
    double axis[3][3];             /**< The shape's axes x, y, z, along the world's, as vp_collide_frame has them. */
    double low[3];                 /**< The shape's box, relative to its position, */
    double high[3];                /**< and its other corner. */
    vp_submerged whole;            /**< All of the shape, in closed form. */
    uint32_t nodes;                /**< Lines along each side of a piece. */
    uint32_t known;                /**< Whether `lines` is known: calls that need it make it. */
    vp_submerged lines;            /**< All of the shape, as lines have it. */
} vp_submerged_body;

/** Makes a shape ready to be asked about. O(1), of a hull O(what it holds).
 *  @param shape  must live, unchanged, as long as the body
 *  @param out    is written only if VP_OK is returned
 *  @return VP_E_ARGUMENT for NULL, for what vp_collide_shape_check and vp_collide_frame_of refuse, and for a shape that reaches further
 *          than VP_SUBMERGED_MOST. A flat shape has no volume, and is never in water. */
VP_API vp_status vp_submerged_body_of(const vp_collide_shape *shape, const vp_pose *pose, vp_submerged_body *out, vp_error *error);

/** What of a body is in the water of one chunk. O(columns of the chunk under the body * lines * height) where the chunk has water; the
 *  first such call of a body takes O(all columns under it * lines) more. O(1) where the tag says that there is none, or that all of the
 *  body is in it.
 *  @param broadphase  of the world; NULL: tags are not known
 *  @param chunk       by its coordinates; outside the world is no water
 *  @return VP_E_ARGUMENT for NULL or a broadphase of another size */
VP_API vp_status vp_submerged_in_chunk(vp_submerged_body *body, const vp_world *world, const vp_broadphase *broadphase, vp_ivec3 chunk,
                                       vp_submerged *out, vp_error *error);

/** What of a body is in water: the sum of all chunks, up to rounding. O(columns under it * lines * height); O(chunks under it) where tags
 *  say that all of them are full of water, or that none has any.
 *  @return as vp_submerged_in_chunk */
VP_API vp_status vp_submerged_in_world(vp_submerged_body *body, const vp_world *world, const vp_broadphase *broadphase, vp_submerged *out,
                                       vp_error *error);

/** The same of a terrain that others may edit meanwhile: of one version of it. Who asks for several bodies or chunks of one version begins
 *  to read (vp_terrain_begin_reading), and asks of the reader's world and broadphase.
 *  @return as vp_submerged_in_chunk */
VP_API vp_status vp_submerged_in_terrain(vp_submerged_body *body, vp_terrain *terrain, vp_submerged *out, vp_error *error);

/** Adds a part to a sum: volumes, and the centre of both. O(1). */
VP_API void vp_submerged_add(vp_submerged *sum, const vp_submerged *part);

#ifdef __cplusplus
}
#endif

#endif
