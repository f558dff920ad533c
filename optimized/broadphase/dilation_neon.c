/* SPDX-License-Identifier: MIT */
/* Dilation on NEON. The algorithms of dilation_pass.h and dilation_rows10.h. */
#include "optimized/broadphase/slices_neon.h"

#include "optimized/broadphase/dilation_pass.h"
#include "optimized/broadphase/dilation_rows10.h"

uint32_t vp_dilate_chunk_neon(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_chunk_masks *out)
{
    return dilate_chunk_bricks(world, cx, cy, cz, out);
}

uint32_t vp_dilate_chunk_rows_neon(const uint8_t *material, vp_chunk_masks *out)
{
    return dilate_chunk_rows10(material, out);
}

uint32_t vp_dilate_world_neon(const vp_dilate_job *build)
{
    return dilate_world_pass(build, &from_bricks);
}

uint32_t vp_dilate_world_rows_neon(const vp_dilate_job *build)
{
    return dilate_world_pass(build, &from_rows);
}
