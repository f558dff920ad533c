/* SPDX-License-Identifier: MIT */
/* What the edges of a world's mesh must be: edges are matched by the places of their ends over the whole mesh, and angles are
 * measured. No code of the library is used but vp_world_voxel, which tells the inside voxels where four quads meet. */
#ifndef VP_TESTS_SUPPORT_EDGE_ORACLE_H
#define VP_TESTS_SUPPORT_EDGE_ORACLE_H

#include <voxphys/mesh.h>

/* How many edges of triangles are what, and of them between four quads, across the borders of chunks, within a millionth of the
   limit of flat, of triangles without area. */
typedef struct edge_counts {
    uint64_t of[4], fours, across_chunks, close, without_area;
} edge_counts;

/* Flags of the triangles of the mesh of a whole world; adds to the counts. Fails the test where edges do not match as they must. */
void oracle_edge_flags(const vp_world *world, const vp_mesh *mesh, uint8_t *flags, edge_counts *counts);

#endif
