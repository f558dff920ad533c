/* SPDX-License-Identifier: MIT */
/* Boxes in a terrain: voxel terrain article, "Narrowphase data". The broadphase says which chunks have anything there;
 * only their trees are asked, and made if need be. */
#include "src/core/kernel_functions.h"

#include "src/terrain/box.h"

uint32_t vp_world_box_scalar(const vp_terrain_view *terrain, const vp_aabb *box, vp_world_triangle *out, uint32_t capacity)
{
    return vp_gather_terrain(terrain, box, vp_kd_box_scalar, out, capacity);
}
