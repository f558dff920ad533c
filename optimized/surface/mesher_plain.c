/* SPDX-License-Identifier: MIT */
/* The mesher in plain C. The algorithm of mesher_body.h. */
#include "optimized/simd/plain.h"

#include "optimized/surface/mesher_body.h"

void vp_mesh_chunk_plain(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface, vp_chunk_mesh *out)
{
    mesh_chunk(world, cx, cy, cz, surface, out);
}
