/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_KERNEL_SURFACE_H
#define VOXPHYS_KERNEL_SURFACE_H

#include <assert.h>
#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/geometry.h>
#include <voxphys/kernel/versions.h>
#include <voxphys/world.h>

/** @file kernel/surface.h
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
 *  src/surface/nets.h, operation by operation.
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
    vp_vec3 vertex[VP_CHUNK_MESH_VERTICES + VP_CHUNK_MESH_SLACK]; /**< See vp_chunk_mesh. */
    uint16_t quad[VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK][4];  /**< See vp_chunk_mesh. */
    uint8_t material[VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_SLACK];  /**< See vp_chunk_mesh. */
} vp_chunk_mesh_room;

/** An empty mesh in a piece of memory. */
static inline vp_chunk_mesh vp_chunk_mesh_in(vp_chunk_mesh_room *room)
{
    vp_chunk_mesh mesh = {room->vertex, room->quad, room->material, 0, 0};
    return mesh;
}

/* ---- edges ---- */

/** @page edges Edge flags
 *  How the triangles of a chunk's mesh meet at their edges, as the kernel edge_flags says it; the checked functions, and what
 *  physics does with it, are in edges.h.
 *
 *  A body that slides over a surface of triangles must not feel the edges between them. Whether a contact on an edge may
 *  have a normal of its own is a matter of the angle there, and is told by two bits an edge.
 *
 *  **Flags.** A triangle has one byte: bits 0 and 1 are of the edge from its corner 0 to corner 1, bits 2 and 3 of that from 1 to
 *  2, bits 4 and 5 of that from 2 to 0; bits 6 and 7 are 0. Triangle 2*i is corners (0, 1, 2) of quad i, triangle 2*i + 1 its
 *  corners (0, 2, 3). Two triangles say the same of the edge between them.
 *
 *  **What is on the other side.** Of the diagonal, the quad's other triangle. A side of a quad lies between two cells that
 *  share a face. The corners of that face are four voxels' centres, and each of its four edges that crosses the surface has a
 *  quad with this side: two of them, or all four. Of two, the one is on the other's other side. Of four, inside and outside
 *  voxels lie across from each other, and two sheets of surface touch in a line: there the quads of the same inside voxel
 *  belong together. The two inside voxels share no face, so they are not connected (as regions of terrain are told apart); each
 *  keeps a closed surface of its own, and both sheets bend around their voxel and away from each other. The other pairing would
 *  make two grooves out of two ridges, and the contact of a body with a ridge would be corrected away. The quad that is not
 *  there, because its edge's lower voxel lies outside the world, is nobody's: the side is open. That is so for
 *  sides that lie between cells at -1 of the world on the same axis, and only for them: at a low face of the world.
 *
 *  **Which it is.** With e an edge from p to q, f the triangle's third corner, g the other triangle's, in 1/256 of a voxel less
 *  p's place: all differences are whole numbers from -511 to 511. Then n = e x f and m = g x e are normals, det = n.g, exact in 32
 *  bits. With the whole numbers rounded to binary32, and each operation in it:
 *    dot  = (n.x*m.x + n.y*m.y) + n.z*m.z
 *    flat = dot > 0 and (det*det)*(e.e) <= (dot*dot)*VP_EDGE_FLAT_TAN2
 *  for n x m = det*e, so the angle's tangent is det*|e|/dot: flat is an angle of at most 5 degrees. Otherwise the
 *  edge is concave if det > 0, which is exact: g lies above the triangle's plane, and convex if det <= 0. A triangle without area
 *  has no normal, so its edges are convex on both sides: nothing is corrected there. So is an edge where two triangles lie back to
 *  back, at 180 degrees.
 *
 *  **What it depends on.** The 12^3 voxels around the chunk, -2 to 9 on each axis. */

/** How two triangles meet. */
typedef enum vp_edge {
    VP_EDGE_FLAT = 0,    /**< At most 5 degrees. */
    VP_EDGE_CONCAVE = 1, /**< A valley. */
    VP_EDGE_CONVEX = 2,  /**< A ridge; or one of them has no area. */
    VP_EDGE_OPEN = 3     /**< There is no other triangle: at a low face of the world. */
} vp_edge;

/** The square of the tangent of 5 degrees, in binary32. */
#define VP_EDGE_FLAT_TAN2 0.0076542664f

/** Bytes that kernels may write behind the last triangle's flags; they mean nothing. */
enum { VP_EDGE_FLAGS_SLACK = 2 * VP_CHUNK_MESH_SLACK };

/** What an edge of a triangle is.
 *  @param flags  the triangle's
 *  @param edge   0: corners 0 and 1; 1: corners 1 and 2; 2: corners 2 and 0 */
static inline vp_edge vp_edge_of(uint8_t flags, uint32_t edge)
{
    return VP_CAST(vp_edge, flags >> 2 * edge & 3);
}

static_assert(sizeof(vp_chunk_mesh_room) == 22896, "as documented");

/* ---- kernels ---- */

/** The surface of one class in one chunk of a world: see kernel/surface.h.
 *  @param surface  a vp_surface
 *  @param out      its arrays are given; at most their most elements and the slack are written, and the counts */
typedef void vp_mesh_chunk_fn(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, vp_chunk_mesh *out);

/** How the triangles of a chunk's mesh meet at their edges, across the chunk's borders as well: see kernel/surface.h.
 *  @param mesh   what mesh_chunk made of this chunk and surface, in arrays with the slack of vp_chunk_mesh, which may be read
 *  @param flags  out: one a triangle, 2*quad_count, and room for VP_EDGE_FLAGS_SLACK more */
typedef void vp_edge_flags_fn(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, const vp_chunk_mesh *mesh,
                              uint8_t *flags);

/* clang-format off */
/** Kernel rows, see versions.h. */
#define VP_SURFACE_KERNELS(K)                                                                              \
    K(mesh_chunk, mesher, ALL, "Surface", "chunks",                                                        \
      "Makes the surface in one chunk from its voxels, by naive Surface Nets.")                            \
    K(edge_flags, edges, ALL, "Surface", "chunks",                                                         \
      "Tells how the triangles of a chunk's surface meet at their edges, across the chunk's borders too.")
/** Operation rows. */
#define VP_SURFACE_OPERATIONS(O)
/* clang-format on */

VP_SURFACE_KERNELS(VP_PROTOS)

#ifdef __cplusplus
}
#endif

#endif
