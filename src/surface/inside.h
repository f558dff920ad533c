/* SPDX-License-Identifier: MIT */
/* Points inside the surface of a class, and the quads around one voxel. Both read only voxels, never a mesh. */
#ifndef VP_SURFACE_INSIDE_H
#define VP_SURFACE_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/kernel/surface.h>
#include <voxphys/world.h>

/* The surface in the 3 x 3 x 3 cells between 4 x 4 x 4 voxels. Axes are x, y, z. */
typedef struct vp_surface_patch {
    int16_t value[4][4][4];     /* vp_nets_value of voxel [x][y][z], counted from the patch's lowest voxel */
    bool placed[3][3][3];       /* whether a cell's vertex is computed */
    int16_t vertex[3][3][3][3]; /* vertex of cell [x][y][z] in 1/512 of a voxel, from the centre of voxel (1, 1, 1) */
} vp_surface_patch;

/* The value of a voxel, less 128. Above 0 is inside. Outside the world it is -128. */
int16_t vp_surface_value(const vp_voxels *voxels, vp_surface surface, const int32_t at[3]);

/* Reads the voxels from `low` on. No vertex is computed. */
void vp_surface_patch_load(const vp_voxels *voxels, vp_surface surface, const int32_t low[3], vp_surface_patch *out);

/* The corners of the quad on the edge from voxel `lower` of the patch up along an axis, with the mesh's coordinates.
 * @return false if the surface does not cross the edge */
bool vp_surface_patch_quad(vp_surface_patch *patch, const int lower[3], int axis, const int16_t *corner[4]);

/* The side of a class's surface on which a finite point is: 1 in front, -1 behind, as vp_terrain_inside documents, 0
 * on it. O(1). */
int vp_surface_side(const vp_voxels *voxels, vp_surface surface, const float point[3]);

#endif
