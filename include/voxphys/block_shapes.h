/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_BLOCK_SHAPES_H
#define VOXPHYS_BLOCK_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/blocks.h>
#include <voxphys/kernel/kd.h>
#include <voxphys/kernels.h>
#include <voxphys/memory.h>
#include <voxphys/status.h>

/** @file
 *  Faces, meshes, collision boxes and components of blocks, and sweeps, rays and player moves through them.
 *
 *      vp_block_mover player = {.half = {0.3f, 0.9f, 0.3f}, .up = VP_SIDE_Y_HIGH, .step = 1.05f};
 *      if (vp_block_move(&held.view, &player, centre, move, &moved, &error) == VP_OK)
 *          centre = moved.centre;
 *
 *  Functions only read a view, so threads can share it. They return errors of vp_block_view_check. Terms: kernel/blocks.h. Details:
 *  docs/CONTRACT.md, BSH and CMP. */

#ifdef __cplusplus
extern "C" {
#endif

/** Checks a view.
 *  @return VP_E_ARGUMENT for chunks more than one beyond VP_BLOCKS_REACH, too many chunks, or too many types */
VP_API vp_status vp_block_view_check(const vp_block_view *view, vp_error *error);

/** Returns the block that represents 2 x 2 x 2 blocks at half the resolution (BSH-10). */
VP_API vp_block vp_block_downsample(const vp_block eight[8]);

/** Copies a chunk and one layer around it.
 *  @param edge   VP_BLOCK_EDGE, or 16 or 8 = halved once or twice (vp_block_downsample)
 *  @param sides  sides whose neighbours are copied, bits 1 << vp_side, others are empty. Leave out those shown at another size
 *  @param cell   vp_block_window [(edge + 2)^3]
 *  @return VP_E_ARGUMENT for another edge, other bits or a chunk outside the view */
VP_API vp_status vp_block_window_fill(const vp_block_view *view, vp_ivec3 chunk, uint32_t edge, uint32_t sides, vp_block *cell,
                                      vp_error *error);

/** Quad settings. */
typedef struct vp_block_quads_def {
    vp_block_window window;
    bool merged; /**< Merges faces. false = single faces, for rounded worlds. */
    bool occlusion;
    const vp_kernels *kernels;
    const vp_allocator *allocator;
} vp_block_quads_def;

/** Quads, sorted by side. */
typedef struct vp_block_quads {
    vp_block_quad *quad;               /**< [first[VP_SIDE_COUNT]] */
    uint32_t first[VP_SIDE_COUNT + 1]; /**< Side s has quads first[s] to first[s + 1] - 1. */
    uint32_t edge;
    vp_allocator allocator;
} vp_block_quads;

/** Creates quads. Temporary memory: 48 bytes a block.
 *  @return VP_E_ARGUMENT for an edge of 0 or beyond VP_BLOCK_EDGE */
VP_API vp_status vp_block_quads_create(const vp_block_quads_def *def, vp_block_quads *out, vp_error *error);
/** Destroys quads. */
VP_API void vp_block_quads_destroy(vp_block_quads *quads);

/** Rounding of a cubic planet (docs/CONTRACT.md, BSH-12). */
typedef struct vp_block_rounding {
    vp_vec3 centre; /**< Stays in place. */
    float radius;   /**< Radius of corners and edges, > 0. */
} vp_block_rounding;

/** Rounds a point (BSH-12). */
VP_API vp_vec3 vp_block_rounding_point(const vp_block_rounding *rounding, vp_vec3 point);
/** Returns the direction up at a point, length 1. 0 at the centre, or if the radius vanishes by rounding. */
VP_API vp_vec3 vp_block_rounding_up(const vp_block_rounding *rounding, vp_vec3 point);

/** Mesh settings. */
typedef struct vp_block_mesh_def {
    const vp_block_quads *quads;
    vp_ivec3 chunk;                    /**< Lowest corner / 32. */
    const vp_block_rounding *rounding; /**< NULL = none. Moves only the corners of quads. */
    const vp_allocator *allocator;
} vp_block_mesh_def;

/** Triangles of quads, counterclockwise from outside. Quad i has vertices 4i to 4i + 3 and the triangles of index[6i] to index[6i + 5]
 *  (BSH-10). */
typedef struct vp_block_mesh {
    vp_vec3 *vertex; /**< World space. [4 * quad_count] */
    uint8_t *light;  /**< 0 to 3. [4 * quad_count] */
    uint32_t *index; /**< [6 * quad_count] */
    uint32_t quad_count;
    vp_allocator allocator;
} vp_block_mesh;

/** Creates a mesh.
 *  @return VP_E_ARGUMENT for an edge that does not divide VP_BLOCK_EDGE, or a chunk outside -2^18 to 2^18 - 1 on an axis
 *          VP_E_ARGUMENT for a rounding that is not finite or whose radius is not > 0 */
VP_API vp_status vp_block_mesh_create(const vp_block_mesh_def *def, vp_block_mesh *out, vp_error *error);
/** Destroys a mesh. */
VP_API void vp_block_mesh_destroy(vp_block_mesh *mesh);

/** Returns the mesh as input of trees, while it exists. */
static inline vp_triangles vp_block_mesh_triangles(const vp_block_mesh *mesh)
{
    vp_triangles t;
    t.vertex = mesh->vertex;
    t.index = mesh->index;
    t.vertex_count = 4 * mesh->quad_count;
    t.triangle_count = 2 * mesh->quad_count;
    t.quads = false;
    return t;
}

/** Collision boxes of a chunk. */
typedef struct vp_block_boxes {
    vp_block_box *box; /**< Sorted by first block. [count] */
    uint32_t count;
    vp_allocator allocator;
} vp_block_boxes;

/** Merges blocks that collide into boxes. Temporary memory: 12 bytes a block.
 *  @return VP_E_ARGUMENT for an edge of 0 or beyond VP_BLOCK_EDGE */
VP_API vp_status vp_block_boxes_create(const vp_block_window *window, const vp_kernels *kernels, const vp_allocator *allocator,
                                       vp_block_boxes *out, vp_error *error);
/** Destroys boxes. */
VP_API void vp_block_boxes_destroy(vp_block_boxes *boxes);

/** Grid for vp_block_components_find (vp_components_job). */
typedef struct vp_block_components_def {
    vp_dims size;        /**< At most VP_COMPONENTS_MAX_CELLS cells. Can be 0. */
    const uint8_t *cell; /**< NULL = `bits`. */
    const uint64_t *bits;
    const vp_kernels *kernels;
    const vp_allocator *allocator;
} vp_block_components_def;

/** Labels the connected components of a grid. Temporary memory: 4 bytes a cell.
 *  @param label  (CMP-2) [cells]
 *  @return VP_E_ARGUMENT for too many cells, or neither bytes nor bits */
VP_API vp_status vp_block_components_find(const vp_block_components_def *def, uint32_t *label, uint32_t *count, vp_error *error);

/** Sweeps a box and returns the first block that it meets (vp_block_sweep_fn). */
VP_API vp_status vp_block_sweep(const vp_block_view *view, const vp_kernels *kernels, const vp_block_path *path, vp_block_hit *out,
                                vp_error *error);
/** Casts a ray and returns the first block that it meets (vp_block_ray_fn). */
VP_API vp_status vp_block_ray(const vp_block_view *view, const vp_kernels *kernels, const vp_block_line *line, vp_block_hit *out,
                              vp_error *error);

/** Upright box that moves through blocks. */
typedef struct vp_block_mover {
    vp_vec3 half; /**< Half extents, > 0. */
    vp_side up;   /**< 0 = VP_SIDE_X_LOW. */
    float step;   /**< Maximum height of a step. A little above 1 = one block. */
    const vp_kernels *kernels;
} vp_block_mover;

/** Result of a move. */
typedef struct vp_block_move_result {
    vp_vec3 centre;
    uint32_t sides;  /**< Sides of blocks that stopped it, bits. */
    vp_block ground; /**< Below it, within 1/64. 0 = none. */
    vp_block fluid;  /**< First met. 0 = none. */
    bool stepped;
    bool inside; /**< Began in a colliding block, and stays there. */
} vp_block_move_result;

/** Moves a box like a player: it slides along the sides that it meets, climbs steps while standing, and passes fluids. It never ends in
 *  a block if it began in none (BSH-11). Cost: O(blocks on its way).
 *  @return VP_E_ARGUMENT for a centre, half, move, step or `up` that is invalid, not finite, too large or of the wrong sign
 *          VP_E_ARGUMENT for a box whose extent vanishes by rounding */
VP_API vp_status vp_block_move(const vp_block_view *view, const vp_block_mover *mover, vp_vec3 centre, vp_vec3 move,
                               vp_block_move_result *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
