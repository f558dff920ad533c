/* SPDX-License-Identifier: MIT */
/* The mesh of a chunk by its definition in kernel/surface.h, edge by edge over vp_world_voxel. Vertices are exact fractions, and cross
 * products of cells give the winding. It uses none of the mesher's code. */
#ifndef VP_TESTS_SUPPORT_MESH_ORACLE_H
#define VP_TESTS_SUPPORT_MESH_ORACLE_H

#include <voxphys/mesh.h>

/* Fills `out` as vp_mesh_chunk does. */
void oracle_chunk_mesh(const vp_world *world, vp_ivec3 chunk, vp_surface surface, vp_chunk_mesh *out);

#endif
