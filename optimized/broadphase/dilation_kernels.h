/* SPDX-License-Identifier: MIT */
/* The dilation kernels of an ISA. Its vocabulary, or its slices, are included before. */
#ifndef VP_OPTIMIZED_BROADPHASE_DILATION_KERNELS_H
#define VP_OPTIMIZED_BROADPHASE_DILATION_KERNELS_H

#include "optimized/broadphase/dilation_pass.h"
#include "optimized/broadphase/dilation_rows10.h"

uint32_t VP_VERSION(vp_dilate_chunk)(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out)
{
    return dilate_chunk_bricks(world, cx, cy, cz, out);
}

uint32_t VP_VERSION(vp_dilate_chunk_rows)(const uint8_t *material, vp_chunk_masks *out)
{
    return dilate_chunk_rows10(material, out);
}

uint32_t VP_VERSION(vp_dilate_world)(const vp_dilate_job *build)
{
    return dilate_world_pass(build, &from_bricks);
}

uint32_t VP_VERSION(vp_dilate_world_rows)(const vp_dilate_job *build)
{
    return dilate_world_pass(build, &from_rows);
}

#endif
