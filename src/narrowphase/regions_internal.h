/* SPDX-License-Identifier: MIT */
/* Declarations shared by the two ways to find loose regions. */
#ifndef VP_NARROWPHASE_REGIONS_INTERNAL_H
#define VP_NARROWPHASE_REGIONS_INTERNAL_H

#include <voxphys/regions.h>

#include "src/world/world_internal.h"

/* A def with its limits and its allocator filled in. */
typedef struct vp_regions_plan {
    uint32_t anchors;
    const uint64_t *mask;
    uint32_t least;
    bool small_stay, loose_before;
    uint32_t max_regions, max_voxels, max_visited;
    uint32_t attached_from; /* UINT32_MAX: no bound */
    vp_allocator allocator;
} vp_regions_plan;

/* A voxel of a loose part of the world, and the part's number. Lists of them ascend by voxel. */
typedef struct vp_loose_voxel {
    uint32_t voxel; /* (y*size.z + z)*size.x + x */
    uint32_t part;
} vp_loose_voxel;

static inline vp_ivec3 vp_voxel_place(vp_dims size, uint32_t voxel)
{
    const uint32_t row = voxel / size.x;
    return (vp_ivec3){(int32_t)(voxel % size.x), (int32_t)(row / size.z), (int32_t)(row % size.z)};
}

static inline uint32_t vp_voxel_number(vp_dims size, vp_ivec3 at)
{
    return ((uint32_t)at.y * size.z + (uint32_t)at.z) * size.x + (uint32_t)at.x;
}

static inline bool vp_voxel_is_solid(const vp_world *world, vp_ivec3 at)
{
    return world->material[vp_voxel_offset(world->chunks, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z)] >= VP_FIRST_SOLID;
}

/* Whether a voxel is an anchor, if it is solid. */
static inline bool vp_voxel_anchors(const vp_regions_plan *plan, vp_dims size, vp_ivec3 at)
{
    if ((plan->anchors & VP_ANCHOR_BOTTOM) != 0 && at.y == 0)
        return true;
    if ((plan->anchors & VP_ANCHOR_BORDER) != 0 && (at.x == 0 || at.y == 0 || at.z == 0 || (uint32_t)at.x == size.x - 1 ||
                                                    (uint32_t)at.y == size.y - 1 || (uint32_t)at.z == size.z - 1))
        return true;
    const uint32_t i = vp_voxel_number(size, at);
    return (plan->anchors & VP_ANCHOR_MASK) != 0 && (plan->mask[i / 64] >> i % 64 & 1u) != 0;
}

/* Fails with VP_E_LIMIT: more voxels are loose than the def allows. */
vp_status vp_regions_too_many_voxels(const vp_regions_plan *plan, vp_error *error);

/* Searches from the voxels that an edit wrote, as documented in vp_regions_find, with checked arguments. */
vp_status vp_regions_search(const vp_regions_plan *plan, const vp_world *world, const vp_ivec3 *at, const vp_voxel *before, size_t count,
                            vp_regions *out, vp_error *error);

/* Makes regions of loose parts. Sets *out on success, except `searches` and `seen`.
 * @param loose  ascending by voxel, with all voxels of each part
 * @param parts  upper bound of the parts' numbers. Some parts may have no voxels. */
vp_status vp_regions_gather(const vp_regions_plan *plan, const vp_world *world, const vp_loose_voxel *loose, uint32_t count, uint32_t parts,
                            vp_regions *out, vp_error *error);

#endif
