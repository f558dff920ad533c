/* SPDX-License-Identifier: MIT */
/* What the mesh of a chunk must be, from the definition in kernel/surface.h: edge by edge over vp_world_voxel, with exact
 * fractions for the places of vertices and cross products of cells for the winding. None of the mesher's code is
 * used. */
#ifndef VP_TESTS_SUPPORT_MESH_ORACLE_H
#define VP_TESTS_SUPPORT_MESH_ORACLE_H

#include <voxphys/mesh.h>

/* Fills `out` as vp_mesh_chunk does. */
void oracle_chunk_mesh(const vp_world *world, vp_ivec3 chunk, vp_surface surface, vp_chunk_mesh *out);

/* Fails the test, naming `what`, if two meshes are not the same bits. */
void expect_same_chunk_mesh(const char *what, vp_ivec3 chunk, vp_surface surface, const vp_chunk_mesh *got, const vp_chunk_mesh *want);

#endif
