/* SPDX-License-Identifier: MIT */
/* The edges of a world's mesh by brute force. Edges are matched by their ends over the whole mesh, and angles are measured. The only
 * library function used is vp_world_voxel, for the inside voxels where four quads meet. */
#ifndef VP_TESTS_SUPPORT_EDGE_ORACLE_H
#define VP_TESTS_SUPPORT_EDGE_ORACLE_H

#include <voxphys/mesh.h>

/* The number of triangle edges of each kind. The other counts are for edges between four quads, across a chunk border, within a millionth
   of the limit of flat, and without area. */
typedef struct edge_counts {
    uint64_t of[4], fours, across_chunks, close, without_area;
} edge_counts;

/* Sets the flags of all triangles in the mesh of a whole world, and adds to the counts. Fails the test if edges do not match. */
void oracle_edge_flags(const vp_world *world, const vp_mesh *mesh, uint8_t *flags, edge_counts *counts);

#endif
