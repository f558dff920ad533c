/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_MESH_DATA_H
#define VOXPHYS_MESH_DATA_H

#include <stdint.h>

#include <voxphys/geometry.h>

/** @file mesh_data.h
 *  The mesh of one chunk, as kernels write it; mesh.h has the functions for everybody.
 *
 *  **Surfaces.** Solid and water have a surface each, by naive Surface Nets. A class's field at the centre of a voxel
 *  is occupancy + 1 (1 to 256) if the voxel's material is of the class, else 0; outside the world it is 0. A voxel
 *  whose field is above 128, which is more than half full, is inside.
 *
 *  **Vertices.** A cell is the cube between the centres of 2 x 2 x 2 voxels; cell (x, y, z) has the voxels x to x +
 *  1, y to y + 1, z to z + 1. A cell with some corners inside and some outside has one vertex: the mean of the points
 *  where the field crosses 128 along the cell's edges, linearly interpolated, moved to the middle of the 1/256 of the
 *  cell that it lies in. So a coordinate is cell + 0.5 + (q + 0.5)/256 with a whole number q from 0 to 255 (voxel i
 *  covers [i, i + 1)): a multiple of 1/512, exact in binary32 in any world, as are differences of two. A vertex lies
 *  strictly inside its cell, so no two vertices of a quad are equal; but nothing keeps three of them from lying
 *  nearly on one line. The cell and three bytes say all of a position. How the mean is computed is in
 *  reference/surface/nets.h, operation by operation.
 *
 *  **Quads.** The line between the centres of two voxels that are neighbours along an axis is an edge of four cells.
 *  If one voxel is inside and the other is not, these cells' vertices make a quad, of the inside voxel's material. It
 *  is seen counterclockwise from outside. Corner 0 is the vertex of the cell with the lowest coordinates, corner 2
 *  that of the one with the highest; the quad's two triangles are its corners (0, 1, 2) and (0, 2, 3).
 *
 *  **Chunks.** A chunk has the quads of the edges whose lower voxel is one of its 512, and the vertices of these
 *  quads. They come from the 10^3 voxels around it alone. A cell at the border between chunks gives the same bits in
 *  each, and every edge has one owner: so there is no crack and no quad twice. An edge whose lower voxel lies outside
 *  the world has no owner: terrain that goes on to a low face of the world (x, y or z = 0) is open there; at the high
 *  faces it is closed, for outside is air.
 *
 *  **Conservative.** The four cells of a quad lie within the 3^3 voxels around its inside voxel, which is of the class:
 *  all these voxels' broadphase bits are set (vp_chunk_masks). Their union is a box, so the triangles lie within them too. */

#ifdef __cplusplus
extern "C" {
#endif

/** Of which class a surface is. */
typedef enum vp_surface {
    VP_SURFACE_SOLID = 0, /**< Of materials from VP_FIRST_SOLID on. */
    VP_SURFACE_WATER = 1  /**< Of VP_WATER. */
} vp_surface;

/** How many surfaces there are. */
enum { VP_SURFACE_COUNT = 2 };

/** Sizes of a chunk's mesh. */
enum {
    VP_CHUNK_MESH_VERTICES = 728, /**< Most vertices: one in each cell from -1 to 7 on each axis but the lowest. */
    VP_CHUNK_MESH_QUADS = 1536,   /**< Most quads: three from each voxel. */
    VP_CHUNK_MESH_SLACK = 16      /**< Elements that kernels may write behind the last one; they mean nothing. */
};

/** The mesh of one chunk and one class. The arrays have room for the most elements and for the slack behind them.
 *
 *  Vertices are in the order of their cells: x fastest, then z, then y. Quads are in the order of the rows (y, z) of
 *  their lower voxels, z fastest; in a row come first the quads of edges along x, then of those along y, then of
 *  those along z, each in ascending x. Every vertex belongs to a quad. */
typedef struct vp_chunk_mesh {
    vp_vec3 *vertex;       /**< In world coordinates. */
    uint16_t (*quad)[4];   /**< Numbers of vertices. */
    uint8_t *material;     /**< Of each quad. */
    uint32_t vertex_count; /**< Out. */
    uint32_t quad_count;   /**< Out. */
} vp_chunk_mesh;

/** Memory for a chunk's mesh: 23 KiB. */
typedef struct vp_chunk_mesh_room {
    vp_vec3 vertex[VP_CHUNK_MESH_VERTICES + VP_CHUNK_MESH_SLACK];  /**< See vp_chunk_mesh. */
    uint16_t quad[VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK][4];   /**< See vp_chunk_mesh. */
    uint8_t material[VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK];   /**< See vp_chunk_mesh. */
} vp_chunk_mesh_room;

/** An empty mesh in a piece of memory. */
static inline vp_chunk_mesh vp_chunk_mesh_in(vp_chunk_mesh_room *room)
{
    vp_chunk_mesh mesh = {room->vertex, room->quad, room->material, 0, 0};
    return mesh;
}

#ifdef __cplusplus
}
#endif

#endif
