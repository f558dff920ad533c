/* SPDX-License-Identifier: MIT */
/* Boxes in a terrain: voxel terrain article, "Narrowphase data". The broadphase finds the chunks that contain anything
 * in the box. Only their trees are queried, and built first if necessary. */
#include <voxphys/kernel/terrain.h>

#include "src/terrain/walk.h"

uint32_t vp_terrain_gather_scalar(const vp_terrain_view *terrain, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity)
{
    return vp_gather_terrain(terrain, box, vp_kd_gather_scalar, out, capacity);
}
