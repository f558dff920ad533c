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

/** @file block_shapes.h
 *  What is made of blocks: faces and meshes to draw or to collide with, boxes, components; sweeps, rays, and the moving of a player.
 * Source: third article, "Les bases d'un voxel engine". What the answers are is said in kernel/blocks.h.
 *
 *  Everything here reads a vp_block_view, and changes nothing: any number of threads may ask at once. */

#ifdef __cplusplus
extern "C" {
#endif

/** Whether a view can be asked: O(1).
 *  @return VP_E_ARGUMENT for chunks more than one beyond VP_BLOCKS_REACH, or more of them than fit into memory; for a table that is too
 *          long. */
VP_API vp_status vp_block_view_check(const vp_block_view *view, vp_error *error);

/* ---- windows ---- */

/** What stands for 2 x 2 x 2 blocks, seen from afar: nothing if fewer than four of them are something; else the type that most of them
 *  have, of several the lowest. */
VP_API vp_block vp_block_downsample(const vp_block eight[8]);

/** A chunk and what is around it, as faces and boxes are made of it. O(blocks).
 *  @param edge   VP_BLOCK_EDGE: as it is; 16 or 8: halved once or twice, see vp_block_downsample, and so is what is around it
 *  @param sides  bits 1 << side: to which it looks at its neighbours. VP_SIDES_ALL; 0: as if it were alone; without those sides where the
 *                neighbour is shown at another size, so that there is no hole between them
 *  @param cell   out: (edge + 2)^3 of them, see vp_block_window
 *  @return VP_E_ARGUMENT for another edge, other bits, a chunk outside of the view; what vp_block_view_check returns */
VP_API vp_status vp_block_window_fill(const vp_block_view *view, vp_ivec3 chunk, uint32_t edge, uint32_t sides, vp_block *cell,
                                      vp_error *error);

/* ---- faces ---- */

/** What quads are made of. */
typedef struct vp_block_quads_def {
    vp_block_window window;        /**< The chunk and what is around it. */
    bool merged;                   /**< Rectangles; else single faces, which deformed worlds need. */
    bool occlusion;                /**< Whether light at corners is told. */
    const vp_kernels *kernels;     /**< NULL: as vp_kernels_default says. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_block_quads_def;

/** Quads, side by side. */
typedef struct vp_block_quads {
    vp_block_quad *quad;               /**< All of them. */
    uint32_t first[VP_SIDE_COUNT + 1]; /**< Those of side s are first[s] to first[s + 1] - 1. */
    uint32_t edge;                     /**< The window's. */
    vp_allocator allocator;            /**< Where they come from. */
} vp_block_quads;

/** Makes quads. O(blocks); while it runs it needs 48 bytes a block.
 *  @return VP_E_ARGUMENT for a window with an edge of 0 or beyond VP_BLOCK_EDGE; VP_E_MEMORY; VP_E_UNSUPPORTED and VP_E_ARGUMENT of
 *          VOXPHYS_ISA */
VP_API vp_status vp_block_quads_create(const vp_block_quads_def *def, vp_block_quads *out, vp_error *error);
/** Frees them; what is all zero bytes is left alone. */
VP_API void vp_block_quads_destroy(vp_block_quads *quads);

/** A planet whose corners are round: every cube around the centre becomes one whose corners and edges have a radius. With d the largest
 *  of |x|, |y|, |z| from the centre, and q the nearest point of the cube of half side max(d - radius, 0), a point p goes to q +
 *  min(radius, d) (p - q) / |p - q|. Source: the article names it ("une déformation liée à la gravité"), its program has it. */
typedef struct vp_block_rounding {
    vp_vec3 centre; /**< It stays where it is. */
    float radius;   /**< Above 0. */
} vp_block_rounding;

/** Where a point goes. In binary64, in the order above, squares added as x, y, z, each coordinate rounded to binary32 in the end. O(1). */
VP_API vp_vec3 vp_block_rounding_point(const vp_block_rounding *rounding, vp_vec3 point);
/** Which way is up at a point of the cube, before it is moved: of p - q, with length 1 up to rounding; 0 at the centre, and where d -
 * radius is d, rounded. */
VP_API vp_vec3 vp_block_rounding_up(const vp_block_rounding *rounding, vp_vec3 point);

/** What a mesh is made of. */
typedef struct vp_block_mesh_def {
    const vp_block_quads *quads;       /**< Of the window of a chunk: as it is, or halved. */
    vp_ivec3 chunk;                    /**< Where it lies: at 32 times that. */
    const vp_block_rounding *rounding; /**< NULL: as it is. Of merged quads the corners alone move. */
    const vp_allocator *allocator;     /**< NULL: C's own. */
} vp_block_mesh_def;

/** Triangles of quads, counterclockwise seen from outside. Vertices 4i to 4i + 3 and the two triangles of index[6i] on are of quad i; so
 *  the triangles of side s begin at index[6 * first[s]]. The two have the diagonal that joins the lighter pair of opposite corners,
 *  of equal ones that from low u and v to high, so that light fades alike whichever way a quad is turned. */
typedef struct vp_block_mesh {
    vp_vec3 *vertex;        /**< In the world. */
    uint8_t *light;         /**< Of each vertex: 0 to 3. */
    uint32_t *index;        /**< Of vertices, three a triangle. */
    uint32_t quad_count;    /**< How many quads. */
    vp_allocator allocator; /**< Where the arrays come from. */
} vp_block_mesh;

/** Makes a mesh. O(quads).
 *  @return VP_E_ARGUMENT for an edge of quads that doesn't divide VP_BLOCK_EDGE, a chunk beyond +-2^18, where corners are no longer exact,
 *          a rounding whose centre or radius is not finite, or whose radius isn't above 0; VP_E_MEMORY */
VP_API vp_status vp_block_mesh_create(const vp_block_mesh_def *def, vp_block_mesh *out, vp_error *error);
/** Frees it; what is all zero bytes is left alone. */
VP_API void vp_block_mesh_destroy(vp_block_mesh *mesh);

/** A mesh as trees take it, valid as long as it is. */
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

/* ---- boxes ---- */

/** Boxes of a chunk. */
typedef struct vp_block_boxes {
    vp_block_box *box;      /**< In the order of their first blocks. */
    uint32_t count;         /**< How many. */
    vp_allocator allocator; /**< Where they come from. */
} vp_block_boxes;

/** Merges blocks that collide into boxes. O(blocks); while it runs it needs 12 bytes a block.
 *  @param kernels    NULL: as vp_kernels_default says
 *  @param allocator  NULL: C's own
 *  @return VP_E_ARGUMENT for a window with an edge of 0 or beyond VP_BLOCK_EDGE; VP_E_MEMORY; what vp_kernels_default returns */
VP_API vp_status vp_block_boxes_create(const vp_block_window *window, const vp_kernels *kernels, const vp_allocator *allocator,
                                       vp_block_boxes *out, vp_error *error);
/** Frees them; what is all zero bytes is left alone. */
VP_API void vp_block_boxes_destroy(vp_block_boxes *boxes);

/* ---- components ---- */

/** A grid: see vp_components_job. */
typedef struct vp_block_components_def {
    vp_dims size;                  /**< At most VP_COMPONENTS_MAX_CELLS cells; may be none. */
    const uint8_t *cell;           /**< A byte each; NULL: `bits` has them. */
    const uint64_t *bits;          /**< A bit each. */
    const vp_kernels *kernels;     /**< NULL: as vp_kernels_default says. */
    const vp_allocator *allocator; /**< NULL: C's own. */
} vp_block_components_def;

/** Labels the connected components of a grid. O(cells); while it runs it needs 4 bytes a cell.
 *  @param label  out: of each cell, see vp_components_job
 *  @param count  out: of components
 *  @return VP_E_ARGUMENT for too many cells, or for neither bytes nor bits; VP_E_MEMORY; what vp_kernels_default returns */
VP_API vp_status vp_block_components_find(const vp_block_components_def *def, uint32_t *label, uint32_t *count, vp_error *error);

/* ---- sweeps and rays ---- */

/** The block that a moving box meets first: see vp_block_sweep_fn.
 *  @param kernels  NULL: as vp_kernels_default says
 *  @return VP_E_ARGUMENT for a box that is not min < max on an axis or beyond VP_BLOCK_FAR, a move that is not finite: the message names
 * the number; what vp_block_view_check and vp_kernels_default return */
VP_API vp_status vp_block_sweep(const vp_block_view *view, const vp_kernels *kernels, const vp_block_path *path, vp_block_hit *out,
                                vp_error *error);
/** The block that a ray meets first: see vp_block_ray_fn. Parameters and errors as of vp_block_sweep. */
VP_API vp_status vp_block_ray(const vp_block_view *view, const vp_kernels *kernels, const vp_block_line *line, vp_block_hit *out,
                              vp_error *error);

/** Who moves through blocks, upright. */
typedef struct vp_block_mover {
    vp_vec3 half;              /**< Of the box around its centre, half the extents: above 0. */
    uint32_t up;               /**< A vp_side: which way is up. VP_SIDE_Y_HIGH; on a planet the side that it stands on. */
    float step;                /**< How high a step it takes without being stopped, if it stands; 0: none. A little above 1: a block. */
    const vp_kernels *kernels; /**< NULL: as vp_kernels_default says. */
} vp_block_mover;

/** Where it got to. */
typedef struct vp_block_move_result {
    vp_vec3 centre;  /**< The new one. */
    uint32_t sides;  /**< Bits 1 << side: of the blocks that stopped it. */
    vp_block ground; /**< What it stands on in the end: within 1/64; 0: nothing. */
    vp_block fluid;  /**< The first fluid that it met; 0: none. */
    bool stepped;    /**< It went up a step. */
    bool inside;     /**< It was in a block that collides, and stays where it was. */
} vp_block_move_result;

/** Moves a box, as players move: it goes until it meets a block, then on along the block's side with what is left, until all axes are
 *  stopped. A block stops it only on an axis on which the block is in the way. If it meets the side of a step, stands, and has room, it
 * goes up, on, and down on it. Fluids are passed. A box that was in no block is in none afterwards, whatever was rounded: its sides at
 * centre - half and centre + half, in binary32, end at most at the block's. O(blocks on its way).
 *  @return VP_E_ARGUMENT for a centre, half, move or step that is not finite, too far or has the wrong sign, or an `up` that there is not:
 *          the message names the number; for a box without an extent there, because half of it is nothing beside the centre; what
 *          vp_block_view_check and vp_kernels_default return */
VP_API vp_status vp_block_move(const vp_block_view *view, const vp_block_mover *mover, vp_vec3 centre, vp_vec3 move,
                               vp_block_move_result *out, vp_error *error);

#ifdef __cplusplus
}
#endif

#endif
