/* SPDX-License-Identifier: MIT */
#ifndef VOXPHYS_EDGES_DATA_H
#define VOXPHYS_EDGES_DATA_H

#include <stdint.h>

#include <voxphys/api.h>
#include <voxphys/mesh_data.h>

/** @file edges_data.h
 *  How the triangles of a chunk's mesh meet at their edges, as the kernel edge_flags says it; the checked functions, and
 *  what physics does with it, are in edges.h.
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

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
